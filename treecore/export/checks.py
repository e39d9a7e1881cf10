"""Checks of exported trees, and conversion of numbers and labels to plain Python values."""

import math
from typing import Any

import numpy as np

from treecore.data.feature_encoder import FeatureEncoder
from treecore.errors import ParameterError
from treecore.foreign.scaling import steps_of
from treecore.messages import literal
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.tree import Tree


def check_columns(tree: Tree, columns: TableColumns | None) -> TableColumns | None:
    """Return `columns` (TableColumns or None). Raise ParameterError unless their features match those of `tree`."""
    if columns is None:
        return None
    if not isinstance(columns, TableColumns):
        raise ParameterError(f"columns={literal(columns, 60)}: expected TableColumns, such as model.columns, or None.")
    names = columns.feature_names()
    if len(names) != tree.n_features or (tree.feature_names and tuple(tree.feature_names) != names):
        raise ParameterError(
            f"columns has {len(names)} features, which do not match the {tree.n_features} features of the tree. "
            "Pass the columns that the tree was trained on."
        )
    return columns


def columns_of(model: Any, reads_rows: bool = True) -> TableColumns | None:
    """Return the `TableColumns` of a treecore estimator that encoded text columns, or None for other models.

    reads_rows : whether the export reads rows of the table, in which the category '' cannot be supported.
    """
    estimator = steps_of(getattr(model, "best_estimator_", model))[1]
    encoder = getattr(estimator, "encoder_", None)
    if not isinstance(encoder, FeatureEncoder) or encoder.columns is None:
        return None
    columns = []
    for place, (name, categories) in enumerate(zip(encoder.names, encoder.columns, strict=True)):
        texts = encoder.levels.get(place) or tuple(categories or ())
        if "" in texts and reads_rows:
            raise ParameterError(
                f"Column {name!r:.60} has the category '', which a table cannot distinguish from a missing "
                "value. Rename the category and retrain, or export model.tree_, which reads features."
            )
        kind = "ordered" if place in encoder.levels else "category" if texts else "number"
        others = encoder.grouped.get(place, ())
        columns.append(TableColumn(name, kind, texts, others, grouped=bool(others)))
    return TableColumns(tuple(columns))


def class_labels(tree: Tree, largest: int | None = None) -> list:
    """Return the list of class labels (str, int, float or bool), or [] for regression.

    largest : largest whole number that the export format supports, or None. Raise ParameterError for labels of another
    type, infinite or NaN labels, and whole numbers above `largest`.
    """
    labels = tree.classes.tolist()
    for label in labels:
        if type(label) not in (str, int, float, bool) or (type(label) is float and not math.isfinite(label)):
            raise ParameterError(
                f"Unsupported class label {literal(label, 60)}. Use strings, booleans or finite numbers."
            )
        if largest is not None and type(label) is int and abs(label) > largest:
            raise ParameterError(
                f"Unsupported class label {label}. This export format supports whole numbers up to {largest}."
            )
    return labels


def node_labels(tree: Tree, largest: int | None = None) -> list:
    """Return the list of predictions of the nodes: labels (see `class_labels`), or floats for regression."""
    return tree.target.predictions(tree, np.array(class_labels(tree, largest), object)).tolist()


def plain_number(value: float) -> float:
    """Return `value` as a Python float, with 0.0 for -0.0."""
    return float(value) + 0.0
