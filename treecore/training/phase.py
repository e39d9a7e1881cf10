"""Phase diagrams: trees over a grid of lambda and the bivariate cost C.

See Kairgeldin and Carreira-Perpiñán 2024, figure 1 and section C.1.
"""

from __future__ import annotations

import numbers
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.data.training_data import LARGEST
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.node_solvers import SPLITS
from treecore.parameter_checks import check_choice
from treecore.training.parameter_kinds import checked_lams
from treecore.training.parameters import check_path_parameters
from treecore.training.partitions.validation_rows import ValidationRows
from treecore.training.path import (
    HALF_VALIDATION,
    WARM_TOL,
    PathPoint,
    figures,
    invalid_lams,
    lambda_grid,
    validation_spread,
)
from treecore.training.path import TIE as EQUAL_ERRORS
from treecore.training.training_run import TrainingRun, unfitted
from treecore.tree.metrics import training_loss
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

if TYPE_CHECKING:
    import pandas
    from sklearn.base import BaseEstimator

COSTS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
RULES = ("min", "one_se")
TIE = 1e-9  # relative difference below which two objectives are equal


@filled(PathPoint)
@dataclass(frozen=True, kw_only=True)
class PhasePoint(PathPoint):
    """Tree and metrics for one lambda and one C.

    Parameters
    ----------
    {parameters}
    cost : float
        Bivariate cost C.
    objective : float
        Objective of the tree on the training rows.
    n_univariate : int
        Number of univariate splits.
    n_bivariate : int
        Number of bivariate splits.
    share_zerovariate : float
        Share of the decision nodes of the initial tree that were pruned, in [0, 1].
    share_univariate : float
        Univariate splits as a share of the decision nodes of the initial tree.
    share_bivariate : float
        Bivariate splits as a share of the decision nodes of the initial tree.

    See Also
    --------
    PhaseDiagram : All points of a diagram.

    References
    ----------
    {bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, phase_diagram
    >>> X, y = load_iris(return_X_y=True)
    >>> estimator = TAOClassifier(split="bivariate", init="cart", random_state=0)
    >>> diagram = phase_diagram(estimator, X, y, lams=[1.0, 10.0], costs=[1.0, 3.0])
    >>> point = diagram[0]
    >>> point.lam, point.cost, point.n_leaves
    (1.0, 1.0, 5)
    """

    cost: float
    objective: float
    n_univariate: int
    n_bivariate: int
    share_zerovariate: float
    share_univariate: float
    share_bivariate: float


COLUMNS = tuple(
    name for name in PhasePoint.__dataclass_fields__ if name not in ("index", "total", "tree", "is_weighted")
)


@filled()
@dataclass(frozen=True)
class PhaseDiagram:
    """Points of a phase diagram, sorted by C, then by lambda.

    If training was stopped, the last points are missing.

    Parameters
    ----------
    points : tuple of PhasePoint
        The trained points.
    lams : float64 array
        Values of lambda, in increasing order.
    costs : float64 array
        Values of C, in increasing order.
    n_validation : int
        Number of validation rows, 0 if there are none.

    See Also
    --------
    phase_diagram : Trains a diagram.

    References
    ----------
    {bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, phase_diagram
    >>> X, y = load_iris(return_X_y=True)
    >>> estimator = TAOClassifier(split="bivariate", init="cart", random_state=0)
    >>> diagram = phase_diagram(estimator, X, y, lams=[1.0, 10.0], costs=[1.0, 3.0])
    >>> diagram.grid("n_leaves").shape
    (2, 2)
    """

    points: tuple
    lams: np.ndarray
    costs: np.ndarray
    n_validation: int

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index]

    def grid(self, name: str) -> np.ndarray:
        """Return a metric for every point.

        Parameters
        ----------
        name : str
            Field name of `PhasePoint`.

        Returns
        -------
        float64 array of shape (n_costs, n_lams)
            Values of the metric, NaN for points that were not trained.

        Raises
        ------
        ParameterError
            For an unknown field.
        """
        check_choice(name, "name", COLUMNS)
        values = np.full(self.costs.size * self.lams.size, np.nan)
        for point in self.points:
            value = getattr(point, name)
            values[point.index] = np.nan if value is None else value
        return values.reshape(self.costs.size, self.lams.size)

    def within_one_se(self) -> np.ndarray:
        """Return the points whose validation error is within one standard error of the smallest.

        Returns
        -------
        bool array of shape (n_costs, n_lams)
            True for these points.

        Raises
        ------
        ParameterError
            If there are no validation rows.
        """
        self._need_validation()
        errors = self.grid("validation_error")
        best = self.best("min")
        limit = best.validation_error + validation_spread(best, self.n_validation)
        return errors <= limit + EQUAL_ERRORS * np.nanmax(errors)

    def best(self, rule: str = "min") -> PhasePoint:
        """Return the point selected by validation error.

        Parameters
        ----------
        rule : {'min', 'one_se'}, default='min'
            'min' selects the smallest error and, in a tie, the smallest tree. 'one_se' selects the smallest tree with
            an error within one standard error of that.

        Returns
        -------
        PhasePoint
            The selected point.

        Raises
        ------
        ParameterError
            If there are no validation rows, or `rule` is invalid.
        """
        check_choice(rule, "rule", RULES)
        self._need_validation()
        if rule == "min":
            return min(self.points, key=lambda point: (point.validation_error, *_size(point)))
        good = self.within_one_se().ravel()
        return min(
            (point for point in self.points if good[point.index]),
            key=lambda point: (*_size(point), point.validation_error),
        )

    def to_frame(self) -> pandas.DataFrame:
        """Return the metrics as a table.

        Returns
        -------
        pandas.DataFrame
            One row per point.
        """
        import pandas  # slow import

        return pandas.DataFrame([{name: getattr(point, name) for name in COLUMNS} for point in self.points])

    def _need_validation(self):
        if not self.n_validation:
            raise ParameterError("The diagram has no validation errors to select a tree. Pass X_val and y_val.")
        if not self.points:
            raise ParameterError("The diagram was stopped before its first tree. Train again.")


@filled()
def phase_diagram(
    estimator: BaseEstimator,
    X: np.ndarray,
    y: np.ndarray,
    *,
    lams: Any = 20,
    costs: Any = COSTS,
    X_val: np.ndarray | None = None,
    y_val: np.ndarray | None = None,
    on_point: Callable | None = None,
    sample_weight: np.ndarray | None = None,
) -> PhaseDiagram:
    """Train a tree for every pair of lambda and C.

    Training starts from the tree of the next smaller lambda and from that of the next smaller C, and keeps the result
    with the lower objective. At the smallest lambda, it also starts from the initial tree, because a larger C may need
    nodes that were pruned for a smaller C.

    Parameters
    ----------
    estimator : TAOClassifier or TAORegressor
        Training parameters, with ``split="bivariate"``. The estimator stays unfitted. Its `lam` and `bivariate_cost`
        are ignored. Its `callback` can stop the whole diagram.
    X : array-like of shape (n, d)
        Training rows.
    y : array-like of shape (n,)
        Class labels or numbers.
    lams : int or array-like of float, default=20
        Number of values of lambda (a geometric grid that ends at a single leaf), or the values (>= 0, in any order).
    costs : array-like of float, default=(1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
        Values of C (>= 1, in any order).
    X_val : array-like or None, default=None
        Validation rows.
    y_val : array-like or None, default=None
        Class labels or numbers of the validation rows.
    on_point : callable or None, default=None
        Function that is called with each trained `PhasePoint`. A true return value stops the diagram.
    sample_weight : array-like of shape (n,) or None, default=None
        Non-negative weight of each training row.

    Returns
    -------
    PhaseDiagram
        The trained points.

    Raises
    ------
    DataError
        If the rows cannot be used.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    regularization_path : Varies only lambda.

    References
    ----------
    {bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, phase_diagram
    >>> X, y = load_iris(return_X_y=True)
    >>> estimator = TAOClassifier(split="bivariate", init="cart", random_state=0)
    >>> diagram = phase_diagram(estimator, X[::2], y[::2], lams=3, costs=[1.0, 3.0], X_val=X[1::2], y_val=y[1::2])
    >>> diagram.best("one_se").n_leaves
    3
    """
    diagram = PhaseRun(estimator, X, y, lams=lams, costs=costs, X_val=X_val, y_val=y_val, sample_weight=sample_weight)
    points = []
    for point in diagram.all_points():
        points.append(point)
        if on_point is not None and on_point(point):
            break
    return PhaseDiagram(tuple(points), diagram.lams, diagram.costs, diagram.n_validation)


class PhaseRun:
    """Phase diagram that can be trained in parts, even on different machines. Parameters are those of `phase_diagram`.

    lams : float64[n_lams], sorted; costs : float64[n_costs], sorted; n_validation : number of validation rows
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        X: np.ndarray,
        y: np.ndarray,
        *,
        lams: Any = 20,
        costs: Any = COSTS,
        X_val: np.ndarray | None = None,
        y_val: np.ndarray | None = None,
        sample_weight: np.ndarray | None = None,
    ) -> None:
        from treecore.training.estimators import TAOClassifier, TAORegressor  # slow import

        ours = isinstance(estimator, TAOClassifier | TAORegressor)
        with_cost = [name for name, kind in SPLITS.items() if "bivariate_cost" in kind.parameters]
        if not ours or estimator.split not in with_cost:
            kind = f"split={estimator.split!r}" if ours else type(estimator).__name__
            raise ParameterError(
                f"estimator is a {kind}: a phase diagram needs a TAO estimator with split='bivariate'."
            )
        if (X_val is None) != (y_val is None):
            raise ParameterError(HALF_VALIDATION)
        check_path_parameters(estimator)
        self.costs = _checked_costs(costs)
        counted = isinstance(lams, numbers.Integral) and not isinstance(lams, bool)
        if counted and lams < 1:
            raise ParameterError(invalid_lams(lams))
        values = None if counted else checked_lams(lams)
        self._run = run = TrainingRun(unfitted(estimator), X, y, sample_weight)
        if not run.data.loss.is_usual:
            raise ParameterError(
                "A phase diagram shows errors and does not support other losses. Use cost_matrix=None, or "
                "regularization_path for each C."
            )
        self.lams = lambda_grid(run, int(lams)) if values is None else values
        self._validating = ValidationRows(run, X_val, y_val)
        self.n_validation = self._validating.n_rows
        self._initial, self._first_state = run.working, run.working.snapshot()
        self._n_initial = int(np.count_nonzero(run.working.left >= 0))

    def all_points(self) -> Iterator[PhasePoint]:
        """Train and yield all `PhasePoint`s in grid order, until the callback of the estimator stops the run."""
        below = []
        for row in range(self.costs.size):
            found = []
            for point in self.points(row, below=below):
                found.append(point.tree)
                yield point
            if len(found) < self.lams.size:
                return
            below = found

    def points(
        self, row: int, column: int = 0, beside: Tree | None = None, below: Sequence[Tree | None] = ()
    ) -> Iterator[PhasePoint]:
        """Train and yield the `PhasePoint`s of one C from `column` on, until the estimator's callback stops the run.

        row : index of C; beside : tree of the previous column, None in the first column; below : trees of the next
        smaller C, by column, None in the first row. Another process may have trained these trees.
        """
        run, cost, n_lams = self._run, self.costs[row], self.lams.size
        run.solver.set_cost(cost)
        for place in range(column, n_lams):
            lam, began = self.lams[place], time.perf_counter()
            starts = _different(beside, below[place] if row else None)
            if place == 0:
                self._initial.restore(self._first_state)
                starts = [self._initial, *starts]
            trained = _trained(run, starts, lam)
            if trained is None:
                return
            tree, objective, n_iter = trained
            beside = tree
            n_bivariate = int(np.count_nonzero(tree.columns_per_split(run.data.groups.columns) == 2))
            n_univariate = tree.n_decision - n_bivariate
            whole = max(self._n_initial, 1)
            values = figures(run, tree, self._validating) | {"n_iter": n_iter, "seconds": time.perf_counter() - began}
            yield PhasePoint(
                index=row * n_lams + place,
                total=n_lams * self.costs.size,
                lam=float(lam),
                cost=float(cost),
                tree=tree,
                objective=objective,
                n_univariate=n_univariate,
                n_bivariate=n_bivariate,
                share_zerovariate=1.0 - tree.n_decision / whole,
                share_univariate=n_univariate / whole,
                share_bivariate=n_bivariate / whole,
                **values,
            )


def tree_objective(tree: Tree, lam: float, cost: float) -> float:
    """Return the objective of a tree on its training rows (Eqs. 1 and 2 of the paper)."""
    n_features = np.diff(tree.indptr)
    penalty = np.count_nonzero(n_features == 1) + cost * np.count_nonzero(n_features == 2)
    return float(training_loss(tree) + lam * penalty)


def _trained(run, starts, lam):
    """Return (tree, objective, passes) of the best run from `starts` (Trees or WorkingTrees), None if stopped."""
    best, n_iter = None, 0
    for start in starts:
        tol = max(run.estimator.tol, WARM_TOL)
        if isinstance(start, WorkingTree):
            run.begin_again(start)
            tol = run.estimator.tol
        else:
            run.continue_from(start)
        if run.optimise(lam, run.estimator.callback, tol=tol):
            return None
        n_iter += len(run.trace) - 1
        tree = run.tree()
        penalties = (run.solver.penalty(*tree.split(node)[:2]) for node in np.flatnonzero(tree.left >= 0))
        objective = float(training_loss(tree) + lam * sum(penalties))
        if best is None or _is_better(objective, tree, *best):
            best = objective, tree
    return best[1], best[0], n_iter


def _is_better(objective, tree, best_objective, best_tree):
    """Return whether a tree has a lower objective or, in a tie, fewer parameters."""
    tie = TIE * abs(best_objective)
    if abs(objective - best_objective) <= tie:
        return tree.n_nodes < best_tree.n_nodes
    return objective < best_objective


def _different(*trees):
    """Return the trees that are not None, without duplicates."""
    kept = [tree for tree in trees if tree is not None]
    return kept[:1] if len(kept) == 2 and kept[0] == kept[1] else kept


def _size(point):
    return point.n_leaves, point.n_nonzero, -point.lam


def _checked_costs(costs):
    try:
        values = np.unique([float(cost) for cost in costs])
    except (TypeError, ValueError):
        raise ParameterError(f"costs={literal(costs)}: expected a list of numbers >= 1.") from None
    if values.size == 0:
        raise ParameterError("costs is empty: expected at least one value of C.")
    if not np.isfinite(values).all() or values[0] < 1 or values[-1] > LARGEST:
        raise ParameterError(f"costs={literal(costs)}: expected finite numbers from 1 to 1e30.")
    return values
