"""Files for the command line; ``-`` is standard input or output."""

import argparse
import glob
import json
import os
import secrets
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from treecore.errors import DataError, ParameterError, TreeFormatError
from treecore.model.model import Model

STANDARD = "-"
MOST_BYTES = 512 * 1024 * 1024


def is_there(name: str) -> bool:
    """Return whether a file of this name exists, False for an invalid name."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # The name is too long or contains NUL.
        return False


def expanded(names: list[str]) -> list[str]:
    """Expand patterns (``*``, ``?``, ``**``) to sorted file names, because not every shell does.

    Raise DataError if a pattern matches no file.
    """
    found = []
    for name in names:
        fitting = [name]
        if glob.has_magic(name) and not is_there(name):
            fitting = sorted(glob.glob(name, recursive=True))
        if not fitting:
            raise DataError(not_found(name))
        found += fitting
    return found


def read_bytes(name: str) -> bytes:
    """Return the content of a file. Raise DataError if it cannot be read."""
    if name == STANDARD:
        return sys.stdin.buffer.read()
    try:
        if Path(name).stat().st_size > MOST_BYTES:
            raise DataError(f"{name} is too large (maximum {MOST_BYTES // 2**20} MB).")
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:  # A name with NUL raises ValueError.
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name!r:.200} cannot be read: {_reason(error)}.") from None


def read_model(name: str) -> Model:
    """Return the `Model` in a file. Raise DataError or TreeFormatError if it cannot be read."""
    content = read_bytes(name)
    try:
        return Model.from_json(content)
    except TreeFormatError as error:
        raise TreeFormatError(f"{name}: {error}") from None


def write(name: str, content: bytes | str) -> None:
    """Write text or bytes to a file, completely or not at all. Raise DataError if that fails.

    Special files such as /dev/null are never replaced.
    """
    block = content.encode("utf-8") if isinstance(content, str) else content
    if name == STANDARD:
        sys.stdout.flush()
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(block)
        else:  # the output of a notebook, or a redirected one
            sys.stdout.write(block.decode("utf-8"))
        sys.stdout.flush()
        return
    with writing(name):
        target = Path(name).resolve()  # keeps a symbolic link
        if target.is_dir():
            raise DataError(f"{name!r} is a folder. Pass a file.")
        if target.exists() and not target.is_file():
            target.write_bytes(block)
        else:
            _replace(target, block)


@contextmanager
def writing(name: str) -> Generator[None]:
    """Convert errors of the file system to DataErrors that name the file."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:  # The name contains NUL, or links form a circle.
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name!r:.200} cannot be written: {_reason(error)}.") from None


def output(name: str) -> str:
    """Return the path of an output argument. Reject a file that cannot be written, before any work starts."""
    try:
        target = Path(name).resolve()
        folder, is_folder = target.parent, target.is_dir()
        may_write = os.access(target if target.exists() and not target.is_file() else folder, os.W_OK)
    except (OSError, ValueError, RuntimeError) as error:
        raise argparse.ArgumentTypeError(f"{name!r:.200} cannot be written: {_reason(error)}") from None
    if name == STANDARD or (may_write and not is_folder):
        return name
    reason = (
        "it is a folder"
        if is_folder
        else f"the folder {str(folder)!r:.200} " + ("is not writable" if folder.is_dir() else "does not exist")
    )
    raise argparse.ArgumentTypeError(f"{name!r:.200} cannot be written: {reason}")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--json`` for `write_figures`."""
    parser.add_argument("--json", action="store_true", help="write the metrics as JSON to standard output")


def check_outputs(options: argparse.Namespace, *outputs: str | None) -> None:
    """Raise ParameterError if more than one output is standard output."""
    if (options.json, *(one == STANDARD for one in outputs)).count(True) > 1:
        raise ParameterError(
            "Only one output can use standard output. Pass a file for each other output, or remove --json."
        )


def write_figures(options: argparse.Namespace, figures: dict | list) -> None:
    """Write metrics if ``--json`` was passed. NaN and infinity become null."""
    if options.json:
        write(STANDARD, json.dumps(_plain(figures), indent=2, ensure_ascii=False) + "\n")


def progress(text: str) -> None:
    """Print a progress line on a terminal. The next line replaces it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")


def _plain(value):
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not -float("inf") < value < float("inf") else value


def _replace(target, block):
    """Write to a new file in the same folder, and replace the target with it."""
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(block)
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def tell(text: str) -> None:
    """Print a line on standard error, because standard output may be a file."""
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""  # erases a progress line
    sys.stderr.write(f"{clear}{text}\n")


def _reason(error):
    return getattr(error, "strerror", None) or str(error)


def not_found(name: Any) -> str:
    """Return the message about a file that was not found."""
    return f"File {name!r:.200} not found."
