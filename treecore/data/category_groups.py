"""`CategoryGroups`: the columns of categories among the features, for splits on a group of categories."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from treecore.data.feature_encoder import FeatureEncoder
from treecore.errors import DataError, ParameterError
from treecore.messages import literal
from treecore.tree.category_columns import is_one_hot, one_hot_groups
from treecore.tree.conditions import Columns
from treecore.tree.split import Split


class CategoryGroups:
    """Columns of categories with one 0/1 feature per category.

    A split on a group of categories has the weight 1 (or -1) for each category of one side, so that categories without
    a weight, and unknown ones, go to the other side.

    columns : list of int32[k], features of each column; usable : bool[d], features that splits may use; codes :
    int32[g, n], category of each row as an index into the usable features of the column, followed by one code for rows
    without a category and one for missing values; members : list of int32[k], usable features of each column with
    codes; column_of : int64[d], number of the column of each feature.
    """

    def __init__(self, columns: Iterable[Sequence[int]], values: np.ndarray, usable: np.ndarray) -> None:
        self.columns = [np.array(sorted(column), np.int32) for column in columns]
        self.column_of = np.arange(usable.size)
        for column in self.columns:
            self.column_of[column] = column[0]
        kept = [column[usable[column]] for column in self.columns]
        self.members = [column for column in kept if column.size > 1]
        self.n_codes = np.array([column.size + 2 for column in self.members], np.int64)
        self.codes = np.empty((len(self.members), values.shape[1]), np.int32)
        for own, column in zip(self.codes, self.members, strict=True):
            own[:] = column.size
            for code, feature in enumerate(column):
                own[values[feature] == 1] = code
            if values.dtype.kind == "f":
                own[np.isnan(values[column[0]])] = column.size + 1
        self.is_single = usable.copy()
        for column in self.members:
            self.is_single[column] = False

    def __bool__(self) -> bool:
        return bool(self.members)

    def reorder(self, order: np.ndarray) -> None:
        """Move the row at position ``order[i]`` to position i."""
        if self.members:
            self.codes = np.take(self.codes, order, axis=1)  # indexing would transpose the memory

    def distinct(self, features: np.ndarray) -> np.ndarray:
        """Return one feature of each column among some features, int64[k]."""
        return features if len(features) < 2 or not self.columns else np.unique(self.column_of[features])

    def count(self, features: np.ndarray) -> int:
        """Return the number of columns among some features."""
        return len(self.distinct(features))

    def split(self, group: int, goes_right: np.ndarray, default: bool, missing_right: bool) -> Split | None:
        """Return the split of a column, or None if all rows are on the side `default`.

        goes_right : bool[k], side of each category; default : side of all other rows.
        """
        column = self.members[group]
        listed = column[goes_right[: column.size] != default]
        if not listed.size and missing_right == default:
            return None
        if not listed.size:  # the split separates missing values from all categories
            return Split(column[:1], np.ones(1), 1.0 if default else -2.0, 1.0, bool(missing_right))
        sign = -1.0 if default else 1.0
        return Split(listed, np.full(listed.size, sign), -0.5 * sign, 1.0, bool(missing_right))


def category_columns(categories: Any, encoder: FeatureEncoder, X: Any) -> list[tuple]:
    """Return the features of each column of categories.

    categories : "features" for none, "groups" for all columns that the fitted `encoder` has encoded or that feature
    names such as ``colour = red`` indicate, or a list of lists of features; X : encoded rows. Raise ParameterError or
    DataError for invalid lists.
    """
    if isinstance(categories, str):
        if categories == "features" or not isinstance(X, np.ndarray):
            return []
        if encoder.columns is None:
            return [tuple(group) for group in one_hot_groups(encoder.feature_names, Columns(X))]
        encoded = zip(encoder.groups, encoder.columns, strict=True)
        return [tuple(group) for group, values in encoded if values is not None]
    if not isinstance(X, np.ndarray) and len(categories):
        raise DataError(
            f"categories={literal(categories)} does not support sparse X. Use categories='features', or pass a "
            "dense array."
        )
    columns = [tuple(sorted(map(int, column))) for column in categories]
    listed = [feature for column in columns for feature in column]
    if (
        not all(columns)
        or len(set(listed)) < len(listed)
        or min(listed, default=0) < 0
        or max(listed, default=-1) >= X.shape[1]
    ):
        raise ParameterError(
            f"categories={literal(categories)}: expected 'features', 'groups' or disjoint lists of features from "
            f"0 to {X.shape[1] - 1}. No list may be empty."
        )
    for column in columns:
        if not is_one_hot(Columns(X), column):
            raise DataError(
                f"The features {list(column)[:20]} of `categories` are not the categories of one column. Every "
                "value must be 0 or 1, and at most one of them may be 1 in each row."
            )
    return columns
