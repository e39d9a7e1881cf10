"""Hierarchical shrinkage: leaves of few rows predict more of what is known above them."""

from dataclasses import replace

import numpy as np

from treecore.tree.tree import Tree


def shrunk(tree: Tree, amount: float, kept: np.ndarray) -> Tree:
    """Regression tree whose leaves predict, instead of their mean, a sum over the way from the root: of each step the
    difference of the means divided by ``1 + amount / weight of the rows above`` (Agarwal et al. 2022, eq. 1).

    amount : float >= 0, 0 for the same tree; kept : origin ids of leaves that are left as they are. Values of leaves
    hold the mean squared error about the new prediction in the place of the variance.
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
