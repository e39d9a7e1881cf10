"""`histogram_model`: the trees of HistGradientBoosting models from scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.column_reading import is_missing, value_text
from treecore.foreign.foreign_columns import ForeignColumns, set_bits
from treecore.foreign.foreign_model import NO_TREE, ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.scaling import Scaling
from treecore.tree.tree import Tree


def histogram_model(estimator: Any, names: tuple[str, ...] | None, scaling: Scaling) -> ForeignModel:
    """Return the `ForeignModel` of a fitted HistGradientBoostingClassifier or -Regressor.

    Trees are ordered by iteration, then by class. Numbers are compared in float64. A split on categories stays one
    split. Unknown categories go where missing ones go. Raise TreeFormatError for categories after a scaler.
    """
    members = [tree for iteration in estimator._predictors for tree in iteration]
    if not members:
        raise TreeFormatError(NO_TREE)
    n_columns = int(estimator.n_features_in_)
    categories = _categories(estimator)
    if categories and scaling.steps:
        raise TreeFormatError(
            "Categories after a scaler are not supported. Retrain without the scaler, which these trees do not need."
        )
    codes = {column: tuple(range(len(known))) for column, known in categories.items()}
    columns = ForeignColumns(n_columns, names, codes, categories, has_codes=False, is_scaled=bool(scaling.steps))
    # columns of categories come first in the arrays of the trees
    order = np.array([*categories, *(column for column in range(n_columns) if column not in categories)])
    alone = (
        f"The {type(estimator).__name__} sums an initial prediction and the leaf values of its {len(members):,} "
        "trees, so a single tree predicts a margin."
    )
    return ForeignModel(
        "scikit-learn", len(members), columns, alone, lambda number: _tree(members[number], columns, order, scaling)
    )


def _categories(estimator):
    """Return the names of the categories of each column of categories, {column: tuple of str}."""
    flags = getattr(estimator, "is_categorical_", None)
    if flags is None:
        return {}
    steps = getattr(estimator._preprocessor, "transformers_", ())
    encoder = next((step for name, step, _ in steps if name == "encoder"), None)
    if not hasattr(encoder, "categories_"):
        raise TreeFormatError(
            "The file does not contain the names of the categories. Pass the fitted model, or retrain without "
            "categorical_features, on a 0/1 column for each category (OneHotEncoder)."
        )
    places = np.flatnonzero(flags).tolist()
    return {
        column: tuple(value_text(value) for value in known if not is_missing(value))
        for column, known in zip(places, encoder.categories_, strict=True)
    }


def _tree(member, columns, order, scaling) -> Tree:
    record = member.nodes
    decides = record["is_leaf"] == 0
    limits, places = record["num_threshold"], np.where(decides, record["feature_idx"], 0)
    is_known = (places >= 0) & (places < columns.n_columns)
    is_set = decides & (record["is_categorical"] != 0)
    if (
        not is_known.all()
        or np.isnan(limits[decides & ~is_set]).any()
        or not np.isfinite(record["value"]).all()
        or not np.isin(order[places[is_set]], list(columns.codes)).all()
    ):
        raise TreeFormatError("The file is damaged: the arrays of a tree do not match.")
    features = order[places]
    left, right = (np.where(decides, record[side].astype(np.int64), -1) for side in ("left", "right"))
    missing_right = record["missing_go_to_left"] == 0
    sets = {}
    for node in np.flatnonzero(is_set).tolist():
        column = int(features[node])
        known = np.array(columns.codes[column])
        goes_left = np.isin(known, set_bits(member.raw_left_cat_bitsets[record["bitset_idx"][node]]))
        sets[node] = columns.set_features(column, known[goes_left == missing_right[node]])
    nodes = ForeignNodes(
        left=left,
        right=right,
        features=np.array(columns.first)[features],
        first=first_number(lambda x: scaling(x, features) > limits, limits.size),
        missing_right=missing_right,
        weights=record["count"].astype(np.float64),
        ids=np.arange(limits.size),
        n_features=columns.first[-1],
        feature_names=columns.feature_names,
        sets=sets,
        sets_right=~missing_right,
    )
    return nodes.regression(record["value"])
