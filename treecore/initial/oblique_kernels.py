"""Kernels for oblique splits by coordinate descent on an impurity (Breiman et al. 1984, 5.2; Murthy et al. 1994).

A hyperplane moves along a line in the space of its coefficients, so the value of every point is ``value + step *
direction``. The direction is a scaled feature (plus a constant), 1 for the bias, or any linear combination. Each point
changes sides at one critical step, so sorting the critical steps gives the best step exactly.

The score of a split is defined in `impurity_kernels`: the sum over its sides of ``squared amounts of the channels /
weight``.
"""

import numpy as np

from treecore._jit import kernel

MAX_CYCLES = 50
CLOSE = 1e-9  # relative difference below which two critical steps are treated as equal
FARTHEST = 1e12


@kernel
def gather_scaled(columns, features, points, center, inverse_scale, out):
    """Write the scaled `features` of the rows `points` of `columns` ([d, n]) into `out` float64[features, points]."""
    for j in range(features.size):
        column, target = columns[features[j]], out[j]
        middle, factor = center[features[j]], inverse_scale[features[j]]
        for i in range(points.size):
            target[i] = (np.float64(column[points[i]]) - middle) * factor


@kernel
def split_score(values, channels, amounts, weights, right, left):
    """Return the score of the split ``values >= 0``, or -inf if a side is empty.

    right, left : float64[channels], overwritten.
    """
    right[:] = 0.0
    left[:] = 0.0
    right_weight, left_weight = 0.0, 0.0
    for i in range(values.size):
        if values[i] >= 0.0:
            right[channels[i]] += amounts[i]
            right_weight += weights[i]
        else:
            left[channels[i]] += amounts[i]
            left_weight += weights[i]
    if right_weight == 0.0 or left_weight == 0.0:
        return -np.inf
    a, b = 0.0, 0.0
    for c in range(right.size):
        a += right[c] * right[c]
        b += left[c] * left[c]
    return a / right_weight + b / left_weight


@kernel
def best_step(values, direction, channels, amounts, weights, critical, movers, right, left, tie):
    """Return (score, step) of the best split ``values + step * direction >= 0``. The score is -inf for none.

    values, direction : float64[m]; critical : float64[m] and movers : int32[m], overwritten; tie : scores within it are
    equal. The score is exact only up to rounding, so the caller compares `split_score` of the resulting values.
    """
    right[:] = 0.0
    left[:] = 0.0
    n, n_right, n_left = 0, 0, 0
    right_weight, left_weight = 0.0, 0.0
    for i in range(values.size):
        d = direction[i]
        if d != 0.0:
            step = -values[i] / d
            if abs(step) < FARTHEST:
                critical[n] = step
                movers[n] = i
                n += 1
                goes_right = d < 0.0
            else:
                goes_right = values[i] >= 0.0
        else:
            goes_right = values[i] >= 0.0
        if goes_right:
            right[channels[i]] += amounts[i]
            right_weight += weights[i]
            n_right += 1
        else:
            left[channels[i]] += amounts[i]
            left_weight += weights[i]
            n_left += 1
    a, b = 0.0, 0.0
    for c in range(right.size):
        a += right[c] * right[c]
        b += left[c] * left[c]
    order = np.argsort(critical[:n])
    best, best_at = -np.inf, 0.0
    for place in range(n - 1):
        here = order[place]
        i = movers[here]
        c, v, weight = channels[i], amounts[i], weights[i]
        if direction[i] > 0.0:
            a += v * (2.0 * right[c] + v)
            b -= v * (2.0 * left[c] - v)
            right[c] += v
            left[c] -= v
            right_weight += weight
            left_weight -= weight
            n_right += 1
            n_left -= 1
        else:
            a -= v * (2.0 * right[c] - v)
            b += v * (2.0 * left[c] + v)
            right[c] -= v
            left[c] += v
            right_weight -= weight
            left_weight += weight
            n_right -= 1
            n_left += 1
        if n_right == 0 or n_left == 0 or right_weight <= 0.0 or left_weight <= 0.0:
            continue
        score = a / right_weight + b / left_weight
        if score > best + tie:
            low, high = critical[here], critical[order[place + 1]]
            if high - low > CLOSE * (abs(low) + abs(high)):
                best, best_at = score, low + (high - low) / 2
    return best, best_at


@kernel
def _values(rows, coefficients, out):
    d = rows.shape[0]
    out[:] = coefficients[d]
    for j in range(d):
        a, row = coefficients[j], rows[j]
        if a != 0.0:
            for i in range(out.size):
                out[i] += a * row[i]


@kernel
def _descend(rows, channels, amounts, weights, shifts, tie, coefficients, values, score, work, movers, right, left):
    """Improve `coefficients` (float64[d + 1], bias last) in place by coordinate descent and return the score."""
    d, m = rows.shape
    direction, trial, critical = work[0], work[1], work[2]
    for _ in range(MAX_CYCLES):
        before = score
        for j in range(d + 1):
            best, best_at, best_shift = -np.inf, 0.0, 0.0
            for s in range(shifts.size if j < d else 1):
                if j < d:
                    row = rows[j]
                    for i in range(m):
                        direction[i] = row[i] + shifts[s]
                else:
                    direction[:] = 1.0
                found, step = best_step(
                    values, direction, channels, amounts, weights, critical, movers, right, left, tie
                )
                if found > best + tie:
                    best, best_at, best_shift = found, step, shifts[s]
            if best > score + tie:
                if j < d:
                    row = rows[j]
                    for i in range(m):
                        trial[i] = values[i] + best_at * (row[i] + best_shift)
                else:
                    for i in range(m):
                        trial[i] = values[i] + best_at
                exact = split_score(trial, channels, amounts, weights, right, left)
                if exact > score + tie:
                    score = exact
                    values[:] = trial
                    coefficients[j] += best_at
                    if j < d:
                        coefficients[d] += best_at * best_shift
        if score <= before + tie:
            break
    return score


@kernel
def best_hyperplane(rows, channels, amounts, weights, n_channels, shifts, starts, jumps, tie):
    """Return (score, coefficients float64[d + 1], bias last) of the best hyperplane over all starts.

    rows : float64[d, m], scaled features; channels : int32[m]; amounts, weights : float64[m]; shifts : float64[s],
    constants added to the feature whose coefficient moves (only 0 in OC1); starts : float64[r, d + 1], initial
    coefficients; the first start keeps its bias, and the others (random directions) start at the best bias; jumps :
    float64[r, p, d + 1], random directions that are tried one by one at each local optimum.
    """
    d, m = rows.shape
    values, work, movers = np.empty(m), np.empty((3, m)), np.empty(m, np.int32)
    right, left = np.empty(n_channels), np.empty(n_channels)
    direction, trial, critical = work[0], work[1], work[2]
    best, best_coefficients = -np.inf, starts[0].copy()
    for r in range(starts.shape[0]):
        coefficients = starts[r].copy()
        _values(rows, coefficients, values)
        if r > 0:
            direction[:] = 1.0
            _, step = best_step(values, direction, channels, amounts, weights, critical, movers, right, left, tie)
            coefficients[d] += step
            for i in range(m):
                values[i] += step
        score = split_score(values, channels, amounts, weights, right, left)
        score = _descend(
            rows, channels, amounts, weights, shifts, tie, coefficients, values, score, work, movers, right, left
        )
        for p in range(jumps.shape[1]):
            _values(rows, jumps[r, p], direction)
            found, step = best_step(values, direction, channels, amounts, weights, critical, movers, right, left, tie)
            if found <= score + tie:
                continue
            for i in range(m):
                trial[i] = values[i] + step * direction[i]
            exact = split_score(trial, channels, amounts, weights, right, left)
            if exact > score + tie:
                values[:] = trial
                coefficients += step * jumps[r, p]
                score = _descend(
                    rows, channels, amounts, weights, shifts, tie, coefficients, values, exact, work, movers, right,
                    left,
                )  # fmt: skip
        if score > best + tie:
            best, best_coefficients = score, coefficients
    return best, best_coefficients
