"""Exact best threshold over all features for signed points: shared by the solvers of the true 0/1 loss."""

import numpy as np

from treecore._jit import kernel
from treecore.split import Split

# Two losses closer than this share of the total weight are a tie.
TIE = 1e-10


@kernel
def _scan_bytes(column, points, signed, sums, counts):
    """Best cut of a uint8 column: (score, low value, high value) for "right iff x >= cut" and for "x < cut"."""
    sums[:] = 0.0
    counts[:] = 0
    for i in range(points.size):
        value = int(column[points[i]])
        sums[value] += signed[i]
        counts[value] += 1
    total = 0.0
    for value in range(256):
        total += sums[value]
    above, best_above, best_below = total, -np.inf, -np.inf
    cut_above = cut_below = (0.0, 0.0)
    last = -1
    for value in range(256):
        if counts[value] == 0:
            continue
        if last >= 0:
            if above > best_above:
                best_above, cut_above = above, (float(last), float(value))
            if total - above > best_below:
                best_below, cut_below = total - above, (float(last), float(value))
        above -= sums[value]
        last = value
    return best_above, cut_above, best_below, cut_below


@kernel
def scan_sorted(column, points, signed, values):
    """Best cut of any column, by sorting: (score, (low, high)) for "right iff x >= cut", then for "x < cut"."""
    for i in range(points.size):
        values[i] = column[points[i]]
    order = np.argsort(values[: points.size], kind="mergesort")
    total = 0.0
    for i in range(points.size):
        total += signed[i]
    above, best_above, best_below = total, -np.inf, -np.inf
    cut_above = cut_below = (0.0, 0.0)
    for i in range(1, points.size):
        above -= signed[order[i - 1]]
        low, high = values[order[i - 1]], values[order[i]]
        if low < high:
            if above > best_above:
                best_above, cut_above = above, (float(low), float(high))
            if total - above > best_below:
                best_below, cut_below = total - above, (float(low), float(high))
    return best_above, cut_above, best_below, cut_below


@kernel
def best_threshold(columns, points, signed, usable, tie):
    """(score, feature, low, high, goes right above?) of the best threshold; score = signed weight sent right."""
    sums = np.empty(256)
    counts = np.empty(256, np.int64)
    values = np.empty(points.size)
    best, best_feature, best_above, best_cut = -np.inf, -1, True, (0.0, 0.0)
    for j in range(columns.shape[0]):
        if not usable[j]:
            continue
        if columns.itemsize == 1:
            above, cut_above, below, cut_below = _scan_bytes(columns[j], points, signed, sums, counts)
        else:
            above, cut_above, below, cut_below = scan_sorted(columns[j], points, signed, values)
        if above > best + tie:
            best, best_feature, best_above, best_cut = above, j, True, cut_above
        if below > best + tie:
            best, best_feature, best_above, best_cut = below, j, False, cut_below
    return best, best_feature, best_cut[0], best_cut[1], best_above


def threshold_split(feature, low, high, above):
    """`Split` between two neighbouring values of a feature; `above`: whether the larger ones go right."""
    middle = low + (high - low) / 2
    if middle in (low, high):  # neighbouring floats: x >= t needs the upper one, x <= t the lower
        middle = high if above else low
    sign = 1.0 if above else -1.0
    return Split(np.array([feature], np.int32), np.array([sign]), -sign * middle, 1.0)
