"""`column_levels`: the values of a column from low to high, of which ordered categories are made."""

import pandas

from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.recipe import MOST_LEVELS
from treecore.errors import DataError
from treecore.ordered_levels import ordered_name
from treecore.tables.table_columns import category_text


def is_ordered(values: pandas.Series) -> bool:
    """Say whether the file itself gives the values of a column an order."""
    return isinstance(values.dtype, pandas.CategoricalDtype) and bool(values.dtype.ordered)


def column_levels(values: pandas.Series) -> tuple[str, ...]:
    """Return the levels of a column, low to high: as its file has them, else as one would sort them.

    Raises DataError where they are less than 2, more than 50, or hold signs that the name of a feature cannot have.
    """
    if is_ordered(values):
        texts = [category_text(word) for word in values.cat.categories]
    else:
        texts = sorted({category_text(value) for value in values.dropna().unique()}, key=natural_key)
    if not 2 <= len(texts) <= MOST_LEVELS:
        raise DataError(
            f"Column {str(values.name)[:60]!r} cannot be ordered: it has {len(texts):,} different "
            f"value{'s' * (len(texts) != 1)}, and ordered are 2 to {MOST_LEVELS}. Use it as something else."
        )
    ordered_name(str(values.name), texts)
    return tuple(texts)
