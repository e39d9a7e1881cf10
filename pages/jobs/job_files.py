"""Files of the jobs: a folder for each, a file for each result. Each appears whole or not at all."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Container, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pages.jobs.messages import MESSAGES
from pages.jobs.setting import values_of
from pages.serving import private_files
from treecore.errors import TreecoreError
from treecore.messages import Sentence

if TYPE_CHECKING:
    from pages.jobs.settings import JobSettings

ROOT = Path(__file__).resolve().parents[2]
KEPT_JOBS = 40

CELLS = "cells"  # folder of the results of methods on folds
OWN_DATA = "data"  # folder of the visitors' own data sets
EDITS = "edits"  # folder of trees that are being changed by hand
PROGRESS = "progress.json"
IN_USE = 3600.0  # seconds after its last change in which another server may be at work on a job
MOST_JOBS = 400
SLACK = 60.0  # seconds that clocks of disks and machines may differ
STARTED = time.time() - time.monotonic()
RUNNING_STATES = ("queued", "running")
_CHOOSING = threading.Lock()  # else two threads that find no folder make a temporary one each
Result = TypeVar("Result")


def jobs_folder() -> Path:
    """Folder of all jobs: $TAO_JOBS, else `.jobs` of the project, else one in the user's cache; where it cannot be
    written, a temporary one, which goes with this process."""
    with _CHOOSING:
        return _writable(os.environ.get("TAO_JOBS"))


@cache
def _writable(wanted: str | None) -> Path:
    wishes = [Path(wanted)] if wanted else [ROOT / ".jobs", *_in_cache()]
    for folder in wishes:
        with contextlib.suppress(OSError):
            private_files.make(folder)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    folder = Path(tempfile.mkdtemp(prefix="tao-jobs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["TAO_JOBS"] = str(folder)  # for the processes that this one starts
    logging.getLogger(__name__).warning(
        "%s is not writable: results and user data are stored in %s until this server stops. Set "
        "TAO_JOBS to another folder.",
        wishes[0],
        folder,
    )
    return folder


def _in_cache() -> Iterator[Path]:
    with contextlib.suppress(RuntimeError):  # there is no home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treecore" / "jobs"


def request(settings: JobSettings) -> dict[str, Any]:
    """What the worker is asked for: settings as a dict, with their kind, a name in `TASKS`."""
    return {"kind": settings.kind, **asdict(settings)}


def job_id(settings: JobSettings, fingerprint: str, stamp: str) -> str:
    """Name of a job: equal settings, data and code have equal names."""
    named = {"kind": settings.kind, **values_of(settings)}
    text = json.dumps([named, fingerprint, stamp], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file in one step, with its folder. Raises OSError, and leaves no half of it."""
    private_files.write(path, json.dumps(value).encode())


def cannot_be_kept(error: OSError) -> Sentence:
    """An OSError of writing results, in words for a visitor."""
    return MESSAGES("results_not_kept", why=error.strerror or str(error))


def read_json(path: Path) -> Any:
    """Content of a JSON file, None when it is not there or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def saved_points(folder: Path, read: Callable[[dict], Result]) -> tuple[dict[int, Result], int | None]:
    """({index: result}, number of all results or None) of what a job has left; what is damaged is left out.

    read : function that makes a result of a record, or raises TreecoreError
    """
    found = {}
    for path in sorted(folder.glob("point-*.json")):
        record = read_json(path)
        if isinstance(record, dict) and point_path(folder, record.get("index")) == path:
            with contextlib.suppress(TreecoreError):
                found[record["index"]] = read(record)
    if found:
        with contextlib.suppress(OSError):
            os.utime(folder)  # it is in use
    progress = read_json(folder / PROGRESS)
    is_done = isinstance(progress, dict) and progress.get("state") == "done"
    return found, progress.get("total") if is_done else None


def point_path(folder: Path, index: Any) -> Path:
    """File of one point of a job."""
    return folder / (f"point-{index:03d}.json" if type(index) is int else "")


def drop_old_jobs(folder: Path, keep: Container[str]) -> None:
    """Delete all but the newest jobs; those named in `keep` stay, and (of not too many) what another server may use."""
    jobs = [path for path in folder.iterdir() if path.is_dir() and path.name not in (CELLS, OWN_DATA, EDITS)]
    for place, path in enumerate(sorted(jobs, key=age)):
        is_old = place >= KEPT_JOBS and (age(path) > IN_USE or place >= MOST_JOBS)
        if is_old and path.name not in keep:
            shutil.rmtree(path, ignore_errors=True)


def drop_oldest(folder: Path, count: int) -> None:
    """Delete all files of a folder but the newest `count`; others may do so at the same time."""
    for path in sorted(folder.glob("*.json"), key=age)[count:]:
        path.unlink(missing_ok=True)


def age(path: Path) -> float:
    """Seconds since a file was used last, infinite where it is gone.

    A clock that is set while this process runs makes no file older: what has passed since the start is known from
    another clock. A file from the future (the clock was set back) counts as used now, and ages from now on.
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
