"""Create visitors' files and folders, which only the server can read."""

import contextlib
import os
import time
import uuid
from pathlib import Path

from pages.serving.seldom_log import SeldomLog

FOLDER, FILE = 0o700, 0o600  # permissions
WAITS = (0.005, 0.02, 0.1, 0.4)  # seconds between attempts to replace a file that is read
_failures = SeldomLog(__name__)


def make(path: Path) -> Path:
    """Create a folder and its missing parents. Raises OSError."""
    if not path.is_dir():
        for one in reversed([one for one in (path, *path.parents) if not one.is_dir()]):
            one.mkdir(mode=FOLDER, exist_ok=True)
    return path


def folder(path: Path) -> Path:
    """Create a folder, or restrict the access to an existing one. Raises OSError."""
    make(path)
    if path.stat().st_mode & ~FOLDER & 0o777:
        path.chmod(FOLDER)
    return path


def touch(path: Path) -> None:
    """Create an empty file, or update its time of use. Raises OSError."""
    path.touch(mode=FILE)


def write(path: Path, content: bytes) -> None:
    """Write bytes to a file in one step, and create its folder.

    Raises OSError, logs its cause and leaves no incomplete file.
    """
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        make(path.parent)
        with open(draft, "wb", opener=_private) as stream:
            stream.write(content)
        replace(draft, path)
    except OSError as fault:
        note_failure(fault)
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def replace(draft: Path, path: Path) -> None:
    """Move a file over another one in one step. On Windows, wait a moment if a process is reading the old file."""
    for pause in WAITS if os.name == "nt" else ():
        with contextlib.suppress(PermissionError):
            os.replace(draft, path)
            return
        time.sleep(pause)
    os.replace(draft, path)


def note_failure(fault: OSError) -> None:
    """Log that a file cannot be stored, for example because the disk is full."""
    _failures.warning(f"The jobs folder is not writable: {fault.strerror or str(fault)}. Free space on its disk.")


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, FILE)
