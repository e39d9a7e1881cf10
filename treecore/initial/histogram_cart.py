"""CART from histograms of binned values as the initial tree, for many rows."""

import numpy as np

from treecore._jit import kernel
from treecore.constraints.constraints import NO_CONSTRAINTS, Constraints
from treecore.data.bins import MISSING, MOST_EDGES, N_CODES, code_rows, empty_ranges, spread_edges
from treecore.data.training_data import TrainingData
from treecore.errors import DataError
from treecore.initial import greedy
from treecore.initial.cart import split_search
from treecore.node_solvers.thresholds import threshold_split
from treecore.parallel import thread_map
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

SAMPLE = 100_000  # rows that determine the edges of the bins
MOST_LEAVES = 1024  # without `max_leaf_nodes`
LEAST_ROWS = 2000  # nodes with fewer rows are searched exactly


def histogram_cart_tree(
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.RandomState,
    max_features: int = 1,
    n_jobs: int | None = None,
    min_samples_leaf: int = 1,
    constraints: Constraints = NO_CONSTRAINTS,
) -> WorkingTree:
    """Grow a WorkingTree by CART, with thresholds between at most 255 bins of each feature in nodes with many rows.

    The leaf with the largest decrease of the impurity is split first, until there are `max_leaf_nodes` leaves, or
    `MOST_LEAVES`. Features with at most 255 values get the thresholds of an exact search.

    n_jobs : int or None, threads; others : as in `cart_tree`. Raise DataError for sparse data.
    """
    if data.columns.is_sparse:
        raise DataError("init='histogram_cart' does not support sparse X. Use X.toarray() or init='cart'.")
    with thread_map(n_jobs) as run:
        search = split_search(data, min_samples_leaf, constraints, _Bins(data, rng, run).best_threshold)
        most = constraints.max_leaf_nodes or MOST_LEAVES
        return greedy.grow_best_first(data, data.weights, search, most, max_depth, run)


class _Bins:
    """Codes of all values, uint8[d, n], and the range of each bin, float64[d, N_CODES]."""

    def __init__(self, data, rng, run):
        columns, n = data.columns.values, data.n_rows
        rows = np.sort(rng.choice(n, SAMPLE, replace=False)) if n > SAMPLE else np.arange(n)
        self.codes = np.empty(columns.shape, np.uint8)
        self.lows, self.highs = empty_ranges(len(columns))

        def fill(j):
            sample = np.sort(columns[j, rows].astype(np.float64))
            own = spread_edges(sample[: sample.size - int(np.isnan(sample).sum())], MOST_EDGES)
            edges = np.full((1, MOST_EDGES), np.inf)
            edges[0, : own.size] = own
            code_rows(
                columns[j, :, None], np.zeros(1, np.int32), edges, np.array([own.size]), self.codes[j, :, None],
                self.lows[j, None], self.highs[j, None],
            )  # fmt: skip

        run(fill, range(len(columns)))

    def best_threshold(self, node: greedy.Node) -> tuple[float, Split] | None:
        """Return (score, Split) of the best threshold of a `Node`, or None if no feature varies."""
        if node.points.size < LEAST_ROWS:
            return greedy.best_threshold(node)
        score, feature, low, high, missing_right = _best_cut(
            self.codes, node.usable, node.points, node.channels, node.amounts, node.weights, node.n_channels,
            greedy.TIE * node.total,
        )  # fmt: skip
        if feature < 0:
            return None
        if low < 0:
            return score, greedy.missing_apart(feature)
        bottom, top = float(self.highs[feature, low]), float(self.lows[feature, high])
        return score, threshold_split(feature, bottom, top, True, missing_right)


@kernel
def _best_cut(codes, features, points, channels, amounts, weights, n_channels, tie):
    """Return (score, feature, low code, high code, missing values go right?) of the best threshold between two bins.

    The low code is -1 if the split separates missing values from all others. The feature is -1 if no feature varies.

    codes : uint8[d, n]; features : int64[k]; points : int64[m]; others : as in `greedy.Node`.
    """
    best, best_feature, best_low, best_high, best_missing = -np.inf, -1, -2, -2, False
    total, totals = 0.0, np.zeros(n_channels)
    for i in range(points.size):
        total += weights[i]
        totals[channels[i]] += amounts[i]
    sums, sizes, below = np.empty((N_CODES, n_channels)), np.empty(N_CODES), np.empty(n_channels)
    for feature in features:
        sums[:], sizes[:] = 0.0, 0.0
        own = codes[feature]
        for i in range(points.size):
            code = own[points[i]]
            sums[code, channels[i]] += amounts[i]
            sizes[code] += weights[i]
        for side in range(2 if sizes[MISSING] > 0.0 else 1):  # missing values go right, then left
            below[:], size = 0.0, 0.0
            if side == 1:
                below[:], size = sums[MISSING], sizes[MISSING]
            last = -1
            for code in range(MISSING + (side == 0)):  # at last, only missing values go right
                if sizes[code] == 0.0:
                    continue
                if last >= 0 and size < total:
                    left, right = 0.0, 0.0
                    for q in range(n_channels):
                        left += below[q] * below[q]
                        right += (totals[q] - below[q]) ** 2
                    score = left / size + right / (total - size)
                    if score > best + tie:
                        best, best_feature, best_missing = score, feature, side == 0
                        best_low, best_high = (last, code) if code < MISSING else (-1, code)
                for q in range(n_channels):
                    below[q] += sums[code, q]
                size += sizes[code]
                last = code
    return best, best_feature, best_low, best_high, best_missing
