"""Files of the command line; ``-`` is standard input or output."""

import sys
from pathlib import Path

from treecore.errors import DataError, TreeFormatError
from treecore.model import Model

STANDARD = "-"
MOST_BYTES = 512 * 1024 * 1024


def read_bytes(name):
    """Content of a file. Raises DataError."""
    if name == STANDARD:
        return sys.stdin.buffer.read()
    try:
        if Path(name).stat().st_size > MOST_BYTES:
            raise DataError(f"{name} is larger than {MOST_BYTES // 2**20} MB.")
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name!r} cannot be read: {_reason(error)}.") from None


def read_model(name):
    """`Model` of a file. Raises DataError, TreeFormatError."""
    content = read_bytes(name)
    try:
        return Model.from_json(content)
    except TreeFormatError as error:
        raise TreeFormatError(f"{name}: {error}") from None


def write(name, content):
    """Write a text or bytes, whole or not at all. Raises DataError."""
    block = content.encode("utf-8") if isinstance(content, str) else content
    if name == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()
        return
    target = Path(name)
    part = target.with_name(f"{target.name}.part")
    try:
        part.write_bytes(block)
        part.replace(target)
    except (OSError, ValueError) as error:
        raise DataError(f"{name!r} cannot be written: {_reason(error)}.") from None


def tell(text):
    """A line for who runs the command; standard error, since standard output may be a file."""
    sys.stderr.write(f"{text}\n")


def _reason(error):
    return getattr(error, "strerror", None) or str(error)
