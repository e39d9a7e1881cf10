"""Exact search for a split and its two child splits at once, on columns of at most 256 codes.

The search tries all thresholds at the upper node, and given sequences of groups of categories. While points move from
one side to the other, sums for every column and code are updated, so that the best threshold of each child results from
one scan of these sums. A larger set of points never has a smaller loss, which gives lower bounds that exclude most
thresholds of the upper node.
"""

from typing import NamedTuple

import numpy as np

from treecore._jit import kernel
from treecore.data.losses import MOMENTS
from treecore.node_solvers.group_kernels import best_sides, leaf_loss

FIXED, LEAF, SPLIT = 0, 1, 2  # kinds of a child
SAME = 1e-12  # relative difference between losses that count as equal
NONE = (-1, 0, False)  # constant split to the left


class _Block(NamedTuple):
    """Problem of a block and its sums. See `best_block`.

    sequences : int64[d, l]; amounts : float64[m, s], contribution of each point to the sums: those for the loss of a
    leaf (n_sums), then the losses in the four subtrees; totals : float64[s]; table : float64[d, c, s], sums of all
    points by column and code; largest : float64[m], largest decrease of the loss without the point.
    """

    codes: np.ndarray
    n_codes: np.ndarray
    sequences: np.ndarray
    penalties: np.ndarray
    kinds: np.ndarray
    are_leaves: np.ndarray
    n_sums: int
    form: int
    amounts: np.ndarray
    totals: np.ndarray
    table: np.ndarray
    largest: np.ndarray


@kernel
def encode(column, most, codes):
    """Replace values by codes in their order, equal values by the same code, and return the number of codes.

    column : [m], NaN gets code 0; most : maximum number of codes, 2 to 256; codes : uint8[m], the result. If there are
    more distinct values, each code contains about equally many points.
    """
    m = column.size
    if column.itemsize == 1:
        seen = np.zeros(256, np.int64)
        for i in range(m):
            seen[int(column[i])] += 1
        n_codes = 0
        for value in range(256):
            if seen[value] > 0:
                seen[value] = n_codes
                n_codes += 1
        if n_codes <= most:
            for i in range(m):
                codes[i] = seen[int(column[i])]
            return n_codes
    order = np.argsort(column, kind="mergesort")  # NaN comes last
    present = m
    while present > 0 and np.isnan(column[order[present - 1]]):
        present -= 1
    for i in range(present, m):
        codes[order[i]] = 0
    first = 1 if present < m else 0
    distinct = 0
    for i in range(present):
        distinct += i == 0 or column[order[i]] > column[order[i - 1]]
    size = 0.0 if distinct <= most - first else present / (most - first)
    code, taken = first, 0
    for i in range(present):
        if i > 0 and column[order[i]] > column[order[i - 1]] and taken >= size and code < most - 1:
            code += 1
            taken = 0
        codes[order[i]] = code
        taken += 1
    return code + 1 if present > 0 else first


@kernel
def _best_child(block, table, is_rest, totals, side, limit):
    """Return (loss with penalty, column, code, flipped) of the best split of a child.

    Points below the code go left, or right if flipped. Column -1 is a constant: right if flipped. For a column of
    categories, the code is 0, and `best_sides` gives the group. table : sums of the points on one side of the upper
    split. The child gets these points, or the rest; totals : sums of the child's points; limit : only results below it
    matter.
    """
    n_sums, form, is_leaf = block.n_sums, block.form, block.are_leaves[side]
    first, second = n_sums + 2 * side, n_sums + 2 * side + 1
    if block.kinds[side] == FIXED:
        return totals[first], -1, 0, False
    if block.kinds[side] == LEAF:
        return leaf_loss(totals, n_sums, form), -1, 0, False
    left = leaf_loss(totals, n_sums, form) if is_leaf[0] else totals[first]
    right = leaf_loss(totals, n_sums, form) if is_leaf[1] else totals[second]
    best, best_column, best_code, best_flipped = left, -1, 0, False
    if right < best:
        best, best_flipped = right, True
    tie = SAME * (abs(best) if form == MOMENTS else totals[:n_sums].sum() + abs(best))
    low, high = np.zeros(totals.size), np.zeros(totals.size)
    for j in range(block.n_codes.size):
        penalty = block.penalties[j]
        if penalty >= min(best, limit):
            continue
        if block.sequences[j, 0] != 0:
            sums = block.table[j, : block.n_codes[j]] - table[j, : block.n_codes[j]] if is_rest else table[j]
            sums = sums[: block.n_codes[j]]
            loss = best_sides(sums, n_sums, form, is_leaf, first, np.empty(sums.shape[0], np.bool_))
            if loss + penalty < best - tie:
                best, best_column, best_code, best_flipped = loss + penalty, j, 0, False
            continue
        low[:] = 0.0
        for code in range(block.n_codes[j] - 1):
            for q in range(totals.size):
                value = table[j, code, q]
                low[q] += block.table[j, code, q] - value if is_rest else value
                high[q] = totals[q] - low[q]
            below = leaf_loss(low, n_sums, form) if is_leaf.any() else 0.0
            above = leaf_loss(high, n_sums, form) if is_leaf.any() else 0.0
            loss = (below if is_leaf[0] else low[first]) + (above if is_leaf[1] else high[second])
            flipped = (above if is_leaf[0] else high[first]) + (below if is_leaf[1] else low[second])
            if loss + penalty < best - tie:
                best, best_column, best_code, best_flipped = loss + penalty, j, code + 1, False
            if flipped + penalty < best - tie:
                best, best_column, best_code, best_flipped = flipped + penalty, j, code + 1, True
    return best, best_column, best_code, best_flipped


@kernel
def block_amounts(contributions, weights, losses, form):
    """Return the contributions of the points to all sums, and the largest decrease of the loss without each point."""
    n_sums = contributions.shape[1]
    amounts = np.zeros((weights.size, n_sums + 4))
    largest = weights.copy()
    for i in range(weights.size):
        for q in range(n_sums):
            amounts[i, q] = contributions[i, q]
            if form != MOMENTS:
                largest[i] = max(largest[i], contributions[i, q])
        for place in range(4):
            loss = losses[place // 2, place % 2, i]
            amounts[i, n_sums + place] = loss
            largest[i] = max(largest[i], loss)
    return amounts, largest


@kernel
def _add(table, rows, amounts, i, sign):
    """Add a point to the sums of its code in every column, or remove it (sign -1). rows : uint8[m, d]."""
    for q in range(amounts.shape[1]):
        amount = sign * amounts[i, q]
        if amount != 0.0:
            for j in range(rows.shape[1]):
                table[j, rows[i, j], q] += amount


@kernel
def _by_code(codes, n_codes):
    """Return the points in the order of their codes, and the edges of each code in this order."""
    edges = np.zeros(n_codes + 1, np.int64)
    for i in range(codes.size):
        edges[codes[i] + 1] += 1
    for code in range(n_codes):
        edges[code + 1] += edges[code]
    order, place = np.empty(codes.size, np.int64), edges.copy()
    for i in range(codes.size):
        order[place[codes[i]]] = i
        place[codes[i]] += 1
    return order, edges


@kernel
def _best_at(block, column, rows, table, whole_losses, is_symmetric, limit):
    """Return (objective, upper split, left split, right split) of the best block with this column in the upper split.

    The objective is `limit` if nothing is below it. rows : uint8[m, d]; table : float64[d, c, s], scratch;
    whole_losses : float64[2], lower bound of each child's loss with all points; is_symmetric : whether flipping the
    upper split has no effect.
    """
    best, upper, lower_left, lower_right = limit, NONE, NONE, NONE
    penalty = block.penalties[column]
    order, edges = _by_code(block.codes[column], block.n_codes[column])
    table[:, :, :] = 0.0
    low = np.zeros(block.totals.size)
    below = np.zeros(2)  # lower bounds of the losses on both sides, without and with flipping
    above = np.array([whole_losses[1], whole_losses[0]])
    sequence = block.sequences[column]
    for step in range(block.n_codes[column] - 1 if sequence[0] == 0 else sequence.size):
        if sequence[0] != 0 and sequence[step] == 0:
            break
        move = step + 1 if sequence[0] == 0 else sequence[step]
        code, sign, moved = abs(move) - 1, 1.0 if move > 0 else -1.0, 0.0
        for place in range(edges[code], edges[code + 1]):
            _add(table, rows, block.amounts, order[place], sign)
            moved += block.largest[order[place]]
            low += sign * block.amounts[order[place]]
        for flipped in range(1 if is_symmetric else 2):
            # Without the moved points, the loss on their side decreases by at most their largest losses.
            if move > 0:
                above[flipped] = 0.0 if block.form == MOMENTS else max(above[flipped] - moved, 0.0)
            else:
                below[flipped] = 0.0 if block.form == MOMENTS else max(below[flipped] - moved, 0.0)
            if below[flipped] + above[flipped] + penalty >= best:
                continue
            loss, j, cut, is_flipped = _best_child(block, table, False, low, flipped, best)
            below[flipped] = min(loss, best)
            if loss + above[flipped] + penalty >= best:
                continue
            rest, k, cut_of_rest, is_rest_flipped = _best_child(
                block, table, True, block.totals - low, 1 - flipped, best - loss
            )
            above[flipped] = min(rest, best - loss)
            if loss + rest + penalty < best:
                best, upper = loss + rest + penalty, (column, step + 1, flipped == 1)
                lower_left, lower_right = (j, cut, is_flipped), (k, cut_of_rest, is_rest_flipped)
                if flipped:
                    lower_left, lower_right = lower_right, lower_left
    return best, upper, lower_left, lower_right


@kernel
def best_block(codes, n_codes, sequences, penalties, contributions, weights, losses, kinds, are_leaves, form, limit):
    """Return the best split of a node together with the best splits of its two children.

    The result is (objective, upper split, left split, right split), each split as (column, code, flipped), see
    `_best_child`. The objective is `limit` if nothing is below it. For a column of categories, the code of the upper
    split is the number of steps in its sequence.

    codes : uint8[d, m]; n_codes : int64[d]; sequences : int64[d, l], groups of categories that the upper split tries:
    each step adds a code (its number + 1) to the points below, or removes it (negative), and 0 is the end. A row of 0
    is a column of thresholds; penalties : float64[d], in units of the loss; contributions : float64[m, n_sums], of each
    point to the sums for the loss of a leaf, n_sums = 0 if no prediction is free; weights : float64[m]; losses :
    float64[2, 2, m], weighted loss of each point in each of the four subtrees below the children (for kind FIXED, the
    first counts); kinds : int64[2], kinds of the children; are_leaves : bool[2, 2], which of the four subtrees are
    leaves with a free prediction; form : form of the sums, see `leaf_loss`.
    """
    rows = np.ascontiguousarray(codes.T)
    amounts, largest = block_amounts(contributions, weights, losses, form)
    whole = np.zeros((n_codes.size, n_codes.max(), amounts.shape[1]))
    table = np.zeros_like(whole)
    for i in range(weights.size):
        _add(whole, rows, amounts, i, 1.0)
    block = _Block(
        codes, n_codes, sequences, penalties, kinds, are_leaves, contributions.shape[1], form, amounts,
        amounts.sum(axis=0), whole, largest,
    )  # fmt: skip
    best, upper, lower_left, lower_right = limit, NONE, NONE, NONE
    whole_losses = np.empty(2)
    for side in range(2):  # all points in one child
        loss, column, cut, is_flipped = _best_child(block, table, True, block.totals, side, np.inf)
        whole_losses[side] = loss
        if loss < best:
            best, upper, lower_left, lower_right = loss, (-1, 0, side == 1), NONE, NONE
            if side == 0:
                lower_left = (column, cut, is_flipped)
            else:
                lower_right = (column, cut, is_flipped)
    is_symmetric = kinds[0] == kinds[1] and kinds[0] != FIXED and (kinds[0] == LEAF or are_leaves.all())
    for column in range(n_codes.size):
        if penalties[column] < best:
            found, above, left, right = _best_at(block, column, rows, table, whole_losses, is_symmetric, best)
            if found < best:
                best, upper, lower_left, lower_right = found, above, left, right
    return best, upper, lower_left, lower_right
