"""Kernels of boundary trees: trees whose nodes are training examples (Mathy et al. 2015, algorithms 1 and 2).

A tree is four arrays over its nodes, the root first: `rows` int32, row of X that the node stores; `first_child` and
`next_sibling` int32, -1 for none; `n_children` int32. Children are in the order in which they were added.
"""

import numpy as np

from treecore._jit import kernel, sum_kernel


@sum_kernel
def squared_distance(a, b):
    """Return the squared Euclidean distance of two points, exact for uint8 with at most `MOST_BYTES` values.

    float64.
    """
    if a.itemsize == 1 and b.itemsize == 1:
        whole = np.int32(0)
        for j in range(a.size):
            gap = np.int32(a[j]) - np.int32(b[j])
            whole = np.int32(whole + gap * gap)
        return np.float64(whole)
    total = 0.0
    for j in range(a.size):
        difference = np.float64(a[j]) - np.float64(b[j])
        total += difference * difference
    return total


MOST_BYTES = (2**31 - 1) // 255**2  # values of uint8 whose squared distance fits into 32 bits


@kernel
def nearest_node(X, rows, first_child, next_sibling, n_children, max_children, point):
    """Return (node, squared distance) at which a point stops: no child is nearer than the node itself.

    At a node with `max_children` children the point always continues, to the nearest of them. Of a tie, the first one
    is selected, a node before its children.
    """
    node = 0
    distance = squared_distance(X[rows[0]], point)
    while True:
        best, least = node, distance
        if n_children[node] >= max_children:
            least = np.inf
        child = first_child[node]
        while child >= 0:
            from_child = squared_distance(X[rows[child]], point)
            if from_child < least:
                best, least = child, from_child
            child = next_sibling[child]
        if best == node:
            return node, distance
        node, distance = best, least


@kernel
def grow_boundary_tree(X, y, order, max_children, rows, first_child, next_sibling, n_children):
    """Grow the tree on the rows `order` of X one after another; fill its four arrays and return the number of nodes.

    A row becomes a child of the node at which it stops if their classes y differ; the first row is the root.
    """
    n = order.size
    last_child = np.full(n, -1, np.int32)
    rows[0] = order[0]
    first_child[0] = next_sibling[0] = -1
    n_children[0] = 0
    size = 1
    for place in range(1, n):
        row = order[place]
        parent, _ = nearest_node(X, rows, first_child, next_sibling, n_children, max_children, X[row])
        if y[rows[parent]] == y[row]:
            continue
        rows[size] = row
        first_child[size] = next_sibling[size] = -1
        n_children[size] = 0
        if n_children[parent] == 0:
            first_child[parent] = size
        else:
            next_sibling[last_child[parent]] = size
        last_child[parent] = size
        n_children[parent] += 1
        size += 1
    return size


@kernel
def nearest_nodes(X, rows, first_child, next_sibling, n_children, max_children, points, nodes, distances):
    """Fill `nodes` int32[n] and `distances` float64[n] with what `nearest_node` finds for each row of `points`."""
    for i in range(points.shape[0]):
        node, squared = nearest_node(X, rows, first_child, next_sibling, n_children, max_children, points[i])
        nodes[i] = node
        distances[i] = np.sqrt(squared)
