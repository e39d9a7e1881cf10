"""Days since 1970, which a column of dates is to a tree, as people write dates (see viz/stage/model/number_text.js)."""

import math

import numpy as np

from treecore.ordered_levels import levels_of, without_levels
from treecore.tree.number_text import FEW_DIGITS, number

DATE_UNIT = " (days since 1970)"  # behind the name of a column of dates, in the name of its feature
_EPOCH = np.datetime64("1970-01-01", "m")
_FIRST, _END = -719_162, 2_932_897  # of the years 1 to 9999
_DAY_DIGITS, _MINUTE_DIGITS = 6, 12  # up to which a limit is told by its day, or by its minute
_WHOLE = 100_000  # below it a whole number at the end of an axis keeps all its digits
DATE_DIGITS = (3, _MINUTE_DIGITS)  # to be tried in order


def is_date(feature_name: str) -> bool:
    """Whether a feature of this name is a column of dates."""
    return feature_name.endswith(DATE_UNIT)


def column_name(feature_name: str) -> str:
    """Name of a feature as a column of its table: without the unit of dates, or levels."""
    return without_levels(feature_name.removesuffix(DATE_UNIT))


def date_text(day: float) -> str | None:
    """Days since 1970 as "2020-03-01" or "2020-03-01 12:30"; None for no whole minute of the years 1 to 9999."""
    minutes = math.floor(day * 1440 + 0.5) if _FIRST <= day < _END else 0
    if not _FIRST <= day < _END or minutes / 1440 != day:
        return None
    return str(_EPOCH + np.timedelta64(int(minutes), "m")).replace("T00:00", "").replace("T", " ")


def near_date(day: float, digits: int) -> float | None:
    """The nearest day, or minute where there are more digits; None where that cannot be written."""
    unit = 1 if digits <= _DAY_DIGITS else 1440
    near = math.floor(day * unit + 0.5) / unit if digits <= _MINUTE_DIGITS and math.isfinite(day) else math.nan
    return near if date_text(near) else None


def nearest_date_text(day: float) -> str:
    """The same of the nearest minute; beyond these years the number."""
    near = math.floor(day * 1440 + 0.5) / 1440 if _FIRST <= day < _END else day
    return date_text(near) or number(day)


def end_text(feature_name: str, value: float) -> str:
    """A value of a feature at the end of an axis, of a date its day, of an ordered column its level."""
    if (levels := levels_of(feature_name)) and 0 <= value + 0.5 < len(levels):
        return levels[math.floor(value + 0.5)]
    day = math.floor(value + 0.5) if is_date(feature_name) and math.isfinite(value) else None
    # a year has four digits
    digits = None if abs(value) < _WHOLE and value == math.floor(value) else FEW_DIGITS
    return (day is not None and date_text(day)) or number(value, digits)


def first_date(limit: float, is_inside: bool, digits: int | None) -> float:
    """The first day (with more digits minute; None: the limit) from a limit on, or behind one that is not inside."""
    unit = 1 if digits is not None and digits <= _DAY_DIGITS else 1440
    if digits is None or digits > _MINUTE_DIGITS or not math.isfinite(limit):
        return limit
    near = math.floor(limit * unit + 0.5)
    if near / unit == limit:
        return limit if is_inside else (near + 1) / unit
    return math.ceil(limit * unit) / unit
