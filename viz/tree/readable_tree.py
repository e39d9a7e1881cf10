"""Which tree of a path is shown first: one that can be read, and in words what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.training.path import RegularizationPath
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.tree.path_points import judged, path_points
from viz.words.error_names import error_name

MOST_LEAVES = 10  # more where there are more classes: fewer leaves than classes cannot name them all
STUMP = 2  # leaves of a single decision
STUMPS = {1: "a single leaf", STUMP: "a single decision"}


class ReadableTree(NamedTuple):
    """index : of the tree, by rising lambda; note : what it costs, "" where there is nothing to say; better : index of
    the simplest tree within one standard error, where this one is not."""

    index: int
    note: str
    better: int | None = None


def readable_tree(path: RegularizationPath | Sequence, target: Target | None = None) -> ReadableTree:
    """`ReadableTree` of a path of one tree or more; target : of its data, None = as the trees know it, without a unit.

    Of the trees with 3 to 10 leaves (or as many as there are classes) it is the simplest one within one standard error
    of the smallest error of those that choose (`judged`; where that is not known: with that error), else the best
    of them. Without such errors it is the largest of them. Where there is none, the smallest tree with more
    leaves, if that is not twice as large, else the best stump; where all are larger, as while a path trains, the
    smallest.
    """
    points = path_points(path)
    leaves, limit = [point.tree.n_leaves for point in points], most_leaves(points[0].tree)
    able = [i for i, n in enumerate(leaves) if STUMP < n <= limit]
    if not able:
        near = min((n for n in leaves if limit < n < 2 * limit), default=limit)
        most = near if min(leaves) <= limit else min(leaves)
        able = [i for i, n in enumerate(leaves) if n == most] or [i for i, n in enumerate(leaves) if n <= limit]
    known = judged(path)
    if known is None:
        return ReadableTree(able[0], "")
    good = known.path.good_indices("one_se" if known.has_spread else "min")
    within = [i for i in able if i in good]
    index = within[-1] if within else min(able, key=lambda i: (known.path[i].validation_error, -i))
    simplest = int(good[-1])
    note = _note(known, index, simplest, bool(within), points[0].tree.target if target is None else target)
    return ReadableTree(index, note, None if within else simplest)


def most_leaves(tree: Tree) -> int:
    """Leaves that a tree may have which opens by itself: ten, or one for each class."""
    return max(MOST_LEAVES, len(tree.target.groups)) if tree.target.values_are_groups else MOST_LEAVES


def _note(known, index, simplest, is_good, target):
    points = known.path
    is_stump = points[index].tree.n_leaves <= STUMP
    if not is_good:
        name, shown, least = _errors(known, target, index, simplest)
        better = f"the simplest good tree of the path has {_size(points[simplest])} and {least}"
        return f"Shown: {_size(points[index])}, {name} {shown}; {better}."
    if not is_stump and points[simplest].tree.n_leaves > STUMP:
        return ""
    name, shown, other = _errors(known, target, index, simplest)
    if is_stump:
        return f"Shown: {_size(points[index])}, {name} {shown}; no tree of the path is better by more than chance."
    return (
        f"Shown: {_size(points[index])}, {name} {shown}; {_size(points[simplest])} is as good but for chance: {other}."
    )


def _size(point):
    n = point.tree.n_leaves
    return STUMPS.get(n, f"{n} leaves")


def _errors(known, target, *indices):
    """(name, error of each in words): of the test rows, unless that says another thing than what chooses."""
    points, name = known.path, known.name
    validated, tested = ([getattr(points[i], kind) for i in indices] for kind in ("validation_error", "test_error"))
    if None not in tested and np.argmin(validated) == np.argmin(tested):
        name, validated = "test_error", tested
    called = error_name(name, points[0].is_weighted).replace("error", target.error_label)
    return called, *map(target.error_text, validated)
