"""Find the form of a text file: delimiter, header, decimal sign, and lines before the table."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sample_data.user_data.readers.header import (
    HeaderGuess,
    are_numbered_names,
    counts_columns,
    join_headers,
    numbered_columns,
    text_header,
    title_lines,
    two_headers,
)
from sample_data.user_data.table import check_size
from sample_data.user_data.values import is_missing, is_number, number_style
from treecore.errors import DataError
from treecore.messages import counted, literal

DELIMITERS = (",", ";", "\t", "|", " ")
DELIMITER_WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
MAX_FIELD = csv.field_size_limit()  # maximum number of characters in the rows that determine the dialect
_SAMPLE_ROWS = 1000


TWO_HEADER_LINES = "two header lines combined"


@dataclass(frozen=True)
class Dialect:
    """Form of a text file.

    Parameters
    ----------
    skipped : int
        Number of lines before the header, such as comments and blank lines.
    names : tuple of str
        Column names as in the file; empty strings without a header.
    has_header : bool
        Whether the first row after the skipped lines contains the names.
    doubtful : tuple of str
        Fields of this row if it could contain either names or data, else empty.
    style : NumberStyle
        Notation of numbers.
    trimmed : bool
        Whether spaces next to delimiters are ignored.
    rewritten : bool
        Whether the text must be written again before it is read, because several spaces separate columns or spaces
        separate a delimiter from a quotation mark.
    notes : tuple of str
        Notes for the table.
    """

    delimiter: str
    quote: str
    skipped: int
    names: tuple[str, ...]
    has_header: bool
    style: object
    trimmed: bool
    rewritten: bool
    notes: tuple[str, ...]
    doubtful: tuple[str, ...] = ()


def find_dialect(
    head: str,
    name: str,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | str | None = None,
    quote: str = '"',
    header_line: int | str | None = None,
) -> Dialect:
    """Return the dialect of a file from its first complete lines. Raises DataError if they contain no table.

    delimiter : one character, or None to detect it; decimal : "." or ","; header : True, False or "two lines";
    header_line : number of the line with the names.
    """
    _check_choices(delimiter, decimal, header)
    lines = lines_of(head)
    skipped, commented_header = _lines_before(lines)
    if header_line not in (None, ""):
        skipped, commented_header = whole_number(header_line, "header_line") - 1, None
        header = True if header is None else header
    body = "".join(lines[skipped:])
    if commented_header is not None:
        body = commented_header + body
    if not body.strip():
        raise DataError(f"{name} is empty. A table needs a line with column names, followed by rows.")
    if delimiter is None:
        delimiter = _best_delimiter(body, quote)
    n_titles = title_lines(lines_of(body), delimiter, quote) if commented_header is None and delimiter != " " else 0
    n_titles = 0 if header_line not in (None, "") else n_titles
    if n_titles:
        body = "".join(lines_of(body)[n_titles:])
    has_breaks = quote in body and "\n" in body and re.search(r"\r(?!\n)", body) is not None  # breaks within values
    rewritten = (
        has_breaks or delimiter == " " or re.search(re.escape(delimiter) + " +" + re.escape(quote), body) is not None
    )
    rows = _rows(body, delimiter, quote, name)
    check_size(name, 0, max(map(len, rows)))
    trimmed = delimiter + " " in body or " " + delimiter in body
    rows = [[field.strip() for field in row] for row in rows]
    style = number_style(rows[1:] or rows, delimiter, decimal)
    both = None
    if header == "two lines" and len(rows) > 2:
        both = join_headers(rows[0], rows[1])
    elif header is None and len(rows) > 4:
        both = two_headers(rows, number_style(rows[2:], delimiter, decimal))
    if both is not None:
        rows = [both, *rows[2:]]
        style = number_style(rows[1:], delimiter, decimal)
        n_titles += 1
    guess = HeaderGuess(both is not None or bool(header))
    if header is None and both is None:
        guess = HeaderGuess(True) if commented_header is not None else _has_header(rows, style)
    has_header = guess.has_header
    names, notes = _names(rows, has_header)
    words = DELIMITER_WORDS.get(delimiter, repr(delimiter))
    notes = [f"delimiter {words}" if len(names) > 1 else "one column", *notes]
    notes += [] if has_header else ["no header line (columns are numbered)"]
    notes += style.notes
    if n_above := n_titles - (both is not None):
        notes.append(f"{counted(n_above, 'line')} above the header skipped")
    if both is not None:
        notes.append(TWO_HEADER_LINES)
    if skipped:
        notes.append(f"{counted(skipped, 'line')} before the table skipped (blank or comments)")
    if commented_header is not None:
        skipped -= 1
    skipped += n_titles
    doubtful = () if guess.is_sure else tuple(rows[0])
    return Dialect(
        delimiter, quote, skipped, tuple(names), has_header, style, trimmed, rewritten, tuple(notes), doubtful
    )


def lines_of(text: str) -> list[str]:
    """Return the lines as files define them; `str.splitlines` also splits at other characters."""
    return list(io.StringIO(text, newline=""))


def sample_rows(text: str, delimiter: str, quote: str, limit: int = _SAMPLE_ROWS) -> list[list[str]]:
    """Return the first rows of a text without blank ones, read by Python's own reader."""
    rows = []
    for row in csv_rows(io.StringIO(text, newline=""), delimiter, quote):
        if any(field.strip() for field in row) and not _is_comment(row):
            rows.append(row)
            if len(rows) == limit:
                break
    return rows


def _rows(body, delimiter, quote, name):
    try:
        rows = sample_rows(body, delimiter, quote)
    except csv.Error as fault:
        raise DataError(
            f"{name} cannot be divided into rows: a value has more than {MAX_FIELD:,} characters. An opening "
            "quotation mark without a closing one can cause this. Correct it, or choose another delimiter."
        ) from fault
    if not rows:
        raise DataError(f"{name} has no rows. A table needs a line with column names, followed by rows.")
    return rows


def csv_rows(lines: Iterable[str], delimiter: str, quote: str, strict: bool = False) -> Any:
    """Return Python's CSV reader of `lines`."""
    reader = csv.reader(
        lines, delimiter=delimiter, quotechar=quote, skipinitialspace=delimiter in " ,;|", strict=strict
    )
    return reader if delimiter != " " else _BlankRows(reader)


class _BlankRows:
    """Rows in which spaces at the ends do not make fields."""

    def __init__(self, reader):
        self._reader = reader

    @property
    def line_num(self):
        return self._reader.line_num

    def __iter__(self):
        return self

    def __next__(self):
        row = next(self._reader)
        while row and row[-1] == "":
            row.pop()
        return row[1:] if row and row[0] == "" else row


def _check_choices(delimiter, decimal, header):
    if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise DataError(f"delimiter={str(delimiter)[:20]!r}: expected one character, such as , ; | or a tab.")
    if delimiter is not None and (ord(delimiter) > 127 or delimiter.isalnum()):
        raise DataError(f"delimiter={delimiter!r}: expected another character, such as , ; | or a tab.")
    if decimal not in (None, ".", ","):
        raise DataError(f"decimal={str(decimal)[:20]!r}: expected a point or a comma.")
    if header not in (None, True, False, "two lines"):
        raise DataError(invalid_header(str(header)[:20]))


def whole_number(value: int | str, name: str) -> int:
    """Return a number of lines, given as int or str, as an int. Raises DataError."""
    if not re.fullmatch(r"\d{1,6}", str(value).strip()) or name == "header_line" and int(value) < 1:
        raise DataError(
            f"{name}={literal(str(value)[:20])}: expected a whole number of lines >= {int(name == 'header_line')}."
        )
    return int(value)


def _lines_before(lines) -> tuple[int, str | None]:
    """Return (number of lines before the table, the last of these lines if it is a header after a #)."""
    skipped = 0
    while skipped < len(lines) and (not lines[skipped].strip() or lines[skipped].lstrip().startswith(("#", "sep="))):
        skipped += 1
    if not skipped or skipped == len(lines) or not lines[skipped - 1].lstrip().startswith("#"):
        return skipped, None
    last = lines[skipped - 1].lstrip().removeprefix("#").lstrip()
    for delimiter in (",", ";", "\t", "|"):
        n_fields = last.count(delimiter)
        if n_fields and all(line.count(delimiter) == n_fields for line in lines[skipped : skipped + 5]):
            return skipped, last
    return skipped, None


def _is_comment(row):
    return len(row) == 1 and row[0].lstrip().startswith("#")


def _best_delimiter(text: str, quote: str) -> str:
    """Return the delimiter that splits most rows into the same number of fields without other delimiters."""
    best, best_score = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        try:
            rows = sample_rows(text, delimiter, quote, 200)
        except csv.Error:
            continue
        if len(rows) > 20 and not text.endswith("\n"):
            rows.pop()
        if not rows:
            continue
        counts = Counter(len(row) for row in rows)
        n_fields, n_rows = max(counts.items(), key=lambda item: (item[1] if item[0] > 1 else 0, item[0]))
        if n_fields < 2:
            continue
        fields = [field for row in rows for field in row]
        clean = sum(not _holds_another(field, delimiter) for field in fields) / len(fields)
        # Text also contains spaces, so the score of the space is halved: it is the delimiter only if no other delimiter
        # scores as high.
        score = (round(n_rows / len(rows) * clean, 3) * (0.5 if delimiter == " " else 1.0), n_fields)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _holds_another(field, delimiter):
    if is_number(field):
        return False
    return any(other in field for other in ";\t|" if other != delimiter)


def _has_header(rows, style) -> HeaderGuess:
    """Guess whether the first row is a header. Names are texts above numbers, or do not occur again below."""
    first, rest = rows[0], rows[1:]
    if not counts_columns(first, rest, style) and (guess := numbered_columns(first, rest)) is not None:
        return guess
    by_numbers = _has_header_by_numbers(first, rest, style)
    return text_header(first, rest) if by_numbers is None else HeaderGuess(by_numbers)


def _has_header_by_numbers(first, rest, style) -> bool | None:
    """Return the guess of `_has_header` if numbers determine it, else None."""
    if not rest:
        return not any(style.is_number(field) for field in first)
    if counts_columns(first, rest, style):
        return True
    kinds = [_column_is_number(rest, k, style) for k in range(len(first))]
    numbers = [style.is_number(field) for field in first]
    if any(number and not kind for number, kind in zip(numbers, kinds, strict=True)):
        return not all(numbers)
    if any(
        kind and not number and not is_missing(field) for kind, number, field in zip(kinds, numbers, first, strict=True)
    ):
        return True
    if any(numbers):
        if are_numbered_names(first, rest, style):
            return True
        years = [int(field) for field in first if re.fullmatch(r"(19|20)\d\d", field)]
        return len(years) == sum(numbers) and len(years) > 1 and years == list(range(years[0], years[0] + len(years)))
    return None


def _column_is_number(rows, k, style) -> bool:
    fields = [row[k] for row in rows if k < len(row) and not is_missing(row[k])]
    return bool(fields) and all(style.is_number(field) for field in fields)


def _names(rows, has_header) -> tuple[list[str], list[str]]:
    """Return (names, notes). If all rows have one field more than the header, they begin with a row name."""
    width = Counter(len(row) for row in rows[1:] or rows).most_common(1)[0][0]
    if not has_header:
        return [f"column {k + 1}" for k in range(len(rows[0]))], []
    names = rows[0]
    if len(rows) > 1 and len(names) == width - 1 and all(len(row) == width for row in rows[1:]):
        if all(row[-1] == "" for row in rows[1:]):
            return [*names, ""], ["a delimiter at the end of each row"]
        return ["row name", *names], ["a row name without a header"]
    return names, []


def bad_row(lines: Iterable[str], dialect: Dialect, n_fields: int) -> tuple[int, int, str] | None:
    """Return (line number, number of fields, text) of the first row without exactly `n_fields`, or None.

    lines : iterable of str.
    """
    reader = csv_rows(lines, dialect.delimiter, dialect.quote)
    try:
        for row in reader:
            blank = not row or (len(row) == 1 and not row[0].strip())
            if len(row) != n_fields and not blank and not _is_comment(row) and not _is_skipped(reader, dialect):
                return reader.line_num, len(row), re.sub(r"\s+", " ", dialect.delimiter.join(row))[:60]
    except csv.Error:
        return reader.line_num, -1, ""
    return None


def open_quote(lines: Iterable[str], dialect: Dialect) -> int | None:
    """Return the line at which a row with an unclosed quotation begins, or None.

    lines : iterable of str.
    """
    rows = csv_rows(lines, dialect.delimiter, dialect.quote, strict=True)
    begin = 1
    while True:
        try:
            begin = rows.line_num + 1
            next(rows)
        except StopIteration:
            return None
        except csv.Error as fault:
            if "unexpected end of data" in str(fault) or "field larger" in str(fault):
                return begin


def _is_skipped(reader, dialect):
    return reader.line_num <= dialect.skipped + 1


def invalid_header(header: Any) -> str:
    """Return the message about an invalid header."""
    return f"header={literal(header)}: expected True, False, 'two lines' or None."
