"""Convert the Python values of one column, such as of a workbook, to an array of one type."""

import datetime
from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
import pandas
import pyarrow

from sample_data.user_data.readers.column_builder import ColumnBuilder, likely_kinds, smallest_numbers
from sample_data.user_data.values import NumberStyle, column_style, is_missing
from treecore.tables.table_columns import category_text

_SAMPLE = 2000  # number of values that determine the kind of a column


class ReadColumn(NamedTuple):
    """A column that has been read.

    values : array of numbers, dates, categories or texts; notes : sentences for the user; unit : unit of numbers, such
    as "cm"; marked : cells of each text that was read as missing; marks : see `ColumnBuilder`.
    """

    values: Any
    notes: list[str]
    unit: str = ""
    marked: Counter[str] = Counter()
    marks: pandas.Categorical | None = None


def column_of_cells(name: str, cells: list, day_first: bool | None = None, values: Collection[str] = ()) -> ReadColumn:
    """Return the column made from cells. None and empty texts are missing values.

    Texts that are numbers become numbers. A column of mixed values becomes texts. day_first, values : see
    `ColumnBuilder`.
    """
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds and kinds <= {int, float} and not any(type(cell) is int and abs(cell) > 2**53 for cell in cells):
        try:
            numbers = np.array([np.nan if cell is None else cell for cell in cells], np.float64)
            return ReadColumn(smallest_numbers(numbers), [])
        except OverflowError:
            pass
    if kinds and kinds <= {datetime.datetime, datetime.date}:
        days = [None if cell is None else cell.isoformat() for cell in cells]
        return ReadColumn(np.array(["NaT" if day is None else day for day in days], "datetime64[us]"), [])
    return column_of_texts(name, [None if cell is None else cell_text(cell) for cell in cells], day_first, values)


def column_of_texts(
    name: str, texts: list[str | None], day_first: bool | None = None, values: Collection[str] = ()
) -> ReadColumn:
    """Return the column made from texts, as numbers, dates or texts."""
    sample = [text.strip() for text in texts if text is not None and not is_missing(text.strip())][:_SAMPLE]
    style = column_style(sample, NumberStyle(".", False), "\t")
    kinds = likely_kinds(sample, style, day_first)
    builder = ColumnBuilder(name, kinds, style, trimmed=True, values=values, day_first=day_first)
    array = pyarrow.array(texts, pyarrow.string())
    while not builder.add(array):
        pass
    notes = [f"column '{name[:60]}': {note}" for note in style.notes] if builder.kind in ("int", "float") else []
    found = builder.finish()
    return ReadColumn(found, notes + builder.notes, builder.unit, builder.marked, builder.marks)


def cell_text(cell: object) -> str:
    """Return a cell of a workbook as text: integers without a point, dates without midnight, "true" or "false"."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, datetime.datetime | datetime.date):
        return str(cell).removesuffix(" 00:00:00")
    return category_text(cell).encode("utf-8", errors="replace").decode("utf-8")


def category_of_booleans(values: np.ndarray, is_missing: np.ndarray) -> pandas.Categorical:
    """Return booleans as a pandas Categorical."""
    codes = np.where(is_missing, -1, values.astype(np.int8)).astype(np.int8)
    return pandas.Categorical.from_codes(codes, categories=pandas.Index(["false", "true"], dtype="str"))
