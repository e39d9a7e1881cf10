"""Numbers, labels and names as SQL literals and quoted identifiers."""

import math
from decimal import Decimal
from fractions import Fraction

from treecore.errors import ParameterError

_DIGITS, _POWER = 15, 22  # limits within which a decimal number is the quotient of two exact numbers


def number_literal(value: float) -> str:
    """Return text that every database reads as exactly `value`, a finite float.

    Some databases, such as SQLite, round long decimal literals incorrectly. Such numbers are written as a whole number
    divided by powers of two, which is exact everywhere.
    """
    text = repr(value)
    if _is_simple(value, text):
        return text if "e" in text else f"{text}e0"
    fraction, power = math.frexp(value)
    whole, power = int(fraction * 2**53), power - 53
    zeros = (whole & -whole).bit_length() - 1
    whole, power = whole >> zeros, power + zeros
    sign, steps = ("/", -power) if power < 0 else ("*", power)
    factors = [52] * (steps // 52) + ([steps % 52] if steps % 52 else [])
    scaling = "".join(f" {sign} {2**factor}e0" for factor in factors)
    return f"(CAST({whole} AS DOUBLE PRECISION){scaling})"


def _is_simple(value, text):
    """Return whether dividing two exact numbers gives `value`, even if the result is rounded twice."""
    _, digits, power = Decimal(text).as_tuple()
    if len(digits) > _DIGITS or abs(int(power)) > _POWER:
        return False
    if value == 0:
        return True
    gap = Fraction(abs(value)) - Fraction(math.nextafter(abs(value), 0))
    return abs(Fraction(text) - Fraction(value)) <= gap * Fraction(49, 100)


def label_literal(label: str) -> str:
    """Return the literal of a class label (str, int, float or bool). Raise ParameterError for unsupported text."""
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return "'" + _held(label, "class label").replace("'", "''") + "'"
    return number_literal(label) if isinstance(label, float) else str(label)


def identifier(name: str, what: str) -> str:
    """Return a quoted identifier. Raise ParameterError if the name is empty, not a string, or unsupported."""
    if not isinstance(name, str) or not name:
        raise ParameterError(f"{what}={name!r:.60}: expected a string of at least one character.")
    return '"' + _held(name, what).replace('"', '""') + '"'


def _held(text, what):
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ParameterError(
            f"SQL does not support the {what} {text!r:.60}, which contains NUL or an incomplete character (a "
            "lone surrogate). Rename it."
        )
    return text
