"""Draw a random sample of an entry and write it as a Parquet file."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pyarrow
from pyarrow import parquet

from sample_data.data_folder.draw import draw
from sample_data.data_folder.entries import FolderEntry, entry_changed, entry_gone, no_permission, unread_entry
from sample_data.user_data.limits import MAX_COLUMNS
from sample_data.user_data.readers.parquet_file import usable_columns
from treecore.errors import DataError

_CELLS_AT_A_TIME = 20_000_000
_FAULTS = (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError)


@contextmanager
def reading(name: str) -> Generator[None]:
    """Convert the faults of reading a file to a DataError that contains its name."""
    try:
        yield
    except DataError:
        raise
    except FileNotFoundError as fault:
        raise DataError(entry_gone(name)) from fault
    except PermissionError as fault:
        raise DataError(no_permission(name)) from fault
    except _FAULTS as fault:
        raise DataError(unread_entry(name, str(fault).partition("\n")[0][:120].rstrip("."))) from fault


def write_sample(entry: FolderEntry, path: Path, report: Callable[..., None], seed: int = 0) -> None:
    """Write the sample of an entry as a Parquet file.

    report : called with done, total and words. Raises DataError if a file cannot be read.
    """
    if entry.n_columns > MAX_COLUMNS:
        raise DataError(
            f"{entry.name} has {entry.n_columns:,} columns; the maximum is {MAX_COLUMNS:,}. Write a file with "
            "fewer columns."
        )
    drawn, tables = draw(entry, seed), []
    for done, one in enumerate(drawn):
        report(done, len(drawn), "reading rows")
        tables.append(_rows(entry, one))
    parquet.write_table(pyarrow.concat_tables(tables).unify_dictionaries(), path)


def _rows(entry, drawn):
    source = entry.files[drawn.file]
    with reading(Path(source.path).name), parquet.ParquetFile(source.path) as file:
        fields = list(file.schema_arrow)
        names = list(dict.fromkeys(fields[k].name for k in usable_columns(fields)))
        if not names:
            raise DataError(f"{entry.title} has no columns of numbers, dates or texts. Choose another file.")
        if drawn.group >= file.metadata.num_row_groups or (
            file.metadata.row_group(drawn.group).num_rows != source.n_rows[drawn.group]
        ):
            raise DataError(entry_changed(entry.title))
        step, rows, parts = max(_CELLS_AT_A_TIME // source.n_rows[drawn.group], 1), pyarrow.array(drawn.rows), []
        for start in range(0, len(names), step):
            parts.append(file.read_row_group(drawn.group, columns=names[start : start + step]).take(rows))
    columns = [column for part in parts for column in part.columns]
    return pyarrow.Table.from_arrays(columns, schema=pyarrow.schema([f for part in parts for f in part.schema]))
