"""`private_files`: the one place that makes folders and files with visitors' data, which only the server can read."""

import contextlib
import os
import uuid

from pages.serving.messages import MESSAGES
from pages.serving.seldom_log import SeldomLog

FOLDER, FILE = 0o700, 0o600  # modes
_failures = SeldomLog(__name__)


def make(path):
    """Make a folder (Path) that is missing, and its missing parents. Raises OSError."""
    if not path.is_dir():
        for one in reversed([one for one in (path, *path.parents) if not one.is_dir()]):
            one.mkdir(mode=FOLDER, exist_ok=True)
    return path


def folder(path):
    """Make a folder (Path) that is missing, and close one that others can look into. Raises OSError."""
    make(path)
    if path.stat().st_mode & ~FOLDER & 0o777:
        path.chmod(FOLDER)
    return path


def touch(path):
    """Make an empty file (Path), or count it as used now. Raises OSError."""
    path.touch(mode=FILE)


def write(path, content):
    """Write bytes to a file (Path) in one step, with its folder. Raises OSError, leaves no half of it, and logs why."""
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        make(path.parent)
        with open(draft, "wb", opener=_private) as stream:
            stream.write(content)
        os.replace(draft, path)
    except OSError as fault:
        note_failure(fault)
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def note_failure(fault):
    """Log that a file cannot be kept (OSError), such as on a full disk."""
    _failures.warning(MESSAGES("disk", why=fault.strerror or str(fault)))


def _private(name, flags):
    return os.open(name, flags, FILE)
