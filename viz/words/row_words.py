"""Values of a row as text: category names, dates, and numbers with few digits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.tables.table_columns import TableColumn
from treecore.tree.condition_text import visible
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.date_text import nearest_date_text
from treecore.tree.number_text import number, signed

DIGITS = 6
MISSING, OTHER = "missing", "another category"


class Value(NamedTuple):
    """Value of a row in one column: name and kind of the column, value as text, and indices of its features."""

    name: str
    text: str
    features: tuple[int, ...]
    kind: str


class Change(NamedTuple):
    """Column in which two rows differ: name, both values, and the difference as text ("" between categories)."""

    name: str
    before: str
    after: str
    difference: str


def row_number(data: DataSetLike, row: int) -> int:
    """Return the number of a row in its file if known, otherwise its index in the data, from 0."""
    numbers = getattr(data, "row_numbers", None)
    return int(row) if numbers is None else int(numbers[row])


def row_name(data: DataSetLike, row: int) -> str:
    """Return the name of a row, or "" if the rows have no names."""
    names = getattr(data, "row_names", None)
    return "" if names is None else visible(names[row])


def row_text(data: DataSetLike, row: int) -> str:
    """Return "row 17", or "row 17 (Miller Ltd)" if rows have names."""
    name = row_name(data, row)
    return f"row {row_number(data, row)}" + (f" ({name})" if name else "")


def category_features(data: DataSetLike) -> list:
    """Return the ranges of the 0/1 features of each categorical column as a list."""
    return [features for column, features in _columns(data) if column.kind == "category"]


def open_categories(data: DataSetLike) -> list:
    """Return the indices in `category_features` of columns that have categories without a feature."""
    columns = [column for column, _ in _columns(data) if column.kind == "category"]
    return [place for place, column in enumerate(columns) if column.others and not column.grouped]


def open_category(data: DataSetLike, features: Sequence[int]) -> bool | None:
    """Return whether a categorical column has categories without a feature. Other columns give None."""
    (column,) = (column for column, of in _columns(data) if tuple(of) == tuple(features))
    return bool(column.others) and not column.grouped if column.kind == "category" else None


def column_names(data: DataSetLike) -> list:
    """Return a list of (name, features), one for each column or, without a table, one for each feature."""
    return [(visible(column.name), tuple(features)) for column, features in _columns(data)]


def column_texts(data: DataSetLike, features: Sequence[int], values: np.ndarray) -> tuple:
    """Return (kind of the column with these features, list of its values as texts).

    values : float[g, f]
    """
    (column,) = (column for column, of in _columns(data) if tuple(of) == tuple(features))
    return column.kind, [_text(column, value) for value in np.asarray(values, np.float64)]


def row_values(data: DataSetLike, x: np.ndarray) -> list:
    """Return a list of the `Value` of each column for a row x, float[d]."""
    return [
        Value(visible(column.name), _text(column, x[list(f)]), tuple(f), column.kind) for column, f in _columns(data)
    ]


def changed_values(data: DataSetLike, x: np.ndarray, point: np.ndarray) -> list:
    """Return a list of `Change` from the row x to the row `point`, both float[d].

    The values of `point` keep all their digits.
    """
    changes = []
    for column, features in _columns(data):
        before, after = x[list(features)], point[list(features)]
        if not np.array_equal(before, after, equal_nan=True):
            texts = _text(column, before), _text(column, after, None)
            changes.append(Change(visible(column.name), *texts, _difference(column, before, after)))
    return changes


def _columns(data):
    if data.columns is not None:
        return list(zip(data.columns.columns, data.columns.groups(), strict=True))
    return [(TableColumn.of_feature(name), range(j, j + 1)) for j, name in enumerate(data.feature_names)]


def _text(column, values, digits=DIGITS):
    if np.isnan(values).any():
        return MISSING
    if column.kind == "category":
        chosen = np.flatnonzero(values == 1)
        if not chosen.size:
            return visible(column.others[0]) if len(column.others) == 1 else OTHER
        return visible(column.categories[chosen[0]])
    value = float(values[0])
    if column.kind == "ordered" and value in range(len(column.categories)):
        return visible(column.categories[int(value)])
    if column.kind == "date":
        return nearest_date_text(value)
    return number(value, digits)


def _difference(column, before, after):
    if column.kind == "category" or np.isnan([before, after]).any():
        return ""
    return f"{signed(float(after[0]) - float(before[0]), 4)}{' days' if column.kind == 'date' else ''}"
