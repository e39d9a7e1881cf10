"""Best thresholds from histograms of codes. They are the thresholds that a search over all rows would find."""

import numpy as np

from treecore._jit import kernel
from treecore.node_solvers.thresholds import threshold_split
from treecore.training.partitions.coding import MISSING, Coding
from treecore.tree.split import Split


@kernel
def best_signed_cut(histogram, usable, penalties, tie):
    """Return (score, feature, low code, high code, larger values go right?, missing values go right?).

    As `best_threshold` of the node solvers, for the sums of all points with the same code. The low code is -1 if the
    threshold only separates missing values.

    histogram : float64[d, codes, 2], signed weight and number of points; usable : bool[d]; penalties : float64[d].
    """
    best, best_feature, best_above, best_low, best_high, best_lost = -np.inf, -1, True, -2, -2, 0.0
    for j in range(histogram.shape[0]):
        if not usable[j]:
            continue
        own = histogram[j]
        lost, n_lost, total = own[MISSING, 0], own[MISSING, 1], 0.0
        for c in range(MISSING):
            if own[c, 1] > 0.0:
                total += own[c, 0]
        extra = max(lost, 0.0)
        above, score_above, score_below = total, -np.inf, -np.inf
        low_above, high_above, low_below, high_below, last = -2, -2, -2, -2, -2
        for c in range(MISSING):
            if own[c, 1] == 0.0:
                continue
            if last == -2:
                if n_lost > 0.0:
                    score_above, low_above, high_above = total, -1, c
                    score_below, low_below, high_below = 0.0, -1, c
            else:
                if above > score_above:
                    score_above, low_above, high_above = above, last, c
                if total - above > score_below:
                    score_below, low_below, high_below = total - above, last, c
            above -= own[c, 0]
            last = c
        score_above += extra - penalties[j]
        score_below += extra - penalties[j]
        if score_above > best + tie:
            best, best_feature, best_above, best_lost = score_above, j, True, lost
            best_low, best_high = low_above, high_above
        if score_below > best + tie:
            best, best_feature, best_above, best_lost = score_below, j, False, lost
            best_low, best_high = low_below, high_below
    missing_right = best_lost > 0.0
    if best_feature >= 0 and best_lost == 0.0:  # missing values go to the side of most points
        own, balance = histogram[best_feature], 0.0
        for c in range(MISSING):
            balance += own[c, 1] if c >= best_high else -own[c, 1]
        missing_right = (balance > 0.0) == best_above
    return best, best_feature, best_low, best_high, best_above, missing_right


@kernel
def best_impurity_cut(histogram, is_squared, least, tie):
    """Return (gain, feature, low code, high code, missing values go right?) of the best threshold by impurity.

    The score of a split is the sum over its sides of ``sum of squared channel sums / weight``, as in
    `impurity_kernels`; the gain is its increase. Missing values go to the better side.

    histogram : float64[d, codes, k], weight of each class, or weight and weighted sum of the targets if `is_squared`;
    least : smallest weight of a side; tie : gains within it are equal.
    """
    d, k = histogram.shape[0], histogram.shape[2]
    whole, lost, sums = np.zeros(k), np.zeros(k), np.zeros(k)
    best, best_feature, best_low, best_high, best_missing = 0.0, -1, -2, -2, False
    for j in range(d):
        own = histogram[j]
        whole[:] = 0.0
        for c in range(MISSING):
            for q in range(k):
                whole[q] += own[c, q]
        lost[:] = own[MISSING]
        n_lost = lost[0] if is_squared else lost.sum()
        node = _score(whole, lost, is_squared)
        for side in range(2 if n_lost > 0.0 else 1):  # missing values go left, then right
            sums[:] = 0.0
            last = -1 if n_lost > 0.0 else -2
            for c in range(MISSING):
                filled = own[c, 0] > 0.0 if is_squared else own[c].sum() > 0.0
                if not filled:
                    continue
                if last >= -1 and (last >= 0 or side == 0):
                    gain = _gain(whole, sums, lost, side, is_squared, least) - node
                    if gain > best + tie:
                        best, best_feature, best_low, best_high, best_missing = gain, j, last, c, side == 1
                for q in range(k):
                    sums[q] += own[c, q]
                last = c
        if best_feature == j and n_lost == 0.0:
            low = 0.0
            for c in range(best_high):
                low += own[c, 0] if is_squared else own[c].sum()
            best_missing = 2.0 * low < (whole[0] if is_squared else whole.sum())
    return best, best_feature, best_low, best_high, best_missing


@kernel
def _score(a, b, is_squared):
    """Return the score of a node with the channel sums ``a + b``."""
    if is_squared:
        return (a[1] + b[1]) ** 2 / (a[0] + b[0])
    squares, weight = 0.0, 0.0
    for q in range(a.size):
        squares += (a[q] + b[q]) ** 2
        weight += a[q] + b[q]
    return squares / weight


@kernel
def _gain(whole, sums, lost, side, is_squared, least):
    """Return the score of the split with `sums` on the left and missing values on one side, -inf if it is too small."""
    if is_squared:
        left, total = sums[0] + (lost[0] if side == 0 else 0.0), whole[0] + lost[0]
        amount = sums[1] + (lost[1] if side == 0 else 0.0)
        if min(left, total - left) < least or left <= 0.0 or total - left <= 0.0:
            return -np.inf
        return amount * amount / left + (whole[1] + lost[1] - amount) ** 2 / (total - left)
    left, right, left_squares, right_squares = 0.0, 0.0, 0.0, 0.0
    for q in range(whole.size):
        a = sums[q] + (lost[q] if side == 0 else 0.0)
        b = whole[q] - sums[q] + (lost[q] if side == 1 else 0.0)
        left += a
        right += b
        left_squares += a * a
        right_squares += b * b
    if min(left, right) < least or left <= 0.0 or right <= 0.0:
        return -np.inf
    return left_squares / left + right_squares / right


def cut_split(coding: Coding, feature: int, low: int, high: int, above: bool, missing_right: bool) -> Split:
    """Return the `Split` of values that separates the codes `low` and `high` of a feature."""
    return threshold_split(feature, *coding.threshold(feature, low, high), above, missing_right)
