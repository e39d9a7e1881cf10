"""What single values of a text file mean: missing, a number, a number as written elsewhere."""

import re
from typing import NamedTuple

MISSING = (
    *("", "NA", "N/A", "n/a", "na", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "Null", "?", "-", "--"),
    *("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "NaT"),
)
# Missing only where the rest of the column are numbers: among texts these may be an answer.
MISSING_AMONG_NUMBERS = ("none", "missing", "unknown", "nil", ".", "..", "...", "*", "not available", "undefined")
_MISSING = frozenset(MISSING)
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?", re.ASCII)
GROUPS = {  # a number whose thousands are marked, by the decimal sign
    ".": r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?",
    ",": r"[+-]?\d{1,3}([. ']\d{3})+(,\d*)?",
}
_SIGNS = "$€£¥%"
_GROUPS = {sign: re.compile(pattern, re.ASCII) for sign, pattern in GROUPS.items()}


class NumberStyle(NamedTuple):
    """decimal: "." or ","; grouped: whether thousands are marked, with the other sign; notes: in words; sign: of a
    currency or per cent, which is taken off each number."""

    decimal: str
    grouped: bool
    notes: tuple[str, ...] = ()
    sign: str = ""

    def is_number(self, text: str) -> bool:
        """Whether a field is a number in this style."""
        text = text.replace(self.sign, "", 1).strip() if self.sign else text
        pattern = _PLAIN if self.decimal == "." else _WITH_COMMA
        if pattern.fullmatch(text):
            return True
        return self.grouped and _GROUPS[self.decimal].fullmatch(text) is not None


def is_missing(text: str) -> bool:
    """Whether a field says that there is no value."""
    return text in _MISSING


def is_number(text: str) -> bool:
    """Whether a field is a number in any style."""
    text = text.strip()
    return bool(
        _PLAIN.fullmatch(text) or _WITH_COMMA.fullmatch(text) or any(g.fullmatch(text) for g in _GROUPS.values())
    )


def number_style(rows: list[list[str]], delimiter: str, decimal: str | None) -> NumberStyle:
    """Return how the numbers of these rows are written; `decimal` is the user's word on it, or None."""
    commas = [field for row in rows for field in row if "," in field and is_number(field)]
    points = [field for row in rows for field in row if "." in field and is_number(field)]
    if decimal is None:
        decimal = _decimal(commas, points, delimiter)
    grouped = any(_GROUPS[decimal].fullmatch(field) for field in [*commas, *points])
    notes = []
    if decimal == ",":
        notes.append("decimal comma")
    if grouped:
        notes.append("thousands marked by " + ("commas" if decimal == "." else "points, blanks or apostrophes"))
    return NumberStyle(decimal, grouped, tuple(notes))


def column_style(fields: list[str], style: NumberStyle, delimiter: str) -> NumberStyle:
    """Return how the numbers of one column are written: as in the file, unless they are none then and are otherwise.

    fields are values of the column, none missing.
    """
    if not fields or all(map(style.is_number, fields)):
        return style
    sign = next((one for one in _SIGNS if all(one in field for field in fields)), "")
    own = number_style([[field.replace(sign, "", 1).strip()] for field in fields], delimiter, None)
    note = (f"numbers without {sign}",) if sign else own.notes or ("decimal point",)
    own = own._replace(sign=sign, notes=note)
    return own if all(map(own.is_number, fields)) else style


def _decimal(commas, points, delimiter) -> str:
    """A comma is the decimal sign where some number cannot be read otherwise, or nothing speaks against it."""
    if not commas:
        both = [field for field in points if field.count(".") > 1]
        return "," if both and len(both) == len(points) else "."
    both = [field for field in commas if "." in field]
    if both:
        last = sum(field.rindex(",") > field.rindex(".") for field in both)
        return "," if 2 * last > len(both) else "."
    if any(not _GROUPS["."].fullmatch(field) for field in commas):
        simple_points = [field for field in points if field.count(".") == 1]
        return "," if not simple_points or len(commas) > len(simple_points) else "."
    # only numbers such as 1,234: in a file of commas they stand in quotation marks, so they are thousands
    return "." if delimiter == "," or points else ","
