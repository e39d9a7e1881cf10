"""Find the features of a data set that encode the categories of one column."""

from collections.abc import Iterable

from treecore.tree.category_columns import CategoryColumns, one_hot_groups
from treecore.tree.conditions import Columns
from treecore.tree.data_set_like import DataSetLike


def category_columns(data: DataSetLike) -> CategoryColumns:
    """Return the categorical columns of a data set.

    Without `TableColumns`, neighbouring 0/1 features named ``colour = red``, ``colour = blue`` count as one column.
    """
    columns = getattr(data, "columns", None)
    if columns is None:
        return CategoryColumns.of(data.feature_names, one_hot_groups(data.feature_names, Columns(data.X)), data.X)
    return columns.categories(data.X)


def only_other(data: DataSetLike, features: Iterable[int]) -> str | None:
    """Return the only value of a categorical column that none of its `features` encodes, or None if it is unknown."""
    known, columns = set(features), getattr(data, "columns", None)
    for column, group in zip(columns.columns, columns.groups(), strict=True) if columns is not None else ():
        if known & set(group):
            rest = other_values(column, group, known)
            return rest[0] if len(rest) == 1 else None
    return None


def other_values(column: object, group: Iterable[int], known: Iterable[int]) -> list[str]:
    """Return the values of a categorical column that none of the `known` features encodes.

    column : the TableColumn
    group : its features
    """
    rest = [value for value, feature in zip(column.categories, group, strict=True) if feature not in known]
    return rest if column.grouped else [*rest, *column.others]


def grouped_columns(data: DataSetLike) -> list[list[int]]:
    """Return the features of each categorical column that has at least two, for the parameter `categories`."""
    columns = getattr(data, "columns", None)
    if columns is None:
        return [list(group) for group in one_hot_groups(data.feature_names, Columns(data.X))]
    pairs = zip(columns.columns, columns.groups(), strict=True)
    return [list(group) for column, group in pairs if column.kind == "category" and len(group) > 1]
