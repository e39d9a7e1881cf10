"""Kernels for the l1-regularised linear problem of a sparse oblique node.

    minimise  F(v, b) = sum_i c_i loss(y_i (v . z_i + b)) + lam |v|_1,      z_i = (x_i - center) * inverse_scale

with y_i = +-1, c_i >= 0 and an unpenalised bias b. Columns keep the small dtype of the data (images stay bytes), and z
is computed on the fly. The method is proximal Newton with working sets. The full gradient selects the features that may
move, coordinate descent minimises the local quadratic model over them, and a line search ensures that F decreases
(Yuan, Ho and Lin 2012, "newGLMNET"; working sets as in celer and skglm). A sweep of coordinate descent needs two passes
over the n x |working set| block, at about 0.1 ns per element for bytes in cache.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from treecore._jit import kernel
from treecore._jit_lanes import add_lanes, full, load, store, width
from treecore.fixed_order import dot, exp_minus, log, log1p_share, total

LOGISTIC, SQUARED_HINGE = 0, 1
MAX_HALVINGS = 20
ARMIJO = 0.01
SMALLEST_SET = 32  # number of features in the first working set
SWEEP_SHARE = 0.02  # share of the first sweep's gain; a sweep that gains less is the last
CACHE_LINE = 64  # bytes; a vector that begins at a multiple of it is loaded in one step
FLOOR = 1e-3  # loss per unit of weight; the tolerance is relative to F, but at least to this value


class Problem(NamedTuple):
    """Reduced problem over the rows from `start` on, with d features and n points."""

    columns: np.ndarray  # [d, n_rows], uint8, float32 or float64, finite, with room behind the end (`with_room`)
    start: int
    center: np.ndarray  # real[d]
    inverse_scale: np.ndarray  # real[d], 0 for an unusable feature
    targets: np.ndarray  # real[n], +-1 (any value where the weight is 0)
    weights: np.ndarray  # real[n], >= 0
    lam: float
    surrogate: int


class Limits(NamedTuple):
    """Stopping criteria of the solver."""

    tolerance: float  # relative decrease of F
    working_sets: int
    newton_steps: int  # per working set
    sweeps: int  # per Newton step
    steps: int = 1000  # Newton steps in total


class Workspace(NamedTuple):
    """Scratch arrays: five per point, then five per feature."""

    margins: np.ndarray
    gradient: np.ndarray  # d loss / d margin
    curvature: np.ndarray  # second derivative
    change: np.ndarray  # change of the margins along the Newton direction
    losses: np.ndarray
    slope: np.ndarray  # d loss / d v
    bend: np.ndarray  # second derivative along one coordinate
    direction: np.ndarray
    promise: np.ndarray  # expected decrease if a zero weight moves
    active: np.ndarray  # bool


PER_FEATURE = ("slope", "bend", "direction", "promise", "active")


def workspace(n: int, d: int, real: type) -> Workspace:
    """Return the workspace for n points and d features in the float type `real`.

    Arrays per point are extended by zeros to whole lanes, so that points of other nodes behind the last one count 0.
    """
    lanes = _lanes(real)
    size = -(-n // lanes) * lanes
    room = np.zeros(5 * size + CACHE_LINE // np.dtype(real).itemsize, real)
    first = -room.__array_interface__["data"][0] % CACHE_LINE // room.itemsize  # faster than room.ctypes
    points = room[first : first + 5 * size].reshape(5, size)
    return Workspace(*points, *np.zeros((4, d), real), np.zeros(d, np.bool_))


@cache
def _lanes(real):
    return width(np.empty(0, real))


@kernel
def loss_and_derivatives(problem, work, step):
    """Write gradient and curvature at ``margins + step * change`` and return the weighted loss there."""
    targets, weights, margins, change = problem.targets, problem.weights, work.margins, work.change
    gradient, curvature, losses = work.gradient, work.curvature, work.losses
    real = margins.dtype.type
    one, zero = real(1), real(0)
    if problem.surrogate == LOGISTIC:
        for i in range(weights.size):
            z = targets[i] * (margins[i] + step * change[i])
            e = exp_minus(abs(z), real)
            wrong = (e if z > zero else one) / (one + e)  # probability of the wrong side
            losses[i] = weights[i] * (log1p_share(e, real) + (zero if z > zero else -z))
            gradient[i] = -weights[i] * targets[i] * wrong
            curvature[i] = weights[i] * (wrong * (one - wrong))
    else:
        for i in range(weights.size):
            slack = one - targets[i] * (margins[i] + step * change[i])
            is_short = not slack <= zero  # also if it is NaN
            slack = slack if is_short else zero
            losses[i] = weights[i] * slack * slack
            gradient[i] = real(-2) * weights[i] * targets[i] * slack
            curvature[i] = real(2) * weights[i] if is_short else zero
    return total(losses)


@kernel
def _moments(problem, features, work):
    """Write slope and bend of `features`."""
    gradient, curvature = work.gradient, work.curvature
    for j in features:
        column = problem.columns[j][problem.start :]
        scale = problem.inverse_scale[j]
        middle = full(problem.center[j], gradient)
        first, second = full(0.0, gradient), full(0.0, gradient)
        for i in range(0, gradient.size, width(gradient)):
            values = load(column, i, gradient) - middle
            first = first + values * load(gradient, i, gradient)
            second = second + values * values * load(curvature, i, gradient)
        work.slope[j] = add_lanes(first) * scale
        work.bend[j] = add_lanes(second) * scale * scale


@kernel
def _movable_moments(problem, features, v, work):
    """Write the slope of `features`, and the bend of those that may move."""
    gradient, curvature = work.gradient, work.curvature
    for j in features:
        column = problem.columns[j][problem.start :]
        scale = problem.inverse_scale[j]
        middle = full(problem.center[j], gradient)
        lanes = full(0.0, gradient)
        for i in range(0, gradient.size, width(gradient)):
            lanes = lanes + (load(column, i, gradient) - middle) * load(gradient, i, gradient)
        work.slope[j] = add_lanes(lanes) * scale
        if v[j] != 0 or abs(work.slope[j]) > problem.lam:
            lanes = full(0.0, gradient)
            for i in range(0, gradient.size, width(gradient)):
                values = load(column, i, gradient) - middle
                lanes = lanes + values * values * load(curvature, i, gradient)
            work.bend[j] = add_lanes(lanes) * scale * scale


@kernel
def _curved_dot(column, center, change, curvature):
    """Return ``(column - center) . (curvature * change)``."""
    total, middle = full(0.0, change), full(center, change)
    for i in range(0, change.size, width(change)):
        total = total + (load(column, i, change) - middle) * (load(change, i, change) * load(curvature, i, change))
    return add_lanes(total)


@kernel
def _add_and_dot(added, its_center, factor, column, center, change, curvature):
    """Run `_add_column` of `added`, then return `_curved_dot` of `column`, in one pass."""
    total, middle = full(0.0, change), full(center, change)
    factors, its_middle = full(factor, change), full(its_center, change)
    for i in range(0, change.size, width(change)):
        moved = load(change, i, change) + factors * (load(added, i, change) - its_middle)
        store(change, i, moved)
        total = total + (load(column, i, change) - middle) * (moved * load(curvature, i, change))
    return add_lanes(total)


@kernel
def _add_column(column, center, factor, n, out):
    """Add ``factor * (column - center)`` to the first `n` numbers of `out`."""
    real = out.dtype.type
    for i in range(n):
        out[i] += factor * (real(column[i]) - center)


@kernel
def working_set(v, lam, work):
    """Return (features that may move, expected decrease from the zero weights, l1 norm of v).

    The set contains all nonzero weights and the zero weights with the largest expected decrease, at most the same
    number again.
    """
    promise = work.promise
    promised = 0.0
    penalty = 0.0
    nonzero = 0
    candidates = 0
    for j in range(v.size):
        promise[j] = 0
        if v[j] != 0:
            nonzero += 1
            penalty += abs(v[j])
        elif abs(work.slope[j]) > lam and work.bend[j] > 0:
            excess = abs(work.slope[j]) - lam
            promise[j] = excess * excess / (2 * work.bend[j])
            promised += promise[j]
            candidates += 1
    limit = max(SMALLEST_SET, 2 * nonzero)
    least = v.dtype.type(0)
    if candidates > limit:
        least = np.partition(promise, v.size - limit)[v.size - limit]
    features = np.empty(v.size, np.int64)
    count = 0
    for j in range(v.size):
        if v[j] != 0 or (promise[j] > 0 and promise[j] >= least):
            features[count] = j
            count += 1
    return features[:count], promised, penalty


@kernel
def _minimise_model(problem, features, v, work, sweeps):
    """Run coordinate descent on the quadratic model, write direction and change, and return the change of the bias.

    The step of a feature is added to the change in the same pass that computes the slope of the next feature.
    """
    real = work.margins.dtype.type
    lam = real(problem.lam)
    n = problem.weights.size
    bias_slope = real(total(work.gradient))
    bias_bend = real(1e-12 + total(work.curvature))
    work.change[:] = real(0)
    for j in features:
        work.direction[j] = 0
    bias_change = real(0)
    curved_sum = real(0)
    first_gain = 0.0
    waiting = 0  # feature whose column is added later, with `factor`
    factor = real(0)
    for sweep in range(sweeps):
        step = -(bias_slope + curved_sum) / bias_bend
        bias_change += step
        gain = float(step * step * bias_bend)
        for i in range(n):
            work.change[i] += step
        for j in features:
            old = v[j] + work.direction[j]
            if work.bend[j] <= 0 or (sweep > 0 and old == 0 and not work.active[j]):
                continue
            column = problem.columns[j][problem.start :]
            scale = problem.inverse_scale[j]
            if factor == 0:
                bent = _curved_dot(column, problem.center[j], work.change, work.curvature)
            else:
                added = problem.columns[waiting][problem.start :]
                its_center = problem.center[waiting]
                bent = _add_and_dot(added, its_center, factor, column, problem.center[j], work.change, work.curvature)
                factor = real(0)
            slope = work.slope[j] + bent * scale
            target = old - slope / work.bend[j]
            shrink = lam / work.bend[j]
            new = real(0)
            if target > shrink:
                new = target - shrink
            elif target < -shrink:
                new = target + shrink
            work.active[j] = new != 0
            delta = new - old
            if delta != 0:
                work.direction[j] += delta
                gain += delta * delta * work.bend[j]
                waiting = j
                factor = delta * scale
        if factor != 0:
            added = problem.columns[waiting][problem.start :]
            _add_column(added, problem.center[waiting], factor, n, work.change)
            factor = real(0)
        curved_sum = real(dot(work.curvature, work.change))
        if sweep == 0:
            first_gain = gain
        if gain <= SWEEP_SHARE * first_gain:
            break
    return bias_change


@kernel
def _line_search(problem, features, v, work, loss):
    """Return (accepted step, loss there, decrease of F). The step is 0 if no step lowers F enough.

    Gradient and curvature are written for the new margins, but the margins themselves are not.
    """
    linear = dot(work.gradient, work.change)
    before = 0.0
    full = 0.0
    for j in features:
        before += abs(v[j])
        full += abs(v[j] + work.direction[j])
    predicted = linear + problem.lam * (full - before)
    step = 1.0
    for _ in range(MAX_HALVINGS):
        real_step = work.margins.dtype.type(step)
        penalty = 0.0
        for j in features:
            penalty += abs(v[j] + real_step * work.direction[j])
        reached = loss_and_derivatives(problem, work, real_step)
        difference = reached - loss + problem.lam * (penalty - before)
        if difference <= ARMIJO * step * predicted:
            return step, reached, -difference
        step *= 0.5
    work.change[:] = 0  # change may contain NaN
    return 0.0, loss_and_derivatives(problem, work, work.margins.dtype.type(0)), 0.0


@kernel
def newton(problem, features, v, bias, loss, work, limits, left):
    """Minimise F over `features` and the bias in at most `left` steps.

    The derivatives and the slope and bend of the features must be up to date. `v` and ``work.margins`` are overwritten,
    and the derivatives are updated. Return (bias, loss, whether it converged, remaining steps).
    """
    real = work.margins.dtype.type
    converged = False
    floor = FLOOR * problem.weights.sum()
    for step_number in range(min(limits.newton_steps, left)):
        left -= 1
        if step_number > 0:
            _moments(problem, features, work)
        bias_change = _minimise_model(problem, features, v, work, limits.sweeps)
        least = limits.tolerance * max(loss, floor)
        step, loss, decrease = _line_search(problem, features, v, work, loss)
        if step == 0:  # because of rounding, no step lowers F
            converged = True
            break
        real_step = real(step)
        for j in features:
            v[j] += real_step * work.direction[j]
        for i in range(problem.weights.size):
            work.margins[i] += real_step * work.change[i]
        bias += real_step * bias_change
        if decrease <= least:
            converged = True
            break
    return bias, loss, converged, left


@kernel
def _start_margins(problem, v, bias, work):
    """Write ``v . z + b`` into ``work.margins``."""
    work.margins[:] = bias
    for j in range(v.size):
        if v[j] != 0:
            column = problem.columns[j][problem.start :]
            _add_column(column, problem.center[j], v[j] * problem.inverse_scale[j], problem.weights.size, work.margins)


@kernel
def constant_solution(problem):
    """Return (bias, F) of the best solution without weights."""
    right = 0.0
    left = 0.0
    for i in range(problem.weights.size):
        if problem.targets[i] > 0:
            right += problem.weights[i]
        else:
            left += problem.weights[i]
    if problem.surrogate == LOGISTIC:
        both = log(left + right)
        return log(right) - log(left), right * (both - log(right)) + left * (both - log(left))
    bias = (right - left) / (right + left)
    return bias, right * (1 - bias) ** 2 + left * (1 + bias) ** 2


@kernel
def start(problem, v, bias, work):
    """Compute loss and derivatives at the start and return (bias, loss).

    A warm start that is worse than the solution without weights is replaced by that solution.
    """
    here = work.margins.dtype.type(0)
    loss = loss_and_derivatives(problem, work, here)
    cold_bias, cold = constant_solution(problem)
    if not loss + problem.lam * np.abs(v).sum() <= cold:
        v[:] = 0
        bias = work.margins.dtype.type(cold_bias)
        work.margins[:] = bias
        loss = loss_and_derivatives(problem, work, here)
    return bias, loss


@kernel
def solve_dense(problem, v, bias, work, limits):
    """Minimise F from the warm start (`v`, `bias`). `v` (real[d]) is overwritten.

    Return (bias, whether it converged to the tolerance before another limit was reached).
    """
    _start_margins(problem, v, bias, work)
    bias, loss = start(problem, v, bias, work)
    usable = np.flatnonzero(problem.inverse_scale)
    floor = FLOOR * problem.weights.sum()
    converged, left = False, limits.steps
    for round_number in range(limits.working_sets):
        _movable_moments(problem, usable, v, work)
        features, promised, penalty = working_set(v, problem.lam, work)
        if round_number > 0 and promised <= limits.tolerance * max(loss + problem.lam * penalty, floor):
            return bias, converged
        if left == 0:
            break
        bias, loss, converged, left = newton(problem, features, v, bias, loss, work, limits, left)
    return bias, False
