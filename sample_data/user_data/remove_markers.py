"""Remove the texts from a table that its recipe declares as missing values, and restore those that are values."""

from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.readers.text_column import column_of_texts
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary, is_ordered, summarise_column
from sample_data.user_data.table import Table
from treecore.tables.table_columns import category_text, marker_text, with_spellings, without_markers
from treecore.tables.table_dates import order_of


def remove_markers(table: Table, recipe: Recipe) -> Table:
    """Return the table with the `values` of the recipe restored, its `missing` texts removed and `variants` combined.

    If the remaining texts of a column are numbers or dates, the column becomes numeric or a date column.
    """
    table = _with_values(table, recipe)
    marked = {name: texts for name, texts in recipe.missing.items() if name in table.frame.columns}
    values, orders = {}, dict(table.day_first)
    for name, texts in marked.items():
        column = table.frame[name]
        left = without_markers(column, texts)
        if left is column:
            continue
        if isinstance(left.dtype, np.dtype) and left.dtype.kind in "uifM":
            values[name] = left
            continue
        if is_ordered(left):
            marks = [level for level in left.cat.categories if marker_text(level) in texts]
            values[name] = left.cat.remove_categories(marks)
            continue
        if (order := order_of(left)[0]) is not None:
            orders.setdefault(name, order)
        values[name] = _infer_type(name, left, orders.get(name))
    for name, texts in recipe.variants.items():
        column = values.get(name, table.frame.get(name))
        if column is not None and isinstance(column.dtype, pandas.CategoricalDtype | pandas.StringDtype):
            values[name] = with_spellings(pandas.Series(column, name=name), texts)
    return replace(table, frame=table.frame.assign(**values), day_first=orders) if values else table


def summarise_without_markers(table: Table, summaries: list[ColumnSummary], recipe: Recipe) -> list[ColumnSummary]:
    """Return the summaries of the table of `remove_markers`, given the summaries of the table itself."""
    known = {*recipe.missing, *recipe.values, *recipe.variants}
    return [summarise_column(s.name, table.frame[s.name]) if s.name in known else s for s in summaries]


def _with_values(table, recipe):
    """Return the table with the texts that were read as missing, but are values of a column according to the recipe."""
    columns = {}
    for name, texts in recipe.values.items():
        marks = table.marks.get(name)
        if marks is None or name not in table.frame.columns or not (is_value := marks.isin(texts)).any():
            continue
        values = table.frame[name].cat
        known = [*values.categories, *(text for text in texts if text not in values.categories)]
        places = np.array([known.index(text) if text in known else -1 for text in marks.categories])
        codes = np.where(is_value, places[marks.codes], values.codes)
        words = pandas.Index(known, dtype="str")
        columns[name] = pandas.Series(pandas.Categorical.from_codes(codes, words, ordered=values.ordered), name=name)
    return replace(table, frame=table.frame.assign(**columns)) if columns else table


def _infer_type(name, values, order):
    """Return texts as numbers, dates, categories or texts."""
    codes, uniques = values.factorize(use_na_sentinel=True)
    found = column_of_texts(name, [category_text(value) for value in uniques], order).values
    if not len(uniques):
        return pandas.Series(np.full(len(values), np.nan, np.float32), name=name)
    if not isinstance(found, np.ndarray):
        words = pandas.Index([category_text(value) for value in uniques], dtype="str")
        return pandas.Series(pandas.Categorical.from_codes(codes, words), name=name)
    if found.dtype.kind == "M":
        return pandas.Series(np.append(found, np.datetime64("NaT"))[codes], name=name)
    if (codes < 0).any():
        found = np.append(found.astype(np.result_type(found, np.float32)), np.nan)
    return pandas.Series(found[codes], name=name)
