"""Kernels for boundary trees, whose nodes are training examples (Mathy et al. 2015, algorithms 1 and 2).

A tree consists of four int32 arrays with one entry per node, the root first: `rows` (row of X that the node stores),
`first_child` and `next_sibling` (-1 for none) and `n_children`. Siblings are in the order in which they were added.
"""

import numpy as np

from treecore._jit import kernel, sum_kernel


@sum_kernel
def squared_distance(a, b):
    """Return the squared Euclidean distance of two points as float64.

    It is exact for uint8 points with at most `MOST_BYTES` values.
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


MOST_BYTES = (2**31 - 1) // 255**2  # largest number of uint8 values whose squared distance fits into 32 bits


@kernel
def nearest_node(X, rows, first_child, next_sibling, n_children, max_children, point):
    """Return the node at which a point stops and its squared distance. No child of that node is nearer.

    At a node with `max_children` children, the point always continues to the nearest child. In a tie, a node precedes
    its children, and an earlier child precedes a later one.
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
    """Grow a tree on the rows of X in the order `order`. Fill its four arrays and return the number of nodes.

    The first row is the root. Every other row moves down until it stops at a node. If the classes of the row and the
    node differ, the row becomes a child of the node.
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
    """Write the result of `nearest_node` for each row of `points` into `nodes` int32[n] and `distances` float64[n]."""
    for i in range(points.shape[0]):
        node, squared = nearest_node(X, rows, first_child, next_sibling, n_children, max_children, points[i])
        nodes[i] = node
        distances[i] = np.sqrt(squared)
