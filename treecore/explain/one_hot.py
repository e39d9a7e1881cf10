"""Groups of 0/1 features with exactly one 1, such as the categories of a column, and their choices.

A choice of a group is a possible vector of its features. There is one choice for each category within the bounds, and
the vector of the input. For an open group and for a group with a single feature, all 0 is also a choice. `Choices`
contains the remaining choices of each group. The search starts from their convex hull, which is a relaxation, and
splits it until each group has one choice, which makes the result exact.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from treecore.errors import DataError, ParameterError
from treecore.messages import literal

_TOLERANCE = 1e-7  # tolerance of sums in a solution


class Group(NamedTuple):
    """Group of 0/1 features. features : int64[g]; vectors : float64[k, g], the choices, that of the input first."""

    features: np.ndarray
    vectors: np.ndarray


def checked_groups(
    groups: Iterable,
    open_groups: Collection[int],
    x: np.ndarray,
    free: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    feature_name: Callable,
) -> tuple:
    """Return the `Group`s for sequences of feature numbers, without groups that cannot change.

    open_groups : numbers of groups that may be all 0; x, low, high : float64[d]; free : bool[d], updated so that one
    frozen feature freezes its group. Raise ParameterError for overlapping groups and unknown features or groups, and
    DataError if x is not a choice of a group.
    """
    found, seen, groups = [], set(), list(groups)
    if not _is_whole(open_groups) or not set(open_groups) <= set(range(len(groups))):
        raise ParameterError(
            f"open_groups={literal(open_groups, 60)}: expected numbers of groups in [0, {len(groups)})."
        )
    for number, group in enumerate(groups):
        features = [int(feature) for feature in group] if _is_whole(group) else None
        if not features or not 0 <= min(features) <= max(features) < x.size or len(set(features)) < len(features):
            raise ParameterError(
                f"groups contains {group!r}: expected ranges of different feature numbers in [0, {x.size})."
            )
        if seen.intersection(features):
            raise ParameterError(
                f"groups: {feature_name(min(seen.intersection(features)))!r} is in two groups. Remove it from one."
            )
        seen.update(features)
        features = np.array(features)
        values = x[features]
        if not free[features].all():
            free[features] = False
            continue
        if not (np.isin(values, (0.0, 1.0)).all() and values.sum() <= 1.0):
            raise DataError(
                f"x has {values.tolist()[:20]} in a group of {features.size} features such as "
                f"{feature_name(int(features[0]))!r}. At most one of these can be 1, and all others must be 0. "
                "Correct x, or remove the group."
            )
        categories = np.eye(features.size)
        if features.size == 1 or number in open_groups:
            categories = np.vstack([categories, np.zeros(features.size)])
        inside = ((categories >= low[features]) & (categories <= high[features])).all(axis=1)
        others = categories[inside & ~(categories == values).all(axis=1)]
        found.append(Group(features, np.vstack([values, others])))
    return tuple(found)


def _is_whole(group):
    return np.iterable(group) and all(
        isinstance(feature, int | np.integer) and not isinstance(feature, bool) for feature in group
    )


def choices_within(groups: Sequence[Group], box: dict, touched: set[int]) -> dict | None:
    """Return the choices inside the box, {group: tuple of choices}, for each group with a feature in `touched`.

    Return None if such a group has no choice inside the box.

    box : {feature: (low, high)}; touched : set of int, the features of splits.
    """
    choices = {}
    for number, group in enumerate(groups):
        if touched.isdisjoint(group.features.tolist()):
            continue
        limits = np.array([box.get(feature, (-np.inf, np.inf)) for feature in group.features.tolist()])
        inside = ((group.vectors >= limits[:, 0]) & (group.vectors <= limits[:, 1])).all(axis=1)
        if not inside.any():
            return None
        choices[number] = tuple(np.flatnonzero(inside).tolist())
    return choices


def hull_box(groups: Sequence[Group], choices: dict) -> dict:
    """Return the box around the remaining choices, {feature: (low, high)}."""
    box = {}
    for number, left in choices.items():
        vectors = groups[number].vectors[list(left)]
        ends = zip(vectors.min(axis=0).tolist(), vectors.max(axis=0).tolist(), strict=True)
        box |= dict(zip(groups[number].features.tolist(), ends, strict=True))
    return box


def broken_sums(groups: Sequence[Group], choices: dict, point: np.ndarray) -> list:
    """Return the inequalities ``sign * sum >= limit`` of the hull that a point violates, [(features, sign, limit)]."""
    broken = []
    for number, left in choices.items():
        features, vectors = groups[number]
        sums, total = vectors[list(left)].sum(axis=1), point[features].sum()
        if len(left) > 1 and total > sums.max() + _TOLERANCE:
            broken.append((features, -1.0, -sums.max()))
        elif len(left) > 1 and total < sums.min() - _TOLERANCE:
            broken.append((features, 1.0, sums.min()))
    return broken


def is_decided(choices: dict) -> bool:
    """Return whether every group has a single choice left."""
    return all(len(left) == 1 for left in choices.values())


def split_choices(groups: Sequence[Group], choices: dict, point: np.ndarray) -> list:
    """Return a partition of `choices`. The first part has one choice in every group: the nearest to `point`."""
    parts, nearest = [], dict(choices)
    for number, left in choices.items():
        if len(left) == 1:
            continue
        group = groups[number]
        distance = np.abs(group.vectors[list(left)] - point[group.features]).sum(axis=1)
        best = left[int(np.argmin(distance))]
        parts.append(nearest | {number: tuple(choice for choice in left if choice != best)})
        nearest = nearest | {number: (best,)}
    return [nearest, *parts]
