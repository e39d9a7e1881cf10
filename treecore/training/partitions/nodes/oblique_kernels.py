"""Kernels of the proximal Newton method on the rows of one partition, and of its l1 subproblem."""

import numpy as np

from treecore._jit import kernel
from treecore.fixed_order import exp_minus, log1p_share
from treecore.node_solvers.l1_kernels import LOGISTIC

BLOCK = 8  # points that are added to the Hessian together, which reads and writes it once


@kernel
def add_derivatives(
    values, order, signed, starts, stops, center, inverse_scale, weights, surrogate, with_curvature, out
):
    """Add loss, gradient and Hessian of the surrogate of each node at some weights.

    center, inverse_scale : float64[d]; weights : float64[nodes, d + 1], of the scaled features and then the bias; out :
    float64[nodes, 1 + (d + 1) (d + 2)], added: the loss, the gradient, and the upper triangle of the Hessian as a full
    matrix, if `with_curvature`.
    """
    d = center.size
    z, bent = np.ones((BLOCK, d + 1)), np.empty((BLOCK, d + 1))
    for p in range(starts.size):
        gradient, hessian = out[p, 1 : d + 2], out[p, d + 2 :].reshape(d + 1, d + 1)
        t = starts[p]
        while t < stops[p]:
            size = 0
            while t < stops[p] and size < BLOCK:
                i = order[t]
                t += 1
                if signed[i] != 0.0:
                    loss, bend = _point(values[i], signed[i], center, inverse_scale, weights[p], surrogate, z[size],
                                        gradient)  # fmt: skip
                    out[p, 0] += loss
                    for j in range(d + 1):
                        bent[size, j] = bend * z[size, j]
                    size += 1
            if with_curvature:
                bent[size:] = 0.0
                _add_products(bent, z, hessian)


@kernel
def _point(row, signed, center, inverse_scale, weights, surrogate, z, gradient):
    """Write the scaled features of a point to z, add its gradient, and return its loss and second derivative."""
    d = center.size
    margin = weights[d]
    for j in range(d):
        z[j] = (np.float64(row[j]) - center[j]) * inverse_scale[j]
        margin += weights[j] * z[j]
    gain = np.float64(signed)
    target, weight = np.sign(gain), abs(gain)
    if surrogate == LOGISTIC:
        agreement = target * margin
        e = exp_minus(abs(agreement), np.float64)
        wrong = (e if agreement > 0.0 else 1.0) / (1.0 + e)
        loss = weight * (log1p_share(e, np.float64) + (0.0 if agreement > 0.0 else -agreement))
        slope, bend = -weight * target * wrong, weight * wrong * (1.0 - wrong)
    else:
        slack = max(1.0 - target * margin, 0.0)
        loss = weight * slack * slack
        slope, bend = -2.0 * weight * target * slack, 2.0 * weight if slack > 0.0 else 0.0
    for j in range(d + 1):
        gradient[j] += slope * z[j]
    return loss, bend


@kernel
def _add_products(a, b, out):
    """Add the upper triangle of ``a.T @ b`` for arrays with `BLOCK` rows."""
    n = out.shape[0]
    for j in range(n):
        row = out[j]
        a0, a1, a2, a3, a4, a5, a6, a7 = a[0, j], a[1, j], a[2, j], a[3, j], a[4, j], a[5, j], a[6, j], a[7, j]
        for k in range(j, n):
            first = (a0 * b[0, k] + a1 * b[1, k]) + (a2 * b[2, k] + a3 * b[3, k])
            row[k] += first + ((a4 * b[4, k] + a5 * b[5, k]) + (a6 * b[6, k] + a7 * b[7, k]))


@kernel
def l1_direction(hessian, gradient, weights, usable, lam, sweeps, direction):
    """Minimise ``g . s + s' H s / 2 + lam |v + s|_1`` by coordinate descent and return the change of this model.

    hessian : float64[d + 1, d + 1], of the upper triangle; gradient, weights : float64[d + 1], the bias is last and has
    no penalty; usable : bool[d + 1]; direction : float64[d + 1], written.
    """
    n = gradient.size
    bent = np.zeros(n)  # product of the Hessian and the direction
    direction[:] = 0.0
    first_gain = 0.0
    for sweep in range(sweeps):
        gain = 0.0
        for r in range(n):
            j = n - 1 - r
            bend = hessian[j, j]
            if not usable[j] or bend <= 0.0:
                continue
            old = weights[j] + direction[j]
            target = old - (gradient[j] + bent[j]) / bend
            new, shrink = target, lam / bend
            if j < n - 1:
                new = max(target - shrink, 0.0) if target > 0.0 else min(target + shrink, 0.0)
            change = new - old
            if change == 0.0:
                continue
            direction[j] += change
            gain += change * change * bend
            for k in range(n):
                bent[k] += change * (hessian[j, k] if j <= k else hessian[k, j])
        first_gain = gain if sweep == 0 else first_gain
        if gain <= 1e-6 * first_gain:
            break
    change = 0.0
    for j in range(n):
        change += direction[j] * gradient[j]
        if j < n - 1:
            change += lam * (abs(weights[j] + direction[j]) - abs(weights[j]))
    return change
