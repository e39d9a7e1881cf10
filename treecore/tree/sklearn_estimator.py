"""`sklearn_estimator`: conversion of a tree to a fitted scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.errors import DataError
from treecore.first_number import first_number
from treecore.tree.target import Target
from treecore.tree.tree_arrays import TreeArrays

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def sklearn_estimator(tree: TreeArrays, target: Target) -> BaseEstimator:
    """Return the fitted DecisionTreeClassifier or DecisionTreeRegressor for `Tree.to_sklearn`."""
    tree.leaf_model.require("sklearn")
    terms = np.diff(tree.indptr)
    if (terms > 1).any():
        node = int(np.argmax(terms > 1))
        raise DataError(
            f"Node {node} uses {terms[node]} features, but scikit-learn trees support one feature per node. "
            'Train with split="univariate".'
        )
    shares = target.shares(tree)
    if shares is not None:
        other = (tree.left < 0) & (shares.argmax(axis=1) != tree.labels)
        if other.any():
            leaf = int(np.argmax(other))
            label = target.predictions(tree, tree.classes)[leaf]
            raise DataError(
                f"Leaf {leaf} predicts {label!s:.60}, which is not the majority class of its training points. "
                "scikit-learn trees always predict the majority class. Remove the edit or the threshold that "
                "changed the label."
            )
    return _estimator(tree, _nodes(tree, target), tree.values[:, 1:2] if shares is None else shares)


def _nodes(tree, target):
    """Return the structured array of the nodes. scikit-learn sends ``float32(x) <= threshold`` left."""
    # This API is private, but there is no other way to create a tree that scikit-learn did not grow. Pickled estimators
    # use the same format, which has not changed since version 1.3 added missing values, and scikit-learn validates it.
    import sklearn.tree

    nodes = np.zeros(tree.n_nodes, sklearn.tree._tree.NODE_DTYPE)
    nodes["left_child"], nodes["right_child"] = tree.left, tree.right
    nodes["feature"] = nodes["threshold"] = -2
    nodes["n_node_samples"] = tree.n_samples
    nodes["weighted_n_node_samples"] = weights = target.weights(tree.values)
    nodes["impurity"] = target.impurities(tree.values) / np.where(weights > 0, weights, 1.0)
    decisions = np.flatnonzero(tree.left >= 0)
    uses = np.diff(tree.indptr)[decisions] == 1
    place = np.minimum(tree.indptr[decisions], max(tree.features.size - 1, 0))
    features = np.where(uses, tree.features[place], 0) if tree.features.size else np.zeros(decisions.size, int)
    weight = np.where(uses, tree.weights[place], 0.0) if tree.features.size else np.zeros(decisions.size)
    bias, falls = tree.bias[decisions], weight < 0
    # from the first number on, rows go right if the weight is positive, else left
    first = first_number(lambda x: (bias + weight * x >= 0) != falls, decisions.size)
    nodes["feature"][decisions] = features
    nodes["threshold"][decisions] = np.where(np.isinf(first), first, np.nextafter(first, -np.inf))
    left, right = tree.left[decisions], tree.right[decisions]
    nodes["left_child"][decisions], nodes["right_child"][decisions] = (
        np.where(falls, right, left),
        np.where(falls, left, right),
    )
    missing = np.zeros(decisions.size, bool) if tree.missing_right is None else tree.missing_right[decisions]
    missing = np.where(uses, missing, bias >= 0)  # missing values do not affect a split without features
    nodes["missing_go_to_left"][decisions] = missing == falls
    return nodes


def _estimator(tree, nodes, values):
    import sklearn.tree

    k = tree.classes.size
    grown = sklearn.tree._tree.Tree(tree.n_features, np.array([max(k, 1)], np.intp), 1)
    grown.__setstate__(
        {
            "max_depth": tree.depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(values[:, None, :]),
        }
    )
    estimator: Any = sklearn.tree.DecisionTreeClassifier() if k else sklearn.tree.DecisionTreeRegressor()
    if k:
        estimator.classes_, estimator.n_classes_ = tree.classes.copy(), np.int64(k)
    estimator.tree_, estimator.n_outputs_ = grown, 1
    estimator.n_features_in_ = estimator.max_features_ = tree.n_features
    if tree.feature_names is not None:
        estimator.feature_names_in_ = np.array(tree.feature_names, object)
    return estimator
