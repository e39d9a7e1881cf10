"""`Classification`: training targets with classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.data.losses import ZeroOneLoss
from treecore.data.messages import MESSAGES
from treecore.data.weighted_rows import WeightedRows
from treecore.errors import DataError
from treecore.tree.classes import Classes

GRID_RANGE = 1e-4  # start of a grid of lambda, as share of its end


class Classification:
    """Rows with class codes. Other kinds of targets, such as `Regression`, have the same members.

    n_classes : int or None; loss : that TAO minimises; target : kind of `Target` of the trees; dtype : of the targets
    """

    target, dtype = Classes, np.int32

    def __init__(self, n_classes: int) -> None:
        self.n_classes, self.loss = n_classes, ZeroOneLoss(n_classes)

    def checked(self, y: Any, name: str, classes: Any) -> np.ndarray:
        """Return [n]: codes of labels of rows outside training. Raise DataError if none is one of the classes."""
        y = np.asarray(y)
        if y.size and not np.isin(y, classes).any():
            raise DataError(MESSAGES("labels.none_known", name=name, label=y.flat[0], classes=classes[:5]))
        return y

    def largest_lambda(self, rows: WeightedRows, slope: float | None) -> float:
        """Return the lambda above which even the best grouping of the classes does not justify one weight at the root.

        slope : of the surrogate at 0; None for true losses.
        """
        if slope is None:
            totals = np.bincount(rows.y, rows.weights, self.n_classes)
            return max(float(totals.sum() - totals.max()), 1e-6)
        largest = 0.0
        columns = rows.columns.values
        for j in np.flatnonzero(rows.inverse_scale):
            column = columns[:, [j]].toarray().ravel() if rows.columns.is_sparse else columns[j].astype(np.float64)
            column = (column - (rows.weights @ column) / rows.weights.sum()) * rows.inverse_scale[j]
            largest = max(largest, float(np.abs(np.bincount(rows.y, rows.weights * column, self.n_classes)).sum()))
        return max(slope * largest, 1e-6)

    def smallest_lambda(self, rows: WeightedRows, largest: float, is_exact: bool) -> float:
        """Return the smallest lambda with an effect: a true loss changes by the weight of one point."""
        return min(0.5 * float(rows.weights.min()), 0.5 * largest) if is_exact else GRID_RANGE * largest

    def greedy(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return the statistics of the points of a node for greedy growth (Gini index).

        (channels int32[n], amounts float64[n], number of channels, largest possible score; prediction; whether the node
        is pure). Of a tie, the first class is predicted.
        """
        counts = np.bincount(y, weights, self.n_classes)
        present = counts > 0
        channels = (np.cumsum(present) - 1)[y].astype(np.int32)
        size = int(np.count_nonzero(present))
        return channels, weights, size, float(weights.sum()), int(counts.argmax()), size == 1

    def leaf_targets(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return the targets of leaves with trained parameters: (targets [n], parameters of a leaf, squared loss?).

        Classes: codes (float64) among the present ones, with the log loss of unnormalised log-probabilities.
        """
        channels, _, size, *_ = self.greedy(y, weights)
        return channels.astype(np.float64), size, False

    def first_parameters(
        self, leaf: np.ndarray, targets: np.ndarray, weights: np.ndarray, shape: tuple, smoothing: float
    ) -> np.ndarray:
        """Return float64[shape], (leaves, parameters).

        The best parameters of each leaf for its `targets` of `leaf_targets`.

        smoothing : weight added to every class.
        """
        counts = np.full(shape, smoothing)
        np.add.at(counts, (leaf, targets.astype(np.int64)), weights)
        return np.log(counts)

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the loss of a badly predicted row."""
        return 1.0

    def groups(self, y: np.ndarray) -> np.ndarray:
        """Return int[n]: strata of rows for folds."""
        return y

    def middle(self, y: np.ndarray, weights: np.ndarray) -> Any:
        """Return the value that is subtracted from the targets before scikit-learn grows a tree on them."""
        return 0

    def sklearn_tree(self, **parameters: Any) -> Any:
        """Return the unfitted tree of scikit-learn that minimises this loss greedily."""
        from sklearn.tree import DecisionTreeClassifier  # slow import

        return DecisionTreeClassifier(**parameters)

    def sklearn_figures(self, grown: Any) -> tuple:
        """Return (predictions [m], float64[m] loss of each node as a leaf) of a fitted tree of scikit-learn."""
        shares = grown.tree_.value[:, 0, :]
        risk = grown.tree_.weighted_n_node_samples * (1.0 - shares.max(axis=1))
        return grown.classes_.astype(np.int32)[shares.argmax(axis=1)], risk
