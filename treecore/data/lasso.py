"""l1-regularised least squares by coordinate descent, with sums in a fixed order."""

import numpy as np

from treecore._jit import kernel
from treecore._jit_lanes import add_lanes, full, load, width
from treecore.fixed_order import dot, total

TOLERANCE = 1e-9  # relative decrease of the objective; a sweep that gains less is the last


def lasso(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, lam: float, start: np.ndarray, has_bias: bool, most_sweeps: int
) -> tuple[np.ndarray, float]:
    """Minimise ``sum_n weights_n (y_n - x_n . v - b)^2 + lam |v|_1`` and return (v float64[d], b).

    X : float64[n, d]; start : float64[d], first v; has_bias : whether b is trained, otherwise 0; most_sweeps : maximum
    number of sweeps over all coordinates.
    """
    columns, v = np.ascontiguousarray(X.T), np.array(start, np.float64)
    return v, _descend(columns, np.array(y, np.float64), np.ascontiguousarray(weights), lam, v, has_bias, most_sweeps)


@kernel
def _descend(columns, residual, weights, lam, v, has_bias, most_sweeps):
    """Write the solution into `v` (first guess at the start) and return the bias. residual : y, overwritten."""
    bias, weight = 0.0, total(weights)
    bend = np.empty(v.size)
    for j in range(v.size):
        bend[j] = _weighted_dot(columns[j], columns[j], weights)
        if v[j] != 0.0:
            residual -= v[j] * columns[j]
    for _ in range(most_sweeps):
        gain = 0.0
        if has_bias:
            step = dot(weights, residual) / weight
            bias += step
            residual -= step
            gain += step * step * weight
        for j in range(v.size):
            if bend[j] <= 0.0:
                continue
            target = v[j] + _weighted_dot(columns[j], residual, weights) / bend[j]
            shrink = 0.5 * lam / bend[j]
            new = max(target - shrink, 0.0) if target > 0.0 else min(target + shrink, 0.0)
            step = new - v[j]
            if step != 0.0:
                residual -= step * columns[j]
                v[j] = new
                gain += step * step * bend[j]
        if gain <= TOLERANCE * (_weighted_dot(residual, residual, weights) + lam * np.abs(v).sum()):
            break
    return bias


@kernel
def _weighted_dot(a, b, weights):
    whole = a.size - a.size % width(weights)
    lanes = full(0.0, weights)
    for i in range(0, whole, width(weights)):
        lanes = lanes + load(a, i, weights) * load(b, i, weights) * load(weights, i, weights)
    rest = 0.0
    for i in range(whole, a.size):
        rest += a[i] * b[i] * weights[i]
    return rest + add_lanes(lanes)
