"""Where the visitors' own data are: files in the jobs folder, which the app, its worker and every link find by name."""

import os
import re
import uuid

from pages.jobs import job_files
from sample_data.user_data import store
from treecore.errors import DataSetNotFound, TreecoreError

NAME = re.compile(r"own-[0-9a-f]{12}")
KEPT, KEPT_BYTES = 24, 4_000_000_000  # of data sets; those that were not used for the longest time give way
UPLOADS = "uploads"
KEPT_UPLOADS, KEPT_UPLOAD_BYTES = 60, 2_000_000_000


def is_own(name):
    """Whether a name is that of a visitor's own data set."""
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def fingerprint(data):
    """The 12 digits that name a data set and what is in it; of own data those of its name."""
    return data.name.removeprefix("own-") if is_own(data.name) else data.fingerprint[:12]


def save(data, recipe=None):
    """Keep a data set under its name. Raises DataError where the folder cannot be written."""
    folder = _folder()
    store.save(data, folder, recipe, KEPT)
    total = 0
    for name in store.names(folder):
        total += (folder / f"{name}.npz").stat().st_size
        if total > KEPT_BYTES and name != data.name:
            store.remove(name, folder)


def load(name):
    """DataSet by name. Raises DataSetNotFound, with what to do, and DataError for a damaged file."""
    folder = _folder()
    try:
        data = store.load(name, folder)
    except DataSetNotFound as error:
        raise DataSetNotFound(
            f"The data set {name[:40]} was made from somebody's own file and is not here any more: the newest {KEPT} "
            "are kept. Open the file again on the Data page."
        ) from error
    os.utime(folder / f"{name}.npz")  # it is in use
    return data


def title(name):
    """Title of a data set, or None where it is not here."""
    try:
        return store.load_words(name, _folder())["title"]
    except TreecoreError:
        return None


def target(name):
    """Column whose classes an own data set predicts, None where that is not known."""
    try:
        recipe = store.load_recipe(name, _folder()) if is_own(name) else None
    except TreecoreError:
        return None
    return None if recipe is None else recipe.target


def keep_upload(content):
    """Write what was uploaded (bytes) to a file of its own; returns its name for `upload`."""
    folder = _folder() / UPLOADS
    folder.mkdir(exist_ok=True)
    token = uuid.uuid4().hex
    (folder / token).write_bytes(content)
    files = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for place, path in enumerate(files):
        total += path.stat().st_size
        if path.name != token and (place >= KEPT_UPLOADS or total > KEPT_UPLOAD_BYTES):
            path.unlink(missing_ok=True)
    return token


def upload(token):
    """Path of a kept upload; None when it has given way to newer ones."""
    path = _folder() / UPLOADS / token
    if not path.is_file():
        return None
    os.utime(path)  # it is in use
    return path


def drop_upload(token):
    """Delete a kept upload."""
    (_folder() / UPLOADS / token).unlink(missing_ok=True)


def _folder():
    folder = job_files.jobs_folder() / job_files.OWN_DATA
    folder.mkdir(exist_ok=True)
    return folder
