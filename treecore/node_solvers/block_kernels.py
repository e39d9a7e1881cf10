"""Exact search for a split and its two child splits at once, on columns of at most 256 codes.

The search tries all thresholds at the upper node. While points move from one side to the other, sums for every column
and code are updated, so that the best threshold of each child results from one scan of these sums. A larger set of
points never has a smaller loss, which gives lower bounds that exclude most thresholds of the upper node.
"""

import numpy as np

from treecore._jit import kernel

FIXED, LEAF, SPLIT = 0, 1, 2  # kinds of a child
MOST_CODES = 256


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
def _leaf_loss(sums, n_sums, is_squared):
    """Return the loss of the best leaf for points with these sums: class weights, or moments of the targets."""
    if is_squared:
        return max(sums[2] - sums[1] * sums[1] / sums[0], 0.0) if sums[0] > 0 else 0.0
    total, most = 0.0, 0.0
    for q in range(n_sums):
        total += sums[q]
        most = max(most, sums[q])
    return total - most


@kernel
def _best_child(table, whole, is_rest, totals, side, kind, is_leaf, n_codes, penalties, n_sums, is_squared, limit):
    """Return (loss with penalty, column, code, flipped) of the best split of a child.

    Points below the code go left, or right if flipped. Column -1 is a constant: right if flipped. table : sums of the
    points on one side; the child gets these, or the rest of `whole`; totals : sums of the child's points; limit : only
    results below it matter.
    """
    first, second = n_sums + 2 * side, n_sums + 2 * side + 1
    if kind == FIXED:
        return totals[first], -1, 0, False
    if kind == LEAF:
        return _leaf_loss(totals, n_sums, is_squared), -1, 0, False
    left = _leaf_loss(totals, n_sums, is_squared) if is_leaf[0] else totals[first]
    right = _leaf_loss(totals, n_sums, is_squared) if is_leaf[1] else totals[second]
    best, best_column, best_code, best_flipped = left, -1, 0, False
    if right < best:
        best, best_flipped = right, True
    tie = 1e-12 * (totals[:n_sums].sum() + abs(best)) if not is_squared else 1e-12 * abs(best)
    both, none = is_leaf[0] and is_leaf[1], not (is_leaf[0] or is_leaf[1])
    low, high = np.zeros(totals.size), np.empty(totals.size)
    for j in range(n_codes.size):
        penalty = penalties[j]
        if penalty >= min(best, limit):
            continue
        low[:] = 0.0
        for code in range(n_codes[j] - 1):
            for q in range(totals.size):
                value = table[j, code, q]
                low[q] += whole[j, code, q] - value if is_rest else value
            if none:
                loss = low[first] + totals[second] - low[second]
                flipped = totals[first] - low[first] + low[second]
            else:
                for q in range(totals.size):
                    high[q] = totals[q] - low[q]
                below = _leaf_loss(low, n_sums, is_squared)
                above = _leaf_loss(high, n_sums, is_squared)
                loss = (below if is_leaf[0] else low[first]) + (above if is_leaf[1] else high[second])
                flipped = loss
                if not both:
                    flipped = (above if is_leaf[0] else high[first]) + (below if is_leaf[1] else low[second])
            if loss + penalty < best - tie:
                best, best_column, best_code, best_flipped = loss + penalty, j, code + 1, False
            if flipped + penalty < best - tie:
                best, best_column, best_code, best_flipped = flipped + penalty, j, code + 1, True
    return best, best_column, best_code, best_flipped


@kernel
def best_block(codes, n_codes, penalties, targets, weights, losses, kinds, are_leaves, n_sums, is_squared, limit):
    """Return the best split of a node together with the best splits of its two children.

    The result is (objective, upper split, left split, right split), each split as (column, code, flipped), see
    `_best_child`. The objective is `limit` if nothing is below it.

    codes : uint8[d, m]; n_codes : int64[d]; penalties : float64[d], in units of the loss; targets : float64[m], class
    codes or numbers; weights : float64[m]; losses : float64[2, 2, m], weighted loss of each point in each of the four
    subtrees below the children (for kind FIXED, the first counts); kinds : int64[2], kinds of the children; are_leaves
    : bool[2, 2], which of the four subtrees are leaves with a free prediction; n_sums : number of classes, 3 for the
    squared loss, 0 if no prediction is free.
    """
    d, m = codes.shape
    size = n_sums + 4
    amounts = np.zeros((m, size))
    for i in range(m):
        if n_sums:
            if is_squared:
                amounts[i, 0] = weights[i]
                amounts[i, 1] = weights[i] * targets[i]
                amounts[i, 2] = weights[i] * targets[i] * targets[i]
            else:
                amounts[i, int(targets[i])] = weights[i]
        for side in range(2):
            for child in range(2):
                amounts[i, n_sums + 2 * side + child] = losses[side, child, i]
    filled, n_filled = np.empty((m, size), np.int64), np.zeros(m, np.int64)  # sums to which each point contributes
    rows = np.ascontiguousarray(codes.T)
    for i in range(m):
        for q in range(size):
            if amounts[i, q] != 0.0:
                filled[i, n_filled[i]] = q
                n_filled[i] += 1
    largest = np.zeros(m)  # largest decrease of the loss without the point
    for i in range(m):
        largest[i] = weights[i]
        for side in range(2):
            for child in range(2):
                largest[i] = max(largest[i], losses[side, child, i])
    most = n_codes.max()
    whole = np.zeros((d, most, size))
    totals = np.zeros(size)
    for i in range(m):
        for q in range(size):
            totals[q] += amounts[i, q]
    for j in range(d):
        for i in range(m):
            for q in range(size):
                whole[j, codes[j, i], q] += amounts[i, q]
    table = np.zeros((d, most, size))
    none = (-1, 0, False)
    best, upper, lower_left, lower_right = limit, none, none, none
    for side in range(2):  # all points in one child
        loss, column, cut, is_flipped = _best_child(
            table, whole, True, totals, side, kinds[side], are_leaves[side], n_codes, penalties, n_sums, is_squared,
            best,
        )  # fmt: skip
        if loss < best:
            best, upper, lower_left, lower_right = loss, (-1, 0, side == 1), none, none
            if side == 0:
                lower_left = (column, cut, is_flipped)
            else:
                lower_right = (column, cut, is_flipped)
    is_symmetric = kinds[0] == kinds[1] and kinds[0] != FIXED and (kinds[0] == LEAF or are_leaves.all())
    order, edges = np.empty(m, np.int64), np.zeros(most + 1, np.int64)
    low, high = np.empty(size), np.empty(size)
    for j in range(d):
        if n_codes[j] < 2 or penalties[j] >= best:
            continue
        edges[:] = 0
        for i in range(m):
            edges[codes[j, i] + 1] += 1
        for code in range(most):
            edges[code + 1] += edges[code]
        place = edges.copy()
        for i in range(m):
            order[place[codes[j, i]]] = i
            place[codes[j, i]] += 1
        table[:, :, :] = 0.0
        low[:] = 0.0
        below = np.zeros(2)  # lower bounds for the points below the threshold, without and with flipping
        above = np.full(2, -np.inf)
        for flipped in range(1 if is_symmetric else 2):
            side = 0 if flipped else 1
            above[flipped] = _best_child(
                table, whole, True, totals, side, kinds[side], are_leaves[side], n_codes, penalties, n_sums,
                is_squared, np.inf,
            )[0]  # fmt: skip
        for code in range(n_codes[j] - 1):
            if edges[code] == edges[code + 1]:
                continue
            moved = 0.0
            for place_of in range(edges[code], edges[code + 1]):
                i = order[place_of]
                moved += largest[i]
                for place_of_sum in range(n_filled[i]):
                    q = filled[i, place_of_sum]
                    amount = amounts[i, q]
                    low[q] += amount
                    for k in range(d):
                        table[k, rows[i, k], q] += amount
            for q in range(size):
                high[q] = totals[q] - low[q]
            for flipped in range(1 if is_symmetric else 2):
                above[flipped] = 0.0 if is_squared else max(above[flipped] - moved, 0.0)
                if below[flipped] + above[flipped] + penalties[j] >= best:
                    continue
                side = 1 if flipped else 0
                loss, column, cut, is_flipped = _best_child(
                    table, whole, False, low, side, kinds[side], are_leaves[side], n_codes, penalties, n_sums,
                    is_squared, best,
                )  # fmt: skip
                below[flipped] = min(loss, best)
                if loss + above[flipped] + penalties[j] >= best:
                    continue
                other, column_above, cut_above, is_flipped_above = _best_child(
                    table, whole, True, high, 1 - side, kinds[1 - side], are_leaves[1 - side], n_codes, penalties,
                    n_sums, is_squared, best - loss,
                )  # fmt: skip
                above[flipped] = min(other, best - loss)
                objective = loss + other + penalties[j]
                if objective < best:
                    best, upper = objective, (j, code + 1, flipped == 1)
                    a, b = (column, cut, is_flipped), (column_above, cut_above, is_flipped_above)
                    lower_left, lower_right = (b, a) if flipped else (a, b)
    return best, upper, lower_left, lower_right
