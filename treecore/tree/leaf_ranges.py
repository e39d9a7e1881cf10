"""The leaves from left to right, so that those below a node are a range."""

import numpy as np

from treecore.tree.tree import Tree


def leaf_ranges(tree: Tree) -> tuple:
    """(first, count), int64[m] each: the leaves below node i are ``count[i]`` from place ``first[i]`` on.

    The place of a leaf is its own `first`.
    """
    left, right, parents = tree.left.tolist(), tree.right.tolist(), tree.parents.tolist()
    count = np.where(tree.left < 0, 1, 0).tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        count[parents[node]] += count[node]
    first = [0] * tree.n_nodes
    for node, child in enumerate(left):
        if child >= 0:
            first[child], first[right[node]] = first[node], first[node] + count[child]
    return np.array(first, np.int64), np.array(count, np.int64)
