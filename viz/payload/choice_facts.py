"""Cross-validated errors that select a tree of a path, for the browser."""

from collections.abc import Sequence

from treecore.tree.target import Target
from viz.charts.path_points import path_points, recommended
from viz.tree.readable_tree import TreeNote, tree_notes


def choice_facts(path: Sequence, target: Target | None = None, has_images: bool = False) -> dict | None:
    """Return `Choice` of viz/stage/types.d.ts as JSON data, or None if a tree of the path has no cross-validated error.

    path : trees in order of lambda
    target, has_images : as in `tree_notes`
    """
    points = path_points(path)
    if any(point.cross_validated_error is None for point in points):
        return None
    return {
        "errors": [point.cross_validated_error for point in points],
        "spreads": [point.cross_validated_spread for point in points],
        "recommended": recommended(path),
        "notes": notes_facts(tree_notes(path, target, has_images)),
    }


def notes_facts(notes: dict[int, TreeNote]) -> dict[int, dict]:
    """Return `Notes` of viz/stage/types.d.ts as JSON data."""
    return {index: note._asdict() for index, note in notes.items()}
