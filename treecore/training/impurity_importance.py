"""Impurity importance: the decrease in training impurity by the splits on each feature."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.linear_leaves import require_constant
from treecore.tree.tree import Tree


def impurity_importance(
    tree: Tree, columns: Sequence[Sequence[int]] | None = None, widths: np.ndarray | None = None
) -> np.ndarray:
    """Return each column's share of the decrease in impurity, float64[columns], all 0 for a single leaf.

    As in ``feature_importances_`` of scikit-learn, the impurity is the weight times the Gini impurity, or the sum of
    squared errors. The decrease by a split on several features is divided in proportion to their absolute weights.
    columns : ranges of features that form a column, None if each feature is a column; widths : float64[d], standard
    deviation of each feature, by which its weights are multiplied (None: 1).
    """
    require_constant(tree, "importances")
    gains = np.zeros(tree.n_nodes)
    inner = np.flatnonzero(tree.left >= 0)
    impurities = tree.target.impurities(tree.values)
    gains[inner] = np.maximum(impurities[inner] - impurities[tree.left[inner]] - impurities[tree.right[inner]], 0.0)
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr))
    sizes = np.abs(tree.weights) * (1.0 if widths is None else widths[tree.features])
    totals = np.bincount(node_of, sizes, tree.n_nodes)[node_of]
    shares = gains[node_of] * np.divide(sizes, totals, out=np.zeros(sizes.size), where=totals > 0)
    found = np.bincount(tree.features, shares, tree.n_features)
    if columns is not None:
        found = np.array([found[list(column)].sum() for column in columns])
    return found / found.sum() if found.sum() > 0 else found
