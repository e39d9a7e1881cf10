"""Regularisation paths: one tree per value of lambda, each starting from the previous tree.

See Carreira-Perpiñán and Tavallali 2018, section 4.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import literals
from treecore.node_solvers import SPLITS
from treecore.node_solvers.surrogates import SLOPES
from treecore.notebook import cell_html, display_cell
from treecore.training.parameter_kinds import NO_CRITICAL_IN_PARTS, checked_lams
from treecore.training.parameters import check_path_parameters
from treecore.training.partitions.run_of import run_of
from treecore.training.partitions.sources.sources import is_source
from treecore.training.partitions.validation_rows import ValidationRows
from treecore.training.training_run import TrainingRun, unfitted
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.metrics import training_error, tree_metrics
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    import pandas
    from sklearn.base import BaseEstimator

# From the second lambda on, the initial tree is nearly a solution. As in the paper (Carreira-Perpiñán and Tavallali
# 2018, section 4), training stops after a pass that improves the objective by less than 0.5 %.
WARM_TOL = 0.005
TIE = 1e-12  # share of the largest error; errors that differ by less are equal
LINEAR_RANGE = 1e-3  # smallest first value of a lambda grid for linear leaves, as a share of the last
MOST_CRITICAL = 10_000  # maximum number of critical values of lambda
MOST_PASSES = 1_000  # maximum number of passes for each critical value


HALF_VALIDATION = "X_val and y_val: expected both or neither."


@dataclass(frozen=True)
class PathPoint:
    """Tree and metrics for one lambda.

    Parameters
    ----------
    index : int
        Index on the path.
    total : int
        Number of points on the path, 0 if not yet known.
    lam : float
        Regularisation strength lambda.
    tree : Tree
        The trained tree.
    train_error : float
        Training error: misclassification error in [0, 1], or root mean squared error for regression.
    validation_error : float or None
        Validation error, None without validation rows.
    n_decision : int
        Number of decision nodes.
    n_leaves : int
        Number of leaves.
    depth : int
        Number of decision nodes on the longest path from the root to a leaf.
    n_nonzero : int
        Number of nonzero weights in all splits.
    mean_path_length : float
        Mean number of decision nodes on the decision path of a training row.
    max_path_length : int
        Largest number of decision nodes on the decision path of a training row.
    inference_cost : float
        Mean number of multiplications per row.
    n_iter : int
        Number of passes over the tree.
    seconds : float
        Training time.
    validation_spread : float or None, default=None
        Standard error of the validation error. None uses the standard error of a proportion.
    trace : tuple of IterationRecord, default=()
        Records of the initial tree and each pass.
    is_weighted : bool, default=False
        Whether the errors use the class weights of the training.
    size : int or None, default=None
        Maximum number of leaves, for a point of `size_path`.

    See Also
    --------
    RegularizationPath : All points of a path.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, regularization_path
    >>> X, y = load_iris(return_X_y=True)
    >>> path = regularization_path(TAOClassifier(split="univariate", init="cart"), X, y, lams=[1.0, 10.0])
    >>> point = path[0]
    >>> point.lam, point.n_leaves, round(point.train_error, 3)
    (1.0, 4, 0.02)
    """

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
    validation_spread: float | None = None
    trace: tuple = ()
    is_weighted: bool = False
    size: int | None = None


@filled(PathPoint)
@dataclass(frozen=True, kw_only=True)
class LossPoint(PathPoint):
    """Tree and metrics for one lambda, with the mean loss if it is not the error of the tree.

    The paths of estimators with `cost_matrix`, or with ``loss="absolute_error"``, have such points, and select trees by
    their `validation_loss`.

    Parameters
    ----------
    {parameters}
    train_loss : float
        Mean training loss of a row: its cost, or its absolute error.
    validation_loss : float or None
        Mean loss of a validation row, None without validation rows.
    validation_loss_spread : float or None
        Standard error of `validation_loss`.

    See Also
    --------
    RegularizationPath : All points of a path.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, regularization_path
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = [[0, 1, 1], [1, 0, 1], [1, 5, 0]]
    >>> model = TAOClassifier(split="univariate", init="cart", max_depth=2, cost_matrix=costs)
    >>> point = regularization_path(model, X, y, lams=[1.0, 10.0])[0]
    >>> round(point.train_error, 3), round(point.train_loss, 3)
    (0.047, 0.073)
    """

    train_loss: float
    validation_loss: float | None
    validation_loss_spread: float | None


NO_COLUMNS = ("index", "total", "tree", "trace", "is_weighted", "size")
COLUMNS = tuple(name for name in PathPoint.__dataclass_fields__ if name not in NO_COLUMNS)
LOSS_COLUMNS = ("train_loss", "validation_loss", "validation_loss_spread")


@filled()
@dataclass(frozen=True)
class RegularizationPath:
    """Trees of a regularisation path, sorted by lambda.

    Parameters
    ----------
    points : tuple of PathPoint
        One point per lambda.
    n_validation : int
        Number of validation rows, 0 if there are none.
    has_sizes : bool, default=False
        Whether the points belong to sizes and are sorted by them, as those of `size_path`.

    See Also
    --------
    regularization_path : Trains a path.
    size_path : Trains a tree for each size.

    References
    ----------
    {tao_2018}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, regularization_path
    >>> X, y = load_iris(return_X_y=True)
    >>> path = regularization_path(
    ...     TAOClassifier(split="univariate", init="cart"), X[::2], y[::2], lams=[1, 9], X_val=X[1::2], y_val=y[1::2]
    ... )
    >>> [tree.n_leaves for tree in path.trees]
    [3, 3]
    >>> path.best("one_se").n_leaves
    3
    """

    points: tuple
    n_validation: int
    has_sizes: bool = False

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index]

    @property
    def lams(self) -> np.ndarray:
        """Values of lambda, float64[len], in increasing order."""
        return np.array([point.lam for point in self.points])

    @property
    def trees(self) -> list:
        """Trees, one per lambda."""
        return [point.tree for point in self.points]

    def best_index(self, rule: str = "min") -> int:
        """Return the index of the point selected by validation error.

        Parameters
        ----------
        rule : {'min', 'one_se'}, default='min'
            'min' selects the smallest error and, in a tie, the largest lambda or the smallest size. 'one_se' selects
            the largest lambda or the smallest size with an error within one standard error of that. For a `LossPoint`,
            the error is its `validation_loss`.

        Returns
        -------
        int
            Index of the point.

        Raises
        ------
        ParameterError
            If there are no validation rows, or `rule` is invalid.
        """
        return int(self.good_indices(rule)[0 if self.has_sizes else -1])

    def good_indices(self, rule: str = "min") -> np.ndarray:
        """Return the indices of the points from which `best_index` selects.

        Parameters
        ----------
        rule : {'min', 'one_se'}, default='min'
            As in `best_index`.

        Returns
        -------
        int64 array
            Sorted indices.

        Raises
        ------
        ParameterError
            If there are no validation rows, or `rule` is invalid.
        """
        if rule not in ("min", "one_se"):
            raise ParameterError(f"rule={rule!r}: expected 'min' or 'one_se'.")
        if not self.n_validation:
            raise ParameterError("The path has no validation errors to select lambda. Pass X_val and y_val.")
        if not self.points:
            raise ParameterError("The path was stopped before its first tree. Train again.")
        has_losses = isinstance(self.points[0], LossPoint)
        errors = np.array([point.validation_loss if has_losses else point.validation_error for point in self.points])
        limit = errors.min()
        if rule == "one_se":
            best = self.points[int(errors.argmin())]
            limit += best.validation_loss_spread if has_losses else validation_spread(best, self.n_validation)
        return np.flatnonzero(errors <= limit + TIE * errors.max())

    def best(self, rule: str = "min") -> PathPoint:
        """Return the recommended point, by the validation error.

        Parameters
        ----------
        rule : {'min', 'one_se'}, default='min'
            As in `best_index`.

        Returns
        -------
        PathPoint
            The point at `best_index`.

        Raises
        ------
        ParameterError
            If there are no validation rows, or `rule` is invalid.
        """
        return self.points[self.best_index(rule)]

    def _repr_html_(self):
        return cell_html(self) if self.points else None

    def _ipython_display_(self):
        if not self.points:
            raise NotImplementedError  # IPython then shows the text
        display_cell(self)

    def to_frame(self) -> pandas.DataFrame:
        """Return the metrics as a table.

        Returns
        -------
        pandas.DataFrame
            One row per lambda, or per size, which is then the first column.
        """
        import pandas  # slow import

        names = ("size", *COLUMNS) if self.has_sizes else COLUMNS
        if self.points and isinstance(self.points[0], LossPoint):
            names += LOSS_COLUMNS
        return pandas.DataFrame([{name: getattr(point, name) for name in names} for point in self.points])


def validation_spread(point: Any, n_validation: int) -> float:
    """Return the standard error of the validation error of a `PathPoint` or a similar object."""
    if point.validation_spread is not None:
        return point.validation_spread
    return float(np.sqrt(point.validation_error * (1 - point.validation_error) / n_validation))


@filled()
def regularization_path(
    estimator: BaseEstimator,
    X: ArrayLike,
    y: ArrayLike | str | None = None,
    lams: Any = 30,
    X_val: ArrayLike | None = None,
    y_val: ArrayLike | str | None = None,
    on_point: Callable | None = None,
    sample_weight: ArrayLike | None = None,
) -> RegularizationPath:
    """Train a tree for each lambda, in increasing order, each starting from the previous tree.

    Parameters
    ----------
    estimator : TAOClassifier or TAORegressor
        Training parameters. The estimator stays unfitted. Its `lam` is used only as the first critical value. Its
        `callback` can stop the whole path.
    X : array-like of shape (n, d), or rows that are read in parts
        Training rows, as in the `fit` of the estimator.
    y : array-like of shape (n,), str or None, default=None
        Class labels or numbers, or the name of the target column if the rows are read in parts.
    lams : int, array-like of float or 'critical', default=30
        Number of values (a geometric grid that ends at a single leaf) or the values (>= 0, in any order). 'critical'
        uses every value from ``estimator.lam`` ("auto": the mean weight of a row) on at which a node of the tree
        changes (section 2.1.2 of [2]_), and requires univariate or bivariate splits.
    X_val : array-like, rows that are read in parts, or None, default=None
        Validation rows.
    y_val : array-like, str or None, default=None
        Class labels or numbers of the validation rows, or the name of the target column.
    on_point : callable or None, default=None
        Function that is called with each trained `PathPoint`. A true return value stops the path.
    sample_weight : array-like of shape (n,) or None, default=None
        Non-negative weight of each training row, for training and for training errors.

    Returns
    -------
    RegularizationPath
        The trained points.

    Raises
    ------
    DataError
        If the rows cannot be used.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    phase_diagram : Varies lambda and C.
    TAOClassifierCV : Selects lambda by cross-validation.

    References
    ----------
    {tao_2018, bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, regularization_path
    >>> X, y = load_iris(return_X_y=True)
    >>> path = regularization_path(TAOClassifier(split="univariate", init="cart"), X, y, lams="critical")
    >>> path.lams.tolist(), [tree.n_leaves for tree in path.trees]
    ([1.0, 3.0, 44.0, 50.0], [4, 3, 2, 1])
    """
    path = PathRun(estimator, X, y, lams, X_val, y_val, sample_weight)
    points = []
    try:
        for point in path.points():
            points.append(point)
            if on_point is not None and on_point(point):
                break
    finally:
        path.close()
    return RegularizationPath(tuple(points), path.n_validation)


class PathRun:
    """Path that can be trained in parts, even on different machines. Parameters are those of `regularization_path`."""

    def __init__(
        self,
        estimator: BaseEstimator,
        X: Any,
        y: ArrayLike | str | None = None,
        lams: Any = 30,
        X_val: Any = None,
        y_val: ArrayLike | str | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        from treecore.training.estimators import TAOClassifier, TAORegressor  # slow import

        if not isinstance(estimator, TAOClassifier | TAORegressor):
            raise ParameterError(no_path_estimator(type(estimator).__name__))
        self.estimator = estimator = unfitted(estimator)
        critical = isinstance(lams, str) and lams == "critical"
        counted = isinstance(lams, numbers.Integral) and not isinstance(lams, bool)
        check_path_parameters(estimator)
        values = None if critical or counted else checked_lams(lams)
        if counted and lams < 1:
            raise ParameterError(invalid_lams(lams))
        if values is not None:
            estimator.set_params(lam=float(values[0]))  # the initial tree can depend on the first value
        if critical and is_source(X):
            raise ParameterError(NO_CRITICAL_IN_PARTS)
        if (X_val is None or not is_source(X_val)) and (X_val is None) != (y_val is None):
            raise ParameterError(HALF_VALIDATION)
        self._run = run_of(estimator, X, y, sample_weight)
        if critical and not self._run.solver.monotone:
            exact = [name for name in reversed(SPLITS) if SPLITS[name].is_exact]
            raise ParameterError(
                f"lams='critical' does not support split='{estimator.split}'. Use "
                f"split={literals(exact, between=' or ')}, or a number of values."
            )
        if critical and estimator.min_samples_leaf != 1:
            raise ParameterError(
                f"lams='critical' with min_samples_leaf={estimator.min_samples_leaf}: expected "
                "min_samples_leaf=1. Use a number of values instead."
            )
        if critical and estimator.block > 1:
            raise ParameterError(
                f"lams='critical' with block={estimator.block}: expected block=1. Use a number of values instead."
            )
        if critical:
            LEAF_KINDS[estimator.leaf].require("critical", ParameterError)
        self.lams = lambda_grid(self._run, int(lams)) if counted else values
        self._validating = ValidationRows(self._run, X_val, y_val)
        self.constraints, self.loss = self._run.constraints, self._run.data.loss
        self.n_validation = self._validating.n_rows

    def points(self, done: int = 0, last: Tree | None = None) -> Iterator[PathPoint]:
        """Train and yield the `PathPoint`s from index `done` on, until the callback of the estimator stops the run.

        last : tree of the previous point, possibly from another process. The trees do not depend on interruptions.
        Critical values always start from the first point.
        """
        run, critical = self._run, self.lams is None
        if done:
            run.continue_from(last)
        callback, total = run.estimator.callback, 0 if critical else len(self.lams)
        for index, lam in enumerate(self._critical_values() if critical else self.lams[done:], done):
            # A tree is valid for a whole interval only if no pass improves it.
            limits = {"max_iter": MOST_PASSES, "tol": 0.0} if critical else {}
            if not critical and index:
                limits["tol"] = max(run.estimator.tol, WARM_TOL)
            if run.optimise(lam, callback, **limits):
                return
            tree = run.tree()
            run.continue_from(tree)
            tree = run.final(tree)
            found = figures(run, tree, self._validating)
            kind = point_kind(run)
            yield kind(index=index, total=total, lam=float(lam), tree=tree, **found, trace=tuple(run.trace))

    def close(self) -> None:
        """Release the rows, if they are read in parts."""
        self._run.close()
        self._validating.close()

    def _critical_values(self):
        """Yield the critical values of lambda, each computed from the tree of the previous value."""
        run = self._run
        is_auto = isinstance(run.estimator.lam, str)
        unit = float(run.data.weights.sum()) / run.data.n_rows * run.data.loss.unit(run.data.y, run.data.weights)
        lam = unit if is_auto else float(run.estimator.lam)
        for _ in range(MOST_CRITICAL):
            yield lam
            if self._run.working.n_nodes == 1:
                return
            # Rounding must not stop the path.
            lam = max(self._run.next_lambda(), np.nextafter(lam, np.inf))
            if not np.isfinite(lam):
                return


def fitted_point(
    estimator: BaseEstimator,
    X: np.ndarray,
    y: np.ndarray,
    X_val: np.ndarray | None = None,
    y_val: np.ndarray | None = None,
    first_origin: int = 0,
) -> PathPoint:
    """Return the `PathPoint` of a single TAO estimator, with its own lambda and with `refine`, which paths ignore.

    X_val, y_val : as in `regularization_path`; first_origin : smallest id of the nodes that `refine` creates, to
    distinguish them from nodes of other trees. Raise ParameterError or DataError for invalid input.
    """
    run = TrainingRun(unfitted(estimator), X, y)
    validating = ValidationRows(run, X_val, y_val)
    run.fit(first_origin)
    tree = run.estimator.tree_
    found = figures(run, tree, validating)
    return point_kind(run)(index=0, total=1, lam=run.lam, tree=tree, **found, trace=tuple(run.trace))


def point_kind(run: TrainingRun) -> type[PathPoint]:
    """Return the class of the points of a run."""
    return PathPoint if run.data.loss.is_usual else LossPoint


def figures(run: TrainingRun, tree: Tree, validating: ValidationRows) -> dict:
    """Return the metrics of a `PathPoint` as a dict. The tree comes from the last optimisation of a TrainingRun."""
    size = tree_metrics(tree)
    error, standard_error = validating.error(tree)
    if run.data.loss.is_usual:
        losses = {}
    else:
        mean = run.training_loss(tree) / float(run.data.weights.sum())
        losses = dict(zip(LOSS_COLUMNS, (mean, *validating.loss(tree)), strict=True))
    return {
        "train_error": training_error(tree), "validation_error": error, "validation_spread": standard_error,
        "n_decision": size.n_decision, "n_leaves": size.n_leaves, "depth": size.depth, "n_nonzero": size.n_nonzero,
        "mean_path_length": size.mean_path_length, "max_path_length": size.max_path_length,
        "inference_cost": size.inference_cost, "n_iter": len(run.trace) - 1, "seconds": run.trace[-1].seconds,
        "is_weighted": run.class_weights is not None, **losses,
    }  # fmt: skip


def lambda_grid(run: TrainingRun, count: int) -> np.ndarray:
    """Return a geometric grid, float64[count], up to a lambda that (nearly always) gives a single leaf.

    The grid starts at the smallest lambda that affects the splits or the weights of linear leaves.
    """
    data, exact = run.data, run.solver.monotone
    largest = data.task.largest_lambda(data, None if exact else SLOPES[run.estimator.surrogate])
    costs = run.constraints.costs
    if costs is not None:  # the cheapest feature is worth its penalty for the largest lambda
        largest /= float(costs[data.inverse_scale > 0].min(initial=costs.max()))
    if count == 1:
        return np.array([largest])
    smallest = data.task.smallest_lambda(data, largest, exact)
    if run.estimator.leaf == "linear":
        smallest = max(smallest, LINEAR_RANGE * largest)
    return np.geomspace(smallest, largest, count)


def no_path_estimator(kind: object) -> str:
    """Return the message about an estimator without a path."""
    return f"estimator is a {kind}: a path needs a TAOClassifier or TAORegressor."


def invalid_lams(lams: object) -> str:
    """Return the message about an invalid number of values of lambda."""
    return f"lams={lams}: expected a number of values >= 1, or a sequence of values."
