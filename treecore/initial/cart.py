"""CART as the initial tree, grown by scikit-learn, or by treecore for groups of categories."""

from collections.abc import Callable
from typing import Any

import numpy as np

from treecore.constraints.constraints import NO_CONSTRAINTS, Constraints
from treecore.data.training_data import TrainingData
from treecore.initial import greedy
from treecore.initial.best_group import best_group
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree


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
    if data.groups or constraints.interactions is not None:
        return grown_cart(data, np.arange(data.n_rows), data.weights, max_depth, min_samples_leaf, constraints)
    task = data.task
    middle = task.middle(data.y, data.weights)
    seed = rng.randint(2**31 - 1)
    monotone = None if data.has_missing() else constraints.monotone
    signs = None if monotone is None else monotone.signs.copy()  # scikit-learn changes the array
    most = constraints.max_leaf_nodes
    grown = task.sklearn_tree(
        max_depth=max_depth, random_state=seed, min_samples_leaf=min_samples_leaf,
        max_leaf_nodes=None if most is None else max(2, min(most, data.n_rows)), monotonic_cst=signs,
    )  # fmt: skip
    grown.fit(data.columns.row_major(), data.y - middle, sample_weight=data.weights)
    return from_sklearn(grown.tree_, task.sklearn_figures(grown)[0] + middle)


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


def from_sklearn(grown: Any, labels: np.ndarray) -> WorkingTree:
    """Return the WorkingTree of a fitted scikit-learn ``tree_``. labels : [m], predictions of the nodes."""
    splits = [None] * grown.node_count
    for node in np.flatnonzero(grown.children_left >= 0):
        feature = np.array([grown.feature[node]], np.int32)
        # scikit-learn sends x <= t left. If t' is the next float above t, x >= t' gives the same sides.
        threshold = np.nextafter(grown.threshold[node], np.inf)
        missing_right = not grown.missing_go_to_left[node]
        if np.isinf(threshold):  # the split separates missing values from other values, which go left
            splits[node] = greedy.missing_apart(feature[0])
        else:
            splits[node] = Split(feature, np.ones(1), -float(threshold), 1.0, missing_right)
    return WorkingTree(grown.children_left, grown.children_right, splits, labels, np.arange(grown.node_count))
