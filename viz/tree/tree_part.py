"""Select the nodes of a tree to draw: all nodes, a subtree, one decision path, or the top levels."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.tree.tree import Tree
from viz.tree.layout import Layout, free_room, levels, tidy_places


class TreePart(NamedTuple):
    """Nodes to draw.

    nodes : int64[k], the top node first, parents before their children
    parents : int64[k], indices in these arrays, -1 at the top
    is_right : bool[k], whether a node is a right child
    closed : {index of a collapsed subtree: two lines for its stub, or None to show its number of rows}
    """

    nodes: np.ndarray
    parents: np.ndarray
    is_right: np.ndarray
    closed: dict


def subtree(tree: Tree, root: int = 0) -> TreePart:
    """Return the `TreePart` with a node and its subtree."""
    return _open_part(tree, root, lambda child: True)


def way_to(tree: Tree, node: int, root: int = 0) -> TreePart:
    """Return the `TreePart` of the nodes from `root` to `node`, with the other subtrees collapsed.

    Raise ParameterError if the node is not below the root.
    """
    on_way, here = {node}, node
    while here != root:
        here = int(tree.parents[here])
        if here < 0:
            raise ParameterError(
                f"leaf={node}: this node is not below node {root}. Use a node in the subtree of node {root}."
            )
        on_way.add(here)
    return _open_part(tree, root, lambda child: child in on_way, inner_only=node)


def page_parts(tree: Tree, root: int, most_leaves: int, most_levels: int) -> list:
    """Divide a subtree into parts, one for each page, as a list of `TreePart` that starts at `root`.

    Each part has at most `most_leaves` leaves and stubs, on at most `most_levels` levels. The top node of each later
    part is a stub of an earlier part, and the parts are in the order of these stubs.
    """
    wide, high = np.ones(tree.n_nodes, np.int64), np.ones(tree.n_nodes, np.int64)
    tops = {root}
    for node in np.flatnonzero(tree.left >= 0)[::-1]:
        both = [int(tree.left[node]), int(tree.right[node])]
        width = {child: int(wide[child]) for child in both}
        height = {child: int(high[child]) for child in both}
        while sum(width.values()) > most_leaves or 1 + max(height.values()) > most_levels:
            size = width if sum(width.values()) > most_leaves else height
            cut = max(both, key=lambda child: (size[child], width[child]))
            tops.add(cut)
            width[cut] = height[cut] = 1
        wide[node], high[node] = sum(width.values()), 1 + max(height.values())
    queue, parts = deque([root]), []
    while queue:
        part = _open_part(tree, queue.popleft(), lambda child: child not in tops)
        parts.append(part)
        queue.extend(int(part.nodes[place]) for place in sorted(part.closed, key=lambda place: _turns(part, place)))
    return parts


def _turns(part, place):
    """Return the turns on the path from the top of the part. The turns order nodes from left to right."""
    turns = []
    while place:
        turns.append(bool(part.is_right[place]))
        place = int(part.parents[place])
    return turns[::-1]


def _open_part(tree, root, is_open, inner_only=None):
    """Return the part that shows the children of open decision nodes. Other decision nodes become stubs."""
    nodes, parents, is_right, closed = [root], [-1], [False], {}
    stack = [] if tree.left[root] < 0 or root == inner_only else [0]
    while stack:
        place = stack.pop()
        node = nodes[place]
        for side, child in enumerate((int(tree.left[node]), int(tree.right[node]))):
            nodes.append(child)
            parents.append(place)
            is_right.append(bool(side))
            if tree.left[child] < 0 or child == inner_only:
                continue
            if is_open(child):
                stack.append(len(nodes) - 1)
            else:
                closed[len(nodes) - 1] = (stub_words(tree, child), None)
    return TreePart(np.array(nodes), np.array(parents), np.array(is_right), closed)


def stub_words(tree: Tree, node: int) -> str:
    """Return the size of a subtree as text: "9 leaves"."""
    leaves, stack = 0, [node]
    while stack:
        here = stack.pop()
        if tree.left[here] < 0:
            leaves += 1
        else:
            stack += [tree.left[here], tree.right[here]]
    return f"{leaves} leaves"


def part_layout(part: TreePart, half: np.ndarray | None = None) -> Layout:
    """Return the `Layout` of the nodes of a part.

    half : float64[k], half the number of slots that each node takes, None for half a slot each
    """
    half = np.full(len(part.nodes), 0.5) if half is None else half
    x, depth = tidy_places(part.parents, part.is_right.astype(np.int64), half), levels(part.parents)
    n_slots = float((x + half).max())
    return Layout(x, depth, free_room(x, depth, n_slots, half), n_slots)


def part_places(part: TreePart, places: Layout) -> Layout:
    """Return the `Layout` of the nodes in a part, taken from the `Layout` of the whole tree."""
    return places._replace(x=places.x[part.nodes], depth=places.depth[part.nodes], room=places.room[part.nodes])


def check_node(tree: Tree, node: int, name: str) -> int:
    """Return the node as an int. Raise ParameterError if the tree does not have it."""
    if not isinstance(node, (int, np.integer)) or isinstance(node, bool) or not 0 <= node < tree.n_nodes:
        raise ParameterError(f"{name}={literal(node)}: expected a node number from 0 to {tree.n_nodes - 1}.")
    return int(node)
