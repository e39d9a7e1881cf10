"""`read_parquet`: a Parquet file into a `Table`, after a look at what it says of its size."""

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet

from sample_data.own_data.column_builder import MOST_KEPT_CATEGORIES, smallest_numbers
from sample_data.own_data.limits import MAX_FEATURE_BYTES
from sample_data.own_data.table import Table, check_size, mended_names
from sample_data.own_data.text_column import category_of_booleans, column_of_texts
from treecore.errors import DataError

_FAULTS = (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError)


def read_parquet(source, name: str) -> Table:
    """Return the `Table` of a Parquet file; `source` is bytes or a Path. Columns of lists and the like are left out."""
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    opened = pyarrow.BufferReader(source) if isinstance(source, bytes) else str(source)
    try:
        texts = _text_columns(opened)
        opened = pyarrow.BufferReader(source) if isinstance(source, bytes) else str(source)
        with pyarrow.parquet.ParquetFile(opened, read_dictionary=texts) as file:
            facts = file.metadata
            check_size(name, facts.num_rows, len(file.schema_arrow))
            n_unpacked = sum(facts.row_group(k).total_byte_size for k in range(facts.num_row_groups))
            if n_unpacked > MAX_FEATURE_BYTES:
                raise DataError(
                    f"{name} would unpack to {n_unpacked / 1e9:,.1f} GB; at most "
                    f"{MAX_FEATURE_BYTES / 1e9:.0f} GB are read."
                )
            read = file.read(use_threads=False)
        frame, notes = _frame(read, name)
    except DataError:
        raise
    except _FAULTS as fault:
        raise DataError(f"{name} is damaged or no Parquet file. Write it again, or save it as CSV.") from fault
    return Table(frame, name, "Parquet", tuple(notes), n_bytes)


def _text_columns(opened) -> list[str]:
    with pyarrow.parquet.ParquetFile(opened) as file:
        return [field.name for field in file.schema_arrow if _is_text(field.type)]


def _is_text(kind):
    return pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or pyarrow.types.is_string_view(kind)


def _frame(read, name):
    if not read.num_rows:
        raise DataError(f"{name} holds no row.")
    names, notes = mended_names(read.column_names)
    values, left_out = {}, []
    for k, column in enumerate(names):
        found = _values(column, read.column(k), notes)
        if found is None:
            left_out.append(column)
        else:
            values[column] = found
    if left_out:
        shown = ", ".join(f"'{one[:60]}'" for one in left_out[:5])
        notes.append(f"{len(left_out)} columns of lists, records or bytes left out: {shown}")
    if not values:
        raise DataError(f"{name} has no column of numbers, dates or texts.")
    return pandas.DataFrame(values, copy=False), notes


def _values(name, column, notes):
    """Return the values of a column, None where its type is no number, date or text."""
    kind, types = column.type, pyarrow.types
    if types.is_boolean(kind):
        missing = column.is_null().to_numpy()
        return category_of_booleans(column.fill_null(False).to_numpy(), missing)
    if types.is_integer(kind) and not column.null_count:
        return smallest_numbers(column.to_numpy())
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return smallest_numbers(column.cast(pyarrow.float64(), safe=False).to_numpy())
    if (
        types.is_temporal(kind)
        and not types.is_time(kind)
        and not types.is_duration(kind)
        and not types.is_interval(kind)
    ):
        return (
            column.cast(pyarrow.timestamp("us", getattr(kind, "tz", None)), safe=False)
            .to_numpy()
            .astype("datetime64[us]")
        )
    if types.is_null(kind):
        return np.full(len(column), np.nan, np.float32)
    if types.is_dictionary(kind) or _is_text(kind) or types.is_time(kind):
        return _texts(name, column, notes)
    return None


def _texts(name, column, notes):
    encoded = column if pyarrow.types.is_dictionary(column.type) else column.cast(pyarrow.string()).dictionary_encode()
    encoded = encoded.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):  # no chunk, or more than fit into one
        encoded = pyarrow.concat_arrays(encoded.chunks)
    words = encoded.dictionary.cast(pyarrow.string())
    codes = encoded.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy()
    if len(words) <= MOST_KEPT_CATEGORIES:
        numbers, more = column_of_texts(name, words.to_pylist())
        if isinstance(numbers, np.ndarray) and len(words) and not np.all(_is_nothing(numbers)):
            notes += more
            return numbers[codes] if codes.min() >= 0 else _with_missing(numbers, codes)
        return pandas.Categorical.from_codes(codes, categories=pandas.Index(words.to_pylist(), dtype="str"))
    return pandas.array(pyarrow.chunked_array([words.take(encoded.indices)]), dtype="str")


def _is_nothing(values):
    return np.isnat(values) if values.dtype.kind == "M" else np.isnan(values)


def _with_missing(values, codes):
    missing = np.array(["NaT"], values.dtype) if values.dtype.kind == "M" else np.array([np.nan], np.float32)
    return np.concatenate([values, missing])[codes]
