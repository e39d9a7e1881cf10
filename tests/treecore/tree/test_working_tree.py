"""Test the arrays that kernels get from working trees, and the statistics of trees."""

import numpy as np
import pytest

from tests.strategies import small_tree
from treecore.data.losses import SquaredLoss, ZeroOneLoss
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree


def test_kernels_get_arrays_that_may_be_written_to():
    """The arrays of a tree are read-only. For these, numba would compile every kernel again, 5 s in each worker."""
    tree = small_tree()
    assert not tree.left.flags.writeable
    found = WorkingTree.from_tree(tree, lambda *_: 0.0)
    assert all(array.flags.writeable for array in found.routing())


def grown(rng, n_decisions):
    """Return a random WorkingTree that splits the unit interval at random points."""
    left, right, splits = [-1], [-1], [None]
    for _ in range(n_decisions):
        node = rng.choice([i for i, child in enumerate(left) if child < 0])
        left[node], right[node] = len(left), len(left) + 1
        splits[node] = Split(np.zeros(1, np.int32), np.ones(1), -rng.random(), 1.0)
        left, right, splits = [*left, -1, -1], [*right, -1, -1], [*splits, None, None]
    return WorkingTree(left, right, splits, np.zeros(len(left), int), np.arange(len(left)))


def merged(is_squared, a, b):
    """Return the values of the union of two sets of points, with numpy."""
    if not is_squared:
        return a + b
    weight = a[0] + b[0]
    share = b[0] / np.where(weight > 0, weight, 1.0)
    variance = (1 - share) * a[2] + share * b[2] + share * (1 - share) * (b[1] - a[1]) ** 2
    return np.array([weight, a[1] + share * (b[1] - a[1]), variance])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("loss", [ZeroOneLoss(3), SquaredLoss()])
def test_statistics_of_a_tree_are_those_of_the_points_below_each_node(loss, seed):
    rng = np.random.default_rng(seed)
    working, n = grown(rng, 30), 40  # more leaves than the points reach
    leaf = rng.choice(np.flatnonzero(working.left < 0)[::3], n)
    y = rng.normal(size=n) if loss.is_squared else rng.integers(0, 3, n)
    weights, samples = rng.random(n) + 0.5, np.bincount(leaf, minlength=working.n_nodes)
    values = loss.leaf_values(leaf, y, weights, working.n_nodes)
    in_nodes = loss.node_values(working.left, working.right, leaf, y, weights)
    tree = working.to_tree(loss, in_nodes, samples, np.arange(0 if loss.is_squared else 3), 1)

    expected, counts = values.copy(), samples.copy()
    for node in working.decisions[::-1].tolist():
        a, b = working.left[node], working.right[node]
        expected[node], counts[node] = merged(loss.is_squared, expected[a], expected[b]), counts[a] + counts[b]
    for node in working.decisions.tolist():
        for child in (working.left[node], working.right[node]):
            if counts[child] == 0:
                expected[child] = expected[node]
    assert (counts == 0).any()
    assert np.array_equal(tree.values, expected)
    assert np.array_equal(tree.n_samples, counts)
