"""Which features of a data set are the categories of one column."""

from treecore.tree.conditions import CategoryColumns, Columns, one_hot_groups
from treecore.tree.data_set_like import DataSetLike


def category_columns(data: DataSetLike) -> CategoryColumns:
    """Those of its `TableColumns`; else neighbours named ``colour = red``, ``colour = blue`` with one-hot values."""
    columns = getattr(data, "columns", None)
    groups = one_hot_groups(data.feature_names, Columns(data.X)) if columns is None else columns.groups()
    return CategoryColumns(data.feature_names, {j: group for group in groups if len(group) > 1 for j in group})
