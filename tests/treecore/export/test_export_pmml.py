"""Test that exported PMML files have the shape of the schema and predict like the tree, also in other programs."""

import io
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budget import budget
from tests.refusals import refused
from tests.strategies import MODEST, rows, small_tree, trees
from tests.treecore.export.export_examples import hard_rows, random_regression_tree, random_tree, with_linear_leaves
from tests.treecore.export.pmml_reader import PmmlReader, check_shape
from tests.treecore.export.test_export_columns import columns, grown, rows_of
from treecore import CARTClassifier, CARTRegressor, ParameterError, TAOClassifier, export, from_pmml
from treecore.tables.table_columns import TableColumn, TableColumns


def checked(tree, X, tree_columns=None, table=None):
    """Assert that a file has the right shape and that rows reach the leaves of the tree, and return the reader."""
    text = export.pmml(tree, columns=tree_columns)
    check_shape(text)
    reader = PmmlReader(text)
    names = [tree.feature_name(feature) for feature in range(tree.n_features)]
    given_rows = (dict(zip(names, x, strict=True)) for x in _with_none(X)) if table is None else table
    leaves = [reader.leaf(row) for row in given_rows]
    assert [int(leaf.get("id")) for leaf in leaves] == tree.apply(X).tolist()
    return reader, leaves


def _with_none(X):
    return [[None if value != value else value for value in x] for x in X.tolist()]


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("part", [
    {}, {"n_leaves": 1}, {"n_leaves": 200}, {"n_leaves": 300, "chain": True}, {"n_leaves": 6, "n_features": 130,
    "most_terms": 130}, {"exponents": (-300, -280)},
])  # fmt: skip
def test_rows_reach_the_same_leaves(missing, part, rng):
    for make in (random_tree, random_regression_tree):
        tree = make(rng, missing=missing, **part)
        X = hard_rows(tree, rng, n_random=20, n_nodes=10)
        X = X[~(np.abs(X) > 1e100).any(axis=1)]
        _, leaves = checked(tree, X)
        if tree.is_regression:
            assert [float(leaf.get("score")) for leaf in leaves] == tree.predict(X).tolist()
            continue
        assert [leaf.get("score") for leaf in leaves] == tree.predict(X).tolist()
        spread = [[float(one.get("probability")) for one in leaf.findall("ScoreDistribution")] for leaf in leaves]
        np.testing.assert_array_equal(spread, tree.predict_proba(X))


@settings(max_examples=budget(30, 1500), deadline=None)
@given(st.data(), trees(numbers=MODEST))
def test_any_tree(data, tree):
    X = data.draw(rows(tree.n_features))
    if tree.classes.dtype.kind == "U":
        tree = replace(tree, classes=[f"<&\n {code}" for code in range(tree.classes.size)])
    checked(tree.with_names([f"<&\"'>\n\t é😀 {feature}" for feature in range(tree.n_features)]), X)


def test_values_that_the_tree_rejects_have_no_prediction(rng):
    tree = CARTClassifier(max_depth=1, cv=None).fit([[0.0, 1], [2, 1]], ["a", "b"]).tree_
    reader = PmmlReader(export.pmml(tree))
    assert [reader.leaf({"x0": value}) for value in (None, np.inf, -np.inf)] == [None] * 3
    learnt = replace(tree, missing_right=np.ones(3, bool))
    assert PmmlReader(export.pmml(learnt)).leaf({"x0": None}).get("score") == "b"
    whether_missing = replace(learnt, bias=[-1e308, 0, 0], weights=[1e-300])
    reader = PmmlReader(export.pmml(whether_missing))
    assert [reader.leaf({"x0": value}).get("score") for value in (None, -5, 7)] == ["b", "a", "a"]
    assert from_pmml(export.pmml(whether_missing)).predict([[np.nan], [3]]).tolist() == ["b", "a"]


@pytest.mark.parametrize("missing", ["learn", "error"])
@pytest.mark.parametrize("split", ["univariate", "bivariate", "groups"])
def test_rows_of_a_table_reach_the_same_leaves(split, missing):
    own, share = [list(group) for group in columns().groups() if len(group) > 1], 0.2 * (missing == "learn")
    tree, table = grown("univariate", missing, share, own) if split == "groups" else grown(split, missing, share)
    X = columns().encode(table).X
    given_rows = [row | {"zip": None if row["zip"] is None else str(int(row["zip"]))} for row in rows_of(table)]
    given_rows = [row | {"colour": "purple"} if k % 20 == 0 else row for k, row in enumerate(given_rows)]
    X[::20, 1:6] = 0.0
    reader, leaves = checked(tree, X, columns(), given_rows)
    assert len({leaf.get("id") for leaf in leaves}) == pytest.approx(tree.n_leaves, abs=3)
    assert [leaf.get("score") for leaf in leaves] == tree.predict(X).tolist()
    if split == "groups":
        assert list(reader.model.iter("CompoundPredicate"))
    assert (split == "bivariate") == bool(reader.derived)
    if missing == "error":
        assert reader.leaf({name: None for name in reader.fields}) is None


def test_groups_markers_levels_and_dates_of_a_table(rng):
    known = TableColumns((
        TableColumn("size", missing=("k.A.", "-999")), TableColumn("day", "date"),
        TableColumn("town", "category", ("Köln", "Bad Ems", "other"), ("Ulm",), missing=("?",), grouped=True),
        TableColumn("grade", "ordered", ("low", "mid", "high")), TableColumn("pet", "category", ("cat", "(blank)")),
    ))  # fmt: skip
    n = 300
    table = pandas.DataFrame({
        "size": rng.choice([-999.0, 1, 2, 3, 1e31, np.nan], n),
        "day": rng.choice(["2020-01-31", "2021-05-01", None], n), "pet": rng.choice(["cat", None, "dog"], n),
        "town": rng.choice(["Köln", "Ulm", "Bad Ems", "Mainz", "?", None], n),
        "grade": rng.choice(["low", "mid", "high", "none"], n),
    })  # fmt: skip
    X = known.encode(table).X
    days = "day (days since 1970)"
    given_rows = [
        row | {days: None if np.isnan(day) else day} for row, day in zip(rows_of(table), X[:, 1], strict=True)
    ]
    n_derived = 0
    for _ in range(30):
        tree = random_tree(rng, 30, X.shape[1], 2, missing=True)
        found, _ = checked(tree.with_names(known.feature_names()), X, known, given_rows)
        n_derived += len(found.derived)
    assert n_derived > 100
    day = CARTClassifier(max_depth=1, cv=None, missing="learn").fit(X[:, [1]], X[:, 1] > 18500).tree_
    text = export.pmml(replace(day, features=[1], n_features=X.shape[1], feature_quantiles=None), columns=known)
    assert f'<DataField name="{days}" optype="continuous" dataType="double">' in text


def test_a_fitted_estimator_reads_its_table(rng):
    table = pandas.DataFrame({"city": rng.choice(["Rome", "New York", "Ulm", "Bonn"], 200), "n": rng.random(200)})
    y = np.where(table["city"].isin(["Rome", "New York"]), "south", "north")
    model = TAOClassifier(split="univariate", categories="groups", init="cart", lam=0.1, random_state=0).fit(table, y)
    text = export.pmml(model)
    assert text.count('<SimpleSetPredicate field="city"') == 2
    again = from_pmml(text)
    assert (again.n_nodes, again.n_leaves) == (model.tree_.n_nodes, model.tree_.n_leaves)
    reader = PmmlReader(text)
    assert [reader.leaf(row).get("score") for row in table.to_dict("records")] == model.predict(table).tolist()


def test_from_pmml_reads_the_same_tree(rng):
    for missing in (False, True):
        tree = random_tree(rng, 40, most_terms=1, missing=missing, n_features=3)
        while set(tree.features.tolist()) != {0, 1, 2} or (np.diff(tree.indptr) == 0)[tree.left >= 0].any():
            tree = random_tree(rng, 40, most_terms=1, missing=missing, n_features=3)
        again = from_pmml(export.pmml(tree))
        X = hard_rows(tree, rng)
        assert again.feature_names == ("x0", "x1", "x2")
        assert again.predict(X).tolist() == tree.predict(X).tolist()
        np.testing.assert_allclose(again.predict_proba(X), tree.predict_proba(X), rtol=1e-12)


@pytest.mark.parametrize(("classes", "kind", "texts"), [
    ([False, True, 2], "integer", ["0", "1", "2"]), (["<a>", "b&\"c'", "ü\n"], "string", ["<a>", "b&\"c'", "ü\n"]),
    ([0.5, 1.0, 1e300], "double", ["0.5", "1.0", "1e+300"]),
])  # fmt: skip
def test_labels_and_names_are_escaped(classes, kind, texts):
    names = ('a "quote"', "<b> & c", "target")
    text = export.pmml(small_tree(classes=classes, feature_names=names))
    check_shape(text)
    root = ElementTree.fromstring(text)
    fields = [field.attrib for field in root.findall(".//{*}DataField")]
    assert [field["name"] for field in fields] == [*(names[0], names[2]), "target_"]
    assert fields[-1]["dataType"] == kind
    assert [one.get("value") for one in root.findall(".//{*}DataField[last()]/{*}Value")] == texts
    assert {node.get("score") for node in root.findall(".//{*}Node")} - {None} <= set(texts)


def test_booleans_are_those_of_xml():
    text = export.pmml(small_tree(classes=[False, True], values=np.ones((5, 2)), labels=[0, 0, 1, 0, 1]))
    assert 'score="true"' in text
    assert 'dataType="boolean"' in text


def test_refusals(rng):
    tree = random_tree(rng)
    with refused(ParameterError, "PMML export does not support leaves with linear models"):
        export.pmml(with_linear_leaves(rng, tree))
    places = np.arange(1003)
    is_leaf = (places % 2 == 1) | (places == 1002)
    left = np.where(is_leaf, -1, places + 1)
    chain = random_tree(rng, 502, left=left, right=np.where(is_leaf, -1, left + 1), features=[], weights=[],
                        indptr=np.zeros(1004))  # fmt: skip
    with refused(ParameterError, "PMML export supports at most 400 levels; the tree has"):
        export.pmml(chain)
    with refused(ParameterError, "Two features have the name 'a'"):
        export.pmml(small_tree(feature_names=("a", "b", "a")))
    for text in ("", "\0", "\x0b", "\ud800", "\r", "\uffff"):
        with refused(
            ParameterError,
            (
                "PMML does not support the feature name …, which is empty or contains a control character or an "
                "incomplete character (a lone surrogate)"
            ),
        ):
            export.pmml(small_tree(feature_names=(text, "b", "a")))
        with refused(
            ParameterError,
            (
                "PMML does not support the class label …, which is empty or contains a control character or an "
                "incomplete character (a lone surrogate)"
            ),
        ):
            export.pmml(small_tree(classes=["a", "b", text or "\x01"]))


def test_another_program_reads_the_file(rng, monkeypatch):
    monkeypatch.setattr(np, "NPY_DEFAULT", 0x0501, raising=False)  # a name that the package expects in NumPy
    tree = pytest.importorskip("sklearn_pmml_model.tree", reason="sklearn-pmml-model is not installed")
    X = rng.normal(size=(400, 3))
    labels = np.array(["a", "b", "c"])[(X[:, 0] > 0.3) * 1 + (X[:, 1] > X[:, 2])]
    for model, y, reader in (
        (CARTClassifier(max_depth=5, cv=None), labels, tree.PMMLTreeClassifier),
        (CARTRegressor(max_depth=5, cv=None), X[:, 0] * 3 + X[:, 1], tree.PMMLTreeRegressor),
    ):
        frame = pandas.DataFrame(X, columns=["x0", "x1", "x2"])
        fitted = model.fit(frame, y)
        found = reader(io.StringIO(export.pmml(fitted)))
        assert np.asarray(found.predict(frame)).tolist() == pytest.approx(fitted.predict(frame).tolist())
