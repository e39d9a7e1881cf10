"""Training data: features by column, targets, weights, and the scaling factors. Splits are in raw units."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
import scipy.sparse

from treecore.data.category_groups import CategoryGroups
from treecore.data.classification import Classification
from treecore.data.columns import DenseColumns, SparseColumns, empty_columns
from treecore.data.losses import Loss
from treecore.data.regression import Regression
from treecore.errors import DataError, ParameterError
from treecore.fixed_order import dot, exactly_added, transposed_times
from treecore.messages import literal
from treecore.parameter_checks import LARGEST

SCALES = ("standard", "minmax", None)
SMALLEST_WIDTH = 1e-150
SMALLEST_RANGE = 1e-75  # of a target that is a number, whose squares are added
# Columns with widths outside this range are solved in float64, because squares of scaled values overflow float32.
FLOAT32_WIDTHS = (1e-12, 1e12)

MOST_DENSE = 4 << 30  # maximum number of bytes of sparse rows that are made dense
_ROWS = 4096


def compact_dtype(X: np.ndarray) -> np.dtype:
    """Return the smallest of uint8, float32 and float64 that represents every value of the dense array `X` exactly."""
    if X.dtype in (np.uint8, np.bool_):
        return np.dtype(np.uint8)
    small = np.dtype(np.uint8)
    for low in range(0, X.shape[0], _ROWS):
        block = X[low : low + _ROWS]
        if small == np.uint8:
            inside = bool((block.min() >= 0) and (block.max() <= 255))
            if not (inside and np.array_equal(block, block.astype(np.uint8))):
                small = np.dtype(np.float32)
        if small == np.float32:
            if X.dtype == np.float32:
                return small
            with np.errstate(over="ignore"):
                if not np.array_equal(block, block.astype(np.float32), equal_nan=True):
                    return np.dtype(np.float64)
    return small


def dense_rows(X: Any, what: str) -> Any:
    """Return sparse rows as a dense array of the smallest exact dtype, and other rows unchanged.

    what : the option that requires dense rows, for the DataError if they have missing values or need too much memory.
    """
    if not scipy.sparse.issparse(X):
        return X
    X = X.copy()
    X.sum_duplicates()
    if X.dtype.kind == "f" and np.isnan(X.data).any():
        raise DataError("Input X contains NaN, which sparse rows do not support. Pass X.toarray().")
    dtype = compact_dtype(X.data[None]) if X.nnz else np.dtype(np.uint8)
    size = X.shape[0] * X.shape[1] * dtype.itemsize
    if size > MOST_DENSE:
        raise DataError(
            f"X has {X.shape[0]:,} rows and {X.shape[1]:,} features. {what} makes sparse rows dense, which would take "
            f"{size / 2**30:.1f} GB (maximum {MOST_DENSE >> 30} GB). Use split='oblique', or fewer features."
        )
    return X.astype(dtype).toarray()


def _dense_columns(X):
    dtype = compact_dtype(X)
    columns = empty_columns((X.shape[1], X.shape[0]), dtype)
    for low in range(0, X.shape[0], _ROWS):
        columns[:, low : low + _ROWS] = X[low : low + _ROWS].T
    return DenseColumns(columns)


def _dense_scaling(values, weights, scale):
    total = weights.sum()
    center = np.empty(values.shape[0])
    width = np.empty(values.shape[0])
    for j, column in enumerate(values):
        column = column.astype(np.float64)
        present = ~np.isnan(column)
        if not present.all():
            center[j], width[j] = _partly_missing(column[present], weights[present], scale)
            continue
        low, high = column.min(), column.max()
        center[j] = low if low == high else dot(weights, column) / total
        if low == high:
            width[j] = 0.0
        elif scale == "standard":
            deviation = column - center[j]
            width[j] = np.sqrt(dot(weights, deviation * deviation) / total)
        else:
            width[j] = high - low
    return center, width


def _partly_missing(column, weights, scale):
    """Return (center, width) of the values in a column that are not missing.

    A column with a single value has width 1, because a split on whether it is missing is possible.
    """
    if column.size == 0:
        return 0.0, 0.0
    if column.min() == column.max():
        return column[0], 1.0
    center, width = _dense_scaling(column[None], weights, scale)
    return center[0], width[0]


def _sparse_scaling(matrix, weights, scale):
    total = weights.sum()
    squared = matrix.multiply(matrix)
    mean = np.asarray(weights @ matrix) / total
    if scale == "standard":
        width = np.sqrt(np.maximum(np.asarray(weights @ squared) / total - mean * mean, 0.0))
        width[width < 1e-9 * np.abs(mean)] = 0.0
    else:
        width = (matrix.max(axis=0) - matrix.min(axis=0)).toarray().ravel()
    return np.zeros(matrix.shape[1]), width  # centring would make a sparse column dense


def _check_size(values, name, what):
    if values.dtype.kind == "f" and values.size:
        with np.errstate(invalid="ignore"):
            largest = max(float(np.fmax.reduce(values, axis=None)), -float(np.fmin.reduce(values, axis=None)))
        if largest > LARGEST:
            raise DataError(f"{name} contains values larger than {LARGEST:g} in absolute value. Rescale {what}.")


class TrainingData:
    """Training rows, kept in the leaf order of the tree.

    columns : DenseColumns or SparseColumns, NaN for missing values; y : int32[n] class codes, or float64[n]
    numbers if `n_classes` is None (regression); weights : float64[n], > 0; importances : float64[n], > 0, weights in
    greedy growth, see `growing`; task : Classification or Regression; loss : `Loss` of the task; rows : int64[n], the
    caller's row number at each position; center, widths, inverse_scale : float64[d], the last two 0 for a constant
    feature, which no split can use; groups : CategoryGroups, the columns of `categories`.
    """

    def __init__(
        self,
        X: np.ndarray | scipy.sparse.csr_matrix,
        y: np.ndarray,
        n_classes: int | None,
        weights: np.ndarray | None = None,
        scale: str | None = "standard",
        categories: Iterable[Sequence[int]] = (),
        loss: Loss | None = None,
    ) -> None:
        if scale not in SCALES:
            raise ParameterError(f"scale={literal(scale)}: expected 'standard', 'minmax' or None.")
        weights = np.ones(X.shape[0]) if weights is None else exactly_added(np.array(weights, np.float64))
        keep = weights > 0
        self.rows = np.flatnonzero(keep)
        if self.rows.size == 0:
            raise DataError("Every sample weight is zero. Pass a positive weight for at least one row.")
        if self.rows.size < X.shape[0]:
            X, y, weights = X[keep], y[keep], weights[keep]
        _check_size(X.data if scipy.sparse.issparse(X) else X, "X", "those features")
        self.n_classes = n_classes
        self.task = Regression(loss) if n_classes is None else Classification(n_classes, loss)
        self.loss = self.task.loss
        self.y = np.array(y, self.task.dtype)
        self.weights, self.importances = weights, self.loss.importances(self.y, weights)
        if scipy.sparse.issparse(X):
            self.columns = SparseColumns(X.astype(np.float64).sorted_indices())
            self.center, width = _sparse_scaling(self.columns.rows, self.importances, scale)
        else:
            self.columns = _dense_columns(X)
            self.center, width = _dense_scaling(self.columns.values, self.importances, scale)
        if scale is None:
            width = (width > 0).astype(np.float64)
        usable = width > SMALLEST_WIDTH
        self._check_width(usable)
        low, high = FLOAT32_WIDTHS
        if self.columns.values.dtype == np.float32 and ((width[usable] < low) | (width[usable] > high)).any():
            self.columns = DenseColumns(self.columns.values.astype(np.float64))
        self.inverse_scale = np.where(usable, 1.0 / np.where(usable, width, 1.0), 0.0)
        self.widths = np.where(usable, width, 0.0)
        self.groups = CategoryGroups(categories, self.columns.values, usable)
        _check_size(self.y, "y", "the target")
        if n_classes is None and 0 < np.ptp(self.y) < SMALLEST_RANGE:
            raise DataError(_too_small("y", SMALLEST_RANGE, "the target"))
        self.n_rows, self.n_features = self.columns.n_rows, self.columns.n_features

    def _check_width(self, usable):
        """Raise DataError if the squares of the values of a column are too small for a floating-point number."""
        if self.columns.is_sparse:
            return
        for feature in np.flatnonzero(~usable).tolist():
            column = self.columns.values[feature].astype(np.float64)
            known = column[~np.isnan(column)]
            if known.size and known.min() < known.max():
                what = f"feature {feature}"
                raise DataError(_too_small("X", SMALLEST_WIDTH, what))

    def reorder(self, order: np.ndarray, run: Callable) -> None:
        """Move the row at position ``order[i]`` to position i in every array."""
        if np.array_equal(order, np.arange(order.size)):
            return
        self.columns.reorder(order, run)
        self.groups.reorder(order)
        is_same = self.importances is self.weights
        self.y, self.weights, self.rows = self.y[order], self.weights[order], self.rows[order]
        self.importances = self.weights if is_same else self.importances[order]

    def growing(self) -> Self:
        """Return the same rows with the usual loss of the task and the weights `importances`, for greedy growth.

        The result is valid until the rows are reordered.
        """
        if self.loss.is_usual:
            return self
        found = copy(self)
        found.weights = self.importances
        found.task = Regression() if self.n_classes is None else Classification(self.n_classes)
        found.loss = found.task.loss
        return found

    def relabel(self, tree: Any) -> None:
        """Set the labels of the leaves of a WorkingTree, which was grown on `growing`, to the best ones."""
        if not self.loss.is_usual:
            leaf = np.empty(self.n_rows, np.int64)
            self.columns.leaves(tree.routing(), 0, 0, self.n_rows, leaf)
            tree.labels = self.loss.leaf_labels(leaf, self.y, self.weights, tree.labels)

    def scaled_rows(self, start: int, stop: int) -> tuple:
        """Return (X, middle float64[d], features int64[f]) of the rows [start, stop), scaled as the penalty requires.

        features : those that vary among the rows; X : float64[stop - start, f] or CSR, their scaled values; dense ones
        are centred at `middle`; middle : in raw units, the mean of each varying feature and the value of each constant
        one.
        """
        middle = np.zeros(self.n_features)
        if self.columns.is_sparse:
            use = np.flatnonzero(self.inverse_scale)
            rows = self.columns.rows[start:stop][:, use]
            return rows @ scipy.sparse.diags_array(self.inverse_scale[use]), middle, use
        part, weights = self.columns.values[:, start:stop], self.weights[start:stop]
        use = np.flatnonzero((part.min(axis=1) < part.max(axis=1)) & (self.inverse_scale > 0))
        rows = part[use].T.astype(np.float64)
        middle[:] = part[:, 0]
        middle[use] = transposed_times(rows, weights) / weights.sum()
        return (rows - middle[use]) * self.inverse_scale[use], middle, use

    def has_missing(self) -> bool:
        """Return whether any value is missing."""
        return (
            self.columns.values.dtype.kind == "f"
            and not self.columns.is_sparse
            and bool(np.isnan(self.columns.values).any())
        )


def _too_small(name: object, least: Any, what: object) -> str:
    return (
        f"{name} contains values that differ by less than {least:g}, which is too little for their squares. "
        f"Multiply {what} by a constant."
    )
