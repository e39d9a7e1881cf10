"""CART as the initial tree; scikit-learn grows it."""

import numpy as np

from treecore.split import Split
from treecore.working_tree import WorkingTree


def cart_tree(data, max_depth, rng, max_features=1):
    """WorkingTree grown with the Gini index to `max_depth` (None: fully).

    data : TrainingData; rng : numpy.random.RandomState; max_features is not used: every split has one feature.
    """
    from sklearn.tree import DecisionTreeClassifier  # slow import

    grown = DecisionTreeClassifier(max_depth=max_depth, random_state=rng.randint(2**31 - 1))
    grown.fit(data.columns.row_major(), data.y, sample_weight=data.weights)
    return from_sklearn(grown.tree_, grown.classes_.astype(np.int32))


def from_sklearn(grown, labels):
    """WorkingTree of a fitted scikit-learn ``tree_``; `labels` maps its class positions to class codes."""
    splits = [None] * grown.node_count
    for node in np.flatnonzero(grown.children_left >= 0):
        feature = np.array([grown.feature[node]], np.int32)
        # scikit-learn sends x <= t left; the next float above t gives the same sides with x >= t'
        threshold = np.nextafter(grown.threshold[node], np.inf)
        splits[node] = Split(feature, np.ones(1), -float(threshold), 1.0)
    majority = labels[grown.value[:, 0, :].argmax(axis=1)]
    return WorkingTree(grown.children_left, grown.children_right, splits, majority, np.arange(grown.node_count))
