"""`grouped_columns`: the columns of categories in a data set, for the parameter `categories` of the estimators."""

from treecore.tree.category_columns import one_hot_groups
from treecore.tree.conditions import Columns
from treecore.tree.data_set_like import DataSetLike


def grouped_columns(data: DataSetLike) -> list[list[int]]:
    """Return the features of each column of categories with at least two features."""
    columns = getattr(data, "columns", None)
    if columns is None:
        return [list(group) for group in one_hot_groups(data.feature_names, Columns(data.X))]
    pairs = zip(columns.columns, columns.groups(), strict=True)
    return [list(group) for column, group in pairs if column.kind == "category" and len(group) > 1]
