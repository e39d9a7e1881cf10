"""Read a Parquet file into a `Table`, after checking its declared size."""

from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet

from sample_data.user_data.limits import MAX_FEATURE_BYTES, MAX_TEXT_BYTES
from sample_data.user_data.readers.column_builder import MOST_KEPT_CATEGORIES, is_beyond_floats, smallest_numbers
from sample_data.user_data.readers.csv_file import no_row
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.finish import finish_table
from sample_data.user_data.readers.text_column import ReadColumn, category_of_booleans, column_of_texts
from sample_data.user_data.table import Table, check_size, repair_names
from treecore.errors import DataError
from treecore.messages import counted

_MICROSECONDS = 3_600_000_000  # per hour
_CELLS_AT_A_TIME = 4_000_000
_FAULTS = (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError)


def read_parquet(source: bytes | Path, name: str) -> Table:
    """Return the `Table` of a Parquet file, without columns of lists and records.

    A few columns are read at a time, to keep memory small. source : bytes or Path. Raises DataError if the file is
    damaged, or if its columns would need too much memory.
    """
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    try:
        with pyarrow.parquet.ParquetFile(_open(source)) as file:
            fields = list(file.schema_arrow)
            texts = [field.name for field in fields if is_text_column(field.type)]
        with pyarrow.parquet.ParquetFile(_open(source), read_dictionary=texts) as file:
            usable = usable_columns(fields)
            check_size(name, file.metadata.num_rows, len(usable))
            _check_memory(name, file.metadata, {fields[k].name for k in usable}, set(texts))
            frame, notes = _frame(file, name, fields, usable)
    except DataError:
        raise
    except _FAULTS as fault:
        raise DataError(f"{name} is damaged or is not a Parquet file. Save it again, or save it as CSV.") from fault
    return Table(frame, name, "Parquet", tuple(notes), n_bytes)


def _open(source):
    return pyarrow.BufferReader(source) if isinstance(source, bytes) else str(source)


def usable_columns(fields: list) -> list[int]:
    """Return the columns of numbers, dates or texts.

    Selecting a name also selects the columns below it ("a" selects "a.b"). Columns whose name would select a column of
    lists or bytes are therefore left out.
    """
    others = {field.name for field in fields if not _is_usable(field.type)}
    above = {prefix for one in others for prefix in _prefixes(one)}
    return [
        k
        for k, field in enumerate(fields)
        if _is_usable(field.type) and field.name not in above and not others.intersection(_prefixes(field.name))
    ]


def _prefixes(name):
    parts = name.split(".")
    return [".".join(parts[: k + 1]) for k in range(len(parts))]


def _is_usable(kind):
    types = pyarrow.types
    if types.is_dictionary(kind):
        return _is_usable(kind.value_type)
    if types.is_interval(kind):
        return False
    return (
        types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
        or types.is_temporal(kind)
        or types.is_null(kind)
        or _is_text(kind)
    )


def _check_memory(name, facts, usable, texts):
    """Raise DataError if the pages of the selected columns would unpack to too much data."""
    n_all = n_text = 0
    for group in range(facts.num_row_groups):
        row_group = facts.row_group(group)
        for k in range(row_group.num_columns):
            chunk = row_group.column(k)
            column = chunk.path_in_schema
            if column not in usable:
                continue
            if column in texts and "DELTA_BYTE_ARRAY" in chunk.encodings:
                raise DataError(
                    f"{name}: the texts of '{column:.60}' have the encoding DELTA_BYTE_ARRAY, which is not "
                    "supported. Save the file with another encoding, or remove the column."
                )
            n_all += chunk.total_uncompressed_size
            n_text += chunk.total_uncompressed_size if column in texts else 0
    for n_bytes, most, what in ((n_text, MAX_TEXT_BYTES, "texts"), (n_all, MAX_FEATURE_BYTES, "columns")):
        if n_bytes > most:
            raise DataError(
                f"{name}: its {what} would unpack to {n_bytes / 1000000000.0:,.1f} GB (maximum "
                f"{most / 1000000000.0:,.1f} GB). Remove columns, or use a random sample of the rows."
            )


def is_text_column(kind: pyarrow.DataType) -> bool:
    return _is_text(kind.value_type) if pyarrow.types.is_dictionary(kind) else _is_text(kind)


def _is_text(kind):
    return pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or pyarrow.types.is_string_view(kind)


def _frame(file, name, fields, usable):
    if not file.metadata.num_rows:
        raise DataError(no_row(name))
    names, notes = repair_names([field.name for field in fields])
    values, units, taken = {}, {}, {}
    step = min(max(_CELLS_AT_A_TIME // file.metadata.num_rows, 1), 500)
    for start in range(0, len(usable), step):
        part = usable[start : start + step]
        read = file.read(columns=list(dict.fromkeys(fields[k].name for k in part)), use_threads=False)
        for k in part:
            # Among columns with the same name, use the one at the same position.
            place = taken.setdefault(fields[k].name, 0)
            taken[fields[k].name] += 1
            column = read.column(read.schema.get_all_field_indices(fields[k].name)[place])
            found = column_values(names[k], column)
            values[names[k]], units[names[k]] = _in_file_order(found.values, fields[k].type, column), found.unit
            notes += found.notes
    left_out = [names[k] for k in range(len(fields)) if names[k] not in values]
    if left_out:
        shown = ", ".join(f"'{one[:60]}'" for one in left_out[:5])
        notes.append(f"{counted(len(left_out), 'column')} of lists, records or bytes skipped: {shown}")
    if not values:
        raise DataError(f"{name} has no column of numbers, dates or texts.")
    return finish_table(pandas.DataFrame(values, copy=False), units, notes)[0], notes


def column_values(name: str, column: pyarrow.ChunkedArray) -> ReadColumn:
    """Return a column of numbers, dates or texts."""
    is_text = is_text_column(column.type) or pyarrow.types.is_integer(column.type) and is_beyond_floats(column)
    if is_text:
        return _texts(name, column)
    is_time, is_duration = pyarrow.types.is_time(column.type), pyarrow.types.is_duration(column.type)
    unit = "h:min" if is_time else "h" if is_duration else ""
    notes: list[str] = [f"times of '{name:.60}' read as hours"] if unit else []
    return ReadColumn(_plain_values(column), notes, unit)


def _plain_values(column):
    """Return the values of a column that does not contain texts."""
    kind, types = column.type, pyarrow.types
    if types.is_boolean(kind):
        missing = column.is_null().to_numpy()
        return category_of_booleans(column.fill_null(False).to_numpy(), missing)
    if types.is_integer(kind) and not column.null_count:
        return smallest_numbers(column.to_numpy())
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return smallest_numbers(column.cast(pyarrow.float64(), safe=False).to_numpy())
    if types.is_time(kind) or types.is_duration(kind):
        return smallest_numbers(_hours(column))
    if types.is_temporal(kind):
        return (
            column.cast(pyarrow.timestamp("us", getattr(kind, "tz", None)), safe=False)
            .to_numpy()
            .astype("datetime64[us]")
        )
    return np.full(len(column), np.nan, np.float32)  # a column of type null


def _hours(column):
    """Return times of day or durations as hours, with NaN for missing values."""
    kind = pyarrow.time64("us") if pyarrow.types.is_time(column.type) else pyarrow.duration("us")
    whole = column.cast(kind, safe=False).cast(pyarrow.int64())
    return whole.cast(pyarrow.float64(), safe=False).to_numpy() / _MICROSECONDS


def _in_file_order(values, kind, column):
    """Return categories in the order of the file, or without an order if parts of the file contradict each other."""
    if not isinstance(values, pandas.Categorical) or not pyarrow.types.is_dictionary(kind) or not kind.ordered:
        return values
    words = column.chunk(0).dictionary
    return values.as_ordered() if all(chunk.dictionary.equals(words) for chunk in column.chunks) else values


def _texts(name, column):
    encoded = column if pyarrow.types.is_dictionary(column.type) else column.cast(pyarrow.string()).dictionary_encode()
    encoded = encoded.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):  # no chunk, or too many values for one chunk
        encoded = pyarrow.concat_arrays(encoded.chunks)
    words = encoded.dictionary.cast(pyarrow.string())
    codes = encoded.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy()
    if len(words) <= MOST_KEPT_CATEGORIES:
        found = column_of_texts(name, words.to_pylist())
        numbers = found.values
        if isinstance(numbers, np.ndarray) and len(words) and not np.all(_is_nothing(numbers)):
            return found._replace(values=numbers[codes] if codes.min() >= 0 else _with_missing(numbers, codes))
        return ReadColumn(
            pandas.Categorical.from_codes(codes, categories=pandas.Index(words.to_pylist(), dtype="str")), []
        )
    lengths = compute.binary_length(words).to_numpy(zero_copy_only=False)
    n_bytes = int(np.sum(lengths[codes], where=codes >= 0))
    if n_bytes > MAX_TEXT_BYTES:
        raise DataError(
            f"The texts of '{name:.60}' would need {n_bytes / 1000000000.0:,.1f} GB (maximum "
            f"{MAX_TEXT_BYTES / 1000000000.0:,.1f} GB). Remove the column."
        )
    return ReadColumn(pandas.array(pyarrow.chunked_array([words.take(encoded.indices)]), dtype="str"), [])


def _is_nothing(values):
    return np.isnat(values) if values.dtype.kind == "M" else np.isnan(values)


def _with_missing(values, codes):
    missing = np.array(["NaT"], values.dtype) if values.dtype.kind == "M" else np.array([np.nan], np.float32)
    return np.concatenate([values, missing])[codes]


PARQUET = FileFormat("Parquet", "Parquet", ("parquet", "pq"), read_parquet, begins=b"PAR1")
