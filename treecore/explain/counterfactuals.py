"""Counterfactual explanations: the nearest input with another prediction, found exactly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.docstrings import filled
from treecore.errors import DataError, NoCounterfactual, ParameterError
from treecore.explain.leaf_search import Problem, distance_of, nearest_in_leaves
from treecore.explain.one_hot import checked_groups
from treecore.foreign.fitted_tree import fitted_tree
from treecore.messages import literal
from treecore.tree.condition_text import visible
from treecore.tree.number_text import beyond, number, significant
from treecore.tree.routing import check_rows

_FEW_DIGITS, _ALL_DIGITS = 6, 17  # fewest and most significant digits of a changed number


@filled()
@dataclass(frozen=True, eq=False)
class Counterfactual:
    """Nearest input with another prediction.

    Parameters
    ----------
    point : float64 array of shape (d,)
        The input, in raw units.
    prediction : object
        Predicted class label or number for `point`.
    leaf : int
        Leaf that `point` reaches.
    distance : float
        Norm of ``(point - x) / scale``.
    lower_bound : float
        Lower bound on the distance of all inputs with a requested prediction, within the tolerance of the solver (about
        1e-9).
    before : object
        Prediction of the original input x.
    changes : tuple
        (feature, name, value in x, value in point) for each change, largest scaled change first.
    written : float64 array of shape (d,)
        The point with its changed numbers rounded to their `decimals`. If this rounding of all numbers together does
        not keep the prediction, all numbers have the fewest digits that keep it.

    See Also
    --------
    counterfactual : Returns this result.

    References
    ----------
    {counterfactual_2021}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, counterfactual
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = CARTClassifier(random_state=0).fit(X, y)
    >>> found = counterfactual(model, X.iloc[0])
    >>> found.prediction, found.is_nearest
    (1, True)
    """

    point: np.ndarray
    prediction: object
    leaf: int
    distance: float
    lower_bound: float
    before: object
    changes: tuple
    written: np.ndarray

    @property
    def is_nearest(self) -> bool:
        """Whether `point` is proved to be the nearest input, within the tolerance of the solvers."""
        return self.distance <= self.lower_bound * (1.0 + 1e-6) + 1e-9

    def __str__(self):
        if not self.changes:
            return f"{self.before} already, without a change"
        changes = (
            f"{visible(name)} from {number(old, _FEW_DIGITS)} to {number(self.written[j], None)}"
            for j, name, old, _ in self.changes
        )
        after, before = (
            number(label, 6) if isinstance(label, float) else label for label in (self.prediction, self.before)
        )
        return f"{after} instead of {before}: {', '.join(changes)} (distance {number(self.distance, 6)})"


@filled()
def counterfactual(
    tree: Any,
    x: Any,
    target: object = None,
    *,
    norm: str = "l1",
    frozen: Sequence[int] = (),
    bounds: tuple | None = None,
    scale: str | None = None,
    groups: Iterable = (),
    open_groups: Sequence = (),
    whole: Sequence | np.ndarray = (),
    above: float | None = None,
    below: float | None = None,
    decimals: Sequence | np.ndarray | None = None,
) -> Counterfactual:
    """Find the nearest input to `x` with another prediction.

    The result is exact: the tree predicts the requested class or number for the point, and the distance is within a
    relative tolerance of 1e-6 of the optimum over all leaves and categories. A group always represents one category (or
    none, see `open_groups`), and one frozen feature freezes its whole group. Whole numbers are optimised as well. If
    that needs more than 1,000 steps, the search stops, and `lower_bound` can be smaller than the distance.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or an estimator or pipeline (`fitted_tree`).
    x : array-like of shape (d,)
        One input, or a row in the form that the estimator accepts. Only frozen features may have missing values (NaN).
    target : object, default=None
        Requested class label (or number). None requests any other prediction.
    norm : {'l1', 'l2'}, default='l1'
        Norm of ``(point - x) / scale``. 'l1' changes few features.
    frozen : sequence of int or str, default=()
        Features that keep their values.
    bounds : tuple or None, default=None
        (low, high), each a number or float[d], such as the range of the data. A value of x outside the bounds may stay,
        or move towards them.
    scale : float array of shape (d,) or None, default=None
        Positive scales, such as standard deviations. None uses 1.
    groups : iterable of range, default=()
        Ranges of 0/1 features, exactly one of which is 1, such as those of a categorical column
        (`TableColumns.groups`).
    open_groups : sequence of int, default=()
        Indices of the groups whose features may all be 0, because the column has other values. A group with a single
        feature may always be 0.
    whole : sequence of int, default=()
        Features with whole numbers only, such as days of dates.
    above : float or None, default=None
        Requested lower bound on the prediction of a regression tree, instead of `target`.
    below : float or None, default=None
        Requested upper bound on the prediction of a regression tree, instead of `target`.
    decimals : int array of shape (d,) or None, default=None
        Number of decimals of each feature in `Counterfactual.written`, negative for any number. None rounds to
        significant digits only.

    Returns
    -------
    Counterfactual
        The nearest input.

    Raises
    ------
    NoCounterfactual
        If no input within the bounds has the requested prediction.
    DataError
        If `x` does not match the tree.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    treecore.explain : Explains a prediction.

    References
    ----------
    {counterfactual_2021}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, counterfactual
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = CARTClassifier(random_state=0).fit(X, y)
    >>> found = counterfactual(model, X.iloc[0], target=1)
    >>> [(name, after) for _, name, before, after in found.changes]
    [('petal width (cm)', 0.8)]
    """
    tree, features = fitted_tree(tree)
    problem = _checked(tree, features(x), norm, frozen, bounds, scale, groups, open_groups, whole)
    decimals = _vector(-1 if decimals is None else decimals, problem.x.size, "decimals").astype(np.int64)
    leaf = int(tree.apply(problem.x[None])[0])
    before = tree.predictions[leaf]
    wanted = tree.target.matching_nodes(tree, before, target, above, below)
    if wanted[leaf]:
        return _result(problem, problem.x, 0.0, before, decimals)
    found = nearest_in_leaves(problem, wanted & (tree.left < 0))
    if found is None:
        n_frozen = int((~problem.free).sum())
        raise NoCounterfactual(
            (
                f"No input is predicted {_request_text(tree, target, above, below)} without bounds ({n_frozen} "
                f"of {tree.n_features} features are frozen). Unfreeze features."
            )
            if bounds is None
            else (
                f"No input within the given bounds is predicted {_request_text(tree, target, above, below)} "
                f"({n_frozen} of {tree.n_features} features are frozen). Unfreeze features or widen the bounds."
            )
        )
    return _result(problem, *found, before, decimals)


def _request_text(tree, target, above, below):
    if above is not None and below is not None:
        return f"above {literal(above)} and below {literal(below)}"
    if above is not None or below is not None:
        return f"above {literal(above)}" if below is None else f"below {literal(below)}"
    return f"as another {tree.target.value_noun}" if target is None else f"as {target!r}"


def _checked(tree, x, norm, frozen, bounds, scale, groups, open_groups, whole):
    if norm not in ("l1", "l2"):
        raise ParameterError(f"norm={literal(norm)}: expected 'l1' or 'l2'.")
    x = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
    x = check_rows(x.reshape(1, -1) if x.ndim == 1 else x, tree.n_features, tree.missing_right is not None)
    if x.shape[0] != 1:
        raise DataError(f"x has {x.shape[0]} rows: expected one. Pass a single row.")
    x = x[0].astype(np.float64)
    free = np.ones(x.size, np.bool_)
    for feature in frozen if np.iterable(frozen) and not isinstance(frozen, str) else [frozen]:
        free[_feature(tree, feature)] = False
    missing = np.flatnonzero(np.isnan(x) & free)
    if missing.size:
        raise DataError(
            f"x has missing values in {missing.size} features that are not frozen, such as "
            f"{tree.feature_name(missing[0])!r}. Fill them, or add these features to frozen."
        )
    scale = _vector(1.0 if scale is None else scale, x.size, "scale")
    if not ((scale > 0) & np.isfinite(scale)).all():
        wrong = int(np.flatnonzero(~((scale > 0) & np.isfinite(scale)))[0])
        raise ParameterError(f"scale[{wrong}]={scale[wrong]}: expected finite numbers > 0 (1 for a constant feature).")
    bounds = (-np.inf, np.inf) if bounds is None else bounds
    if isinstance(bounds, str) or not hasattr(bounds, "__len__") or len(bounds) != 2:
        raise ParameterError(f"bounds={literal(bounds)}: expected a pair (low, high).")
    low, high = (_vector(side, x.size, "bounds") for side in bounds)
    if not (low <= high).all():
        wrong = int(np.flatnonzero(~(low <= high))[0])
        raise ParameterError(f"bounds of feature {wrong}: low={low[wrong]}, high={high[wrong]}: expected low <= high.")
    groups = checked_groups(groups, open_groups, x, free, low, high, tree.feature_name)
    is_whole = np.zeros(x.size, np.bool_)
    is_whole[[_feature(tree, feature, "whole") for feature in whole]] = True
    is_whole[[feature for group in groups for feature in group.features]] = False  # `Group` handles these features
    wrong = np.flatnonzero(is_whole & free & (x != np.rint(x)))
    if wrong.size:
        raise DataError(
            f"x has {x[wrong[0]]} in {tree.feature_name(wrong[0])!r}, a feature with whole numbers only. Correct "
            "x, or remove the feature from whole."
        )
    low, high = (np.where(is_whole, round_(side), side) for round_, side in ((np.ceil, low), (np.floor, high)))
    return Problem(tree, x, scale, np.fmin(low, x), np.fmax(high, x), free, norm, groups, is_whole)


def _vector(value, size, name):
    try:
        return np.broadcast_to(np.asarray(value, np.float64), (size,))
    except (TypeError, ValueError):
        raise ParameterError(f"{name}: expected a number, or one for each of the {size} features.") from None


def _feature(tree, feature, what="frozen"):
    if isinstance(feature, str):
        names = [tree.feature_name(j) for j in range(tree.n_features)]
        if feature not in names:
            raise ParameterError(
                f"{what} contains {feature!r}, which is not a feature of the tree. Use names such as {names[:5]}."
            )
        return names.index(feature)
    if isinstance(feature, bool) or not isinstance(feature, int | np.integer) or not 0 <= feature < tree.n_features:
        raise ParameterError(
            f"{what} contains {feature!r}: expected names, or whole numbers in [0, {tree.n_features})."
        )
    return int(feature)


def _result(problem, point, bound, before, decimals):
    tree, x = problem.tree, problem.x
    moved = np.flatnonzero((point != x) & problem.free)
    moved = moved[np.argsort(-np.abs(point - x)[moved] / problem.scale[moved], kind="stable")]
    changes = tuple((int(j), tree.feature_name(j), float(x[j]), float(point[j])) for j in moved)
    leaf = int(tree.apply(point[None])[0])
    label = tree.predictions[leaf].item()
    point, written = point.copy(), _written(problem, point, moved, label, decimals)
    for array in (point, written):
        array.setflags(write=False)
    distance = distance_of(problem, point)
    return Counterfactual(point, label, leaf, distance, min(float(bound), distance), before.item(), changes, written)


def _written(problem, point, moved, label, decimals):
    """Return the point with short numbers that keep its prediction, bounds, whole numbers and categories.

    Numbers with `decimals` are rounded to them, all or none. The other numbers get the fewest digits that suffice.
    """
    grouped = {feature for group in problem.groups for feature in group.features}
    short = [int(j) for j in moved if not problem.whole[j] and int(j) not in grouped]
    for is_away in (False, True):
        written = point.copy()
        for j in short:
            if decimals[j] >= 0:
                written[j] = _rounded(float(point[j]), int(decimals[j]), is_away, point[j] > problem.x[j])
        written = np.clip(written, problem.low, problem.high)
        has_moved = (written[short] != problem.x[short]).all()
        if has_moved and (decimals[short] >= 0).any() and problem.tree.predict(written[None])[0] == label:
            point = written
            short = [j for j in short if decimals[j] < 0]
            break
    for digits in range(_FEW_DIGITS, _ALL_DIGITS):
        for is_away in (False, True):
            written = point.copy()
            for j in short:
                value = float(point[j])
                written[j] = beyond(value, digits, value > problem.x[j]) if is_away else significant(value, digits)
            written = np.clip(written, problem.low, problem.high)
            if problem.tree.predict(written[None])[0] == label:
                return written
    return point.copy()


def _rounded(value, decimals, is_away, up):
    """Round a number to `decimals`, to the nearest number or, if `is_away`, up if `up`, else down."""
    step = (np.ceil if up else np.floor) if is_away else np.rint
    return round(float(step(value * 10.0**decimals)) / 10.0**decimals, decimals)
