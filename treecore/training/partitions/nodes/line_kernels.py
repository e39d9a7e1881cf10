"""Kernels that choose care points and evaluate lines on the rows of one partition. See `row_kernels`."""

import numpy as np

from treecore._jit import kernel
from treecore.training.partitions.value_kernels import HEAD

BLOCK = 512  # care points that are projected together, so that one histogram stays in the cache


@kernel
def _share(seed, i):
    """Return a number from 0 to 1 that is fixed for a row and looks random."""
    x = np.uint64(seed) + (np.uint64(i) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.float64((x ^ (x >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


@kernel
def pick_care_points(order, signed, starts, stops, shares, seed, edges, points):
    """Write a fixed share of the care points of each node into `points` (int32[n]), in the order of the part.

    edges : int64[nodes + 1], written, range of each node.
    """
    n = 0
    for p in range(starts.size):
        edges[p] = n
        first = n
        for t in range(starts[p], stops[p]):
            i = order[t]
            if signed[i] != 0.0 and (shares[p] >= 1.0 or _share(seed, i) < shares[p]):
                points[n] = i
                n += 1
        points[first:n].sort()
    edges[starts.size] = n


@kernel
def add_projections(values, order, signed, starts, stops, features, weights, lows, inverses, out):
    """Add the gains of the care points in bins of their projections on some directions.

    features, weights : [nodes, q, 2], directions; lows, inverses : float64[nodes, q], start and inverse width of the
    bins; out : float64[nodes, q, bins + 3], added: below the first bin, the bins, above the last bin, missing.
    """
    n_bins = out.shape[2]
    missing, top = n_bins - 1, n_bins - 2.0
    points, gains = np.empty(BLOCK, np.int32), np.empty(BLOCK)
    for p in range(starts.size):
        histograms, t = out[p].ravel(), starts[p]
        while t < stops[p]:
            n = 0
            while t < stops[p] and n < BLOCK:
                points[n], gains[n] = order[t], signed[order[t]]
                n += gains[n] != 0.0
                t += 1
            for q in range(lows.shape[1]):
                first, second = np.uint64(features[p, q, 0]), np.uint64(features[p, q, 1])
                a, b = weights[p, q, 0] * inverses[p, q], weights[p, q, 1] * inverses[p, q]
                c, own = 1.0 - lows[p, q] * inverses[p, q], q * n_bins
                for k in range(n):
                    i = np.uint64(points[k])
                    place = a * np.float64(values[i, first]) + b * np.float64(values[i, second]) + c
                    if np.isnan(place):
                        histograms[own + missing] += gains[k]
                        continue
                    place = place if place > 0.0 else 0.0
                    place = place if place < top else top
                    histograms[own + np.int64(place)] += gains[k]


@kernel
def add_scores(values, order, signed, starts, stops, trial, out):
    """Add the exact score of one split for each node to `out`, float64[nodes, 3].

    The columns are the gains of the present values that go right, of the missing values, and the number of care points
    with present values that go right minus the number that go left.

    trial : float64[nodes, ...], splits in the form of `split_rows`.
    """
    for p in range(starts.size):
        for t in range(starts[p], stops[p]):
            i = order[t]
            gain = np.float64(signed[i])
            if gain == 0.0:
                continue
            margin = trial[p, 2]
            for k in range(HEAD, HEAD + 2 * np.int64(trial[p, 4]), 2):
                margin += trial[p, k + 1] * np.float64(values[i, np.int64(trial[p, k])])
            if np.isnan(margin):
                out[p, 1] += gain
            elif margin >= 0.0:
                out[p, 0] += gain
                out[p, 2] += 1.0
            else:
                out[p, 2] -= 1.0
