"""Size, cost and error metrics of a tree.

Path length and inference cost in multiplications follow Carreira-Perpiñán and Tavallali 2018, section 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.tree.tree import Tree


class TreeMetrics(NamedTuple):
    """Metrics of a tree on a set of points."""

    n_decision: int
    n_leaves: int
    depth: int
    n_nonzero: int  # nonzero weights in all decision nodes and linear leaves
    features_per_node: float
    n_features_used: int  # number of distinct features
    mean_path_length: float  # decision nodes per point
    max_path_length: int
    inference_cost: float  # mean multiplications per point


def node_counts(tree: Tree, X: np.ndarray | None = None) -> np.ndarray:
    """Return the number of points of `X` (None: training points) that visit each node, int64[m]."""
    if X is None:
        return tree.n_samples
    counts = np.bincount(tree.apply(X), minlength=tree.n_nodes)
    for node in range(tree.n_nodes - 1, 0, -1):
        counts[tree.parents[node]] += counts[node]
    return counts


def tree_metrics(tree: Tree, X: np.ndarray | None = None) -> TreeMetrics:
    """Return the `TreeMetrics` on the points of `X` ([n, n_features]), or on the training points if `X` is None."""
    counts = node_counts(tree, X)
    products = np.diff(tree.indptr) + tree.leaf_model.n_weights(tree)
    total = max(int(counts[0]), 1)
    decisions = tree.left >= 0
    reached = tree.depths[~decisions][counts[~decisions] > 0]
    return TreeMetrics(
        tree.n_decision,
        tree.n_leaves,
        tree.depth,
        int(products.sum()),
        tree.features_per_node,
        tree.used_features.size,
        float(counts[decisions].sum() / total),
        int(reached.max()) if reached.size else 0,
        float((counts * products).sum() / total),
    )


def error_rate(tree: Tree, X: np.ndarray, y: np.ndarray) -> float:
    """Return the share of the rows of `X` whose predicted label differs from `y`, in [0, 1]."""
    return float(np.mean(tree.predict(X) != np.asarray(y)))


def row_losses(tree: Tree, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the loss of every row of `X`, float64[n]: 0 or 1 (misclassified), or the squared error."""
    return tree.target.losses(tree.predict(X), y)


def error_of(tree: Tree, X: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the error on the rows of `X`, as defined by the target: `error_rate` or the root mean squared error.

    weights : [n], row weights, None for equal weights.
    """
    return tree.target.error(np.average(row_losses(tree, X, y), weights=weights))


def root_mean_squared_error(tree: Tree, X: np.ndarray, y: np.ndarray) -> float:
    """Return the root mean squared error on the rows of `X`, in units of `y`."""
    return error_of(tree, X, np.asarray(y, np.float64))


def training_loss(tree: Tree) -> float:
    """Return the weighted training loss: the misclassified weight or the sum of squared errors."""
    return _of_training(tree)[1]


def training_error(tree: Tree) -> float:
    """Return the weighted training error, as defined in `error_of`."""
    weight, loss = _of_training(tree)
    return tree.target.error(loss / weight)


def _of_training(tree):
    """Return (weight, loss). A leaf without training points has the statistics of its parent."""
    reached = (tree.left < 0) & (tree.n_samples > 0)
    target = tree.target
    losses = tree.leaf_model.node_losses(tree, target)
    return float(target.weights(tree.values[reached]).sum()), float(losses[reached].sum())


def mean_and_spread(errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean over the folds and its standard error, from errors [..., folds, lambdas]."""
    return errors.mean(axis=-2), errors.std(axis=-2, ddof=1) / np.sqrt(errors.shape[-2])
