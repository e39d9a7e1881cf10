"""Kernels of the search for the best line over pairs of features (file 003, section 2.1.1).

Points have signed weights, positive when they want to go right. The score of a line is the signed weight on its right
side; minimising the weighted 0/1 loss means maximising that. A line may be turned round, so every scan looks at both
sides.
"""

import numpy as np

from treecore._jit import kernel

# Events of a rotating line closer than this (in radians) happen together.
SAME_ANGLE = 1e-12


@kernel
def quantise(values, codes, n_levels):
    """Codes uint8[d, m] of `values` float64[d, m]: equal steps over the range of each row."""
    for j in range(values.shape[0]):
        row = values[j]
        low, high = row.min(), row.max()
        scale = 0.0 if high == low else (n_levels - 1e-9) / (high - low)
        for i in range(row.size):
            codes[j, i] = int((row[i] - low) * scale)


@kernel
def screen_pairs(codes, signed, positions, n_bins, n_levels, scores, orientations):
    """Score and orientation of the best coarse line of every pair, in the order (0, 1), (0, 2), ... (d-2, d-1).

    positions : int16[orientations, n_levels**2], bin of each cell of the pair's histogram; the cost of a pair is
    one pass over the points plus orientations * n_levels**2, whatever the number of points.
    """
    cells = np.empty(n_levels * n_levels)
    bins = np.empty(n_bins)
    total = 0.0
    for i in range(signed.size):
        total += signed[i]
    pair = 0
    for j in range(codes.shape[0]):
        for k in range(j + 1, codes.shape[0]):
            cells[:] = 0.0
            for i in range(signed.size):
                cells[int(codes[j, i]) * n_levels + int(codes[k, i])] += signed[i]
            best, best_orientation = -np.inf, 0
            for o in range(positions.shape[0]):
                bins[:] = 0.0
                for c in range(cells.size):
                    bins[positions[o, c]] += cells[c]
                above = 0.0
                for b in range(n_bins - 1, 0, -1):
                    above += bins[b]
                    if above > best or total - above > best:
                        best, best_orientation = max(above, total - above), o
            scores[pair], orientations[pair] = best, best_orientation
            pair += 1


@kernel
def screen_orientations(x, y, signed, angles, bins, scores):
    """Score of each angle of the normal for one pair: thresholds on a fine grid of the points' projections."""
    n_bins = bins.size
    total = 0.0
    for i in range(signed.size):
        total += signed[i]
    for h in range(angles.size):
        cosine, sine = np.cos(angles[h]), np.sin(angles[h])
        low, high = np.inf, -np.inf
        for i in range(x.size):
            value = cosine * x[i] + sine * y[i]
            low, high = min(low, value), max(high, value)
        scale = 0.0 if high <= low else (n_bins - 1e-6) / (high - low)
        bins[:] = 0.0
        for i in range(x.size):
            bins[int((cosine * x[i] + sine * y[i] - low) * scale)] += signed[i]
        best, above = -np.inf, 0.0
        for b in range(n_bins - 1, 0, -1):
            above += bins[b]
            best = max(best, above, total - above)
        scores[h] = best


@kernel
def best_direction(x, y, signed):
    """(score, angle) of the best line through the plane, exactly: O(m^2 log m).

    Every way to part the points by a line can be had by a line through one of them, turned a little so that it meets
    no other: for each point as the pivot, a line turns by half a circle and the others cross it one after another.
    The line has the direction `angle`; points to its left are those with a larger y cos - x sin.
    """
    m = x.size
    events = np.empty(m)
    change = np.empty(m)
    total = 0.0
    for i in range(m):
        total += signed[i]
    best, best_angle = -np.inf, 0.0
    for pivot in range(m):
        n, left, own = 0, 0.0, 0.0
        for i in range(m):
            dx, dy = x[i] - x[pivot], y[i] - y[pivot]
            if dx == 0.0 and dy == 0.0:
                own += signed[i]
                continue
            angle = np.arctan2(dy, dx)
            if angle < 0.0:
                angle += 2.0 * np.pi
            if 0.0 < angle <= np.pi:
                left += signed[i]
            if angle in (0.0, np.pi):
                continue
            if angle < np.pi:
                events[n], change[n] = angle, -signed[i]
            else:
                events[n], change[n] = angle - np.pi, signed[i]
            n += 1
        order = np.argsort(events[:n])
        before, at = 0.0, 0
        while True:
            following = events[order[at]] if at < n else np.pi
            score = max(max(left, total - left), max(left + own, total - left - own))
            if score > best:
                best, best_angle = score, 0.5 * (before + following)
            if at >= n:
                break
            before = following
            while at < n and events[order[at]] <= following + SAME_ANGLE:
                left += change[order[at]]
                at += 1
    return best, best_angle


@kernel
def best_cut(values, signed):
    """(score, low, high, above) of the best threshold between neighbouring values; score -inf when all are equal."""
    order = np.argsort(values)
    total = 0.0
    for i in range(signed.size):
        total += signed[i]
    best, best_low, best_high, is_above = -np.inf, 0.0, 0.0, True
    above = total
    for i in range(1, values.size):
        above -= signed[order[i - 1]]
        low, high = values[order[i - 1]], values[order[i]]
        if low < high:
            if above > best:
                best, best_low, best_high, is_above = above, low, high, True
            if total - above > best:
                best, best_low, best_high, is_above = total - above, low, high, False
    return best, best_low, best_high, is_above


@kernel
def _cut_line(raw_x, raw_y, signed, weight_x, weight_y, values):
    """(score, weight of x, weight of y, bias) of the best threshold along one direction, as the tree will route it."""
    for i in range(signed.size):
        values[i] = weight_x * raw_x[i] + weight_y * raw_y[i]
    score, low, high, above = best_cut(values, signed)
    if score == -np.inf:
        return score, weight_x, weight_y, 0.0
    sign = 1.0 if above else -1.0
    bias = -sign * (low + (high - low) / 2)
    a, b = sign * weight_x, sign * weight_y
    # rounding may put a point beside a narrow gap on the wrong side: only what the tree will do counts
    score = 0.0
    for i in range(signed.size):
        if (bias + a * raw_x[i]) + b * raw_y[i] >= 0.0:
            score += signed[i]
    return score, a, b, bias


@kernel
def best_line(raw, scaled, inverse, signed, first, second, coarse, n_sweeps, spacing, n_near, n_kept, n_turns, bins):
    """(score, pair, weight, weight, bias) of the best line over the pairs (first[p], second[p]) of rows; pair -1: none.

    The first `n_sweeps` pairs are searched by the exact rotating line, the others over `n_near` orientations, `spacing`
    apart, on either side of the coarse one (`coarse`: angles on features stretched to the same range). The best
    `n_kept` directions get an exact threshold; then the line with the best is turned by ever smaller angles.
    raw, scaled : float64[d, m]; inverse : float64[d], scale of each row, which turns directions into raw units.
    """
    n_pairs, m = first.size, signed.size
    scores, angles = np.empty(n_pairs), np.empty(n_pairs)
    near, by_angle = np.empty(2 * n_near + 1), np.empty(2 * n_near + 1)
    values = np.empty(m)
    for p in range(n_pairs):
        x, y = scaled[first[p]], scaled[second[p]]
        if p < n_sweeps:
            scores[p], angles[p] = best_direction(x, y, signed)
            angles[p] += 0.5 * np.pi
        else:
            range_x, range_y = x.max() - x.min(), y.max() - y.min()
            for t in range(near.size):
                angle = coarse[p] + (t - n_near) * spacing
                near[t] = np.arctan2(np.sin(angle) * range_x, np.cos(angle) * range_y)
            screen_orientations(x, y, signed, near, bins, by_angle)
            h = np.argmax(by_angle)
            scores[p], angles[p] = by_angle[h], near[h]
    order = np.argsort(-scores)
    best, best_pair, best_angle = -np.inf, -1, 0.0
    best_a, best_b, best_bias = 0.0, 0.0, 0.0
    for rank in range(min(n_kept, n_pairs)):
        p = order[rank]
        a, b = np.cos(angles[p]) * inverse[first[p]], np.sin(angles[p]) * inverse[second[p]]
        score, a, b, bias = _cut_line(raw[first[p]], raw[second[p]], signed, a, b, values)
        if a != 0.0 and b != 0.0 and score > best:
            best, best_pair, best_angle = score, p, angles[p]
            best_a, best_b, best_bias = a, b, bias
    step = spacing
    if best_pair >= 0:
        j, k = first[best_pair], second[best_pair]
        for _ in range(n_turns):
            step *= 0.5
            middle = best_angle
            for side in (-1.0, 1.0):
                angle = middle + side * step
                a, b = np.cos(angle) * inverse[j], np.sin(angle) * inverse[k]
                score, a, b, bias = _cut_line(raw[j], raw[k], signed, a, b, values)
                if a != 0.0 and b != 0.0 and score > best:
                    best, best_angle = score, angle
                    best_a, best_b, best_bias = a, b, bias
    return best, best_pair, best_a, best_b, best_bias
