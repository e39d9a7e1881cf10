"""Bivariate node with feature costs or with constraints on its features and the signs of its weights.

Unlike the search for lines without constraints (`BivariateSolver`), this one depends on lambda and on the permitted
features of the node, so nothing is cached.
"""

import numpy as np

from treecore.data.training_data import SMALLEST_WIDTH, TrainingData
from treecore.errors import DataError
from treecore.fixed_order import exactly_added
from treecore.node_solvers.feature_costs import FeatureCosts
from treecore.node_solvers.pair_kernels import standardise
from treecore.node_solvers.permitted import Permitted, directions
from treecore.node_solvers.signed_line import best_signed_line
from treecore.node_solvers.thresholds import SPARSE_IN_BIVARIATE, best_threshold, is_better, threshold_split, tie_width
from treecore.tree.split import Split, constant_split

MOST_FEATURES = 48  # number of features with the best thresholds, whose pairs are searched
KEPT_PAIRS = 8  # pairs searched on all points
SCREENED_POINTS = 1000  # maximum number of points with which all pairs are screened
SCREENED_ANGLES = 6  # directions in a quadrant when all pairs are screened
KEPT_LINES, TURNS, BINS = 3, 6, 512  # as in `BivariateSolver`
EXACT_POINTS = 12  # maximum number of points for which a pair is solved exactly with exactness "auto"


class ConstrainedBivariateSolver:
    """Minimise ``weighted loss + lam * penalty`` over constants, thresholds, lines and the current split.

    costs : float64[d], penalty of each feature, None for 1. A line has the larger penalty of its two features plus
    cost - 1 times the smaller one. cost, n_orientations, exactness : as in `BivariateSolver`.
    """

    monotone = True

    def __init__(
        self,
        data: TrainingData,
        cost: float = 1.25,
        n_orientations: int = 60,
        exactness: str = "auto",
        costs: np.ndarray | None = None,
    ) -> None:
        if data.columns.is_sparse:
            raise DataError(SPARSE_IN_BIVARIATE)
        self.data, self.cost, self.exactness = data, float(cost), exactness
        self.usable = data.inverse_scale > 0
        self.is_single = self.usable & data.groups.is_single  # features that thresholds may use
        self.costs = FeatureCosts(data, costs)
        self.least_penalty = self.costs.least
        self.n_angles = max(n_orientations // 2, 1)

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split, 0 for a constant. The categories of a column are one feature."""
        values = np.sort(self.costs.values[self.data.groups.distinct(features)])[::-1]
        if values.size < 2:
            return float(values.sum())
        return float(values[0] - values[1] + self.cost * values[1:].sum())

    def set_cost(self, cost: float) -> None:
        """Change the cost of a line."""
        self.cost = float(cost)

    def solve(
        self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split, permitted: Permitted | None = None
    ) -> Split:
        """Return the best split of a reduced problem, see `treecore.node_solvers`."""
        care = np.flatnonzero(signed)
        gains = exactly_added(signed[care])
        total, most = float(gains.sum()), float(gains[gains > 0].sum())
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current)[care])
        best, gain = current, float(gains[goes_right].sum()) - lam * current.penalty
        tie = float(tie_width(float(np.abs(gains).sum()), most - gain))
        constant = constant_split(total > 0)
        if is_better(max(total, 0.0), 0.0, gain, best.penalty, tie):
            best, gain = constant, max(total, 0.0)
        least = lam * self.least_penalty
        if most - least <= gain + tie:  # even a perfect threshold is not worth its penalty
            return best
        rises, falls = directions(self.usable, permitted)
        points = care + start
        found = self.costs.best_threshold(points, gains, lam, self.is_single, permitted, tie, gain + least - tie)
        if found[1] >= 0:
            split = threshold_split(*found[1:])._replace(penalty=float(self.costs.values[found[1]]))
            if is_better(found[0] - least, split.penalty, gain, best.penalty, tie):
                best, gain = split, found[0] - least
        group = self.costs.best_group(points, gains, lam, permitted)
        if group is not None and is_better(group.score - least, group.split.penalty, gain, best.penalty, tie):
            best, gain = group.split, group.score - least
        if most - least * self.cost <= gain + tie:
            return best
        features = self._promising_features(points, gains, rises, falls)
        for split, score in self._lines(points, gains, lam, features, permitted, most - gain):
            if is_better(score - lam * split.penalty, split.penalty, gain, best.penalty, tie):
                best, gain = split, score - lam * split.penalty
        return best

    def next_lambda(
        self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split, permitted: Permitted | None = None
    ) -> float:
        """Return the lambda at which a constant or a threshold with a smaller penalty becomes as good as `current`."""
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current))
        score = float(signed[goes_right].sum())
        critical = (score - max(float(signed.sum()), 0.0)) / current.penalty
        care = np.flatnonzero(signed)
        gains = exactly_added(signed[care])
        return min(
            critical, self.costs.next_lambda(care + start, gains, score, current.penalty, self.is_single, permitted)
        )

    def best_lines(
        self, start: int, stop: int, signed: np.ndarray, most: int, is_exact: bool, permitted: Permitted | None = None
    ) -> list[Split]:
        """Return the best line of each of at most `most` pairs of features, as `BivariateSolver.best_lines`."""
        care = np.flatnonzero(signed)
        gains, points = exactly_added(signed[care]), care + start
        if not care.size:
            return []
        features = self._promising_features(points, gains, *directions(self.usable, permitted))
        exactness = "exact" if is_exact else "screened"
        found = list(self._lines(points, gains, 0.0, features, permitted, np.inf, exactness, most))
        return [split for split, _ in sorted(found, key=lambda one: -one[1])[:most]]

    def _promising_features(self, points, gains, rises, falls):
        """Return the permitted features, sorted, or those with the best thresholds if there are many."""
        features = np.flatnonzero(rises | falls)
        if features.size <= MOST_FEATURES:
            return features
        values, nothing = self.data.columns.values, np.zeros(1)
        scores = [
            best_threshold(values[j : j + 1], points, gains, rises[j : j + 1], falls[j : j + 1], nothing, 0.0)[0]
            for j in features
        ]
        return np.sort(features[np.argsort(-np.array(scores), kind="stable")[:MOST_FEATURES]])

    def _lines(self, points, gains, lam, features, permitted, most, exactness=None, n_kept=KEPT_PAIRS):
        """Yield the best line and its score for each pair that is searched.

        most : largest decrease of the objective of the node; a line with a larger penalty is not worth it; exactness :
        None for that of the solver; n_kept : maximum number of pairs that are not searched exactly.
        """
        exactness = self.exactness if exactness is None else exactness
        first, second = (features[part] for part in np.triu_indices(features.size, 1))
        smaller, larger = np.sort(self.costs.values[[first, second]], axis=0)
        penalties = larger - smaller + self.cost * smaller
        use = lam * penalties < most
        if permitted is not None and permitted.together is not None:
            use &= permitted.together(first, second)
        pairs, penalties = np.stack([first, second], axis=1)[use], penalties[use]
        if not len(pairs):
            return
        order = np.argsort(self.data.rows[points], kind="stable")  # the result must not depend on the tree
        points, gains = points[order], gains[order]
        raw = np.empty((features.size, points.size))
        for row, j in enumerate(features):
            raw[row] = self.data.columns.values[j][points]
        scaled, widths = np.empty(raw.shape), np.empty(features.size)
        standardise(raw, scaled, widths)
        inverse = np.where(widths > SMALLEST_WIDTH, 1.0 / np.maximum(widths, SMALLEST_WIDTH), 0.0)
        rises, falls = directions(self.usable, permitted)

        def search(pair, use, is_exact, *limits):
            places = np.searchsorted(features, pair)
            present = use[~np.isnan(raw[np.ix_(places, use)]).any(axis=0)]
            lost = float(gains[use].sum() - gains[present].sum()) if present.size < use.size else 0.0
            right, left = rises[pair], falls[pair]  # a positive weight sends larger values right
            quadrants = np.array([right.all(), left[0] and right[1], left.all(), right[0] and left[1]], np.bool_)
            own = np.ix_(places, present)
            score, *line = best_signed_line(
                np.ascontiguousarray(raw[own]), np.ascontiguousarray(scaled[own]), inverse[places], gains[present],
                quadrants, is_exact, *limits, np.empty(BINS),
            )  # fmt: skip
            return score + max(lost, 0.0), line, lost, present

        everything = np.arange(points.size)
        kept = np.arange(len(pairs))
        if exactness != "exact" and kept.size > n_kept:
            few = everything[:: -(-points.size // SCREENED_POINTS)]
            share = few.size / points.size
            scores = np.array([search(pair, few, False, SCREENED_ANGLES, 1, 0)[0] for pair in pairs]) / share
            kept = np.argsort(lam * penalties - scores, kind="stable")[:n_kept]
        is_exact = exactness == "exact" or (exactness == "auto" and points.size <= EXACT_POINTS)
        for place in kept:
            pair = pairs[place]
            score, (a, b, bias), lost, present = search(pair, everything, is_exact, self.n_angles, KEPT_LINES, TURNS)
            if score == -np.inf:
                continue
            own = raw[np.ix_(np.searchsorted(features, pair), present)]
            goes_right = (bias + a * own[0]) + b * own[1] >= 0
            missing_right = lost > 0 or (lost == 0 and 2 * np.count_nonzero(goes_right) > goes_right.size)
            yield (
                Split(pair.astype(np.int32), np.array([a, b]), bias, float(penalties[place]), bool(missing_right)),
                score,
            )
