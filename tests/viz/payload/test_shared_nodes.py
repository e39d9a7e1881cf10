"""Test that equal nodes are found, and that rows have the leaves of each tree on its own."""

import numpy as np
import pytest
import scipy.sparse

import sample_data
from treecore.baselines.cart import CARTClassifier
from treecore.training.estimators import ESTIMATORS
from treecore.training.recording import grow, record
from viz.payload import shared_nodes
from viz.payload.shared_nodes import SharedNodes, numbered


def grown(**settings):
    """Return (data set, trees of a greedy growth)."""
    data = sample_data.load("checkerboard")
    tree = CARTClassifier(cv=None, random_state=0, **settings).fit(data.X[::5], data.y[::5]).tree_
    return data, [step.tree for step in grow(tree).steps]


def trained(name, split):
    """Return (data set, trees of a recorded run with pruning)."""
    data = sample_data.load(name)
    model = ESTIMATORS[data.target.loss](split=split, lam=data.target.loss_unit, random_state=0, n_jobs=1)
    return data, [step.tree for step in record(model, data.X[::4], data.y[::4]).steps]


CASES = [grown, *(lambda name=name, split=split: trained(name, split) for name, split in (
    ("hill", "bivariate"), ("wine", "oblique"), ("moons", "univariate")))]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix])
@pytest.mark.parametrize(("many", "routed"), [(0, 3), (1, 3), (1, 1 << 13)])
def test_leaves_are_those_of_each_tree(case, form, many, routed, monkeypatch):
    monkeypatch.setattr(shared_nodes, "MANY", many)
    monkeypatch.setattr(shared_nodes, "ROUTED", routed)
    data, trees = case()
    nodes = SharedNodes(trees, form(data.X[:100]), data.target)
    for tree, which in zip(trees, nodes.which, strict=True):
        leaf = nodes.leaves[which]
        assert leaf.dtype == np.int32
        assert np.array_equal(leaf, tree.apply(data.X[:100]))


@pytest.mark.parametrize("case", CASES)
def test_nodes_share_their_content_exactly_if_it_is_equal(case):
    data, trees = case()
    X = data.X[::4]
    nodes = SharedNodes(trees, X, data.target)
    found, numbers = {}, []
    for tree in nodes.trees:
        rows = [set() for _ in range(tree.n_nodes)]
        for row in range(len(X)):
            for node in tree.path_of(X[row]):
                rows[node].add(row)
        for node in range(tree.n_nodes):
            split = [part.tobytes() for part in tree.split(node)[:2]], float(tree.bias[node])
            output = data.target.usual_outputs(tree)[node]
            key = repr((split, output, tree.origin[node], tree.left[node] < 0, sorted(rows[node])))
            numbers.append(found.setdefault(key, len(found)))
    assert nodes.content.tolist() == numbers
    assert len(found) < len(numbers)


def test_a_growth_adds_two_leaves_at_each_step():
    data, trees = grown()
    nodes = SharedNodes(trees, data.X, data.target)
    assert nodes.first.size == 1 + 3 * (len(trees) - 1)  # a split turns a leaf into a decision node, too


def test_a_tree_that_occurs_twice_is_compared_once():
    data, trees = grown(max_depth=2)
    nodes = SharedNodes([trees[0], trees[-1], trees[0]], data.X, data.target)
    assert nodes.which.tolist() == [0, 1, 0]
    assert len(nodes.trees) == len(nodes.leaves) == 2
    assert nodes.per_tree(nodes.content).size == 2 * trees[0].n_nodes + trees[-1].n_nodes


@pytest.mark.parametrize("whole", [True, False])
def test_counts_in_the_trees_are_not_shared(whole):
    data, trees = grown(max_depth=3)
    nodes = SharedNodes(trees, data.X if whole else data.X[:0], data.target, whole)
    assert nodes.content.tolist() == list(range(sum(tree.n_nodes for tree in trees)))


@pytest.mark.parametrize("batch", [1, 1 << 20])
def test_visits_are_the_rows_of_the_leaves(batch, monkeypatch):
    monkeypatch.setattr(shared_nodes, "BATCH", batch)
    data, trees = grown()
    nodes, part = SharedNodes(trees, data.X, data.target), np.array([7, 3, 3, 100])
    found = [{} for _ in part]
    for rows, contents in nodes.visits(part):
        for row, content in zip(rows.tolist(), contents.tolist(), strict=True):
            found[row][content] = found[row].get(content, 0) + 1
    for row, contents in zip(part, found, strict=True):
        expected = {nodes.content[nodes.start[t] + leaf[row]].item(): 1 for t, leaf in enumerate(nodes.leaves)}
        assert contents == expected


def test_codes_are_numbered_in_order_of_appearance():
    first, numbers = numbered(np.array([7, 7, 2, 9, 2, 7], np.uint64))
    assert (first.tolist(), numbers.tolist()) == ([0, 2, 3], [0, 0, 1, 2, 1, 0])
