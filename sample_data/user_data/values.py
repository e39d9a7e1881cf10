"""Recognise missing values and numbers, also in local notations, in text files."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from treecore.tables.marked_numbers import plain_signs

MISSING = (
    *("", "NA", "N/A", "n/a", "na", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "Null", "NuLL", "nULL"),
    *("NuLl", "nUll", "NUll", "?", "-", "--"),
    *("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "NaT"),
)
# These texts mean a missing value only if the rest of the column are numbers. Among texts, they may be answers.
MISSING_AMONG_NUMBERS = (
    *("none", "missing", "unknown", "nil", ".", "..", "...", "*", "not available", "undefined", "na", "n/a", "nan"),
    *("null", "n.a.", "–", "—", "---", "#n/a", "<na>"),
)
# Among texts, these may be values: codes, signs, or one of two values.
WEAK = frozenset(("NA", "na", "?", "-", "--", "N/A", "n/a"))
_LEAST_CELLS = 10  # smallest number of cells of a column with two values, one of which is a weak marker
_LEAST_CODES = 2  # smallest number of different codes other than NA
_MISSING = frozenset(MISSING)
# The expression is unambiguous, so a text of any length is matched or refused without backtracking.
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?(\d+(,\d*)?|,\d+)([eE][+-]?\d+)?", re.ASCII)
GROUPS = {  # number with thousands separators, by the decimal sign
    ".": r"[+-]?[1-9]\d{0,2}((,\d{3})+|( \d{3})+|('\d{3})+)(\.\d*)?",
    ",": r"[+-]?[1-9]\d{0,2}([. ']\d{3})+(,\d*)?",
}
# A single separator before three digits marks either thousands or three decimals.
_DOUBTFUL = {".": re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII), ",": re.compile(r"[+-]?\d{1,3}\.\d{3}", re.ASCII)}
_BOTH_MARKS = re.compile(r"(?<![\d.,])\d{1,3}(\.\d{3})+,\d+(?![\d.,])", re.ASCII)
_POINT_LAST = re.compile(r"\d,\d+\.\d|\d\.\d{1,2}(?!\d)|\d\.\d{4,}", re.ASCII)
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}([ T].*)?")
_SIGNS = "$€£¥%"
_GROUPS = {sign: re.compile(pattern, re.ASCII) for sign, pattern in GROUPS.items()}


class NumberStyle(NamedTuple):
    """Notation of the numbers in a file or column.

    Parameters
    ----------
    decimal : {".", ","}
        Decimal sign.
    grouped : bool
        Whether the other sign separates thousands.
    notes : tuple of str
        Notes for the table.
    sign : str
        Currency sign or per cent sign, which is removed from each number.
    proven : bool
        Whether the separators are certainly thousands separators.
    """

    decimal: str
    grouped: bool
    notes: tuple[str, ...] = ()
    sign: str = ""
    proven: bool = True

    def is_number(self, text: str) -> bool:
        """Test whether a field is a number in this style."""
        if not text.isascii():
            text = plain_signs(text)
        if self.sign:
            text = text.replace(self.sign, "", 1).strip()
        pattern = _PLAIN if self.decimal == "." else _WITH_COMMA
        if pattern.fullmatch(text):
            return True
        return self.grouped and _GROUPS[self.decimal].fullmatch(text) is not None

    def plain(self, text: str) -> str:
        """Return a number in this style with a decimal point and without separators."""
        text = plain_signs(text)
        text = text.replace(self.sign, "", 1).strip() if self.sign else text
        for mark in {".", ",", " ", "'"} - {self.decimal}:
            text = text.replace(mark, "") if self.grouped else text
        return text.replace(self.decimal, ".")


def is_missing(text: str) -> bool:
    """Test whether a field means a missing value."""
    return text in _MISSING


def is_number(text: str) -> bool:
    """Test whether a field is a number in any style."""
    text = (text if text.isascii() else plain_signs(text)).strip()
    return bool(
        _PLAIN.fullmatch(text) or _WITH_COMMA.fullmatch(text) or any(g.fullmatch(text) for g in _GROUPS.values())
    )


def looks_like_date(text: str) -> bool:
    """Test whether a field is a date written in numbers."""
    return _DATE.fullmatch(text.strip()) is not None


def number_style(rows: list[list[str]], delimiter: str, decimal: str | None) -> NumberStyle:
    """Return the notation of the numbers in these rows.

    decimal : decimal sign chosen by the user, or None.
    """
    marked = [field for row in rows for field in row if _may_have_separators(field)]
    marked = [field for field in map(plain_signs, marked) if is_number(field)]
    commas, points = ([field for field in marked if sign in field] for sign in ",.")
    is_chosen = decimal is not None
    if not is_chosen:
        decimal = _decimal(commas, points, delimiter)
    groups = [field for field in marked if _GROUPS[decimal].fullmatch(field)]
    grouped = bool(groups)
    proven = is_chosen or not all(_DOUBTFUL[decimal].fullmatch(field) for field in groups)
    notes = []
    if decimal == ",":
        notes.append("decimal comma")
    if grouped and proven:
        notes.append("thousands marked by " + _separators(groups, decimal))
    return NumberStyle(decimal, grouped, tuple(notes), proven=proven)


def _may_have_separators(field):
    return "." in field or "," in field or " " in field or "'" in field or not field.isascii()


def _separators(groups, decimal):
    found = [words for mark, words in ((",", "commas"), (".", "points"), (" ", "spaces"), ("'", "apostrophes"))
             if mark != decimal and any(mark in field for field in groups)]  # fmt: skip
    return " or ".join(found)


def are_codes(texts: Iterable[str]) -> bool:
    """Test whether texts are codes of two capital letters, such as countries, so that NA may be a code."""
    others = set(texts) - {"NA"}
    return len(others) >= _LEAST_CODES and all(re.fullmatch("[A-Z]{2}", text) for text in others)


def missing_words(words: Iterable[str], n_cells: int = _LEAST_CELLS) -> set[str]:
    """Return the texts of a column of texts that mean a missing value.

    NA is a value among codes of two letters, "-" and "?" are values among signs, and each of only two texts is a value
    unless there are only a few cells.
    """
    words = set(words)
    found = words & _MISSING
    if not found - {""}:
        return set()
    words, found = words - {""}, found - {""}
    others, weak = words - found, found & WEAK
    if not others:
        return found
    if len(others) == 1 == len(found) and n_cells >= _LEAST_CELLS:
        return found - weak
    signs = [word for word in others if len(word) <= 3 and not any(map(str.isalnum, word))]
    if signs and len(signs) + ("0" in others) == len(others):
        return found - {"?", "-", "--"}
    if "NA" in found and are_codes(others):
        return found - {"NA"}
    return found


def column_style(fields: list[str], style: NumberStyle, delimiter: str) -> NumberStyle:
    """Return the notation of the numbers in one column: that of the file, unless only another one gives numbers.

    fields : values of the column, none of them missing.
    """
    if not fields or all(map(style.is_number, fields)):
        return _settle_style(fields, style)
    sign = next((one for one in _SIGNS if all(one in field for field in fields)), "")
    bare = [field.replace(sign, "", 1).strip() for field in fields]
    own = _settle_style(bare, number_style([bare], delimiter, None))
    notes = own.notes or (("decimal point",) if own.decimal != style.decimal else ())
    notes = (f"numbers without {sign}", *notes) if sign else notes or ("decimal point",)
    own = own._replace(sign=sign, notes=notes)
    if all(map(own.is_number, fields)):
        return own
    if style.decimal == "." and _have_decimal_commas(fields):  # numbers with a unit, such as "1.200,50 kr"
        return NumberStyle(",", True, ("decimal comma",))
    return _settle_style(fields, style)


def _have_decimal_commas(fields):
    """Test whether the commas in texts separate decimals, because a number has thousands separated by points, too."""
    if not any(map(_BOTH_MARKS.search, fields)) or any(map(_POINT_LAST.search, fields)):
        return False
    return all(any(map(str.isdigit, field)) for field in fields)


def _settle_style(fields, style) -> NumberStyle:
    """Decide how to read numbers such as 48.123, if nothing in the file proves that the point separates thousands.

    In a file with decimal commas, points are decimal if every number has one point followed by three digits. A wrong
    guess then only divides all numbers by 1,000. If the column also has numbers below 1,000 without a point, points
    separate thousands.
    """
    doubtful = [field for field in fields if _DOUBTFUL[style.decimal].fullmatch(field)]
    if style.proven or not doubtful:
        return style
    known = set(doubtful)
    others = [field for field in fields if field not in known and style.is_number(field)]
    if style.decimal == "," and all(field.lstrip("+-").isdigit() and len(field) > 3 for field in others):
        doubt = column_decimal_point(doubtful[0])
        return NumberStyle(".", False, (doubt,))
    mark, name = (",", "comma") if style.decimal == "." else (".", "point")
    doubt = column_thousands(doubtful[0], doubtful[0].replace(mark, ""), name)
    return style._replace(notes=(doubt,))


def _decimal(commas, points, delimiter) -> str:
    """Return the decimal sign: a comma if a number requires it, or if nothing contradicts it."""
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
    # There are only numbers such as 1,234. A file with comma delimiters quotes them, so their comma separates
    # thousands.
    return "." if delimiter == "," or points else ","


def column_thousands(text: object, value: object, mark: object) -> str:
    """Return the message."""
    return f"{text} read as {value} ({mark} as thousands separator)"


def column_decimal_point(value: object) -> str:
    """Return the message."""
    return f"{value} read with a decimal point (if the point separates thousands, choose the decimal comma)"
