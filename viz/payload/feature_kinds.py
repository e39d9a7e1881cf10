"""Ranges, whole numbers and categories of features, so that the user can change their values."""

import numpy as np

from treecore.tables.table_columns import TableColumns
from treecore.tree.category_columns import MOST_NAMED
from treecore.tree.condition_text import visible
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.feature_statistics import feature_steps, missing_features, whole_features
from viz.nodes.category_columns import category_columns, other_values


def feature_facts(X: np.ndarray) -> dict:
    """Return the facts about the columns of X (NaN is missing) as arrays.

    low, high : float64[d], range of the known values, 0 if there are none
    whole : uint8[d], 1 if all values are whole numbers
    step : float64[d], `feature_steps`
    missed : uint8[d], 1 if a value is missing
    """
    missed = missing_features(X)
    if not len(X):
        X = np.zeros((1, X.shape[1]))  # The tree has no rows.
    return {
        "low": np.nan_to_num(np.fmin.reduce(X, axis=0).astype(np.float64)),
        "high": np.nan_to_num(np.fmax.reduce(X, axis=0).astype(np.float64)),
        "whole": whole_features(X).astype(np.uint8),
        "step": feature_steps(X),
        "missed": missed.astype(np.uint8),
    }


def category_names(data: DataSetLike, shipped: np.ndarray) -> dict[int, list]:
    """Return the features in `shipped` that are categories of a column, for JSON.

    The form is {index in `shipped`: [column, category, number of categories of the column that are features]}.
    """
    names, group_of = data.feature_names, category_columns(data).group_of
    found = {}
    for place, j in enumerate(shipped.tolist()):
        if j in group_of:
            column, _, category = names[j].rpartition(" = ")
            found[place] = [visible(column), visible(category), len(group_of[j])]
    return found


def category_groups(columns: TableColumns | None, shipped: np.ndarray) -> list:
    """Return the categorical columns of a `TableColumns` (or None) with a feature in `shipped`, for JSON.

    Each group has name, values (list of [category, index]), others (whether the column has values that are not shipped)
    and rest (these values, or None if a branch cannot name so many).

    shipped : int[m], feature numbers
    """
    if columns is None:
        return []
    position = {feature: place for place, feature in enumerate(shipped.tolist())}
    groups = []
    for column, features in zip(columns.columns, columns.groups(), strict=True):
        pairs = zip(column.categories, features, strict=False)
        values = [[category, position[feature]] for category, feature in pairs if feature in position]
        if column.kind == "category" and values:
            rest = other_values(column, features, position)
            named = [visible(value) for value in rest] if len(rest) <= MOST_NAMED else None
            groups.append({"name": column.name, "values": values, "others": bool(rest), "rest": named})
    return groups
