"""Kernels for greedy splits by the Gini index or squared error: thresholds and lines.

See Kairgeldin and Carreira-Perpiñán 2024, section C.4.

Each point has a weight, a channel (its class, or 0 for regression) and an amount that it adds to the channel (its
weight, or for regression the weight times the centred target). The score of a split is the sum over its two sides of
``sum of squared channel sums / weight``. A larger score means a smaller weighted Gini index or squared error. Both
sides are summed directly, without subtraction from totals, so weights of very different sizes cause no cancellation.

The features of a node are scaled so that their trimmed range [low, low + width] becomes [0, 1].
"""

import numpy as np

from treecore._jit import kernel
from treecore.fixed_order import cosine_and_sine

TRIM = 0.02  # share of the weight at each end that is outside the trimmed range of a feature


@kernel
def gather(columns, features, points, out):
    """Copy the rows `points` of some `columns` ([d, n], any dtype) into `out` float64[len(features), len(points)]."""
    for j in range(features.size):
        column, target = columns[features[j]], out[j]
        for i in range(points.size):
            target[i] = column[points[i]]


@kernel
def _best_gap(values, order, channels, amounts, weights, below, sums):
    """Return (score, low, high) of the best threshold between adjacent values. The score is -inf if all are equal."""
    m = values.size
    sums[:] = 0.0
    squares, weight = 0.0, 0.0
    for i in range(m):
        p = order[i]
        c, v = channels[p], amounts[p]
        squares += v * (2.0 * sums[c] + v)
        sums[c] += v
        weight += weights[p]
        below[i] = squares / weight
    sums[:] = 0.0
    squares, weight = 0.0, 0.0
    best, best_low, best_high = -np.inf, 0.0, 0.0
    for i in range(m - 1, 0, -1):
        p = order[i]
        c, v = channels[p], amounts[p]
        squares += v * (2.0 * sums[c] + v)
        sums[c] += v
        weight += weights[p]
        low, high = values[order[i - 1]], values[p]
        if low < high:
            score = squares / weight + below[i - 1]
            if score > best:
                best, best_low, best_high = score, low, high
    return best, best_low, best_high


@kernel
def best_threshold(raw, channels, amounts, weights, n_channels, tie, low, width):
    """Return (score, row, low value, high value) of the best threshold over the rows of `raw` (float64[d, m]).

    The row is -1 if there is no threshold.

    low, width : float64[d], written, trimmed range of each row; the width of a constant row is 0.
    """
    m = weights.size
    below, sums = np.empty(m), np.empty(n_channels)
    total = 0.0
    for i in range(m):
        total += weights[i]
    best, best_row, best_low, best_high = -np.inf, -1, 0.0, 0.0
    for j in range(raw.shape[0]):
        values = raw[j]
        smallest, largest = values.min(), values.max()
        low[j], width[j] = smallest, 0.0
        if smallest == largest:
            continue
        order = np.argsort(values)
        score, below_cut, above_cut = _best_gap(values, order, channels, amounts, weights, below, sums)
        if score > best + tie:
            best, best_row, best_low, best_high = score, j, below_cut, above_cut
        passed, at = weights[order[0]], 0
        while passed <= TRIM * total:
            at += 1
            passed += weights[order[at]]
        start = values[order[at]]
        passed, at = weights[order[m - 1]], m - 1
        while passed <= TRIM * total:
            at -= 1
            passed += weights[order[at]]
        stop = values[order[at]]
        if start >= stop:
            start, stop = smallest, largest
        low[j], width[j] = start, stop - start
    return best, best_row, best_low, best_high


@kernel
def quantise(raw, low, width, n_levels, grid):
    """Quantise `raw` (float64[d, m]) to levels and write them into `grid` (uint8[d, m]).

    The range of each row is divided into equal steps, and values outside it are clipped.
    """
    for j in range(raw.shape[0]):
        row, out = raw[j], grid[j]
        scale = 0.0 if width[j] == 0.0 else n_levels / width[j]
        for i in range(row.size):
            out[i] = int(min(max((row[i] - low[j]) * scale, 0.0), n_levels - 1.0))


@kernel
def _scan_bins(bin_amounts, bin_weights, n_channels, totals, total, sums):
    """Return the best score of a threshold between bins, or -inf if one bin contains all points."""
    sums[:] = 0.0
    best, weight = -np.inf, 0.0
    for b in range(bin_weights.size - 1, 0, -1):
        if bin_weights[b] == 0.0:
            continue
        weight += bin_weights[b]
        above, below = 0.0, 0.0
        for c in range(n_channels):
            here = sums[c] + bin_amounts[b * n_channels + c]
            sums[c] = here
            above += here * here
            below += (totals[c] - here) * (totals[c] - here)
        if total > weight:
            best = max(best, above / weight + below / (total - weight))
    return best


@kernel
def screen_pairs(grid, first, second, channels, amounts, weights, totals, positions, n_bins, n_levels, scores, angles):
    """Write the score and index of the best coarse orientation for each pair (first[p], second[p]) of rows of `grid`.

    positions : int16[orientations, n_levels**2], bin of each histogram cell. Points with the same cell and channel are
    summed first, so the cost of an orientation depends on the number of cells and channels, not of points.
    """
    n_channels, m = totals.size, weights.size
    total = 0.0
    for i in range(m):
        total += weights[i]
    cell_amounts, cell_weights = np.zeros(n_levels**2 * n_channels), np.zeros(n_levels**2 * n_channels)
    used = np.empty(min(m, cell_weights.size), np.int32)
    cells, places = np.empty(used.size, np.int32), np.empty(used.size, np.int32)
    entry_amounts, entry_weights = np.empty(used.size), np.empty(used.size)
    bin_amounts, bin_weights, sums = np.empty(n_bins * n_channels), np.empty(n_bins), np.empty(n_channels)
    for p in range(first.size):
        x, y = grid[first[p]], grid[second[p]]
        n_used = 0
        for i in range(m):
            place = (int(x[i]) * n_levels + int(y[i])) * n_channels + channels[i]
            if cell_weights[place] == 0.0:
                used[n_used] = place
                n_used += 1
            cell_weights[place] += weights[i]
            cell_amounts[place] += amounts[i]
        for e in range(n_used):
            place = used[e]
            cells[e] = place // n_channels
            places[e] = place - cells[e] * n_channels
            entry_amounts[e], entry_weights[e] = cell_amounts[place], cell_weights[place]
            cell_amounts[place], cell_weights[place] = 0.0, 0.0
        scores[p], angles[p] = -np.inf, 0
        for o in range(positions.shape[0]):
            position = positions[o]
            bin_amounts[:] = 0.0
            bin_weights[:] = 0.0
            for e in range(n_used):
                b = position[cells[e]]
                bin_amounts[b * n_channels + places[e]] += entry_amounts[e]
                bin_weights[b] += entry_weights[e]
            score = _scan_bins(bin_amounts, bin_weights, n_channels, totals, total, sums)
            if score > scores[p]:
                scores[p], angles[p] = score, o


@kernel
def _score_direction(x, y, cosine, sine, channels, amounts, weights, totals, total, bin_amounts, bin_weights, sums):
    """Return the score of the best threshold along a direction of scaled features, on a fine grid."""
    n_channels, n_bins = totals.size, bin_weights.size
    low = min(cosine, 0.0) + min(sine, 0.0)
    scale = n_bins / (abs(cosine) + abs(sine))
    bin_amounts[:] = 0.0
    bin_weights[:] = 0.0
    for i in range(x.size):
        b = int(min(max((cosine * x[i] + sine * y[i] - low) * scale, 0.0), n_bins - 1.0))
        bin_amounts[b * n_channels + channels[i]] += amounts[i]
        bin_weights[b] += weights[i]
    return _scan_bins(bin_amounts, bin_weights, n_channels, totals, total, sums)


@kernel
def _side_score(sums, weight):
    squares = 0.0
    for c in range(sums.size):
        squares += sums[c] * sums[c]
    return squares / weight


@kernel
def cut_line(raw_x, raw_y, a, b, channels, amounts, weights, values, below, sums, others):
    """Return (score, bias) of the best threshold along ``a x + b y``, rounded as in routing, or score -inf."""
    for i in range(values.size):
        values[i] = a * raw_x[i] + b * raw_y[i]
    score, low, high = _best_gap(values, np.argsort(values), channels, amounts, weights, below, sums)
    if score == -np.inf:
        return score, 0.0
    bias = -(low + (high - low) / 2)
    # Rounding may put a point next to a narrow gap on the other side, so the score is computed from the routing of the
    # tree.
    sums[:] = 0.0
    others[:] = 0.0
    right, left = 0.0, 0.0
    for i in range(values.size):
        if (bias + a * raw_x[i]) + b * raw_y[i] >= 0.0:
            sums[channels[i]] += amounts[i]
            right += weights[i]
        else:
            others[channels[i]] += amounts[i]
            left += weights[i]
    if right == 0.0 or left == 0.0:
        return -np.inf, 0.0
    return _side_score(sums, right) + _side_score(others, left), bias


@kernel
def best_line(
    raw, low, width, first, second, coarse, channels, amounts, weights, totals, spacing, n_near, n_kept, n_turns, n_bins
):
    """Return (score, pair, weight, weight, bias) of the best line over the pairs (first[p], second[p]) of rows.

    The pair is -1 if there is no line.

    Each pair is searched in `n_near` orientations, `spacing` radians apart, on both sides of its `coarse` orientation.
    For the best `n_kept` directions, the threshold is computed exactly, and the direction is refined `n_turns` times by
    decreasing angles.
    raw : float64[d, m]; low, width : float64[d], see `best_threshold`.
    """
    n_pairs, m, n_channels = first.size, weights.size, totals.size
    total = 0.0
    for i in range(m):
        total += weights[i]
    scores, angles = np.empty(n_pairs), np.empty(n_pairs)
    x, y, values, below = np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    bin_amounts, bin_weights = np.empty(n_bins * n_channels), np.empty(n_bins)
    sums, others = np.empty(n_channels), np.empty(n_channels)
    for p in range(n_pairs):
        j, k = first[p], second[p]
        for i in range(m):
            x[i] = (raw[j, i] - low[j]) / width[j]
            y[i] = (raw[k, i] - low[k]) / width[k]
        scores[p], angles[p] = -np.inf, coarse[p]
        for t in range(-n_near, n_near + 1):
            angle = coarse[p] + t * spacing
            a, b = cosine_and_sine(angle)
            score = _score_direction(
                x, y, a, b, channels, amounts, weights, totals, total, bin_amounts,
                bin_weights, sums,
            )  # fmt: skip
            if score > scores[p]:
                scores[p], angles[p] = score, angle
    order = np.argsort(-scores, kind="mergesort")
    best, best_pair, best_a, best_b, best_bias = -np.inf, -1, 0.0, 0.0, 0.0
    for rank in range(min(n_kept, n_pairs)):
        p = order[rank]
        j, k = first[p], second[p]
        narrow = min(width[j], width[k])
        top, top_angle, step = -np.inf, angles[p], 2.0 * spacing
        for turn in range(n_turns + 1):
            middle = top_angle
            step *= 0.5
            for side in (-1.0, 1.0):
                if turn == 0 and side > 0.0:
                    continue
                angle = middle if turn == 0 else middle + side * step / 2
                a, b = cosine_and_sine(angle)
                a, b = a * (narrow / width[j]), b * (narrow / width[k])
                if a == 0.0 or b == 0.0:
                    continue
                score, bias = cut_line(raw[j], raw[k], a, b, channels, amounts, weights, values, below, sums, others)
                if score > top:
                    top, top_angle = score, angle
                if score > best:
                    best, best_pair, best_a, best_b, best_bias = score, p, a, b, bias
    return best, best_pair, best_a, best_b, best_bias
