"""What can be exported, and numbers and labels as plain Python values."""

import math

import numpy as np

from treecore.errors import ParameterError
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree


def check_columns(tree: Tree, columns: TableColumns | None) -> TableColumns | None:
    """Return `columns`, TableColumns or None; raise ParameterError unless their features are those of `tree`."""
    if columns is None:
        return None
    if not isinstance(columns, TableColumns):
        raise ParameterError(f"columns={columns!r:.60}: give TableColumns, such as model.columns, or None.")
    names = columns.feature_names()
    if len(names) != tree.n_features or (tree.feature_names and tuple(tree.feature_names) != names):
        raise ParameterError(
            f"the columns become {len(names)} features, which are not the {tree.n_features} of the tree: give the "
            "columns that the tree was trained on."
        )
    return columns


def class_labels(tree: Tree, largest: int | None = None) -> list:
    """Class labels as list of str, int, float or bool; [] for regression.

    largest : largest whole number that the target holds, or None. Raises ParameterError for labels of another kind,
    infinite or NaN labels, and whole numbers beyond `largest`.
    """
    labels = tree.classes.tolist()
    for label in labels:
        if type(label) not in (str, int, float, bool) or (type(label) is float and not math.isfinite(label)):
            raise ParameterError(f"class label {label!r:.60}: use strings, booleans or finite numbers.")
        if largest is not None and type(label) is int and abs(label) > largest:
            raise ParameterError(f"class label {label}: this target holds whole numbers up to {largest}.")
    return labels


def node_labels(tree: Tree, largest: int | None = None) -> list:
    """What each node predicts, as list of labels (see `class_labels`), or of float for regression."""
    return tree.target.predictions(tree, np.array(class_labels(tree, largest), object)).tolist()


def plain_number(value: float) -> float:
    """Python float equal to `value`, without the sign of zero."""
    return float(value) + 0.0
