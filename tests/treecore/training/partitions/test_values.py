"""Test the storage of feature values and their routing."""

import numpy as np
import pytest

from treecore import TAOClassifier
from treecore.training.partitions import value_kernels
from treecore.training.partitions.partitioned_run import fit_source
from treecore.training.partitions.shards import LocalExecutor
from treecore.training.partitions.sources.row_source import ArraySource
from treecore.training.partitions.values import HEAD, ValueTree, compact, split_rows
from treecore.tree.split import Split, constant_split
from treecore.tree.working_tree import WorkingTree


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_values_stay_exact(dtype):
    X = (np.random.default_rng(0).random((50, 3)) * 200).astype(dtype)
    kept = compact(X)
    assert np.array_equal(kept, X)
    assert kept.dtype == (np.float64 if dtype == np.float64 else np.float32)


def test_rows_reach_the_leaves_of_their_values():
    line = Split(np.array([0, 2], np.int32), np.array([1.0, -2.0]), 0.5, 1.25, missing_right=True)
    tree = WorkingTree([1, -1, 3, -1, -1], [2, -1, 4, -1, -1], [line, None, constant_split(True), None, None],
                       np.zeros(5, np.int32), np.arange(5))  # fmt: skip
    X = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)
    X[:20, 2] = np.nan
    X[20:40, 1] = np.nan  # no split uses this feature
    leaf = np.empty(200, np.int32)
    value_kernels.leaves(X, ValueTree(tree).nodes(), leaf)
    margin = 0.5 + X[:, 0].astype(float) - 2.0 * X[:, 2]
    assert np.array_equal(leaf, np.where((margin >= 0) | np.isnan(margin), 4, 1))


def test_trees_are_the_same_with_values_in_files():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 3))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    start = TAOClassifier(split="univariate", init="cart", max_depth=2, max_iter=0).fit(X, y).tree_
    trees = []
    for executor in (LocalExecutor(1), LocalExecutor(1, memory=0)):
        model = TAOClassifier(split="bivariate", init=start, lam=3.0, max_iter=2, random_state=0)
        trees.append(fit_source(model, ArraySource(X, y, size=300), executor).tree_)
    assert trees[0] == trees[1]


def test_splits_keep_their_weights():
    row = split_rows([Split(np.array([3, 7], np.int32), np.array([0.1, -4.0]), 2.0, 1.0), None])[0]
    assert row[2:].tolist() == [2.0, 0.0, 2.0, 3.0, 0.1, 7.0, -4.0]
    assert row.size == HEAD + 4
