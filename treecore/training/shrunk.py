"""Hierarchical shrinkage: means of leaves with few rows are shrunk towards those of their ancestors."""

from dataclasses import replace

import numpy as np

from treecore.tree.tree import Tree


def shrunk(tree: Tree, amount: float, kept: np.ndarray) -> Tree:
    """Return the regression tree with shrunk means of the leaves (Agarwal et al. 2022, eq. 1).

    A leaf predicts the sum over its decision path of the difference of the means of each step, divided by ``1 + amount
    / weight of the rows above``. amount : float >= 0, 0 for the same tree; kept : origin ids of leaves that are
    unchanged. Values of leaves hold the mean squared error of the new prediction instead of the variance.
    """
    if amount == 0:
        return tree
    weight, mean = tree.values[:, 0], tree.values[:, 1]
    predicted = mean.copy()
    for node in np.flatnonzero(tree.left >= 0):  # parents come first
        for child in (tree.left[node], tree.right[node]):
            predicted[child] = predicted[node] + (mean[child] - mean[node]) / (1.0 + amount / weight[node])
    free = (tree.left < 0) & ~np.isin(tree.origin, kept)
    values, labels = tree.target.labelled(tree.values.copy(), predicted, free)
    return replace(tree, values=values, labels=labels)
