"""Route rows through all trees of a path."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.tree import Tree


def path_leaves(trees: Sequence[Tree], X: np.ndarray) -> list[np.ndarray]:
    """Return the leaf of each row in every tree. A Tree that occurs several times is used once."""
    found = {}
    for tree in trees:
        if id(tree) not in found:
            found[id(tree)] = tree.apply(X)
    return [found[id(tree)] for tree in trees]
