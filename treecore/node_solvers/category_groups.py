"""Search for the best group of categories in a column, shared by the solvers of the true 0/1 loss.

The loss of a reduced problem is a sum over the categories of a column. Therefore the best group contains each category
whose points prefer the right child.
"""

from typing import NamedTuple

import numpy as np

from treecore._jit import kernel
from treecore.data.category_groups import CategoryGroups
from treecore.node_solvers.permitted import Permitted
from treecore.tree.split import Split

# A category whose preference is at most this multiple of its standard deviation goes with the majority of the node.
NOISE = 0.0


class BestGroup(NamedTuple):
    """Split on a group of categories with the signed weight that it sends right."""

    split: Split
    score: float


@kernel
def _best_group(codes, n_codes, points, signed, penalties, noise, tie):
    """Return (score, column, goes_right bool[c], default) of the best column, or column -1 without one.

    The score is the signed weight on the right minus the penalty of the column.

    default : side of categories without a clear preference and of unknown ones. Rows without a category are on this
    side, because a split has no weight for them.
    """
    most = n_codes.max()
    sums, squares = np.empty(most), np.empty(most)
    counts, right, best_right = np.empty(most, np.int64), np.empty(most, np.bool_), np.empty(most, np.bool_)
    best, best_group, best_default = -np.inf, -1, False
    for group in range(n_codes.size):
        if penalties[group] == np.inf:
            continue
        column, size = codes[group], n_codes[group]
        sums[:], squares[:], counts[:] = 0.0, 0.0, 0
        for i in range(points.size):
            code = column[points[i]]
            sums[code] += signed[i]
            squares[code] += signed[i] * signed[i]
            counts[code] += 1
        balance = 0
        for code in range(size):
            if sums[code] * sums[code] > noise * noise * squares[code]:
                balance += counts[code] if sums[code] > 0.0 else -counts[code]
        outside = size - 2
        default = sums[outside] > 0.0 if counts[outside] > 0 and sums[outside] != 0.0 else balance > 0
        score = -penalties[group]
        for code in range(size):
            is_clear = sums[code] * sums[code] > noise * noise * squares[code]
            right[code] = sums[code] > 0.0 if is_clear and code != outside else default
            score += sums[code] if right[code] else 0.0
        if score > best + tie:
            best, best_group, best_default = score, group, default
            best_right[:] = right
    return best, best_group, best_right, best_default


def best_group(
    groups: CategoryGroups,
    points: np.ndarray,
    signed: np.ndarray,
    penalties: np.ndarray,
    permitted: Permitted | None,
    tie: float,
) -> BestGroup | None:
    """Return the best split on a group of categories, or None if no split separates the points.

    points : int64[m], positions of the care points; signed : float64[m], as in `NodeSolver.solve`; penalties :
    float64[d], subtracted from the score of a feature, equal for all categories of a column; permitted : see
    `Permitted`; tie : scores within it are equal.
    """
    if not groups:
        return None
    of_columns = np.array([penalties[column[0]] for column in groups.members])
    if permitted is not None:
        free = permitted.rises & permitted.falls
        of_columns[[not free[column].all() for column in groups.members]] = np.inf
    score, group, right, default = _best_group(groups.codes, groups.n_codes, points, signed, of_columns, NOISE, tie)
    if group < 0:
        return None
    split = groups.split(group, right, default, right[groups.n_codes[group] - 1])
    return None if split is None else BestGroup(split, score)
