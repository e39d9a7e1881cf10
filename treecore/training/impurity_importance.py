"""Impurity importance: the decrease of the impurity of the training points by the splits on each feature."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.linear_leaves import require_constant
from treecore.tree.tree import Tree


def impurity_importance(
    tree: Tree, columns: Sequence[Sequence[int]] | None = None, widths: np.ndarray | None = None
) -> np.ndarray:
    """Return float64[columns]: share of each column in the decrease of impurity, all 0 for a single leaf.

    The decrease is weight times Gini impurity, or squared errors, of the training points, as ``feature_importances_``
    of scikit-learn. For a split on several features it is divided in proportion to their absolute weights. columns :
    ranges of features that are reported together, None for each feature by itself; widths : float64[d], standard
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
