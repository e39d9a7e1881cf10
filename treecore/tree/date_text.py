"""Text of dates, which are days since 1970 in a tree (see viz/stage/model/number_text.js)."""

import math

import numpy as np

from treecore.ordered_levels import levels_of, without_levels
from treecore.tree.number_text import FEW_DIGITS, number

DATE_UNIT = " (days since 1970)"  # suffix of feature names derived from date columns
_EPOCH = np.datetime64("1970-01-01", "m")
_FIRST, _END = -719_162, 2_932_897  # days of the years 1 to 9999
_DAY_DIGITS, _MINUTE_DIGITS = 6, 12  # digits up to which a limit is rounded to a day, or to a minute
_WHOLE = 100_000  # limit below which a whole number at the end of an axis keeps all digits
DATE_DIGITS = (3, _MINUTE_DIGITS)  # tried in this order


def is_date(feature_name: str) -> bool:
    """Return whether the name of a feature is that of a column of dates."""
    return feature_name.endswith(DATE_UNIT)


def column_name(feature_name: str) -> str:
    """Return the name of the column of a feature: without the unit of dates, or levels."""
    return without_levels(feature_name.removesuffix(DATE_UNIT))


def date_text(day: float) -> str | None:
    """Format days since 1970 as "2020-03-01" or "2020-03-01 12:30".

    None unless a whole minute of the years 1 to 9999.
    """
    minutes = math.floor(day * 1440 + 0.5) if _FIRST <= day < _END else 0
    if not _FIRST <= day < _END or minutes / 1440 != day:
        return None
    return str(_EPOCH + np.timedelta64(int(minutes), "m")).replace("T00:00", "").replace("T", " ")


def near_date(day: float, digits: int) -> float | None:
    """Return the nearest day, or minute for more digits; None if it cannot be written."""
    unit = 1 if digits <= _DAY_DIGITS else 1440
    near = math.floor(day * unit + 0.5) / unit if digits <= _MINUTE_DIGITS and math.isfinite(day) else math.nan
    return near if date_text(near) else None


def nearest_date_text(day: float) -> str:
    """Format the nearest minute; beyond the years 1 to 9999 the number."""
    near = math.floor(day * 1440 + 0.5) / 1440 if _FIRST <= day < _END else day
    return date_text(near) or number(day)


def end_text(feature_name: str, value: float) -> str:
    """Format a value at the end of an axis: a date as its day, an ordered column as its level."""
    if (levels := levels_of(feature_name)) and 0 <= value + 0.5 < len(levels):
        return levels[math.floor(value + 0.5)]
    day = math.floor(value + 0.5) if is_date(feature_name) and math.isfinite(value) else None
    # because a year has four digits
    digits = None if abs(value) < _WHOLE and value == math.floor(value) else FEW_DIGITS
    return (day is not None and date_text(day)) or number(value, digits)


def first_date(limit: float, is_inside: bool, digits: int | None) -> float:
    """Return the first day (minute for more digits.

    None: the limit) from a limit on, or after one that is not inside.
    """
    unit = 1 if digits is not None and digits <= _DAY_DIGITS else 1440
    if digits is None or digits > _MINUTE_DIGITS or not math.isfinite(limit):
        return limit
    near = math.floor(limit * unit + 0.5)
    if near / unit == limit:
        return limit if is_inside else (near + 1) / unit
    return math.ceil(limit * unit) / unit
