"""`RowFile`: a Parquet or Arrow file, whose columns are read one at a time."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple, Self

import numpy as np

from treecore.errors import DataError
from treecore.tables.table_columns import category_text

NUMBERS, TEXT, OTHER = "numbers", "text", "other values"  # kinds of columns
_PARQUET, _ARROW = b"PAR1", b"ARROW1"  # first bytes of a file
_TRIED = 1000  # values that are converted to float32 before all others


class FileColumn(NamedTuple):
    """Column of a file. kind : `NUMBERS`, `TEXT` or `OTHER`; type : text, name of its type."""

    kind: str
    type: str


class FileLayout(NamedTuple):
    """Contents of a file.

    columns : dict from names to `FileColumn`; n_rows : list, rows of each row group; repeated : a name that several
    columns have, or None.
    """

    columns: dict[str, FileColumn]
    n_rows: list[int]
    repeated: str | None


def arrow() -> Any:
    """Return the module pyarrow. Raise DataError if it is not installed."""
    try:
        import pyarrow  # optional
        import pyarrow.parquet
    except ImportError:
        raise DataError(
            "Rows in files need the package pyarrow, which is not installed. Run pip install pyarrow, or load "
            "the rows into memory."
        ) from None
    return pyarrow


@contextmanager
def reading(path: str) -> Generator:
    """Convert errors of the file system and of pyarrow to DataErrors that name the file."""
    try:
        yield
    except DataError:
        raise
    except KeyError:  # no such column
        raise DataError(changed_file(path)) from None
    except FileNotFoundError:
        raise DataError(absent_file(path)) from None
    except (OSError, ValueError, arrow().ArrowException) as error:
        why = getattr(error, "strerror", None) or str(error).strip().partition("\n")[0]
        raise DataError(f"{path} cannot be read: {why[:200].rstrip('.')}. Write the file again.") from None


class RowFile:
    """Open Parquet or Arrow file, for `with`. path : str; filesystem : of pyarrow, None for files of this machine."""

    def __init__(self, path: str, filesystem: Any = None) -> None:
        pyarrow = arrow()
        with reading(path):
            self._stream = pyarrow.OSFile(path) if filesystem is None else filesystem.open_input_file(path)
        with ExitStack() as on_error, reading(path):
            on_error.callback(self._stream.close)
            first = self._stream.read(len(_ARROW))
            self._stream.seek(0)
            self._is_parquet = first.startswith(_PARQUET)
            if self._is_parquet:
                self._file = pyarrow.parquet.ParquetFile(self._stream)
                self._schema = self._file.schema_arrow
            elif first == _ARROW:
                self._file = pyarrow.ipc.open_file(self._stream)
                self._schema = self._file.schema
            else:
                raise DataError(
                    f"{path} is empty. Remove the file, or write it again."
                    if not first
                    else (
                        f"{path} is not a Parquet, Arrow or Feather file. Move the file, pass a pattern such as "
                        "'data/*.parquet', or pass a LazyFrame such as polars.scan_csv(path)."
                    )
                )
            on_error.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def layout(self) -> FileLayout:
        """Return the columns and row groups."""
        columns = {field.name: FileColumn(_kind(field.type), str(field.type)) for field in self._schema}
        names = self._schema.names
        repeated = None if len(columns) == len(names) else next(name for name in names if names.count(name) > 1)
        if self._is_parquet:
            metadata = self._file.metadata
            n_rows = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
        else:
            n_rows = [self._file.get_batch(i).num_rows for i in range(self._file.num_record_batches)]
        return FileLayout(columns, n_rows, repeated)

    def columns(self, groups: Sequence[int], names: Sequence[str], rows: slice) -> Generator:
        """Yield some columns of some row groups as ChunkedArrays, one at a time. rows : range within the groups."""
        if self._is_parquet:
            for name in names:
                table = self._file.read_row_groups(list(groups), columns=[name], use_threads=False)
                yield table.column(name)[rows]
            return
        table = arrow().Table.from_batches([self._file.get_batch(i) for i in groups], self._schema)
        for name in names:
            yield table.column(name)[rows]


def numbers(column: Any) -> np.ndarray:
    """Return a column of numbers as float32[n] if these are exact, else float64[n]. Missing values are NaN."""
    pyarrow = arrow()
    if pyarrow.types.is_boolean(column.type):
        column = column.cast(pyarrow.uint8())
    elif not pyarrow.types.is_integer(column.type) and not pyarrow.types.is_floating(column.type):
        column = column.cast(pyarrow.float64())
    values = column.to_numpy()
    if values.dtype.itemsize < 4 or values.dtype == np.float32:
        return values.astype(np.float32, copy=False)
    with np.errstate(over="ignore"):
        for some in (values[:_TRIED], values):
            single = some.astype(np.float32)
            if not np.array_equal(single.astype(np.float64), some, equal_nan=values.dtype.kind == "f"):
                return values.astype(np.float64, copy=False)
    return single


def table_of(columns: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    """Return columns as an array [n, d], float32 if all columns are."""
    dtype = np.result_type(np.float32, *(column.dtype for column in columns))
    X = np.empty((n_rows, len(columns)), dtype)
    for j, column in enumerate(columns):
        X[:, j] = column
    return X


def categorical(column: Any) -> Any:
    """Return a column of text as a pandas Categorical, ordered if the column is."""
    import pandas  # slow import

    codes, values, is_ordered = _encoded(column)
    return pandas.Categorical.from_codes(codes, values, ordered=is_ordered)


def labels(column: Any) -> np.ndarray:
    """Return a column of targets as an array of numbers, bools or texts, object[n] with None if any text is missing."""
    pyarrow = arrow()
    if pyarrow.types.is_dictionary(column.type) and _kind(column.type.value_type) == NUMBERS:
        column = column.cast(column.type.value_type)
    if _kind(column.type) == TEXT:
        codes, values, _ = _encoded(column)
        if (codes < 0).any():
            return np.array([*values, None], object)[codes]
        return np.array(values, np.str_)[codes] if values else np.empty(0, np.str_)
    if pyarrow.types.is_decimal(column.type):
        column = column.cast(pyarrow.float64())
    elif pyarrow.types.is_boolean(column.type) and column.null_count:
        column = column.cast(pyarrow.float32())
    return column.to_numpy()


def _encoded(column):
    """Return (codes int[n], list of distinct texts, whether they are ordered). The code of a missing text is -1."""
    pyarrow = arrow()
    is_ordered = pyarrow.types.is_dictionary(column.type) and column.type.ordered
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pyarrow.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pyarrow.array([], column.type)
    codes = whole.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    values = [None if value is None else category_text(value) for value in whole.dictionary.to_pylist()]
    distinct = list(dict.fromkeys(value for value in values if value is not None))
    if len(distinct) < len(values):  # a missing value, or the same text twice
        place = {value: i for i, value in enumerate(distinct)}
        codes = np.array([*(place.get(value, -1) for value in values), -1])[codes]
    return codes, distinct, is_ordered


def _kind(type_):
    types = arrow().types
    if types.is_dictionary(type_):
        return TEXT if _kind(type_.value_type) != OTHER else OTHER
    if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
        return TEXT
    is_number = types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_)
    return NUMBERS if is_number or types.is_boolean(type_) or types.is_null(type_) else OTHER


def changed_file(path: object) -> str:
    """Return the message about a file that changed during training."""
    return f"{path} has changed during training. Train again."


def absent_file(path: object) -> str:
    """Return the message about a file that does not exist."""
    return f"{path} does not exist. Check the path."
