"""Kernels for the search for the best line over pairs of features.

See Kairgeldin and Carreira-Perpiñán 2024, section 2.1.1.

Rows have signed weights, which are positive if the right child is better. The score of a line is the signed weight on
its right side, so the largest score gives the smallest weighted 0/1 loss. A line can be reversed, so every scan
evaluates both sides.
"""

import numpy as np

from treecore._jit import kernel
from treecore._jit_lanes import full, larger, load, smaller, store, width
from treecore.fixed_order import cosine_and_sine

# share of the total weight; score differences below it are rounding errors
ROUNDING = 1e-14
# radians; events of a rotating line that are closer than this coincide
SAME_ANGLE = 1e-12
SAMPLE = 255  # maximum number of points for computing the centre and width of a feature


@kernel
def mark_problem(rows, start, care, gains, marks):
    """Compute a key of three numbers for a reduced problem, from its care points and their gains on the right."""
    bits = gains.view(np.uint64)
    first, second = np.uint64(0), np.uint64(0)
    for i in range(care.size):
        mixed = bits[i] * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) | np.uint64(1)
        row = rows[start + care[i]]
        first += marks[row, 0] * mixed
        second += marks[row, 1] * mixed
    return care.size, first, second


@kernel
def standardise(raw, scaled, widths):
    """Centre and scale the rows of `raw` (float64[d, m]) so that most values lie around 0 with a width of 1.

    scaled : float64[d, m], written; widths : float64[d], written, 0 for a row whose values are all equal or missing.
    The centre is the median of at most `SAMPLE` points. The width is their interquartile range or, if many values are
    equal, the mean distance of all points from the median. Neither is sensitive to long tails.
    """
    m = raw.shape[1]
    sample = np.empty(min(m, SAMPLE))
    for j in range(raw.shape[0]):
        row = raw[j]
        n = 0
        for t in range(sample.size):
            value = row[t * m // sample.size]
            if not np.isnan(value):
                sample[n] = value
                n += 1
        present = np.sort(sample[:n])
        center = present[n // 2] if n else 0.0
        width = present[(3 * n) // 4] - present[n // 4] if n else 0.0
        if width <= 0.0:
            n, distance = 0, 0.0
            for i in range(m):
                if not np.isnan(row[i]):
                    distance += abs(row[i] - center)
                    n += 1
            width = distance / max(n, 1)
        widths[j] = width
        inverse = 1.0 / width if width > 0.0 else 0.0
        for i in range(m):
            scaled[j, i] = (row[i] - center) * inverse


@kernel
def _bin(value, n_bins):
    """Return the bin of a value. Bins are narrow around 0 and wider towards the tails."""
    share = 0.5 + 0.5 * value / (1.0 + abs(value))
    return min(int(share * n_bins), n_bins - 1)


@kernel
def quantise(scaled, codes, n_levels):
    """Write the bins of scaled values (float64[d, m]) as codes uint8[d, m], with `n_levels` for NaN."""
    for j in range(scaled.shape[0]):
        for i in range(scaled.shape[1]):
            codes[j, i] = n_levels if np.isnan(scaled[j, i]) else _bin(scaled[j, i], n_levels)


@kernel
def screen_pairs(codes, signed, positions, n_bins, stride, scores, orientations):
    """Write the score and orientation of the best coarse line for the pairs (0, 1), ..., (0, d - 1).

    positions : int16[orientations, stride**2], bin of each histogram cell, `n_bins` for missing values. A pair costs
    one pass over the points plus orientations * stride**2, independent of the number of points. (If there are few
    points, each is added to the bins directly.)
    """
    few = signed.size < stride * stride
    cell_of = np.empty(signed.size, np.int32)
    cells = np.empty(stride * stride)
    bins = np.empty(n_bins + 1)
    total = 0.0
    for i in range(signed.size):
        total += signed[i]
    for k in range(1, codes.shape[0]):
        if few:
            for i in range(signed.size):
                cell_of[i] = int(codes[0, i]) * stride + int(codes[k, i])
        else:
            cells[:] = 0.0
            for i in range(signed.size):
                cells[int(codes[0, i]) * stride + int(codes[k, i])] += signed[i]
        best, best_orientation = -np.inf, 0
        for o in range(positions.shape[0]):
            bins[:] = 0.0
            if few:
                for i in range(signed.size):
                    bins[positions[o, cell_of[i]]] += signed[i]
            else:
                for c in range(cells.size):
                    bins[positions[o, c]] += cells[c]
            lost, above = bins[n_bins], 0.0
            for b in range(n_bins - 1, 0, -1):
                above += bins[b]
                score = max(above, total - lost - above) + max(lost, 0.0)
                if score > best:
                    best, best_orientation = score, o
        scores[k - 1], orientations[k - 1] = best, best_orientation


@kernel
def screen_many(codes, signed, positions, n_bins, stride, like, scores, orientations):
    """Do the same as `screen_pairs`, for one pair per lane at a time.

    like : array of the dtype of the sums. Each sum has the order of `screen_pairs` with many points.
    """
    n_lanes, n_cells, last = width(like), stride * stride, codes.shape[0] - 1
    table, bins = np.empty(n_cells * n_lanes, like.dtype), np.empty((n_bins + 1) * n_lanes, like.dtype)
    highest, lowest = np.empty(n_lanes, like.dtype), np.empty(n_lanes, like.dtype)
    gains, cell_of = signed.astype(like.dtype), np.empty(signed.size, np.uint64)
    total = 0.0
    for i in range(signed.size):
        cell_of[i] = np.uint64(codes[0, i]) * np.uint64(stride)
        total += signed[i]
    for begin in range(1, last + 1, n_lanes):
        n = min(n_lanes, last + 1 - begin)
        table[:] = 0.0
        for k in range(0, n, 4):  # four sums at a time do not wait for each other
            _add_cells(
                cell_of, codes[begin + k], codes[min(begin + k + 1, last)], codes[min(begin + k + 2, last)],
                codes[min(begin + k + 3, last)], gains, n_lanes, table[k:],
            )  # fmt: skip
        scores[begin - 1 : begin - 1 + n] = -np.inf
        for o in range(positions.shape[0]):
            bins[:] = 0.0
            for c in range(n_cells):
                at = int(positions[o, c]) * n_lanes
                store(bins, at, load(bins, at, like) + load(table, c * n_lanes, like))
            above, high, low = full(0.0, like), full(-np.inf, like), full(np.inf, like)
            for b in range(n_bins - 1, 0, -1):
                above = above + load(bins, b * n_lanes, like)
                high, low = larger(high, above), smaller(low, above)
            store(highest, 0, high)
            store(lowest, 0, low)
            for k in range(n):
                lost = float(bins[n_bins * n_lanes + k])
                score = max(float(highest[k]), total - lost - float(lowest[k])) + max(lost, 0.0)
                if score > scores[begin - 1 + k]:
                    scores[begin - 1 + k], orientations[begin - 1 + k] = score, o


@kernel
def _add_cells(cell_of, a, b, c, d, gains, n_lanes, table):
    """Add the gains to the cells of four pairs, in the lanes 0 to 3 of a table. a, b, c, d : uint8[m], second codes."""
    stride = np.uint64(n_lanes)
    for i in range(gains.size):
        gain, cell = gains[i], cell_of[i]
        table[(cell + np.uint64(a[i])) * stride] += gain
        table[(cell + np.uint64(b[i])) * stride + np.uint64(1)] += gain
        table[(cell + np.uint64(c[i])) * stride + np.uint64(2)] += gain
        table[(cell + np.uint64(d[i])) * stride + np.uint64(3)] += gain


@kernel
def screen_orientations(x, y, signed, angles, bins, scores):
    """Write the score of one pair for each angle of the normal.

    Thresholds are searched on a fine grid of the projected points.
    """
    n_bins = bins.size
    total = 0.0
    for i in range(signed.size):
        total += signed[i]
    for h in range(angles.size):
        cosine, sine = cosine_and_sine(angles[h])
        bins[:] = 0.0
        for i in range(x.size):
            bins[_bin(cosine * x[i] + sine * y[i], n_bins)] += signed[i]
        best, above = -np.inf, 0.0
        for b in range(n_bins - 1, 0, -1):
            above += bins[b]
            best = max(best, above, total - above)
        scores[h] = best


@kernel
def best_direction(x, y, signed):
    """Return (score, angle) of the exact best line in the plane, in O(m^2 log m).

    Every split by a line is also the split by some line through one of the points that meets no other point. For each
    point as the pivot, a line rotates by half a turn and crosses the other points one by one. The line has the
    direction `angle`, and points to its left have a larger y cos - x sin.
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
def best_cut(values, signed, tie):
    """Return (score, low, high, above) of the best threshold between adjacent values, or score -inf if all are equal.

    above : whether larger values go right. Among scores within `tie`, the widest gap is selected.
    """
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
            wider = -tie if high - low > best_high - best_low else tie
            if above > best + wider:
                best, best_low, best_high, is_above = above, low, high, True
            wider = -tie if high - low > best_high - best_low else tie
            if total - above > best + wider:
                best, best_low, best_high, is_above = total - above, low, high, False
    return best, best_low, best_high, is_above


@kernel
def _cut_line(raw_x, raw_y, signed, weight_x, weight_y, values, tie):
    """Return (score, weight of x, weight of y, bias, gap) of the best threshold along a direction."""
    for i in range(signed.size):
        values[i] = weight_x * raw_x[i] + weight_y * raw_y[i]
    score, low, high, above = best_cut(values[: signed.size], signed, tie)
    if score == -np.inf:
        return score, weight_x, weight_y, 0.0, 0.0
    sign = 1.0 if above else -1.0
    bias = -sign * (low + (high - low) / 2)
    a, b = sign * weight_x, sign * weight_y
    # Rounding may put a point next to a narrow gap on the other side, so the score is computed from the routing of the
    # tree.
    score = 0.0
    for i in range(signed.size):
        if (bias + a * raw_x[i]) + b * raw_y[i] >= 0.0:
            score += signed[i]
    return score, a, b, bias, high - low


@kernel
def _present(first, second, signed, sums, out):
    """Copy the points with both values into the rows of `out` (float64[3, m]) and return their number."""
    n, lost = 0, 0.0
    for i in range(signed.size):
        if np.isnan(first[i]) or np.isnan(second[i]):
            lost += signed[i]
        else:
            out[0, n], out[1, n], out[2, n] = first[i], second[i], signed[i]
            n += 1
    sums[0] = lost
    return n


@kernel
def best_line(
    raw, scaled, inverse, signed, first, second, coarse, n_sweeps, spacing, n_near, n_kept, n_turns, bins, has_missing
):
    """Return (score, pair, weight, weight, bias, do missing values go right?) of the best line over pairs of rows.

    The pair is -1 if there is no line. The first `n_sweeps` pairs are searched exactly by a rotating line. The other
    pairs are searched in `n_near` orientations, `spacing` apart, on both sides of the angle in `coarse`. For the best
    `n_kept` directions, the threshold is computed exactly, and then the best line is refined by decreasing angles.
    Among equally good lines, the one with the widest gap in scaled units is selected. first, second : row numbers of
    each pair; raw, scaled : float64[d, m], NaN for missing values, which go to the side with the smaller loss; inverse
    : float64[d], factor that converts directions to raw units, 0 for a row that lines must not use.
    """
    n_pairs, m = first.size, signed.size
    tie = ROUNDING * np.abs(signed).sum()
    scores, angles = np.empty(n_pairs), np.empty(n_pairs)
    near, by_angle = np.empty(2 * n_near + 1), np.empty(2 * n_near + 1)
    values = np.empty(m)
    lost = np.zeros(1)
    part = np.empty((3, m if has_missing else 0))
    for p in range(n_pairs):
        x, y, gains = scaled[first[p]], scaled[second[p]], signed
        if has_missing:
            n = _present(x, y, signed, lost, part)
            x, y, gains = part[0, :n], part[1, :n], part[2, :n]
            if n < 2:
                scores[p], angles[p] = -np.inf, 0.0
                continue
        if p < n_sweeps:
            scores[p], angles[p] = best_direction(x, y, gains)
            angles[p] += 0.5 * np.pi
        else:
            for t in range(near.size):
                near[t] = coarse[p] + (t - n_near) * spacing
            screen_orientations(x, y, gains, near, bins, by_angle)
            h = np.argmax(by_angle)
            scores[p], angles[p] = by_angle[h], near[h]
        scores[p] += max(lost[0], 0.0)
    order = np.argsort(-scores)
    best, best_pair, best_angle = -np.inf, -1, 0.0
    best_a, best_b, best_bias, best_lost, best_gap, best_right = 0.0, 0.0, 0.0, 0.0, 0.0, False
    for rank in range(min(n_kept, n_pairs)):
        p = order[rank]
        if scores[p] == -np.inf:
            continue
        j, k = first[p], second[p]
        x, y, gains = raw[j], raw[k], signed
        if has_missing:
            n = _present(x, y, signed, lost, part)
            x, y, gains = part[0, :n], part[1, :n], part[2, :n]
        middle = angles[p]
        a, b = cosine_and_sine(middle)
        a, b = a * inverse[j], b * inverse[k]
        score, a, b, bias, gap = _cut_line(x, y, gains, a, b, values, tie)
        score += max(lost[0], 0.0)
        if a != 0.0 and b != 0.0 and score > best + (-tie if gap > best_gap else tie):
            best, best_pair, best_angle, best_lost, best_gap = score, p, middle, lost[0], gap
            best_a, best_b, best_bias = a, b, bias
    if best_pair >= 0:
        j, k = first[best_pair], second[best_pair]
        x, y, gains = raw[j], raw[k], signed
        if has_missing:
            n = _present(x, y, signed, lost, part)
            x, y, gains = part[0, :n], part[1, :n], part[2, :n]
        step = spacing
        for _ in range(n_turns):
            step *= 0.5
            middle = best_angle
            for side in (-1.0, 1.0):
                angle = middle + side * step
                a, b = cosine_and_sine(angle)
                a, b = a * inverse[j], b * inverse[k]
                score, a, b, bias, gap = _cut_line(x, y, gains, a, b, values, tie)
                score += max(best_lost, 0.0)
                if a != 0.0 and b != 0.0 and score > best + (-tie if gap > best_gap else tie):
                    best, best_angle, best_gap = score, angle, gap
                    best_a, best_b, best_bias = a, b, bias
        best_right = best_lost > 0.0 or (best_lost == 0.0 and _mostly_right(x, y, best_a, best_b, best_bias))
    return best, best_pair, best_a, best_b, best_bias, best_right


@kernel
def near_lines(scaled, signed, first, second, coarse, spacing, n_near, bins, scores, angles, cuts):
    """Write the best line of each pair near the angle in `coarse`: its score, its angle and the threshold along it.

    The score is -inf for pairs without a line. Arguments : as in `best_line`.
    """
    n_pairs, m = first.size, signed.size
    tie = ROUNDING * np.abs(signed).sum()
    near, by_angle = np.empty(2 * n_near + 1), np.empty(2 * n_near + 1)
    values, lost, part = np.empty(m), np.zeros(1), np.empty((3, m))
    for p in range(n_pairs):
        n = _present(scaled[first[p]], scaled[second[p]], signed, lost, part)
        x, y, gains = part[0, :n], part[1, :n], part[2, :n]
        for t in range(near.size):
            near[t] = coarse[p] + (t - n_near) * spacing
        screen_orientations(x, y, gains, near, bins, by_angle)
        angles[p] = near[np.argmax(by_angle)]
        cosine, sine = cosine_and_sine(angles[p])
        for i in range(n):
            values[i] = cosine * x[i] + sine * y[i]
        scores[p], low, high, _ = best_cut(values[:n], gains, tie)
        cuts[p] = low + (high - low) / 2
        scores[p] += max(lost[0], 0.0)


@kernel
def _mostly_right(x, y, a, b, bias):
    right = 0
    for i in range(x.size):
        right += (bias + a * x[i]) + b * y[i] >= 0.0
    return 2 * right > x.size
