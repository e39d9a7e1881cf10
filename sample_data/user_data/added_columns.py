"""Add columns to a table: the difference of two columns, and whether the cells of a column contain a label."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary, summarise_column
from sample_data.user_data.table import Table
from treecore.errors import DataError
from treecore.messages import literals
from treecore.tables.table_columns import TableColumn, TableColumns, is_difference, label_values
from treecore.tables.table_dates import order_of


def with_added_columns(table: Table, recipe: Recipe) -> Table:
    """Return the table with the columns of `recipe.differences` and `recipe.label_columns`.

    A difference is float64, and missing if one of both values is missing. A label is a category with the values "yes"
    and "no". The texts of the recipe for missing values must be removed before. Columns made of absent columns are left
    out.
    """
    names = set(table.frame.columns)
    found: dict = {
        name: _values(table, difference_column(table, recipe, name, parts))
        for name, parts in recipe.differences.items()
        if names.issuperset(parts)
    }
    found |= {
        name: label_values(table.frame[column], separator, label)
        for name, (column, separator, label) in recipe.label_columns.items()
        if column in names
    }
    return replace(table, frame=table.frame.assign(**found)) if found else table


def difference_column(table: Table, recipe: Recipe, name: str, parts: tuple[str, str]) -> TableColumn:
    """Return a column for the difference of two others. Raises DataError if only one of them contains dates."""
    columns = tuple(_part(table, recipe, part) for part in parts)
    if not is_difference(columns):
        raise DataError(
            f"Column {name!r} is the difference of {literals(parts, 2)}. Both must be numbers, or both must be dates."
        )
    return TableColumn(name, of=columns)


def summarise_with_added(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[ColumnSummary]:
    """Return the summaries with those of the added columns of the table."""
    known = [name for name in recipe.added() if name in table.frame.columns]
    others = [summary for summary in summaries if summary.name not in known]
    return [*others, *(summarise_column(name, table.frame[name]) for name in known)]


def _part(table, recipe, name):
    values = table.frame[name]
    is_date = recipe.kinds.get(name) == "date" or pandas.api.types.is_datetime64_any_dtype(values.dtype)
    day_first = table.day_first.get(name, order_of(values)[0]) if is_date else None
    return TableColumn(name, "date" if is_date else "number", day_first=day_first, missing=recipe.missing.get(name, ()))


def _values(table, column) -> np.ndarray:
    return TableColumns((column,)).encode(table.frame[[part.name for part in column.of]]).X[:, 0]
