"""Read a transport file of SAS (.xpt) into a `Table`."""

import io
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas
import pyarrow
from pandas.io.sas.sas_xport import XportReader

from sample_data.user_data.readers.csv_file import open_source
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.stata_file import CELLS_AT_A_TIME, FAULTS, table_of_parts
from sample_data.user_data.table import Table, check_size
from treecore.errors import DataError

_BEGINS, _MEMBER = b"HEADER RECORD*******LIBRARY HEADER RECORD", b"HEADER RECORD*******MEMBER  HEADER RECORD"
_ORIGIN = np.datetime64("1960-01-01", "us")  # day 0 of SAS
_DATES = (b"DATE", b"DAY", b"DDMMYY", b"MMDDYY", b"YYMMDD", b"E8601DA", b"JULIAN", b"MONYY", b"WEEKDATE", b"WORDDATE")
_TIMES = (b"DATETIME", b"DTDATE", b"E8601DT", b"DATEAMPM")
_CARD, _LEAST = (80, 1e-70)  # bytes of a card, and numbers of a transport file that are 0
_LARGEST = 4e12  # seconds, about 120,000 years


def read_sas(source: bytes | Path, name: str) -> Table:
    """Return the `Table` of a transport file. Numbers with a format of dates are dates.

    source : bytes or Path. Raises DataError if the file is damaged, too large or contains several tables.
    """
    with open_source(source) as stream:
        n_tables = stream.read().count(_MEMBER)
    if n_tables > 1:
        raise DataError(f"{name} contains {n_tables:,} tables. In SAS, export one table to a file of its own.")
    try:
        with open_source(source) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the end of the file
            return table_of_parts(_parts(stream, name), source, name, "SAS")
    except DataError:
        raise
    except FAULTS as fault:
        raise DataError(
            f"{name} is damaged or is not a supported transport file of SAS. In SAS, save the table as CSV with: proc "
            "export."
        ) from fault


def _parts(stream, name) -> Iterator[pyarrow.Table]:
    """Yield the rows in parts."""
    reader = XportReader(stream, encoding=None)  # texts are bytes, because the file does not declare an encoding
    reader.nobs = _n_rows(stream, reader.record_start, reader.record_length)
    step = max(CELLS_AT_A_TIME // max(len(reader.columns), 1), 1)
    check_size(name, reader.nobs, len(reader.columns))
    for start in range(0, reader.nobs, step):
        frame = reader.read(min(step, reader.nobs - start))
        found = {one: _values(frame[one], field["nform"]) for one, field in zip(frame, reader.fields, strict=True)}
        yield pyarrow.Table.from_pandas(pandas.DataFrame(found, copy=False), preserve_index=False)


def _n_rows(stream, start, length):
    """Return the number of rows, without the blanks that fill the last card. pandas also counts blanks in texts."""
    n_bytes = stream.seek(0, io.SEEK_END) - start
    n_rows = n_bytes // length
    while n_rows and n_bytes - (n_rows - 1) * length < _CARD:
        stream.seek(start + (n_rows - 1) * length)
        if stream.read(length).strip():
            break
        n_rows -= 1
    stream.seek(start)
    return n_rows


def _values(values, form):
    if values.dtype.kind != "f":
        return values.map(_decoded).replace("", None).astype("str")
    values = values.mask(values.abs() < _LEAST, 0.0)  # pandas reads 0 as the smallest number
    unit = "s" if form.startswith(_TIMES) else "D" if form.startswith(_DATES) else ""
    if not unit:
        return values
    seconds = values.to_numpy() * (86400 if unit == "D" else 1)
    is_known = np.abs(seconds) < _LARGEST
    days = np.full(len(seconds), np.datetime64("NaT"), "datetime64[us]")
    days[is_known] = _ORIGIN + np.round(seconds[is_known] * 1e6).astype("timedelta64[us]")
    return pandas.Series(days)


def _decoded(text):
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("cp1252", errors="replace")


SAS = FileFormat("SAS", "SAS transport (.xpt)", ("xpt",), read_sas, seconds=0.3, megabytes=12.0, begins=_BEGINS)
