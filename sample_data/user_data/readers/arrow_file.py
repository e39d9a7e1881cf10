"""Read an Arrow file (Feather, version 2) into a `Table`."""

import io
from dataclasses import replace
from pathlib import Path

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.parquet_file import read_parquet
from sample_data.user_data.table import Table, check_size
from treecore.errors import DataError

_FAULTS = (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError)


def read_arrow(source: bytes | Path, name: str) -> Table:
    """Return the `Table` of an Arrow file, which is read like a Parquet file with the same columns.

    source : bytes or Path. Raises DataError if the file is damaged or too large, or has a column of a kind that Parquet
    does not support.
    """
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    out = io.BytesIO()
    try:
        with pyarrow.BufferReader(source) if isinstance(source, bytes) else pyarrow.OSFile(str(source)) as opened:
            file = pyarrow.ipc.open_file(opened)
            n_rows = 0
            with pyarrow.parquet.ParquetWriter(out, file.schema) as writer:
                for place in range(file.num_record_batches):
                    batch = file.get_batch(place)
                    n_rows += batch.num_rows
                    check_size(name, n_rows, len(file.schema))
                    batch.validate(full=True)  # offsets in a damaged file may point outside its data
                    writer.write_batch(batch)
    except DataError:
        raise
    except _FAULTS as fault:
        raise DataError(f"{name} is damaged or is not a supported Arrow file. Save it as Parquet or CSV.") from fault
    return replace(read_parquet(out.getvalue(), name), format="Arrow", n_bytes=n_bytes)


ARROW = FileFormat("Arrow", "Arrow (.arrow, .feather)", ("arrow", "feather"), read_arrow, begins=b"ARROW1")
