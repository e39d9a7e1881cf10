"""Kernels over the rows of one partition, which are in their own order; an index sorts them by leaf.

`nodes` is the array of a `CodeTree`. Arrays are passed one by one and rows are not sliced, because numba counts
references to arrays in named tuples and to slices, which would take longer than the rest.
"""

import numpy as np

from treecore._jit import kernel
from treecore.data.bins import MISSING


@kernel
def _child(codes, i, node, nodes):
    code, cut = np.int32(codes[i, nodes[node, 2]]), nodes[node, 3]
    if code == MISSING:
        return nodes[node, 4]
    if cut < 0:  # categories
        word = code >> 4
        return nodes[node, (nodes[word // 5 - cut, word % 5] >> (code & 15)) & 1]
    return nodes[node, 1] if code >= cut else nodes[node, 0]


@kernel
def _leaf(codes, i, node, nodes):
    while nodes[node, 0] >= 0:
        node = _child(codes, i, node, nodes)
    return node


@kernel
def leaves(codes, nodes, out):
    """Write the leaf of every row into `out`, int32[n]."""
    for i in range(codes.shape[0]):
        out[i] = _leaf(codes, i, 0, nodes)


@kernel
def descend(codes, nodes, leaf):
    """Route every row on from its node in `leaf` (int32[n], overwritten), which may have got children."""
    for i in range(codes.shape[0]):
        leaf[i] = _leaf(codes, i, leaf[i], nodes)


@kernel
def sort_by_rank(leaf, rank, n_ranks, order):
    """Sort the rows by the rank of their leaf, keeping their order otherwise. Return the row edges, int64[n_ranks + 1].

    order : int32[n], written.
    """
    edges = np.zeros(n_ranks + 1, np.int64)
    for i in range(leaf.size):
        if leaf[i] >= 0:
            edges[rank[leaf[i]] + 1] += 1
    for r in range(n_ranks):
        edges[r + 1] += edges[r]
    place = edges.copy()
    for i in range(leaf.size):
        if leaf[i] >= 0:
            r = rank[leaf[i]]
            order[place[r]] = i
            place[r] += 1
    return edges


@kernel
def other_leaves(codes, nodes, order, children, starts, middles, stops, out):
    """Write the leaf that each row of some nodes would reach through the other child into `out`, int32[n].

    order : int32[n]; children : int32[p, 2], left and right child of each node; starts, middles, stops : ranges of
    `order`.
    """
    for p in range(starts.size):
        for t in range(starts[p], middles[p]):
            out[order[t]] = _leaf(codes, order[t], children[p, 1], nodes)
        for t in range(middles[p], stops[p]):
            out[order[t]] = _leaf(codes, order[t], children[p, 0], nodes)


@kernel
def pose(others, order, leaf, labels, y, weights, starts, middles, stops, squared, signed, sums):
    """Compute reduced problems, as `signed_losses` does, and the number of care points.

    others : int32[n], see `other_leaves`; order : int32[n]; leaf : int32[n], leaf of each row; labels : [m]; weights :
    float64[n], empty for 1; squared : whether the loss is the squared error; signed : [n], written, by row; sums :
    float64[p, 5], added.
    """
    for p in range(starts.size):
        total, positive, right, care = 0.0, 0.0, 0.0, 0
        for t in range(starts[p], stops[p]):
            i = order[t]
            is_right = t >= middles[p]
            other, taken = labels[others[i]], labels[leaf[i]]
            if squared:
                gain = (other - y[i]) * (other - y[i]) - (taken - y[i]) * (taken - y[i])
            else:
                gain = 1.0 * (other != y[i]) - 1.0 * (taken != y[i])
            weight = weights[i] if weights.size > 0 else 1.0
            gain *= weight if is_right else -weight
            signed[i] = gain
            care += gain != 0.0
            total += gain
            positive += max(gain, 0.0)
            if is_right:
                right += gain
        sums[p, 0] += total
        sums[p, 1] += positive
        sums[p, 2] += right
        sums[p, 3] += 2.0 * positive - total
        sums[p, 4] += care


@kernel
def add_signed_histograms(codes, order, signed, starts, stops, out):
    """Add the signed weight and the number of care points with each code to `out`, float64[nodes, d, codes, 2]."""
    for p in range(starts.size):
        histogram = out[p]
        for t in range(starts[p], stops[p]):
            i = order[t]
            gain = np.float64(signed[i])
            if gain == 0.0:
                continue
            for j in range(codes.shape[1]):
                code = codes[i, j]
                histogram[j, code, 0] += gain
                histogram[j, code, 1] += 1.0


@kernel
def move(codes, nodes, order, leaf, changed, children, starts, middles, stops):
    """Write the new leaves of the rows whose side of a node has changed. nodes : with the new splits."""
    for p in range(changed.size):
        for t in range(starts[p], stops[p]):
            i = order[t]
            child = _child(codes, i, changed[p], nodes)
            if (child == children[p, 1]) != (t >= middles[p]):
                leaf[i] = _leaf(codes, i, child, nodes)


@kernel
def add_class_values(leaf, y, weights, values, counts):
    """Add the weight of each class and the number of rows in each leaf. values : float64[m, k]; counts : int64[m]."""
    for i in range(leaf.size):
        values[leaf[i], y[i]] += weights[i] if weights.size > 0 else 1.0
        counts[leaf[i]] += 1


@kernel
def add_moments(leaf, y, weights, middle, values, counts):
    """Add (weight, sum, sum of squares) of the targets minus `middle` in each leaf to `values`, float64[m, 3]."""
    for i in range(leaf.size):
        weight = weights[i] if weights.size > 0 else 1.0
        deviation = y[i] - middle
        values[leaf[i], 0] += weight
        values[leaf[i], 1] += weight * deviation
        values[leaf[i], 2] += weight * deviation * deviation
        counts[leaf[i]] += 1


@kernel
def add_class_histograms(codes, order, y, weights, starts, stops, out):
    """Add the weight of each class with each code to `out`, float64[nodes, d, codes, k]."""
    for p in range(starts.size):
        histogram = out[p]
        for t in range(starts[p], stops[p]):
            i = order[t]
            weight = weights[i] if weights.size > 0 else 1.0
            c = y[i]
            for j in range(codes.shape[1]):
                histogram[j, codes[i, j], c] += weight


@kernel
def add_moment_histograms(codes, order, y, weights, middle, starts, stops, out):
    """Add the weight and the weighted sum of the targets minus `middle` to `out`, float64[nodes, d, codes, 2]."""
    for p in range(starts.size):
        histogram = out[p]
        for t in range(starts[p], stops[p]):
            i = order[t]
            weight = weights[i] if weights.size > 0 else 1.0
            amount = weight * (y[i] - middle)
            for j in range(codes.shape[1]):
                code = codes[i, j]
                histogram[j, code, 0] += weight
                histogram[j, code, 1] += amount
