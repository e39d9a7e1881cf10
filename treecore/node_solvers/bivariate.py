"""Bivariate node: the constant, threshold or line with the lowest true loss.

See Kairgeldin and Carreira-Perpiñán 2024, section 2.1.1.

All pairs are screened on small histograms, at a cost that hardly depends on the number of points. Many pairs are first
screened on a sample of the points, and only the best part of them on all points. The best few pairs are then searched
on the points. Small problems are solved exactly by a rotating line. The result for a set of care
points does not depend on lambda and is cached, so an unchanged reduced problem costs nothing.
"""

from typing import NamedTuple

import numpy as np

from treecore.data.training_data import SMALLEST_WIDTH, TrainingData
from treecore.errors import DataError
from treecore.fixed_order import cosine_and_sine, exactly_added
from treecore.node_solvers.category_groups import best_group
from treecore.node_solvers.pair_kernels import (
    best_line,
    mark_problem,
    near_lines,
    quantise,
    screen_many,
    screen_pairs,
    standardise,
)
from treecore.node_solvers.permitted import Permitted
from treecore.node_solvers.thresholds import (
    ROUNDING,
    SPARSE_IN_BIVARIATE,
    best_promising_threshold,
    best_threshold,
    is_better,
    threshold_split,
    tie_width,
)
from treecore.tree.split import Split, constant_split

EXACTNESS = ("auto", "screened", "exact")
LEVELS = 16  # levels of each feature in the histogram of a pair
BINS_PER_LEVEL = 2  # bins, per level, for projected histogram cells
COARSE = 12  # orientations when all pairs are screened
FINE_BINS = 512
MOST_FEATURES = 1000  # maximum number of features for which all pairs are screened
KEPT_FEATURES = 96  # with more features, number of features with the best thresholds, whose pairs are searched
FEW_PAIRS = 8  # minimum number of pairs that are screened at once
MOST_WHOLE = 2**24  # sums of whole numbers up to here are exact in float32
MANY_PAIRS = 2000  # maximum number of pairs that are screened on all points
FIRST_SAMPLE = 512  # points in the first sample on which many pairs are screened
FURTHER = 8  # ratio of the sizes of successive samples, and of the pairs screened on them
KEPT_PAIRS = 8  # pairs searched on the points
KEPT_LINES = 3  # lines whose threshold is computed exactly
TURNS = 6  # halvings of the angle around the best line
SWEEP_WORK = 10_000  # maximum number of point pairs for the exact sweep of a node with exactness "auto"
REMEMBERED = 100_000  # maximum number of cached reduced problems


class Found(NamedTuple):
    """Split with the signed weight that it sends right."""

    split: Split
    score: float


class BivariateSolver:
    """Minimise ``weighted loss + lam * penalty`` over constants, thresholds, groups, lines and the current split.

    Groups are those of the categories of a column.

    cost : float >= 1, penalty of a line (a threshold has penalty 1); n_orientations : H of the paper; exactness :
    "exact" solves all pairs exactly, "screened" none, and "auto" the best pairs of small problems. If more than
    `MOST_FEATURES` features vary, only pairs of the `KEPT_FEATURES` with the best thresholds in the node are searched.
    More than `MANY_PAIRS` pairs are screened on samples first, unless exactness is "exact".
    The current split is always a candidate, so the objective never increases. In a tie, the split with fewer parameters
    is selected.
    """

    monotone = True
    least_penalty = 1.0

    def __init__(
        self, data: TrainingData, cost: float = 1.25, n_orientations: int = 60, exactness: str = "auto"
    ) -> None:
        if data.columns.is_sparse:
            raise DataError(SPARSE_IN_BIVARIATE)
        self.data, self.cost, self.exactness = data, float(cost), exactness
        self.usable = np.flatnonzero(data.inverse_scale > 0)
        self.is_usable = (data.inverse_scale > 0) & data.groups.is_single  # features that thresholds may use
        self.spacing = np.pi / n_orientations
        self.has_missing = data.has_missing()
        self.positions, self.n_bins = _cell_bins(self.has_missing)
        self.is_wide = self.usable.size > MOST_FEATURES
        self.pairs = np.array(np.triu_indices(KEPT_FEATURES if self.is_wide else self.usable.size, 1), np.int32)
        self._places = _places_by_values(data)
        self._memory = {}
        # random number of each row; their sums identify reduced problems independently of the row order
        self._marks = np.random.default_rng(0).integers(1, 2**63, (int(data.rows.max()) + 1, 2), dtype=np.uint64)

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split: 0 for a constant, 1 for one feature, else `cost` for each further feature.

        The categories of a column are one feature.
        """
        n_columns = self.data.groups.count(features)
        return float(n_columns) if n_columns < 2 else self.cost * (n_columns - 1)

    def set_cost(self, cost: float) -> None:
        """Change the cost of a line. The cache stays valid, because it depends neither on the cost nor on lambda."""
        self.cost = float(cost)

    def solve(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> Split:
        """Return the best split of a reduced problem, see `treecore.node_solvers`."""
        care = np.flatnonzero(signed)
        gains = exactly_added(signed[care])
        total, most = float(gains.sum()), float(gains[gains > 0].sum())
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current)[care])
        best, gain = current, float(gains[goes_right].sum()) - lam * current.penalty
        tie = tie_width(float(np.abs(gains).sum()), most - gain)
        constant = constant_split(total > 0)
        if is_better(max(total, 0.0), 0.0, gain, best.penalty, tie):
            best, gain = constant, max(total, 0.0)
        if most - lam <= gain + tie:  # even a perfect threshold is not worth its penalty
            return best
        known = self._recall(start, care, gains)
        threshold = self._known_threshold(known, start, care, gains)
        if threshold is not None and is_better(threshold.score - lam, threshold.split.penalty, gain, best.penalty, tie):
            best, gain = threshold.split, threshold.score - lam
        # Even a perfect line is not worth its penalty.
        if most - lam * self.cost <= gain + tie or self.usable.size < 2:
            return best
        if "line" not in known:
            known["line"] = self._best_line(start, care, gains, known.get("features", self.usable))
        line = known["line"]
        if line is None:
            return best
        split = line.split._replace(penalty=self.cost)  # the cached line may have another cost
        return split if is_better(line.score - lam * self.cost, self.cost, gain, best.penalty, tie) else best

    def next_lambda(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> float:
        """Return the lambda above `lam` at which a constant or a threshold becomes as good as `current`."""
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current))
        score = float(signed[goes_right].sum())
        critical = (score - max(float(signed.sum()), 0.0)) / current.penalty
        if current.penalty > 1:
            care = np.flatnonzero(signed)
            gains = exactly_added(signed[care])
            threshold = self._known_threshold(self._recall(start, care, gains), start, care, gains)
            if threshold is not None:
                critical = min(critical, (score - threshold.score) / (current.penalty - 1))
        return critical

    def _recall(self, start, care, gains):
        """Return the cache entry of these care points, {} for new ones."""
        key = mark_problem(self.data.rows, start, care, gains, self._marks)
        known = self._memory.get(key)
        if known is None:
            if len(self._memory) >= REMEMBERED:
                self._memory.clear()
            known = self._memory[key] = {}
        return known

    def _known_threshold(self, known, start, care, gains):
        if "threshold" not in known:
            rounding = ROUNDING * float(np.abs(gains).sum())
            if self.is_wide:
                found, known["features"] = self._best_thresholds(care + start, gains, rounding)
            else:
                usable = self.is_usable
                found = best_promising_threshold(
                    self.data.columns.values, care + start, gains, usable, usable, np.zeros(usable.size), rounding,
                    -np.inf,
                )  # fmt: skip
            score, feature, *cut = found
            found = Found(threshold_split(feature, *cut), score) if feature >= 0 else None
            nothing = np.zeros(self.is_usable.size)
            group = best_group(self.data.groups, care + start, gains, nothing, None, rounding)
            if group is not None and (found is None or group.score > found.score + rounding):
                found = Found(*group)
            known["threshold"] = found
        return known["threshold"]

    def _best_thresholds(self, points, gains, rounding):
        """Return the result of `best_threshold` and the sorted features with the best thresholds, int64[KEPT_FEATURES].

        Each feature is one compiled call, so that the search can be interrupted.
        """
        values, alone, nothing = self.data.columns.values, np.ones(1, np.bool_), np.zeros(1)
        scores, best = np.empty(self.usable.size), (-np.inf, -1)
        for i, j in enumerate(self.usable):
            score, feature, *cut = best_threshold(values[j : j + 1], points, gains, alone, alone, nothing, rounding)
            scores[i] = score
            if feature >= 0 and score > best[0] + rounding:
                best = score, j, *cut
        return best, np.sort(self.usable[np.argsort(-scores, kind="stable")[:KEPT_FEATURES]])

    def candidate_lines(self, start: int, stop: int, signed: np.ndarray, most: int) -> tuple:
        """Return the best lines of at most `most` pairs, for a search on more points than these.

        The result is (features int32[k, 2], angles float64[k], cuts float64[k], center float64[d], inverse float64[d]).
        A line is ``cos(angle) x + sin(angle) y = cut`` for the centred values of its features times `inverse`.
        """
        care = np.flatnonzero(signed)
        gains = exactly_added(signed[care])
        features = self.usable
        if self.is_wide:
            features = self._best_thresholds(care + start, gains, ROUNDING * float(np.abs(gains).sum()))[1]
        signed, raw, scaled, own = self._scaled(start, care, gains, features)
        kept, coarse = self._promising_pairs(scaled, signed)
        pairs = self.pairs[:, kept]
        scores, angles, cuts = (np.empty(kept.size) for _ in range(3))
        near = int(np.ceil(np.pi / COARSE / self.spacing))
        near_lines(
            scaled, signed, pairs[0], pairs[1], coarse, self.spacing, near, np.empty(FINE_BINS), scores, angles, cuts
        )
        scores[(own[pairs] == 0).any(axis=0)] = -np.inf
        best = np.argsort(-scores, kind="stable")[:most]
        best = best[scores[best] > -np.inf]
        center, inverse = np.zeros(self.data.n_features), np.zeros(self.data.n_features)
        inverse[features] = own
        for row, j in enumerate(features):
            present = np.flatnonzero(~np.isnan(raw[row]))[:1]
            center[j] = (raw[row, present] - scaled[row, present] / own[row]).sum() if own[row] > 0 else 0.0
        return features[pairs[:, best]].T.astype(np.int32), angles[best], cuts[best], center, inverse

    def _best_line(self, start, care, signed, features):
        signed, raw, scaled, inverse = self._scaled(start, care, signed, features)
        kept, coarse = self._promising_pairs(scaled, signed)
        pairs = self.pairs[:, kept]
        sweeps = {"exact": pairs.shape[1], "screened": 0}.get(self.exactness, int(SWEEP_WORK // care.size**2))
        score, pair, *weights, bias, missing_right = best_line(
            raw, scaled, inverse, signed, pairs[0], pairs[1], coarse, sweeps, self.spacing,
            int(np.ceil(np.pi / COARSE / self.spacing)), KEPT_LINES, 0 if self.exactness == "exact" else TURNS,
            np.empty(FINE_BINS), self.has_missing,
        )  # fmt: skip
        if pair < 0:
            return None
        used = features[pairs[:, pair]].astype(np.int32)
        return Found(Split(used, np.array(weights), bias, self.cost, bool(missing_right)), score)

    def _scaled(self, start, care, signed, features):
        """Return (signed, raw, scaled, inverse) of the care points, sorted by their values."""
        data = self.data
        # The first of several equal lines is selected, so the order must depend neither on the tree nor on the rows.
        order = np.argsort(self._places[data.rows[start + care]], kind="stable")
        care, signed = care[order], signed[order]
        raw = np.empty((features.size, care.size))
        for row, j in enumerate(features):
            raw[row] = data.columns.values[j][start:][care]
        scaled, widths = np.empty(raw.shape), np.empty(features.size)
        standardise(raw, scaled, widths)
        inverse = np.where(widths > SMALLEST_WIDTH, 1.0 / np.maximum(widths, SMALLEST_WIDTH), 0.0)
        return signed, raw, scaled, inverse

    def best_lines(
        self, start: int, stop: int, signed: np.ndarray, most: int, is_exact: bool, permitted: Permitted | None = None
    ) -> list[Split]:
        """Return the best line of each of at most `most` pairs of features.

        is_exact : whether all pairs are searched exactly, which takes long for many points; permitted : None.
        """
        care = np.flatnonzero(signed)
        gains = exactly_added(signed[care])
        if self.usable.size < 2 or not care.size:
            return []
        features = self.usable
        if self.is_wide:
            features = self._best_thresholds(care + start, gains, ROUNDING * float(np.abs(gains).sum()))[1]
        gains, raw, scaled, inverse = self._scaled(start, care, gains, features)
        if is_exact:
            kept, coarse = np.arange(self.pairs.shape[1]), np.zeros(self.pairs.shape[1])
        else:
            kept, coarse = self._promising_pairs(scaled, gains, most)
        near, found = int(np.ceil(np.pi / COARSE / self.spacing)), []
        for place, angle in zip(kept, coarse, strict=True):
            first, second = self.pairs[:, [place]]
            score, pair, *weights, bias, missing_right = best_line(
                raw, scaled, inverse, gains, first, second, np.array([angle]), int(is_exact), self.spacing, near, 1,
                0 if is_exact else TURNS, np.empty(FINE_BINS), self.has_missing,
            )  # fmt: skip
            if pair >= 0:
                used = features[[first[0], second[0]]].astype(np.int32)
                found.append((score, Split(used, np.array(weights), bias, self.cost, bool(missing_right))))
        return [split for _, split in sorted(found, key=lambda one: -one[0])[:most]]

    def _promising_pairs(self, scaled, signed, most=KEPT_PAIRS):
        """Return the indices of `most` pairs to search on the points, best first, and the angles of their coarse lines.

        Many pairs are screened on a sample of the points first. The best part of them is screened on a larger sample.
        """
        kept = np.arange(self.pairs.shape[1])
        if self.exactness == "exact":
            return kept, np.zeros(kept.size)
        codes = np.empty(scaled.shape, np.uint8)
        quantise(scaled, codes, LEVELS)
        size, order = FIRST_SAMPLE, None
        while kept.size > MANY_PAIRS and signed.size > 2 * size:
            if order is None:
                order = np.random.default_rng(0).permutation(signed.size)
            sample = np.sort(order[:size])
            scores, _ = self._screen(np.ascontiguousarray(codes[:, sample]), signed[sample], kept)
            kept = np.sort(kept[np.argsort(-scores, kind="stable")[: kept.size // FURTHER]])
            size *= FURTHER
        scores, orientations = self._screen(codes, signed, kept)
        best = np.argsort(-scores, kind="stable")[:most]  # the order of equal pairs is fixed
        return kept[best], np.pi * orientations[best] / COARSE

    def _screen(self, codes, signed, kept):
        """Return the score of the best coarse line for some pairs, and its orientation. kept : sorted indices."""
        scores, orientations = np.empty(kept.size), np.empty(kept.size, np.int16)
        is_whole = bool((signed == np.rint(signed)).all()) and np.abs(signed).sum() < MOST_WHOLE
        sums = np.empty(0, np.float32 if is_whole else np.float64)
        stride = LEVELS + self.has_missing
        first, second = self.pairs[:, kept]
        edges = np.searchsorted(first, np.arange(len(codes) + 1))
        for j, at, end in zip(range(len(codes)), edges, edges[1:], strict=False):  # calls of numba ignore interruptions
            if at == end:
                continue
            rows = codes[j:] if end - at == len(codes) - 1 - j else codes[np.r_[j, second[at:end]]]
            own = scores[at:end], orientations[at:end]
            if end - at < FEW_PAIRS or (signed.size < stride**2 and not is_whole):
                screen_pairs(rows, signed, self.positions, self.n_bins, stride, *own)
            else:
                screen_many(rows, signed, self.positions, self.n_bins, stride, sums, *own)
        return scores, orientations


def _places_by_values(data):
    """Return the place of each of the caller's rows if they are sorted by their values, int64[largest row + 1].

    Equal rows share a place.
    """
    place = np.zeros(data.n_rows, np.int64)
    for column in data.columns.values[data.inverse_scale > 0]:
        column = np.where(np.isnan(column), np.inf, column)
        order = np.lexsort((column, place))
        place, column = place[order], column[order]
        is_new = (place[1:] != place[:-1]) | (column[1:] != column[:-1])
        place[order] = np.concatenate([[0], np.cumsum(is_new)])
        if place.max() == data.n_rows - 1:
            break
    places = np.zeros(int(data.rows.max()) + 1, np.int64)
    places[data.rows] = place
    return places


def _cell_bins(has_missing):
    """Return the bin of each histogram cell for each orientation, int16[COARSE, cells], and the number of bins.

    With missing values, the histogram has an additional row and column for them. Their cells share one additional bin,
    the last.
    """
    angles = np.pi * np.arange(COARSE) / COARSE
    share = (2 * np.arange(LEVELS) + 1 - LEVELS) / LEVELS
    steps = share / (1 - np.abs(share))  # midpoints of the levels, see `pair_kernels`
    x, y = np.repeat(steps, LEVELS), np.tile(steps, LEVELS)
    normals = np.array([cosine_and_sine(angle) for angle in angles])
    projected = normals[:, :1] * x + normals[:, 1:] * y
    n_bins = BINS_PER_LEVEL * LEVELS
    bins = np.minimum((0.5 + 0.5 * projected / (1 + np.abs(projected))) * n_bins, n_bins - 1).astype(np.int64)
    if has_missing:
        square = np.full((COARSE, LEVELS + 1, LEVELS + 1), n_bins)
        square[:, :LEVELS, :LEVELS] = bins.reshape(COARSE, LEVELS, LEVELS)
        bins = square.reshape(COARSE, -1)
    return bins.astype(np.int16), n_bins
