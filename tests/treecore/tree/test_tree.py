"""Test the class `Tree`: structure, validation of arrays, immutability, metrics and predictions."""

from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.each import each
from tests.refusals import refused
from tests.strategies import CORRUPTIONS, MODEST, rows, small_tree, trees
from treecore import DataError, Tree, TreeFormatError


def test_figures_of_a_small_tree():
    tree = small_tree()
    assert (tree.n_nodes, tree.n_decision, tree.n_leaves, tree.depth) == (5, 2, 3, 2)
    assert tree.features_per_node == 1.5
    assert tree.depths.tolist() == [0, 1, 1, 2, 2]
    assert tree.parents.tolist() == [-1, 0, 0, 2, 2]
    assert [tree.is_leaf(i) for i in range(5)] == [False, True, False, True, True]
    assert tree.feature_name(2) == "x2"
    assert tree.with_names(["r", "s", "t"]).feature_name(2) == "t"
    features, weights, bias = tree.split(2)
    assert (features.tolist(), weights.tolist(), bias) == ([0, 2], [1.0, -1.0], 0.0)


def test_a_point_on_the_line_goes_right():
    tree = small_tree()
    X = np.array([[1.5, 0, 1.5], [np.nextafter(1.5, 0), 0, 0], [2, 0, 2], [2, 0, 3]])
    assert tree.apply(X).tolist() == [4, 1, 4, 3]
    assert tree.predict(X).tolist() == ["c", "a", "c", "b"]


def test_predict_proba_is_the_share_of_classes_in_the_leaf():
    tree = small_tree(values=[[4, 3, 2], [3, 1, 0], [0, 3, 2], [0, 3, 0], [0, 0, 2]])
    assert tree.predict_proba([[0, 0, 0], [2, 0, 9]]).tolist() == [[0.75, 0.25, 0], [0, 1, 0]]


def test_the_path_of_a_single_point():
    tree = small_tree()
    with refused(DataError, "row has 2 rows, but path_of supports one row. Use decision_path"):
        tree.path_of([[0, 0, 0], [1, 1, 1]])
    with refused(DataError, "Use X.reshape(1, -1) for one row"):
        tree.decision_path([2, 0, 3])
    assert tree.path_of([2, 0, 3]).tolist() == [0, 2, 3]
    assert tree.path_of([[0, 0, 0]]).tolist() == [0, 1]
    assert tree.path_of(scipy.sparse.csr_matrix([[2.0, 0, 0]])).tolist() == [0, 2, 4]


def test_a_single_leaf_is_a_tree():
    tree = Tree([-1], [-1], [0, 0], [], [], [0], [0], [[3.0]], [3], [0], ["only"], 2)
    assert (tree.depth, tree.n_decision, tree.features_per_node) == (0, 0, 0.0)
    assert tree.predict([[1, 2], [3, 4]]).tolist() == ["only", "only"]
    assert tree.path_of([1, 2]).tolist() == [0]


def test_arrays_are_read_only_and_not_shared_with_the_caller():
    left = np.array([1, -1, -1], np.int32)
    tree = Tree(left, [2, -1, -1], [0, 1, 1, 1], [0], [1.0], [0.0, 0, 0], [0, 0, 1], [[1, 1], [1, 0], [0, 1]],
                [2, 1, 1], [0, 1, 2], [0, 1], 1)  # fmt: skip
    left[0] = 2
    assert tree.left[0] == 1
    for field in fields(tree):
        value = getattr(tree, field.name)
        if isinstance(value, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                value[...] = value
    with pytest.raises(FrozenInstanceError):
        tree.n_features = 7


def test_equality_sees_every_field():
    tree = small_tree(feature_names=("r", "s", "t"))
    others = {
        "weights": [1.0, 1.0, np.nextafter(-1, 0)], "bias": [-1.5, 0, 1e-300, 0, 0], "labels": [0, 0, 1, 2, 2],
        "values": np.add(tree.values, 1), "n_samples": [9, 4, 5, 2, 3], "origin": [0, 1, 2, 5, 7],
        "classes": ["a", "b", "d"], "features": [1, 0, 2], "feature_names": None,
    }  # fmt: skip
    assert tree == small_tree(feature_names=["r", "s", "t"])
    assert tree != "tree"
    for name, value in others.items():
        assert tree != replace(tree, **{name: value}), name


@each("name", CORRUPTIONS)
def test_arrays_that_are_no_tree_are_refused(name):
    with pytest.raises(TreeFormatError, match=r"\w+ \w+"):
        small_tree(**CORRUPTIONS[name])


@given(st.data(), trees(), st.sampled_from(["extreme", "modest"]))
def test_routing_equals_the_slow_reference(data, tree, kind):
    extremes = st.sampled_from([0.0, -0.0, 1e308, -1e308, 5e-324, 1.0])
    X = data.draw(rows(tree.n_features, extremes if kind == "extreme" else MODEST))
    wanted = naive.leaves(tree, X)
    assert tree.apply(X).tolist() == wanted.tolist()
    assert tree.apply(scipy.sparse.csr_matrix(X)).tolist() == wanted.tolist()
    assert tree.predict(X).tolist() == [tree.classes.tolist()[tree.labels[leaf]] for leaf in wanted]
    paths = tree.decision_path(X)
    assert paths.shape == (len(X), tree.n_nodes)
    for row, x in enumerate(X):
        assert sorted(paths[[row]].indices.tolist()) == naive.path(tree, x)
        assert tree.path_of(x).tolist() == naive.path(tree, x)
    assert {x.tobytes() for x in tree.predict_proba(X)} == {
        (tree.values[leaf] / tree.values[leaf].sum()).tobytes() for leaf in wanted
    }


@given(st.data(), trees(MODEST))
def test_margins_equal_the_slow_reference_and_name_the_side(data, tree):
    X = data.draw(rows(tree.n_features))
    for node in np.flatnonzero(tree.left >= 0):
        wanted = [naive.margin(tree, node, x) for x in X]
        assert tree.margins(X, node).tolist() == wanted
        assert tree.margins(scipy.sparse.csr_matrix(X), node).tolist() == wanted


def test_a_tree_that_takes_missing_values_is_another_one():
    tree = small_tree()
    other = replace(tree, missing_right=np.zeros(tree.n_nodes, np.bool_))
    assert tree != other
    assert other != tree
    assert other == replace(other)
