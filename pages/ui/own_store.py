"""Where the visitors' own data are: files in the jobs folder, which the app, its worker and every link find by name."""

import os
import re
import uuid

from pages.ui import job_files
from sample_data.own_data import store
from treecore import DataSetNotFound

NAME = re.compile(r"own-[0-9a-f]{12}")
KEPT = 24  # data sets
KEPT_BYTES = 4_000_000_000
UPLOADS = "uploads"
KEPT_UPLOADS = 12


def is_own(name):
    """Whether a name is that of a visitor's own data set."""
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def fingerprint(data):
    """The 12 digits that name a data set and what is in it; of own data those of its name."""
    return data.name.removeprefix("own-") if is_own(data.name) else data.fingerprint[:12]


def save(data):
    """Keep a data set under its name; those that were not used for the longest time give way."""
    store.save(_folder(), data)
    _drop_old(_folder(), KEPT, data.name)


def load(name):
    """DataSet by name. Raises DataSetNotFound, with what to do, and DataError for a damaged file."""
    try:
        data = store.load(_folder(), name)
    except DataSetNotFound as error:
        raise DataSetNotFound(
            f"The data set {name[:40]} was made from somebody's own file and is not here any more: the newest {KEPT} "
            "are kept. Open the file again on the Data page."
        ) from error
    for path in _files(_folder(), name):
        os.utime(path)
    return data


def keep_upload(content):
    """Write what was uploaded (bytes) to a file of its own; returns its name for `upload`."""
    folder = _folder() / UPLOADS
    folder.mkdir(exist_ok=True)
    token = uuid.uuid4().hex
    (folder / token).write_bytes(content)
    _drop_old(folder, KEPT_UPLOADS, token)
    return token


def upload(token):
    """Path of a kept upload; None when it has given way to newer ones."""
    path = _folder() / UPLOADS / token
    return path if path.is_file() else None


def drop_upload(token):
    """Delete a kept upload."""
    (_folder() / UPLOADS / token).unlink(missing_ok=True)


def _folder():
    folder = job_files.jobs_folder() / job_files.OWN_DATA
    folder.mkdir(exist_ok=True)
    return folder


def _files(folder, name):
    return [path for path in folder.iterdir() if path.is_file() and path.stem == name]


def _drop_old(folder, count, newest):
    """Delete the oldest files until at most `count` of at most `KEPT_BYTES` are left; the newest stays."""
    files = sorted((path for path in folder.iterdir() if path.is_file()), key=lambda path: -path.stat().st_mtime)
    total = 0
    for place, path in enumerate(files):
        total += path.stat().st_size
        if (place >= count or total > KEPT_BYTES) and path.stem != newest:
            path.unlink(missing_ok=True)
