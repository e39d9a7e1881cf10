"""Format numbers as text. viz/stage/model/number_text.js formats them in the same way in the browser."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

import numpy as np

FEW_DIGITS = 3  # default number of significant digits
LARGE, SMALL = 1e9, 1e-4  # limits beyond which numbers are shown with powers of ten


def number(value: float, digits: int | None = FEW_DIGITS, minus: str = "−") -> str:
    """Format a number with this number of significant digits (None: all), without trailing zeros.

    minus : minus sign.
    """
    if not math.isfinite(value):
        return f"{minus if value < 0 else ''}{'nan' if math.isnan(value) else 'inf'}"
    short = abs(significant(float(value), digits))
    if short != 0 and (short >= LARGE or short < SMALL):
        text = np.format_float_scientific(short, trim="-", exp_digits=1).replace("e+", "e")
    else:
        text = np.format_float_positional(short, trim="-")
    return (minus if value < 0 and short != 0 else "") + text.replace("-", minus)


def significant(value: float, digits: int | None) -> float:
    """Round `value` to this number of significant digits (None: all), halves away from zero as in browsers."""
    if digits is None or not math.isfinite(value):
        return value
    short = float(_rounding(digits).create_decimal_from_float(value))
    return short if math.isfinite(short) else value


def n_whole(value: float) -> int:
    """Return the number of digits before the decimal point, 0 for very large numbers."""
    return len(str(int(abs(value)))) if abs(value) < 1e15 else 0


def beyond(value: float, digits: int, up: bool) -> float:
    """Round `value` up or down to this number of significant digits. Values that are not finite stay unchanged."""
    rounding = _rounding(digits, ROUND_CEILING if up else ROUND_FLOOR)
    short = float(rounding.create_decimal_from_float(value)) if math.isfinite(value) else value
    return short if math.isfinite(short) else value


def n_digits(value: float) -> int:
    """Return the number of significant digits in the shortest text of a finite float."""
    return len(repr(abs(float(value))).partition("e")[0].replace(".", "").strip("0")) or 1


def count(value: int) -> str:
    """Format a whole number with commas between thousands."""
    return f"{int(value):,}"


def percent(share: float, digits: int = 1) -> str:
    """Format a share in [0, 1] as "12.3 %", or None as a dash."""
    return f"{decimals(100 * share, digits)} %" if math.isfinite(share) else "–"


def signed(value: float, digits: int = FEW_DIGITS) -> str:
    """Format a number, with a plus sign unless it is negative."""
    return f"{'+' if value >= 0 else ''}{number(value, digits)}"


def decimals(value: float, digits: int) -> str:
    """Format a finite number with this number of decimals, halves away from zero as in browsers."""
    return f"{Decimal(value + 0.0).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"


@lru_cache(maxsize=64)
def _rounding(digits, rounding=ROUND_HALF_UP):
    return Context(prec=digits, rounding=rounding)
