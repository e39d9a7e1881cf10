"""C5.0 kernels for categorical columns: the best division of the values into two groups, and their cases."""

import math

import numpy as np

from treecore._jit import kernel
from treecore.baselines.c50.kernels import TIE, divide, xlogx

POWER_STEPS = 50
MOST_PASSES = 20


@kernel
def _principal_direction(counts, sizes, total, cases):
    """Return the first principal component of the values' class shares, float64[k], weighted by cases."""
    n_values, n_classes = counts.shape
    spread = np.zeros((n_classes, n_classes))
    for v in range(n_values):
        if sizes[v] > 0.0:
            for a in range(n_classes):
                off = counts[v, a] - sizes[v] * total[a] / cases
                for b in range(n_classes):
                    spread[a, b] += off * (counts[v, b] / sizes[v] - total[b] / cases)
    largest = 0
    for c in range(n_classes):
        if spread[c, c] > spread[largest, largest]:
            largest = c
    direction = spread[:, largest].copy()
    for _ in range(POWER_STEPS):
        norm = math.sqrt((direction * direction).sum())
        if norm == 0.0:
            break
        direction /= norm
        following = np.zeros(n_classes)
        for a in range(n_classes):
            for b in range(n_classes):
                following[a] += spread[a, b] * direction[b]
        direction = following
    return direction


@kernel
def _information(inside, total, inside_cases, cases):
    """Return the number of bits that encode the classes of all cases, given the side of each case."""
    bits = xlogx(inside_cases) + xlogx(cases - inside_cases)
    for c in range(total.size):
        bits -= xlogx(inside[c]) + xlogx(total[c] - inside[c])
    return bits


@kernel
def _exchange(counts, sizes, values, total, cases, least, group, smallest):
    """Move single values to the other side, in `group`, as long as that saves bits. Return the number of bits."""
    inside, inside_cases = np.zeros(total.size), 0.0
    for v in values:
        if group[v]:
            inside += counts[v]
            inside_cases += sizes[v]
    for _ in range(MOST_PASSES):
        moved = False
        for v in values:
            sign = -1.0 if group[v] else 1.0
            moved_cases = inside_cases + sign * sizes[v]
            if moved_cases < least or cases - moved_cases < least:
                continue
            trial = np.maximum(inside + sign * counts[v], 0.0)
            bits = _information(np.minimum(trial, total), total, moved_cases, cases)
            if bits < smallest - TIE:
                smallest, inside, inside_cases, moved = bits, trial, moved_cases, True
                group[v] = not group[v]
        if not moved:
            break
    return smallest


@kernel
def best_groups(codes, rows, weights, y, n_classes, min_cases, found, group):
    """Find the best split of the values of a categorical column into two groups, for the cases of a node.

    codes : float64[n], 0 .. v - 1, NaN for a missing value; rows : int64[m]; weights : float64[m]; y : int64[n],
    class codes. The function writes found : float64[4], gain in bits per case less the cost of encoding the group (0 if
    there is no gain), split information, and two zeros; group : bool[v], the values on the lighter side.

    The values are ordered by the first principal component of their class shares (Coppersmith, Hong and Hosking,
    Partitioning nominal attributes in decision trees, 1999). With two classes, this is the order of the share of one
    class, and the best group is a prefix (Breiman et al., 1984, section 4.2.2).
    """
    n_values = group.size
    found[:] = 0.0
    group[:] = False
    counts, total, known, cases = np.zeros((n_values, n_classes)), np.zeros(n_classes), 0.0, 0.0
    for i in range(rows.size):
        code = codes[rows[i]]
        cases += weights[i]
        if not math.isnan(code):
            counts[int(code), y[rows[i]]] += weights[i]
            total[y[rows[i]]] += weights[i]
            known += weights[i]
    sizes = counts.sum(axis=1)
    values = np.flatnonzero(sizes > 0.0)
    if values.size < 2 or known < 2.0 * min_cases:
        return
    direction = _principal_direction(counts, sizes, total, known)
    scores = np.zeros(values.size)
    for i in range(values.size):
        for c in range(n_classes):
            scores[i] += direction[c] * counts[values[i], c] / sizes[values[i]]
    ordered = values[np.argsort(scores, kind="mergesort")]
    least = min_cases - TIE
    inside, inside_cases, smallest, best = np.zeros(n_classes), 0.0, np.inf, -1
    for i in range(values.size - 1):
        inside += counts[ordered[i]]
        inside_cases += sizes[ordered[i]]
        if inside_cases < least or known - inside_cases < least:
            continue
        bits = _information(np.minimum(inside, total), total, inside_cases, known)
        if bits < smallest - TIE:
            smallest, best = bits, i
    if best < 0:
        return
    group[ordered[: best + 1]] = True
    smallest = _exchange(counts, sizes, values, total, known, least, group, smallest)
    base = xlogx(known)
    for c in range(n_classes):
        base -= xlogx(total[c])
    # For 200 values, encoding one of 2^(v - 1) - 1 groupings costs more than a grouping gains by chance.
    naming = values.size - 1.0 + math.log2(1.0 - 2.0 ** (1.0 - values.size))
    gain = (base - smallest - naming) / cases
    if gain <= TIE:
        group[:] = False
        return
    group_cases = sizes[group].sum()
    if 2.0 * group_cases > known:
        for v in values:
            group[v] = not group[v]
        group_cases = known - group_cases
    parts = xlogx(group_cases) + xlogx(known - group_cases) + xlogx(cases - known)
    found[0], found[1] = gain, (xlogx(cases) - parts) / cases


@kernel
def divide_groups(codes, group, rows, weights):
    """Divide cases as `divide` does, with the values in `group` (bool[v]) on the right and the rest on the left."""
    sides = np.full(rows.size, np.nan)
    for i in range(rows.size):
        code = codes[rows[i]]
        if not math.isnan(code):
            sides[i] = 1.0 if group[int(code)] else 0.0
    left, left_weights, right, right_weights, left_cases, right_cases = divide(
        sides, 0.5, np.arange(rows.size), weights
    )
    return rows[left], left_weights, rows[right], right_weights, left_cases, right_cases
