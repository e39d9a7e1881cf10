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
def screen_pairs(codes, signed, positions, n_bins, n_levels, scores):
    """Score of the best coarse line of every pair, in the order (0, 1), (0, 2), ... (d-2, d-1).

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
            best = -np.inf
            for o in range(positions.shape[0]):
                bins[:] = 0.0
                for c in range(cells.size):
                    bins[positions[o, c]] += cells[c]
                above = 0.0
                for b in range(n_bins - 1, 0, -1):
                    above += bins[b]
                    best = max(best, above, total - above)
            scores[pair] = best
            pair += 1


@kernel
def screen_orientations(x, y, signed, cosines, sines, bins, scores):
    """Score of each orientation for one pair: thresholds on a fine grid of the points' projections."""
    n_bins = bins.size
    total = 0.0
    for i in range(signed.size):
        total += signed[i]
    for h in range(cosines.size):
        low, high = np.inf, -np.inf
        for i in range(x.size):
            value = cosines[h] * x[i] + sines[h] * y[i]
            low, high = min(low, value), max(high, value)
        scale = 0.0 if high <= low else (n_bins - 1e-6) / (high - low)
        bins[:] = 0.0
        for i in range(x.size):
            bins[int((cosines[h] * x[i] + sines[h] * y[i] - low) * scale)] += signed[i]
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
