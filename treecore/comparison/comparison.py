"""Training and testing of methods on common folds, in parallel."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.parallel import Parallel, delayed

from treecore.comparison.cell import Cell
from treecore.comparison.evaluation import RULES, evaluate
from treecore.comparison.folds import CLASSES, Fold, inner_folds, outer_folds
from treecore.comparison.methods import chosen_methods
from treecore.comparison.significance import PairedTest, corrected_interval, corrected_paired_test
from treecore.data.dependence import dependence_of
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.parameter_checks import check_choice, check_number, check_whole
from treecore.training.parameters import PARAMETERS
from treecore.tree.quantity import Quantity
from treecore.tree.target import Target

if TYPE_CHECKING:
    import pandas

FIGURES = ("n_trees", "n_leaves", "n_nodes", "depth", "features_per_node", "inference_cost", "n_nonzero")
CURVE_SIZES = ("depth", "inference_cost", "n_nonzero")
LARGEST_SEED = 2**31
DEAD = "The process ended unexpectedly (it may have run out of memory)."
SECONDS = ("fit_seconds", "search_seconds", "predict_seconds")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Results of a comparison, possibly incomplete.

    Parameters
    ----------
    cells : tuple of Cell
        Result of each method on each fold.
    methods : dict
        Title of each method by key, in order.
    target : Target
        Target. Its groups are the sorted class labels, or ranges of numbers.
    truth : tuple of array
        For each fold, the class codes (int32) or numbers (float64) of the test rows.

    See Also
    --------
    compare : Runs a comparison.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore.comparison import compare
    >>> X, y = load_iris(return_X_y=True)
    >>> found = compare(X, y, ["cart"], cv=2, inner=2, n_jobs=1)
    >>> found.errors("cart").shape, found.confusion("cart").sum()
    ((2,), np.int64(150))
    """

    cells: tuple
    methods: dict
    target: Target
    truth: tuple

    def of(self, method: str) -> list[Cell]:
        """Return the successful results of a method in fold order.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        list of Cell
            The results.
        """
        cells = [cell for cell in self.cells if cell.method == method and cell.failure is None]
        return sorted(cells, key=lambda cell: cell.fold)

    def failures(self, method: str) -> dict:
        """Return the reason for each failure of a method.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        dict
            Reason by fold number.
        """
        return {cell.fold: cell.failure for cell in self.cells if cell.method == method and cell.failure is not None}

    def errors(self, method: str) -> np.ndarray:
        """Return the test errors of a method.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        float64 array of shape (folds,)
            Test errors, NaN for folds without a result.
        """
        errors = np.full(len(self.truth), np.nan)
        for cell in self.of(method):
            errors[cell.fold] = cell.test_error
        return errors

    def summary(self) -> pandas.DataFrame:
        """Return a table of mean results.

        Returns
        -------
        pandas.DataFrame
            One row per method: means over its folds; the standard error of the test error (the standard deviation over
            the folds divided by the square root of their number); `half_width` of the corrected 95 % interval
            (`corrected_interval`); other metrics such as R²; `n_folds`, the number of folds with a result; and
            `failure`, a reason or None.
        """
        import pandas  # slow import

        rows = []
        for method, title in self.methods.items():
            cells, failures = self.of(method), self.failures(method)
            errors = np.array([cell.test_error for cell in cells])
            row = {"method": method, "title": title, "n_folds": len(cells)}
            row["test_error"] = float(errors.mean()) if cells else None
            row["standard_error"] = float(errors.std(ddof=1) / np.sqrt(errors.size)) if errors.size > 1 else None
            n_train, n_test = _mean([cell.n_train for cell in cells]), _mean([cell.n_test for cell in cells])
            row["half_width"] = corrected_interval(errors, n_train, n_test) if errors.size > 1 else None
            row["train_error"] = _mean([cell.train_error for cell in cells])
            row |= self._other_figures(cells)
            row |= {name: _mean([getattr(cell.size, name) for cell in cells]) for name in FIGURES}
            row |= {name: _mean([getattr(cell, name) for cell in cells]) for name in SECONDS}
            row["failure"] = next(iter(failures.values()), None)
            rows.append(row)
        frame = pandas.DataFrame(rows)
        frame["failure"] = pandas.Series([row["failure"] for row in rows], dtype=object)
        return frame

    def _other_figures(self, cells):
        rows = [self.target.other_figures(cell.predicted, self.truth[cell.fold]) for cell in cells]
        return {name: _mean([row[name] for row in rows]) for name in self.target.other_names}

    def confusion(self, method: str) -> np.ndarray:
        """Return the confusion matrix of a method over all folds.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        int64 array of shape (k, k)
            Test rows by true group (rows) and predicted group (columns).
        """
        counts = np.zeros((len(self.target.groups), len(self.target.groups)), np.int64)
        for cell in self.of(method):
            groups = [self.target.group_of(values) for values in (self.truth[cell.fold], cell.predicted)]
            np.add.at(counts, tuple(groups), 1)
        return counts

    def group_errors(self, method: str) -> np.ndarray:
        """Return the test error of a method for each class or range of the target.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        float64 array of shape (k,)
            Errors over all folds, NaN for a group without rows.
        """
        groups, losses = [np.empty(0, np.int64)], [np.empty(0)]
        for cell in self.of(method):
            groups.append(self.target.group_of(self.truth[cell.fold]))
            losses.append(self.target.losses(cell.predicted, self.truth[cell.fold]))
        group, size = np.concatenate(groups), len(self.target.groups)
        rows, sums = np.bincount(group, minlength=size), np.bincount(group, np.concatenate(losses), size)
        return np.array([self.target.error(s / n) if n else np.nan for s, n in zip(sums, rows, strict=True)])

    def paired_test(self, method: str, reference: str) -> PairedTest:
        """Test the difference between the errors of two methods.

        Parameters
        ----------
        method : str
            Key of the method.
        reference : str
            Key of the other method.

        Returns
        -------
        PairedTest
            Test of the errors of `method` minus those of `reference`, on the folds where both have a result.
        """
        errors, other = self.errors(method), self.errors(reference)
        both = np.isfinite(errors) & np.isfinite(other)
        cells = [cell for cell in self.of(method) if both[cell.fold]]
        n_train, n_test = _mean([cell.n_train for cell in cells]), _mean([cell.n_test for cell in cells])
        return corrected_paired_test(errors[both], other[both], n_train, n_test)

    def curve(self, method: str) -> pandas.DataFrame:
        """Return the mean results of all settings of a method as a table.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        pandas.DataFrame
            One row per setting: `n_leaves`, `test_error`, `validation_error` and `CURVE_SIZES`, averaged over the
            folds; `chosen`, the share of folds that selected the setting; `group` and `is_start` (`CurvePoint`). The
            table is empty if the models have no leaves.
        """
        import pandas  # slow import

        cells = self.of(method)
        rows = []
        for place in range(min((len(cell.curve) for cell in cells), default=0)):
            points = [cell.curve[place] for cell in cells]
            if any(point.n_leaves is None for point in points):
                continue
            rows.append(
                {
                    "setting": points[0].setting,
                    "lam": _mean([point.lam for point in points]),
                    "n_leaves": _mean([point.n_leaves for point in points]),
                    "test_error": _mean([point.test_error for point in points]),
                    "validation_error": _mean([point.validation_error for point in points]),
                    "chosen": float(np.mean([cell.chosen == place for cell in cells])),
                    "group": points[0].group,
                    "is_start": points[0].is_start,
                }
                | {name: _mean([getattr(point.size, name) for point in points]) for name in CURVE_SIZES}
            )
        columns = ("setting", "lam", "n_leaves", "test_error", "validation_error", "chosen", "group", "is_start",
                   *CURVE_SIZES)  # fmt: skip
        return pandas.DataFrame(rows, columns=columns)


def compare(
    X: np.ndarray,
    y: np.ndarray,
    methods: Sequence[str] | None = None,
    *,
    cv: int = 5,
    inner: int = 3,
    rule: str = "min",
    seed: int = 0,
    limit: float | None = None,
    n_jobs: int | None = -1,
    on_cell: Callable | None = None,
    cells: Sequence = (),
    keep_paths: int = 0,
    target: Target | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    categories: str | Sequence[Sequence[int]] = "features",
) -> Comparison:
    """Train and test methods on the same folds.

    Settings are selected on inner validation rows of the training part. The test rows are used only for the selected
    model. A task is one method on one fold. joblib runs the tasks, in processes or on a cluster of Dask or Ray: ``with
    joblib.parallel_config(backend="dask"): compare(...)``. The result does not depend on the backend. If a method fails
    on a fold, its cell contains the reason.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Rows.
    y : array-like of shape (n,)
        Class labels or numbers.
    methods : sequence of str or Method, default=None
        Keys of `METHODS` or custom methods. None uses `DEFAULT_METHODS`.
    cv : int, splitter or list, default=5
        Number of stratified folds, at least 2; a splitter of scikit-learn; or a list of (training rows, test rows).
    inner : int or float, default=3
        Number of inner folds, at least 2, or the share of a single validation part in (0, 1).
    rule : {'min', 'one_se'}, default='min'
        Rule that selects a setting: the best one, or the smallest model within one standard error of it.
    seed : int, default=0
        Seed of the folds and the methods, in [0, 2**31].
    limit : float or None, default=None
        Time limit in seconds for a method on a fold, on systems that `within_time_limit` supports.
    n_jobs : int or None, default=-1
        Number of parallel tasks, as in joblib.
    on_cell : callable or None, default=None
        Function that is called with each finished `Cell`. A true return value stops the comparison.
    cells : sequence of Cell, default=()
        Earlier results for the same data and settings, which are not computed again.
    keep_paths : int, default=0
        Number of folds, from the first, for which all trees of the path are kept.
    target : Target or None, default=None
        Target, such as ``Quantity.of(y, "km")``. None uses regression if some numbers have fractions, else
        classification.
    groups : array-like of shape (n,) or None, default=None
        Group of each row, such as a patient. Outer and inner folds never separate the rows of a group.
    times : array-like of shape (n,) or None, default=None
        Time of each row, as a number or date. In outer and inner folds, all training rows are earlier than the
        evaluated rows.
    categories : {'features', 'groups'} or list of lists of int, default='features'
        Treatment of categories in all methods that support groups, as in `TAOClassifier`.

    Returns
    -------
    Comparison
        The results.

    Raises
    ------
    DataError
        If the data cannot be used. In this case, nothing is trained.
    ParameterError
        If a parameter is outside its range. In this case, nothing is trained.

    See Also
    --------
    rank_test : Compares methods over several data sets.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore.comparison import compare
    >>> X, y = load_iris(return_X_y=True)
    >>> found = compare(X, y, ["cart"], cv=2, inner=2, n_jobs=1)
    >>> found.summary().shape[0]
    1
    """
    y = np.asarray(y)
    target = _target(y) if target is None else target
    PARAMETERS["categories"].check(categories)
    methods = [method.with_categories(categories) for method in chosen_methods(methods, target)]
    X = X if hasattr(X, "iloc") or hasattr(X, "dtype") else np.asarray(X)
    check_whole(seed, "seed", 0)
    check_whole(keep_paths, "keep_paths", 0)
    if seed > LARGEST_SEED:
        raise ParameterError(f"seed={literal(seed)}: expected a whole number up to {LARGEST_SEED}.")
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise ParameterError(
            f"n_jobs={literal(n_jobs)}: expected a number of workers, -1 for every core, or None for joblib's default."
        )
    check_choice(rule, "rule", RULES)
    if limit is not None:
        check_number(limit, "limit", 1e-3)
    dependence = dependence_of(len(y), groups, times)
    folds = outer_folds(X, y, cv, seed, target, dependence)
    inner_folds(y, inner, seed, target, dependence)
    done = {(cell.method, cell.fold): cell for cell in cells}
    # ordered by fold, so that all methods have results early
    waiting = [
        (method, number) for number in range(len(folds)) for method in methods if (method.name, number) not in done
    ]
    jobs = [
        delayed(evaluate)(
            method,
            X,
            y,
            target,
            folds[number],
            number,
            inner=inner,
            rule=rule,
            seed=seed + number,
            limit=limit,
            keep_path=number < keep_paths,
            dependence=dependence,
            columns=None if isinstance(categories, str) else categories,
        )
        for method, number in waiting
    ]
    places = [(method.name, folds[number], number) for method, number in waiting]
    with closing(_cells(jobs, places, n_jobs)) as ready:
        for cell in ready:
            done[cell.method, cell.fold] = cell
            if on_cell is not None and on_cell(cell):
                break
    return comparison_of(done.values(), methods, y, folds, target)


def _target(y):
    """Infer the target from the labels: regression if some numbers have fractions, else classification."""
    if y.ndim == 1 and y.dtype.kind == "f" and np.any(np.mod(y[np.isfinite(y)], 1.0)):
        return Quantity.of(y[np.isfinite(y)])
    return CLASSES


def comparison_of(
    cells: Iterable, methods: Sequence, y: np.ndarray, folds: Sequence[Fold], target: Target
) -> Comparison:
    """Return the `Comparison` of `Cell`s, ignoring those of other methods and folds."""
    done = {(cell.method, cell.fold): cell for cell in cells}
    order = [(method.name, number) for method in methods for number in range(len(folds))]
    codes = target.codes(y, y)
    truth = tuple(codes[fold.test] for fold in folds)
    titles = {method.name: method.title for method in methods}
    return Comparison(tuple(done[key] for key in order if key in done), titles, target.with_labels(y), truth)


def _cells(jobs, places, n_jobs):
    """Run the jobs and yield their `Cell`s. places : (method name, `Fold`, fold number) of each job.

    If a process dies, all unfinished jobs run again one by one. Then only the job that kills its process fails.
    """
    results, open_jobs = _as_they_come(jobs, n_jobs), dict(zip([(name, n) for name, _, n in places], jobs, strict=True))
    try:
        for cell in results:
            del open_jobs[cell.method, cell.fold]
            yield cell
        return
    except GeneratorExit:
        _cancel(results)
        raise
    except BrokenProcessPool:
        pass
    for name, fold, number in places:
        if (name, number) in open_jobs:
            try:
                yield from Parallel(n_jobs=2)([open_jobs[name, number]])  # n_jobs=1 would use this process
            except BrokenProcessPool:
                yield Cell(name, number, len(fold.train), len(fold.test), failure=DEAD)


def _as_they_come(jobs, n_jobs):
    """Yield results as they finish if the joblib backend supports that, else in the order of the jobs."""
    try:
        pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # joblib raises this error before any job if the backend does not support generators
        pool = Parallel(n_jobs=n_jobs)
    return pool(jobs)


def _cancel(results):
    """Stop running jobs and ignore the warning of joblib, because stopping is intended."""
    if hasattr(results, "close"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _mean(values):
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
