"""Best-first search for the point of some leaves that is nearest to the input.

Each leaf is a polyhedron. Its nearest point is the solution of a linear (l1) or quadratic (l2) program. A cheap lower
bound orders the nodes, so that programs are solved only for leaves that could be nearest.
"""

import heapq
from itertools import count
from typing import NamedTuple

import numpy as np
import scipy.optimize

from treecore.errors import DataError
from treecore.explain.one_hot import broken_sums, choices_within, hull_box, is_decided, split_choices
from treecore.tree.conditions import limits

_SLACK = 1e-9  # relative increase in the bound of undecided parts, so that decided parts are solved first
_MOST_PARTS = 1000  # maximum number of parts into which leaves are split by whole numbers or categories
_NEAR = 1e-7  # relative difference up to which a number from the solver counts as whole
_MOST_TRIES = 12  # margins, each 16 times the previous one, to try until the point is on the correct side


class Problem(NamedTuple):
    """Input and constraints of a search.

    x, scale : float64[d]; low, high : float64[d], bounds of the point; free : bool[d], features that may change; norm :
    "l1" | "l2"; groups : tuple of Group; whole : bool[d], features with whole numbers only.
    """

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
    """Constraint ``weights . (z - x)[features] >= need``. error : size of the rounding errors in the margin."""

    features: np.ndarray
    weights: np.ndarray
    need: float
    error: float


class _Entry(NamedTuple):
    """Queue entry: a node with a bound for its region, a leaf with the distance of its closure, or a point."""

    distance: float
    order: int
    node: int
    region: object
    lower_bound: float | None = None
    point: np.ndarray | None = None
    is_part: bool = False  # whether the entry is part of a leaf, after branching


class _Region(NamedTuple):
    """Inputs that reach a node.

    box : {feature: (low, high)}; rows : tuple of _Row; choices : remaining choices of each group, None before they are
    computed.
    """

    box: dict
    rows: tuple
    choices: dict | None = None


def nearest_in_leaves(problem: Problem, leaves: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Return the nearest point of some leaves (bool[m]) and its lower bound, or None."""
    tree = problem.tree
    above = leaves.copy()
    for node in range(tree.n_nodes - 1, 0, -1):
        above[tree.parents[node]] |= above[node]
    order, n_parts, skipped = count(), 0, np.inf  # skipped : distance of the nearest skipped part
    queue = [_Entry(0.0, next(order), 0, _Region({}, ()))] if above[0] else []
    while queue:
        entry = heapq.heappop(queue)
        if entry.point is not None and entry.lower_bound is not None:
            return entry.point, min(entry.lower_bound, skipped)
        if n_parts > _MOST_PARTS and entry.is_part:  # other entries may still give the result
            skipped = min(skipped, entry.distance)
            continue
        for part in _closer(problem, entry, leaves, above):
            heapq.heappush(queue, part := part._replace(order=next(order)))
            n_parts += part.is_part
    return None


def _closer(problem, entry, leaves, above):
    """Yield the entries that replace a queue entry: its children, the distance of its closure, or a point."""
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
            distance = max(bound, distance_of(problem, found))
            if parts := _whole_parts(problem, entry.region, found):
                for region in parts:
                    yield entry._replace(distance=distance, region=region, is_part=True)
                for point in _rounded(problem, found):
                    if leaves[tree.apply(point[None])[0]]:
                        away = distance_of(problem, point)
                        yield entry._replace(distance=away, lower_bound=away, point=point)
                return
            is_leaves = leaves[tree.apply(found[None])[0]]
            yield entry._replace(distance=distance, lower_bound=distance, point=found if is_leaves else None)
    else:
        found = _strictly_inside(problem, entry.region, leaves)
        if found is not None:
            yield entry._replace(distance=distance_of(problem, found), point=found)


def _with_choices(problem, region, choices=None):
    """Return the region with these choices (None: all that it allows), or None if a group has no choice."""
    if choices is None:
        touched = set(region.box).union(*(row.features.tolist() for row in region.rows))
        choices = choices_within(problem.groups, region.box, touched)
    return (
        None
        if choices is None
        else region._replace(box=region.box | hull_box(problem.groups, choices), choices=choices)
    )


def _parts(problem, entry):
    """Yield parts of a leaf with fewer choices, first the part nearest to the best point of the convex hull."""
    region, known = entry.region, set()
    while True:  # add only violated sums, because few are active
        point = _nearest_in(problem, region, 0.0)
        if point is None:
            return
        broken = [cut for cut in broken_sums(problem.groups, region.choices, point) if (cut[0][0], cut[1]) not in known]
        if not broken:
            break
        known.update((features[0], sign) for features, sign, _ in broken)
        cuts = [_Row(f, np.full(f.size, sign), limit - sign * problem.x[f].sum(), 0.0) for f, sign, limit in broken]
        region = region._replace(rows=(*region.rows, *cuts))
    bound = max(entry.distance, distance_of(problem, point))
    for part in split_choices(problem.groups, region.choices, point):
        decided = is_decided(part)
        yield entry._replace(
            distance=bound if decided else bound * (1.0 + _SLACK), region=_with_choices(problem, entry.region, part)
        )


def _whole_parts(problem, region, point):
    """Split a region into regions with the same whole numbers. Return [] if no feature is left to branch on.

    The region is split at the nearest point of its closure. If that point is already whole, it becomes a region of its
    own, because an edge of the closure can be outside the region.
    """
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
    """Yield two roundings of a point to whole numbers: to the nearest ones, and away from x."""
    use = problem.whole & problem.free
    for near in (np.rint(point), np.where(point > problem.x, np.ceil(point), np.floor(point))):
        yield np.where(use, np.clip(near, problem.low, problem.high), point)


def _side(problem, node, right, region):
    """Return the part of a region that goes right (or left) at `node`, or None if it is empty."""
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
        raise DataError(f"The weights of node {node} are too large for x (margin {margin}). Rescale the features.")
    return region._replace(rows=(*region.rows, row))


def _lower_bound(problem, region):
    """Return the larger of the distance to the box and the distance to the farthest half-space."""
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


def distance_of(problem: Problem, point: np.ndarray) -> float:
    """Return the distance from a point to the input, in the norm of the problem."""
    use = problem.free
    return _norm(problem.norm, (point[use] - problem.x[use]) / problem.scale[use])


def _nearest_in(problem, region, times):
    """Return the nearest point of the closure of a region, None if it is empty. times : margin in rounding errors."""
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
    # The solver has absolute tolerances, so lengths are scaled to about 1.
    unit = max(
        max(_row_bound(problem, row, times * row.error) for row in region.rows),
        _norm(problem.norm, (np.clip(x, low, high) - x) / scale),
    )
    unit = unit or 1.0
    if not np.isfinite(size).all() or not (size > 0).all():
        raise DataError("The weights of the tree are too large or too small for this scale. Use another scale.")
    found = nearest(
        problem.norm, A / size[:, None], b / size / unit, (low - x) / scale / unit, (high - x) / scale / unit
    )
    if found is None:
        return None
    point[features] = np.clip(x + found * unit * scale, low, high)
    return point


def _strictly_inside(problem, region, leaves):
    """Return the nearest point that the tree sends to one of the leaves, or None if the region has no interior.

    A region that is thinner than the rounding errors of its splits has no interior.
    """
    for times in 16.0 ** np.arange(_MOST_TRIES):
        point = _nearest_in(problem, region, times)
        if point is None or not region.rows:
            return None
        if leaves[problem.tree.apply(point[None])[0]]:
            return point
    return None


_TOLERANCE = 1e-10  # tolerance of constraints with sums of about 1; HiGHS supports no smaller one
_GAP = 1e-10  # largest relative gap between a point and the bound from its multipliers
_NEWTON_STEPS, _HALVINGS = 200, 10
_DIVERGED = 1e9  # size of multipliers above which the constraints are probably inconsistent
_OPTIONS = {"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE}


def nearest(norm: str, A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
    """Return the shortest v (float64[d]) with ``A v >= b`` and ``low <= v <= high``, or None if there is none.

    norm : "l1" | "l2"; A : float64[m, d]; b : float64[m]; low, high : float64[d], may be infinite. Rows of A and the
    solution should have a length of about 1. Raise DataError if the solver fails.
    """
    if (low > high).any():
        return None
    start = np.clip(0.0, low, high)
    if (A @ start >= b).all():
        return start
    if norm == "l1":
        return _linear_program(A, b, low, high)
    found = dual_newton(A, b, low, high)
    if found is not None or not _is_feasible(A, b, low, high):
        return found
    try:
        return least_distance(A, b, low, high)
    except RuntimeError as error:
        raise DataError(f"The quadratic program of a leaf is badly scaled ({error}). Use norm='l1'.") from None


def dual_newton(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
    """Solve `nearest` in the l2 norm by Newton steps on the dual. Return None if they do not reach the optimum."""
    multipliers = np.zeros(b.size)
    v, value = _dual(multipliers, A, b, low, high)
    safe = 1.0 / np.linalg.norm(A, 2) ** 2
    for _ in range(_NEWTON_STEPS):
        ascent = b - A @ v
        if (ascent <= 0.1 * _TOLERANCE).all() and 0.5 * (v @ v) - value <= _GAP * (0.5 * (v @ v)):
            return v
        use = np.flatnonzero((multipliers > 0.0) | (ascent > 0.0))
        inside = A[use] * ((v > low) & (v < high))
        curvature = inside @ inside.T
        curvature[np.diag_indices(use.size)] += 1e-14 * (1.0 + np.trace(curvature))
        newton = np.zeros(b.size)
        newton[use] = np.linalg.solve(curvature, ascent[use])
        # If the projected Newton step does not ascend, a short gradient step still does.
        for step in (*(newton * 0.5**halvings for halvings in range(_HALVINGS)), safe * ascent):
            trial = np.maximum(multipliers + step, 0.0)
            moved, moved_value = _dual(trial, A, b, low, high)
            if moved_value > value:
                break
        multipliers, v, value = trial, moved, moved_value
        if multipliers.max() > _DIVERGED:
            return None
    return None


def least_distance(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Solve `nearest` in the l2 norm by least distance programming. The constraints must be consistent.

    Only bounds that the solution violates become constraints, because few of them are active.
    """
    use_low, use_high = low > 0.0, high < 0.0
    while True:
        at_low, at_high = np.flatnonzero(use_low), np.flatnonzero(use_high)
        rows = np.zeros((at_low.size + at_high.size, low.size))
        rows[np.arange(at_low.size), at_low] = 1.0
        rows[at_low.size + np.arange(at_high.size), at_high] = -1.0
        v = _least_distance_rows(np.vstack([A, rows]), np.concatenate([b, low[at_low], -high[at_high]]))
        below, above = (v < low) & ~use_low, (v > high) & ~use_high
        if not (below.any() or above.any()):
            return np.clip(v, low, high)
        use_low |= below
        use_high |= above


def _linear_program(A, b, low, high):
    d = low.size
    up = np.stack([np.maximum(low, 0.0), np.maximum(high, 0.0)], axis=1)
    down = np.stack([np.maximum(-high, 0.0), np.maximum(-low, 0.0)], axis=1)
    v = _solved(np.ones(2 * d), np.hstack([A, -A]), b, np.concatenate([up, down]))
    return None if v is None else v[:d] - v[d:]


def _is_feasible(A, b, low, high):
    return _solved(np.zeros(low.size), A, b, np.stack([low, high], axis=1)) is not None


def _solved(costs, A, b, limits):
    """Return the solution of a linear program with ``A v >= b``, or None if there is none."""
    found = scipy.optimize.linprog(costs, -A, -b, bounds=limits, method="highs-ds", options=_OPTIONS)
    if found.status not in (0, 2):
        raise DataError(f"The linear program of a leaf cannot be solved ({found.message}). Use another scale.")
    return found.x if found.status == 0 else None


def _dual(multipliers, A, b, low, high):
    """Return the minimiser v of the Lagrangian for these multipliers, and its value, which is a lower bound."""
    v = np.clip(multipliers @ A, low, high)
    return v, 0.5 * (v @ v) + multipliers @ (b - A @ v)


def _least_distance_rows(G, h):
    """Return the shortest v with ``G v >= h``."""
    scale = float(h.max())
    E, target = np.vstack([G.T, h / scale]), np.zeros(G.shape[1] + 1)
    target[-1] = 1.0
    multipliers = scipy.optimize.nnls(E, target, maxiter=100 * h.size + 1000)[0]
    residual = E @ multipliers - target
    v = -residual[:-1] / residual[-1] * scale
    active = multipliers > 0.0
    polished = np.linalg.lstsq(G[active], h[active])[0]
    is_inside = (G @ polished >= h - _TOLERANCE * max(1.0, float(np.abs(h).max()))).all()
    return polished if is_inside and polished @ polished <= (v @ v) * (1.0 + 1e-6) else v
