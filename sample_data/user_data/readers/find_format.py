"""Find the format of a file from its first bytes, the members of a zip file, or its name."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

from sample_data.user_data.limits import FREE_ARRAY_EXPANSION
from sample_data.user_data.readers.archive import check_members, plain_members
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.formats import FORMATS
from sample_data.user_data.readers.stata_file import STATA
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
