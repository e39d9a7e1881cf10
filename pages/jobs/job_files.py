"""Files of one training job: the worker process writes them, the app reads them. Each appears whole or not at all."""

import hashlib
import json
import os
import shutil
import tempfile
import uuid
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT_JOBS = 40

SHARED = "JOBLIB_TEMP_FOLDER"  # joblib's name for the folder of arrays that processes share
CELLS = "cells"  # folder of the results of methods on folds
OWN_DATA = "data"  # folder of the visitors' own data sets
EDITS = "edits"  # folder of trees that are being changed by hand
PROGRESS, REQUEST, CANCEL = "progress.json", "request.json", "cancel"
RUNNING_STATES = ("queued", "running")


def jobs_folder():
    """Folder of all jobs: $TAO_JOBS, else `.jobs` of the project, else one in the temporary folder."""
    wanted = os.environ.get("TAO_JOBS")
    for folder in (Path(wanted),) if wanted else (ROOT / ".jobs", Path(tempfile.gettempdir()) / "tao-jobs"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="tao-jobs-"))


def request(settings):
    """What the worker is asked for: settings as a dict, with their kind ("path", "phase", "tree" or "comparison")."""
    return {"kind": settings.kind, **asdict(settings)}


def job_id(settings, fingerprint, stamp):
    """Name of a job: equal settings, data and code have equal names."""
    text = json.dumps([request(settings), fingerprint, stamp], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_json(path, value):
    """Write a JSON file in one step."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    temporary.write_text(json.dumps(value), encoding="utf-8")
    os.replace(temporary, path)


def read_json(path):
    """Content of a JSON file, None when it is not there or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # not there, or damaged
        return None


def is_complete(folder):
    """Whether a folder holds a finished job with all its points."""
    progress = read_json(folder / PROGRESS)
    if not isinstance(progress, dict) or progress.get("state") != "done":
        return False
    done = progress.get("done", 0)
    return done > 0 and all(read_json(point_path(folder, index)) is not None for index in range(done))


def point_path(folder, index):
    """File of one point of a job."""
    return folder / f"point-{index:03d}.json"


def drop_old_jobs(folder, keep):
    """Delete all but the newest jobs; those named in `keep` stay."""
    jobs = [path for path in folder.iterdir() if path.is_dir() and path.name not in (CELLS, OWN_DATA, EDITS)]
    jobs.sort(key=lambda path: path.stat().st_mtime)
    for path in jobs[: max(0, len(jobs) - KEPT_JOBS)]:
        if path.name not in keep:
            shutil.rmtree(path, ignore_errors=True)


def drop_oldest(folder, count):
    """Delete all files of a folder but the newest `count`; others may do so at the same time."""
    files = sorted(folder.glob("*.json"), key=_age)
    for path in files[: max(0, len(files) - count)]:
        path.unlink(missing_ok=True)


def _age(path):
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # gone meanwhile
        return 0.0
