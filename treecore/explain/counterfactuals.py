"""The nearest input for which a tree predicts something else, exactly.

Each leaf of a wanted prediction is a polyhedron; the nearest point of it is a linear (l1) or quadratic (l2) program.
The tree is searched best first: a cheap lower bound orders its nodes, so programs are solved only for leaves that could
be nearest.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import DataError, NoCounterfactual, ParameterError
from treecore.explain.messages import MESSAGES
from treecore.explain.nearest_point import nearest
from treecore.explain.one_hot import broken_sums, checked_groups, choices_within, hull_box, is_decided, split_choices
from treecore.foreign.fitted_tree import fitted_tree
from treecore.tree.condition_text import visible
from treecore.tree.conditions import limits
from treecore.tree.number_text import beyond, number, significant
from treecore.tree.routing import check_rows

_SLACK = 1e-9  # relative: what cannot be nearer by more than that comes later
_MOST_PARTS = 1000  # times that whole numbers are told apart
_NEAR = 1e-7  # of the solver's solutions: a number that is off a whole one by less is one
_FEW_DIGITS, _ALL_DIGITS = 6, 17  # significant digits that a changed number is written with, as few as suffice
_MOST_TRIES = 12  # margins tried, each 16 times the one before, until the point is on the right side


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """The nearest input with another prediction.

    point : float64[d], in raw units; prediction : label or number that the tree gives it; leaf : int, that it reaches;
    distance : float, of ``(point - x) / scale`` in the norm; lower_bound : float, no input with a wanted prediction is
    nearer (to the tolerance of the solver, about 1e-9); before : prediction of x; changes : tuple of (feature, name,
    value in x, value in point), the largest change by scale first; written : float64[d], the point as it is written,
    with the numbers that change rounded away from x so that they still give the prediction.
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
        """Whether no input with a wanted prediction is nearer, as far as solvers can tell."""
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


class _Problem(NamedTuple):
    """x, scale : float64[d]; low, high : float64[d], where the point may be; free : bool[d]; norm : "l1" | "l2";
    groups : tuple of Group; whole : bool[d], features that have whole numbers only."""

    tree: object
    x: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray
    free: np.ndarray
    norm: str
    groups: tuple
    whole: np.ndarray


class _Row(NamedTuple):
    """``weights . (z - x)[features] >= need``; error : size of the rounding errors of the margin."""

    features: np.ndarray
    weights: np.ndarray
    need: float
    error: float


class _Entry(NamedTuple):
    """Of the queue: a node whose region is at least this far, a leaf whose closure is this far, or a point."""

    distance: float
    order: int
    node: int
    region: object
    lower_bound: float | None = None
    point: np.ndarray | None = None
    is_part: bool = False  # of a leaf, whose whole numbers are being told apart


class _Region(NamedTuple):
    """The inputs that reach a node. box : {feature: (low, high)}; rows : tuple of _Row; choices : those that are left
    in each group, None before they have been looked at."""

    box: dict
    rows: tuple
    choices: dict | None = None


def counterfactual(
    tree: Any,
    x: Any,
    target: object = None,
    norm: str = "l1",
    frozen: Sequence[int] = (),
    bounds: tuple | None = None,
    scale: str | None = None,
    groups: Iterable = (),
    open_groups: Sequence = (),
    whole: Sequence | np.ndarray = (),
    above: float | None = None,
    below: float | None = None,
) -> Counterfactual:
    """The nearest input to `x` whose prediction is another one (or `target`), as a `Counterfactual`.

    tree : Tree, or an estimator or pipeline (`fitted_tree`); x : float[d], one input, or as the estimator takes it;
    missing values (NaN) only in frozen features; target : class label (or number) or None; norm : "l1" (few features
    change) | "l2", of ``(point - x) / scale``; scale : float[d] > 0, such as standard deviations, or None for 1;
    frozen : numbers or names of features that stay; bounds : (low, high), each a number or float[d], such as the data
    range; a value of x outside may stay or come nearer; groups : ranges of 0/1
    features of which one is 1, such as those of a category column (`TableColumns.groups`); open_groups : numbers of
    those groups of which all features may be 0 as well, since the column has other values; one feature always may;
    whole : numbers of the features that have whole numbers only, as the days of dates are; above, below : numbers that
    the prediction of a regression tree is to be above, or below, or between (both); in place of `target`.

    What is exact: the point is on the wanted side of every decision, ``tree.predict`` says so, and its distance is
    within 1e-6 (relative) of the optimum, all leaves and all categories considered. Each group stays as it is in x, or
    becomes one category as a whole (or none, see `open_groups`), never a fraction; one frozen feature freezes its
    group. Of whole numbers the best are found too; only where that takes more than 1000 steps, `lower_bound` stays
    below the distance of the best that were found.
    Raises NoCounterfactual when no input is as wanted, DataError, ParameterError.
    """
    tree, features = fitted_tree(tree)
    problem = _checked(tree, features(x), norm, frozen, bounds, scale, groups, open_groups, whole)
    leaf = int(tree.apply(problem.x[None])[0])
    before = tree.predictions[leaf]
    wanted = tree.target.wanted(tree, before, target, above, below)
    if wanted[leaf]:
        return _result(problem, problem.x, 0.0, before)
    found = _search(problem, wanted & (tree.left < 0))
    if found is None:
        n_frozen = int((~problem.free).sum())
        raise NoCounterfactual(
            MESSAGES(
                "none" if bounds is None else "none_within_bounds",
                wanted=_wanted_words(tree, target, above, below),
                n_frozen=n_frozen,
                n_features=tree.n_features,
            )
        )
    return _result(problem, *found, before)


def _wanted_words(tree, target, above, below):
    if above is not None and below is not None:
        return MESSAGES("wanted.between", above=above, below=below)
    if above is not None or below is not None:
        return MESSAGES("wanted.above" if below is None else "wanted.below", above=above, below=below)
    return MESSAGES("wanted.other" if target is None else "wanted.target", target=target, noun=tree.target.value_noun)


def _checked(tree, x, norm, frozen, bounds, scale, groups, open_groups, whole):
    if norm not in ("l1", "l2"):
        raise ParameterError(MESSAGES("norm", norm=norm))
    x = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
    x = check_rows(x.reshape(1, -1) if x.ndim == 1 else x, tree.n_features, tree.missing_right is not None)
    if x.shape[0] != 1:
        raise DataError(MESSAGES("several_inputs", n_inputs=x.shape[0]))
    x = x[0].astype(np.float64)
    free = np.ones(x.size, np.bool_)
    for feature in frozen if np.iterable(frozen) and not isinstance(frozen, str) else [frozen]:
        free[_feature(tree, feature)] = False
    missing = np.flatnonzero(np.isnan(x) & free)
    if missing.size:
        raise DataError(MESSAGES("missing_values", n=missing.size, feature=tree.feature_name(missing[0])))
    scale = _vector(1.0 if scale is None else scale, x.size, "scale")
    if not ((scale > 0) & np.isfinite(scale)).all():
        wrong = int(np.flatnonzero(~((scale > 0) & np.isfinite(scale)))[0])
        raise ParameterError(MESSAGES("scale", feature=wrong, scale=scale[wrong]))
    bounds = (-np.inf, np.inf) if bounds is None else bounds
    if isinstance(bounds, str) or not hasattr(bounds, "__len__") or len(bounds) != 2:
        raise ParameterError(MESSAGES("bounds", bounds=bounds))
    low, high = (_vector(side, x.size, "bounds") for side in bounds)
    if not (low <= high).all():
        wrong = int(np.flatnonzero(~(low <= high))[0])
        raise ParameterError(MESSAGES("bounds_of_feature", feature=wrong, low=low[wrong], high=high[wrong]))
    groups = checked_groups(groups, open_groups, x, free, low, high, tree.feature_name)
    is_whole = np.zeros(x.size, np.bool_)
    is_whole[[_feature(tree, feature, "whole") for feature in whole]] = True
    is_whole[[feature for group in groups for feature in group.features]] = False  # the groups see to these
    wrong = np.flatnonzero(is_whole & free & (x != np.rint(x)))
    if wrong.size:
        raise DataError(MESSAGES("not_whole", value=x[wrong[0]], feature=tree.feature_name(wrong[0])))
    low, high = (np.where(is_whole, round_(side), side) for round_, side in ((np.ceil, low), (np.floor, high)))
    return _Problem(tree, x, scale, np.fmin(low, x), np.fmax(high, x), free, norm, groups, is_whole)


def _vector(value, size, name):
    try:
        return np.broadcast_to(np.asarray(value, np.float64), (size,))
    except (TypeError, ValueError):
        raise ParameterError(MESSAGES("vector", name=name, n_features=size)) from None


def _feature(tree, feature, what="frozen"):
    if isinstance(feature, str):
        names = [tree.feature_name(j) for j in range(tree.n_features)]
        if feature not in names:
            raise ParameterError(MESSAGES("unknown_name", parameter=what, feature=feature, names=names[:5]))
        return names.index(feature)
    if isinstance(feature, bool) or not isinstance(feature, int | np.integer) or not 0 <= feature < tree.n_features:
        raise ParameterError(MESSAGES("unknown_feature", parameter=what, feature=feature, n_features=tree.n_features))
    return int(feature)


def _search(problem, wanted):
    """(point, lower bound) of the nearest point of the leaves in `wanted` (bool[m]), or None."""
    tree = problem.tree
    above = wanted.copy()
    for node in range(tree.n_nodes - 1, 0, -1):
        above[tree.parents[node]] |= above[node]
    order, n_parts, skipped = count(), 0, np.inf  # the distance of the nearest part that was left out
    queue = [_Entry(0.0, next(order), 0, _Region({}, ()))] if above[0] else []
    while queue:
        entry = heapq.heappop(queue)
        if entry.point is not None and entry.lower_bound is not None:
            return entry.point, min(entry.lower_bound, skipped)
        if n_parts > _MOST_PARTS and entry.is_part:  # what is in the queue already may still be it
            skipped = min(skipped, entry.distance)
            continue
        for part in _closer(problem, entry, wanted, above):
            heapq.heappush(queue, part := part._replace(order=next(order)))
            n_parts += part.is_part
    return None


def _closer(problem, entry, wanted, above):
    """What an entry of the queue gives way to: its children, the distance of its closure, or a point."""
    tree, bound, node = problem.tree, entry.distance, entry.node
    if tree.left[node] >= 0:
        for child, right in ((int(tree.left[node]), False), (int(tree.right[node]), True)):
            region = _side(problem, node, right, entry.region) if above[child] else None
            if region is not None:
                yield _Entry(max(bound, _lower_bound(problem, region)), 0, child, region)
    elif entry.region.choices is None:
        region = _with_choices(problem, entry.region)
        if region is not None:
            yield entry._replace(region=region)
    elif entry.lower_bound is None and not is_decided(entry.region.choices):
        yield from _parts(problem, entry)
    elif entry.lower_bound is None:
        found = _nearest_in(problem, entry.region, 0.0)
        if found is not None:
            distance = max(bound, _distance(problem, found))
            if parts := _whole_parts(problem, entry.region, found):
                for region in parts:
                    yield entry._replace(distance=distance, region=region, is_part=True)
                for point in _rounded(problem, found):
                    if wanted[tree.apply(point[None])[0]]:
                        away = _distance(problem, point)
                        yield entry._replace(distance=away, lower_bound=away, point=point)
                return
            is_wanted = wanted[tree.apply(found[None])[0]]
            yield entry._replace(distance=distance, lower_bound=distance, point=found if is_wanted else None)
    else:
        found = _strictly_inside(problem, entry.region, wanted)
        if found is not None:
            yield entry._replace(distance=_distance(problem, found), point=found)


def _with_choices(problem, region, choices=None):
    """The region with those choices of its groups, all that it allows when None; None when a group has none."""
    if choices is None:
        touched = set(region.box).union(*(row.features.tolist() for row in region.rows))
        choices = choices_within(problem.groups, region.box, touched)
    return (
        None
        if choices is None
        else region._replace(box=region.box | hull_box(problem.groups, choices), choices=choices)
    )


def _parts(problem, entry):
    """The leaf with fewer choices: those nearest to the nearest point of its convex hull come first."""
    region, known = entry.region, set()
    while True:  # few of the sums matter, so they come in when they are broken
        point = _nearest_in(problem, region, 0.0)
        if point is None:
            return
        broken = [cut for cut in broken_sums(problem.groups, region.choices, point) if (cut[0][0], cut[1]) not in known]
        if not broken:
            break
        known.update((features[0], sign) for features, sign, _ in broken)
        cuts = [_Row(f, np.full(f.size, sign), limit - sign * problem.x[f].sum(), 0.0) for f, sign, limit in broken]
        region = region._replace(rows=(*region.rows, *cuts))
    bound = max(entry.distance, _distance(problem, point))
    for part in split_choices(problem.groups, region.choices, point):
        decided = is_decided(part)
        yield entry._replace(
            distance=bound if decided else bound * (1.0 + _SLACK), region=_with_choices(problem, entry.region, part)
        )


def _whole_parts(problem, region, point):
    """List of regions that together have all whole numbers of one: at its nearest point in the closure, or where that
    is whole already, on both sides of it (an edge of the closure may be outside); [] where none is left to choose."""
    features = sorted({int(j) for row in region.rows for j in row.features if problem.whole[j]})
    limits = [region.box.get(j, (problem.low[j], problem.high[j])) for j in features]
    left = [(j, low, high) for j, (low, high) in zip(features, limits, strict=True) if low < high]
    if not left:
        return []
    feature, low, high = max(left, key=lambda one: abs(point[one[0]] - np.rint(point[one[0]])))
    at, near = point[feature], np.rint(point[feature])
    sides = [(low, np.floor(at)), (np.ceil(at), high)]
    if abs(at - near) <= _NEAR * max(1.0, abs(at)):
        sides = [(low, near - 1.0), (near, near), (near + 1.0, high)]
    return [region._replace(box=region.box | {feature: side}) for side in sides if side[0] <= side[1]]


def _rounded(problem, point):
    """Points of whole numbers beside one that may do: the next ones, and those a little farther from x."""
    use = problem.whole & problem.free
    for near in (np.rint(point), np.where(point > problem.x, np.ceil(point), np.floor(point))):
        yield np.where(use, np.clip(near, problem.low, problem.high), point)


def _side(problem, node, right, region):
    """The part of a region that goes right (or left) at `node`; None when there is none."""
    tree, x = problem.tree, problem.x
    features, weights, bias = tree.split(node)
    use = problem.free[features] & (weights != 0.0)
    if np.isnan(x[features]).any() or not use.any():
        margin = tree.margins(x[None], node)[0]
        goes_right = bool(tree.missing_right[node]) if np.isnan(margin) else margin >= 0
        return region if goes_right == right else None
    if features.size == 1:
        feature = int(features[0])
        below, above = limits(float(weights[0]), bias)
        low, high = region.box.get(feature, (problem.low[feature], problem.high[feature]))
        if problem.whole[feature]:
            below, above = np.floor(below), np.ceil(above)
        low, high = (max(low, above), high) if right == (weights[0] > 0) else (low, min(high, below))
        return (
            region._replace(box=region.box | {feature: (low, high)})
            if low <= high and np.isfinite(low if right == (weights[0] > 0) else high)
            else None
        )
    margin = float(tree.margins(x[None], node)[0])
    error = (features.size + 2) * np.finfo(np.float64).eps * float(abs(bias) + np.abs(weights) @ np.abs(x[features]))
    sign = 1.0 if right else -1.0
    row = _Row(features[use], sign * weights[use], -sign * margin, error)
    if not np.isfinite([row.need, error]).all():
        raise DataError(MESSAGES("too_large_weights", node=node, margin=margin))
    return region._replace(rows=(*region.rows, row))


def _lower_bound(problem, region):
    """Distance to the box, or to the farthest of the half spaces."""
    bound = 0.0
    if region.box:
        features = np.fromiter(region.box, np.int64)
        low, high = np.array(list(region.box.values())).T
        x = problem.x[features]
        bound = _norm(problem.norm, (np.clip(x, low, high) - x) / problem.scale[features])
    return max(bound, max((_row_bound(problem, row) for row in region.rows[-1:]), default=0.0))


def _row_bound(problem, row, extra=0.0):
    if row.need + extra <= 0.0:
        return 0.0
    dual = _norm("linf" if problem.norm == "l1" else "l2", row.weights * problem.scale[row.features])
    return (row.need + extra) / dual


def _norm(norm, values):
    if norm == "l1":
        return float(np.abs(values).sum())
    return float(np.abs(values).max()) if norm == "linf" else float(np.linalg.norm(values))


def _distance(problem, point):
    use = problem.free
    return _norm(problem.norm, (point[use] - problem.x[use]) / problem.scale[use])


def _nearest_in(problem, region, times):
    """float64[d]: nearest point of the closure of a region, `times` the rounding errors inside; None if empty."""
    point = problem.x.copy()
    for feature, (low, high) in region.box.items():
        point[feature] = min(max(point[feature], low), high)
    if not region.rows:
        return point
    features = np.unique(np.concatenate([row.features for row in region.rows]))
    scale, x = problem.scale[features], problem.x[features]
    low, high = problem.low[features].copy(), problem.high[features].copy()
    for place, feature in enumerate(features.tolist()):
        if feature in region.box:
            low[place], high[place] = region.box[feature]
    A = np.zeros((len(region.rows), features.size))
    b = np.zeros(len(region.rows))
    for i, row in enumerate(region.rows):
        A[i, np.searchsorted(features, row.features)] = row.weights
        b[i] = row.need + times * row.error
    A *= scale
    size = np.linalg.norm(A, axis=1)
    # lengths about 1: the solver's tolerances are absolute
    unit = max(
        max(_row_bound(problem, row, times * row.error) for row in region.rows),
        _norm(problem.norm, (np.clip(x, low, high) - x) / scale),
    )
    unit = unit or 1.0
    if not np.isfinite(size).all() or not (size > 0).all():
        raise DataError(MESSAGES("other_scale"))
    found = nearest(
        problem.norm, A / size[:, None], b / size / unit, (low - x) / scale / unit, (high - x) / scale / unit
    )
    if found is None:
        return None
    point[features] = np.clip(x + found * unit * scale, low, high)
    return point


def _strictly_inside(problem, region, wanted):
    """Point as near as can be that the tree itself sends to a wanted leaf; None when the region has no inside.

    A region that is thinner than the rounding errors of its decisions counts as one without.
    """
    for times in 16.0 ** np.arange(_MOST_TRIES):
        point = _nearest_in(problem, region, times)
        if point is None or not region.rows:
            return None
        if wanted[problem.tree.apply(point[None])[0]]:
            return point
    return None


def _result(problem, point, bound, before):
    tree, x = problem.tree, problem.x
    moved = np.flatnonzero((point != x) & problem.free)
    moved = moved[np.argsort(-np.abs(point - x)[moved] / problem.scale[moved], kind="stable")]
    changes = tuple((int(j), tree.feature_name(j), float(x[j]), float(point[j])) for j in moved)
    leaf = int(tree.apply(point[None])[0])
    label = tree.predictions[leaf].item()
    point, written = point.copy(), _written(problem, point, moved, label)
    for array in (point, written):
        array.setflags(write=False)
    distance = _distance(problem, point)
    return Counterfactual(point, label, leaf, distance, min(float(bound), distance), before.item(), changes, written)


def _written(problem, point, moved, label):
    """The point with as few digits as keep its prediction and the bounds; whole numbers and categories stay."""
    grouped = {feature for group in problem.groups for feature in group.features}
    short = [int(j) for j in moved if not problem.whole[j] and int(j) not in grouped]
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
