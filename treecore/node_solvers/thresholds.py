"""Search for the best threshold over all features for signed points, shared by the solvers of the true 0/1 loss."""

from typing import Any

import numpy as np

from treecore._jit import kernel
from treecore.tree.split import Split

# share of the sum of the weights; differences below it are rounding errors
ROUNDING = 1e-14
# share of the weights, and of the loss; solutions within both are ties
TIE, TIE_OF_LOSS = 1e-10, 1e-9
BOUND_POINTS, BOUND_COLUMNS = 200, 4  # minimum numbers for bounds on the best threshold of each column
OUTSIDE = 4e30  # beyond all features; a threshold halfway to it has all known values on one side
MARGIN = 1e-12  # share of the weights; bounds are wider by this, because their sums have another order
BOUND_BINS = 128, 1024  # smallest and largest number of bins of a column in these bounds
BIN_POINTS = 16  # points per bin, within these limits
BOUND_SAMPLE = 63  # maximum number of points for the width of these bins
SPARSE_IN_BIVARIATE = "split='bivariate' does not support sparse X. Use X.toarray() or split='oblique'."


def tie_width(size: float | np.ndarray, loss: float | np.ndarray) -> float | np.ndarray:
    """Return the tolerance within which two solutions of a reduced problem are ties.

    size : sum of the absolute weights; loss : current loss including the penalty.
    """
    return np.minimum(TIE * size, TIE_OF_LOSS * np.maximum(loss, 0.0))


def is_better(
    gain: float | np.ndarray,
    penalty: float | np.ndarray,
    best: float | np.ndarray,
    best_penalty: float | np.ndarray,
    tie: float | np.ndarray,
) -> Any:
    """Test whether a split is better than the best so far: by its gain, or in a tie by a smaller penalty.

    gain, best : gains less penalties, numbers or arrays; penalty, best_penalty : penalties of both splits; tie : see
    `tie_width`. Return a bool, or bool[n] for arrays.
    """
    return (gain > best + tie) | ((gain >= best - tie) & (penalty < best_penalty))


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
        best_above, cut_above = total, (-OUTSIDE, low)
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
def _bounds(positive, negative, counts, differ, total, rises, falls):
    """Return a lower and an upper bound of the score of a column, from the weights in its bins."""
    above, least, most, n = total, -np.inf, -np.inf, 0
    for b in range(counts.size):
        if counts[b] == 0:
            continue
        if rises:
            least = max(least, above) if n > 0 else least
            most = max(most, above + (negative[b] if differ[b] else 0.0))
        if falls:
            least = max(least, total - above) if n > 0 else least
            most = max(most, total - above + (positive[b] if differ[b] else 0.0))
        n += counts[b]
        above += negative[b] - positive[b]
    return least, most


@kernel
def promising_columns(columns, points, signed, rises, falls, penalties, margin, floor):
    """Return the permitted columns that can have the best threshold, bool[d], without sorting them.

    The values of a column are counted in bins in their order. The cuts between bins give a lower bound of the score of
    the column, and the weights within bins of several values an upper bound. A column is left out if its upper bound is
    below the best lower bound, or below `floor`, by more than `margin`. For the other arguments, see `best_threshold`.
    """
    m = points.size
    sample = np.empty(min(m, BOUND_SAMPLE))
    values = np.empty(m)
    n_bins = min(max(m // BIN_POINTS, BOUND_BINS[0]), BOUND_BINS[1])
    positive, negative, counts = np.empty(n_bins), np.empty(n_bins), np.empty(n_bins, np.int64)
    some, differ = np.empty(n_bins), np.empty(n_bins, np.bool_)  # a value of each bin, and whether others differ
    highest = np.full(columns.shape[0], -np.inf)
    best = floor
    for j in range(columns.shape[0]):
        if not (rises[j] or falls[j]):
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
        if n > 0 and width == 0.0:  # most values are equal
            width = present[n - 1] - present[0]
        scale = n_bins / (2.0 * width) if width > 0.0 else 1.0
        positive[:], negative[:], counts[:], differ[:] = 0.0, 0.0, 0, False
        total = 0.0
        for i in range(m):
            if np.isnan(values[i]):
                continue
            place = (values[i] - center) * scale + 0.5 * n_bins
            b = int(min(max(place, 0.0), n_bins - 1.0))
            if counts[b] == 0:
                some[b] = values[i]
            differ[b] |= values[i] != some[b]
            counts[b] += 1
            total += signed[i]
            if signed[i] > 0.0:
                positive[b] += signed[i]
            else:
                negative[b] -= signed[i]
        least, most = _bounds(positive, negative, counts, differ, total, rises[j], falls[j])
        best = max(best, least + max(lost, 0.0) - penalties[j])
        highest[j] = most + max(lost, 0.0) - penalties[j]
    return (rises | falls) & (highest >= best - margin)


@kernel
def best_promising_threshold(columns, points, signed, rises, falls, penalties, tie, floor):
    """Return the result of `best_threshold`, searched in `promising_columns` only if this takes less time.

    The feature may be -1 if no column has a score of at least `floor`.
    """
    enough = points.size >= BOUND_POINTS and np.count_nonzero(rises | falls) >= BOUND_COLUMNS
    if columns.itemsize > 1 and enough:
        margin = MARGIN * np.abs(signed).sum()
        kept = promising_columns(columns, points, signed, rises, falls, penalties, margin, floor)
        rises, falls = rises & kept, falls & kept
    return best_threshold(columns, points, signed, rises, falls, penalties, tie)


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
