"""Test that pruning gives smaller trees with the same predictions on the training points."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.strategies import MODEST, rows, small_tree, trees
from treecore import TAOClassifier
from treecore.training.prune import prune


@st.composite
def trained(draw):
    """Draw (tree, X) such that the statistics and majority labels of the tree are those of the rows X."""
    tree = draw(trees(MODEST))
    X = draw(rows(tree.n_features))
    k = tree.classes.size
    y = np.array(draw(st.lists(st.integers(0, k - 1), min_size=len(X), max_size=len(X))))
    visits = naive.visits(tree, X)
    values = np.array([np.bincount(y[points], minlength=k) if points else np.zeros(k) for points in visits], float)
    labels = np.where(values.sum(axis=1) > 0, values.argmax(axis=1), tree.labels)
    for node in range(1, tree.n_nodes):  # as in training, a node without points takes its parent's counts
        if not visits[node]:
            values[node] = values[tree.parents[node]]
    return replace(tree, values=values, labels=labels, n_samples=[len(points) for points in visits]), X


@given(trained())
def test_predictions_on_training_points_stay(case):
    tree, X = case
    pruned = prune(tree)
    assert pruned.predict(X).tolist() == tree.predict(X).tolist()
    assert pruned.n_nodes <= tree.n_nodes
    assert set(pruned.origin.tolist()) <= set(tree.origin.tolist())
    if pruned.n_nodes > 1:
        assert (pruned.n_samples > 0).all()
        for node in np.flatnonzero(pruned.left >= 0):
            assert np.count_nonzero(pruned.values[node]) > 1  # the leaf is not pure
            assert np.unique(pruned.predict(X[naive.visits(pruned, X)[node]])).size > 1


@given(trained())
def test_pruning_is_idempotent_and_keeps_node_records(case):
    tree, _ = case
    pruned = prune(tree)
    assert prune(pruned) is pruned
    old = {int(origin): node for node, origin in enumerate(tree.origin)}
    for node, origin in enumerate(pruned.origin):
        was = old[int(origin)]
        assert pruned.values[node].tolist() == tree.values[was].tolist()
        assert pruned.n_samples[node] == tree.n_samples[was]
        if not pruned.is_leaf(node):
            assert pruned.split(node)[1].tolist() == tree.split(was)[1].tolist()
            assert pruned.bias[node] == tree.bias[was]


@given(trained(), st.data())
def test_kept_nodes_and_their_ancestors_survive(case, data):
    tree, X = case
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    pruned = prune(tree, keep=[tree.origin[node]])
    assert pruned.predict(X).tolist() == tree.predict(X).tolist()
    ancestors = [node]
    while ancestors[-1] > 0:
        ancestors.append(int(tree.parents[ancestors[-1]]))
    assert set(tree.origin[ancestors].tolist()) <= set(pruned.origin.tolist())
    position = pruned.origin.tolist().index(tree.origin[node])
    assert pruned.is_leaf(position) == tree.is_leaf(node)


def test_a_dead_branch_gives_way_to_its_sibling():
    tree = small_tree(values=[[0, 3, 2], [0, 3, 2], [0, 3, 2], [0, 3, 0], [0, 0, 2]], n_samples=[5, 0, 5, 3, 2])
    pruned = prune(tree)
    assert pruned.origin.tolist() == [2, 5, 6]
    assert pruned.features.tolist() == [0, 2]


def test_a_pure_subtree_becomes_a_leaf():
    tree = small_tree(values=[[4, 5, 0], [4, 0, 0], [0, 5, 0], [0, 3, 0], [0, 2, 0]], labels=[1, 0, 1, 1, 1])
    assert prune(tree).origin.tolist() == [0, 1, 2]


def test_leaves_of_one_label_become_one_leaf_though_their_counts_are_mixed():
    tree = small_tree(values=[[4, 4, 1], [4, 0, 0], [0, 4, 1], [0, 2, 1], [0, 2, 0]], labels=[0, 0, 1, 1, 1])
    pruned = prune(tree)
    assert pruned.origin.tolist() == [0, 1, 2]
    assert pruned.values[2].tolist() == [0, 4, 1]


def test_a_tree_that_needs_every_node_is_returned_as_it_is():
    tree = small_tree()
    assert prune(tree) is tree


@pytest.mark.parametrize("split", ["oblique", "univariate"])
def test_a_fitted_tree_has_no_dead_and_no_pure_nodes(bundled, split):
    X, y = bundled("iris")
    tree = TAOClassifier(split=split, lam=0.5, random_state=0).fit(X, y).tree_
    assert prune(tree) is tree
    assert (tree.n_samples > 0).all()
