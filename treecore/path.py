"""The regularisation path: one tree per value of lambda, each started from the one before (file 000, section 4)."""

import numbers
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from treecore.data import LARGEST
from treecore.errors import DataError, ParameterError
from treecore.estimators import TAOClassifier, TrainingRun, _validated
from treecore.metrics import error_rate, training_error, tree_metrics
from treecore.tree import Tree

# A grid of n values runs over this range below the value that leaves a single leaf.
GRID_RANGE = 1e-4
# From the second lambda on the start is nearly a solution; as in file 000, section 4, a pass that gains less than
# 0.5 % is the last.
WARM_TOL = 0.005


@dataclass(frozen=True)
class PathPoint:
    """Tree and figures for one lambda; errors are shares in [0, 1], over the training and the validation rows."""

    index: int
    total: int
    lam: float
    tree: Tree
    train_error: float
    validation_error: float | None
    n_decision: int
    n_leaves: int
    depth: int
    n_nonzero: int
    mean_path_length: float
    max_path_length: int
    inference_cost: float
    n_iter: int
    seconds: float


COLUMNS = tuple(name for name in PathPoint.__dataclass_fields__ if name not in ("index", "total", "tree"))


@dataclass(frozen=True)
class RegularizationPath:
    """Points in the order of rising lambda; n_validation is the number of validation rows (0: none)."""

    points: tuple
    n_validation: int

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index]

    @property
    def lams(self):
        """float64[len]: the values of lambda, rising."""
        return np.array([point.lam for point in self.points])

    @property
    def trees(self):
        """The trees, one per lambda."""
        return [point.tree for point in self.points]

    def best_index(self, rule="min"):
        """Index of the recommended point, by the validation error.

        rule : "min", the smallest error (of equals the largest lambda), or "one_se", the largest lambda whose error
        is within one standard error of that. Raises ParameterError without validation data.
        """
        if rule not in ("min", "one_se"):
            raise ParameterError(f"rule={rule!r}: use 'min' or 'one_se'.")
        if not self.n_validation:
            raise ParameterError("The path has no validation errors: give X_val and y_val to choose a lambda by them.")
        if not self.points:
            raise ParameterError("The path was stopped before its first tree, so there is nothing to choose from.")
        errors = np.array([point.validation_error for point in self.points])
        limit = errors.min()
        if rule == "one_se":
            limit += np.sqrt(limit * (1 - limit) / self.n_validation)
        return int(np.flatnonzero(errors <= limit + 1e-12)[-1])

    def best(self, rule="min"):
        """`PathPoint` of `best_index`."""
        return self.points[self.best_index(rule)]

    def to_frame(self):
        """pandas DataFrame with one row per lambda."""
        import pandas  # slow import

        return pandas.DataFrame([{name: getattr(point, name) for name in COLUMNS} for point in self.points])


def regularization_path(estimator, X, y, lams=30, X_val=None, y_val=None, on_point=None):
    """Train `estimator` along a path of rising lambda, each tree started from the previous one.

    Parameters
    ----------
    estimator : TAOClassifier, left unfitted; its `lam` is not used, its `callback` may stop the whole path
    X, y : training data as for ``fit``
    lams : number of values (a geometric grid up to a single leaf), or the values (any order, >= 0)
    X_val, y_val : validation data, for validation errors and `RegularizationPath.best`
    on_point : function of a `PathPoint`, called as each one is ready; a true return value stops the path

    Returns a RegularizationPath. Raises ParameterError or DataError.
    """
    if not isinstance(estimator, TAOClassifier):
        raise ParameterError(f"estimator is a {type(estimator).__name__}; a path needs a TAOClassifier.")
    if (X_val is None) != (y_val is None):
        raise ParameterError("Give both X_val and y_val, or neither.")
    estimator = (
        clone(estimator) if estimator.callback is None else clone(estimator).set_params(callback=estimator.callback)
    )
    values = None if isinstance(lams, numbers.Integral) and not isinstance(lams, bool) else _checked(lams)
    if values is None and lams < 1:
        raise ParameterError(f"lams={lams}: use a number of values >= 1, or the values themselves.")
    run = TrainingRun(estimator, X, y)
    if values is None:
        values = lambda_grid(run, int(lams))
    n_validation = 0
    if X_val is not None:
        X_val = _validated(estimator, X_val, reset=False)
        y_val = np.asarray(y_val)
        n_validation = X_val.shape[0]
        if y_val.shape != (n_validation,):
            raise ParameterError(f"y_val has shape {y_val.shape}, but X_val has {n_validation} rows.")
        if n_validation and not np.isin(y_val, estimator.classes_).any():
            raise DataError(
                f"No label of y_val, such as {y_val[0]!r}, is a class of y ({estimator.classes_[:5]} ...); "
                "give both in the same type."
            )
    points = []
    for index, lam in enumerate(values):
        stopped = run.optimise(lam, estimator.callback, tol=None if index == 0 else max(estimator.tol, WARM_TOL))
        if stopped:
            break
        tree = run.tree()
        run.continue_from(tree)
        figures = tree_metrics(tree)
        point = PathPoint(
            index, len(values), float(lam), tree, training_error(tree),
            error_rate(tree, X_val, y_val) if n_validation else None,
            figures.n_decision, figures.n_leaves, figures.depth, figures.n_nonzero, figures.mean_path_length,
            figures.max_path_length, figures.inference_cost, len(run.trace) - 1, run.trace[-1].seconds,
        )  # fmt: skip
        points.append(point)
        if on_point is not None and on_point(point):
            break
    return RegularizationPath(tuple(points), n_validation)


def lambda_grid(run, count):
    """float64[count]: geometric grid up to (nearly always past) the lambda that leaves one leaf.

    It starts where lambda begins to matter: for true 0/1 losses below the weight of a point, else `GRID_RANGE`.
    """
    largest = largest_lambda(run.data, run.estimator.split, run.estimator.surrogate)
    if count == 1:
        return np.array([largest])
    low = GRID_RANGE * largest
    if run.estimator.split != "oblique":  # a lambda below the weight of one point changes nothing
        low = min(0.5 * float(run.data.weights.min()), 0.5 * largest)
    return np.geomspace(low, largest, count)


def largest_lambda(data, split, surrogate):
    """Lambda at which even the best grouping of the classes cannot pay for one weight at the root."""
    totals = np.bincount(data.y, data.weights, data.n_classes)
    if split != "oblique":
        return max(float(totals.sum() - totals.max()), 1e-6)
    largest = 0.0
    columns = data.columns.values
    for j in np.flatnonzero(data.inverse_scale):
        column = columns[:, [j]].toarray().ravel() if data.columns.is_sparse else columns[j].astype(np.float64)
        column = (column - (data.weights @ column) / data.weights.sum()) * data.inverse_scale[j]
        largest = max(largest, float(np.abs(np.bincount(data.y, data.weights * column, data.n_classes)).sum()))
    slope = 0.5 if surrogate == "logistic" else 2.0
    return max(slope * largest, 1e-6)


def _checked(lams):
    try:
        values = np.array(sorted(float(lam) for lam in lams))
    except (TypeError, ValueError):
        raise ParameterError(f"lams={lams!r}: use a number of values, or a list of numbers >= 0.") from None
    if values.size == 0:
        raise ParameterError("lams is empty: give at least one value of lambda.")
    if not np.isfinite(values).all() or values[0] < 0 or values[-1] > LARGEST:
        raise ParameterError(f"lams={lams!r}: every lambda must be a finite number >= 0 (at most 1e30).")
    return np.unique(values)
