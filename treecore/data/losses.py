"""Losses that TAO minimises: the 0/1 loss for classification, the squared error for regression.

See Kairgeldin and Carreira-Perpiñán 2024, section A.3.1. `Loss` describes the interface; other losses are in files next
to this one.

A loss defines the prediction of a leaf and the training statistics that each node of the final tree stores (`values` of
`Tree`). Predictions are class codes (int32) or numbers (float64).
"""

import warnings
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from treecore._jit import kernel
from treecore._jit_lanes import add_lanes, full, load, width
from treecore.data.softmax import MOST_STEPS, log_losses, softmax_regression
from treecore.fixed_order import dot, times, total
from treecore.tree.classes import CAP, Classes
from treecore.tree.quantity import Quantity

CLASSES, NUMBERS, LOSSES = range(3)  # forms of the predictions that `signed_losses` compares
COUNTS, MOMENTS, COSTS = range(3)  # forms of the sums from which `best_block` computes the loss of a leaf
LEAST_LAMBDA = 1e-12  # smallest lambda of the coordinate descent of linear leaves


@kernel
def signed_losses(starts, middles, stops, others, y, weights, current, form, signed, sums):
    """Compute the reduced problems of some nodes from the predictions for their points through both children.

    current : prediction through the present child, left for the rows [starts, middles) and right for [middles, stops);
    others : prediction through the other child; form : meaning of both, CLASSES, NUMBERS or LOSSES; signed :
    float64[n], written, weighted gain if a point goes right, 0 for don't-care points; sums : float64[nodes, 4],
    written, sums of `signed`, of its positive part, of `signed` over the points on the right, and of its absolute
    values.
    """
    for p in range(starts.size):
        total, positive, right = 0.0, 0.0, 0.0
        for i in range(starts[p], stops[p]):
            other, taken = others[i], current[i]
            if form == LOSSES:
                gain = 1.0 * other - 1.0 * taken
            elif form == NUMBERS:
                gain = (other - y[i]) * (other - y[i]) - (taken - y[i]) * (taken - y[i])
            else:
                gain = 1.0 * (other != y[i]) - 1.0 * (taken != y[i])
            # gain of the current side over the other side
            gain *= weights[i] if i >= middles[p] else -weights[i]
            signed[i] = gain
            total += gain
            positive += max(gain, 0.0)
            if i >= middles[p]:
                right += gain
        sums[p, 0], sums[p, 1], sums[p, 2], sums[p, 3] = total, positive, right, 2.0 * positive - total


@kernel
def _add_up(left, right, values):
    for node in range(left.size - 1, -1, -1):
        if left[node] >= 0:
            for k in range(values.shape[1]):
                values[node, k] = values[left[node], k] + values[right[node], k]


@kernel
def _pool_up(left, right, values):
    for node in range(left.size - 1, -1, -1):
        if left[node] < 0:
            continue
        a, b = left[node], right[node]
        weight = values[a, 0] + values[b, 0]
        share = values[b, 0] / (weight if weight > 0 else 1.0)
        apart = values[b, 1] - values[a, 1]
        values[node, 0] = weight
        values[node, 1] = values[a, 1] + share * apart
        values[node, 2] = (1 - share) * values[a, 2] + share * values[b, 2] + share * (1 - share) * (apart * apart)


def _single_values(leaf, y, n_nodes):
    """Return (whether all rows of a leaf have one target bool[n_nodes], this target), without rounding."""
    first, has_rows = np.zeros(n_nodes), np.zeros(n_nodes, np.bool_)
    first[leaf], has_rows[leaf] = y, True
    return has_rows & (np.bincount(leaf, y != first[leaf], n_nodes) == 0), first


class Loss(ABC):
    """Sum of the weighted losses of all rows, with everything that training needs to know about it.

    A new loss derives from `ZeroOneLoss` or `SquaredLoss` in a file of its own and replaces the methods that differ, as
    `CostLoss` does. Linear leaves also need `linear_losses` and `linear_fit`.

    form : form of the predictions that `signed_losses` compares. With LOSSES, `row_losses` is all that it needs; target
    : class of the trees' `Target`; is_squared : whether sums over rows in parts are moments of the target; is_usual :
    whether a tree determines this loss on its training rows, because its target has the same loss; unit_name : name of
    the `unit` in messages; grid_range : first value of a lambda grid for numbers, as a share of the last
    """

    form = LOSSES
    is_squared, is_usual = False, True
    unit_name, grid_range = "loss of a row", 1e-4
    target: Any

    @abstractmethod
    def leaf_labels(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return the best label of every leaf, given the leaf of each row. Leaves without rows keep their `labels`.

        In a tie between classes, the label in `labels` is kept, so that a pass without progress changes nothing.
        """

    @abstractmethod
    def leaf_values(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, n_nodes: int) -> np.ndarray:
        """Return the values of every leaf, 0 in other nodes: float64[n_nodes, k]."""

    @abstractmethod
    def merge_up(self, left: np.ndarray, right: np.ndarray, values: np.ndarray) -> None:
        """Write the values of the decision nodes into `values` [m, k], which contain those of the leaves.

        left, right : int32[m], children of each node, which follow it, -1 in a leaf
        """

    def node_values(
        self, left: np.ndarray, right: np.ndarray, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the values of all nodes, float64[m, k]. left, right : as in `merge_up`; leaf : leaf of each row."""
        values = self.leaf_values(leaf, y, weights, left.size)
        self.merge_up(left, right, values)
        return values

    @abstractmethod
    def losses_of(self, values: np.ndarray) -> np.ndarray:
        """Return the losses of nodes with these values, as if they were leaves."""

    @abstractmethod
    def labels_of(self, values: np.ndarray, present: np.ndarray | None = None) -> np.ndarray:
        """Return the best labels of nodes with these values.

        In a tie between classes, the label is that in `present` or, if `present` is None, the first class.
        """

    @abstractmethod
    def stored(self, values: np.ndarray, labels: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (values, labels) of a `Tree` from the values and labels of its nodes.

        kept : bool[m], leaves that keep their label, although it need not be the best one
        """

    @abstractmethod
    def row_losses(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | float) -> np.ndarray:
        """Return the weighted loss of each row, float64[n]."""

    def compared(self, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the predictions [n] in the form `form`."""
        return self.row_losses(predicted, y, 1.0) if self.form == LOSSES else predicted

    def total(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the sum of the losses."""
        return dot(weights, self.row_losses(predicted, y, 1.0))

    @abstractmethod
    def leaf_sums(self, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, int]:
        """Return (contributions of the rows float64[n, s], form of their sums) from which `best_block` gets losses."""

    @abstractmethod
    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the loss of a poorly predicted row."""

    def one_leaf(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the loss of a single leaf."""
        return float(self.losses_of(self.leaf_values(np.zeros(y.size, np.int64), y, weights, 1))[0])

    def importances(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the weights with which initial trees are grown and features are scaled, float64[n]."""
        return weights

    def largest_gains(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the largest weighted difference between two losses of each row, float64[n], for classes."""
        return weights

    def least_gain(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the smallest positive weighted difference between two losses of a row, for classes."""
        return float(weights.min())


class ZeroOneLoss(Loss):
    """Weighted number of misclassified points. A leaf predicts its majority class.

    The values of a node are the weights of its classes, float64[n_classes].
    """

    form, target = CLASSES, Classes

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes

    def leaf_labels(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> np.ndarray:
        return self.labels_of(self.leaf_values(leaf, y, weights, labels.size), labels).astype(np.int32)

    def leaf_values(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, n_nodes: int) -> np.ndarray:
        flat = leaf * np.int64(self.n_classes) + y
        return np.bincount(flat, weights, n_nodes * self.n_classes).reshape(n_nodes, self.n_classes)

    def merge_up(self, left: np.ndarray, right: np.ndarray, values: np.ndarray) -> None:
        _add_up(left, right, values)

    def losses_of(self, values: np.ndarray) -> np.ndarray:
        return values.sum(axis=-1) - values.max(axis=-1)

    def label_losses(self, values: np.ndarray) -> np.ndarray:
        """Return the loss of nodes with these values for each label, float64[..., n_classes]."""
        return values.sum(axis=-1, keepdims=True) - values

    def labels_of(self, values: np.ndarray, present: np.ndarray | None = None) -> np.ndarray:
        best = values.argmax(axis=-1)
        if present is None:
            return best
        rows = np.arange(len(values))
        return np.where(values[rows, best] > values[rows, present], best, present)

    def stored(self, values: np.ndarray, labels: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return values, labels

    def row_losses(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | float) -> np.ndarray:
        return weights * (predicted != y)

    def leaf_sums(self, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, int]:
        present, codes = np.unique(y, return_inverse=True)
        sums = np.zeros((y.size, present.size))
        sums[np.arange(y.size), codes] = weights
        return sums, COUNTS

    def total(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
        return float(weights[predicted != y].sum())

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        return 1.0

    def linear_losses(self, scores: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the losses of linear leaves with scores [n, q], float64[2, n].

        Row 0 is the training loss, and row 1 is the loss from which errors are computed.
        """
        return np.stack([log_losses(scores, y)[0], scores.argmax(axis=1) != y])

    def linear_fit(
        self,
        X: Any,
        y: np.ndarray,
        weights: np.ndarray,
        lam: float,
        coefficients: np.ndarray,
        bias: np.ndarray,
        reference: np.ndarray,
        offset: np.ndarray | None = None,
        steps: int = MOST_STEPS,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Train a linear leaf on rows X [n, d] and return (coefficients float64[d, q], bias float64[q]).

        The solver starts from `coefficients` and `bias`. It minimises the sum of `linear_losses` plus lam times the l1
        norm of the difference between the coefficients and `reference`. offset : float64[n, q], scores that are added;
        the bias is then not trained; steps : maximum number of solver steps.
        """
        return softmax_regression(X, y, weights, lam, coefficients, bias, CAP, reference, offset, steps)


class SquaredLoss(Loss):
    """Weighted sum of squared errors. A leaf predicts the mean of its points.

    The values of a node are the weight, mean and variance of its points, float64[3].
    """

    is_squared, form, target = True, NUMBERS, Quantity
    unit_name, grid_range = "variance", 1e-6  # squared errors span more orders of magnitude than other losses

    def leaf_labels(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> np.ndarray:
        weight = np.bincount(leaf, weights, labels.size)
        deviation = np.bincount(leaf, weights * (y - labels[leaf]), labels.size)
        mean = labels + deviation / np.where(weight > 0, weight, 1.0)
        return np.where(*_single_values(leaf, y, labels.size), mean)

    def leaf_values(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, n_nodes: int) -> np.ndarray:
        weight = np.bincount(leaf, weights, n_nodes)
        safe = np.where(weight > 0, weight, 1.0)
        middle = dot(weights, y) / weights.sum()
        mean = np.where(weight > 0, middle + np.bincount(leaf, weights * (y - middle), n_nodes) / safe, 0.0)
        mean = np.where(*_single_values(leaf, y, n_nodes), mean)
        variance = np.bincount(leaf, weights * (y - mean[leaf]) ** 2, n_nodes) / safe
        return np.stack([weight, mean, variance], axis=1)

    def merge_up(self, left: np.ndarray, right: np.ndarray, values: np.ndarray) -> None:
        _pool_up(left, right, values)

    def losses_of(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] * values[..., 2]

    def labels_of(self, values: np.ndarray, present: np.ndarray | None = None) -> np.ndarray:
        return values[..., 1]

    def stored(self, values: np.ndarray, labels: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values[:, 2] += np.where(kept, (labels - values[:, 1]) ** 2, 0.0)
        values[kept, 1] = labels[kept]
        return values, np.zeros(len(values), np.int32)

    def row_losses(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | float) -> np.ndarray:
        return weights * (predicted - y) ** 2

    def leaf_sums(self, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, int]:
        centred = y - np.average(y, weights=weights)
        return np.stack([weights, weights * centred, weights * centred * centred], axis=1), MOMENTS

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the variance."""
        return self.one_leaf(y, weights) / float(weights.sum())

    def one_leaf(self, y: np.ndarray, weights: np.ndarray) -> float:
        return float(dot(weights, (y - dot(weights, y) / weights.sum()) ** 2))

    def linear_losses(self, scores: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return squared errors in the form of `ZeroOneLoss.linear_losses`."""
        squares = (scores[:, 0] - y) ** 2
        return np.stack([squares, squares])

    def linear_fit(
        self,
        X: Any,
        y: np.ndarray,
        weights: np.ndarray,
        lam: float,
        coefficients: np.ndarray,
        bias: np.ndarray,
        reference: np.ndarray,
        offset: np.ndarray | None = None,
        steps: int = MOST_STEPS,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Train a linear leaf as `ZeroOneLoss.linear_fit` does, by coordinate descent (of scikit-learn for CSR)."""
        is_free = offset is None
        rest = y - times(X, reference)[:, 0] - (0.0 if offset is None else offset[:, 0])
        if not hasattr(X, "multiply"):
            own, shift = lasso(X, rest, weights, lam, coefficients[:, 0] - reference[:, 0], is_free, max(steps, 1000))
            return reference + own[:, None], np.array([shift]) if is_free else bias
        from sklearn.exceptions import ConvergenceWarning  # slow imports
        from sklearn.linear_model import Lasso

        alpha = max(lam, LEAST_LAMBDA) / (2 * weights.sum())
        model = Lasso(alpha=alpha, warm_start=True, fit_intercept=is_free, max_iter=max(steps, 1000))
        model.coef_ = coefficients[:, 0] - reference[:, 0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the solution at the step limit is used
            model.fit(X, rest, sample_weight=weights)
        return reference + model.coef_[:, None], np.atleast_1d(model.intercept_) if is_free else bias


TOLERANCE = 1e-9  # relative decrease of the objective; a sweep that gains less is the last


def lasso(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, lam: float, start: np.ndarray, has_bias: bool, most_sweeps: int
) -> tuple[np.ndarray, float]:
    """Minimise ``sum_n weights_n (y_n - x_n . v - b)^2 + lam |v|_1`` and return (v float64[d], b).

    X : float64[n, d]; start : float64[d], first v; has_bias : whether b is trained, otherwise 0; most_sweeps : maximum
    number of sweeps over all coordinates.
    """
    columns, v = np.ascontiguousarray(X.T), np.array(start, np.float64)
    return v, _descend(columns, np.array(y, np.float64), np.ascontiguousarray(weights), lam, v, has_bias, most_sweeps)


@kernel
def _descend(columns, residual, weights, lam, v, has_bias, most_sweeps):
    """Write the solution into `v` (first guess at the start) and return the bias. residual : y, overwritten."""
    bias, weight = 0.0, total(weights)
    bend = np.empty(v.size)
    for j in range(v.size):
        bend[j] = _weighted_dot(columns[j], columns[j], weights)
        if v[j] != 0.0:
            residual -= v[j] * columns[j]
    for _ in range(most_sweeps):
        gain = 0.0
        if has_bias:
            step = dot(weights, residual) / weight
            bias += step
            residual -= step
            gain += step * step * weight
        for j in range(v.size):
            if bend[j] <= 0.0:
                continue
            target = v[j] + _weighted_dot(columns[j], residual, weights) / bend[j]
            shrink = 0.5 * lam / bend[j]
            new = max(target - shrink, 0.0) if target > 0.0 else min(target + shrink, 0.0)
            step = new - v[j]
            if step != 0.0:
                residual -= step * columns[j]
                v[j] = new
                gain += step * step * bend[j]
        if gain <= TOLERANCE * (_weighted_dot(residual, residual, weights) + lam * np.abs(v).sum()):
            break
    return bias


@kernel
def _weighted_dot(a, b, weights):
    whole = a.size - a.size % width(weights)
    lanes = full(0.0, weights)
    for i in range(0, whole, width(weights)):
        lanes = lanes + load(a, i, weights) * load(b, i, weights) * load(weights, i, weights)
    rest = 0.0
    for i in range(whole, a.size):
        rest += a[i] * b[i] * weights[i]
    return rest + add_lanes(lanes)
