"""Read untrusted zip and gzip files, and check their sizes before unpacking them."""

import gzip
import io
import shutil
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from sample_data.user_data.limits import FREE_EXPANSION, MAX_BYTES, MAX_EXPANSION, MAX_MEMBERS
from treecore.errors import DataError

# Exceptions of zipfile and the decompressors for damaged bytes; RuntimeError means an encrypted member.
ARCHIVE_FAULTS = (OSError, EOFError, ValueError, KeyError, RuntimeError, OverflowError, zipfile.BadZipFile, zlib.error)


def as_file(source: bytes | Path) -> io.BytesIO | Path:
    """Return an object that zipfile and similar modules open: a stream of the bytes, or the Path."""
    return io.BytesIO(source) if isinstance(source, bytes) else source


def place(source: bytes | Path, path: Path) -> None:
    """Make the content of a source available at a path, by a link if the system permits it."""
    if isinstance(source, bytes):
        path.write_bytes(source)
        return
    try:
        path.symlink_to(source.resolve())
    except OSError:  # on Windows, most users may not create links
        shutil.copyfile(source, path)


def check_members(source: bytes | Path, name: str, free: int = FREE_EXPANSION) -> list[zipfile.ZipInfo]:
    """Return the members of a zip file.

    Raises DataError if the file is damaged, or if it would unpack both to more than `free` bytes and to more than
    `MAX_EXPANSION` times its size.
    """
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    try:
        with zipfile.ZipFile(as_file(source)) as archive:
            members = archive.infolist()
    except (*ARCHIVE_FAULTS, NotImplementedError) as fault:
        raise DataError(f"{name} is a damaged or incomplete archive. Save or upload it again.") from fault
    if len(members) > MAX_MEMBERS:
        raise DataError(f"{name} contains {len(members):,} files (maximum {MAX_MEMBERS:,}).")
    if any(member.flag_bits & 1 for member in members):
        raise DataError(f"{name} has a password. Save it without a password.")
    total = sum(member.file_size for member in members)
    if total > max(free, MAX_EXPANSION * n_bytes):
        raise DataError(
            f"{name} has {n_bytes / 1000000.0:,.1f} MB but would unpack to {total / 1000000.0:,.0f} MB. For "
            "security, the app does not unpack it. Save the table as CSV or Parquet."
        )
    return members


def unpack_member(source: bytes | Path, name: str, member: zipfile.ZipInfo) -> bytes:
    """Return the bytes of one member of a checked zip file, up to `MAX_BYTES`."""
    if member.file_size > MAX_BYTES:
        raise DataError(
            f"{name} unpacks to {member.file_size / 1000000.0:,.0f} MB (maximum {MAX_BYTES / 1000000.0:,.0f} "
            "MB). Save the table as Parquet."
        )
    try:
        with zipfile.ZipFile(as_file(source)) as archive:
            return archive.read(member)
    except (*ARCHIVE_FAULTS, NotImplementedError) as fault:
        raise DataError(
            f"{name} is damaged: its file '{member.filename:.80}' cannot be unpacked. Save it again."
        ) from fault


def unpack_gzip(source: bytes | Path, name: str) -> bytes:
    """Return the content of a gzip file, up to `MAX_BYTES`."""
    try:
        with gzip.open(as_file(source)) as stream:
            content = stream.read(MAX_BYTES + 1)
    except ARCHIVE_FAULTS as fault:
        raise DataError(f"{name} is damaged and cannot be unpacked. Save or upload it again.") from fault
    if len(content) > MAX_BYTES:
        raise DataError(
            f"{name} unpacks to more than {MAX_BYTES / 1000000.0:,.0f} MB (the maximum). Save the table as Parquet."
        )
    return content


def plain_members(members: Iterable[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Return the visible files of a zip file, without folders and without paths that leave it."""
    kept = []
    for member in members:
        parts = Path(member.filename.replace("\\", "/")).parts
        hidden = any(part.startswith((".", "__MACOSX")) for part in parts)
        if parts and not member.is_dir() and not hidden and parts[0] != "/" and parts[-1] != "Thumbs.db":
            kept.append(member)
    return kept
