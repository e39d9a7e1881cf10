"""Test permutation importance against permuting whole columns and predicting again."""

import tracemalloc

import numpy as np
import pytest

from tests.refusals import refused
from tests.strategies import small_tree
from tests.treecore.export.export_examples import random_tree
from treecore import CARTClassifier, CARTRegressor, DataError, ParameterError
from treecore.explain.explanation import feature_usage
from treecore.explain.permutation_importance import permutation_importance


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_increases_are_those_of_predicting_permuted_columns(bundled, kind):
    X, y = bundled("wine")
    y = y if kind is CARTClassifier else X[:, 0] * 2
    model = kind(random_state=0).fit(X, y)
    groups = [range(2, 5)]
    found = permutation_importance(model.tree_, X, y, groups, n_repeats=3, random_state=7)

    def loss(rows):
        predicted = model.predict(rows)
        return np.mean(predicted != y) if kind is CARTClassifier else np.mean((predicted - y) ** 2)

    assert found.loss == pytest.approx(loss(X))
    rng = np.random.default_rng(7)
    for repeat in range(3):
        order = rng.permutation(len(X))
        for number, features in enumerate(found.columns):
            moved = X.copy()
            moved[:, list(features)] = X[np.ix_(order, list(features))]
            assert found.increases[number, repeat] == pytest.approx(loss(moved) - loss(X), abs=1e-12)
    usage = feature_usage(model.tree_)
    single = [number for number, features in enumerate(found.columns) if len(features) == 1]
    assert found.columns[2] == (2, 3, 4)
    assert [found.n_nodes[n] for n in single] == [usage[found.columns[n][0]] for n in single]
    assert (found.increases[found.n_nodes == 0] == 0).all()
    assert found.mean.max() > 0
    assert found.deviation.max() > 0


def test_missing_values_travel_with_their_rows():
    tree = small_tree(missing_right=[True, False, False, False, False])
    X = np.array([[np.nan, 0.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 9.0]])
    found = permutation_importance(tree, X, tree.predict(X), n_repeats=20)
    assert found.loss == 0
    assert found.mean[0] > 0
    assert found.mean[1] == 0


def test_a_single_leaf_needs_nothing():
    X, y = np.zeros((6, 2)), np.array(["a"] * 6)
    tree = CARTClassifier().fit(np.arange(12.0).reshape(6, 2), y).tree_
    found = permutation_importance(tree, X, y)
    assert (found.increases == 0).all()
    assert found.n_nodes.tolist() == [0, 0]


def test_a_large_tree_needs_little_room():
    rng = np.random.default_rng(0)
    n = 3000
    tree = random_tree(rng, n, most_terms=2)
    X = rng.standard_normal((200, tree.n_features))
    tracemalloc.start()
    found = permutation_importance(tree, X, tree.predict(X), n_repeats=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.mean.max() > 0
    assert peak < 20e6  # pairs of nodes would take 290 MB


def test_bad_input_is_named():
    tree = small_tree()
    with refused(DataError, "y has shape …, but there are … rows"):
        permutation_importance(tree, np.zeros((2, 3)), ["a"])
    with refused(DataError, "X has 2 features, but the tree was trained on"):
        permutation_importance(tree, np.zeros((2, 2)), ["a", "b"])
    with refused(DataError, "groups contains …: expected different features in [0, …)"):
        permutation_importance(tree, np.zeros((1, 3)), ["a"], groups=[range(2), range(1, 3)])
    with refused(ParameterError, "n_repeats=…: expected a whole number >="):
        permutation_importance(tree, np.zeros((1, 3)), ["a"], n_repeats=0)
