"""Store the jobs: one folder per job and one file per result, each written in one step."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import logging
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Container, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pages.jobs.setting import values_of
from pages.serving import private_files
from pages.serving.seldom_log import SeldomLog
from treecore.errors import TreecoreError, TreeFormatError

if TYPE_CHECKING:
    from pages.jobs.settings import JobSettings

ROOT = Path(__file__).resolve().parents[2]
KEPT_JOBS = 40

CELLS = "cells"  # folder of the results of methods on folds
OWN_DATA = "data"  # folder of user data sets
EDITS = "edits"  # folder of edited trees
LESSONS = "lessons"  # folder of built lessons
PROGRESS = "progress.json"
NO_JOBS = (CELLS, OWN_DATA, EDITS, LESSONS)
IN_USE = 3600.0  # seconds since the last change during which another server may still use a job
MOST_JOBS = 400
SLACK = 60.0  # seconds by which the clocks of disks and machines may differ
STARTED = time.time() - time.monotonic()
RUNNING_STATES = ("queued", "running")
_CHECKSUM = re.compile(rb'(?:, )?"checksum": "([0-9a-f]{32})"\}$')  # end of a file that `write_json` has written
_damaged = SeldomLog(__name__)
_CHOOSING = threading.Lock()  # prevents two threads from creating two temporary folders
Result = TypeVar("Result")


OTHER_JOB = "The stored record is not one of this job."


def jobs_folder() -> Path:
    """Return the jobs folder: $TAO_JOBS, else `.jobs` of the project, else a folder in the user's cache.

    If none of them is writable, return a temporary folder that is deleted when this process ends.
    """
    with _CHOOSING:
        return _writable(os.environ.get("TAO_JOBS"))


@cache
def _writable(configured: str | None) -> Path:
    candidates = [Path(configured)] if configured else [ROOT / ".jobs", *_in_cache()]
    for folder in candidates:
        with contextlib.suppress(OSError):
            private_files.make(folder)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    folder = Path(tempfile.mkdtemp(prefix="tao-jobs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["TAO_JOBS"] = str(folder)  # inherited by child processes
    logging.getLogger(__name__).warning(
        "%s is not writable. Results and user data are stored in %s until this server stops. Set TAO_JOBS to a "
        "writable folder.",
        candidates[0],
        folder,
    )
    return folder


def _in_cache() -> Iterator[Path]:
    with contextlib.suppress(RuntimeError):  # the user may not have a home folder
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treecore" / "jobs"


def request(settings: JobSettings) -> dict[str, Any]:
    """Return the request for a worker: the settings as a dict, with their kind (a name in `TASKS`)."""
    return {"kind": settings.kind, **asdict(settings)}


def job_id(settings: JobSettings, fingerprint: str, stamp: str) -> str:
    """Return the name of a job. Equal settings, data and code give equal names."""
    named = {"kind": settings.kind, **values_of(settings)}
    text = json.dumps([named, fingerprint, stamp], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write a JSON file with a checksum in one step, and create its folder.

    Raises OSError and leaves no incomplete file.
    """
    text = json.dumps(value).encode()
    end = b', "checksum": "%b"}' if value else b'"checksum": "%b"}'
    private_files.write(path, text[:-1] + end % _digest(text))


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:32].encode()


def cannot_be_kept(error: OSError) -> str:
    """Return the message for visitors if results cannot be stored."""
    return (
        f"The server's jobs folder is not writable ({error.strerror or str(error)}). Ask the server "
        "administrator to free space, then train again."
    )


def read_json(path: Path, is_checked: bool = False) -> Any:
    """Return the content of a JSON file, or None if it is missing or damaged. Damage is logged.

    is_checked : whether a file without a checksum is damaged too. Files of previous versions have none.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return None
    found = _CHECKSUM.search(content)
    text = content if found is None else content[: found.start()] + b"}"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if value is None or (is_checked if found is None else found[1] != _digest(text)):
        note_damage(path)
        return None
    return value


def note_damage(path: Path) -> None:
    """Log that a stored file is damaged, without the names of owners and tokens."""
    try:
        first, *others = path.relative_to(jobs_folder()).parts
    except ValueError:
        first, others = path.name, []
    shown = first if first in (OWN_DATA, EDITS) or not others else f"{first}/{others[-1]}"
    _damaged.warning("A stored file is damaged and counts as missing: %s", shown)


def write_point(folder: Path, record: dict[str, Any]) -> None:
    """Store one result of the job with this folder. Raises OSError."""
    write_json(point_path(folder, record["index"]), {"job": folder.name, **record})


def load_points(folder: Path, read: Callable[[dict], Result]) -> tuple[dict[int, Result], int | None]:
    """Return ({index: result}, total number of results or None) for the valid stored results of a job.

    A damaged result, a result of another job, and a result that does not match the data count as missing, so the job
    computes them again.

    read : function that converts a record to a result, or raises TreecoreError.
    """
    found = {}
    for path in sorted(folder.glob("point-*.json")):
        record = read_json(path, is_checked=True)
        if record is None:
            continue
        try:
            if not isinstance(record, dict) or record.pop("job", None) != folder.name:
                raise TreeFormatError(OTHER_JOB)
            if point_path(folder, record.get("index")) != path:
                raise TreeFormatError(OTHER_JOB)
            found[record["index"]] = read(record)
        except TreecoreError:
            note_damage(path)
    if found:
        with contextlib.suppress(OSError):
            os.utime(folder)  # marks the folder as recently used
    progress = _progress(folder)
    total = progress.get("total") if progress.get("state") == "done" else None
    return found, total if type(total) is int else None


def _progress(folder: Path) -> dict[str, Any]:
    progress = read_json(folder / PROGRESS)
    return progress if isinstance(progress, dict) else {}


def is_done(folder: Path) -> bool:
    """Test whether the stored results of a job are complete."""
    return _progress(folder).get("state") == "done"


def point_path(folder: Path, index: Any) -> Path:
    """Return the path of the file with one result of a job."""
    return folder / (f"point-{index:03d}.json" if type(index) is int else "")


def drop_old_jobs(folder: Path, keep: Container[str]) -> None:
    """Delete old jobs, except those named in `keep`.

    Up to `MOST_JOBS` recently changed jobs stay too, because another server may use them.
    """
    jobs = [path for path in folder.iterdir() if path.is_dir() and path.name not in NO_JOBS]
    for place, path in enumerate(sorted(jobs, key=age)):
        is_old = place >= KEPT_JOBS and (age(path) > IN_USE or place >= MOST_JOBS)
        if is_old and path.name not in keep:
            shutil.rmtree(path, ignore_errors=True)


def drop_oldest(folder: Path, count: int) -> None:
    """Delete all but the newest `count` JSON files of a folder.

    Other processes may delete files at the same time.
    """
    for path in sorted(folder.glob("*.json"), key=age)[count:]:
        path.unlink(missing_ok=True)


def age(path: Path) -> float:
    """Return the seconds since the last use of a file, or infinity if it does not exist.

    A second clock measures elapsed time, so files do not age when the system clock changes. A file with a time in the
    future counts as used now.
    """
    try:
        stamp = path.stat().st_mtime
    except OSError:
        return float("inf")
    wall = time.time()
    if stamp > wall + SLACK:
        stamp = wall
        with contextlib.suppress(OSError):
            os.utime(path, (wall, wall))
    return min(wall, STARTED + time.monotonic()) - stamp
