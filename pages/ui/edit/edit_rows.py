"""Select the rows on which an edited tree is evaluated, with the classes numbered as in the tree."""

from typing import Any, NamedTuple

import numpy as np

from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.computed import computed


class EditRows(NamedTuple):
    """Rows of an edited tree.

    X, y : training rows with their classes or target values; test_X, test_y : test rows, possibly none; positions :
    tuple of int, position of each class of the tree among the classes of the data, None for regression.
    """

    X: np.ndarray
    y: np.ndarray
    test_X: np.ndarray
    test_y: np.ndarray
    positions: tuple | None


def parts_of(chosen: ChosenTree) -> tuple[Any, ...] | None:
    """Return the (training, validation, test) row numbers of a `ChosenTree`, or None if its data have no split."""
    return chosen.rows if any(len(part) for part in chosen.rows) else None


def rows_of(chosen: ChosenTree) -> EditRows:
    """Return the `EditRows` of a `ChosenTree` that has rows."""
    return _rows(chosen.name, chosen)


@computed(4)
def _rows(name: str, _chosen: ChosenTree) -> EditRows:
    positions = _chosen.target.positions(_chosen.tree)
    y = _chosen.data.y if positions is None else _labels(_chosen, positions)
    data, parts = _chosen.data, parts_of(_chosen)
    train, test = (np.arange(len(y)), np.empty(0, np.int64)) if parts is None else (parts[0], parts[2])
    places = None if positions is None else tuple(positions.tolist())
    return EditRows(data.X[train], y[train], data.X[test], y[test], places)


def _labels(chosen: ChosenTree, positions: np.ndarray) -> np.ndarray:
    """Return the classes of all rows, numbered as in the tree."""
    data, tree = chosen.data, chosen.tree
    if tree.classes.dtype.kind == "U":
        called = np.array(data.class_names)
        called[positions] = tree.classes
    else:  # a class that the tree does not contain gets an unused number
        called = np.full(len(data.class_names), int(tree.classes.max()) + 1, np.int64).astype(tree.classes.dtype)
        called[positions] = tree.classes
    return called[data.y]
