"""Read a user's file of any supported format into a `Table` or a `DataSet`."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from sample_data.data_set import DataSet
from sample_data.user_data.limits import FREE_ARRAY_EXPANSION, FREE_CELLS, MAX_BYTES
from sample_data.user_data.readers.archive import check_members, plain_members, unpack_gzip, unpack_member
from sample_data.user_data.readers.csv_file import open_source
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.formats import FORMATS
from sample_data.user_data.readers.sparse_rows import SparseRows
from sample_data.user_data.readers.stata_file import STATA
from sample_data.user_data.table import Table, check_filled
from treecore.errors import DataError

_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS = (
    (_OLD_OFFICE, "old_workbook"),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"%PDF", "pdf"),
    (b"\x93NUMPY", "array"),
    (b"7z\xbc\xaf", "7z"),
    (b"Rar!", "rar"),
    (b"SQLite format 3", "database"),
    (b"\x89HDF", "hdf5"),
    (b"FEA1", "feather"),
    (b"$FL2", "spss"),
    (b"$FL3", "spss"),
    (b"\0" * 12 + b"\xc2\xea\x81\x60", "sas"),
    (b"HEADER RECORD*******LIBV8", "sas"),
    (b"RDX2", "r"),
    (b"RDX3", "r"),
    (b"X\n\0\0\0", "r"),
    (b"MATLAB 5.0", "matlab"),
)
_OLD_STATA = re.compile(rb"[\x69-\x73][\x01\x02]\x01\0", re.DOTALL)  # versions 105 to 115
_STATISTICS = {"sav": "spss", "zsav": "spss", "por": "spss", "sas7bdat": "sas", "xpt": "sas", "mat": "matlab"}
GZIP, ZIP = "gzip", "zip"  # archives that contain one table


def _unread(kind, name):
    return {
        "old_workbook": (
            f"{name} is a workbook in the old format .xls, or has a password. Save it as .xlsx without a password."
        ),
        "pdf": f"{name} is a PDF document. Copy its table into a spreadsheet and export the sheet as CSV.",
        "picture": f"{name} is a single image. Upload a zip file with one folder of images per class.",
        "array": f"{name} is a single NumPy array. Save X and y together with numpy.savez_compressed.",
        "hdf5": f"{name} is an HDF5 file. Save the table as CSV or Parquet.",
        "feather": f"{name} is a Feather file of version 1. Save the table as Parquet.",
        "database": f"{name} is a database. Export the table as CSV.",
        "spss": f"{name} is an SPSS file. In SPSS, save the table as CSV (File > Save As).",
        "sas": (
            f"{name} is a SAS file. In SAS, save the table as CSV with: proc export, or as a transport file (.xpt) of "
            "version 5 with: libname xport."
        ),
        "r": f'{name} is an R file. In R, save the table with: write.csv(table, "table.csv", row.names = FALSE)',
        "matlab": f"{name} is a MATLAB file. In MATLAB, save the table with: writetable(T, 'table.csv')",
        "7z": f"{name} is a 7z archive. Use a zip file, or upload the table itself.",
        "rar": f"{name} is a RAR archive. Use a zip file, or upload the table itself.",
    }[kind]


def find_format(source: bytes | Path, name: str, head: bytes) -> FileFormat | str:
    """Return the `FileFormat` of a file, or `GZIP` or `ZIP`.

    source : bytes or Path; head : first bytes of the file. Raises DataError with a message for unsupported formats.
    """
    ending = name.lower().rpartition(".")[2]
    if head.startswith(_ZIP):
        return _of_zip(source, name)
    for one in FORMATS:
        if one.begins is not None and head.startswith(one.begins):
            return one
    if head.startswith(b"\x1f\x8b"):
        return GZIP
    for mark, kind in _OTHERS:
        if head.startswith(mark):
            raise DataError(_unread(kind, name))
    if _OLD_STATA.match(head):
        return STATA
    if ending in _STATISTICS and (b"\0" in head or _is_binary(head)):
        raise DataError(_unread(_STATISTICS[ending], name))
    binary = {end for one in FORMATS if one.begins is not None or one.is_zip is not None for end in one.endings}
    if ending in binary and (b"\0" in head or _is_binary(head)):
        raise DataError(f"{name} is damaged or is not a .{ending} file. Save it again.")
    start = head.decode("utf-8", errors="ignore").lstrip("\ufeff \t\r\n")
    for one in FORMATS:
        if one.is_text is not None and (ending in one.endings or one.is_text(start)):
            return one
    if re.match(r"<(!doctype html|html|table|\?xml)", start, re.IGNORECASE):
        raise DataError(f"{name} is a web page or XML. Copy its table into a spreadsheet and export the sheet as CSV.")
    if ending in ("json", "jsonl", "ndjson") or (start[:1] in "{[" and re.match(r'[{\[]\s*[{\["]', start)):
        raise DataError(f"{name} looks like JSON. Save the table as JSON lines (one object per line), CSV or Parquet.")
    return FORMATS[0]


def _of_zip(source, name):
    members = check_members(source, name, FREE_ARRAY_EXPANSION)
    for one in FORMATS:
        if one.is_zip is not None and one.is_zip(members):
            return one
    names = [member.filename for member in members]
    if "mimetype" in names and "content.xml" in names:
        raise DataError(f"{name} is an OpenDocument spreadsheet. Save it as .xlsx or export it as CSV.")
    if any(one.startswith(("word/", "ppt/")) for one in names):
        raise DataError(
            f"{name} is a document or a presentation. Copy its table into a spreadsheet and save the spreadsheet."
        )
    tables = table_members(members)
    if len(tables) == 1:
        return ZIP
    found = ", ".join(f"'{member.filename[:40]}'" for member in plain_members(members)[:5]) or "nothing"
    raise DataError(
        f"{name} contains {found}. Supported: a zip file with one table (such as a .csv file), or with one "
        "folder of PNG or JPEG images per class."
    )


def table_members(members: Sequence[zipfile.ZipInfo]) -> list:
    """Return the members of a zip file that may be tables."""
    endings = tuple(f".{ending}" for one in FORMATS if one.is_table for ending in one.endings)
    return [member for member in plain_members(members) if member.filename.lower().endswith(endings)]


def _is_binary(head):
    return sum(byte < 9 or 13 < byte < 32 for byte in head) > 0.01 * len(head)


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
