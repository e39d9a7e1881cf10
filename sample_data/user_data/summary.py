"""Summarise the values and the probable kind of each column in a table."""

from dataclasses import dataclass, replace

import numpy as np
import pandas

from sample_data.user_data.recipe import MOST_LEVELS
from sample_data.user_data.table import Table
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import category_text
from treecore.tree.number_text import number

N_BARS = 20
N_TOP = 12
N_EXAMPLES = 3
_SAMPLE = 20_000
_OFTEN, _FEW_TEXTS, _LONGEST_CATEGORY = 2, 200, 120  # texts that repeat more often are categories, even long ones
_MANY_CATEGORIES, _ROWS_OF_MANY = (1000, 5)  # more short texts are categories if they have so many rows on average
_TYPICAL_CATEGORY = 40  # maximum mean length of a category in characters; longer texts are free text


@dataclass(frozen=True)
class ColumnSummary:
    """Summary of one column.

    Parameters
    ----------
    name : str
    n_rows, n_missing : int
    kind : str
        Proposed kind: "number", "category", "date", "text" (too many different texts) or "empty".
    n_distinct : int
        Number of different values, or a lower bound if `distinct_is_capped`.
    examples : tuple of str
        First different values.
    low, high, mean : float or str, optional
        Range and mean of numbers. For dates, low and high are texts and mean is None.
    counts, edges : ndarray
        Histogram: int[k] and k + 1 edges (days since 1970 for dates), or empty.
    top : tuple
        (value, count) of the most frequent values of a category or text.
    whole : bool
        Whether all numbers are integers.
    rising : bool
        Whether each number is larger than the previous one.
    ordered : bool
        Whether the file defines an order of the categories. If so, `top` has this order, and low and high are its ends.
    """

    name: str
    kind: str
    n_rows: int
    n_missing: int
    n_distinct: int
    distinct_is_capped: bool = False
    examples: tuple[str, ...] = ()
    low: float | str | None = None
    high: float | str | None = None
    mean: float | None = None
    counts: tuple[int, ...] = ()
    edges: tuple[float, ...] = ()
    top: tuple[tuple[str, int], ...] = ()
    whole: bool = False
    ordered: bool = False
    rising: bool = False


def summarise(table: Table) -> list[ColumnSummary]:
    """Return the summary of every column, in order."""
    return [summarise_column(name, table.frame[name]) for name in table.frame.columns]


def summarise_column(name: str, values: pandas.Series) -> ColumnSummary:
    """Return the summary of one column of numbers, dates, booleans, categories or texts."""
    kind = values.dtype.kind if isinstance(values.dtype, np.dtype) else None
    if kind == "M":
        return _dates(name, values.to_numpy())
    if kind is not None and kind in "uif":
        return _numbers(name, values.to_numpy())
    return _texts(name, values)


def is_ordered(values: pandas.Series) -> bool:
    """Test whether the file defines an order of the column's values."""
    return isinstance(values.dtype, pandas.CategoricalDtype) and bool(values.dtype.ordered)


def is_category(n_distinct: int, n_values: int, mean_length: float) -> bool:
    """Test whether texts are categories rather than free text or names of single rows."""
    if n_distinct <= 2:
        return True
    if n_distinct * _OFTEN < n_values and n_distinct <= _FEW_TEXTS:
        return mean_length <= _LONGEST_CATEGORY
    most = max(_MANY_CATEGORIES, n_values / _ROWS_OF_MANY)
    return mean_length <= _TYPICAL_CATEGORY and n_distinct <= max(20, min(most, 0.5 * n_values))


def _numbers(name, values) -> ColumnSummary:
    n_rows = len(values)
    if values.dtype.kind == "f":
        values = values[np.abs(values) <= LARGEST]
    n_missing = n_rows - len(values)
    if not len(values):
        return ColumnSummary(name, "empty", n_rows, n_missing, 0)
    low, high = float(values.min()), float(values.max())
    n_distinct, capped = _distinct(values, low, high)
    whole = values.dtype.kind in "ui" or bool((np.floor(values) == values).all())
    n_bars = min(N_BARS, int(high - low) + 1) if whole and high - low < 1e9 else N_BARS
    margin = 0.5 if whole and high - low < N_BARS else 0.0
    counts, edges = _histogram(values, n_bars, low - margin, high + margin)
    return ColumnSummary(
        name,
        "number",
        n_rows,
        n_missing,
        n_distinct,
        capped,
        _examples(values[:1000]),
        low,
        high,
        float(values.mean(dtype=np.float64)),
        tuple(counts.tolist()),
        tuple(edges.tolist()),
        whole=whole,
        rising=len(values) > 1 and bool((values[1:] > values[:-1]).all()),
    )


def _histogram(values, n_bars, low, high):
    """Return (counts, edges), with a single bar if the range is too narrow for more."""
    edges = np.linspace(low, high, n_bars + 1)
    if not (np.diff(edges) > 0).all():
        return np.array([len(values)]), np.array([low, high])
    return np.histogram(values.astype(np.float64), n_bars, (low, high))


def _distinct(values, low, high) -> tuple[int, bool]:
    """Return (number of different values, whether there may be more because only a sample was counted)."""
    if values.dtype.kind in "ui" and high - low < 4 * len(values) + 1000:
        return int(np.count_nonzero(np.bincount((values - values.min().astype(np.int64)).astype(np.int64)))), False
    if len(values) <= _SAMPLE * 5:
        return len(pandas.unique(values)), False
    n_sample = len(pandas.unique(values[:: len(values) // _SAMPLE + 1]))
    if n_sample > _SAMPLE // 10:
        return n_sample, True
    return len(pandas.unique(values)), False


def _dates(name, values) -> ColumnSummary:
    n_rows = len(values)
    values = values[~np.isnat(values)]
    if not len(values):
        return ColumnSummary(name, "empty", n_rows, n_rows, 0)
    days = values.astype("datetime64[us]").astype(np.int64) / 86_400_000_000
    n_distinct, capped = _distinct(days, days.min(), days.max())
    low, high = days.min(), days.max()
    counts, edges = _histogram(days, N_BARS, low, high)
    return ColumnSummary(
        name,
        "date",
        n_rows,
        n_rows - len(values),
        n_distinct,
        capped,
        _examples(pandas.Series(values[:1000])),
        date_text(values.min()),
        date_text(values.max()),
        None,
        tuple(int(count) for count in counts),
        tuple(edges.tolist()),
    )


def date_text(value: np.datetime64 | pandas.Timestamp) -> str:
    """Return a date as text, without the time if it is midnight."""
    return str(pandas.Timestamp(value)).removesuffix(" 00:00:00")


def _texts(name, values) -> ColumnSummary:
    n_rows, n_missing = len(values), int(values.isna().sum())
    if n_missing == n_rows:
        return ColumnSummary(name, "empty", n_rows, n_rows, 0)
    capped = False
    if isinstance(values.dtype, pandas.CategoricalDtype):
        counts = np.bincount(values.cat.codes.to_numpy()[values.cat.codes.to_numpy() >= 0])
        used = np.flatnonzero(counts)
        order = used if is_ordered(values) else used[np.argsort(-counts[used], kind="stable")]
        words = values.cat.categories
        top = [(category_text(words[k]), int(counts[k])) for k in order[:N_TOP]]
        n_distinct = len(used)
        texts = [category_text(words[k]) for k in order[:1000]]
    else:
        present = values.dropna()
        capped = len(present) > 10 * _SAMPLE
        found = (present.iloc[:: len(present) // _SAMPLE + 1] if capped else present).value_counts()
        top = [] if capped else [(category_text(word), int(count)) for word, count in found.iloc[:N_TOP].items()]
        n_distinct = len(found)
        texts = [category_text(word) for word in found.index[:1000]]
    n_values = n_rows - n_missing
    length = sum(map(len, texts)) / len(texts)
    numbers_in_all = _SAMPLE if capped else n_values
    kind = "category" if is_category(n_distinct, numbers_in_all, length) else "text"
    examples = tuple(texts[:N_EXAMPLES])
    found = ColumnSummary(name, kind, n_rows, n_missing, n_distinct, capped, examples, top=tuple(top))
    if kind == "category" and is_ordered(values) and 2 <= n_distinct <= MOST_LEVELS:
        return replace(found, ordered=True, low=texts[0], high=texts[-1])
    return found


def _examples(values) -> tuple[str, ...]:
    if isinstance(values, pandas.Series):
        return tuple(date_text(value) for value in values.unique()[:N_EXAMPLES])
    texts = number_text if values.dtype.kind == "f" else category_text
    return tuple(map(texts, pandas.unique(values)[:N_EXAMPLES]))


def number_text(value: float) -> str:
    """Return a number in a table as text, with six significant digits."""
    return number(value, 6, "-")
