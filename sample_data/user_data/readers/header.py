"""Find the lines of a text above its header, and the rows that contain the names."""

import csv
import io
import itertools
import re
from collections import Counter
from typing import NamedTuple

from sample_data.user_data.values import NumberStyle, is_missing

_MOST_TITLE_LINES = 20
_MOST_LINES, _MOST_BREAKS = 200, 6  # number of lines that show titles, and maximum number of lines of a row
_MARKED = re.compile(r"[<>≤≥~$€£(] ?\d")  # a value such as "<0.02", which is not a name
_LEAST_BELOW = 5  # smallest number of numbers below a name that is a number
_LEAST_COUNTED = 3  # smallest number of columns whose names may be 1, 2, 3 above whole numbers
_FEW_VALUES = 0.5  # different values of a column as a share of its rows, below which most values repeat


class HeaderGuess(NamedTuple):
    """Guess about a header.

    has_header : whether the first row contains names; is_sure : whether nothing contradicts the guess.
    """

    has_header: bool
    is_sure: bool = True


def text_header(first: list[str], rows: list[list[str]]) -> HeaderGuess:
    """Return whether a row of texts above other texts contains names.

    In a column with few values, a name does not repeat.
    """
    names = again = filled = 0
    for k, field in enumerate(first):
        below = [row[k] for row in rows if k < len(row)]
        values = set(below)
        repeats = field in values and len(values) < len(below)  # where all values differ, a row would not repeat one
        filled += bool(field)
        again += bool(field) and repeats
        names += bool(field) and not repeats and len(values) <= _FEW_VALUES * len(below)
    if not any(first):
        return HeaderGuess(False)
    are_distinct = len(set(first)) == len(first)
    if not again:
        return HeaderGuess(are_distinct or names > 0, are_distinct or not names)
    return HeaderGuess(names > again, again == filled)


def title_lines(lines: list[str], delimiter: str, quote: str) -> int:
    """Return the number of title lines above the table.

    Unlike the lines below, a title line contains a single text.
    """
    rows, ends = _rows_of(lines[:_MOST_LINES], delimiter, quote)
    n_rows = title_rows(rows)
    return ends[n_rows - 1] if n_rows else 0


def title_rows(rows: list[list[str]]) -> int:
    """Return the number of rows above the table. Unlike the rows below, such a row contains a single text."""
    filled = [sum(map(bool, row)) for row in rows]
    usual = Counter(n for n in filled if n).most_common(1)
    width = max((len(row) for row, n in zip(rows, filled, strict=True) if usual and n == usual[0][0]), default=0)
    if not usual or usual[0][0] < 2 or usual[0][1] < 3:
        return 0
    ends = [max((k + 1 for k, field in enumerate(row) if field), default=0) for row in rows[:_MOST_TITLE_LINES]]
    start = _above_an_empty_line(ends, filled, width)
    while start < min(len(rows), _MOST_TITLE_LINES) and (
        filled[start] == 0 or _is_title(rows[start], width) or (start and 0 < ends[start] < width - 1)
    ):  # below a title, a line that contains commas is part of the title
        start += 1
    if not any(filled[:start]) or start == min(len(rows), _MOST_TITLE_LINES) or len(rows[start]) != width:
        return 0
    has_number = any(re.fullmatch(r"[+-]?\d+([.,]\d+)?", field) for field in rows[start])
    return 0 if width == 2 and has_number else start  # 0: a header with one name above rows that begin with a row name


def _above_an_empty_line(ends, filled, width):
    """Return the number of lines above an empty line, if they are shorter than the rows of the table.

    Such lines are a title that contains commas.
    """
    end = next((k for k in range(len(ends)) if not filled[k]), 0)
    return end if all(one < width for one in ends[:end]) else 0


def _is_title(row, width):
    return sum(map(bool, row)) == 1 and bool(row[0]) and (len(row) == 1 or width > 2)


def _rows_of(lines, delimiter, quote):
    """Return (rows, number of the last line of each row). A quoted value can contain line breaks."""
    rows, ends = [], []
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote)
    try:
        for row in reader:
            rows.append([field.strip() for field in row])
            ends.append(reader.line_num)
    except csv.Error:
        pass
    if any(end - start > _MOST_BREAKS for start, end in zip([0, *ends], ends, strict=False)):  # a mark is not closed
        rows = [_fields(line, delimiter, quote) for line in lines]
        ends = list(range(1, len(lines) + 1))
    return rows, ends


def _fields(line, delimiter, quote):
    try:
        row = next(csv.reader(io.StringIO(line), delimiter=delimiter, quotechar=quote), [])
    except csv.Error:
        return []
    return [field.strip() for field in row]


def two_headers(rows: list[list[str]], style: NumberStyle) -> list[str] | None:
    """Return one name for each column if the first two rows both contain names above numbers, else None.

    A group that is named once, as in "Ratings,,", also applies to the columns after it.
    """
    if len(rows) < 5 or len(rows[0]) != len(rows[1]) or len(rows[0]) < 2:
        return None
    first, second, below = rows[0], rows[1], rows[2:]
    heads = [*first, *second]
    if not first[0] and not second[0] or not any(first) or any(map(style.is_number, heads)):
        return None
    numeric = [k for k in range(len(first)) if _is_numeric(below, k, style)]
    if not numeric or any(_MARKED.match(second[k]) for k in numeric):
        return None
    if any(is_missing(second[k]) for k in numeric):  # a line of units has texts above numbers only
        units = [k for k in range(len(second)) if second[k]]
        if len(units) < 2 or not set(units) <= set(numeric) or any(is_missing(second[k]) for k in units):
            return None
    if any(second[k] in {row[k] for row in below if k < len(row)} for k in range(len(second)) if second[k]):
        return None
    return join_headers(first, second)


def join_headers(first: list[str], second: list[str]) -> list[str]:
    """Return names that combine a group in the first line with a name in the second."""
    names, group = [], ""
    for upper, lower in itertools.zip_longest(first, second, fillvalue=""):
        group = upper or group
        parts = (group if lower and lower != upper else upper, "" if lower == upper else lower)
        names.append(" ".join(part for part in parts if part))
    return names


def _is_numeric(rows, k, style):
    fields = [row[k] for row in rows if k < len(row) and not is_missing(row[k])]
    return bool(fields) and all(map(style.is_number, fields))


def are_numbered_names(first: list[str], rows: list[list[str]], style: NumberStyle) -> bool:
    """Test whether numbers in a first row are names, such as years or 0, 1, 2, next to a text that is a name."""
    places = [k for k, field in enumerate(first) if style.is_number(field)]
    if not places or not all(re.fullmatch(r"\d{1,4}", first[k]) for k in places):
        return False
    labels = [k for k in range(len(first)) if k not in places]
    if not labels or any(first[k] in {row[k] for row in rows if k < len(row)} for k in labels):
        return False
    if any(_is_numeric(rows, k, style) for k in labels):
        return True
    numbers = [int(first[k]) for k in places]
    steps = {high - low for low, high in zip(numbers[:-1], numbers[1:], strict=True)}
    are_years = all(1500 <= number <= 2200 for number in numbers) and len(set(numbers)) == len(numbers)
    in_order = len(numbers) > 1 and len(steps) == 1 and steps != {0}
    if not are_years and not in_order:
        return False
    below = {row[k] for k in places for row in rows if k < len(row)}
    return not below.intersection(first[k] for k in places) or (in_order and len(numbers) > 2)


def counts_columns(first: list[str], rows: list[list[str]], style: NumberStyle) -> bool:
    """Test whether a first row counts the columns from 0 or 1, above columns that are not all of integers."""
    if _rise_evenly(first) and _are_outside(first, rows, style):
        return True
    if len(first) < 2 or first not in ([str(k + start) for k in range(len(first))] for start in (0, 1)):
        return False
    columns = [[row[k] for row in rows if k < len(row) and not is_missing(row[k])] for k in range(len(first))]
    n_texts = sum(bool(fields) and not any(map(style.is_number, fields)) for fields in columns)
    has_decimals = any(fields and any("." in field or "," in field for field in fields) for fields in columns)
    repeats = any(name in set(fields) for name, fields in zip(first, columns, strict=True))
    return not repeats and (n_texts > 0 or has_decimals and len(first) > 2)


def numbered_columns(first: list[str], rows: list[list[str]]) -> HeaderGuess | None:
    """Return the uncertain guess about a first row such as 1, 2, 3 above other whole numbers, or None.

    Rows that count themselves, and a first column that counts the rows, continue the first row.
    """
    if len(first) < _LEAST_COUNTED or first not in ([str(k + start) for k in range(len(first))] for start in (0, 1)):
        return None
    below = [row for row in rows if len(row) == len(first)]
    if len(below) < _LEAST_BELOW or any(_rise_evenly(row) for row in below[:_LEAST_BELOW]):
        return None
    if [row[0] for row in below[:2]] == [str(int(first[0]) + k) for k in (1, 2)]:
        return None
    again = sum(name in {row[k] for row in below} for k, name in enumerate(first))
    return HeaderGuess(2 * again < len(first), False)


def _rise_evenly(first):
    """Test whether whole numbers rise by the same step, such as wavelengths and years."""
    if len(first) < 3 or not all(re.fullmatch(r"\d{1,5}", field) for field in first):
        return False
    steps = {int(high) - int(low) for low, high in zip(first[:-1], first[1:], strict=True)}
    return len(steps) == 1 and min(steps) > 0


def _are_outside(first, rows, style):
    """Test whether each number is far outside the range of the numbers below it."""
    for k, field in enumerate(first):
        below = [row[k] for row in rows if k < len(row) and not is_missing(row[k])]
        if len(below) < _LEAST_BELOW or not all(map(style.is_number, below)):
            return False
        numbers = [float(style.plain(text)) for text in below]
        low, high = min(numbers), max(numbers)
        if low - (high - low) <= float(field) <= high + (high - low):
            return False
    return True


def quote_sign(head: str) -> str:
    """Return the quotation mark of values.

    The mark is ' if most lines have a value between two of them and no ", else ".
    """
    lines = [line for line in head.splitlines()[:200] if line.strip()]
    if '"' in head or not lines:
        return '"'
    quoted = sum(re.search(r"(^|[,;\t|]\s*)'[^']*'\s*([,;\t|]|$)", line) is not None for line in lines)
    return "'" if quoted >= 0.8 * len(lines) else '"'
