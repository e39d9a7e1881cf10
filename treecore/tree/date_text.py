"""Text of dates, which trees represent as days since 1970 (see viz/stage/model/number_text.js)."""

import math

import numpy as np

from treecore.ordered_levels import levels_of, without_levels
from treecore.tree.number_text import FEW_DIGITS, number

DATE_UNIT = " (days since 1970)"  # suffix of feature names derived from date columns
_EPOCH = np.datetime64("1970-01-01", "m")
_FIRST, _END = -719_162, 2_932_897  # first day of year 1 and of year 10000
_DAY_DIGITS, _MINUTE_DIGITS = 6, 12  # maximum number of digits for which a limit is rounded to a day, and to a minute
_WHOLE = 100_000  # whole numbers below this limit keep all digits at the end of an axis
DATE_DIGITS = (3, _MINUTE_DIGITS)  # numbers of digits that are tried, in this order


def is_date(feature_name: str) -> bool:
    """Return whether a feature name is that of a date column."""
    return feature_name.endswith(DATE_UNIT)


def column_name(feature_name: str) -> str:
    """Return the column name of a feature, without the unit of dates or the levels."""
    return without_levels(feature_name.removesuffix(DATE_UNIT))


def term_name(feature_name: str) -> str:
    """Return the name of a feature in a weighted sum. Ordered levels have their places, such as ``size (0 to 2)``."""
    levels = levels_of(feature_name)
    return f"{column_name(feature_name)} (0 to {len(levels) - 1})" if levels else feature_name


def date_text(day: float) -> str | None:
    """Format days since 1970 as "2020-03-01" or "2020-03-01 12:30".

    Return None unless it is a whole minute in the years 1 to 9999.
    """
    minutes = math.floor(day * 1440 + 0.5) if _FIRST <= day < _END else 0
    if not _FIRST <= day < _END or minutes / 1440 != day:
        return None
    return str(_EPOCH + np.timedelta64(int(minutes), "m")).replace("T00:00", "").replace("T", " ")


def near_date(day: float, digits: int) -> float | None:
    """Return the nearest day, or minute for more digits, or None if it is outside the years 1 to 9999."""
    unit = 1 if digits <= _DAY_DIGITS else 1440
    near = math.floor(day * unit + 0.5) / unit if digits <= _MINUTE_DIGITS and math.isfinite(day) else math.nan
    return near if date_text(near) else None


def nearest_date_text(day: float) -> str:
    """Format a date to the nearest minute. Outside the years 1 to 9999, format the number of days."""
    near = math.floor(day * 1440 + 0.5) / 1440 if _FIRST <= day < _END else day
    return date_text(near) or number(day)


def end_text(feature_name: str, value: float) -> str:
    """Format a value at the end of an axis. A date is shown as a day, an ordered value as its level."""
    if (levels := levels_of(feature_name)) and 0 <= value + 0.5 < len(levels):
        return levels[math.floor(value + 0.5)]
    day = math.floor(value + 0.5) if is_date(feature_name) and math.isfinite(value) else None
    # a year has four digits
    digits = None if abs(value) < _WHOLE and value == math.floor(value) else FEW_DIGITS
    return (day is not None and date_text(day)) or number(value, digits)


def first_date(limit: float, is_inside: bool, digits: int | None) -> float:
    """Return the first day from a limit on, or after the limit if it is not inside."""
    unit = 1 if digits is not None and digits <= _DAY_DIGITS else 1440
    if digits is None or digits > _MINUTE_DIGITS or not math.isfinite(limit):
        return limit
    near = math.floor(limit * unit + 0.5)
    if near / unit == limit:
        return limit if is_inside else (near + 1) / unit
    return math.ceil(limit * unit) / unit
