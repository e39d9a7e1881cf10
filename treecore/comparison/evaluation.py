"""Evaluation of one method on one fold: selection of a setting on the training rows and a test of one model."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treecore.comparison.cell import Cell, CurvePoint
from treecore.comparison.folds import INDEPENDENT, Fold, inner_folds
from treecore.comparison.method import Method
from treecore.comparison.model_size import leaf_count, model_size
from treecore.data.dependence import Dependence
from treecore.errors import TreecoreError
from treecore.foreign.sources import foreign_model
from treecore.interruption import Interruption
from treecore.tree.target import Target
from treecore.tree.tree import Tree

RULES = ("min", "one_se")
MOST_NODES = 30_000  # largest total number of nodes in the stored trees of a forest
# errors that methods raise for unsupported data (scikit-learn: TypeError for unknown columns)
FAILURES = (ValueError, TypeError, ArithmeticError, MemoryError, RuntimeError, TimeoutError)


def evaluate(
    method: Method,
    X: np.ndarray,
    y: np.ndarray,
    target: Target,
    fold: Fold,
    number: int,
    *,
    inner: int = 3,
    rule: str = "min",
    seed: int = 0,
    limit: float | None = None,
    keep_path: bool = False,
    dependence: Dependence = INDEPENDENT,
    columns: Sequence[Sequence[int]] | None = None,
) -> Cell | None:
    """Evaluate a `Method` on a `Fold` and return its `Cell`, which contains the reason if the method fails.

    X : [n, d] array or DataFrame; y : [n] labels; target : `Target` of y; number : index of the fold; inner : see
    `inner_folds`; rule : "min" | "one_se", see `choice`; limit : seconds, or None; keep_path : whether to keep all
    trees of the path or the forest; dependence : dependence among the rows of X, which the inner folds respect;
    columns : features of each column of categories in an array, which counts as one feature of a node.
    """
    try:
        return within_time_limit(
            limit,
            lambda: _evaluate(method, X, y, target, fold, number, inner, rule, seed, keep_path, dependence, columns),
        )
    except FAILURES as error:
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        return Cell(method.name, number, len(fold.train), len(fold.test), failure=reason)


def choice(errors: np.ndarray, deviations: np.ndarray, n_leaves: np.ndarray, rule: str) -> int:
    """Return the index of the selected setting.

    errors, deviations : float64[settings], validation errors with their standard errors; n_leaves : float64[settings],
    NaN without leaves; rule : "min" selects the smallest error (in a tie, the smallest model), "one_se" the smallest
    model within one standard error of it.
    """
    largest = np.max(errors) or 1.0
    errors = np.round(np.asarray(errors) / largest, 12)
    size = np.where(np.isnan(n_leaves), 0.0, n_leaves)
    best = np.lexsort((size, errors))[0]
    if rule == "min":
        return int(best)
    limit = errors[best] + deviations[best] / largest + 1e-12
    return int(np.lexsort((errors, np.where(errors <= limit, size, np.inf)))[0])


def _evaluate(method, X, y, target, fold, number, inner, rule, seed, keep_path, dependence, columns):
    fold = fold._replace(train=method.rows_of(fold.train, target.strata(y[fold.train]), seed))
    X_train, y_train = _take(X, fold.train), y[fold.train]
    X_test, y_test = _take(X, fold.test), y[fold.test]
    method = method.for_rows(X)
    began = time.perf_counter()
    validation = None
    if method.needs_validation:
        validation = _validated(method, X_train, y_train, target, inner, seed, dependence.of(fold.train))
    chosen = 0 if validation is None else choice(*validation, rule)
    searched = time.perf_counter()
    method = method.respecting(dependence.of(fold.train), y_train, seed, target)
    fitted = method.fitted(X_train, y_train, seed)
    began_test = time.perf_counter()
    predictions = fitted[chosen].model.predict(X_test)
    predicted = time.perf_counter()
    shown = [*fitted, *method.along(fitted, X_train, y_train, seed, target)]
    errors = [
        target.error(np.mean(target.losses(predictions if place == chosen else one.model.predict(X_test), y_test)))
        for place, one in enumerate(shown)
    ]
    validated = [] if validation is None else list(validation[0])
    validated += [None] * (len(shown) - len(validated))
    size = model_size(fitted[chosen].model, X_test, columns)
    return Cell(
        method.name, number, len(fold.train), len(fold.test), None, fitted[chosen].setting,
        errors[chosen], size, fitted[chosen].seconds, searched - began, predicted - began_test,
        target.codes(predictions, y),
        tuple(_curve_point(*values, X_test, columns) for values in zip(shown, errors, validated, strict=True)),
        chosen, _tree(fitted[chosen].model), _path(shown, fitted[chosen].group) if keep_path else (),
        target.error(np.mean(target.losses(fitted[chosen].model.predict(X_train), y_train))),
        _trees(fitted[chosen].model) if keep_path else (),
    )  # fmt: skip


def _validated(method, X, y, target, inner, seed, dependence):
    """Return the validation errors, their standard errors and the mean numbers of leaves, [settings] each."""
    losses, leaves = [], []
    for fold in inner_folds(y, inner, seed, target, dependence):
        X_held, y_held = _take(X, fold.test), y[fold.test]
        fitted = method.fitted(_take(X, fold.train), y[fold.train], seed)
        losses.append([target.losses(one.model.predict(X_held), y_held) for one in fitted])
        found = [leaf_count(one.model) for one in fitted]
        leaves.append([np.nan if count is None else count for count in found])
    errors = [target.error_and_deviation(np.concatenate(parts)) for parts in zip(*losses, strict=True)]
    return (*zip(*errors, strict=True), np.mean(leaves, axis=0))


def _path(shown, group):
    """Return ((index, Tree), ...) for the models of a group that have a penalty, sorted by this penalty."""
    places = [place for place, one in enumerate(shown) if one.group == group and one.lam is not None]
    return tuple((place, _tree(shown[place].model)) for place in sorted(places, key=lambda place: shown[place].lam))


def _curve_point(one, test_error, validation_error, X, columns):
    size = model_size(one.model, X, columns)
    return CurvePoint(one.setting, one.lam, size.n_leaves, test_error, validation_error, one.group, one.is_start, size)


def _tree(model):
    """Return the Tree of a model, the first Tree of a forest, or None for a model without `Tree`s."""
    trees = [model] if isinstance(model, Tree) else [getattr(model, "tree_", None), *getattr(model, "estimators_", [])]
    return next((tree for tree in trees if isinstance(tree, Tree)), None)


def _trees(model):
    """Return the first trees of a forest, with at most `MOST_NODES` nodes in total, or () for other models."""
    members = getattr(model[-1] if hasattr(model, "named_steps") else model, "estimators_", None)
    if not isinstance(members, list) or not all(isinstance(one, Tree) or hasattr(one, "tree_") for one in members):
        return ()
    try:
        forest = foreign_model(model)
    except TreecoreError:  # for example, a model with a tree for each class is not a forest
        return ()
    kept, n_nodes = [], 0
    for number in range(forest.n_trees):
        tree = forest.tree(number)
        n_nodes += tree.n_nodes
        if n_nodes > MOST_NODES and kept:
            break
        kept.append(tree)
    return tuple(kept)


def _take(X, rows):
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


AGAIN = 1.0  # seconds until the next alarm, in case the task caught the first one


class _Interrupted(BaseException):
    """Interruption at the time limit. It is a BaseException, so that handlers in the task do not catch it."""


def within_time_limit(seconds: float | None, work: Callable) -> Any:
    """Return ``work()``, or raise TimeoutError if it takes longer than `seconds` (None: no limit).

    In the main thread of a process, an alarm of the operating system also interrupts waiting calls. In other threads,
    such as Dask workers, the task ends at the next Python instruction.
    """
    if seconds is None:
        return work()
    try:
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            return _by_alarm(seconds, work)
        return _by_thread(seconds, work)
    except _Interrupted:
        raise TimeoutError(f"The method exceeded its time limit of {seconds:g} s.") from None


def _by_alarm(seconds, work):
    working = True

    def interrupt(signum, frame):
        if working:  # a late alarm must not interrupt other code
            raise _Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        result = work()
        working = False
        return result
    finally:
        working = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _by_thread(seconds, work):
    interruption = Interruption()
    timer = threading.Timer(seconds, interruption.strike)
    timer.daemon = True
    timer.start()
    try:
        return interruption.run(work)
    except InterruptedError:
        if not interruption.is_struck:  # raised by the task itself
            raise
        raise _Interrupted from None
    finally:
        timer.cancel()
