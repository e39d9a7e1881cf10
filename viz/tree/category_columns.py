"""Which features of a data set are the categories of one column."""

from treecore.tree.category_columns import CategoryColumns, one_hot_groups
from treecore.tree.conditions import Columns
from treecore.tree.data_set_like import DataSetLike


def category_columns(data: DataSetLike) -> CategoryColumns:
    """Those of its `TableColumns`; else neighbours named ``colour = red``, ``colour = blue`` with one-hot values."""
    columns = getattr(data, "columns", None)
    if columns is None:
        return CategoryColumns.of(data.feature_names, one_hot_groups(data.feature_names, Columns(data.X)), data.X)
    found = {
        group: column
        for column, group in zip(columns.columns, columns.groups(), strict=True)
        if column.kind == "category"
    }
    closed = [group for group, column in found.items() if column.grouped or not column.others]
    return CategoryColumns.of(data.feature_names, found, data.X, closed)
