"""Which tree of a path is shown first: one that can be read, and in words what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.training.path import RegularizationPath
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.charts.values.path_points import judged, path_points
from viz.messages import MESSAGES
from viz.words.error_names import error_name

MOST_LEAVES = 10  # more where there are more classes: fewer leaves than classes cannot name them all
STUMP = 2  # leaves of a single decision
STUMPS = {1: "a single leaf", STUMP: "a single decision"}


class ReadableTree(NamedTuple):
    """index : of the tree, by rising lambda; note : what it costs, "" where there is nothing to say; better : index of
    the simplest tree within one standard error, if this one is not within it, or is larger."""

    index: int
    note: str
    better: int | None = None


class TreeNote(NamedTuple):
    """What a tree costs: note and better as of `ReadableTree`."""

    note: str
    better: int | None


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
    good = _good(known)
    within = [i for i in able if i in good]
    index = within[-1] if within else min(able, key=lambda i: (known.path[i].validation_error, -i))
    return ReadableTree(index, *_note(known, index, good, points[0].tree.target if target is None else target))


def tree_notes(path: RegularizationPath | Sequence, target: Target | None = None) -> dict[int, TreeNote]:
    """`TreeNote` of each tree of a path that has one, by its index; the parameters are those of `readable_tree`.

    A tree stays on screen although others judge it later, or because a link names it.
    """
    known = judged(path)
    if known is None:
        return {}
    good, target = _good(known), known.path[0].tree.target if target is None else target
    notes = {index: TreeNote(*_note(known, index, good, target)) for index in range(len(known.path))}
    return {index: note for index, note in notes.items() if note.note}


def most_leaves(tree: Tree) -> int:
    """Leaves that a tree may have which opens by itself: ten, or one for each class."""
    return max(MOST_LEAVES, len(tree.target.groups)) if tree.target.values_are_groups else MOST_LEAVES


def _good(known):
    return known.path.good_indices("one_se" if known.has_spread else "min").tolist()


def _note(known, index, good, target):
    """(note, better) of one tree; good : indices of the good ones."""
    points, simplest = known.path, good[-1]
    n_leaves, fewest = points[index].tree.n_leaves, points[simplest].tree.n_leaves
    name, shown, other = _errors(known, target, index, simplest)
    facts = {"size": _size(n_leaves), "name": name, "error": shown, "fewest": _size(fewest), "other": other}
    if index not in good:
        return MESSAGES("readable.simplest", **facts), simplest
    if n_leaves <= STUMP:
        return MESSAGES("readable.none_better", **facts), None
    if fewest >= n_leaves:
        return "", None
    if fewest <= STUMP:
        return MESSAGES("readable.stump_as_good", **facts), None
    return MESSAGES("readable.as_good", **facts), simplest


def _size(n_leaves):
    return STUMPS.get(n_leaves, f"{n_leaves} leaves")


def _errors(known, target, *indices):
    """(name, error of each in words): of the test rows, unless folds choose or the test rows contradict the choice."""
    points, name = known.path, known.name
    validated, tested = ([getattr(points[i], kind) for i in indices] for kind in ("validation_error", "test_error"))
    if name == "validation_error" and None not in tested and np.argmin(validated) == np.argmin(tested):
        name, validated = "test_error", tested
    called = error_name(name, points[0].is_weighted).replace("error", target.error_label)
    return called, *map(target.error_text, validated)
