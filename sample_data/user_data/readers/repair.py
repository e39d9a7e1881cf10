"""Repair a text whose last rows are too short, or that has a line of words below its table."""

import codecs
import csv
import io
from pathlib import Path

from sample_data.user_data.readers.dialect import Dialect, csv_rows
from treecore.messages import counted

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
