"""Test nodes with named values, tables, graphs and dicts of trees, and everyday questions in one line each."""

import json
import pickle
import sys
from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pandas
import pytest
from hypothesis import given
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore
import viz
from tests.each import each
from tests.refusals import refused
from tests.strategies import small_tree, trees
from treecore import CARTClassifier, DataError, Node, TAOClassifier, TAORegressor, from_sklearn

X, Y = load_iris(return_X_y=True, as_frame=True)
NAMES = Y.map(dict(enumerate(("setosa", "versicolor", "virginica"))))
MODEL = CARTClassifier(random_state=0).fit(X, NAMES)
TREE = MODEL.tree_

QUESTIONS = {
    "threshold of a node": (lambda: round(TREE[0].threshold, 6), 0.8),
    "rule of a leaf": (lambda: TREE[3].rule, "0.8 <= petal width (cm) < 1.75"),
    "frame of nodes": (lambda: TREE.to_frame().query("left.isna()").n.tolist(), [50, 54, 46]),
    "path of a row": (lambda: TREE.path_of(X.iloc[60]).tolist(), [0, 2, 3]),
    "leaves by size": (
        lambda: [leaf.number for leaf in sorted(TREE, key=lambda node: -node.n) if leaf.is_leaf],
        [3, 1, 4],
    ),
    "importances": (lambda: MODEL.feature_importances_.round(2).tolist(), [0, 0, 0, 1]),
    "depth": (lambda: TREE.depth, 2),
    "classes of a leaf": (lambda: TREE[4].counts, {"setosa": 0, "versicolor": 1, "virginica": 45}),
    "rows of a leaf": (lambda: np.flatnonzero(TREE.apply(X) == 1).tolist(), list(range(50))),
    "figure": (lambda: viz.figure(TREE)[:5], b"<?xml"),
}


@each("question", QUESTIONS)
def test_an_everyday_question_has_an_answer_in_one_line(question):
    asked, answer = QUESTIONS[question]
    assert asked() == answer


def test_nodes_are_those_of_the_arrays():
    for tree in (TREE, small_tree(), small_tree(feature_names=("a", "b", "c"))):
        nodes = list(tree)
        assert len(nodes) == len(tree) == tree.n_nodes
        for i, node in enumerate(nodes):
            features, weights, bias = tree.split(i)
            assert tree[i] == node == tree[i - len(tree)]
            assert (node.number, node.is_leaf, node.depth) == (i, tree.is_leaf(i), tree.depths[i])
            assert node.features == tuple(map(tree.feature_name, features))
            assert (node.weights, node.bias) == (tuple(weights), bias)
            assert [node.left, node.right] == [None if child < 0 else child for child in (tree.left[i], tree.right[i])]
            assert node.parent == (tree.parents[i] if i else None)
            assert (node.n, node.origin, node.value) == (tree.n_samples[i], tree.origin[i], tree.predictions[i])
            assert list(node.counts.values()) == tree.values[i].tolist()


@each("place", [5, -6, 99])
def test_a_node_that_does_not_exist_is_named(place):
    with pytest.raises(IndexError, match=rf"The tree has no node {place}. Its nodes are 0 to 4."):
        small_tree()[place]


@each("place", ["a", 1.0, slice(2), None])
def test_only_numbers_are_places(place):
    with pytest.raises(TypeError):
        small_tree()[place]


@given(trees())
def test_thresholds_separate_the_sides(tree):
    for node in tree:
        if node.threshold is None:
            continue  # of a leaf, of several features, or of a split that sends all numbers to one side
        x = np.zeros((3, tree.n_features))
        feature = int(tree.split(node.number)[0][0])
        with np.errstate(all="ignore"):
            x[:, feature] = np.nextafter(node.threshold, -np.inf), node.threshold, np.nextafter(node.threshold, np.inf)
            sides = tree.margins(np.nan_to_num(x), node.number) >= 0
        assert np.isfinite(node.threshold)
        assert len(set(sides.tolist())) == 2 or not np.isfinite(x).all()


def test_impurities_and_values_are_scikit_learns():
    numbers, target = load_diabetes(return_X_y=True)
    for theirs in (
        DecisionTreeClassifier(max_depth=4, random_state=0).fit(X.to_numpy(), Y),
        DecisionTreeRegressor(max_depth=4, random_state=0).fit(numbers, target),
    ):
        tree = from_sklearn(theirs)
        np.testing.assert_allclose([node.impurity for node in tree], theirs.tree_.impurity, atol=1e-9)
        assert [node.n for node in tree] == theirs.tree_.n_node_samples.tolist()


def test_rules_of_leaves_are_those_of_the_rule_set():
    for model in (MODEL, TAOClassifier("bivariate", 1.0, init="cart", random_state=0).fit(X, NAMES)):
        found = {rule.leaf: rule.condition_text for rule in treecore.rules(model.tree_)}
        assert {node.number: node.rule for node in model.tree_ if node.is_leaf} == found


def test_a_linear_leaf_has_no_single_value():
    model = TAOClassifier(lam=0.5, init="random", max_depth=1, max_iter=3, random_state=0, leaf="linear").fit(X, NAMES)
    assert [node.value for node in model.tree_] == [None] * len(model.tree_)
    numbers, target = load_diabetes(return_X_y=True)
    single = (
        TAORegressor(lam=1e12, init="random", max_depth=1, max_iter=1, random_state=0, leaf="linear")
        .fit(numbers, target)
        .tree_
    )
    assert [node.value for node in single if node.is_leaf] == pytest.approx([target.mean()] * single.n_leaves, rel=0.2)


def test_a_frame_has_a_row_for_each_node():
    frame = TREE.to_frame()
    assert frame.index.tolist() == list(range(len(TREE)))
    for name in ("depth", "n", "impurity", "value", "rule"):
        assert frame[name].tolist() == [getattr(node, name) for node in TREE]
    assert frame.parent.isna().tolist() == [True, False, False, False, False]
    assert frame[[f"count of {name}" for name in TREE.classes]].to_numpy().tolist() == TREE.values.tolist()
    numbers, target = load_diabetes(return_X_y=True)
    frame = TAORegressor("univariate", init="cart", max_depth=2, random_state=0).fit(numbers, target).tree_.to_frame()
    assert not [name for name in frame if name.startswith("count of")]


def test_a_frame_of_rules_has_their_figures_as_numbers():
    found = treecore.rules(TREE, X, NAMES)
    frame = found.to_frame()
    assert frame.index.tolist() == [rule.leaf for rule in found]
    assert frame.rule.tolist() == [rule.condition_text for rule in found]
    assert frame.value.tolist() == ["setosa", "versicolor", "virginica"]
    assert frame.rows.tolist() == [rule.n_rows for rule in found]
    assert frame.confidence.tolist() == pytest.approx([rule.confidence for rule in found])
    assert frame["count of virginica"].tolist() == [0, 5, 45]


def test_a_dict_is_json():
    for tree in (TREE, small_tree()):
        found = tree.to_dict()
        assert json.loads(json.dumps(found)) == found
        assert [node["rule"] for node in found["nodes"]] == [node.rule for node in tree]
    assert {one.name for one in fields(Node)} - {"texts"} <= found["nodes"][0].keys()


class Graph:
    """Part of networkx.DiGraph that `to_networkx` uses."""

    def __init__(self):
        self.nodes, self.edges = {}, {}

    def add_node(self, node, **values):
        self.nodes[node] = values

    def add_edge(self, node, child, **values):
        self.edges[node, child] = values


def test_a_graph_has_the_nodes_and_conditions(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", SimpleNamespace(DiGraph=Graph))
    graph = TREE.to_networkx()
    assert [values["n"] for values in graph.nodes.values()] == [node.n for node in TREE]
    assert list(graph.edges) == [(0, 1), (0, 2), (2, 3), (2, 4)]
    assert graph.edges[0, 2] == {"condition": "petal width (cm) >= 0.8", "right": True}


def test_a_graph_without_networkx_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with refused(DataError, "networkx, which is not installed. Run pip install networkx"):
        TREE.to_networkx()


def test_nodes_can_be_pickled_and_shown():
    assert pickle.loads(pickle.dumps(TREE[3])) == TREE[3]
    assert [repr(node) for node in TREE][:2] == [
        "<Node 0: petal width (cm) < 0.8, 150 rows>",
        "<Leaf 1: setosa, 50 rows>",
    ]


def test_trees_are_sequences_that_other_code_takes_as_one_value():
    assert TREE
    assert viz.show(TREE).text.startswith("Decision tree with 3 leaves")
    grid = pandas.Series([TREE, small_tree()], dtype=object)
    assert grid[0] is TREE
    with refused(treecore.ParameterError, "inits=…: expected a list"):
        treecore.TAOClassifierCV(inits=TREE).fit(X, NAMES)


def test_a_split_of_missing_values_says_so_and_has_no_threshold():
    rng = np.random.default_rng(1)
    x = np.where(rng.random(400) < 0.4, np.nan, rng.normal(size=400))
    model = TAOClassifier("univariate", missing="learn").fit(x[:, None], np.isnan(x).astype(int))
    assert {node.rule for node in model.tree_ if node.is_leaf} == {"x0 is known", "x0 is missing"}
    assert model.tree_[0].threshold is None


@pytest.mark.parametrize("start", [20_240_100.0, 1_700_000_000.0, 1e6])
def test_texts_keep_the_whole_digits_of_a_limit(start):
    X = start + np.arange(40.0)[:, None]
    tree = TAOClassifier("univariate", 1.0).fit(X, np.arange(40) >= 17).tree_
    for text in (tree[1].rule, treecore.rules(tree)[0].condition_text, str(tree).partition(":")[0]):
        limit = float(text.split()[-1])
        assert start + 16 < limit < start + 17 or limit == start + 17, text


def test_nodes_are_members_of_sets():
    assert len({*TREE, *TREE}) == TREE.n_nodes


def test_invalid_arguments_are_refused_in_words():
    for n_jobs in ("a", 0, 1.5):
        for function in (TREE.predict, TREE.predict_proba, TREE.apply):
            with refused(treecore.ParameterError, "n_jobs="):
                function(X.iloc[:2], n_jobs=n_jobs)
    with refused(DataError, "x has 2 rows, but explain supports one row"):
        treecore.explain(MODEL, X.iloc[:2])
    with refused(treecore.ParameterError, "precision='x': expected a whole number >= 1, 'enough' or None"):
        treecore.rules(MODEL, precision="x")
