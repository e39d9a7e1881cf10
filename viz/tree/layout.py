"""Positions of the nodes of a tree: a tidy layout (Reingold and Tilford 1981) that packs subtrees tightly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.tree.tree import Tree


class Layout(NamedTuple):
    """Positions of the nodes of one tree.

    x : float64[m], in slots. Neighbours on one level are at least 1 apart, and the smallest x is 0.5.
    depth : int32[m]
    room : float64[m], width in slots. Boxes of this width, centred at x, never overlap on a level and stay in [0,
        n_slots].
    n_slots : float, total width
    """

    x: np.ndarray
    depth: np.ndarray
    room: np.ndarray
    n_slots: float


class PathLayout(NamedTuple):
    """Positions of every node in the trees of a path, by origin.

    origin : int64[p], ascending
    x : float64[p], in slots
    depth : int32[p]
    parent : int32[p], index in these arrays, -1 for the root
    n_slots : float
    """

    origin: np.ndarray
    x: np.ndarray
    depth: np.ndarray
    parent: np.ndarray
    n_slots: float


def layout(tree: Tree) -> Layout:
    """Return the `Layout` of a Tree."""
    decisions = np.flatnonzero(tree.left >= 0)
    ranks = np.zeros(tree.n_nodes, np.int64)
    ranks[tree.right[decisions]] = 1
    x = tidy_places(tree.parents, ranks)
    n_slots = float(x.max()) + 0.5
    return Layout(x, tree.depths, free_room(x, tree.depths, n_slots), n_slots)


def path_layout(trees: Sequence[Tree]) -> PathLayout:
    """Return the `PathLayout` of some trees.

    The result is the layout of the largest tree, with space for the nodes of the other trees. A new node is placed
    below its parent, a new root below the root.
    """
    if len(trees) == 0:
        raise ParameterError("trees is empty: expected at least one tree.")
    different, position, children = {}, {}, []
    for tree in sorted(trees, key=lambda tree: -tree.n_nodes):
        different.setdefault(tree.origin.tobytes(), tree)  # the first tree, if trees with these ids differ in shape
    for tree in different.values():
        if not all(map(position.__contains__, tree.origin.tolist())):  # rare along a path
            _add_places(position, children, tree)
    parents, ranks = np.full(len(children), -1, np.int32), np.zeros(len(children), np.int64)
    for place, below in enumerate(children):
        parents[below] = place
        ranks[below] = np.arange(len(below))
    x, depth = tidy_places(parents, ranks), levels(parents)
    origin = np.array(list(position), np.int64)
    order = np.argsort(origin)
    place_of = np.empty(order.size, np.int32)
    place_of[order] = np.arange(order.size)
    parents = np.where(parents < 0, -1, place_of[parents])[order].astype(np.int32)
    return PathLayout(origin[order], x[order], depth[order], parents, float(x.max()) + 0.5)


def layout_in_path(tree: Tree, whole: PathLayout) -> Layout:
    """Return the `Layout` of one tree, with its nodes at their positions in a PathLayout."""
    places = np.searchsorted(whole.origin, tree.origin)
    x, depth = whole.x[places], whole.depth[places]
    return Layout(x, depth, free_room(x, depth, whole.n_slots), whole.n_slots)


def _add_places(position, children, tree):
    """Add new nodes.

    position : dict of origin to index
    children : list of the indices below each node
    """
    for node, origin in enumerate(tree.origin.tolist()):
        if origin in position:
            continue
        place = position[origin] = len(children)
        children.append([])
        if node:
            parent = tree.parents[node]
            is_right = tree.right[parent] == node
            sibling = position.get(int(tree.origin[tree.left[parent] if is_right else tree.right[parent]]))
            _insert(children[position[int(tree.origin[parent])]], place, sibling, is_right)
        elif place:
            children[0].append(place)


def _insert(row, place, sibling, is_right):
    """Insert `place` next to its sibling. Without a sibling, insert it at the left or right end of the row."""
    if sibling in row:
        row.insert(row.index(sibling) + bool(is_right), place)
    else:
        row.insert(len(row) if is_right else 0, place)


def levels(parents: np.ndarray) -> np.ndarray:
    """Return int32[m], the depth of each node.

    parents : int[m], -1 for the root, parents before their children
    """
    depth = np.zeros(len(parents), np.int32)
    for node, parent in enumerate(parents):
        if parent >= 0:
            depth[node] = depth[parent] + 1
    return depth


def tidy_places(parents: np.ndarray, ranks: np.ndarray, half: np.ndarray | None = None) -> np.ndarray:
    """Return float64[m], the x of each node of an n-ary tree, as in `Layout`.

    A parent is centred between its first and its last child.

    parents : int[m], -1 for the root (node 0), parents before their children
    ranks : int[m], order of the children of a node
    half : float64[m], half the number of slots that each node takes, None for half a slot each
    """
    half = np.full(len(parents), 0.5) if half is None else half
    parents, sizes = np.asarray(parents).tolist(), half.tolist()  # lists, because most outlines have few levels
    children = [[] for _ in parents]
    for node in np.argsort(ranks, kind="stable").tolist():
        if parents[node] >= 0:
            children[parents[node]].append(node)
    x = [0.0] * len(parents)
    outlines = [None] * len(parents)
    for node in range(len(parents) - 1, -1, -1):
        below = [outlines[child] for child in children[node]]
        offsets = _side_by_side(below)
        outlines[node] = _join(below, offsets, sizes[node])
        for child, offset in zip(children[node], offsets, strict=True):
            x[child], outlines[child] = offset, None
    for node, parent in enumerate(parents):
        if parent >= 0:
            x[node] += x[parent]
    x = np.array(x)
    return x - (x - half).min()


# An outline is (low, high), lists of floats: the left and right end of each level of a subtree with its root at 0.


def _side_by_side(outlines):
    """Return the roots of k subtrees around their parent at 0, without overlaps on any level, as a list of floats."""
    if not outlines:
        return []
    places = _pack(outlines)
    if len(outlines) > 2:
        # The mean of packing to the left and packing to the right keeps the gaps that each pair needs.
        mirrored = _pack([([-x for x in high], [-x for x in low]) for low, high in reversed(outlines)])
        last = places[-1]
        places = [(place + last - other) / 2 for place, other in zip(places, reversed(mirrored), strict=True)]
    middle = (places[0] + places[-1]) / 2
    return [place - middle for place in places]


def _pack(outlines):
    """Return the positions of k roots: the first at 0, the others as far left as possible."""
    places, reached = [], []
    for low, high in outlines:
        place = max(end - start for end, start in zip(reached, low, strict=False)) if reached else 0.0
        reached[: len(high)] = [end + place for end in high]
        places.append(place)
    return places


def _join(outlines, offsets, half):
    """Return the outline of a node, which takes `half` a slot on both sides, above subtrees at `offsets`."""
    lowest, highest = [], []
    for (low, high), offset in zip(outlines, offsets, strict=True):
        for ends, own, best in ((lowest, low, min), (highest, high, max)):
            moved = [end + offset for end in own]
            ends[: len(own)] = [*map(best, ends, moved), *moved[len(ends) :]]
    return [-half, *lowest], [half, *highest]


def free_room(x: np.ndarray, depth: np.ndarray, n_slots: float, half: np.ndarray | None = None) -> np.ndarray:
    """Return float64[m], the maximum width of each node up to its neighbours on the level and to the borders.

    half : as in `tidy_places`; neighbours divide the space between them in this proportion
    """
    order = np.lexsort((x, depth))
    x, depth = x[order], depth[order]
    half = np.full(x.size, 0.5) if half is None else half[order]
    units = np.where(np.diff(depth) == 0, np.diff(x), np.inf) / (half[:-1] + half[1:])
    least = np.minimum(np.append(np.inf, units), np.append(units, np.inf))
    room = np.empty(x.size)
    room[order] = 2 * np.minimum(np.minimum(x, n_slots - x), half * least)
    return room
