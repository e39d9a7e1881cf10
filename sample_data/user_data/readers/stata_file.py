"""Read a Stata file into a `Table`, with value labels as categories."""

import io
import struct
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
from pandas.io.stata import StataReader

from sample_data.user_data.readers.csv_file import no_row, open_source
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.parquet_file import read_parquet
from sample_data.user_data.table import Table, check_size
from treecore.errors import DataError
from treecore.tables.table_columns import category_text

CELLS_AT_A_TIME = 2_000_000
# pandas checks few of the numbers in a damaged file, and then raises exceptions of many kinds.
FAULTS = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError, MemoryError, OSError, EOFError, ArithmeticError),
    *(NotImplementedError, AssertionError, struct.error, pyarrow.ArrowException),
)


def read_stata(source: bytes | Path, name: str) -> Table:
    """Return the `Table` of a Stata file. A column whose values have labels consists of categories.

    source : bytes or Path. Raises DataError if the file is damaged or too large.
    """
    try:
        with open_source(source) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about encodings and dates outside the range of pandas
            return table_of_parts(_parts(stream, name), source, name, "Stata")
    except DataError:
        raise
    except FAULTS as fault:
        raise DataError(
            f"{name} is damaged or is not a supported Stata file. In Stata, save the table with: export "
            "delimited using table.csv"
        ) from fault


def table_of_parts(parts: Iterator[pyarrow.Table], source: bytes | Path, name: str, form: str) -> Table:
    """Return the `Table` of a file in the format `form` that was read in parts. Raises DataError without rows."""
    whole = list(parts)
    if not whole:
        raise DataError(no_row(name))
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.concat_tables(whole, promote_options="permissive"), out)
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    del whole
    return replace(read_parquet(out.getvalue(), name), format=form, n_bytes=n_bytes)


def _parts(stream, name) -> Iterator[pyarrow.Table]:
    """Yield the rows in parts. The first part is one row, which shows the number of columns."""
    with StataReader(stream, convert_categoricals=False) as reader:
        n_rows, step, labels = 0, 1, None
        while True:
            try:
                frame = reader.read(step).reset_index(drop=True)
            except StopIteration:
                return
            if not len(frame):
                return
            n_rows += len(frame)
            check_size(name, n_rows, frame.shape[1])
            if labels is None:
                known = reader.value_labels()
                labels = {column: known.get(one, {}) for column, one in zip(frame, reader._lbllist, strict=True)}
                step = max(CELLS_AT_A_TIME // frame.shape[1], 1)
            found = {column: _with_labels(values, labels[column]) for column, values in frame.items()}
            yield pyarrow.Table.from_pandas(pandas.DataFrame(found, copy=False), preserve_index=False)


def _with_labels(values, labels):
    """Return numbers with their labels as texts. A number without a label, or with that of another one, is named."""
    if not labels or values.dtype.kind not in "iuf":
        return values.replace("", None) if values.dtype.kind not in "iufM" else values
    texts = list(labels.values())
    names = {code: f"{text} ({code})" if texts.count(text) > 1 else text for code, text in labels.items()}
    codes, uniques = pandas.factorize(values)
    words = np.array([*(names.get(value, category_text(value)) for value in uniques.tolist()), None], object)
    return pandas.Series(words[codes], dtype="str")


STATA = FileFormat(
    "Stata", "Stata (.dta)", ("dta",), read_stata, seconds=0.3, megabytes=12.0, begins=b"<stata_dta>",
)  # fmt: skip
