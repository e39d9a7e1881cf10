"""Bivariate CART: greedy splits by the best threshold or the best line in any pair of features.

See Kairgeldin and Carreira-Perpiñán 2024, section C.4.

As in a bivariate TAO node, all pairs are screened on small histograms, and the best few pairs are searched on the
points. Directions are evenly spaced after the trimmed range of the node's points has been scaled to a square. Rescaling
a feature therefore does not change the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

import numpy as np

from treecore.data.category_groups import CategoryGroups
from treecore.data.classification import Classification
from treecore.data.regression import Regression
from treecore.data.training_data import SMALLEST_WIDTH, TrainingData
from treecore.errors import DataError, ParameterError
from treecore.fixed_order import cosine_and_sine
from treecore.initial import impurity_kernels as kernels
from treecore.initial.best_group import best_group
from treecore.node_solvers.bivariate import KEPT_FEATURES, MOST_FEATURES
from treecore.node_solvers.thresholds import threshold_split
from treecore.parallel import even_ranges, thread_map
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

TIE = 1e-10  # share of the largest possible score; smaller differences are ties
LEVELS = 24  # levels of each feature in the histogram of a pair
BINS_PER_LEVEL = 2  # bins, per level, for projected histogram cells
COARSE = 12  # orientations when all pairs are screened
FINE_BINS = 256
KEPT_PAIRS = 12  # pairs searched on the points
KEPT_LINES = 4  # lines whose threshold is computed exactly
TURNS = 6  # halvings of the angle around each kept line
# points × pairs; above this, all threads share the pairs of one node. Smaller nodes are divided among threads.
LARGE = 2_000_000
CHUNKS = 8  # chunks into which the pairs of a large node are divided


class Grown(NamedTuple):
    """Grown tree in flat lists.

    left, right : int, -1 in a leaf; splits : Split or None; predictions : class codes or means.
    """

    left: list
    right: list
    splits: list
    predictions: list


class GreedyTarget:
    """Targets y [n] and weights float64[n] of a `Classification` or `Regression`, and the columns of categories."""

    def __init__(
        self,
        task: Classification | Regression,
        y: np.ndarray,
        weights: np.ndarray,
        groups: CategoryGroups | None = None,
    ) -> None:
        self.task, self.y, self.weights, self.groups = task, y, weights, groups

    def node(self, points: np.ndarray) -> tuple:
        """Return the statistics of `Classification.greedy` for a node."""
        return self.task.greedy(self.y[points], self.weights[points])


def bivariate_cart_tree(
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.Generator,
    max_features: int = 2,
    n_orientations: int = 60,
    n_jobs: int | None = None,
) -> WorkingTree:
    """Grow a WorkingTree to `max_depth` (None: fully) by the Gini index or the squared error.

    data : dense TrainingData without NaN; rng : not used, because growth is deterministic; max_features : at least 2.
    Raise ParameterError or DataError for unsupported input. See Kairgeldin and Carreira-Perpiñán 2024, section C.4.
    """
    if max_features < 2:
        raise ParameterError(
            "init='bivariate_cart' needs nodes with two features. Use init='cart' for univariate trees."
        )
    if data.columns.is_sparse:
        raise DataError("init='bivariate_cart' does not support sparse X. Use X.toarray() or init='random'.")
    if data.has_missing():
        raise DataError("init='bivariate_cart' does not support NaN in X. Use init='cart', or fill the missing values.")
    target = GreedyTarget(data.task, data.y, data.weights, data.groups)
    usable = np.flatnonzero(data.inverse_scale > 0)
    with thread_map(n_jobs) as run:
        grown = grow(data.columns.values, usable, target, max_depth, n_orientations, run)
    return WorkingTree(grown.left, grown.right, grown.splits, grown.predictions, np.arange(len(grown.left)))


def grow(
    columns: np.ndarray,
    usable: np.ndarray,
    target: GreedyTarget,
    max_depth: int | None,
    n_orientations: int,
    run: Callable,
    node_type: Callable | None = None,
) -> Grown:
    """Grow a `Grown` tree level by level on plain arrays, parents first.

    columns : [d, n], uint8, float32 or float64; usable : int[k], features that splits may use; target : `GreedyTarget`;
    run : maps a function over a list (threads); node_type : class that finds the split of a node.
    """
    node_type = node_type or Node
    left, right, splits, predictions = [], [], [], []
    level = [(np.arange(columns.shape[1]), -1, 0)]  # points, parent, side
    depth = 0
    while level:
        may_split = max_depth is None or depth < max_depth
        nodes = [node_type(columns, usable, target, points, n_orientations, may_split) for points, _, _ in level]
        _solve_level(nodes, run)
        following = []
        for node, (_, parent, side) in zip(nodes, level, strict=True):
            number = len(left)
            if parent >= 0:
                (left, right)[side][parent] = number
            left.append(-1)
            right.append(-1)
            predictions.append(node.prediction)
            splits.append(node.halves[0] if node.halves else None)
            if node.halves:
                following += [(node.halves[1], number, 0), (node.halves[2], number, 1)]
        level = following
        depth += 1
    return Grown(left, right, splits, predictions)


def _solve_level(nodes, run):
    large = [node.points.size * node.usable.size**2 > 2 * LARGE for node in nodes]
    for node in compress(nodes, large):
        node.solve(run)
    run(lambda node: node.solve(), [node for node, is_large in zip(nodes, large, strict=True) if not is_large])


class Node:
    """Search for the split of one node. halves : (split, points that go left, points that go right) or None."""

    def __init__(
        self,
        columns: np.ndarray,
        usable: np.ndarray,
        target: GreedyTarget,
        points: np.ndarray,
        n_orientations: int,
        may_split: bool,
    ) -> None:
        self.columns, self.usable, self.points, self.spacing = columns, usable, points, np.pi / n_orientations
        self.channels, self.amounts, self.n_channels, self.most, self.prediction, pure = target.node(points)
        self.weights, self.groups = target.weights[points], target.groups
        self.is_leaf = pure or not may_split or usable.size == 0
        self.halves = None

    def solve(self, run: Callable | None = None) -> None:
        """Find `halves`. run : maps a function over a list (threads), to divide the pairs."""
        if self.is_leaf:
            return
        raw = np.empty((self.usable.size, self.points.size))
        kernels.gather(self.columns, self.usable, self.points, raw)
        low, width = np.empty((2, self.usable.size))
        tie = TIE * self.most
        score, row, below, above = kernels.best_threshold(
            raw, self.channels, self.amounts, self.weights, self.n_channels, tie, low, width
        )
        if row < 0:
            return
        split = threshold_split(self.usable[row], below, above, True)
        goes_right = raw[row] >= above
        group = self._best_group(tie)
        if group is not None and group[0] > score + tie:
            score, split = group
            goes_right = split.bias + split.weights @ raw[np.searchsorted(self.usable, split.features)] >= 0
        width[width <= SMALLEST_WIDTH] = 0.0
        varying = np.flatnonzero(width)
        if score < self.most - tie and varying.size > 1:
            line = self.best_line(raw, low, width, varying, score, tie, run)
            if line is not None and line[0] > score + tie:
                _, j, k, a, b, bias = line
                split = Split(self.usable[[j, k]].astype(np.int32), np.array([a, b]), bias, 1.0)
                goes_right = (bias + a * raw[j]) + b * raw[k] >= 0
        self.halves = split, self.points[~goes_right], self.points[goes_right]

    def _best_group(self, tie):
        if not self.groups:
            return None
        return best_group(
            self.groups, self.points, self.channels, self.amounts, self.weights, self.n_channels, tie
        )  # fmt: skip

    def best_line(
        self,
        raw: np.ndarray,
        low: np.ndarray,
        width: np.ndarray,
        varying: np.ndarray,
        score: float,
        tie: float,
        run: Callable | None,
    ) -> tuple | None:
        """Return (score, row, row, weight, weight, bias) of the best line, or None.

        raw : float64[rows, m], features of the node's points; low, width : float64[rows], see `best_threshold`; varying
        : int64[...], rows that lines may use; score, tie : score that a line must exceed by more than `tie`; run : as
        in `solve`.
        """
        if varying.size > MOST_FEATURES:
            varying = self._best_alone(raw, varying, tie)
        totals = np.bincount(self.channels, self.amounts, self.n_channels)
        grid = np.empty(raw.shape, np.uint8)
        kernels.quantise(raw, low, width, LEVELS, grid)
        first, second = (varying[part].astype(np.int32) for part in _pairs(varying.size))
        positions, n_bins = _cell_bins()
        scores, numbers = np.empty(first.size), np.empty(first.size, np.int64)

        def screen(part):
            part = slice(*part)
            kernels.screen_pairs(
                grid, first[part], second[part], self.channels, self.amounts, self.weights, totals, positions, n_bins,
                LEVELS, scores[part], numbers[part],
            )  # fmt: skip

        if run is None:
            screen((0, first.size))
        else:
            run(screen, even_ranges(first.size, CHUNKS))
        kept = np.argsort(-scores, kind="stable")[:KEPT_PAIRS]
        first, second = first[kept], second[kept]
        score, pair, a, b, bias = kernels.best_line(
            raw, low, width, first, second, _angles()[numbers[kept]], self.channels, self.amounts, self.weights,
            totals, self.spacing, int(np.ceil(np.pi / COARSE / self.spacing)), KEPT_LINES, TURNS, FINE_BINS,
        )  # fmt: skip
        return (score, first[pair], second[pair], a, b, bias) if pair >= 0 else None

    def _best_alone(self, raw, varying, tie):
        """Return the `KEPT_FEATURES` rows with the best thresholds, in increasing order.

        Each row is one compiled call, so that the search can be interrupted.
        """
        scores, edges = np.empty(varying.size), np.empty((2, 1))
        for i, row in enumerate(varying):
            scores[i] = kernels.best_threshold(
                raw[row : row + 1], self.channels, self.amounts, self.weights, self.n_channels, tie, *edges
            )[0]
        return np.sort(varying[np.argsort(-scores, kind="stable")[:KEPT_FEATURES]])


@lru_cache(maxsize=64)
def _pairs(n):
    return np.triu_indices(n, 1)


def _angles():
    """Return angles in (-pi / 2, pi / 2), float64[COARSE], without the axes, which are thresholds."""
    return np.pi * ((np.arange(COARSE) + 0.5) / COARSE - 0.5)


@lru_cache(maxsize=1)
def _cell_bins():
    """Return the bin of each cell for each orientation, int16[COARSE, LEVELS**2], and the number of bins."""
    steps = np.arange(LEVELS) - (LEVELS - 1) / 2
    x, y = np.repeat(steps, LEVELS), np.tile(steps, LEVELS)
    normals = np.array([cosine_and_sine(angle) for angle in _angles()])
    projected = normals[:, :1] * x + normals[:, 1:] * y
    bins = np.rint(BINS_PER_LEVEL * projected).astype(np.int64)
    bins -= bins.min()
    return bins.astype(np.int16), int(bins.max()) + 1
