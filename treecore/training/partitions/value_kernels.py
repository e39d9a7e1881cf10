"""Kernels that route the values of rows, for splits on several features. See `row_kernels`, which routes codes.

`nodes` is the array of a `ValueTree`. One function for codes and values would be slower for both.
"""

import numpy as np

from treecore._jit import kernel

HEAD = 5  # numbers before the features of a node


@kernel
def _child(values, i, node, nodes):
    margin = nodes[node, 2]
    for k in range(HEAD, HEAD + 2 * np.int64(nodes[node, 4]), 2):
        margin += nodes[node, k + 1] * np.float64(values[i, np.int64(nodes[node, k])])
    goes_right = margin >= 0.0 or (np.isnan(margin) and nodes[node, 3] > 0.0)
    return np.int32(nodes[node, np.int64(goes_right)])


@kernel
def _leaf(values, i, node, nodes):
    while nodes[node, 0] >= 0.0:
        node = _child(values, i, node, nodes)
    return node


@kernel
def leaves(values, nodes, out):
    """Write the leaf of every row into `out`, int32[n]."""
    for i in range(values.shape[0]):
        out[i] = _leaf(values, i, np.int32(0), nodes)


@kernel
def other_leaves(values, nodes, order, children, starts, middles, stops, out):
    """Write the leaf that each row of some nodes would reach through the other child into `out`, int32[n].

    order : int32[n]; children : int32[p, 2], left and right child of each node; starts, middles, stops : ranges of
    `order`.
    """
    for p in range(starts.size):
        for t in range(starts[p], middles[p]):
            out[order[t]] = _leaf(values, order[t], children[p, 1], nodes)
        for t in range(middles[p], stops[p]):
            out[order[t]] = _leaf(values, order[t], children[p, 0], nodes)


@kernel
def move(values, nodes, order, leaf, changed, children, starts, middles, stops):
    """Write the new leaves of the rows whose side of a node has changed. nodes : with the new splits."""
    for p in range(changed.size):
        for t in range(starts[p], stops[p]):
            i = order[t]
            child = _child(values, i, changed[p], nodes)
            if (child == children[p, 1]) != (t >= middles[p]):
                leaf[i] = _leaf(values, i, child, nodes)
