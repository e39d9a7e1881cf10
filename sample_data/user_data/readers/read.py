"""Read a user's file of any supported format into a `Table` or a `DataSet`."""

from pathlib import Path, PurePosixPath

from sample_data.data_set import DataSet
from sample_data.user_data.limits import FREE_CELLS, MAX_BYTES
from sample_data.user_data.readers.archive import check_members, unpack_gzip, unpack_member
from sample_data.user_data.readers.csv_file import open_source
from sample_data.user_data.readers.find_format import GZIP, ZIP, find_format, table_members
from sample_data.user_data.readers.sparse_rows import SparseRows
from sample_data.user_data.table import Table, check_filled
from treecore.errors import DataError


def read(
    source: bytes | Path,
    name: str,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    header: bool | str | None = None,
    day_first: dict | None = None,
    header_line: int | str | None = None,
    skip_below: int | str | None = None,
    fill_short: bool | None = None,
    values: dict | None = None,
) -> Table | DataSet:
    """Return the `Table` of a file or of pasted text, or the `DataSet` of an .npz file or a zip file of images.

    Parameters
    ----------
    source : bytes or Path
    name : str
        Name of the file. The format follows from the name and the first bytes.
    delimiter, encoding : str, optional
        Detected if None.
    decimal : {".", ","}, optional
        Detected if None.
    header : bool or "two lines", optional
        Detected if None.
    header_line, skip_below : int, optional
        Line number of the names, and number of lines below the table, in text files and workbooks. By default, a last
        row of totals is left out.
    fill_short : bool, optional
        Whether to fill short rows of text files with missing values. By default, only a few are filled.
    sheet : str, optional
        Sheet of a workbook, by default the first one with a table.
    day_first : dict of str to bool, optional
        Whether 03/05/2020 is the third of May, for each column, see `TableColumns.day_first`. Detected for other
        columns.
    values : dict of str to collection of str, optional
        Texts such as "NA" that are values of a column, although they usually mark a missing value.

    Raises
    ------
    DataError
        If the file cannot be read.
    """
    choices: dict = {"delimiter": delimiter, "decimal": decimal, "encoding": encoding, "sheet": sheet, "header": header}
    choices |= {"header_line": header_line, "skip_below": skip_below, "fill_short": fill_short, "values": values}
    return _read(source, name, **choices, day_first=day_first)


def read_sparse(source: bytes | Path, name: str) -> SparseRows | None:
    """Return the `SparseRows` of a sparse matrix file of any size, or None for another format.

    source, name : see `read`. Raises DataError with a message for a file that cannot be read.
    """
    source, name = _check_source(source, name)
    kind = find_format(source, name, _head(source))
    if kind in (GZIP, ZIP) or kind.read_sparse is None:
        return None
    return kind.read_sparse(source, name)


def _read(source, name, inside="", **choices) -> Table | DataSet:
    source, name = _check_source(source, name)
    kind = find_format(source, name, _head(source))
    if kind in (GZIP, ZIP) and inside:
        raise DataError(f"{inside} contains another archive. Unpack it once and upload its contents.")
    if kind == GZIP:
        return _read(unpack_gzip(source, name), name.removesuffix(".gz"), name, **choices)
    if kind == ZIP:
        member = table_members(check_members(source, name))[0]
        return _read(unpack_member(source, name, member), PurePosixPath(member.filename).name, name, **choices)
    found = kind.read(source, name, **{choice: choices[choice] for choice in kind.choices})
    if isinstance(found, Table) and found.n_rows * found.n_columns > FREE_CELLS:
        n_values = sum(int(values.notna().sum()) for _, values in found.frame.items())
        check_filled(name, found.n_rows, found.n_columns, n_values)
    return found


def _head(source) -> bytes:
    with open_source(source) as stream:
        return stream.read(4096)


def _check_source(source, name):
    name = " ".join(str(name).split())[:100] or "the file"
    if isinstance(source, bytearray | memoryview):
        source = bytes(source)
    if isinstance(source, Path):
        try:
            n_bytes = source.stat().st_size
        except OSError as fault:
            raise DataError(f"{name} cannot be opened: {fault.strerror or 'no such file'}.") from fault
        if not source.is_file():
            raise DataError(f"{name} is a folder or a device. Upload a file.")
    elif isinstance(source, bytes):
        n_bytes = len(source)
    else:
        raise DataError(f"{name}: expected bytes or a path, not {type(source).__name__}.")
    if n_bytes > MAX_BYTES:
        raise DataError(
            f"{name} has {n_bytes / 1000000.0:,.0f} MB (maximum {MAX_BYTES / 1000000.0:,.0f} MB). Remove "
            "columns, use a random sample of the rows, or save the table as Parquet."
        )
    if not n_bytes:
        raise DataError(f"{name} is empty.")
    return source, name
