"""Test that models applied to tables decide like their tree, keep every row, and explain everything unusual."""

import csv
import io
import tracemalloc

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import is_said, refused
from tests.strategies import MODEST, rows, small_tree, trees
from tests.treecore.model.model_examples import small_data, small_model
from treecore import DataError, TAOClassifier, TAORegressor, Tree
from treecore.model.model import Model
from treecore.tables.prediction_figures import prediction_figures
from treecore.tables.text_tables import frame_to_csv, harmless
from treecore.tree.text_tree import node_names


def table(**columns):
    return pandas.DataFrame(columns)


def spread(tree, node, X):
    features, weights, _ = tree.split(node)
    return np.linalg.norm(weights * np.std(X[:, features].astype(np.float64), axis=0)) or 1.0


@given(st.data(), trees(numbers=MODEST))
def test_rows_without_gaps_are_predicted_as_the_tree_does(data, tree):
    X = data.draw(rows(tree.n_features))
    found = Model.of(tree.with_names(None)).predict_table(
        pandas.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    )
    leaves = tree.apply(X)
    assert found.leaf.tolist() == tree.origin[leaves].tolist()
    assert found.prediction.tolist() == tree.predict(X).tolist()
    assert np.array_equal(found.probabilities, tree.predict_proba(X))
    assert np.array_equal(found.probability, tree.predict_proba(X)[np.arange(len(X)), tree.labels[leaves]])
    for i, x in enumerate(X):
        way = tree.path_of(x)
        assert found.path[i] == " > ".join(node_names(tree)[node] for node in way)
        margins = [float(tree.margins(x.reshape(1, -1), node)[0]) / spread(tree, node, X) for node in way[:-1]]
        if margins:
            assert abs(found.margin[i]) == pytest.approx(min(map(abs, margins)), rel=1e-9)
            assert found.margin[i] == pytest.approx(
                margins[tree.origin[way].tolist().index(found.margin_node[i])], rel=1e-9
            )
        else:
            assert found.margin_node[i] == -1
    assert found.n_refused == 0


def test_columns_are_found_by_name_and_oddities_are_reported():
    model = small_model()
    frame = table(colour=["blue", "red", "green", None], weight=[1, 2, 3, 4], length=[2.0, 3.0, 5.0, 2.5])
    found = model.predict_table(frame)
    encoded = model.columns.encode(frame[["length", "colour"]]).X
    assert found.prediction[:3].tolist() == model.tree.predict(encoded[:3]).tolist()
    assert found.prediction[3] is None
    assert is_said(found.reason[3], "node 2 needs 'colour = blue', which is missing")
    assert found.path[3] == "node 1 > node 2"
    assert found.leaf[3] == -1
    assert np.isnan(found.probability[3])
    assert found.n_refused == 1
    assert any("'green'" in note for note in found.notes)
    assert any("'weight'" in note for note in found.notes)


def test_a_missing_value_stops_a_row_only_where_it_is_needed():
    found = small_model().predict_table(table(length=[0.5, 2.0, None]))
    assert found.prediction.tolist() == ["a", None, None]
    for reason, node, feature in zip(found.reason[1:], ("node 2", "node 1"), ("colour = blue", "length"), strict=True):
        assert node in reason.lower()
        assert feature in reason
    assert found.leaf.tolist() == [1, -1, -1]
    assert len(found.to_frame()) == 3
    assert any("'colour'" in note for note in found.notes)


def test_trees_that_have_learned_it_send_missing_values_on():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[rng.random((300, 3)) < 0.3] = np.nan
    y = np.where(np.nan_to_num(X[:, 0]) > 0, "high", "low")
    tree = TAOClassifier("univariate", lam=1.0, init="cart", max_depth=4, missing="learn").fit(X, y).tree_
    found = Model.of(tree).predict_table(pandas.DataFrame(X, columns=["x0", "x1", "x2"]))
    assert found.prediction.tolist() == tree.predict(X).tolist()
    assert found.n_refused == 0


def test_columns_that_the_tree_does_not_use_are_not_needed():
    data = small_data(feature_names=("p", "q", "r"), columns=None)
    found = Model.of(small_tree(), data).predict_table(table(r=[0.0, 1.0], p=["2", "x"]))
    assert found.prediction.tolist() == ["c", None]
    assert "'q'" in found.notes[0]
    assert any("not a number" in note for note in found.notes)


def test_trees_without_names_take_columns_in_order():
    found = Model.of(small_tree()).predict_table(table(a=[0.0, 3.0], b=[0.0, 0.0], c=[0.0, 0.0]))
    assert found.prediction.tolist() == ["a", "c"]
    assert "order" in found.notes[0]
    with refused(DataError, "The table contains none of the columns"):
        Model.of(small_tree()).predict_table(table(a=[0.0], b=[0.0]))


def test_nodes_have_ids_and_are_written_with_names():
    tree = small_tree(origin=[0, 7, 40, 900, 12])
    found = Model.of(tree).predict_table(table(x0=[0.0, 3.0, 3.0], x2=[0.0, 0.0, None]))
    assert found.leaf.tolist() == [7, 12, -1]
    assert found.path.tolist() == ["node 1 > leaf 1 of 3", "node 1 > node 2 > leaf 3 of 3", "node 1 > node 2"]
    assert found.margin_node.tolist()[:2] == [0, 0]
    assert found.reason[2].startswith("node 2 needs")
    told = found.to_frame()
    assert told["leaf"].tolist()[:2] == ["leaf 1 of 3", "leaf 3 of 3"]
    assert told["leaf"].isna().tolist() == [False, False, True]
    assert told["at node"].tolist()[:2] == ["node 1", "node 1"]
    wider = Model.of(tree).predict_table(table(x0=[0.0, 3.0], x2=[0.0, 0.0]), np.array([10.0, 1.0, 1.0]))
    assert wider.margin.tolist() == [-0.15, 0.15]


def test_a_deep_chain_needs_no_memory_for_unused_paths():
    n, m = 8000, 16001
    nodes = np.arange(m)
    goes_on = (nodes % 2 == 0) & (nodes < m - 1)  # to the leaf i + 1, or on to the node i + 2
    tree = Tree(
        left=np.where(goes_on, nodes + 1, -1), right=np.where(goes_on, nodes + 2, -1),
        indptr=np.cumsum(np.r_[0, goes_on]), features=np.zeros(n, int), weights=np.ones(n),
        bias=np.where(goes_on, -nodes, 0),
        labels=nodes % 2, values=np.ones((m, 2)), n_samples=np.ones(m), origin=nodes, classes=["a", "b"], n_features=1,
    )  # fmt: skip
    tracemalloc.start()
    found = Model.of(tree).predict_table(table(x0=[-1.0, 3.0, 1e6]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.path.tolist()[:2] == ["node 1 > leaf 1 of 8001", "node 1 > node 2 > node 3 > leaf 3 of 8001"]
    assert found.path[2].endswith(" > leaf 8001 of 8001")
    assert peak < 20e6


def test_a_claimed_number_of_features_is_not_believed():
    model = Model.of(small_tree(n_features=2**31 - 1))
    assert model.predict_table(table(x0=[0.0], x2=[1.0])).prediction.tolist() == ["a"]
    assert model.column_names == ["x0", "x2"]


def test_a_single_leaf_needs_nothing():
    tree = small_tree(
        left=[-1], right=[-1], indptr=[0, 0], features=[], weights=[], bias=[0.0], labels=[2], values=[[1, 1, 2]],
        n_samples=[4], origin=[0],
    )  # fmt: skip
    found = Model.of(tree).predict_table(table(anything=["x", "y"]))
    assert found.prediction.tolist() == ["c", "c"]
    assert found.probability.tolist() == [0.5, 0.5]
    assert found.path.tolist() == ["leaf 1 of 1", "leaf 1 of 1"]
    assert np.isnan(found.margin).all()


@pytest.mark.parametrize(
    ("frame", "match"),
    [
        (table(length=[]), "The table has no rows to predict"),
        (table(width=[1.0]), "The table contains none of the columns"),
        (pandas.DataFrame([[1.0, 2.0]], columns=["length", "length"]), "The table has two columns named"),
    ],
)
def test_tables_that_cannot_be_predicted_are_refused_in_words(frame, match):
    with refused(DataError, match):
        small_model().predict_table(frame)


def test_regression_predicts_numbers():
    X = np.random.default_rng(0).normal(size=(200, 2))
    tree = TAORegressor(max_depth=3, lam=0.01, random_state=0).fit(X, X[:, 0]).tree_.with_names(("u", "v"))
    frame = pandas.DataFrame(X, columns=["u", "v"])
    found = Model.of(tree).predict_table(frame)
    assert found.prediction.tolist() == tree.predict(X).tolist()
    assert found.probability is None
    compared = prediction_figures(found, frame["u"])
    assert compared.n == 200
    assert compared.error == pytest.approx(np.sqrt(np.mean((tree.predict(X) - X[:, 0]) ** 2)))


def test_predictions_are_judged_by_what_is_known(monkeypatch):
    found = Model.of(small_tree(classes=[0, 1, 2])).predict_table(
        table(x0=[0.0, 3.0, 3.0, 0.0], x2=[0.0, 0.0, 5.0, None])
    )
    assert found.prediction.tolist() == [0, 2, 1, 0]
    compared = prediction_figures(found, pandas.Series([0.0, 1.0, 1.0, np.nan]))
    assert (compared.n, compared.error) == (3, 1 / 3)
    assert compared.names == ["0", "1", "2"]
    assert compared.confusion.tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    assert prediction_figures(found, pandas.Series(["yes", "no", "no", "no"])).n == 0
    assert prediction_figures(found, pandas.Series([0, 2, 7, 7])).unknown == ("7",)
    many = pandas.Series([0, *range(10_000, 10_003)])
    monkeypatch.setattr("treecore.tables.prediction_figures.MOST_UNKNOWN", 2)
    compared = prediction_figures(found, many)  # a table of all pairs of classes would be too large
    assert compared.unknown == ("10000", "others (2)")
    assert (compared.error, compared.confusion[-1].tolist()) == (3 / 4, [1, 1, 0, 0, 0])


def test_files_hold_no_formula_and_every_number_in_full():
    frame = table(
        **{"=name": ["=1+1", " @cmd", "-2.5e-3", "plain", None, "two\nlines"], "x": [0.1, -1e-17, 3, 4, 5, 6]}
    )
    lines = list(csv.reader(io.StringIO(frame_to_csv(frame))))
    assert lines[0] == ["'=name", "x"]
    assert [line[0] for line in lines[1:]] == ["'=1+1", "' @cmd", "-2.5e-3", "plain", "", "two\nlines"]
    assert [float(line[1]) for line in lines[1:3]] == [0.1, -1e-17]


@pytest.mark.parametrize("text", ["\ufeff=1", "\uff1d1", "\x00=1", "\u200b\t @cmd", "\uff0b1", "\uff0d1", "\uff20cmd"])
def test_formulas_behind_what_is_not_seen_are_harmless(text):
    assert harmless(text) == f"'{text}"
    assert harmless(f"a{text}") == f"a{text}"
    assert harmless("\ufeff") == "\ufeff"


def test_names_that_look_like_formulas_survive_a_spreadsheet():
    tree = small_tree(feature_names=("=a", "b", "@c"))
    model = Model.of(tree)
    frame = pandas.read_csv(io.StringIO(frame_to_csv(table(**{"=a": [3.0], "b": [0.0], "@c": [1.0]}))))
    assert list(frame.columns) == ["'=a", "b", "'@c"]
    assert model.predict_table(frame).prediction.tolist() == tree.predict([[3.0, 0.0, 1.0]]).tolist()
