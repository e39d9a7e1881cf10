"""`find_format`: which format a file has, by its first bytes, the members of a zip and then its name."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

from sample_data.user_data.limits import FREE_ARRAY_EXPANSION
from sample_data.user_data.readers.archive import checked_members, plain_members
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.formats import FORMATS
from treecore.errors import DataError

_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS = (
    (b"\x89PNG", "a picture. Pictures are read from a zip with one folder per class"),
    (b"\xff\xd8\xff", "a picture. Pictures are read from a zip with one folder per class"),
    (b"%PDF", "a PDF document. Copy its table into a spreadsheet and export that as CSV"),
    (b"\x93NUMPY", "a single NumPy array. Save X and y together with numpy.savez_compressed"),
    (b"7z\xbc\xaf", "a 7z archive. Use a zip, or upload the table itself"),
    (b"Rar!", "a RAR archive. Use a zip, or upload the table itself"),
    (b"SQLite format 3", "a database. Export the table as CSV"),
    (b"\x89HDF", "an HDF5 file. Save the table as CSV or Parquet"),
    (b"FEA1", "a Feather file of the first version. Save the table as Parquet"),
)
GZIP, ZIP = "gzip", "zip"  # archives of one table


def find_format(source: bytes | Path, name: str, head: bytes) -> FileFormat | str:
    """Return the `FileFormat` of a file, or `GZIP` or `ZIP`.

    source is bytes or a Path, head its first bytes. Raises DataError, in words, for formats that are not read.
    """
    ending = name.lower().rpartition(".")[2]
    if head.startswith(_ZIP):
        return _of_zip(source, name)
    for one in FORMATS:
        if one.begins is not None and head.startswith(one.begins):
            return one
    if head.startswith(b"\x1f\x8b"):
        return GZIP
    if head.startswith(_OLD_OFFICE):
        raise DataError(f"{name} is a workbook in the old format .xls, or locked. Save it as .xlsx without a password.")
    for mark, words in _OTHERS:
        if head.startswith(mark):
            raise DataError(f"{name} is {words}.")
    binary = {end for one in FORMATS if one.begins is not None or one.is_zip is not None for end in one.endings}
    if ending in binary and (b"\0" in head or _is_binary(head)):
        raise DataError(f"{name} is damaged or no .{ending} file: it does not begin like one. Write it again.")
    start = head.decode("utf-8", errors="ignore").lstrip("\ufeff \t\r\n")
    for one in FORMATS:
        if one.is_text is not None and (ending in one.endings or one.is_text(start)):
            return one
    if re.match(r"<(!doctype html|html|table|\?xml)", start, re.IGNORECASE):
        raise DataError(f"{name} is a web page or XML. Copy its table into a spreadsheet and export that as CSV.")
    if ending in ("json", "jsonl", "ndjson") or (start[:1] in "{[" and re.match(r'[{\[]\s*[{\["]', start)):
        raise DataError(f"{name} looks like JSON, which is not read. Save the table as CSV or Parquet.")
    return FORMATS[0]


def _of_zip(source, name):
    members = checked_members(source, name, FREE_ARRAY_EXPANSION)
    for one in FORMATS:
        if one.is_zip is not None and one.is_zip(members):
            return one
    names = [member.filename for member in members]
    if "mimetype" in names and "content.xml" in names:
        raise DataError(f"{name} is an OpenDocument spreadsheet. Save it as .xlsx or export it as CSV.")
    if any(one.startswith(("word/", "ppt/")) for one in names):
        raise DataError(f"{name} is a document or a presentation. Copy its table into a spreadsheet.")
    tables = the_table(members)
    if len(tables) == 1:
        return ZIP
    found = ", ".join(f"'{member.filename[:40]}'" for member in plain_members(members)[:5]) or "nothing"
    raise DataError(
        f"{name} holds {found}. A zip may hold one table (such as a .csv file), or one folder of PNG or JPEG pictures "
        "for each class."
    )


def the_table(members: Sequence[zipfile.ZipInfo]) -> list:
    """Return those members of a zip that may be tables."""
    endings = tuple(f".{ending}" for one in FORMATS if one.is_table for ending in one.endings)
    return [member for member in plain_members(members) if member.filename.lower().endswith(endings)]


def _is_binary(head):
    return sum(byte < 9 or 13 < byte < 32 for byte in head) > 0.01 * len(head)
