"""Kernels of CO2 stumps (Norouzi et al. 2015b, section 4): the surrogate loss of a stump and its minimisation.

A point x, with 1 as its last feature, goes right if ``w . x >= 0``. ``l`` is the loss of its target in a leaf
(`leaf_loss_kernels`). The surrogate loss of a point (Eq. 5) is ``max(l_left - w . x, l_right + w . x) - |w . x|``.
"""

import numpy as np

from treecore._jit import sum_kernel
from treecore.baselines.leaf_loss_kernels import leaf_loss, normaliser_of

FEWEST_STEPS = 20  # per epoch; with fewer steps, small nodes hardly move from their initial stump
SMALLEST_SHARE = 1e-10  # a feature with a smaller share of the largest variance is treated as constant


@sum_kernel
def gather_rows(columns, features, points, inverse_scale, weights, middle, out):
    """Write the standardised `features` of some rows, and a 1, into `out` float32[m, k + 1]. columns : [d, n].

    Return the width in ``out = (x - middle) * inverse_scale / width``: the root mean square of the features that vary.
    middle : float64[k], written, weighted means of these rows; weights : float64[m].
    """
    k, m = features.size, points.size
    total = 0.0
    for i in range(m):
        total += weights[i]
    variance = np.zeros(k)
    for j in range(k):
        column, factor = columns[features[j]], inverse_scale[features[j]]
        first = np.float64(column[points[0]])
        shift = 0.0
        for i in range(m):
            shift += weights[i] * (np.float64(column[points[i]]) - first)
        middle[j] = first + shift / total
        for i in range(m):
            value = (np.float64(column[points[i]]) - middle[j]) * factor
            variance[j] += weights[i] / total * value * value
            out[i, j] = value
    out[:, k] = 1.0
    largest, varying, squares = variance.max(), 0, 0.0
    for j in range(k):
        if variance[j] > SMALLEST_SHARE * largest:
            varying += 1
            squares += variance[j]
    if squares == 0.0:
        return 1.0
    width = np.sqrt(squares / varying)
    for i in range(m):
        for j in range(k):
            out[i, j] /= width
    return width


@sum_kernel
def _dot(row, w):
    total = 0.0
    for j in range(w.size):
        total += row[j] * w[j]
    return total


@sum_kernel
def stump_losses(rows, targets, squared, weights, w, theta, sides):
    """Return the weighted mean surrogate and loss of a stump (Eqs. 2 and 10) and write the side of each point.

    rows : float32[m, k + 1]; targets : float64[m]; squared : whether the loss is squared; weights : float64[m]; w :
    float64[k + 1]; theta : float64[2, parameters of a leaf], left and right; sides : bool[m], written.
    """
    left_log, right_log = normaliser_of(theta[0]), normaliser_of(theta[1])
    surrogate, loss, total = 0.0, 0.0, 0.0
    for i in range(targets.size):
        value = _dot(rows[i], w)
        left = leaf_loss(theta[0], left_log, targets[i], squared)
        right = leaf_loss(theta[1], right_log, targets[i], squared)
        sides[i] = value >= 0.0
        surrogate += weights[i] * (max(left - value, right + value) - abs(value))
        loss += weights[i] * (right if value >= 0.0 else left)
        total += weights[i]
    return surrogate / total, loss / total


@sum_kernel
def _project(w, nu):
    squared = _dot(w, w)
    if squared > nu:
        w *= np.sqrt(nu / squared)


@sum_kernel
def optimise_stump(
    rows, targets, squared, weights, offsets, n_steps, nu, learning_rate, momentum, batch_size, patience, cuts, w, theta
):
    """Minimise the surrogate (Algorithm 1) and return its weighted mean before and after each epoch.

    The result is float64[epochs + 1]. The values of w float64[k + 1] and theta float64[2, parameters] are replaced by
    those with the smallest surrogate.
    rows : see `stump_losses`, in random order; offsets : int64[largest number of epochs], first row of each epoch;
    n_steps : int >= 1, steps per epoch, each on the next `batch_size` rows, or on all if there are fewer; nu : float >
    0, bound on the squared norm of w. The sign of the concave part is fixed during an epoch. After `patience` epochs
    without progress, the learning rate is halved and training continues from the best stump. Training ends after `cuts`
    halvings.
    """
    m, k, n_parameters = targets.size, w.size, theta.shape[1]
    batch_size = min(batch_size, m)
    sides = np.empty(m, np.bool_)
    _project(w, nu)
    best_w, best_theta = w.copy(), theta.copy()
    speed_w, speed_theta = np.zeros(k), np.zeros((2, n_parameters))
    slope_w, slope_theta = np.empty(k), np.empty((2, n_parameters))
    trace = np.empty(offsets.size + 1)
    trace[0], _ = stump_losses(rows, targets, squared, weights, w, theta, sides)
    best, stalled, used = trace[0], 0, 0
    for epoch in range(offsets.size):
        at = offsets[epoch]
        for _ in range(n_steps):
            left_log, right_log = normaliser_of(theta[0]), normaliser_of(theta[1])
            slope_w[:] = 0.0
            slope_theta[:] = 0.0
            left_weight, right_weight = 0.0, 0.0
            for _ in range(batch_size):
                row, target, v = rows[at], targets[at], weights[at]
                value = _dot(row, w)
                left = leaf_loss(theta[0], left_log, target, squared)
                right = leaf_loss(theta[1], right_log, target, squared)
                push, side = 0.0, 0
                if left - value >= right + value:
                    left_weight += v
                    push = -2.0 * v if sides[at] else 0.0
                else:
                    side = 1
                    right_weight += v
                    push = 0.0 if sides[at] else 2.0 * v
                if squared:
                    slope_theta[side, 0] += 2.0 * v * (theta[side, 0] - target)
                else:
                    slope_theta[side, int(target)] -= v
                if push != 0.0:
                    for j in range(k):
                        slope_w[j] += push * row[j]
                at += 1
                if at == m:
                    at = 0
            total = left_weight + right_weight
            for c in range(0 if squared else n_parameters):
                slope_theta[0, c] += left_weight * np.exp(theta[0, c] - left_log)
                slope_theta[1, c] += right_weight * np.exp(theta[1, c] - right_log)
            speed_w = momentum * speed_w - learning_rate / total * slope_w
            speed_theta = momentum * speed_theta - learning_rate / total * slope_theta
            w += speed_w
            theta += speed_theta
            _project(w, nu)
        trace[epoch + 1], _ = stump_losses(rows, targets, squared, weights, w, theta, sides)
        used = epoch + 1
        stalled += 1
        if trace[used] < best * (1.0 - 1e-4):
            stalled = 0
        if trace[used] < best:
            best = trace[used]
            best_w[:] = w
            best_theta[:] = theta
        if stalled >= patience:
            if cuts == 0:
                break
            cuts -= 1
            stalled = 0
            learning_rate *= 0.5
            speed_w[:] = 0.0
            speed_theta[:] = 0.0
            w[:] = best_w
            theta[:] = best_theta
            stump_losses(rows, targets, squared, weights, w, theta, sides)
    w[:] = best_w
    theta[:] = best_theta
    return trace[: used + 1]
