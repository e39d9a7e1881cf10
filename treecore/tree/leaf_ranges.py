"""The leaves from left to right, so that those below a node are a range."""

import numpy as np

from treecore.tree.tree import Tree


def leaf_ranges(tree: Tree) -> tuple:
    """(first, count), int64[m] each: the leaves below node i are ``count[i]`` from place ``first[i]`` on.

    The place of a leaf is its own `first`.
    """
    count = np.where(tree.left < 0, 1, 0)
    for node in range(tree.n_nodes - 1, 0, -1):
        count[tree.parents[node]] += count[node]
    first = np.zeros(tree.n_nodes, np.int64)
    for node in np.flatnonzero(tree.left >= 0):
        first[tree.left[node]] = first[node]
        first[tree.right[node]] = first[node] + count[tree.left[node]]
    return first, count
