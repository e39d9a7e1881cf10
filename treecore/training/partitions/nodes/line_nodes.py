"""`LineNodes`: bivariate splits on rows in parts.

Nodes with few care points are solved by `BivariateSolver` on all of them. In other nodes, the candidates are the best
lines on a sample of the care points and the present line. Their angles and thresholds are then improved on all care
points, by histograms of the projections.
"""

from typing import NamedTuple

import numpy as np

from treecore.fixed_order import cosine_and_sine
from treecore.node_solvers.bivariate import BivariateSolver
from treecore.parallel import resolve_jobs, thread_map
from treecore.training.partitions.coding import Coding, Layout
from treecore.training.partitions.nodes.level import MOST_BYTES, MOST_POINTS, Best, Level, Scaling, gathered
from treecore.training.partitions.nodes.threshold_nodes import offer_thresholds
from treecore.training.partitions.values import ValueTree, split_rows
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

LINES = 6  # candidates from the sample of a node
BINS = 512


class Round(NamedTuple):
    """Search around some lines.

    kept : number of lines of a node that are continued; turns : differences from its angle, as shares of the spacing of
    the orientations; reach : distance of the thresholds on each side of a line, in widths of the features.
    """

    kept: int
    turns: tuple[float, ...]
    reach: float


ROUNDS = (
    Round(LINES + 1, (0.0,), 0.4),
    Round(2, (-0.8, -0.4, 0.0, 0.4, 0.8), 0.1),
    Round(1, (-0.2, -0.1, 0.0, 0.1, 0.2), 0.02),
    Round(1, (-0.05, -0.025, 0.0, 0.025, 0.05), 0.004),
)


class Lines(NamedTuple):
    """Lines of some nodes, [p, q] or [p, q, 2]: features, centre and inverse width of each feature, angle and cut.

    A point is on the right side of a line if its projection is at least `cut`, in scaled and centred values.
    """

    features: np.ndarray
    center: np.ndarray
    inverse: np.ndarray
    angle: np.ndarray
    cut: np.ndarray

    def taken(self, order: np.ndarray) -> "Lines":
        """Return some lines of each node. order : int64[p, k]."""
        node = np.arange(len(order))[:, None]
        return Lines(*(entries[node, order] for entries in self))

    def turned(self, turns: np.ndarray) -> "Lines":
        """Return lines with each of some differences from the angle of each line."""
        found = Lines(*(np.repeat(entries, turns.size, axis=1) for entries in self))
        return found._replace(angle=found.angle + np.tile(turns, self.angle.shape[1]))

    def directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of the features, float64[p, q, 2], and the projection of the centre, float64[p, q]."""
        normals = np.array([cosine_and_sine(angle) for angle in self.angle.ravel()])
        weights = normals.reshape(*self.angle.shape, 2) * self.inverse
        return weights, (weights * self.center).sum(axis=2)


class LineNodes:
    """Node solver of bivariate splits. layout : Layout; others : as in `BivariateSolver`; n_jobs : threads."""

    monotone = True
    uses_codes, keeps_values = True, True

    def __init__(
        self, layout: Layout, scaling: Scaling, cost: float, n_orientations: int, exactness: str, n_jobs: int | None
    ) -> None:
        self.layout, self.scaling = layout, scaling
        self.cost, self.n_orientations, self.exactness = float(cost), n_orientations, exactness
        self.n_jobs = resolve_jobs(n_jobs)

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split, as `BivariateSolver` does."""
        n_columns = self.layout.groups.count(features)
        return float(n_columns) if n_columns < 2 else self.cost * (n_columns - 1)

    def router(self, coding: Coding, tree: WorkingTree) -> ValueTree:
        """Return the object whose method `nodes` converts the tree for the kernels."""
        return ValueTree(tree)

    def solve(self, level: Level) -> dict[int, Split]:
        """Return the new splits of the nodes of a level that change, by place."""
        best = Best(level)
        search = best.worth(np.arange(level.nodes.size), 1.0)
        is_small = level.n_care[search] <= MOST_POINTS
        self._solve_small(level, best, search[is_small])
        large = search[~is_small]
        offer_thresholds(level, best, large)
        self._offer_lines(level, best, best.worth(large, self.cost))
        return best.changed

    def _solver(self, points):
        return BivariateSolver(points, self.cost, self.n_orientations, self.exactness)

    def _solve_small(self, level, best, places):
        for points in gathered(level, places, self.scaling):
            solver = self._solver(points)

            def solve(p, points=points, solver=solver):
                start, stop = points.starts[p], points.stops[p]
                current = level.tree.splits[level.nodes[points.places[p]]]
                return solver.solve(start, stop, points.signed[start:stop], level.lam, current)

            with thread_map(self.n_jobs) as run:
                for i, split in zip(points.places, run(solve, range(points.places.size)), strict=True):
                    best.changed[int(i)] = split

    def _offer_lines(self, level, best, places):
        for points in gathered(level, places, self.scaling):
            solver = self._solver(points)

            def candidates(p, points=points, solver=solver):
                start, stop = points.starts[p], points.stops[p]
                current = level.tree.splits[level.nodes[points.places[p]]]
                found = solver.candidate_lines(start, stop, points.signed[start:stop], LINES)
                return _with_present(found, current if self.penalty(current.features, current.weights) > 1 else None)

            with thread_map(self.n_jobs) as run:
                found = run(candidates, range(points.places.size))
            have = [p for p, lines in enumerate(found) if lines is not None]
            if have:
                lines = Lines(*(np.stack(entries) for entries in zip(*(found[p] for p in have), strict=True)))
                self._improve(level, best, points.places[have], lines)

    def _improve(self, level, best, places, lines):
        """Improve lines on all care points and offer the best of each node."""
        spacing = np.pi / self.n_orientations
        for one in ROUNDS:
            if one.kept < lines.angle.shape[1]:
                lines = lines.taken(np.argsort(-scores, axis=1, kind="stable")[:, : one.kept])  # noqa: F821
            lines = lines.turned(spacing * np.array(one.turns))
            scores, signs, lines = self._cut(level, places, lines, one.reach)
        first = np.argmax(scores, axis=1)[:, None]
        lines, signs = lines.taken(first), np.take_along_axis(signs, first, axis=1)
        weights, offset = lines.directions()
        splits = [
            Split(features[0].astype(np.int32), sign * own[0], float(-sign[0] * (cut + shift)[0]), self.cost)
            for features, own, sign, cut, shift in zip(lines.features, weights, signs, lines.cut, offset, strict=True)
        ]
        exact = level.call("scores", level.nodes[places], split_rows(splits))
        for i, split, (score, lost, balance) in zip(places, splits, exact, strict=True):
            if split.weights.all():
                missing_right = lost > 0 or (lost == 0 and balance > 0)
                best.offer(i, split._replace(missing_right=bool(missing_right)), float(score + max(lost, 0.0)))

    def _cut(self, level, places, lines, reach):
        """Return the score and the sign of the best threshold near the cut of each line, and lines with this cut."""
        weights, offset = lines.directions()
        step = 2 * reach / BINS
        lows = lines.cut - reach
        scores, signs, cuts = np.empty(lows.shape), np.empty(lows.shape), np.empty(lows.shape)
        size = max(1, MOST_BYTES // (lows.shape[1] * (BINS + 3) * 8))
        for low in range(0, places.size, size):
            use = slice(low, low + size)
            asked = lines.features[use], weights[use], (lows + offset)[use], np.full(lows[use].shape, 1 / step)
            histograms = level.call("projections", level.nodes[places[use]], asked, BINS)
            scores[use], signs[use], place = _best_cuts(histograms)
            cuts[use] = lows[use] + place * step
        return scores, signs, lines._replace(cut=cuts)


def _best_cuts(histograms):
    """Return (score, sign, place) of the best threshold of each histogram, in the middle of equally good ones.

    sign : 1 if larger values go right, else -1; place : position of the threshold in bins.
    """
    lost = histograms[..., -1]
    above = np.cumsum(histograms[..., -2::-1], axis=-1)[..., ::-1]
    whole, above = above[..., 0], above[..., 1:]
    at_most, at_least = above.max(axis=-1), above.min(axis=-1)
    rises = at_most >= whole - at_least
    target = np.where(rises, at_most, at_least)
    is_best = above == target[..., None]
    first = is_best.argmax(axis=-1)
    after = np.where(np.arange(above.shape[-1]) > first[..., None], ~is_best, False)
    last = np.where(after.any(axis=-1), after.argmax(axis=-1) - 1, above.shape[-1] - 1)
    score = np.where(rises, at_most, whole - at_least) + np.maximum(lost, 0.0)
    return score, np.where(rises, 1.0, -1.0), (first + last) / 2


def _with_present(found, present):
    """Return the lines of one node, with the same number of lines in every node, or None if there are none."""
    features, angles, cuts, center, inverse = found
    if present is not None and (inverse[present.features] > 0).all():
        own = present.features
        a, b = present.weights / inverse[own]
        length = np.hypot(a, b)
        cut = -present.bias / length - float(present.weights @ center[own]) / length
        features = np.concatenate([own[None], features])
        angles, cuts = np.append(np.arctan2(b, a), angles), np.append(cut, cuts)
    if not len(features):
        return None
    use = np.minimum(np.arange(LINES + 1), len(features) - 1)
    features = features[use]
    return Lines(features, center[features], inverse[features], angles[use], cuts[use])
