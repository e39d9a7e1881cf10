"""Places of the nodes of a tree. Every leaf has a slot of its own; a node sits in the middle of its leaves' slots."""

from typing import NamedTuple

import numpy as np


class Layout(NamedTuple):
    """x : float64[m], in slots; width : int64[m], slots below the node; depth : int32[m]; n_slots : int."""

    x: np.ndarray
    width: np.ndarray
    depth: np.ndarray
    n_slots: int


def layout(tree):
    """`Layout` of a Tree. Slots below different nodes of one level never overlap."""
    width = np.ones(tree.n_nodes, np.int64)
    decisions = np.flatnonzero(tree.left >= 0)
    for node in decisions[::-1]:
        width[node] = width[tree.left[node]] + width[tree.right[node]]
    first = np.zeros(tree.n_nodes, np.int64)
    for node in decisions:
        first[tree.left[node]] = first[node]
        first[tree.right[node]] = first[node] + width[tree.left[node]]
    return Layout(first + width / 2, width, tree.depths, int(width[0]))
