"""Kernels for the rules of C5.0: covered cases, the effect of dropping a condition, and votes.

Conditions are stored in flat arrays. column : int64[c], attribute; low, high : float64[c], ``low < x <= high``; offset
: int64[c], start of the condition's categories in `members` (bool[...], by code), -1 for numbers. No condition holds
for NaN.
"""

import math

import numpy as np

from treecore._jit import kernel


@kernel
def _holds(value, low, high, offset, members):
    if math.isnan(value):
        return False
    return members[offset + int(value)] if offset >= 0 else low < value <= high


@kernel
def counts_without(columns, y, weights, label, column, low, high, offset, members):
    """Return the cases and errors of a rule, float64[c + 1, 2]. Row 0 is the whole rule, row i + 1 lacks condition i.

    columns : float64[a, n]; y : int64[n], class codes; weights : float64[n]; label : int, class that the rule predicts.
    """
    out = np.zeros((column.size + 1, 2))
    failed, places = np.zeros(y.size, np.int32), np.zeros(y.size, np.int32)
    for k in range(column.size):
        values, place = columns[column[k]], np.int32(k + 1)
        if offset[k] >= 0:
            for i in range(y.size):
                if not _holds(values[i], low[k], high[k], offset[k], members):
                    failed[i] += 1
                    places[i] += place
            continue
        for i in range(y.size):  # a loop without branches, which the compiler vectorises
            holds = np.int32((values[i] > low[k]) & (values[i] <= high[k]))
            failed[i] += np.int32(1) - holds
            places[i] += place * (np.int32(1) - holds)
    for i in range(y.size):
        if failed[i] <= 1:
            out[places[i], 0] += weights[i]
            if y[i] != label:
                out[places[i], 1] += weights[i]
    out[1:] += out[0]
    return out


@kernel
def covered(columns, column, low, high, offset, members):
    """Return the cases for which every condition holds, int64[...], in order."""
    rows, count = np.empty(columns.shape[1], np.int64), 0
    for i in range(columns.shape[1]):
        holds = True
        for k in range(column.size):
            if not _holds(columns[column[k], i], low[k], high[k], offset[k], members):
                holds = False
                break
        if holds:
            rows[count] = i
            count += 1
    return rows[:count].copy()


@kernel
def votes(columns, first, labels, confidences, column, low, high, offset, members, out):
    """Sum the confidences of the rules that cover each row, by class.

    columns : float64[a, n]; first : int64[r + 1], conditions of rule i are [first[i], first[i + 1]); labels : int64[r],
    class codes; confidences : float64[r]; out : float64[n, k], written.
    """
    out[:] = 0.0
    for rule in range(labels.size):
        for i in range(columns.shape[1]):
            holds = True
            for k in range(first[rule], first[rule + 1]):
                if not _holds(columns[column[k], i], low[k], high[k], offset[k], members):
                    holds = False
                    break
            if holds:
                out[i, labels[rule]] += confidences[rule]


@kernel
def rank(totals, rows, best, second):
    """Write the classes with the most and second most votes of some rows, -1 for none. Ties select the first class.

    totals : int64[n, k], votes; rows : int64[m]; best, second : int64[n].
    """
    for row in rows:
        first, next_best = -1, -1
        for c in range(totals.shape[1]):
            if totals[row, c] == 0:
                continue
            if first < 0 or totals[row, c] > totals[row, first]:
                first, next_best = c, first
            elif next_best < 0 or totals[row, c] > totals[row, next_best]:
                next_best = c
        best[row], second[row] = first, next_best


@kernel
def changes(rows, first, inside, labels, votes, totals, best, second, y, weights, out):
    """Compute the change in the errors of the vote when a rule is added, or removed if it is included.

    rows : int64[...], rule r covers rows[first[r] : first[r + 1]]; inside : bool[r]; labels, votes : int64[r]; totals,
    best, second : as in `rank`; y : int64[n], class codes; weights : float64[n]; out : float64[r], written.
    """
    for rule in range(labels.size):
        label, vote, change = labels[rule], votes[rule], 0.0
        for place in range(first[rule], first[rule + 1]):
            row = rows[place]
            top = best[row]
            if inside[rule] != (label == top):
                continue
            most = totals[row, top] if top >= 0 else 0
            if inside[rule]:
                other = second[row]
                lead = (totals[row, other] if other >= 0 else 0) - (most - vote)
            else:
                other = label
                lead = totals[row, label] + vote - most
            if lead > 0 or (lead == 0 and other < top):
                change += weights[row] * (int(other != y[row]) - int(top != y[row]))
        out[rule] = change
