"""Which features of a data set are the categories of one column."""

from collections.abc import Iterable

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


def only_other(data: DataSetLike, features: Iterable[int]) -> str | None:
    """The one value of a column of categories that none of its `features` stands for, None unless it is known."""
    known, columns = set(features), getattr(data, "columns", None)
    for column, group in zip(columns.columns, columns.groups(), strict=True) if columns is not None else ():
        if known & set(group):
            rest = other_values(column, group, known)
            return rest[0] if len(rest) == 1 else None
    return None


def other_values(column: object, group: Iterable[int], known: Iterable[int]) -> list[str]:
    """Values of a TableColumn of categories, with its features `group`, that none of the features `known` is of."""
    rest = [value for value, feature in zip(column.categories, group, strict=True) if feature not in known]
    return rest if column.grouped else [*rest, *column.others]
