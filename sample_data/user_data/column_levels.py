"""Determine the levels of an ordered column, from low to high."""

from __future__ import annotations

import pandas

from sample_data.user_data.known_orders import is_no_answer, known_order
from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.recipe import MOST_LEVELS
from sample_data.user_data.summary import ColumnSummary, is_ordered
from treecore.errors import DataError
from treecore.messages import counted
from treecore.ordered_levels import ordered_name
from treecore.tables.table_columns import category_text


def column_levels(values: pandas.Series) -> tuple[str, ...]:
    """Return the levels of a column, low to high.

    The order comes from the file, else from the words, else from sorting the values. Raises DataError for fewer than 2
    or more than 50 levels, and for levels with characters that feature names cannot contain.
    """
    if is_ordered(values):
        texts = [category_text(word) for word in values.cat.categories]
    else:
        texts = sorted({category_text(value) for value in values.dropna().unique()}, key=natural_key)
        texts = list(known_order(str(values.name), texts) or texts)
    if not 2 <= len(texts) <= MOST_LEVELS:
        raise DataError(
            f"Column {str(values.name)[:60]!r} has {counted(len(texts), 'different value')}, but an ordered "
            f"column needs 2 to {MOST_LEVELS}. Use this column as another kind."
        )
    ordered_name(str(values.name), texts)
    return tuple(texts)


def answer_levels(values: pandas.Series, summary: ColumnSummary) -> tuple[str, ...]:
    """Return the levels of a category whose words have an order, low to high and without refusals, else ()."""
    if summary.kind != "category" or not 2 <= summary.n_distinct <= MOST_LEVELS:
        return ()
    texts = {category_text(value) for value in values.dropna().unique()}
    levels = known_order(summary.name, [text for text in texts if not is_no_answer(text)])
    return levels if levels and _can_be_named(summary.name, levels) else ()


def all_answers_ordered(values: pandas.Series, summary: ColumnSummary) -> bool:
    """Test whether the words of a category determine the place of each value in an order."""
    return len(answer_levels(values, summary)) == summary.n_distinct


def _can_be_named(name, levels):
    try:
        ordered_name(name, levels)
    except DataError:
        return False
    return True
