"""Select the readable tree of a path to display first, with a note about its loss in accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.messages import counted
from treecore.training.path import RegularizationPath
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.charts.path_points import judged, path_points
from viz.words.error_names import error_name

MOST_LEAVES = 10  # more if there are more classes: a tree with fewer leaves cannot predict them all
MOST_IMAGES = 30  # images remain readable when they are small
SMALL = 8  # leaves of a preliminary tree
STUMP = 2  # leaves of a tree with one split
STUMPS = {1: "a single leaf", STUMP: "a single split"}


class ReadableTree(NamedTuple):
    """Tree to display first.

    index : index of the tree, in order of lambda
    note : note about its size or its loss in accuracy, or ""
    better : index of the tree that the note offers, or None
    """

    index: int
    note: str
    better: int | None = None


class TreeNote(NamedTuple):
    """Note about a tree, with the fields `note` and `better` of `ReadableTree`."""

    note: str
    better: int | None


def readable_tree(
    path: RegularizationPath | Sequence, target: Target | None = None, has_images: bool = False
) -> ReadableTree:
    """Return the `ReadableTree` of a path of at least one tree.

    This is the simplest tree within one standard error of the smallest error (of `judged`), whatever its size. A tree
    is readable if it has 3 to 10 leaves (30 for images, or one leaf per class if there are more classes). If the
    selected tree has more than twice as many leaves as a readable tree may have, the note offers the best readable one.

    Without errors, the largest readable tree is selected, or else the smallest larger tree if it is less than twice as
    large, or else the largest tree with one split. If all trees are larger, as during training, the smallest tree is
    selected.

    target : target of the data. None uses the target of the trees, which has no unit.
    has_images : whether the rows are images
    """
    known = judged(path)
    if known is None:
        return ReadableTree(_able(path_points(path), has_images)[0], "")
    index = _simplest(known)
    return ReadableTree(index, *tree_notes(path, target, has_images).get(index, TreeNote("", None)))


def preliminary_tree(path: Sequence) -> int:
    """Return the index of the tree to show while the path is being trained.

    This is the `readable_tree` among the trees with at most `SMALL` leaves, or the smallest tree.

    path : trees in order of lambda
    """
    small = [index for index, point in enumerate(path) if point.tree.n_leaves <= SMALL]
    if not small:
        return min(range(len(path)), key=lambda index: path[index].tree.n_leaves)
    return small[readable_tree([path[index] for index in small]).index]


def tree_notes(
    path: RegularizationPath | Sequence, target: Target | None = None, has_images: bool = False
) -> dict[int, TreeNote]:
    """Return {index: `TreeNote`} of the trees of a path that need a note, with the parameters of `readable_tree`.

    A displayed tree needs its note if later errors change the selection, or if a link selects the tree.
    """
    known = judged(path)
    if known is None:
        return {}
    target = known.path[0].tree.target if target is None else target
    good, smaller = _good(known), _smaller(known, has_images)
    notes = {index: TreeNote(*_note(known, index, good, smaller, target)) for index in range(len(known.path))}
    return {index: note for index, note in notes.items() if note.note}


def _able(points, has_images):
    """Return the indices of the readable trees, see `readable_tree`."""
    leaves, limit = [point.tree.n_leaves for point in points], most_leaves(points[0].tree, has_images)
    able = [i for i, n in enumerate(leaves) if STUMP < n <= limit]
    if able:
        return able
    near = min((n for n in leaves if limit < n < 2 * limit), default=limit)
    most = near if min(leaves) <= limit else min(leaves)
    return [i for i, n in enumerate(leaves) if n == most] or [i for i, n in enumerate(leaves) if n <= limit]


def _simplest(known):
    return known.best_index("one_se" if known.has_spread else "min")


def _smaller(known, has_images):
    """Return the best readable tree if the simplest good tree is much larger than a readable tree, else None."""
    points, simplest = known.path, _simplest(known)
    n_leaves = points[simplest].tree.n_leaves
    if n_leaves <= 2 * most_leaves(points[simplest].tree, has_images):
        return None
    able = [index for index in _able(points, has_images) if points[index].tree.n_leaves < n_leaves]
    return min(able, key=lambda index: (points[index].validation_error, -index), default=None)


def most_leaves(tree: Tree, has_images: bool = False) -> int:
    """Return the number of leaves of a readable tree: 10, or 30 for images, or one for each class."""
    most = MOST_IMAGES if has_images else MOST_LEAVES
    return max(most, len(tree.target.groups)) if tree.target.values_are_groups else most


def _good(known):
    return known.path.good_indices("one_se" if known.has_spread else "min").tolist()


def _note(known, index, good, smaller, target):
    """Return (note, index of the tree that it offers or None) of one tree.

    good : indices of the trees within one standard error
    smaller : see `_smaller`
    """
    points, simplest = known.path, _simplest(known)
    other = smaller if index == simplest and smaller is not None else simplest
    n_leaves, others = points[index].tree.n_leaves, points[other].tree.n_leaves
    name, error, other_error = _errors(known, target, index, other)
    fewest = _size(others)
    if index == simplest and smaller is not None:
        return f"A smaller tree: {fewest}, {name} {other_error} (this tree: {error}).", smaller
    if index not in good:
        return f"Simplest good tree: {fewest}, {name} {other_error} (this tree: {error}).", simplest
    if n_leaves <= STUMP:
        return (
            "No tree on the path is better by more than one standard error."
            if n_leaves == STUMP
            else "No split helps: no tree on the path is better by more than one standard error."
        ), None
    if others >= n_leaves:
        return "", None
    return (
        f"Simplest good tree: {fewest}, {name} {other_error}, within one standard error of this tree ({error}).",
        simplest,
    )


def _size(n_leaves):
    return STUMPS.get(n_leaves, counted(n_leaves, "leaf"))


def _errors(known, target, *indices):
    """Return (name of an error, text of this error for each tree).

    The error is the test error, unless folds select the tree or the test errors contradict the selection.
    """
    points, name = known.path, known.name
    validated, tested = ([getattr(points[i], kind) for i in indices] for kind in ("validation_error", "test_error"))
    if name == "validation_error" and None not in tested and np.argmin(validated) == np.argmin(tested):
        name, validated = "test_error", tested
    called = error_name(name, points[0].is_weighted).replace("error", target.error_label)
    return called, *map(target.error_text, validated)
