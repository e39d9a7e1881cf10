"""CART as the initial tree, grown by scikit-learn."""

from typing import Any

import numpy as np

from treecore.data.training_data import LARGEST, TrainingData
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree


def cart_tree(
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.RandomState | None,
    max_features: int = 1,
    min_samples_leaf: int = 1,
) -> WorkingTree:
    """Grow a WorkingTree to `max_depth` (None: fully) by the Gini index or the squared error.

    data : TrainingData; rng : numpy.random.RandomState; max_features : not used, because every split has one feature;
    min_samples_leaf : int, smallest number of rows in a leaf.
    """
    task = data.task
    middle = task.middle(data.y, data.weights)
    seed = rng.randint(2**31 - 1)
    grown = task.sklearn_tree(max_depth=max_depth, random_state=seed, min_samples_leaf=min_samples_leaf)
    grown.fit(data.columns.row_major(), data.y - middle, sample_weight=data.weights)
    return from_sklearn(grown.tree_, task.sklearn_figures(grown)[0] + middle)


def from_sklearn(grown: Any, labels: np.ndarray) -> WorkingTree:
    """Return the WorkingTree of a fitted scikit-learn ``tree_``. labels : [m], predictions of the nodes."""
    splits = [None] * grown.node_count
    for node in np.flatnonzero(grown.children_left >= 0):
        feature = np.array([grown.feature[node]], np.int32)
        # scikit-learn sends x <= t left. If t' is the next float above t, x >= t' gives the same sides.
        threshold = np.nextafter(grown.threshold[node], np.inf)
        missing_right = not grown.missing_go_to_left[node]
        if np.isinf(threshold):  # the split separates missing values from other values, which go left
            splits[node] = Split(feature, np.array([-1.0]), -2 * LARGEST, 1.0, True)
        else:
            splits[node] = Split(feature, np.ones(1), -float(threshold), 1.0, missing_right)
    return WorkingTree(grown.children_left, grown.children_right, splits, labels, np.arange(grown.node_count))
