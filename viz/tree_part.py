"""Which nodes of a tree are drawn: all, a subtree, one path, or the top with the rest cut off."""

from collections import deque
from typing import NamedTuple

import numpy as np

from treecore.errors import ParameterError
from viz.layout import Layout, free_room, levels, tidy_places


class TreePart(NamedTuple):
    """Nodes that are drawn. nodes : int64[k], the first is the top, parents before their children; parents : int64[k],
    places in these arrays, -1 at the top; is_right : bool[k]; closed : dict of a place to the words in the stub that
    stands there for a whole subtree."""

    nodes: np.ndarray
    parents: np.ndarray
    is_right: np.ndarray
    closed: dict


def subtree(tree, root=0):
    """`TreePart` of a node and all below it."""
    return _opened(tree, root, lambda node, parent: True)


def way_to(tree, node, root=0):
    """`TreePart` of the nodes from `root` to `node`; subtrees beside the way are closed.

    Raises ParameterError when the node is not below the root.
    """
    on_way, here = {node}, node
    while here != root:
        here = int(tree.parents[here])
        if here < 0:
            raise ParameterError(f"leaf={node}: this node is not below node {root}. Use a node of that subtree.")
        on_way.add(here)
    return _opened(tree, root, lambda child, parent: child in on_way, inner_only=node)


def top_part(tree, root, most_leaves, most_levels):
    """`TreePart` below `root`, opened level by level while it has room; what does not fit is closed."""
    opened, n_ends, queue = {root}, 2, deque([(root, 1)])
    while queue:
        node, depth = queue.popleft()
        children = [int(child) for child in (tree.left[node], tree.right[node]) if child >= 0]
        for child in sorted(children, key=lambda child: -tree.n_samples[child]):
            if tree.left[child] >= 0 and depth + 1 < most_levels and n_ends < most_leaves:
                opened.add(child)
                n_ends += 1
                queue.append((child, depth + 1))
    return _opened(tree, root, lambda child, parent: child in opened)


def _opened(tree, root, is_open, inner_only=None):
    """The children of open decision nodes are shown; a decision that is not open is a stub."""
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
            if is_open(child, node):
                stack.append(len(nodes) - 1)
            else:
                closed[len(nodes) - 1] = _stub_words(tree, child)
    return TreePart(np.array(nodes), np.array(parents), np.array(is_right), closed)


def _stub_words(tree, node):
    leaves, stack = 0, [node]
    while stack:
        here = stack.pop()
        if tree.left[here] < 0:
            leaves += 1
        else:
            stack += [tree.left[here], tree.right[here]]
    return f"{leaves} leaves"


def part_layout(part):
    """`Layout` of the nodes of a part."""
    x, depth = tidy_places(part.parents, part.is_right.astype(np.int64)), levels(part.parents)
    n_slots = float(x.max()) + 0.5
    return Layout(x, depth, free_room(x, depth, n_slots), n_slots)


def part_places(part, places):
    """`Layout` of the nodes of a part, from that of all nodes of the tree."""
    return places._replace(x=places.x[part.nodes], depth=places.depth[part.nodes], room=places.room[part.nodes])


def check_node(tree, node, name):
    """The node as an int. Raises ParameterError unless `node` is one of the tree."""
    if not isinstance(node, (int, np.integer)) or isinstance(node, bool) or not 0 <= node < tree.n_nodes:
        raise ParameterError(f"{name}={node!r}: use the number of a node of the tree, 0 to {tree.n_nodes - 1}.")
    return int(node)
