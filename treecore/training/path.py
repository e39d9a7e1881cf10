"""The regularisation path: one tree per value of lambda, each started from the one before.

Carreira-Perpiñán and Tavallali 2018, section 4.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.data.training_data import LARGEST
from treecore.errors import DataError, ParameterError
from treecore.node_solvers import SPLITS
from treecore.node_solvers.surrogates import SLOPES
from treecore.notebook import cell_html, display_cell
from treecore.parameter_checks import typed
from treecore.training.messages import MESSAGES
from treecore.training.training_run import TrainingRun, unfitted
from treecore.tree.linear_leaves import refuse_linear
from treecore.tree.metrics import row_losses, training_error, tree_metrics
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    import pandas
    from sklearn.base import BaseEstimator

# From the second lambda on the start is nearly a solution; as in the paper (Carreira-Perpiñán and Tavallali 2018,
# section 4), a pass that gains less than
# 0.5 % is the last.
WARM_TOL = 0.005
LINEAR_RANGE = 1e-3  # at least, where a grid for linear leaves begins, as share of its end
MOST_CRITICAL = 10_000  # values of lambda
MOST_PASSES = 1_000  # for each of them


@dataclass(frozen=True)
class PathPoint:
    """Tree and figures for one lambda.

    index : place along the path; total : number of points of the path, 0 if not known yet; lam : lambda; tree : Tree;
    train_error, validation_error : share in [0, 1] of the training and of the validation rows (None: there are none),
    for regression the root mean squared error; n_decision, n_leaves : nodes; depth : decisions on the longest way;
    n_nonzero : weights of all decisions; mean_path_length, max_path_length : decisions for a training row;
    inference_cost : multiplications for a row, the mean; n_iter : passes over the tree; seconds : that
    they took; validation_spread : one standard error of the validation error, None: that of a share; trace : an
    IterationRecord of the start and of each pass; is_weighted : whether classes count in the errors with the weights
    that they had in training.
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


NO_COLUMNS = ("index", "total", "tree", "trace", "is_weighted")
COLUMNS = tuple(name for name in PathPoint.__dataclass_fields__ if name not in NO_COLUMNS)


@dataclass(frozen=True)
class RegularizationPath:
    """The trees of rising lambda.

    points : `PathPoint` of each; n_validation : number of validation rows (0: none).
    """

    points: tuple
    n_validation: int

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index]

    @property
    def lams(self) -> np.ndarray:
        """float64[len]: the values of lambda, rising."""
        return np.array([point.lam for point in self.points])

    @property
    def trees(self) -> list:
        """The trees, one per lambda."""
        return [point.tree for point in self.points]

    def best_index(self, rule: str = "min") -> int:
        """Index of the recommended point, by the validation error.

        rule : "min", the smallest error (of equals the largest lambda), or "one_se", the largest lambda whose error
        is within one standard error of that. Raises ParameterError without validation data.
        """
        return int(self.good_indices(rule)[-1])

    def good_indices(self, rule: str = "min") -> np.ndarray:
        """int64[k], rising: the points that `best_index` chooses from. rule and errors as there."""
        if rule not in ("min", "one_se"):
            raise ParameterError(MESSAGES("path.rule", rule=rule))
        if not self.n_validation:
            raise ParameterError(MESSAGES("path.no_validation"))
        if not self.points:
            raise ParameterError(MESSAGES("path.empty"))
        errors = np.array([point.validation_error for point in self.points])
        limit = errors.min()
        if rule == "one_se":
            limit += validation_spread(self.points[int(errors.argmin())], self.n_validation)
        return np.flatnonzero(errors <= limit + 1e-12)

    def best(self, rule: str = "min") -> PathPoint:
        """`PathPoint` of `best_index`."""
        return self.points[self.best_index(rule)]

    def _repr_html_(self):
        return cell_html(self) if self.points else None

    def _ipython_display_(self):
        if not self.points:
            raise NotImplementedError  # its text is shown
        display_cell(self)

    def to_frame(self) -> pandas.DataFrame:
        """pandas DataFrame with one row per lambda."""
        import pandas  # slow import

        return pandas.DataFrame([{name: getattr(point, name) for name in COLUMNS} for point in self.points])


def validation_spread(point: Any, n_validation: int) -> float:
    """One standard error of the validation error of a `PathPoint` (or the like)."""
    if point.validation_spread is not None:
        return point.validation_spread
    return float(np.sqrt(point.validation_error * (1 - point.validation_error) / n_validation))


def regularization_path(
    estimator: BaseEstimator,
    X: np.ndarray,
    y: np.ndarray,
    lams: Any = 30,
    X_val: np.ndarray | None = None,
    y_val: np.ndarray | None = None,
    on_point: Callable | None = None,
) -> RegularizationPath:
    """Train `estimator` along a path of rising lambda, each tree started from the previous one.

    Parameters
    ----------
    estimator : TAOClassifier or TAORegressor, left unfitted; its `lam` is not used, except as the first of the
        critical values; its `callback` may stop the whole path
    X, y : training data as for ``fit``
    lams : number of values (a geometric grid up to a single leaf), the values (any order, >= 0), or "critical" (only
        univariate and bivariate splits): from ``estimator.lam`` on every value at which a node of the tree would
        change, so that between two of them the tree stays as it is
        (Kairgeldin and Carreira-Perpiñán 2024, section 2.1.2)
    X_val, y_val : validation data, for validation errors and `RegularizationPath.best`
    on_point : function of a `PathPoint`, called as each one is ready; a true return value stops the path

    Returns a RegularizationPath. Raises ParameterError or DataError.
    """
    path = PathRun(estimator, X, y, lams, X_val, y_val)
    points = []
    for point in path.points():
        points.append(point)
        if on_point is not None and on_point(point):
            break
    return RegularizationPath(tuple(points), path.n_validation)


class PathRun:
    """A path that can be trained in parts, on different machines too. Parameters as of `regularization_path`.

    lams : float64[total], rising, or None for the critical values; n_validation : number of validation rows;
    estimator : a clone, which knows the data
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        X: np.ndarray,
        y: np.ndarray,
        lams: Any = 30,
        X_val: np.ndarray | None = None,
        y_val: np.ndarray | None = None,
    ) -> None:
        from treecore.training.estimators import TAOClassifier, TAORegressor  # slow import

        if not isinstance(estimator, TAOClassifier | TAORegressor):
            raise ParameterError(MESSAGES("path.estimator", kind=type(estimator).__name__))
        if (X_val is None) != (y_val is None):
            raise ParameterError(MESSAGES("half_validation"))
        self.estimator = estimator = unfitted(estimator)
        critical = isinstance(lams, str) and lams == "critical"
        counted = isinstance(lams, numbers.Integral) and not isinstance(lams, bool)
        values = None if critical or counted else checked_lams(lams)
        if counted and lams < 1:
            raise ParameterError(MESSAGES("lams.count", lams=lams))
        self._run = TrainingRun(estimator, X, y)
        if critical and not self._run.solver.monotone:
            exact = [name for name in reversed(SPLITS) if SPLITS[name].is_exact]
            raise ParameterError(MESSAGES("lams.critical_split", exact=exact, split=estimator.split))
        if critical and estimator.min_samples_leaf > 1:
            raise ParameterError(MESSAGES("lams.critical_leaf", min_samples_leaf=estimator.min_samples_leaf))
        if critical and estimator.leaf == "linear":
            refuse_linear("critical", ParameterError)
        self.lams = lambda_grid(self._run, int(lams)) if counted else values
        self._validating = validation_rows(estimator, self._run, X_val, y_val)
        self.n_validation = 0 if self._validating[1] is None else len(self._validating[1])

    def points(self, done: int = 0, last: Tree | None = None) -> Iterator[PathPoint]:
        """Yield the `PathPoint`s from index `done` on, until the estimator's callback asks to stop.

        last : the tree of the point before, maybe trained elsewhere; the trees are those of a path in one go. Critical
        values come from the first on only.
        """
        run, critical = self._run, self.lams is None
        if done:
            run.continue_from(last)
        callback, total = run.estimator.callback, 0 if critical else len(self.lams)
        for index, lam in enumerate(self._critical_values() if critical else self.lams[done:], done):
            # only a tree that no pass can better is the tree of a whole interval
            limits = {"max_iter": MOST_PASSES, "tol": 0.0} if critical else {}
            if not critical and index:
                limits["tol"] = max(run.estimator.tol, WARM_TOL)
            if run.optimise(lam, callback, **limits):
                return
            tree = run.tree()
            run.continue_from(tree)
            tree = run.final(tree)
            found = figures(run, tree, *self._validating)
            yield PathPoint(index, total, float(lam), tree, **found, trace=tuple(run.trace))

    def _critical_values(self):
        """Yield the values of lambda one by one; each is worked out from the tree that the one before has left."""
        lam = float(self._run.estimator.lam)
        for _ in range(MOST_CRITICAL):
            yield lam
            if self._run.working.n_nodes == 1:
                return
            # rounding must not make the path stand still
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
    """`PathPoint` of what `fit` of a TAO estimator gives, with its own lambda and `refine`, which a path leaves out.

    X_val, y_val : as of `regularization_path`; first_origin : smallest id of nodes that `refine` makes, so that they
    are told from those of other trees. Raises ParameterError or DataError.
    """
    run = TrainingRun(unfitted(estimator), X, y)
    validating = validation_rows(run.estimator, run, X_val, y_val)
    run.fit(first_origin)
    tree = run.estimator.tree_
    return PathPoint(0, 1, float(estimator.lam), tree, **figures(run, tree, *validating), trace=tuple(run.trace))


def validation_rows(
    estimator: BaseEstimator, run: TrainingRun, X_val: np.ndarray | None, y_val: np.ndarray | None
) -> tuple:
    """Checked (features, targets) of validation data, (None, None) when there are none. Raises our errors."""
    if X_val is None:
        return None, None
    with typed(DataError):
        X_val = estimator.encoder_.transform(estimator, X_val)
    y_val = run.data.task.checked(y_val, "y_val", run.classes)
    if y_val.shape != (X_val.shape[0],):
        raise ParameterError(MESSAGES("validation_shape", shape=y_val.shape, n_rows=X_val.shape[0]))
    return (X_val, y_val) if y_val.size else (None, None)


def figures(run: TrainingRun, tree: Tree, X_val: np.ndarray | None = None, y_val: np.ndarray | None = None) -> dict:
    """Figures of a `PathPoint` for a tree of the last optimisation of a TrainingRun, as a dict."""
    size = tree_metrics(tree)
    error, standard_error = None, None
    if y_val is not None:
        losses = row_losses(tree, X_val, y_val)
        error, standard_error = tree.target.error_and_deviation(losses, run.weights_of(y_val))
    return {
        "train_error": training_error(tree), "validation_error": error, "validation_spread": standard_error,
        "n_decision": size.n_decision, "n_leaves": size.n_leaves, "depth": size.depth, "n_nonzero": size.n_nonzero,
        "mean_path_length": size.mean_path_length, "max_path_length": size.max_path_length,
        "inference_cost": size.inference_cost, "n_iter": len(run.trace) - 1, "seconds": run.trace[-1].seconds,
        "is_weighted": run.class_weights is not None,
    }  # fmt: skip


def lambda_grid(run: TrainingRun, count: int) -> np.ndarray:
    """float64[count]: geometric grid up to (nearly always past) the lambda that leaves one leaf.

    It starts where lambda begins to matter, as the loss says, or the weights of linear leaves.
    """
    data, exact = run.data, run.solver.monotone
    largest = data.task.largest_lambda(data, None if exact else SLOPES[run.estimator.surrogate])
    if count == 1:
        return np.array([largest])
    smallest = data.task.smallest_lambda(data, largest, exact)
    if run.estimator.leaf == "linear":
        smallest = max(smallest, LINEAR_RANGE * largest)
    return np.geomspace(smallest, largest, count)


def checked_lams(lams: Any) -> np.ndarray:
    """float64[n], rising: given values of lambda. Raises ParameterError."""
    try:
        values = np.array(sorted(float(lam) for lam in lams))
    except (TypeError, ValueError):
        raise ParameterError(MESSAGES("lams.not_numbers", lams=lams)) from None
    if values.size == 0:
        raise ParameterError(MESSAGES("lams.empty"))
    if not np.isfinite(values).all() or values[0] < 0 or values[-1] > LARGEST:
        raise ParameterError(MESSAGES("lams.range", lams=lams))
    return np.unique(values)
