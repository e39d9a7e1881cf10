"""Which tree of a path is shown first: one that can be read, and in words what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.training.path import RegularizationPath
from viz.tree.path_points import number_of_validation_rows, path_points

MOST_LEAVES = 10
STUMP = 2  # leaves of a single decision
STUMPS = {1: "a single leaf", STUMP: "a single decision"}


class ReadableTree(NamedTuple):
    """index : of the tree, by rising lambda; note : what it costs, "" where there is nothing to say."""

    index: int
    note: str


def readable_tree(path: RegularizationPath | Sequence) -> ReadableTree:
    """`ReadableTree` of a path of one tree or more.

    Of the trees with 3 to 10 leaves it is the simplest one within one standard error of the smallest validation error
    (where the number of validation rows is not known: with that error), else the best of them. Without validation
    errors it is the largest of them. Where there is none, the smallest tree with more leaves, if that is not twice as
    large, else the best stump.
    """
    points = path_points(path)
    leaves = [point.tree.n_leaves for point in points]
    able = [i for i, n in enumerate(leaves) if STUMP < n <= MOST_LEAVES]
    if not able:
        most = min((n for n in leaves if MOST_LEAVES < n < 2 * MOST_LEAVES), default=MOST_LEAVES)
        able = [i for i, n in enumerate(leaves) if n == most] or [i for i, n in enumerate(leaves) if n <= most]
        able = able or list(range(len(points)))
    if any(point.validation_error is None for point in points):
        return ReadableTree(able[0], "")
    n_validation = number_of_validation_rows(path)
    known = RegularizationPath(tuple(points), n_validation or 1)
    good, best = known.good_indices("one_se" if n_validation else "min"), known.best_index("min")
    within = [i for i in able if i in good]
    index = within[-1] if within else min(able, key=lambda i: (points[i].validation_error, -i))
    return ReadableTree(index, _note(points, index, best, int(good[-1]), bool(within)))


def _note(points, index, best, simplest, is_good):
    is_stump = points[index].tree.n_leaves <= STUMP
    if not is_good:
        name, shown, least = _errors(points, index, best)
        better = f"the best tree of the path has {_size(points[best])} and {least}"
        return f"Shown: {_size(points[index])}, {name} {shown}; {better}."
    if not is_stump and points[simplest].tree.n_leaves > STUMP:
        return ""
    name, shown, other = _errors(points, index, simplest)
    if is_stump:
        return f"Shown: {_size(points[index])}, {name} {shown}; no tree of the path is better by more than chance."
    return (
        f"Shown: {_size(points[index])}, {name} {shown}; {_size(points[simplest])} is as good but for chance: {other}."
    )


def _size(point):
    n = point.tree.n_leaves
    return STUMPS.get(n, f"{n} leaves")


def _errors(points, *indices):
    """(name, error of each in words): of the test rows, unless that says another thing than the validation rows."""
    target = points[0].tree.target
    name = "validation_error"
    validated, tested = ([getattr(points[i], kind) for i in indices] for kind in (name, "test_error"))
    if None not in tested and np.argmin(validated) == np.argmin(tested):
        name, validated = "test_error", tested
    return name.replace("_", " "), *map(target.error_text, validated)
