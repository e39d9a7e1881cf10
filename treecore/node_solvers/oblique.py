"""Sparse oblique node: l1-regularised logistic regression or squared hinge loss.

See Carreira-Perpiñán and Tavallali 2018, "Sparse oblique trees".
"""

import numpy as np

from treecore.data.columns import with_room
from treecore.data.training_data import TrainingData
from treecore.fixed_order import dot
from treecore.node_solvers.l1_kernels import (
    FLOOR,
    PER_FEATURE,
    Limits,
    Problem,
    newton,
    solve_dense,
    working_set,
    workspace,
)
from treecore.node_solvers.l1_kernels import start as begin
from treecore.node_solvers.surrogates import SURROGATES, without_care_points
from treecore.tree.split import Split, constant_split

# Each pass improves a node from its last weights, so a loose solution suffices.
LOOSE = Limits(tolerance=3e-4, working_sets=6, newton_steps=10, sweeps=4)
# On small data, nodes are solved to the optimum, which takes little time.
TIGHT = Limits(tolerance=1e-6, working_sets=1000, newton_steps=1000, sweeps=50)
SMALL = 200_000  # maximum number of rows × features for the default `TIGHT`
DENSE_ENOUGH = 0.7


def node_limits(data: TrainingData, tol: float | None = None, max_inner: int | None = None) -> Limits:
    """Return the limits for `tol` and `max_inner`. None means `TIGHT` for at most `SMALL` numbers, else `LOOSE`."""
    is_small = data.n_rows * data.n_features <= SMALL
    limits = TIGHT if is_small or tol is not None else LOOSE
    if tol is not None:
        limits = limits._replace(tolerance=tol)
    if max_inner is not None:
        limits = limits._replace(working_sets=max_inner + 1, newton_steps=max_inner, steps=max_inner)
    return limits


class ObliqueSolver:
    """Minimise the surrogate ``sum_i c_i loss(y_i (w . x_i + b)) + lam |w|_1`` over the care points of a node.

    The method is proximal Newton with working sets, starting from the previous weights of the node. The penalty applies
    to the weights of the scaled features, not to the bias. Columns of float64 are solved in float64, other columns in
    float32. `Split.converged` is True if the tolerance was reached before another limit.
    """

    monotone = False

    def __init__(self, data: TrainingData, surrogate: str = "logistic", limits: Limits | None = None) -> None:
        self.data = data
        if not data.columns.is_sparse:
            data.columns.values = with_room(data.columns.values)
        self.surrogate = SURROGATES[surrogate]
        self.limits = limits or node_limits(data)
        self.real = np.float64 if data.columns.values.dtype == np.float64 else np.float32
        self.center = data.center.astype(self.real)
        self.inverse_scale = data.inverse_scale.astype(self.real)

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the l1 norm of the weights on scaled features. A constant feature has penalty 0."""
        inverse_scale = self.data.inverse_scale[features]
        usable = inverse_scale > 0
        return float(np.abs(weights[usable] / inverse_scale[usable]).sum())

    def solve(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> Split:
        """Return the split of a reduced problem, see `treecore.node_solvers`."""
        right, left = max(signed.max(), 0.0), max(-signed.min(), 0.0)  # largest weight on each side
        if left == 0 and right == 0:
            return without_care_points(self.data, start, stop, lam, current)
        if left == 0 or right == 0:
            return constant_split(right > 0)
        v = np.zeros(self.data.n_features, self.real)
        v[current.features] = current.weights / self.data.inverse_scale[current.features]
        bias = self.real(current.bias + dot(current.weights, self.center[current.features]))
        # Weights are divided by the largest weight, so that squared errors of any size fit into float32.
        unit = max(left, right)
        signs, weights = np.sign(signed).astype(self.real), (np.abs(signed) / unit).astype(self.real)
        solve = self._solve_sparse if self.data.columns.is_sparse else self._solve_dense
        bias, converged = solve(start, stop, signs, weights, self.real(lam / unit), v, bias)
        return self._fold(v, float(bias))._replace(converged=converged)

    def _solve_dense(self, start, stop, signs, weights, lam, v, bias):
        columns = self.data.columns.values
        care = weights.nonzero()[0]
        if care.size < DENSE_ENOUGH * weights.size:
            # Copying the care points takes less time than many passes over all points.
            columns = self.data.columns.gather(start + care)
            start, signs, weights = 0, signs[care], weights[care]
        problem = Problem(columns, start, self.center, self.inverse_scale, signs, weights, lam, self.surrogate)
        return solve_dense(problem, v, bias, workspace(weights.size, v.size, self.real), self.limits)

    def _solve_sparse(self, start, stop, signs, weights, lam, v, bias):
        """Solve a reduced problem on sparse rows, with sparse gradients and small dense working sets."""
        rows = self.data.columns.rows[start:stop]
        by_column, squared = rows.tocsc(), rows.multiply(rows).tocsr()
        work = workspace(stop - start, v.size, self.real)
        n = weights.size
        work.margins[:n] = rows @ (v * self.inverse_scale) + bias
        floor = FLOOR * weights.sum()
        bias, loss = begin(self._block(by_column, [], signs, weights, lam), v, bias, work)
        converged, left = False, self.limits.steps
        for round_number in range(self.limits.working_sets):
            work.slope[:] = (rows.T @ work.gradient[:n]) * self.inverse_scale
            work.bend[:] = (squared.T @ work.curvature[:n]) * self.inverse_scale**2
            features, promised, penalty = working_set(v, lam, work)
            if round_number > 0 and promised <= self.limits.tolerance * max(loss + lam * penalty, floor):
                return bias, converged
            if left == 0:
                break
            problem = self._block(by_column, features, signs, weights, lam)
            part = work._replace(**{name: getattr(work, name)[features] for name in PER_FEATURE})
            used = v[features]
            bias, loss, converged, left = newton(
                problem, np.arange(features.size), used, bias, loss, part, self.limits, left
            )
            v[features] = used
        return bias, False

    def _block(self, by_column, features, signs, weights, lam):
        columns = with_room(by_column[:, features].toarray().T.astype(self.real))
        return Problem(
            columns, 0, self.center[features], self.inverse_scale[features], signs, weights, lam,
            self.surrogate,
        )  # fmt: skip

    def _fold(self, v, bias):
        """Return the split in raw units."""
        features = v.nonzero()[0].astype(np.int32)
        weights = v[features].astype(np.float64) * self.data.inverse_scale[features]
        raw_bias = bias - dot(weights, self.center[features])
        return Split(features, weights, raw_bias, float(np.abs(v).sum(dtype=np.float64)))
