"""Search for the best threshold over all features for signed points, shared by the solvers of the true 0/1 loss."""

import numpy as np

from treecore._jit import kernel
from treecore.tree.split import Split

# share of the sum of the weights; differences below it are rounding errors
ROUNDING = 1e-14
# share of the weights, and of the loss; solutions within both are ties
TIE, TIE_OF_LOSS = 1e-10, 1e-9
BOUND_BINS = 128  # bins of a column in the bounds on its best threshold
BOUND_SAMPLE = 63  # maximum number of points for the width of these bins


def tie_width(size: float | np.ndarray, loss: float | np.ndarray) -> float | np.ndarray:
    """Return the tolerance within which two solutions of a reduced problem are ties.

    size : sum of the absolute weights; loss : current loss including the penalty.
    """
    return np.minimum(TIE * size, TIE_OF_LOSS * np.maximum(loss, 0.0))


@kernel
def _scan_bytes(column, points, signed, sums, counts):
    """Find the best threshold of a uint8 column.

    Return (score, low value, high value), first for sending "x >= cut" right, then for sending "x < cut" right.
    """
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
    """Find the best threshold of any column by sorting.

    Return (score, (low, high)), first for sending "x >= cut" right, then for sending "x < cut" right.

    The result also contains the signed weight and the number of points with a missing value. If there are such points,
    the threshold may be outside the range of the present values, which then all go to one side.
    """
    total, lost = 0.0, 0.0
    for i in range(points.size):
        values[i] = column[points[i]]
        if np.isnan(values[i]):
            lost += signed[i]
        else:
            total += signed[i]
    order = np.argsort(values[: points.size], kind="mergesort")  # NaN comes last
    n = points.size
    while n > 0 and np.isnan(values[order[n - 1]]):
        n -= 1
    above, best_above, best_below = total, -np.inf, -np.inf
    cut_above = cut_below = (0.0, 0.0)
    if 0 < n < points.size:
        low = float(values[order[0]])
        best_above, cut_above = total, (low - max(1.0, abs(low)), low)
        best_below, cut_below = 0.0, cut_above
    for i in range(1, n):
        above -= signed[order[i - 1]]
        low, high = values[order[i - 1]], values[order[i]]
        if low < high:
            if above > best_above:
                best_above, cut_above = above, (float(low), float(high))
            if total - above > best_below:
                best_below, cut_below = total - above, (float(low), float(high))
    return best_above, cut_above, best_below, cut_below, lost, points.size - n


@kernel
def best_threshold(columns, points, signed, rises, falls, penalties, tie):
    """Return (score, feature, low, high, larger values go right?, missing values go right?) of the best threshold.

    The score is the signed weight on the right minus the penalty of the feature. rises, falls : bool[d], features whose
    larger values may go right, or left; penalties : float64[d], in units of the loss.
    """
    sums = np.empty(256)
    counts = np.empty(256, np.int64)
    values = np.empty(points.size)
    lost = 0.0
    best, best_feature, best_above, best_cut, best_lost = -np.inf, -1, True, (0.0, 0.0), 0.0
    for j in range(columns.shape[0]):
        if not (rises[j] or falls[j]):
            continue
        if columns.itemsize == 1:
            above, cut_above, below, cut_below = _scan_bytes(columns[j], points, signed, sums, counts)
        else:
            above, cut_above, below, cut_below, lost, _ = scan_sorted(columns[j], points, signed, values)
            above += max(lost, 0.0)
            below += max(lost, 0.0)
        above -= penalties[j]
        below -= penalties[j]
        if rises[j] and above > best + tie:
            best, best_feature, best_above, best_cut, best_lost = above, j, True, cut_above, lost
        if falls[j] and below > best + tie:
            best, best_feature, best_above, best_cut, best_lost = below, j, False, cut_below, lost
    missing_right = best_lost > 0.0
    if best_feature >= 0 and best_lost == 0.0:  # without missing values in training, they go to the majority side
        missing_right = _mostly_above(columns[best_feature], points, best_cut[1]) == best_above
    return best, best_feature, best_cut[0], best_cut[1], best_above, missing_right


@kernel
def promising_columns(columns, points, signed, usable, margin):
    """Return the usable columns that can have the best threshold, bool[d], without sorting them.

    The values of a column are counted in bins in their order. The cuts between bins give a lower bound of the score of
    the column, and the weights within the bins an upper bound. A column is left out if its upper bound is below the
    best lower bound by more than `margin`.
    """
    m = points.size
    sample = np.empty(min(m, BOUND_SAMPLE))
    values = np.empty(m)
    positive, negative = np.empty(BOUND_BINS), np.empty(BOUND_BINS)
    counts = np.empty(BOUND_BINS, np.int64)
    highest = np.full(columns.shape[0], -np.inf)
    best = -np.inf
    for j in range(columns.shape[0]):
        if not usable[j]:
            continue
        column, lost, n = columns[j], 0.0, 0
        for i in range(m):
            value = np.float64(column[points[i]])
            if np.isnan(value):
                lost += signed[i]
            values[i] = value
        for t in range(sample.size):
            value = values[t * m // sample.size]
            if not np.isnan(value):
                sample[n] = value
                n += 1
        present = np.sort(sample[:n])
        center = present[n // 2] if n else 0.0
        width = present[(7 * n) // 8] - present[n // 8] if n else 0.0
        scale = BOUND_BINS / (2.0 * width) if width > 0.0 else 1.0
        positive[:], negative[:], counts[:] = 0.0, 0.0, 0
        total = 0.0
        for i in range(m):
            if np.isnan(values[i]):
                continue
            place = (values[i] - center) * scale + 0.5 * BOUND_BINS
            b = int(min(max(place, 0.0), BOUND_BINS - 1.0))
            counts[b] += 1
            total += signed[i]
            if signed[i] > 0.0:
                positive[b] += signed[i]
            else:
                negative[b] -= signed[i]
        above, least, most, n = total, -np.inf, -np.inf, 0
        for b in range(BOUND_BINS):
            if counts[b] == 0:
                continue
            if n > 0:
                least = max(least, above, total - above)
            n += counts[b]
            most = max(most, above + negative[b], total - above + positive[b])
            above += negative[b] - positive[b]
        best = max(best, least + max(lost, 0.0))
        highest[j] = most + max(lost, 0.0)
    return usable & (highest >= best - margin)


@kernel
def _mostly_above(column, points, high):
    """Return whether more than half of the present values are at least `high`."""
    above, below = 0, 0
    for i in range(points.size):
        value = np.float64(column[points[i]])
        above += value >= high
        below += value < high
    return above > below


def threshold_split(feature: int, low: float, high: float, above: bool, missing_right: bool = False) -> Split:
    """Return the `Split` between two adjacent values of a feature. above : whether larger values go right."""
    middle = low + (high - low) / 2
    if middle in (low, high):  # between neighbouring floats, x >= t needs the upper one and x <= t the lower one
        middle = high if above else low
    sign = 1.0 if above else -1.0
    return Split(np.array([feature], np.int32), np.array([sign]), -sign * middle, 1.0, bool(missing_right))
