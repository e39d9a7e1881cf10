"""`Classification`: the training task with class labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.data.losses import Loss, ZeroOneLoss
from treecore.data.weighted_rows import WeightedRows
from treecore.errors import DataError
from treecore.fixed_order import dot
from treecore.messages import literal
from treecore.tree.classes import Classes

NO_LOSS = 1e-6  # largest lambda of rows of one class
GRID_RANGE = 1e-4  # first value of the lambda grid as a share of the last


class Classification:
    """Task of predicting classes. Other tasks, such as `Regression`, have the same members.

    n_classes : int or None; loss : `Loss` that TAO minimises; target : class of the trees' `Target`; dtype : dtype of
    the targets
    """

    target, dtype = Classes, np.int32

    def __init__(self, n_classes: int, loss: Loss | None = None) -> None:
        self.n_classes, self.loss = n_classes, ZeroOneLoss(n_classes) if loss is None else loss

    def checked(self, y: Any, name: str, classes: Any) -> np.ndarray:
        """Check labels that were not used for training. Raise DataError if none of them is one of the classes."""
        y = np.asarray(y)
        if y.size and not np.isin(y, classes).any():
            raise DataError(
                f"No label of {name}, such as {literal(y.flat[0])}, is a class of y ({classes[:5]} ...). Use the "
                "same type in both."
            )
        return y

    def largest_lambda(self, rows: WeightedRows, slope: float | None) -> float:
        """Return the lambda above which no division of the classes justifies a single weight at the root.

        slope : slope of the surrogate at 0, None for true losses.
        """
        if slope is None:
            return self.loss.one_leaf(rows.y, rows.weights) or NO_LOSS
        weights, largest = self.loss.largest_gains(rows.y, rows.weights), 0.0
        columns = rows.columns.values
        for j in np.flatnonzero(rows.inverse_scale):
            column = columns[:, [j]].toarray().ravel() if rows.columns.is_sparse else columns[j].astype(np.float64)
            column = (column - dot(weights, column) / weights.sum()) * rows.inverse_scale[j]
            largest = max(largest, float(np.abs(np.bincount(rows.y, weights * column, self.n_classes)).sum()))
        return slope * largest or NO_LOSS

    def smallest_lambda(self, rows: WeightedRows, largest: float, is_exact: bool) -> float:
        """Return the smallest lambda with an effect. A true loss changes by at least the weight of one point."""
        least = self.loss.least_gain(rows.y, rows.weights)
        return min(0.5 * least, 0.5 * largest) if is_exact else GRID_RANGE * largest

    def greedy(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return statistics of a node for greedy growth by the Gini index.

        The statistics are channels int32[n], amounts float64[n], the number of channels, the largest possible score,
        the prediction (the first class in a tie), and whether the node is pure.
        """
        counts = np.bincount(y, weights, self.n_classes)
        present = counts > 0
        channels = (np.cumsum(present) - 1)[y].astype(np.int32)
        size = int(np.count_nonzero(present))
        return channels, weights, size, float(weights.sum()), int(counts.argmax()), size == 1

    def leaf_targets(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return (targets [n], parameters per leaf, whether the loss is squared) for leaves trained by gradients.

        For classes, the targets are codes (float64) of the classes that are present. Leaves have unnormalised
        log-probabilities and log loss.
        """
        channels, _, size, *_ = self.greedy(y, weights)
        return channels.astype(np.float64), size, False

    def first_parameters(
        self, leaf: np.ndarray, targets: np.ndarray, weights: np.ndarray, shape: tuple, smoothing: float
    ) -> np.ndarray:
        """Return the best parameters of each leaf, float64[shape].

        targets : result of `leaf_targets`; shape : (leaves, parameters); smoothing : weight added to every class.
        """
        counts = np.full(shape, smoothing)
        np.add.at(counts, (leaf, targets.astype(np.int64)), weights)
        return np.log(counts)

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the loss of a poorly predicted row."""
        return self.loss.unit(y, weights)

    def groups(self, y: np.ndarray) -> np.ndarray:
        """Return the strata of the rows for folds, int[n]."""
        return y

    def centred(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return (targets, middle, unit): ``y = targets * unit + middle``. scikit-learn gets the targets."""
        return y, 0, 1

    def sklearn_tree(self, **parameters: Any) -> Any:
        """Return an unfitted scikit-learn tree that minimises this loss greedily."""
        from sklearn.tree import DecisionTreeClassifier  # slow import

        return DecisionTreeClassifier(**parameters)

    def sklearn_labels(self, grown: Any) -> np.ndarray:
        """Return the prediction [m] of each node in a fitted scikit-learn tree, in the unit of its targets."""
        return grown.classes_.astype(np.int32)[grown.tree_.value[:, 0, :].argmax(axis=1)]
