"""Test initial trees: complete random trees with halving splits, and scikit-learn's CART."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from sklearn.tree import DecisionTreeClassifier

from tests import naive
from tests.refusals import refused
from tests.strategies import datasets
from treecore import ParameterError
from treecore.data.training_data import TrainingData
from treecore.initial import INITIAL_TREES, initial_tree


def grow(init, X, y, depth=None, weights=None, seed=0):
    data = TrainingData(X, y, int(max(y)) + 1, weights)
    return initial_tree(init, data, depth, np.random.RandomState(seed))


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_random_tree_is_complete_and_halves_the_points(rng, depth):
    X, y = rng.standard_normal((96, 40)), rng.integers(0, 3, 96)
    tree = grow("random", X, y, depth)
    assert tree.n_leaves == 2**depth
    assert sorted(tree.origin) == list(range(2 ** (depth + 1) - 1))
    visits = naive.visits(tree.routing(), X)
    for node in np.flatnonzero(tree.left >= 0):
        left, right = len(visits[tree.left[node]]), len(visits[tree.right[node]])
        assert abs(left - right) <= 1
        assert tree.origin[tree.left[node]] == 2 * tree.origin[node] + 1
        assert tree.origin[tree.right[node]] == 2 * tree.origin[node] + 2
    for node in range(tree.n_nodes):
        counts = np.bincount(y[visits[node]], minlength=3)
        assert counts[tree.labels[node]] == counts.max()


def test_random_tree_has_depth_8_by_default(rng):
    X, y = rng.standard_normal((600, 4)), rng.integers(0, 2, 600)
    assert grow("random", X, y).depth.max() == 8


@pytest.mark.parametrize("init", INITIAL_TREES)
def test_every_initial_tree_keeps_its_depth_and_is_repeatable(rng, init):
    X, y = rng.standard_normal((80, 3)), rng.integers(0, 3, 80)
    one, two, other = (grow(init, X, y, 3, seed=seed) for seed in (5, 5, 6))
    assert one.depth.max() <= 3
    for a, b in zip(one.routing(), two.routing(), strict=True):
        assert np.array_equal(a, b)
    if init == "random":
        assert not np.array_equal(one.routing().weights, other.routing().weights)


@pytest.mark.parametrize("init", INITIAL_TREES)
@settings(max_examples=20)
@given(dataset=datasets())
def test_whole_weights_equal_repeated_rows(init, dataset):
    X, y, weights = dataset
    times = weights.astype(int)
    one = grow(init, X, y, 2, weights)
    two = grow(init, np.repeat(X, times, axis=0), np.repeat(y, times), 2)
    assert one.n_nodes == two.n_nodes
    assert naive.leaves(one.routing(), X).tolist() == naive.leaves(two.routing(), X).tolist()


@pytest.mark.parametrize("sparse", [False, True])
def test_cart_routes_as_scikit_learn_does(bundled, sparse):
    X, y = bundled("wine")
    X = X.astype(np.float32)  # scikit-learn compares float32 with its thresholds
    tree = grow("cart", scipy.sparse.csr_matrix(X) if sparse else X, y, 4)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    oracle = DecisionTreeClassifier(max_depth=4, random_state=seed).fit(X, y)
    assert naive.leaves(tree.routing(), X.astype(float)).tolist() == oracle.apply(X).tolist()
    assert tree.labels[naive.leaves(tree.routing(), X)].tolist() == oracle.predict(X).tolist()


def test_thresholds_of_cart_are_midpoints():
    X, y = np.array([[0.1], [0.3]]), [0, 1]
    tree = grow("cart", X, y)
    assert tree.splits[0].bias == -0.2
    assert naive.leaves(tree.routing(), [[np.nextafter(0.2, 0)], [0.2]]).tolist() == [1, 2]


def test_without_depth_cart_separates_every_training_point(bundled):
    X, y = bundled("iris")
    X, rows = np.unique(X, axis=0, return_index=True)
    tree = grow("cart", X, y[rows])
    assert (tree.labels[naive.leaves(tree.routing(), X)] == y[rows]).all()


@pytest.mark.parametrize("init", INITIAL_TREES)
def test_constant_features_give_one_leaf(init):
    assert grow(init, np.ones((6, 2)), np.arange(6) % 2).n_nodes == 1


def test_unknown_names_are_refused_with_the_known_ones():
    with refused(ParameterError, "init='oak': expected one of …, or a Tree"):
        grow("oak", np.eye(2), [0, 1])
