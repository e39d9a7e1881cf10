"""Search for the best line of a pair of features if the signs of its weights are constrained.

The search turns the normal of the line through the permitted quadrants. Unlike `pair_kernels`, it tries one side of
each line, because the other side has the opposite signs.
"""

import numpy as np

from treecore._jit import kernel

SAME_ANGLE = 1e-12  # radians; directions of the normal that are closer than this coincide


@kernel
def _cut(x, y, signed, a, b, values, tie):
    """Return (score, bias, gap) of the best threshold that sends larger ``a x + b y`` right."""
    above = 0.0
    for i in range(x.size):
        values[i] = a * x[i] + b * y[i]
        above += signed[i]
    order = np.argsort(values)
    best, best_gap, best_low = -np.inf, 0.0, 0.0
    for i in range(1, x.size):
        above -= signed[order[i - 1]]
        low, high = values[order[i - 1]], values[order[i]]
        if low < high and above > best + (-tie if high - low > best_gap else tie):
            best, best_gap, best_low = above, high - low, low
    if best == -np.inf:
        return best, 0.0, 0.0
    bias = -(best_low + best_gap / 2)
    score = 0.0  # from the routing of the tree, because rounding may move a point next to a narrow gap
    for i in range(x.size):
        if (bias + a * x[i]) + b * y[i] >= 0.0:
            score += signed[i]
    return score, bias, best_gap


@kernel
def _binned_score(x, y, signed, a, b, bins):
    """Return the score of the best threshold on a fine grid of the projected points."""
    bins[:] = 0.0
    for i in range(x.size):
        value = a * x[i] + b * y[i]
        bins[min(int((0.5 + 0.5 * value / (1.0 + abs(value))) * bins.size), bins.size - 1)] += signed[i]
    best, above = -np.inf, 0.0
    for b in range(bins.size - 1, 0, -1):
        above += bins[b]
        best = max(best, above)
    return best


@kernel
def _all_directions(x, y, low, high):
    """Return one angle in [low, high] from each interval in which the order of the projected points is the same."""
    n, count = x.size, 0
    edges = np.empty(n * (n - 1) // 2 + 2)
    for i in range(n):
        for j in range(i):
            if x[i] == x[j] and y[i] == y[j]:
                continue
            angle = np.arctan2(x[i] - x[j], y[j] - y[i])
            for turns in range(-1, 3):
                turned = angle + turns * np.pi
                if low < turned < high:
                    edges[count] = turned
                    count += 1
                    break
    edges[count], edges[count + 1] = low, high
    edges = np.sort(edges[: count + 2])
    middles, n = np.empty(edges.size), 0
    for i in range(edges.size - 1):
        if edges[i + 1] - edges[i] > SAME_ANGLE:
            middles[n] = 0.5 * (edges[i] + edges[i + 1])
            n += 1
    return middles[:n]


@kernel
def best_signed_line(raw, scaled, inverse, signed, quadrants, is_exact, n_angles, n_kept, n_turns, bins):
    """Return (score, weight, weight, bias) of the best line with permitted signs of the weights.

    The score is -inf if there is no line. raw, scaled : float64[2, m], without missing values; inverse : float64[2], as
    in `best_line`; quadrants : bool[4], whether the normal of the line may point into the quadrants (+, +), (-, +),
    (-, -) and (+, -); is_exact : whether all orders of the projected points are tried, in O(m^3 log m); n_angles :
    number of directions of a quadrant that are tried otherwise, of which the best `n_kept` get an exact threshold;
    n_turns : number of refinements of the best direction by decreasing angles.
    """
    x, y, raw_x, raw_y = scaled[0], scaled[1], raw[0], raw[1]
    values = np.empty(x.size)
    tie = 1e-14 * np.abs(signed).sum()
    best, best_a, best_b, best_bias, best_gap, best_angle, best_low = -np.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    step = 0.5 * np.pi / n_angles
    for quadrant in range(4):
        if not quadrants[quadrant]:
            continue
        low = 0.5 * np.pi * quadrant
        if is_exact:
            angles = _all_directions(x, y, low, low + 0.5 * np.pi)
        else:
            angles, scores = np.empty(n_angles), np.empty(n_angles)
            for h in range(n_angles):
                angles[h] = low + (h + 0.5) * step
                scores[h] = _binned_score(x, y, signed, np.cos(angles[h]), np.sin(angles[h]), bins)
            angles = angles[np.argsort(-scores)[:n_kept]]
        for h in range(angles.size):
            a, b = np.cos(angles[h]) * inverse[0], np.sin(angles[h]) * inverse[1]
            score, bias, gap = _cut(raw_x, raw_y, signed, a, b, values, tie)
            if a != 0.0 and b != 0.0 and score > best + (-tie if gap > best_gap else tie):
                best, best_a, best_b, best_bias, best_gap, best_angle, best_low = score, a, b, bias, gap, angles[h], low
    if best > -np.inf and not is_exact:
        for _ in range(n_turns):
            step *= 0.5
            middle = best_angle
            for side in (-1.0, 1.0):
                angle = middle + side * step
                if not best_low < angle < best_low + 0.5 * np.pi:
                    continue
                a, b = np.cos(angle) * inverse[0], np.sin(angle) * inverse[1]
                score, bias, gap = _cut(raw_x, raw_y, signed, a, b, values, tie)
                if a != 0.0 and b != 0.0 and score > best + (-tie if gap > best_gap else tie):
                    best, best_a, best_b, best_bias, best_gap, best_angle = score, a, b, bias, gap, angle
    return best, best_a, best_b, best_bias
