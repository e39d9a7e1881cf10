"""Test that exported code decides exactly like `Tree.predict`, also on boundaries and for extreme numbers."""

import runpy
import sqlite3

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budget import budget
from tests.strategies import rows, small_tree, trees
from tests.treecore.export.export_examples import (
    RUNNERS,
    hard_rows,
    predicted,
    random_regression_tree,
    random_tree,
    run_c,
    run_duckdb,
    run_python,
    run_sqlite,
    with_linear_leaves,
)
from treecore import ParameterError, Tree, export
from treecore.artifact import DIAGRAM
from treecore.export.sql_literals import number_literal


def random_trees():
    """Return {name: Tree}: large and deep trees, extreme numbers, single leaves."""
    rng = np.random.default_rng(1)
    found = {
        "one leaf": random_tree(rng, 1), "one mean": random_regression_tree(rng, n_leaves=1),
        "one leaf, missing values": random_tree(rng, 1, missing=True),
        "700 nodes": random_tree(rng, 350), "700 nodes, missing values": random_tree(rng, 350, missing=True),
        "700 nodes, regression": random_regression_tree(rng, n_leaves=350, n_features=10, most_terms=10),
        "depth 300": random_tree(rng, 500, chain=True), "many terms": random_tree(rng, 6, 300, 300),
        "booleans": random_tree(rng, labels=np.arange(23) % 2, values=np.ones((23, 2)), classes=[False, True]),
        "numbers": random_tree(rng, classes=np.array([0.1, 2.5, -1e300])),
        "halves": random_tree(rng, classes=np.array([0.1, 0.2, 1e-40], np.float32)),
        "large integers": random_tree(rng, 80, classes=[-(2**52), 0, 2**53 - 1]),
    }  # fmt: skip
    for exponents in [(-8, 8), (-323, -300), (-20, 0), (300, 308), (-323, 308), (150, 160)]:
        for missing in (False, True):
            for n_leaves in (12, 90):
                name = f"10 to the {exponents}, {n_leaves} leaves{', missing' * missing}"
                found[name] = random_tree(rng, n_leaves, exponents=exponents, missing=missing)
    return found


@pytest.fixture(scope="module")
def examples():
    """Return name -> (Tree, hard rows, predictions of the tree)."""
    rng = np.random.default_rng(2)
    found = {}
    for name, tree in random_trees().items():
        table = hard_rows(tree, rng)
        found[name] = (tree, table, predicted(tree, table))
    return found


def as_read(target, tree, answers):
    """Return the predictions of a tree in the form that a target returns."""
    if tree.is_regression:
        return answers
    if target == "c":
        return [answer if isinstance(answer, str) else repr(answer) for answer in answers]
    return [int(answer) for answer in answers] if target == "sqlite" and tree.classes.dtype == bool else answers


def differences(target, examples, found):
    """Return the names of the trees whose predictions differ, with the number of rows."""
    wrong = {}
    for (name, (tree, _, answers)), got in zip(examples.items(), found, strict=True):
        wanted = as_read(target, tree, answers)
        if got != wanted or list(map(type, got)) != list(map(type, wanted)):
            if target == "javascript" and got == wanted:  # JavaScript has one kind of number
                continue
            wrong[name] = (sum(a != b for a, b in zip(got, wanted, strict=True)), len(got))
    return wrong


@pytest.mark.parametrize("target", RUNNERS)
def test_every_target_predicts_exactly_as_the_tree(target, examples, tmp_path):
    kept = [example[:2] for example in examples.values()]
    found = RUNNERS[target]([tree for tree, _ in kept], [X for _, X in kept], tmp_path)
    assert differences(target, examples, found) == {}


def test_null_is_missing_in_duckdb_too(examples):
    kept = {name: example for name, example in examples.items() if example[0].missing_right is not None}
    found = run_duckdb([e[0] for e in kept.values()], [e[1] for e in kept.values()], missing="NULL")
    assert differences("duckdb", kept, found) == {}


def test_compilers_that_contract_by_default(examples, tmp_path):
    kept = {
        name: examples[name]
        for name in ("700 nodes", "700 nodes, regression", "many terms", "10 to the (-8, 8), 12 leaves")
    }
    flags = ("-O3", "-march=native", "-ffp-contract=fast")
    found = run_c([e[0] for e in kept.values()], [e[1] for e in kept.values()], tmp_path, flags)
    assert differences("c", kept, found) == {}


def test_json_is_the_tree(examples):
    assert all(Tree.from_json(export.json(tree)) == tree for tree, _, _ in examples.values())


@settings(max_examples=budget(30, 1500))
@given(st.data(), trees())
def test_python_and_sqlite_equal_any_tree(tmp_path_factory, data, tree):
    X = data.draw(rows(tree.n_features))
    folder = tmp_path_factory.getbasetemp()
    assert run_python([tree], [X], folder) == [predicted(tree, X)]
    named = tree.with_names(None)
    if not any("\0" in label for label in named.classes.tolist() if isinstance(label, str)):
        assert run_sqlite([named], [X]) == [[int(a) if isinstance(a, bool) else a for a in predicted(tree, X)]]


def linear_trees(rng):
    """Return trees with linear leaves: three classes, two, regression, one leaf, many features, unreadably many."""
    two = random_tree(rng, labels=np.arange(23) % 2, values=np.ones((23, 2)), classes=[False, True])
    plain = random_tree(rng), two, random_regression_tree(rng), random_tree(rng, 1), random_tree(rng, 80)
    return [with_linear_leaves(rng, tree) for tree in plain] + [
        with_linear_leaves(rng, random_tree(rng, 5, 60, 60), most_terms=60)
    ]


@pytest.mark.parametrize("target", RUNNERS)
def test_linear_leaves_predict_exactly_as_the_tree(target, tmp_path, rng):
    kept = {}
    for place, tree in enumerate(linear_trees(rng)):
        X = hard_rows(tree, rng)
        X = X[(np.abs(X) < 1e100).all(axis=1)]
        kept[str(place)] = tree, X, predicted(tree, X)
    assert sum(len(set(answers)) > 1 for _, _, answers in kept.values()) > 3
    found = RUNNERS[target]([e[0] for e in kept.values()], [e[1] for e in kept.values()], tmp_path)
    assert differences(target, kept, found) == {}


@pytest.mark.parametrize("name", [name for name, one in export.FORMATS.items() if one.kind != DIAGRAM])
def test_linear_leaves_that_a_target_cannot_hold_are_refused(name, rng):
    deep = with_linear_leaves(rng, random_tree(rng, 200, chain=True))
    wide = with_linear_leaves(rng, random_tree(rng, 2, 3000, 3), most_terms=3000)
    for tree in (wide,) if name == "sql" else (deep, wide):
        if name == "json":
            assert Tree.from_json(export.json(tree)) == tree
        elif name == "onnx":
            assert export.onnx(tree)
        else:
            with pytest.raises(ParameterError, match=r"linear|features"):
                export.FORMATS[name](tree)


@pytest.mark.parametrize("target", RUNNERS)
def test_rows_that_the_tree_refuses_are_refused(target, tmp_path, rng):
    parts = [{}, {"n_leaves": 80}]
    kept = [random_tree(rng, missing=missing, **part) for missing in (False, True) for part in parts]
    kept += [random_regression_tree(rng, missing=missing, **part) for missing in (False, True) for part in parts]
    X = np.zeros((8, 4))
    X[[0, 1, 2], [0, 1, 3]] = np.inf, -np.inf, np.inf
    X[[3, 4], [0, 3]] = np.nan
    X[5] = np.nan
    X[6, :2] = np.inf, np.nan
    found = RUNNERS[target](kept, [X] * len(kept), tmp_path)
    for tree, answers in zip(kept, found, strict=True):
        refused = [0, 1, 2, 6] if tree.missing_right is not None else list(range(7))
        assert [row for row, answer in enumerate(answers) if answer is None] == refused
        allowed = np.setdiff1d(np.arange(8), refused)
        assert [answers[row] for row in allowed] == predicted(tree, X[allowed])


@pytest.mark.parametrize("n_leaves", [3, 80])
def test_python_takes_any_kind_of_number(n_leaves, rng, tmp_path):
    tree = random_tree(rng, n_leaves)
    path = tmp_path / "tree.py"
    path.write_text(export.python(tree))
    predict = runpy.run_path(str(path))["predict"]
    X = rng.standard_normal((50, 4)).astype(np.float32)
    assert [predict(x) for x in X] == predicted(tree, X)
    X = rng.integers(-3, 4, (50, 4))
    assert [predict(x) for x in X] == predicted(tree, X)
    for x in ([1.0, 2.0, 3.0], [1.0] * 5):
        with pytest.raises(ValueError, match="4 values"):
            predict(x)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=20, max_size=20))
def test_sql_reads_numbers_exactly(numbers):
    query = f"SELECT {', '.join(map(number_literal, numbers))}"
    with sqlite3.connect(":memory:") as lite, duckdb.connect() as duck:
        assert list(lite.execute(query).fetchone()) == numbers
        assert list(duck.execute(query).fetchone()) == numbers
    lite.close()


def test_small_trees_can_be_read():
    tree = small_tree(feature_names=("width", "height", "depth"))
    text = export.python(tree)
    assert "    if x[0] >= 1.5:  # 'width'\n" in text
    assert "        if 0.0 + 1.0 * x[0] + -1.0 * x[2] >= 0.0:  # 'width', 'depth'\n" in text
    assert "WHEN CAST(t.\"width\" AS DOUBLE PRECISION) < 1.5e0 THEN 'a'" in export.sql(tree)
