"""Greedy growth of a tree with any search for splits, and the search for thresholds."""

import heapq
from collections.abc import Callable, Collection

import numpy as np

from treecore.data.training_data import LARGEST, TrainingData
from treecore.fixed_order import dot
from treecore.initial import impurity_kernels
from treecore.node_solvers.thresholds import threshold_split
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

TIE = 1e-10  # share of the largest possible score; smaller differences are ties
NEGLIGIBLE = 1e-12  # share of the largest weight; smaller weights become 0


class Node:
    """Rows of one node, to find its split.

    data : dense TrainingData; usable : int64[k], features that are not constant; points : int64[m], row
    numbers; weights : float64[m]; channels : int32[m], amounts : float64[m], n_channels : int, total : float, label,
    is_pure : as in `Classification.greedy`, where total is the largest possible score; rng : numpy Generator of this
    node; above : features of the splits above the node.
    """

    above: Collection[int] = frozenset()

    def __init__(
        self, data: TrainingData, usable: np.ndarray, points: np.ndarray, weights: np.ndarray, seed: tuple
    ) -> None:
        self.data, self.usable, self.points, self.weights, self._seed = data, usable, points, weights, seed
        found = data.task.greedy(data.y[points], weights)
        self.channels, self.amounts, self.n_channels, self.total, self.label, self.is_pure = found

    @property
    def rng(self) -> np.random.Generator:
        """New generator, with the same seed at every call."""
        return np.random.default_rng(self._seed)

    def goes_right(self, split: Split) -> np.ndarray:
        """Return whether each point goes right, bool[m], rounded as in routing."""
        return split.goes_right(self.data.columns.margins_at(self.points, split))

    def score(self, goes_right: np.ndarray) -> float:
        """Return the sum over both sides of ``squared amounts of the channels / weight``, or -inf if one side is empty.

        A larger score means purer sides.
        """
        if goes_right.all() or not goes_right.any():
            return -np.inf
        return self.score_of(goes_right) + self.score_of(~goes_right)

    def score_of(self, side: np.ndarray | slice) -> float:
        """Return the score of the points on one side."""
        sums = np.bincount(self.channels[side], self.amounts[side], self.n_channels)
        return dot(sums, sums) / float(self.weights[side].sum())


def grow(
    data: TrainingData,
    points: np.ndarray,
    weights: np.ndarray,
    search: Callable,
    max_depth: int | None = None,
    min_samples_split: int = 2,
    seeds: np.random.SeedSequence | None = None,
    run: Callable | None = None,
) -> tuple:
    """Grow a WorkingTree level by level until leaves are pure. Return the tree and the leaf of each point, int64[r].

    data : dense TrainingData; points : int64[r], rows to grow on; weights : float64[n]; search : function
    of a `Node` that returns a Split or None; max_depth : int or None; min_samples_split : smallest number of points of
    a node to split; seeds : numpy SeedSequence for the nodes; run : maps a function over a list (threads).
    """
    usable = np.flatnonzero(data.inverse_scale > 0)
    seeds = np.random.SeedSequence(0) if seeds is None else seeds
    left, right, splits, labels = [], [], [], []
    leaves = np.empty(points.size, np.int64)
    level = [(np.arange(points.size), -1, 0, frozenset())]  # positions in `points`, parent, side, features above
    depth = 0
    while level:
        may_split = (max_depth is None or depth < max_depth) and usable.size > 0
        numbers = seeds.generate_state(len(level) * 2 + 2 * len(left), np.uint32)[2 * len(left) :].reshape(-1, 2)
        nodes = [
            Node(data, usable, points[places], weights[points[places]], tuple(number))
            for (places, *_), number in zip(level, numbers.tolist(), strict=True)
        ]
        for node, (*_, above) in zip(nodes, level, strict=True):
            node.above = above
        halves = [None] * len(nodes)
        open_nodes = [
            i
            for i, node in enumerate(nodes)
            if may_split and not node.is_pure and node.points.size >= max(2, min_samples_split)
        ]

        def solve(i, nodes=nodes, halves=halves):
            split = search(nodes[i])
            if split is not None:
                goes_right = nodes[i].goes_right(split)
                halves[i] = (split, goes_right) if goes_right.any() and not goes_right.all() else None

        (run or _each)(solve, open_nodes)
        following = []
        for node, half, (places, parent, side, above) in zip(nodes, halves, level, strict=True):
            number = len(left)
            if parent >= 0:
                (left, right)[side][parent] = number
            left.append(-1)
            right.append(-1)
            labels.append(node.label)
            splits.append(half[0] if half else None)
            leaves[places] = number
            if half:
                path = above.union(half[0].features.tolist())
                following += [(places[~half[1]], number, 0, path), (places[half[1]], number, 1, path)]
        level = following
        depth += 1
    return WorkingTree(left, right, splits, labels, np.arange(len(left))), leaves


def grow_best_first(
    data: TrainingData, weights: np.ndarray, search: Callable, max_leaf_nodes: int, max_depth: int | None, run: Callable
) -> WorkingTree:
    """Grow a WorkingTree with at most `max_leaf_nodes` leaves on all rows, always where the score increases most.

    Arguments are as in `grow`.
    """
    usable = np.flatnonzero(data.inverse_scale > 0)
    left, right, splits, labels, depths = [-1], [-1], [None], [], [0]
    heap = []  # (minus the increase of the score, number, split, points of both sides, features above)

    def evaluated(item):
        number, points, above = item
        node = Node(data, usable, points, weights[points], (0, number))
        node.above = above
        may_split = not node.is_pure and points.size > 1 and (max_depth is None or depths[number] < max_depth)
        split = search(node) if may_split else None
        if split is None:
            return node.label, None
        goes_right = node.goes_right(split)
        gain = node.score(goes_right) - node.score_of(slice(None))
        path = above.union(split.features.tolist())
        return node.label, (-gain, number, split, points[~goes_right], points[goes_right], path)

    fresh = [(0, np.arange(data.n_rows), frozenset())]
    while fresh:
        for label, entry in run(evaluated, fresh):
            labels.append(label)
            if entry is not None and entry[0] < 0:
                heapq.heappush(heap, entry)
        fresh = []
        if heap and (len(left) + 1) // 2 < max_leaf_nodes:
            _, number, splits[number], *sides, path = heapq.heappop(heap)
            for side, points in zip((left, right), sides, strict=True):
                side[number] = len(left)
                fresh.append((len(left), points, path))
                left.append(-1)
                right.append(-1)
                splits.append(None)
                depths.append(depths[number] + 1)
    return WorkingTree(left, right, splits, labels, np.arange(len(left)))


def best_threshold(node: Node, n_candidates: int | None = None) -> tuple | None:
    """Return (score, Split) of the best threshold of a `Node` by impurity, or None if no feature varies.

    n_candidates : number of random features to search, None for all. If none of these varies, more are drawn. Missing
    values (NaN) are tried on both sides, and apart from all values.
    """
    features = node.usable
    if n_candidates is None or n_candidates >= features.size:
        n_candidates = features.size
    else:
        features = node.rng.permutation(features)
    for first in range(0, features.size, n_candidates):
        part = np.sort(features[first : first + n_candidates])
        raw = np.empty((part.size, node.points.size))
        impurity_kernels.gather(node.data.columns.values, part, node.points, raw)
        is_above = np.zeros(part.size, np.bool_)
        if np.isnan(raw.max()):
            part, raw, is_above = _with_missing(part, raw)
        score, row, below, above = best_row(node, raw)
        if row >= 0:
            return score, _split(part[row], below, above, bool(is_above[row]))
    return None


def missing_apart(feature: int) -> Split:
    """Return the split that sends missing values right and all other values left."""
    return Split(np.array([feature], np.int32), np.array([-1.0]), -2 * LARGEST, 1.0, True)


def _with_missing(features, raw):
    """Return (features, values, bool) with missing values above all others, then again below all others."""
    lost = np.isnan(raw)
    holed = lost.any(axis=1)
    values = np.concatenate([np.where(lost, np.inf, raw), np.where(lost, -np.inf, raw)[holed]])
    is_above = np.concatenate([holed, np.zeros(np.count_nonzero(holed), np.bool_)])
    return np.concatenate([features, features[holed]]), values, is_above


def _split(feature, below, above, missing_right):
    if np.isinf(below) or np.isinf(above):
        return missing_apart(feature)
    return threshold_split(feature, below, above, True, missing_right)


def best_row(node: Node, values: np.ndarray) -> tuple:
    """Return (score, row, low value, high value) of the best threshold over the rows of `values` (float64[r, m]).

    The row is -1 if no row varies.
    """
    low, width = np.empty((2, values.shape[0]))
    return impurity_kernels.best_threshold(
        values, node.channels, node.amounts, node.weights, node.n_channels, TIE * node.total, low, width
    )


def raw_split(node: Node, features: np.ndarray, weights: np.ndarray, bias: float) -> Split | None:
    """Convert ``weights . z + bias >= 0`` on scaled features z to a Split in raw units, or None if all weights are 0.

    features : sorted; weights : float64[k]. The weights are normalised to l1 norm 1 on scaled features, which is the
    penalty of the split.
    """
    size = np.abs(weights)
    kept = size > NEGLIGIBLE * size.max(initial=0.0)
    if not kept.any() or not np.isfinite(size).all():
        return None
    features, total = features[kept], size[kept].sum()
    weights = weights[kept] / total * node.data.inverse_scale[features]
    bias = bias / total - dot(weights, node.data.center[features])
    return Split(features.astype(np.int32), weights, float(bias), 1.0)


def _each(function, items):
    for item in items:
        function(item)
