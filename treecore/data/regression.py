"""`Regression`: the training task with numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.data.absolute_error import AbsoluteLoss
from treecore.data.losses import Loss, SquaredLoss
from treecore.data.weighted_rows import WeightedRows
from treecore.errors import DataError
from treecore.fixed_order import dot, exactly_added
from treecore.tree.quantity import Quantity

LOSSES = {"squared_error": SquaredLoss, "absolute_error": AbsoluteLoss}  # values of `loss` of `TAORegressor`
NO_LOSS = 1e-12  # largest lambda of a constant target


class Regression:
    """Task of predicting numbers. Its members are those of `Classification`."""

    target, dtype, n_classes = Quantity, np.float64, None

    def __init__(self, loss: Loss | None = None) -> None:
        self.loss = SquaredLoss() if loss is None else loss

    def checked(self, y: Any, name: str, classes: Any = None) -> np.ndarray:
        """Return the targets as float64[n]. Raise DataError unless all are finite numbers."""
        try:
            y = np.asarray(y, np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"{name} must contain numbers for a regression tree: {error}.") from None
        if not np.isfinite(y).all():
            raise DataError(f"{name} contains NaN or infinite values. Remove these rows.")
        return y

    def largest_lambda(self, rows: WeightedRows, slope: float | None) -> float:
        """Return the loss of a single leaf, the lambda above which no split is worth its penalty."""
        return self.loss.one_leaf(rows.y, rows.weights) or NO_LOSS

    def smallest_lambda(self, rows: WeightedRows, largest: float, is_exact: bool) -> float:
        """Return the smallest lambda with an effect."""
        return self.loss.grid_range * largest

    def greedy(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return statistics in the form of `Classification.greedy`, for the squared error."""
        is_constant = bool(y.min() == y.max())
        mean = float(y[0] if is_constant else self.middle(y, weights))
        deviation = y - mean
        channels = np.zeros(y.size, np.int32)
        return channels, exactly_added(weights * deviation), 1, dot(weights, deviation**2), mean, is_constant

    def leaf_targets(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return the targets in standard deviations from the mean, in the form of `Classification.leaf_targets`.

        Gradient steps and weight bounds then do not depend on the unit of the target.
        """
        unit = self.unit(y, weights)
        return (y - self.middle(y, weights)) / np.sqrt(unit if unit > 0 else 1.0), 1, True

    def first_parameters(
        self, leaf: np.ndarray, targets: np.ndarray, weights: np.ndarray, shape: tuple, smoothing: float
    ) -> np.ndarray:
        """Return the mean of each leaf, in the form of `Classification.first_parameters`."""
        weight = np.bincount(leaf, weights, shape[0])
        return (np.bincount(leaf, weights * targets, shape[0]) / np.where(weight > 0, weight, 1.0))[:, None]

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the loss of a poorly predicted row, such as the variance."""
        return self.loss.unit(y, weights)

    def groups(self, y: np.ndarray) -> np.ndarray:
        """Return a single stratum for all rows, int[n]."""
        return np.zeros(y.size, np.int64)

    def middle(self, y: np.ndarray, weights: np.ndarray) -> Any:
        """Return the mean."""
        return dot(weights, y) / weights.sum()

    def centred(self, y: np.ndarray, weights: np.ndarray) -> tuple:
        """Return the targets in the form of `Classification.centred`.

        scikit-learn loses precision with large offsets, and regards variances below 2e-16 as 0. The unit is a power of
        two near the standard deviation, so that the division is exact.
        """
        middle = self.middle(y, weights)
        deviation = self.unit(y, weights) ** 0.5
        unit = 2.0 ** np.round(np.log2(deviation)) if deviation > 0 else 1.0
        return exactly_added((y - middle) / unit), middle, unit

    def sklearn_tree(self, **parameters: Any) -> Any:
        """Return an unfitted scikit-learn tree that minimises this loss greedily."""
        from sklearn.tree import DecisionTreeRegressor  # slow import

        return DecisionTreeRegressor(**parameters)

    def sklearn_labels(self, grown: Any) -> np.ndarray:
        """Return the prediction of each node, in the form of `Classification.sklearn_labels`."""
        return grown.tree_.value[:, 0, 0]
