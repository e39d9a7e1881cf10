"""Costs of mistakes: the loss `CostLoss`, the matrix of costs in its two forms, and the mean cost of predictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.data.losses import COSTS, LOSSES, ZeroOneLoss
from treecore.errors import DataError, ParameterError
from treecore.fixed_order import exactly_added
from treecore.messages import counted, literal
from treecore.parameter_checks import LARGEST

SAME = 1e-12  # share of the sum of the losses of all labels; losses that differ by less are equal


class CostLoss(ZeroOneLoss):
    """Weighted cost of the mistakes. A leaf predicts the class with the smallest cost.

    Initial trees are grown with the weight of each row times the mean cost of its class ("altered priors", Breiman et
    al. 1984, section 4.4). For two classes, all costs are then class weights.

    costs : float64[n_classes, n_classes], cost of a row of the first class if the second one is predicted, 0 if they
    are equal
    """

    form, is_usual = LOSSES, False
    unit_name = "mean cost of a mistake"

    def __init__(self, costs: np.ndarray) -> None:
        super().__init__(len(costs))
        self.costs = costs
        mean = costs.sum(axis=1) / max(self.n_classes - 1, 1)
        # The mistakes on a class can cost nothing only in a fold without the other classes.
        self._mean = np.where(mean > 0, mean, mean[mean > 0].min(initial=np.inf) if mean.any() else 1.0)
        gaps = (np.diff(np.unique(row)) for row in costs)
        self._least = np.array([gap.min(initial=np.inf) for gap in gaps])

    def label_losses(self, values: np.ndarray) -> np.ndarray:
        found = np.zeros(values.shape)
        for code, row in enumerate(self.costs):  # in a fixed order
            found += values[..., code, None] * row
        return found

    def losses_of(self, values: np.ndarray) -> np.ndarray:
        return self.label_losses(values).min(axis=-1)

    def labels_of(self, values: np.ndarray, present: np.ndarray | None = None) -> np.ndarray:
        """Return the cheapest labels. In a tie, classes without rows come after `present` and the other classes."""
        losses = self.label_losses(values)
        tied = losses <= losses.min(axis=-1, keepdims=True) + SAME * losses.sum(axis=-1, keepdims=True)
        own = tied & (values > 0)
        best = np.where(own.any(axis=-1), own.argmax(axis=-1), tied.argmax(axis=-1))
        return best if present is None else np.where(tied[np.arange(len(values)), present], present, best)

    def row_losses(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | float) -> np.ndarray:
        return weights * self.costs[y, predicted]

    def total(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
        return super(ZeroOneLoss, self).total(predicted, y, weights)

    def leaf_sums(self, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, int]:
        return weights[:, None] * self.costs[y], COSTS

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        return float((weights * self._mean[y]).sum() / weights.sum())

    def importances(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return exactly_added(weights * self._mean[y])

    def largest_gains(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return weights * self.costs.max(axis=1)[y]

    def least_gain(self, y: np.ndarray, weights: np.ndarray) -> float:
        least = float((weights * self._least[y]).min())
        return least if np.isfinite(least) else float(weights.min())


def _by_label(value):
    """Return a DataFrame as a dict of dicts, unless it only has row and column numbers."""
    if not hasattr(value, "to_dict") or not hasattr(value, "columns"):
        return value
    names = [value.index.tolist(), value.columns.tolist()]
    return value.to_numpy() if names == [list(range(len(value)))] * 2 else value.to_dict("index")


def check_cost_matrix(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` has the form of a matrix of costs, of which the classes are not yet known."""
    value = _by_label(value)
    if isinstance(value, Mapping):
        rows = list(value)
        for label, row in value.items():
            if not isinstance(row, Mapping):
                raise ParameterError(f"{name}[{label!r}]={literal(row)}: expected a dict of predicted class to cost.")
            unknown = [other for other in row if other not in value]
            if unknown:
                raise ParameterError(
                    f"{name}[{label!r}] has a cost for {literal(unknown[0])}, but {name} has no such class; it has "
                    f"{rows[:20]}. Use the same classes for both."
                )
            lacking = [other for other in rows if other != label and other not in row]
            if lacking:
                raise ParameterError(
                    f"{name}[{label!r}] has no cost for {literal(lacking[0])}. Add the cost of every mistake, or 0."
                )
        costs = np.array([[_number(row.get(other, 0.0)) for other in rows] for row in value.values()])
        _check_costs(costs.reshape(len(rows), len(rows)), name, rows)
        return
    _check_costs(_array(value, name), name)


def cost_table(value: Any, classes: ArrayLike) -> Any:
    """Return a `cost_matrix` as a dict of dicts by label, for rows that need not have all classes."""
    value = _by_label(value)
    if value is None or isinstance(value, Mapping):
        return value
    labels = np.asarray(classes).tolist()
    return {
        label: dict(zip(labels, row, strict=True))
        for label, row in zip(labels, costs_of(value, classes).tolist(), strict=True)
    }


def costs_of(value: Any, classes: ArrayLike, name: str = "cost_matrix") -> np.ndarray:
    """Return a matrix of costs for classes, float64[k, k]. Raise ParameterError if it is invalid, or not for them.

    value : array-like of shape (k, k) in the order of the classes, or dict of dicts that may have further classes
    """
    value = _by_label(value)
    check_cost_matrix(value, name)
    labels = np.asarray(classes).tolist()
    if not isinstance(value, Mapping):
        costs = _array(value, name)
        if len(costs) != len(labels):
            raise ParameterError(
                f"{name} has {counted(len(costs), 'row')}, but y has {counted(len(labels), 'class')}: {labels[:20]}. "
                "Pass one row and one column for each class, in this order."
            )
        return costs
    unknown = [label for label in labels if label not in value]
    if unknown:
        raise ParameterError(
            f"{name} has no entry for the classes {unknown[:20]} of y; it has {list(value)[:20]}. Add their costs."
        )
    return np.array([[float(value[label].get(other, 0.0)) for other in labels] for label in labels])


def mean_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: Any,
    sample_weight: ArrayLike | None = None,
    classes: ArrayLike | None = None,
) -> float:
    """Return the mean cost of predictions.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_pred : array-like of shape (n,)
        Predicted class labels.
    cost_matrix : array-like of shape (k, k), or dict of dicts
        Costs as in `TAOClassifier`: ``cost_matrix[i][j]`` is the cost of a row of class i if class j is predicted.
    sample_weight : array-like of shape (n,) or None, default=None
        Non-negative weight of each row.
    classes : array-like of shape (k,) or None, default=None
        Classes in the order of an array `cost_matrix`, such as `classes_` of a fitted estimator. None uses the sorted
        labels of `y_true` and `y_pred`.

    Returns
    -------
    float
        Weighted mean of the costs of the rows.

    Raises
    ------
    DataError
        If the labels or weights have different lengths, or there are no rows.
    ParameterError
        If the costs are invalid, or there are none for a label.

    See Also
    --------
    TAOClassifier : Trains a tree with a small cost.

    Examples
    --------
    >>> from treecore import mean_cost
    >>> costs = {"fine": {"fraud": 1}, "fraud": {"fine": 50}}
    >>> mean_cost(["fine", "fine", "fraud", "fraud"], ["fine", "fraud", "fraud", "fine"], costs)
    12.75
    """
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    try:
        weights = np.ones(true.shape) if sample_weight is None else np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError):
        raise DataError(f"sample_weight={literal(sample_weight, 60)}: expected a number for each row.") from None
    if true.ndim != 1 or true.shape != predicted.shape or true.shape != weights.shape:
        raise DataError(
            f"y_true, y_pred and sample_weight have the shapes {true.shape}, {predicted.shape} and {weights.shape}: "
            "expected one entry for each row."
        )
    if not (weights.size and (weights >= 0).all() and 0 < weights.sum() < np.inf):
        raise DataError("The rows have no weight, or a negative one. Pass rows with positive weights.")
    labels = list(dict.fromkeys([*true.tolist(), *predicted.tolist()]))
    try:
        known = np.asarray(sorted(labels) if classes is None else classes)
    except TypeError:
        raise DataError("y_true and y_pred contain missing labels, or labels of several types.") from None
    if len(set(known.tolist())) < known.size:
        raise ParameterError(f"classes={known.tolist()[:20]} contains a class twice. Pass each class once.")
    costs, code_of = costs_of(cost_matrix, known), {label: code for code, label in enumerate(known.tolist())}
    unknown = [label for label in labels if label not in code_of]
    if unknown:
        raise ParameterError(f"classes={known.tolist()[:20]} lacks the label {literal(unknown[0])}. Add it.")
    codes = np.array([[code_of[label] for label in side.tolist()] for side in (true, predicted)])
    return float((weights * costs[codes[0], codes[1]]).sum() / weights.sum())


def _number(value):
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return float(value) if is_number else np.nan


def _array(value, name):
    expected = (
        f"{name}={literal(value, 100)}: expected a square array of numbers, with a row for each true class and a "
        "column for each predicted class, or a dict of dicts."
    )
    try:
        costs = np.array(value, np.float64)
    except (TypeError, ValueError):
        raise ParameterError(expected) from None
    if isinstance(value, str) or costs.ndim != 2 or costs.shape[0] != costs.shape[1] or not costs.size:
        raise ParameterError(expected)
    return costs


def _check_costs(costs, name, labels: list | None = None):
    """Raise ParameterError for costs that are not possible. labels : classes of the rows, None for their numbers."""
    known = list(range(len(costs))) if labels is None else labels

    def place(*codes):
        return name + "".join(f"[{known[code]!r}]" for code in codes)

    wrong = np.argwhere(~((costs >= 0) & (costs <= LARGEST)))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise ParameterError(f"{place(row, column)}={costs[row, column]:g}: expected a cost from 0 to {LARGEST:g}.")
    own = np.flatnonzero(costs.diagonal())
    if own.size:
        row = int(own[0])
        raise ParameterError(
            f"{place(row, row)}={costs[row, row]:g}: expected 0, because a correct prediction costs nothing. Subtract "
            "it from the costs of this row."
        )
    if len(costs) < 2:
        raise ParameterError(f"{name} has costs for {counted(len(costs), 'class')}: expected at least two classes.")
    free = np.flatnonzero(~costs.any(axis=1))
    if free.size:
        raise ParameterError(
            f"{place(int(free[0]))} has only zeros, so that no mistake on this class has a cost. Remove its rows from "
            "the data, or pass a positive cost."
        )
    free = np.flatnonzero(~costs.any(axis=0))
    if free.size:
        raise ParameterError(
            f"Column {known[free[0]]!r} of {name} has only zeros, so that a tree that always predicts this class "
            "costs nothing. Pass a positive cost."
        )
