"""Read text with delimiters into a `Table`, in blocks, so that the whole text is never in memory."""

import codecs
import csv
import io
import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas
import pyarrow
import pyarrow.csv

from sample_data.user_data.readers.column_builder import (
    ColumnBuilder,
    day_first,
    likely_kinds,
    missing_notes,
    without_blanks,
)
from sample_data.user_data.readers.dialect import (
    MAX_FIELD,
    Dialect,
    bad_row,
    csv_rows,
    find_dialect,
    lines_of,
    open_quote,
    sample_rows,
    whole_number,
)
from sample_data.user_data.readers.encoding import Encoding, find_encoding
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.finish import finish_table
from sample_data.user_data.readers.header import quote_sign
from sample_data.user_data.table import (
    ReadingQuestion,
    Table,
    check_size,
    cut_marks,
    header_question,
    repair_names,
    row_numbers,
)
from sample_data.user_data.values import column_style, is_missing
from treecore.errors import DataError
from treecore.messages import counted, literal

_MOST_SHARE = 0.1  # largest share of rows that are filled
_MOST_BELOW = 20  # maximum number of lines below the table
_MOST_BYTES = 20_000_000


def repair(
    text: str, dialect: Dialect, n_fields: int, fill_short: bool | None = None
) -> tuple[str, tuple[str, ...]] | None:
    """Return (text, notes) with short rows filled and lines below the table blanked, or None.

    The lines keep their numbers. Returns None if a row is too long, if too many are too short, or if there is nothing
    to repair. fill_short : whether to fill all short rows or none; None fills only a few.
    """
    lines = io.StringIO(text, newline="").readlines()
    reader = csv_rows(lines, dialect.delimiter, dialect.quote)
    rows = []
    try:
        for row in reader:
            if reader.line_num > dialect.skipped + dialect.has_header and any(map(str.strip, row)):
                rows.append((reader.line_num, row))
    except csv.Error:
        return None
    rows = [(line, row) for line, row in rows if not (len(row) == 1 and row[0].lstrip().startswith("#"))]
    below = []
    while rows and len(below) < _MOST_BELOW and _is_note(rows[-1][1], n_fields):
        below.append(rows.pop()[0])
    apart = _apart(lines, rows, n_fields)
    below += [line for line, _ in rows[apart:]]
    del rows[apart:]
    short = [(line, len(row)) for line, row in rows if len(row) < n_fields]
    most = {True: 1.0, False: 0.0, None: _MOST_SHARE}[fill_short]
    if any(len(row) > n_fields for _, row in rows) or len(short) > most * len(rows) or not rows:
        return None
    if not short and not below:
        return None
    for line in below:
        lines[line - 1] = "\n"
    for line, width in short:
        bare = lines[line - 1].rstrip("\r\n")
        lines[line - 1] = bare + dialect.delimiter * (n_fields - width) + "\n"
    notes = []
    if below:
        notes.append(f"{counted(len(below), 'line')} below the table skipped (line {min(below):,})")
    if short:
        where = ", ".join(f"{line:,}" for line, _ in short[:5]) + (" ..." if len(short) > 5 else "")
        notes.append(f"{counted(len(short), 'short row')} filled with missing values (line {where})")
    return "".join(lines), tuple(notes)


def is_small(source: bytes | Path) -> bool:
    """Test whether a text is small enough to be repaired in memory."""
    return (len(source) if isinstance(source, bytes) else source.stat().st_size) <= _MOST_BYTES


def _is_note(row, n_fields):
    """Test whether a last row is a sentence: only its first field has a value, and there are several columns."""
    return n_fields > 1 and bool(row[0].strip()) and not any(map(str.strip, row[1:])) and len(row[0].split()) > 1


def _apart(lines, rows, n_fields):
    """Return the index of the first row below an empty line, if the rows there are shorter than the table."""
    for place in range(len(rows) - 1, max(len(rows) - _MOST_BELOW, 0), -1):
        line, row = rows[place]
        if len(row) >= n_fields:
            break
        if not lines[line - 2].strip():
            return place
    return len(rows)


def without_last_lines(source: bytes | Path, number: int) -> bytes:
    """Return a text without its last `number` non-blank lines."""
    content = source if isinstance(source, bytes) else source.read_bytes()
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        content = content.decode("utf-16", errors="replace").encode("utf-8")
    lines = content.splitlines(keepends=True)
    while number and lines:
        number -= bool(lines.pop().strip())
    return b"".join(lines)


_HEAD = 1 << 19
_GAP = re.compile(rb"\n[ \t\r]*\n|\n[ \t]*#|\r\r")  # a blank line or a comment
_BLOCK = 1 << 20
_LARGEST_BLOCK = 1 << 26
_WIDE = 400  # number of columns above which Python's own reader is used
_WIDE_CELLS = 3_000_000  # number of values in a block of such a table


def read_csv(
    source: bytes | Path,
    name: str,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | str | None = None,
    day_first: bool | None = None,
    header_line: int | str | None = None,
    skip_below: int | str | None = None,
    fill_short: bool | None = None,
    values: dict | None = None,
) -> Table:
    """Return the `Table` of CSV or TSV text.

    source : bytes or Path; delimiter, decimal ("." or ","), encoding, header (True, False or "two lines") : detected if
    None; day_first, header_line, skip_below, fill_short, values : see `read`. Raises DataError for binary or empty
    content, rows of different lengths, and a header without rows.
    """
    if fill_short not in (None, True, False):
        raise DataError(f"fill_short={literal(str(fill_short)[:20])}: expected True, False or None.")
    if skip_below not in (None, ""):
        source = without_last_lines(source, whole_number(skip_below, "skip_below"))
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    with open_source(source) as stream:
        found = find_encoding(stream, name, encoding)
        head = _head(stream, found, n_bytes)
        quote = quote_sign(head)
        n_quotes = _count(stream, quote.encode())
    dialect = find_dialect(head, name, delimiter, decimal, header, quote, header_line)
    if n_quotes % 2:
        _refuse_open_quote(source, name, found, dialect)
    if (
        n_bytes <= _HEAD
        and dialect.has_header
        and not head.rstrip("\r\n").count("\n") + head.rstrip("\r\n").count("\r")
    ):
        raise DataError(_csv_only_names(name))
    known = {"orders": day_first, "values": values, "keeps_totals": skip_below not in (None, "")}
    try:
        frame, kept, notes, orders, marks = read_rows(source, name, found, dialect, head, n_quotes > 0, **known)
    except DataError:
        whole = _text(source, found) if is_small(source) or fill_short else ""
        better = repair(whole, dialect, len(dialect.names), fill_short)
        if better is None:
            raise
        source, found = better[0].encode("utf-8"), Encoding("utf-8", found.note, found.guesses)
        frame, kept, notes, orders, marks = read_rows(source, name, found, dialect, better[0], n_quotes > 0, **known)
        notes = [*notes, *better[1]]
    words = (found.note,) if found.note else ()
    kind = "TSV" if dialect.delimiter == "\t" else "CSV"
    first = dialect.skipped + dialect.has_header + 1
    gaps = _gaps(source, found, dialect, first, kept[-1] + 1)
    if len(kept) <= kept[-1]:  # rows of totals within the table
        left_out = np.delete(row_numbers(first, gaps, kept[-1] + 1), kept)
        gaps = tuple(sorted({*gaps, *left_out.tolist()}))
    questions = ()
    if dialect.doubtful:
        questions = (header_question(dialect.doubtful, dialect.skipped + 1, dialect.has_header),)
    if found.guesses:
        shown = next(
            iter([name for name in dialect.names if not name.isascii()] or sample_rows(head, ",", quote, 2)[-1])
        )
        text = f"The file does not declare its encoding. It was read as {found.guesses[0]}, such as '{shown:.40}'."
        questions += (ReadingQuestion(text, tuple((one, "encoding", one) for one in found.guesses)),)
    notes = (*words, *dialect.notes, *notes)
    return Table(frame, name, kind, notes, n_bytes, orders, first, gaps, questions, cut_marks(marks, frame, kept))


def read_rows(
    source: bytes | Path,
    name: str,
    found: Encoding,
    dialect: Dialect,
    head: str,
    quoted: bool,
    kinds: Sequence | None = None,
    orders: dict | None = None,
    values: dict | None = None,
    keeps_totals: bool = False,
) -> tuple:
    """Return (frame, kept, notes, orders, marks) of the rows of a text whose dialect is known.

    kinds : kind of each column, if known; orders : {column: whether its dates have the day first}. The argument
    contains the orders to use, and the result those that were found. values : {column: texts that are values};
    keeps_totals : whether rows of totals stay; kept : see `finish_table`; marks : {column: see `ColumnBuilder`}.
    """
    names, notes = repair_names(dialect.names)
    check_size(name, 0, len(names))
    if dialect.rewritten:
        source, found, dialect = _rewrite(source, found, dialect)
        head = source[:_HEAD].decode("utf-8", errors="ignore")
    styles, declared = [dialect.style] * len(names), kinds is not None
    if not declared:
        kinds, styles = _likely(head, dialect, names, orders or {})
        notes += [
            f"column '{names[k][:60]}': {', '.join(style.notes)}"
            for k, style in enumerate(styles)
            if style is not dialect.style
        ]
    orders, values = orders or {}, values or {}
    builders = [
        ColumnBuilder(one, kinds[k], styles[k], dialect.trimmed, declared, values.get(one, ()), orders.get(one))
        for k, one in enumerate(names)
    ]
    reading = _Reading(source, name, found, dialect, len(names), quoted)
    n_rows, again = reading.fill(builders, range(len(names)))
    if again:
        reading.fill(builders, again)
    if not n_rows:
        raise DataError(_csv_only_names(name) if dialect.has_header else no_row(name))
    values, orders, units, marked, marks = {}, {}, {}, {}, {}
    for k, builder in enumerate(builders):
        order = day_first(builder.kind)
        orders |= {} if order is None else {names[k]: order}
        values[names[k]], units[names[k]], marked[names[k]] = builder.finish(), builder.unit, builder.marked
        marks[names[k]] = builder.marks
        notes += builder.notes
        builders[k] = None
    notes += missing_notes(marked)
    if reading.n_comments:
        notes.append(f"{counted(reading.n_comments, 'comment line')} skipped")
    frame = pandas.DataFrame(values, copy=False)
    if declared:
        return frame, np.arange(len(frame)), notes, orders, marks
    return *finish_table(frame, units, notes, "none" if keeps_totals else "all"), notes, orders, marks


def _gaps(source, found, dialect, first, n_rows) -> tuple[int, ...]:
    """Return the line numbers below the first row that are not rows of the table."""
    with open_source(source) as stream:
        tail, is_gapless = b"", found.codec.startswith(("utf-8", "windows", "latin", "cp", "iso"))
        while is_gapless and (chunk := stream.read(1 << 22)):
            is_gapless = _GAP.search(tail + chunk) is None
            tail = chunk[-100:]
        if is_gapless:
            return ()
        stream.seek(0)
        lines = io.TextIOWrapper(stream, encoding=found.codec, newline="")
        rows = enumerate(csv_rows(lines, dialect.delimiter, dialect.quote), 1)
        try:
            wrong = [number for number, row in rows if number >= first and len(row) != len(dialect.names)]
        except csv.Error:
            wrong = []
        lines.detach()
    return tuple(number for k, number in enumerate(wrong) if number - first - k < n_rows)


def open_source(source: bytes | Path) -> BinaryIO:
    """Return a binary stream of bytes or of a file."""
    return io.BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb")


class _Reading:
    """Reader that passes over one text as often as necessary."""

    def __init__(self, source, name, found, dialect, n_columns, quoted):
        self.source, self.name, self.found, self.dialect = source, name, found, dialect
        self.n_columns, self.quoted = n_columns, quoted
        self.n_comments = 0

    def fill(self, builders, columns):
        """Pass `columns` to their builders, and return (number of rows, columns that must be read again)."""
        block = _BLOCK
        while True:
            try:
                return self._pass(builders, columns, block)
            except pyarrow.ArrowInvalid as fault:
                if "Empty CSV" in str(fault):
                    return 0, []
                too_long = "straddling" in str(fault) or "block_size" in str(fault)
                if not too_long or block >= _LARGEST_BLOCK:
                    raise self._fault(too_long) from fault
                block *= 8
                for k in columns:
                    builders[k] = builders[k].restart()

    def _pass(self, builders, columns, block):
        self.n_comments, n_rows, again = 0, 0, []
        open_columns = list(columns)
        batches = self._batches(columns, block) if self.n_columns <= _WIDE else self._wide_batches()
        for n_more, column in batches:
            n_rows += n_more
            check_size(self.name, n_rows, self.n_columns)
            for k in list(open_columns):
                if not builders[k].add(column(k)):
                    open_columns.remove(k)
                    again.append(k)
        return n_rows, sorted(again)

    def _batches(self, columns, block):
        """Yield (number of rows, function that returns the texts of a column) for one block at a time."""
        with open_source(self.source) as stream:
            reader = pyarrow.csv.open_csv(
                pyarrow.PythonFile(stream, mode="r") if isinstance(self.source, Path) else self.source_buffer(),
                read_options=self._read_options(block),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=self.dialect.delimiter,
                    quote_char=self.dialect.quote if self.quoted else False,
                    newlines_in_values=self.quoted,
                    invalid_row_handler=self._on_bad_row,
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types={str(k): pyarrow.string() for k in range(self.n_columns)},
                    include_columns=[str(k) for k in columns],
                    null_values=[""],
                    strings_can_be_null=True,
                    check_utf8=False,  # the encoding of the whole text has already been checked
                ),
            )
            for batch in reader:
                yield batch.num_rows, lambda k, batch=batch: batch.column(str(k))

    def _wide_batches(self):
        """Yield the same as `_batches` for a table with many columns.

        pyarrow would need a memory block for each column.
        """
        with open_source(self.source) as stream:
            lines = io.TextIOWrapper(stream, encoding=self.found.codec, newline="")
            for _ in range(self.dialect.skipped):
                lines.readline()
            rows = csv.reader(lines, delimiter=self.dialect.delimiter, quotechar=self.dialect.quote)
            try:
                if self.dialect.has_header:
                    next(rows, None)
                whole = filter(self._is_row, rows)
                while batch := list(itertools.islice(whole, max(_WIDE_CELLS // self.n_columns, 1))):
                    texts = list(zip(*batch, strict=True))
                    yield len(batch), lambda k, texts=texts: self._column(texts[k])
            except csv.Error as fault:
                raise self._fault(True) from fault
            lines.detach()

    def _column(self, texts):
        return without_blanks(pyarrow.array(texts, pyarrow.string()))

    def _is_row(self, row):
        if len(row) == self.n_columns:
            return True
        if len(row) > 1 or row and row[0].strip() and not row[0].lstrip().startswith("#"):
            raise self._fault(False)
        self.n_comments += bool(row)
        return False

    def source_buffer(self):
        return pyarrow.BufferReader(self.source)

    def _read_options(self, block):
        codec = "utf8" if self.found.codec in ("utf-8", "utf-8-sig") else self.found.codec
        return pyarrow.csv.ReadOptions(
            use_threads=False,
            block_size=block,
            encoding=codec,
            skip_rows=self.dialect.skipped,
            column_names=[str(k) for k in range(self.n_columns)],
            skip_rows_after_names=int(self.dialect.has_header),
        )

    def _on_bad_row(self, row):
        if not row.text.strip() or row.text.lstrip().startswith("#"):
            self.n_comments += 1
            return "skip"
        return "error"

    def _fault(self, too_long) -> DataError:
        with open_source(self.source) as stream:
            lines = io.TextIOWrapper(stream, encoding=self.found.codec, newline="")
            found = bad_row(lines, self.dialect, self.n_columns)
            lines.detach()
        if found is None or found[1] < 0 or too_long:
            if found:
                return DataError(
                    f"{self.name} cannot be divided into rows, because a value near line {found[0]:,} is too "
                    "long. An opening quotation mark without a closing one can cause this. Correct it, or choose "
                    "another delimiter."
                )
            return DataError(
                f"{self.name} cannot be divided into rows, because a value is too long. An opening quotation "
                "mark without a closing one can cause this. Correct it, or choose another delimiter."
            )
        line, n_fields, text = found
        remedy = "fill short rows with missing values" if n_fields < self.n_columns else "choose another delimiter"
        return DataError(
            f"{self.name}: line {line:,} has {counted(n_fields, 'field')}, but the first line has "
            f"{self.n_columns}: '{text}'. Correct this line (put quotation marks around a value that contains "
            f"the delimiter), or {remedy}."
        )


def _head(stream, found, n_bytes) -> str:
    """Return the first complete lines as text."""
    stream.seek(0)
    text = stream.read(_HEAD).decode(found.codec, errors="ignore")
    if n_bytes <= _HEAD:
        return text
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if end > 0 else text


def _text(source, found) -> str:
    with open_source(source) as stream, io.TextIOWrapper(stream, encoding=found.codec, newline="") as lines:
        return lines.read()


def _count(stream, mark: bytes) -> int:
    stream.seek(0)
    return sum(chunk.count(mark) for chunk in iter(lambda: stream.read(1 << 22), b""))


def _refuse_open_quote(source, name, found, dialect) -> None:
    """Raise DataError if the last quotation mark is never closed, because it would swallow all later rows."""
    with open_source(source) as stream:
        lines = io.TextIOWrapper(stream, encoding=found.codec, newline="")
        line = open_quote(lines, dialect)
        lines.detach()
    if line is not None:
        raise DataError(
            f"{name}: in the row that begins in line {line:,}, a quotation mark is not closed. Close or remove "
            "this mark."
        )


def _likely(head, dialect, names, orders):
    """Return (kinds of each column, number style of each column).

    A column has the style of the file unless its numbers contradict it.
    """
    body = "".join(lines_of(head)[dialect.skipped :])
    rows = sample_rows(body, dialect.delimiter, dialect.quote)
    rows = rows[1:] if dialect.has_header else rows
    kinds, styles = [], []
    for k, name in enumerate(names):
        fields = [row[k].strip() for row in rows if k < len(row)]
        fields = [field for field in fields if not is_missing(field)]
        style = column_style(fields, dialect.style, dialect.delimiter)
        kinds.append(likely_kinds(fields, style, orders.get(name)))
        styles.append(style)
    return kinds, styles


def _rewrite(source, found, dialect):
    """Write a text again, with tabs as delimiters and quotation marks if necessary."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", quotechar=dialect.quote, lineterminator="\n")
    with open_source(source) as stream:
        lines = io.TextIOWrapper(stream, encoding=found.codec, newline="")
        try:
            rows = csv_rows(lines, dialect.delimiter, dialect.quote)
            writer.writerows([field.replace("\r\n", "\n").replace("\r", "\n") for field in row] for row in rows)
        except csv.Error as fault:
            raise DataError(
                f"The text cannot be divided into rows: a value has more than {MAX_FIELD:,} characters."
            ) from fault
    return out.getvalue().encode("utf-8"), Encoding("utf-8", ""), replace(dialect, delimiter="\t", rewritten=False)


_CHOICES = (
    "delimiter",
    "decimal",
    "encoding",
    "header",
    "day_first",
    "header_line",
    "skip_below",
    "fill_short",
    "values",
)
CSV, TSV = (
    FileFormat(name, name, suffixes, read_csv, _CHOICES, seconds=0.03, megabytes=3.0)
    for name, suffixes in {"CSV": ("csv", "txt", "tab", "dat", "data"), "TSV": ("tsv",)}.items()
)


def _csv_only_names(name: object) -> str:
    return f"{name} has column names but no rows. If its first line is data, set First line to 'Data (no names)'."


def no_row(name: object) -> str:
    """Return the message about a file without rows."""
    return f"{name} has no rows."
