"""The unit of the margins that people read. `marginUnit` of viz/stage/model/tree.js is its twin."""

import numpy as np

from treecore.tree.tree import Tree

MARGIN_WORDS = (
    "A margin says how far the row is from the split of a node, in standard deviations of what the node looks at (sd): "
    "at least 0 goes right."
)


def margin_units(tree: Tree, deviation: np.ndarray) -> np.ndarray:
    """float64[m] > 0: what `Tree.margins` of each node are divided by, so that euros can be compared with years.

    deviation : float64[d], standard deviation of each feature (`feature_deviation`). The quotient is the distance of a
    row from the split where each feature is measured in its standard deviations. 1 for leaves, and where nothing that
    a decision looks at varies.
    """
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr))
    with np.errstate(over="ignore", invalid="ignore"):
        sizes = np.abs(tree.weights * deviation[tree.features])
        largest = np.zeros(tree.n_nodes)
        np.maximum.at(largest, node_of, sizes)
        # squares of the parts only, so that none overflows
        parts = np.divide(sizes, largest[node_of], out=np.zeros(sizes.size), where=largest[node_of] > 0)
        units = largest * np.sqrt(np.bincount(node_of, parts**2, tree.n_nodes))
    return np.where(np.isfinite(units) & (units > 0), units, 1.0)
