"""Choose which values of a category become features, and which rare values are combined."""

from typing import NamedTuple

import numpy as np
import pandas

from sample_data.user_data.natural_key import natural_key
from treecore.column_groups import others_name
from treecore.messages import counted
from treecore.tables.table_columns import category_text

# Number of rows below which a value is proposed as rare: this share of all rows, within these limits.
_LEAST_SHARE, _FEWEST, _MOST = 0.005, 5, 50


class Grouping(NamedTuple):
    """Values of a category that become features, and the other values.

    Parameters
    ----------
    kept : tuple of str
        Values that become features, in natural order.
    others : tuple of str
        Values that do not become features.
    n_rows : int
        Number of rows with one of the other values.
    name : str
        Name of the feature for all other values, or "".
    """

    kept: tuple[str, ...]
    others: tuple[str, ...]
    n_rows: int
    name: str


def group(values: pandas.Series, most: int, below: int = 0) -> Grouping:
    """Return the `Grouping` of a category. The `most` most frequent values become features.

    below : values with fewer rows are combined as "others (12 categories)", together with those beyond `most`; 0
    combines no values. A single rare value stays separate.
    """
    frequency = _frequency(values)
    ordered = sorted(frequency, key=lambda text: (-frequency[text], natural_key(text)))
    kept = [text for text in ordered[:most] if frequency[text] >= below] or ordered[:1]
    others = ordered[len(kept) :]
    if below and len(others) == 1 and len(kept) < most:
        kept, others = ordered, []
    if len(ordered) == 2 and len(kept) == 2:  # one 0/1 feature is enough for two values
        kept = sorted(kept, key=natural_key)[1:]
        others = [text for text in ordered if text not in kept]
        below = 0
    name = others_name(len(others), frequency) if below and len(others) > 1 else ""
    n_rows = sum(frequency[text] for text in others)
    return Grouping(tuple(sorted(kept, key=natural_key)), tuple(sorted(others, key=natural_key)), n_rows, name)


def group_text(grouping: Grouping) -> str:
    """Return a text such as "others (12 categories, 34 rows)"."""
    return f"{grouping.name.removesuffix(')')}, {counted(grouping.n_rows, 'row')})"


def propose_below(values: pandas.Series) -> int:
    """Return the number of rows below which the values of a column are combined, 0 if it has few values.

    At least two values stay separate.
    """
    counts = sorted(_frequency(values).values(), reverse=True)
    least = int(np.clip(np.ceil(_LEAST_SHARE * sum(counts)), _FEWEST, _MOST))
    return max(min(least, *counts[:2]), 2)


def _frequency(values):
    codes, uniques = values.factorize(use_na_sentinel=True)
    counts = np.bincount(codes[codes >= 0], minlength=len(uniques))
    frequency = {}
    for value, count in zip(uniques, counts, strict=True):
        if count:
            text = category_text(value)
            frequency[text] = frequency.get(text, 0) + int(count)
    return frequency
