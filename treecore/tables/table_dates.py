"""Dates of a column as days since 1970. The order of day and month is determined per column, not per row."""

import numpy as np
import pandas
from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

from treecore.tables.iso_date import TURN, iso_date

_EPOCH = np.datetime64("1970-01-01", "us")
_COMPACT = (19_000_101, 21_001_231)  # first and last number that can be a date
_DAY = 86_400_000_000  # microseconds
_DELIMITED = r"^\s*(?P<first>\d{1,2})(?P<sign>[./-])(?P<second>\d{1,2})[./-](?P<year>\d{4}|\d{2})(?P<time>(?:[ T].*)?)$"

_NEGATIVE = r"[./-]-\d"  # an unknown day, as in "3/-9/1848", which pandas would read as the 9th


def holds_numbers(values: pandas.Series) -> bool:
    """Return whether a pandas Series contains numbers or Booleans."""
    kind = values.cat.categories.dtype if isinstance(values.dtype, pandas.CategoricalDtype) else values.dtype
    return is_numeric_dtype(kind) or is_bool_dtype(kind)


def compact_dates(numbers: np.ndarray) -> np.ndarray | None:
    """Convert numbers such as 20240115 to datetime64[us][n], with NaT for NaN. Return None if one is not a date.

    The years 1900 to 2100 are supported.
    """
    present = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
    if not len(present) or present.min() < _COMPACT[0] or present.max() > _COMPACT[1] or (present % 1).any():
        return None
    whole = np.full(len(numbers), -1, np.int64)
    whole[~np.isnan(numbers)] = present
    codes, uniques = pandas.factorize(whole)
    texts = pandas.Series(uniques).astype(str)
    found = pandas.to_datetime(texts, format="%Y%m%d", errors="coerce").to_numpy("datetime64[us]")
    return found[codes] if np.array_equal(np.isnat(found), uniques < 0) else None


def days(values: pandas.Series, day_first: bool | None = None) -> np.ndarray:
    """Convert a pandas Series of dates or texts to days since 1970-01-01, float64[n], with NaN for other values.

    day_first : whether 03/05/2020 means 3 May; None uses `order_of`. A text that is invalid in this order is not a
    date. Texts that start with the year do not depend on it.
    """
    if is_datetime64_any_dtype(values.dtype):
        return _in_days(values)
    if holds_numbers(values):
        return _days_of_numbers(values)
    codes, texts = _texts(values)
    if day_first is None:
        day_first = order_of(values)[0]
    parts = texts.str.extract(_DELIMITED)
    day, month = (parts["first"], parts["second"]) if day_first else (parts["second"], parts["first"])
    years = parts["year"].where(parts["year"].str.len() != 2, _centuries(parts["year"]) + parts["year"])
    written = month.str.zfill(2) + "/" + day.str.zfill(2) + "/" + years + parts["time"]
    too_large = pandas.to_numeric(month).gt(12).to_numpy()  # pandas would read such a month as the day
    written = written.fillna(texts.mask(texts.str.contains(_NEGATIVE))).mask(too_large)
    named = texts.map(lambda text: None if pandas.isna(text) else iso_date(text)).astype("str")
    return np.append(_in_days(named.fillna(written)), np.nan)[codes]


def order_of(values: pandas.Series) -> tuple:
    """Return (day_first, example): whether the day comes before the month, or None if no text has such a form.

    The order follows from dates that are valid in only one order, and from points as separators. example : a text if
    both orders are possible, else None.
    """
    if is_datetime64_any_dtype(values.dtype) or holds_numbers(values):
        return None, None
    texts = _texts(values)[1]
    parts = texts.str.extract(_DELIMITED).dropna(subset="first")
    if parts.empty:
        return None, None
    first, second = (parts[name].astype(int).to_numpy() for name in ("first", "second"))
    if (first > 12).any() or (second > 12).any():
        return bool(np.count_nonzero(first > 12) > np.count_nonzero(second > 12)), None
    if (parts["sign"] == ".").all():
        return True, None
    return False, texts[parts.index[0]]


def _days_of_numbers(values):
    """Convert numbers such as 20240115 to days, with NaN for other numbers."""
    numbers = pandas.to_numeric(values.astype(object), errors="coerce").to_numpy(np.float64)
    codes, uniques = pandas.factorize(numbers, use_na_sentinel=True)
    are_days = (uniques >= _COMPACT[0]) & (uniques <= _COMPACT[1]) & (uniques % 1 == 0)
    texts = pandas.Series(np.where(are_days, uniques, 0).astype(np.int64)).astype(str)
    dates = pandas.to_datetime(texts, format="%Y%m%d", errors="coerce").to_numpy("datetime64[us]")
    return np.append(_in_days(dates), np.nan)[codes]


def _centuries(years):
    return pandas.Series(np.where(pandas.to_numeric(years).ge(TURN), "19", "20"), years.index, dtype="str")


def _texts(values):
    """Return the index of each value among the distinct texts, int64[n] (-1 if not text), and these texts."""
    codes, uniques = pandas.Series(values).factorize(use_na_sentinel=True)
    texts = [None if isinstance(value, int | float | np.number | np.bool_) else str(value) for value in uniques]
    return codes, pandas.Series(texts, dtype="str")


def _in_days(values):
    found = pandas.to_datetime(values, errors="coerce", utc=True, format="mixed").to_numpy("datetime64[us]")
    return np.where(np.isnat(found), np.nan, (found - _EPOCH).astype(np.int64) / _DAY)
