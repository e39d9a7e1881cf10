"""Write a `Table` to a file in Arrow's own format, and read it back without copying its numbers."""

import json
import zlib
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pyarrow.ipc

from sample_data.user_data.table import Table
from treecore.errors import DataError

_WORDS = b"table"
_MARKS = "marks of "  # start of the names of further columns, which follow those of the table
_SUM = b"crc32"  # followed by four bytes at the end of the file, which is otherwise in Arrow's own format
_BLOCK = 1 << 24  # bytes


_STORED_TABLE = "The stored table is damaged. Open the file again."


def save_table(table: Table, path: Path) -> None:
    """Write a table to a file."""
    columns = [_arrow(values) for _, values in table.frame.items()]
    columns += [_arrow(pandas.Series(own)) for own in table.marks.values()]
    names = [*table.frame.columns, *(_MARKS + name for name in table.marks)]
    words = {
        "name": table.name, "format": table.format, "notes": list(table.notes), "n_bytes": table.n_bytes,
        "day_first": table.day_first, "first_row": table.first_row, "gaps": list(table.gaps),
        "marks": list(table.marks),
    }  # fmt: skip
    schema = pyarrow.schema(
        [(name, column.type) for name, column in zip(names, columns, strict=True)],
        metadata={_WORDS: json.dumps(words).encode()},
    )
    whole = pyarrow.Table.from_arrays(columns, schema=schema)
    with pyarrow.OSFile(str(path), "wb") as stream, pyarrow.ipc.new_file(stream, schema) as writer:
        writer.write_table(whole)
    with pyarrow.memory_map(str(path)) as stream:
        end = _SUM + _checksum(stream.read_buffer()).to_bytes(4, "little")
    with path.open("ab") as stream:
        stream.write(end)


def load_table(path: Path) -> Table:
    """Return the table in a file written by `save_table`, with the same types and read-only numbers.

    Raises OSError, or DataError if the file is damaged.
    """
    with path.open("rb") as stream:  # raises the errors of the operating system
        is_empty = not stream.read(1)
    if is_empty:
        raise DataError(_STORED_TABLE)
    with pyarrow.memory_map(str(path)) as stream:
        content = stream.read_buffer()
    n = len(content) - len(_SUM) - 4
    if n < 0 or content[n:].to_pybytes() != _SUM + _checksum(content[:n]).to_bytes(4, "little"):
        raise DataError(_STORED_TABLE)
    whole = pyarrow.ipc.open_file(pyarrow.BufferReader(content[:n])).read_all()
    words = json.loads(whole.schema.metadata[_WORDS])
    marked = words.get("marks", [])
    names = whole.column_names[: len(whole.column_names) - len(marked)]
    read = [_values(column) for column in whole.columns]
    frame = pandas.DataFrame(dict(zip(names, read, strict=False)), copy=False)
    marks = dict(zip(marked, read[len(names) :], strict=True))
    plain = {name: words[name] for name in ("name", "format", "n_bytes", "day_first")}
    first, gaps = words.get("first_row", 1), tuple(words.get("gaps", ()))  # absent in files of earlier versions
    return Table(frame, notes=tuple(words["notes"]), first_row=first, gaps=gaps, marks=marks, **plain)


def _checksum(content: pyarrow.Buffer) -> int:
    """Return the CRC-32 of a file. Arrow would read damaged bytes as other values."""
    found, view = 0, memoryview(content)
    for start in range(0, len(view), _BLOCK):
        found = zlib.crc32(view[start : start + _BLOCK], found)
    return found


def _arrow(values):
    if isinstance(values.dtype, pandas.CategoricalDtype):
        codes = values.cat.codes.to_numpy()
        words = pyarrow.array(values.cat.categories.astype(object), pyarrow.string())
        places = pyarrow.array(codes, mask=codes < 0)
        return pyarrow.DictionaryArray.from_arrays(places, words, ordered=values.cat.ordered)
    if isinstance(values.dtype, np.dtype) and values.dtype.kind != "O":
        return pyarrow.array(values.to_numpy(), from_pandas=False)
    found = pyarrow.array(values.array, pyarrow.large_string())
    return found.combine_chunks() if isinstance(found, pyarrow.ChunkedArray) else found


def _values(column):
    column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if pyarrow.types.is_dictionary(column.type):
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        words = pandas.Index(column.dictionary.to_pylist(), dtype="str")
        return pandas.Categorical.from_codes(codes, words, ordered=column.type.ordered)
    if pyarrow.types.is_large_string(column.type):
        return pandas.array(column, dtype="str")
    return column.to_numpy(zero_copy_only=False)
