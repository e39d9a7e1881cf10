"""`histogram_model`: the trees of HistGradientBoosting models from scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.messages import MESSAGES
from treecore.foreign.scaling import Scaling
from treecore.tree.tree import Tree


def histogram_model(estimator: Any, names: tuple[str, ...] | None, scaling: Scaling) -> ForeignModel:
    """Return the `ForeignModel` of a fitted HistGradientBoostingClassifier or -Regressor.

    Trees are ordered by iteration, then by class. Numbers are compared in float64. Raise TreeFormatError for a tree
    with splits on categories.
    """
    members = [tree for iteration in estimator._predictors for tree in iteration]
    if not members:
        raise TreeFormatError(MESSAGES("no_tree"))
    columns = ForeignColumns(int(estimator._n_features), names)
    alone = MESSAGES("sklearn.first_guess", model=type(estimator).__name__, n_trees=len(members))
    return ForeignModel(
        "scikit-learn", len(members), columns, alone, lambda number: _tree(members[number].nodes, columns, scaling)
    )


def _tree(record, columns, scaling) -> Tree:
    decides = record["is_leaf"] == 0
    if record["is_categorical"][decides].any():
        raise TreeFormatError(MESSAGES("sklearn.sets_of_categories"))
    limits, features = record["num_threshold"], np.where(decides, record["feature_idx"], 0)
    is_known = (features >= 0) & (features < columns.n_columns)
    if not is_known.all() or np.isnan(limits[decides]).any() or not np.isfinite(record["value"]).all():
        raise TreeFormatError(MESSAGES("sklearn.arrays"))
    left, right = (np.where(decides, record[side].astype(np.int64), -1) for side in ("left", "right"))
    nodes = ForeignNodes(
        left=left,
        right=right,
        features=features,
        first=first_number(lambda x: scaling(x, features) > limits, limits.size),
        missing_right=record["missing_go_to_left"] == 0,
        weights=record["count"].astype(np.float64),
        ids=np.arange(limits.size),
        n_features=columns.n_columns,
        feature_names=columns.feature_names,
    )
    return nodes.regression(record["value"])
