"""Best thresholds from histograms of codes. They are the thresholds that a search over all rows would find."""

import numpy as np

from treecore._jit import kernel
from treecore.data.bins import MISSING
from treecore.initial.best_group import best_prefix
from treecore.node_solvers.category_groups import BestGroup
from treecore.node_solvers.thresholds import threshold_split
from treecore.training.partitions.coding import Coding, Layout
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
def best_impurity_cut(histogram, usable, is_squared, least, tie):
    """Return (gain, feature, low code, high code, missing values go right?) of the best threshold by impurity.

    The score of a split is the sum over its sides of ``sum of squared channel sums / weight``, as in
    `impurity_kernels`; the gain is its increase. Missing values go to the better side.

    histogram : float64[d, codes, k], weight of each class, or weight and weighted sum of the targets if `is_squared`;
    usable : bool[d]; least : smallest weight of a side; tie : gains within it are equal.
    """
    d, k = histogram.shape[0], histogram.shape[2]
    whole, lost, sums = np.zeros(k), np.zeros(k), np.zeros(k)
    best, best_feature, best_low, best_high, best_missing = 0.0, -1, -2, -2, False
    for j in range(d):
        if not usable[j]:
            continue
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


def cut_split(coding: Coding, column: int, low: int, high: int, above: bool, missing_right: bool) -> Split:
    """Return the `Split` of values that separates the codes `low` and `high` of a column."""
    feature = int(coding.layout.features[column])
    return threshold_split(feature, *coding.threshold(column, low, high), above, missing_right)


def best_signed_group(histogram: np.ndarray, layout: Layout, tie: float) -> BestGroup | None:
    """Return the best group of categories, as `best_group` of the node solvers does, or None.

    histogram : float64[c, codes, 2], as in `best_signed_cut`; tie : scores within it are equal.
    """
    best = None
    for group, column in enumerate(layout.group_columns):
        codes = _group_codes(layout, group)
        sums, counts = histogram[column, codes].T
        outside = codes.size - 2
        balance = float((np.sign(sums) * counts).sum())
        default = bool(sums[outside] > 0 if counts[outside] > 0 and sums[outside] != 0 else balance > 0)
        right = np.where(sums != 0, sums > 0, default)
        right[outside] = default
        score = float(sums[right].sum())
        if best is None or score > best[0] + tie:
            best = score, group, right, default
    if best is None:
        return None
    score, group, right, default = best
    split = layout.groups.split(group, right, default, bool(right[-1]))
    return None if split is None else BestGroup(split, score)


def best_impurity_group(
    histogram: np.ndarray, layout: Layout, is_squared: bool, least: float, tie: float, unit: float = 1.0
) -> BestGroup | None:
    """Return the group of categories with the largest gain, as `best_group` of the initial trees does, or None.

    histogram : float64[c, codes, k]; least : smallest weight of a side; unit : mean weight of a
    row; others : as in `best_impurity_cut`.
    """
    best = None
    for group, column in enumerate(layout.group_columns):
        codes = _group_codes(layout, group)
        own = histogram[column, codes]
        sizes, sums = (own[:, 0], own[:, 1:]) if is_squared else (own.sum(axis=1), own[:, own.any(axis=0)])
        right = best_prefix(sums / unit, sizes / unit)
        if right is None:
            continue
        default, right = right
        sides = [(float(sizes[side].sum()), sums[side].sum(axis=0)) for side in (~right, right)]
        if min(size for size, _ in sides) < max(least, 1e-300):
            continue
        whole = sums.sum(axis=0)
        gain = sum(float(one @ one) / size for size, one in sides) - float(whole @ whole) / float(sizes.sum())
        if gain > tie and (best is None or gain > best[0] + tie):
            best = gain, group, right, default
    if best is None:
        return None
    gain, group, right, default = best
    split = layout.groups.split(group, right, default, bool(right[-1]))
    return None if split is None else BestGroup(split, gain)


def _group_codes(layout, group):
    """Return the codes of a column of categories: each category, none, and missing."""
    return np.append(np.arange(layout.groups.members[group].size + 1), MISSING)
