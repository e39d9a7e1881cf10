"""CART as the initial tree, grown by scikit-learn, or by treecore for groups of categories."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from treecore.constraints.constraints import NO_CONSTRAINTS, Constraints
from treecore.data.training_data import TrainingData
from treecore.errors import DataError
from treecore.fixed_order import exactly_added
from treecore.initial import greedy
from treecore.initial.best_group import best_group
from treecore.node_solvers.thresholds import threshold_split
from treecore.tree.working_tree import WorkingTree

MOST_VALUES = 2**24  # different values of a column; whole numbers up to here are exact in float32
MOST_COUNT = 2**26  # largest weight that `counted_weights` takes for a count


class RankedRows(NamedTuple):
    """Rows as scikit-learn gets them: the rank of each value in its column.

    scikit-learn rounds features to float32 and regards values that differ by less than 1e-7 as equal, so that a change
    of unit or origin would change the tree. Ranks depend on the order of the values only.

    ranks : float32[n, d] or CSR, NaN for missing values; values : increasing float64 array of each column; lowest :
    int64[d], rank of the first value (the rank of 0 is 0 in sparse data).
    """

    ranks: np.ndarray | scipy.sparse.csr_matrix
    values: list[np.ndarray]
    lowest: np.ndarray

    @classmethod
    def of(cls, data: TrainingData) -> "RankedRows":
        """Return the ranks of the columns of `data`. Raise DataError if a column has too many different values."""
        columns = data.columns.values
        lowest, values = np.zeros(data.n_features, np.int64), []
        if data.columns.is_sparse:
            ranks = columns.copy()
            for j in range(data.n_features):
                own = slice(columns.indptr[j], columns.indptr[j + 1])
                values.append(_different(np.append(columns.data[own], 0.0)))
                places = values[j].searchsorted(np.append(columns.data[own], 0.0))
                lowest[j] = -places[-1]
                ranks.data[own] = places[:-1] - places[-1]
            return cls(ranks.tocsr(), values, lowest)
        ranks = np.zeros((data.n_rows, data.n_features), np.float32)
        for j, column in enumerate(columns):
            if data.inverse_scale[j] == 0.0:  # no split can use it
                values.append(np.zeros(1))
            elif column.dtype == np.uint8:  # bytes are their own ranks
                values.append(np.arange(256.0))
                ranks[:, j] = column
            else:
                values.append(_different(column))
                ranks[:, j] = np.where(np.isnan(column), np.nan, values[j].searchsorted(column))
        return cls(ranks, values, lowest)

    def at(self, rows: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Return the rank of one feature of each of the `rows`."""
        found = self.ranks[rows, features]
        return found.toarray().ravel() if scipy.sparse.issparse(found) else np.asarray(found).ravel()

    def value(self, feature: int, rank: int) -> float:
        """Return the value with this rank."""
        return float(self.values[feature][rank - self.lowest[feature]])


def _different(column):
    """Return the different values of a column, increasing, without NaN."""
    values = np.unique(column[~np.isnan(column)]).astype(np.float64)
    if values.size > MOST_VALUES:
        raise DataError(
            f"A column of X has {values.size} different values, but CART supports at most {MOST_VALUES}. Use "
            "init='histogram_cart', or round the values."
        )
    return values


def counted_weights(weights: np.ndarray) -> np.ndarray:
    """Return weights whose sums are exact, float64[n], as counts if they are multiples of the smallest one.

    Which splits tie then depends neither on the order of the rows nor on the unit of the weights.
    """
    counts = weights / weights.min()
    if counts.max() <= MOST_COUNT and np.allclose(counts, np.rint(counts), rtol=1e-9, atol=0.0):
        return np.rint(counts)
    return exactly_added(weights)


def cart_tree(
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.RandomState | None,
    max_features: int = 1,
    min_samples_leaf: int = 1,
    constraints: Constraints = NO_CONSTRAINTS,
) -> WorkingTree:
    """Grow a WorkingTree to `max_depth` (None: fully) by the Gini index or the squared error.

    data : TrainingData; rng : numpy.random.RandomState; max_features : not used, because every split has one feature;
    min_samples_leaf : int, smallest number of rows in a leaf; constraints : constraints of the tree.
    scikit-learn gets the largest number of leaves and, if no value is missing, the monotone features.
    """
    if not is_for_sklearn(data, constraints):
        return grown_cart(data, np.arange(data.n_rows), data.weights, max_depth, min_samples_leaf, constraints)
    monotone = None if data.has_missing() else constraints.monotone
    most = constraints.max_leaf_nodes
    return ranked_cart(
        data, RankedRows.of(data), np.arange(data.n_rows), max_depth=max_depth, random_state=rng.randint(2**31 - 1),
        min_samples_leaf=min_samples_leaf, max_leaf_nodes=None if most is None else max(2, min(most, data.n_rows)),
        monotonic_cst=None if monotone is None else monotone.signs.copy(),  # scikit-learn changes the array
    )  # fmt: skip


def is_for_sklearn(data: TrainingData, constraints: Constraints = NO_CONSTRAINTS) -> bool:
    """Return whether scikit-learn grows CART on these data, instead of `grown_cart`.

    scikit-learn does not support groups of categories and interactions. With unequal weights, its sums of targets are
    rounded, so that ties depend on the unit.
    """
    if data.groups or constraints.interactions is not None:
        return False
    is_limited = constraints.monotone is not None or constraints.max_leaf_nodes is not None
    return data.n_classes is not None or data.columns.is_sparse or is_limited or bool(np.ptp(data.weights) == 0)


def ranked_cart(data: TrainingData, rows: RankedRows, part: np.ndarray, **parameters: Any) -> WorkingTree:
    """Grow a WorkingTree by scikit-learn on the rows `part` of the data (int64[m]), with thresholds in raw units.

    rows : the `RankedRows` of the data; parameters : parameters of scikit-learn's tree.
    """
    task = data.task
    targets, middle, unit = task.centred(data.y, data.weights)
    grown = task.sklearn_tree(**parameters)
    grown.fit(rows.ranks[part], targets[part], sample_weight=counted_weights(data.weights[part]))
    tree, labels = grown.tree_, task.sklearn_labels(grown) * unit + middle
    return WorkingTree(
        tree.children_left, tree.children_right, _splits(tree, rows, part), labels, np.arange(tree.node_count)
    )


def _splits(grown, rows, part):
    """Return the split of each node, whose threshold is the midpoint of the neighbouring values of its rows."""
    below, above = np.full(grown.node_count, -MOST_VALUES), np.full(grown.node_count, MOST_VALUES)
    at, points = np.zeros(part.size, np.int64), part
    while points.size:
        inside = grown.children_left[at] >= 0
        points, at = points[inside], at[inside]
        own = rows.at(points, grown.feature[at])
        lost = np.isnan(own)
        left = np.where(lost, grown.missing_go_to_left[at] != 0, own <= grown.threshold[at])
        np.maximum.at(below, at[left & ~lost], own[left & ~lost].astype(np.int64))
        np.minimum.at(above, at[~left & ~lost], own[~left & ~lost].astype(np.int64))
        at = np.where(left, grown.children_left[at], grown.children_right[at])
    splits = [None] * grown.node_count
    for node in np.flatnonzero(grown.children_left >= 0):
        feature = int(grown.feature[node])
        if np.isinf(grown.threshold[node]):  # the split separates missing values from other values, which go left
            splits[node] = greedy.missing_apart(feature)
        else:
            low, high = rows.value(feature, below[node]), rows.value(feature, above[node])
            splits[node] = threshold_split(feature, low, high, True, not grown.missing_go_to_left[node])
    return splits


def grown_cart(
    data: TrainingData,
    points: np.ndarray,
    weights: np.ndarray,
    max_depth: int | None,
    min_samples_leaf: int = 1,
    constraints: Constraints = NO_CONSTRAINTS,
    min_samples_split: int = 2,
) -> WorkingTree:
    """Grow a WorkingTree that splits the categories of a column into two groups.

    points : int64[r], rows to grow on; weights : float64[n]; max_depth, min_samples_leaf : as in `cart_tree`;
    constraints : a path uses only features that may occur together; min_samples_split : smallest number of rows of a
    node that may be split. A missing value goes with the majority if none was missing in the node. data : dense.
    """
    search = split_search(data, min_samples_leaf, constraints)
    return greedy.grow(data, points, weights, search, max_depth, min_samples_split)[0]


def split_search(
    data: TrainingData,
    min_samples_leaf: int,
    constraints: Constraints,
    best_threshold: Callable = greedy.best_threshold,
) -> Callable:
    """Return the function of a `greedy.Node` that finds its best threshold or group of categories.

    best_threshold : function as in `greedy`; others : as in `grown_cart`.
    """
    can_miss = data.has_missing()

    def search(node):
        node.usable = constraints.following(node.usable, node.above)
        split = _best_split(node, best_threshold) if node.usable.size else None
        if split is None or (min_samples_leaf < 2 and not can_miss):
            return split
        right = node.goes_right(split)
        if can_miss and not np.isnan(data.columns.values[split.features[0], node.points]).any():
            split = split._replace(missing_right=bool(2 * node.weights[right].sum() > node.weights.sum()))
        n_right = int(np.count_nonzero(right))
        return split if min(n_right, node.points.size - n_right) >= min_samples_leaf else None

    return search


def _best_split(node, best_threshold):
    """Return the best threshold or group of categories of a `greedy.Node`, or None."""
    groups, tie = node.data.groups, greedy.TIE * node.total
    found = best_group(
        groups, node.points, node.channels, node.amounts, node.weights, node.n_channels, tie, node.usable
    )
    # The order of the categories is optimal for up to two classes and for numbers.
    node.usable = node.usable if node.n_channels > 2 else node.usable[groups.is_single[node.usable]]
    threshold = best_threshold(node) if node.usable.size else None
    if found is None or (threshold is not None and threshold[0] > found[0] + tie):
        return None if threshold is None else threshold[1]
    return found[1]
