"""C5.0 kernels: the best threshold of every feature in a node, and the cases of both children.

A case is a row with a weight. If the value of the split is missing, its weight is divided between both children.
"""

import math

import numpy as np

from treecore._jit import kernel

SMALLEST_SHARE = 1e-3  # smallest share into which a case with a missing value is divided
MOST_SMALL_SPLIT = 25.0
TIE = 1e-9


@kernel
def xlogx(x):
    """Return ``x log2(x)``, with value 0 at 0."""
    return x * math.log2(x) if x > 0.0 else 0.0


@kernel
def threshold_gains(columns, rows, weights, y, n_classes, min_cases, first, last, out):
    """Find the best threshold of the features [first, last) for the cases of a node.

    columns : float64[d, n], NaN for a missing value; rows : int64[m]; weights : float64[m]; y : int64[n], class codes;
    out : float64[d, 4], written for these features: gain in bits per case less the cost of encoding the threshold (0 if
    there is no gain), split information, and the two values next to the threshold.
    """
    m = rows.size
    cases = weights.sum()
    total, low = np.empty(n_classes), np.empty(n_classes)
    values, known = np.empty(m), np.empty(m, np.int64)
    for j in range(first, last):
        out[j] = 0.0
        column = columns[j]
        count, known_cases = 0, 0.0
        total[:] = 0.0
        for i in range(m):
            value = column[rows[i]]
            if not math.isnan(value):
                values[count], known[count] = value, i
                count += 1
                known_cases += weights[i]
                total[y[rows[i]]] += weights[i]
        if known_cases < 2.0 * min_cases:
            continue
        part = values[:count]
        order = np.argsort(part, kind="mergesort")
        least = max(min(0.1 * known_cases / n_classes, MOST_SMALL_SPLIT), min_cases) - TIE
        low[:] = 0.0
        low_cases, smallest, best, tries = 0.0, np.inf, -1, 0
        for i in range(count - 1):
            at = known[order[i]]
            low[y[rows[at]]] += weights[at]
            low_cases += weights[at]
            if known_cases - low_cases < least:
                break
            if low_cases < least or part[order[i]] == part[order[i + 1]]:
                continue
            tries += 1
            information = xlogx(low_cases) + xlogx(known_cases - low_cases)
            for c in range(n_classes):
                information -= xlogx(low[c]) + xlogx(total[c] - low[c])
            if information < smallest - TIE:
                smallest, best = information, i
        if best < 0:
            continue
        base = xlogx(known_cases)
        for c in range(n_classes):
            base -= xlogx(total[c])
        below, above = part[order[best]], part[order[best + 1]]
        # a threshold is encoded by its index among the candidates, or by its interval of the range
        intervals = (part[order[count - 1]] - part[order[0]]) / (above - below)
        gain = (base - smallest - math.log2(min(float(tries), intervals))) / cases
        if gain <= TIE:
            continue
        low_cases = 0.0
        for i in range(best + 1):
            low_cases += weights[known[order[i]]]
        parts = xlogx(low_cases) + xlogx(known_cases - low_cases) + xlogx(cases - known_cases)
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = gain, (xlogx(cases) - parts) / cases, below, above


@kernel
def divide(column, threshold, rows, weights):
    """Divide cases by ``x <= threshold``.

    Return (rows, weights) of the left side, (rows, weights) of the right side, and the weights of the cases with a
    value on the left and on the right.

    A case without a value is divided in proportion to these weights, or goes to the larger side if a share would be
    tiny.
    """
    m = rows.size
    lefts = rights = missing = 0
    left_cases = right_cases = 0.0
    for i in range(m):
        value = column[rows[i]]
        if math.isnan(value):
            missing += 1
        elif value <= threshold:
            lefts += 1
            left_cases += weights[i]
        else:
            rights += 1
            right_cases += weights[i]
    known = left_cases + right_cases
    share = left_cases / known if known > 0.0 else 0.5
    left_rows, left_weights = np.empty(lefts + missing, np.int64), np.empty(lefts + missing)
    right_rows, right_weights = np.empty(rights + missing, np.int64), np.empty(rights + missing)
    lefts = rights = 0
    for i in range(m):
        value = column[rows[i]]
        part = 1.0 if value <= threshold else 0.0
        if math.isnan(value):
            part = share
            if min(share, 1.0 - share) * weights[i] < SMALLEST_SHARE:
                part = 1.0 if share > 0.5 else 0.0
        if part > 0.0:
            left_rows[lefts], left_weights[lefts] = rows[i], part * weights[i]
            lefts += 1
        if part < 1.0:
            right_rows[rights], right_weights[rights] = rows[i], (1.0 - part) * weights[i]
            rights += 1
    return (
        left_rows[:lefts], left_weights[:lefts], right_rows[:rights], right_weights[:rights], left_cases, right_cases,
    )  # fmt: skip


@kernel
def class_weights(rows, weights, y, n_classes):
    """Return the weight of the cases of each class, float64[n_classes]."""
    counts = np.zeros(n_classes)
    for i in range(rows.size):
        counts[y[rows[i]]] += weights[i]
    return counts
