"""Exact univariate node: best single threshold for the weighted 0/1 loss (file 000, section 3; 003, section 2.1)."""

import numpy as np

from treecore._jit import kernel
from treecore.errors import DataError
from treecore.split import Split, constant_split

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
def _scan_sorted(column, points, signed, values):
    """The same for any column, by sorting."""
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
def _best_threshold(columns, points, signed, usable, tie):
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
            above, cut_above, below, cut_below = _scan_sorted(columns[j], points, signed, values)
        if above > best + tie:
            best, best_feature, best_above, best_cut = above, j, True, cut_above
        if below > best + tie:
            best, best_feature, best_above, best_cut = below, j, False, cut_below
    return best, best_feature, best_cut[0], best_cut[1], best_above


def _threshold_split(feature, low, high, above):
    middle = low + (high - low) / 2
    if middle in (low, high):  # neighbouring floats: x >= t needs the upper one, x <= t the lower
        middle = high if above else low
    sign = 1.0 if above else -1.0
    return Split(np.array([feature], np.int32), np.array([sign]), -sign * middle, 1.0)


class UnivariateSolver:
    """Minimises ``weighted 0/1 loss + lam * penalty`` over all thresholds, both constants and the current split.

    Exact, so the objective never rises; ties go to fewer parameters, then to the current split.
    """

    monotone = True

    def __init__(self, data):
        if data.columns.is_sparse:
            raise DataError("Univariate nodes need dense data: use X.toarray(), or split='oblique' for sparse data.")
        self.data = data
        self.usable = data.inverse_scale > 0

    @staticmethod
    def penalty(features, weights):
        """Cost of a split: 1 for each feature that it uses."""
        return float(len(features))

    def solve(self, start, stop, targets, lam, current):
        """Best split of a reduced problem; see `treecore.node_solvers`."""
        data = self.data
        care = np.flatnonzero(targets)
        signed = data.weights[start:stop][care] * targets[care]
        total = float(signed.sum())
        tie = TIE * float(np.abs(signed).sum())
        goes_right = data.columns.margins(start, stop, current)[care] >= 0
        split, gain = current, float(signed[goes_right].sum()) - lam * current.penalty
        constant = constant_split(total > 0)
        if max(total, 0.0) > gain + tie or (max(total, 0.0) >= gain - tie and current.penalty > 0):
            split, gain = constant, max(total, 0.0)
        # no threshold can send more signed weight right than all the positive weight
        if float(signed[signed > 0].sum()) - lam <= gain + tie:
            return split
        score, feature, low, high, above = _best_threshold(data.columns.values, care + start, signed, self.usable, tie)
        if feature >= 0 and score - lam > gain + tie:
            split = _threshold_split(feature, low, high, above)
        return split
