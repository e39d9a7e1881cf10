"""Read a text with one JSON object per line (JSON lines, NDJSON) into a `Table`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pandas

from sample_data.user_data.limits import MAX_COLUMNS
from sample_data.user_data.readers.csv_file import no_row, open_source
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.finish import finish_table
from sample_data.user_data.readers.text_column import column_of_cells
from sample_data.user_data.table import Table, check_filled, check_size, cut_marks, repair_names
from treecore.errors import DataError
from treecore.messages import counted, listed

MAX_VALUES = 20_000_000  # maximum number of values, which are Python objects until their column is complete
MAX_DEPTH = 16  # maximum depth of nested objects
_BLOCK = 10_000  # rows between two checks of the size
_KINDS = {list: "list", str: "text", bool: "truth value", int: "number", float: "number", type(None): "null"}
_UNREAD = (ValueError, RecursionError)  # exceptions for an invalid line


def is_json_lines(start: str) -> bool:
    """Test whether the first two non-blank lines of a text are JSON objects."""
    lines = [line for line in start.split("\n")[:-1] if line.strip()][:2]
    try:
        return len(lines) == 2 and all(isinstance(_parse(line.encode()), dict) for line in lines)
    except _UNREAD:
        return False


def read_json_lines(source: bytes | Path, name: str, day_first: dict | None = None) -> Table:
    """Return the `Table` of a JSON lines file.

    Values of nested objects become columns such as "address.city". An absent key is a missing value. Columns with lists
    are skipped. source : bytes or Path; day_first : see `read`. Raises DataError with the line number if a line is not
    an object.
    """
    columns: dict[tuple[str, ...], tuple[list, list]] = {}  # row positions and values of each column
    lists: set[tuple[str, ...]] = set()
    numbers: list[int] = []
    n_values = 0
    for number, record in _records(source, name):
        n_values += _add(record, (), columns, lists, len(numbers), (name, number))
        numbers.append(number)
        if n_values > MAX_VALUES:
            raise DataError(
                f"{name} has more than {MAX_VALUES:,} values (the maximum for JSON). Save the table as CSV or Parquet."
            )
        if len(columns) > MAX_COLUMNS or len(numbers) % _BLOCK == 0:
            check_size(name, len(numbers), len(columns))
    if not numbers:
        raise DataError(no_row(name))
    paths = [path for path in columns if path not in lists]
    if not paths:
        raise DataError(f"{name} contains only lists, which are not supported. Write numbers, texts, true or false.")
    check_size(name, len(numbers), len(paths))
    check_filled(name, len(numbers), len(paths), sum(len(columns[path][0]) for path in paths))
    names, notes = repair_names([".".join(path) for path in paths])
    frame, more, marks = _frame(names, [columns.pop(path) for path in paths], len(numbers), day_first or {})
    if nested := [column for column, path in zip(names, paths, strict=True) if len(path) > 1]:
        notes.append(f"values of nested objects read as columns: {listed(nested)}")
    if lists:
        notes.append(f"{counted(len(lists), 'column')} of lists skipped: {listed(sorted(map('.'.join, lists)))}")
    gaps = tuple(sorted(set(range(numbers[0], numbers[-1])) - set(numbers)))
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    return Table(frame, name, "JSON lines", (*notes, *more), n_bytes, first_row=numbers[0], gaps=gaps,
                 marks=cut_marks(marks, frame, np.arange(len(frame))))  # fmt: skip


def _records(source, name) -> Iterator[tuple[int, dict]]:
    """Yield (line number, object) of each non-blank line."""
    with open_source(source) as stream:
        for number, line in enumerate(stream, 1):
            text = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
            if not text:
                continue
            try:
                found = _parse(text)
            except _UNREAD as fault:
                shown = text[:60].decode("utf-8", errors="replace")
                raise DataError(
                    f"{name}: line {number:,} is not JSON: '{shown}'. Write one object per line, such as "
                    '{"age": 31}, in UTF-8.'
                ) from fault
            if type(found) is not dict:
                raise DataError(
                    f"{name}: line {number:,} contains a {_KINDS[type(found)]}. Write one object per line, such "
                    'as {"age": 31}.'
                )
            yield number, found


def _parse(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except ValueError:  # NaN, infinity and lone surrogates, which Python writes although JSON does not allow them
        return json.loads(line.decode("utf-8"))


def _add(record, above, columns, lists, row, place) -> int:
    """Add the values of an object to their columns, and return their number.

    place : (name of the file, line).
    """
    if len(above) >= MAX_DEPTH:
        raise DataError(
            f"{place[0]}: line {place[1]:,} has objects nested more than {MAX_DEPTH} deep. Flatten the nested objects."
        )
    n_values = 0
    for key, value in record.items():
        path = (*above, key)
        if type(value) is dict:
            n_values += _add(value, path, columns, lists, row, place)
            continue
        if type(value) is list:
            lists.add(path)
            continue
        rows, values = columns.setdefault(path, ([], []))
        if value is not None:
            rows.append(row)
            values.append(value)
            n_values += 1
    return n_values


def _frame(names, columns, n_rows, day_first):
    """Return (DataFrame, notes, marks).

    columns : (rows, values) of each column, emptied one after another to save memory.
    """
    found, units, notes, marks = {}, {}, [], {}
    columns.reverse()
    for name in names:
        rows, values = columns.pop()
        cells = [None] * n_rows
        for row, value in zip(rows, values, strict=True):
            cells[row] = value
        column = column_of_cells(name, cells, day_first.get(name))
        found[name], units[name], marks[name] = _finite(column.values), column.unit, column.marks
        notes += column.notes
    return finish_table(pandas.DataFrame(found, copy=False), units, notes)[0], notes, marks


def _finite(values):
    """Return numbers with infinity as a missing value, as for other formats."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        values[np.isinf(values)] = np.nan
    return values


JSON_LINES = FileFormat(
    "JSON lines", "JSON lines (.jsonl, .ndjson)", ("jsonl", "ndjson"), read_json_lines, ("day_first",), seconds=0.1,
    megabytes=12.0, is_text=is_json_lines,
)  # fmt: skip
