"""`ObliqueNodes`: sparse oblique splits on rows in parts.

Nodes with few care points are solved by `ObliqueSolver` on all of them. For other nodes the proximal Newton method
takes a few steps from the previous weights, for all nodes of a level at once. Each step needs one pass over the care
points, which returns loss, gradient and Hessian. As in memory, steps are loose: exact minima of the surrogate gave
trees with a larger objective.
"""

import numpy as np

from treecore.node_solvers.l1_kernels import ARMIJO, FLOOR, Limits
from treecore.node_solvers.oblique import ObliqueSolver
from treecore.node_solvers.surrogates import SURROGATES
from treecore.parallel import resolve_jobs, thread_map
from treecore.training.partitions.coding import Coding
from treecore.training.partitions.nodes.level import MOST_BYTES, MOST_POINTS, Level, Scaling, gathered
from treecore.training.partitions.nodes.oblique_kernels import l1_direction
from treecore.training.partitions.values import ValueTree
from treecore.tree.split import Split, constant_split
from treecore.tree.working_tree import WorkingTree

MOST_FEATURES = 300  # with more features, large nodes are solved on a sample, because Hessians would be too large
SMALLEST_STEP = 0.01
NOTHING = 1e-12  # share of the weights; smaller sums are rounding errors


class ObliqueNodes:
    """Node solver of oblique splits. surrogate, limits : as in `ObliqueSolver`; n_jobs : threads."""

    monotone = False
    uses_codes, keeps_values = False, True

    def __init__(self, scaling: Scaling, surrogate: str, limits: Limits, n_jobs: int | None) -> None:
        self.scaling, self.surrogate, self.limits = scaling, surrogate, limits
        self.n_jobs = resolve_jobs(n_jobs)

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split, as `ObliqueSolver` does."""
        inverse_scale = self.scaling.inverse_scale[features]
        usable = inverse_scale > 0
        return float(np.abs(weights[usable] / inverse_scale[usable]).sum())

    def router(self, coding: Coding, tree: WorkingTree) -> ValueTree:
        """Return the object whose method `nodes` converts the tree for the kernels."""
        return ValueTree(tree)

    def solve(self, level: Level) -> dict[int, Split]:
        """Return the new splits of the nodes of a level, by place."""
        whole, right, _, size, n_care = level.sums.T
        left = right - whole
        penalties = level.tree.penalties[level.nodes]
        changed: dict[int, Split] = {}
        for i in np.flatnonzero((n_care == 0) & (penalties > 0) & (level.lam > 0)):
            changed[int(i)] = constant_split(bool(level.sides[i, 1] >= level.sides[i, 0]))
        is_pure = np.minimum(left, right) <= NOTHING * size
        for i in np.flatnonzero((n_care > 0) & is_pure):
            changed[int(i)] = constant_split(bool(right[i] > left[i]))
        mixed = np.flatnonzero((n_care > 0) & ~is_pure)
        is_large = n_care[mixed] > MOST_POINTS
        if self.scaling.center.size > MOST_FEATURES:
            is_large[:] = False
        changed |= self._solve_gathered(level, mixed[~is_large])
        return changed | self._improved(level, mixed[is_large])

    def _solve_gathered(self, level, places):
        """Return the solutions on all or some care points."""
        found = {}
        for points in gathered(level, places, self.scaling):
            solver = ObliqueSolver(points, self.surrogate, self.limits)

            def solve(p, points=points, solver=solver):
                start, stop = points.starts[p], points.stops[p]
                i, signed = points.places[p], points.signed[start:stop]
                lam = level.lam
                if level.n_care[i] > MOST_POINTS:  # the penalty of a part of the weights
                    lam *= float(np.abs(signed).sum() / level.sums[i, 3])
                return solver.solve(start, stop, signed, lam, _usable(level.tree.splits[level.nodes[i]], self.scaling))

            with thread_map(self.n_jobs) as run:
                splits = run(solve, range(points.places.size))
            found |= {int(i): split for i, split in zip(points.places, splits, strict=True)}
        return found

    def _improved(self, level, places):
        """Return the splits after Newton steps on all care points from the current splits."""
        scaling, d = self.scaling, self.scaling.center.size
        searches = [
            _Search(level.sums[i], level.lam, _scaled(level.tree.splits[level.nodes[i]], scaling), scaling, self.limits)
            for i in places
        ]
        size = max(1, MOST_BYTES // (8 * (d + 2) ** 2))
        for number in range(self.limits.newton_steps + 1):  # one more, because the first one evaluates the start
            active = np.flatnonzero([not search.is_done for search in searches])
            if active.size == 0:
                break
            for low in range(0, active.size, size):
                use = active[low : low + size]
                weights = np.stack([searches[p].trial for p in use])
                with_curvature = number < self.limits.newton_steps
                asked = scaling.center, scaling.inverse_scale, weights, SURROGATES[self.surrogate], with_curvature
                for p, sums in zip(use, level.call("derivatives", level.nodes[places[use]], asked), strict=True):
                    searches[p].take(sums, with_curvature)
        return {int(i): search.split() for i, search in zip(places, searches, strict=True)}


class _Search:
    """Newton steps of one node.

    weights : float64[d + 1], best weights so far, of the scaled features and then the bias; trial : weights to evaluate
    next; is_done : whether no further evaluation is necessary.
    """

    def __init__(self, sums, lam, start, scaling, limits):
        self._size = sums[3]
        self._lam, self._scaling, self._limits = lam, scaling, limits
        self._usable = np.append(scaling.inverse_scale > 0, True)
        self.trial = self.weights = start
        self._value, self._step, self._predicted = np.inf, 1.0, 0.0
        self.is_done = False

    def take(self, sums, is_continued):
        """Take loss and derivatives at the trial weights and choose the next ones if the search is continued."""
        d = self.trial.size
        value = float(sums[0] + self._lam * np.abs(self.trial[:-1]).sum())
        decrease = self._value - value
        if decrease >= -ARMIJO * self._step * self._predicted:
            self.weights, self._value = self.trial, value
            if decrease <= self._limits.tolerance * max(float(sums[0]), FLOOR * self._size):
                self.is_done = True
                return
            if not is_continued:
                return
            self._direction = np.empty(d)
            self._predicted = l1_direction(
                sums[1 + d :].reshape(d, d), sums[1 : 1 + d], self.weights, self._usable, self._lam,
                self._limits.sweeps, self._direction,
            )  # fmt: skip
            self._step = 1.0
            self.is_done = self._predicted >= 0
        else:
            self._step *= 0.5
            self.is_done = self._step < SMALLEST_STEP
        self.trial = self.weights + self._step * self._direction

    def split(self):
        """Return the split with the best weights in raw units."""
        scaling, v = self._scaling, self.weights[:-1]
        features = np.flatnonzero(v).astype(np.int32)
        weights = v[features] * scaling.inverse_scale[features]
        bias = float(self.weights[-1] - (weights * scaling.center[features]).sum())
        return Split(features, weights, bias, float(np.abs(v).sum()), converged=self.is_done)


def _scaled(split, scaling):
    """Return the weights of the scaled features and the bias of a split, float64[d + 1]."""
    split = _usable(split, scaling)
    found = np.zeros(scaling.center.size + 1)
    use = split.features
    found[use] = split.weights / scaling.inverse_scale[use]
    found[-1] = split.bias + (split.weights * scaling.center[use]).sum()
    return found


def _usable(split, scaling):
    """Return a split without the features that are constant in the sample, as if they had their value everywhere."""
    use = scaling.inverse_scale[split.features] > 0
    if use.all():
        return split
    features, weights = split.features[~use], split.weights[~use]
    bias = split.bias + float((weights * scaling.center[features]).sum())
    return split._replace(features=split.features[use], weights=split.weights[use], bias=bias)
