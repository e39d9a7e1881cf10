"""Search for the best threshold between two fixed subtrees, or between two new leaves, on sorted values."""

import numpy as np

from treecore._jit import kernel
from treecore.data.losses import MOMENTS
from treecore.node_solvers.group_kernels import leaf_loss


@kernel
def sides_loss(left, right, form, n_sums):
    """Return (loss, impurity) of a split from the sums of its sides.

    form : form of the first `n_sums` sums, see `leaf_loss`, or -1 if the only sum is the gain on the right. Other sums
    are the class weights for the Gini impurity.
    """
    if form < 0:
        return -right[0], 0.0
    loss = leaf_loss(left, n_sums, form) + leaf_loss(right, n_sums, form)
    if form == MOMENTS:
        return loss, loss
    impurity = 0.0
    first = n_sums if left.size > n_sums else 0
    for side in (left, right):
        total, squares = 0.0, 0.0
        for q in range(first, side.size):
            total += side[q]
            squares += side[q] * side[q]
        if total > 0.0:
            impurity += total - squares / total
    return loss, impurity


@kernel
def scan_sides(ranked, rows, amounts, lost, n_missing, sides, form, n_sums, least, tie):
    """Return (loss, impurity, position, do larger values go right?, missing values?) of the best threshold.

    The threshold is in front of a position in `ranked`, the known values in increasing order. Position 0 separates the
    missing values from all others, and position -1 means that there is no threshold.

    rows : rows of these values; amounts : float64[n, s], contribution of each row to the sums; lost : sums of the rows
    with missing values; sides : whether larger values may go right, or left; form, n_sums : see `sides_loss`; least :
    smallest number of rows on a side; tie : width of a tie.
    """
    n, width = ranked.size, amounts.shape[1]
    whole = np.zeros(width)
    for i in range(n):
        for q in range(width):
            whole[q] += amounts[rows[i], q]
    below, left, right = np.zeros(width), np.empty(width), np.empty(width)
    best, best_impurity, best_at, best_above, best_missing = np.inf, np.inf, -1, True, False
    for i in range(n):
        if i > 0:
            for q in range(width):
                below[q] += amounts[rows[i - 1], q]
            if not ranked[i] > ranked[i - 1]:
                continue
        elif n_missing == 0:
            continue
        for side in range(2):
            if not sides[side]:
                continue
            for with_right in range(2 if n_missing > 0 else 1):
                n_right = (n - i if side == 0 else i) + n_missing * with_right
                if n_right < least or n + n_missing - n_right < least:
                    continue
                for q in range(width):
                    above = whole[q] - below[q]
                    right[q] = above if side == 0 else below[q]
                    left[q] = below[q] if side == 0 else above
                    if with_right == 1:
                        right[q] += lost[q]
                    else:
                        left[q] += lost[q]
                loss, impurity = sides_loss(left, right, form, n_sums)
                if loss < best - tie or (loss <= best + tie and impurity < best_impurity):
                    best, best_impurity, best_at = loss, impurity, i
                    best_above, best_missing = side == 0, with_right == 1
    return best, best_impurity, best_at, best_above, best_missing
