"""Hierarchical shrinkage: the means of leaves with few rows are shrunk towards those of their ancestors."""

from dataclasses import replace

import numpy as np

from treecore.tree.tree import Tree


def shrunk(tree: Tree, amount: float, kept: np.ndarray) -> Tree:
    """Return the regression tree with shrunk leaf means (Agarwal et al. 2022, Eq. 1).

    The prediction of a leaf is the root mean plus a sum over its decision path. Each step adds the difference between
    the child's and the parent's mean, divided by ``1 + amount / weight of the parent``. amount : float >= 0, 0 returns
    the same tree; kept : origin ids of leaves to keep unchanged. The `values` of leaves then contain the mean squared
    error of the new prediction instead of the variance.
    """
    if amount == 0:
        return tree
    weight, mean = tree.values[:, 0], tree.values[:, 1]
    predicted = mean.copy()
    for node in np.flatnonzero(tree.left >= 0):  # parents precede their children
        for child in (tree.left[node], tree.right[node]):
            predicted[child] = predicted[node] + (mean[child] - mean[node]) / (1.0 + amount / weight[node])
    free = (tree.left < 0) & ~np.isin(tree.origin, kept)
    values, labels = tree.target.labelled(tree.values.copy(), predicted, free)
    return replace(tree, values=values, labels=labels)
