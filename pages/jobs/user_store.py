"""Store user data sets as files in the jobs folder, so that the app, its workers and every link find them by name.

Each data set is stored once. Each owner has a folder with a mark for each of the owner's data sets, next to the
uploaded files. Only the server can read these files. Unused ones are deleted.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pages.jobs import job_files
from pages.serving import owner_folders, private_files, shares
from pages.serving.quotas import Quotas
from sample_data import DataSet
from sample_data.user_data import store
from sample_data.user_data.recipe import Recipe
from treecore.errors import DataError, DataSetNotFound, TreecoreError

if TYPE_CHECKING:
    from treecore.model.project_parts import DataSource

NAME = re.compile(r"own-[0-9a-f]{12}")
_OWNER, _UPLOAD = re.compile(r"[0-9a-f]{32}"), re.compile(r"([0-9a-f]{32})-([0-9a-f]{32})")
KEPT, KEPT_BYTES = 400, 8_000_000_000  # limits for the data sets of all owners together, see `shares`
# limits for the data sets of one owner
KEPT_OF_ONE, BYTES_OF_ONE = Quotas.of().own_sets, 1_000_000 * Quotas.of().own_megabytes
KEPT_UPLOADS, UPLOAD_BYTES = 8, 2_000_000_000  # limits for the uploads of one owner, including files derived from them
ALL_UPLOAD_BYTES = 8_000_000_000
UPLOAD_HOURS = 12  # hours that an upload is kept, even for its own browser tab
OWNERS, FILE, DELETED = "owners", "file", "deleted"
_DRAFTS = 3600  # seconds after which an incomplete file is deleted


_USER_DATA_FULL = (
    "The server's storage for user data is full, mostly with data from your network address. Delete "
    "data on the Data page, or try again later."
)


def is_own(name: object) -> bool:
    """Test whether a name belongs to a user data set."""
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def fingerprint(data: DataSet | DataSource) -> str:
    """Return 12 digits that identify the content of a data set or `DataSource`.

    The name of a user data set contains these digits.
    """
    return data.name.removeprefix("own-") if is_own(data.name) else data.fingerprint[:12]


def hours() -> int:
    """Return the number of hours after which unused data are deleted."""
    return Quotas.of().kept_hours


def save(data: DataSet, recipe: Recipe | None = None, owner: str | None = None) -> None:
    """Store a data set under its name. Raises DataError if the folder is not writable."""
    _make()
    store.save(data, folder(), recipe, keep=None)
    own(data.name, owner)


def take_over(name: str, source: Path, owner: str | None) -> None:
    """Move the data set in the folder `source` to the store. Raises DataError if it cannot be stored."""
    _make()
    try:
        for ending in ("json", "npz"):
            draft = folder() / f".draft-{uuid.uuid4().hex}"
            shutil.copyfile(source / f"{name}.{ending}", draft)
            draft.chmod(private_files.FILE)
            private_files.replace(draft, folder() / f"{name}.{ending}")
    except OSError as fault:
        private_files.note_failure(fault)
        raise DataError(f"{name} could not be saved: {fault.strerror}.") from fault
    own(name, owner)


def own(name: str, owner: str | None) -> None:
    """Record the owner of a data set, and delete older data sets if the owner has too many; see also `shares`.

    Raises DataError if the storage of the server is full.
    """
    _make()
    try:
        (folder() / DELETED / name).unlink(missing_ok=True)
        if owner is not None:
            mark = private_files.folder(_of(owner)) / name
            private_files.touch(mark)
    except OSError as fault:
        private_files.note_failure(fault)
        raise DataError(f"{name} could not be stored on the server: {fault.strerror}. Try again later.") from fault
    if owner is not None:
        marks = _newest(path for path in mark.parent.iterdir() if is_own(path.name))
        for old in _beyond(marks, KEPT_OF_ONE, BYTES_OF_ONE, lambda path: _n_bytes(path.name)):
            if old != mark:
                _leave(old)
    kept = [*_list_sets()]
    newcomer = next((one for one in kept if one.what == name and one.owner == (owner or "")), None)
    for one in shares.to_drop(kept, newcomer, KEPT, KEPT_BYTES) if newcomer else ():
        if one.owner:
            _leave(folder() / OWNERS / one.owner / one.what)
        else:
            remove(one.what)
        if one is newcomer:
            raise DataError(_USER_DATA_FULL)


def _list_sets() -> Iterator[shares.StoredItem]:
    """Yield a `StoredItem` for each data set and owner, and for each data set without an owner."""
    marks = [mark for mark in (folder() / OWNERS).glob("*/own-*") if is_own(mark.name)]
    addresses = {place: owner_folders.address(place) for place in {mark.parent for mark in marks}}
    whose = [(mark.name, mark.parent.name, addresses[mark.parent]) for mark in marks]
    owned = {name for name, *_ in whose}
    for name, owner, address in [*whose, *((name, "", "") for name in store.names(folder()) if name not in owned)]:
        if n_bytes := _n_bytes(name):
            yield shares.StoredItem(name, owner, address, n_bytes, job_files.age(folder() / f"{name}.npz"))


def load(name: str) -> DataSet:
    """Return a DataSet by name. Raises DataSetNotFound with a remedy, or DataError if the file is damaged."""
    path = folder() / f"{name}.npz"
    if is_own(name) and _is_old(path):
        remove(name)
    try:
        data = store.load(name, folder())
    except DataSetNotFound as error:
        raise DataSetNotFound(_why_gone(name)) from error
    use(name)
    return data


def use(name: str) -> bool:
    """Test whether a data set exists, and mark it as used now."""
    try:
        os.utime(folder() / f"{name}.npz")
    except OSError:
        return False
    return True


def _why_gone(name: str) -> str:
    is_deleted = is_own(name) and (folder() / DELETED / name).exists()
    how = (
        "its owner deleted it"
        if is_deleted
        else f"data are deleted if they are unused for {hours():,} hours or exceed the storage limit"
    )
    return (
        f"The data set {name:.40} was made from a visitor's file and is not available: {how}. Open the file "
        "again on the Data page."
    )


def title(name: str) -> str | None:
    """Return the title of a data set, or None if it does not exist."""
    try:
        return store.load_words(name, folder())["title"]
    except TreecoreError:
        return None


def class_labels(name: str) -> dict[str, str]:
    """Return {class in the file: displayed label} of a user data set."""
    recipe = _recipe(name)
    return {} if recipe is None else recipe.labels


def row_names(name: str) -> str | None:
    """Return the ID column of a user data set, or None."""
    recipe = _recipe(name)
    return None if recipe is None else recipe.row_names


def _recipe(name: str) -> Recipe | None:
    try:
        return store.load_recipe(name, folder()) if is_own(name) else None
    except TreecoreError:
        return None


def note_origin(name: str, file: str, options: Iterable[tuple[str, Any]], source: dict[str, Any] | None = None) -> None:
    """Record the file that a user data set comes from, and its reading options (pairs of plain values).

    source : `Source` of a sample as a dict, or None for a file of the visitor.
    """
    with contextlib.suppress(OSError):  # on a full disk, only this record is lost
        job_files.write_json(_origin(name), {"file": file, "options": dict(options), "source": source})


def source(name: str) -> dict[str, Any] | None:
    """Return the `Source` of a data set that is a sample, as a dict with the key "recipe", or None."""
    source, recipe = _origin_of(name).get("source"), _recipe(name)
    return None if recipe is None or source is None else source | {"recipe": recipe.to_dict()}


def origin(name: str) -> dict[str, Any]:
    """Return the "file", "options" and "recipe" of a user data set, or {} if unknown.

    For the recipe, see `Recipe.to_dict`; it may be None. A sample of an entry of the folder also has "entry" and
    "digest".
    """
    found = _origin_of(name)
    if not found:
        return {}
    try:
        recipe = store.load_recipe(name, folder())
    except TreecoreError:
        return {}
    known = {name: found[name] for name in ("file", "options")}
    known |= {name: found["source"][name] for name in ("entry", "digest")} if found.get("source") else {}
    return known | {"recipe": None if recipe is None else recipe.to_dict()}


def _origin_of(name: str) -> dict[str, Any]:
    """Return the record of `note_origin`, or {} if there is none or it is damaged."""
    found = job_files.read_json(_origin(name)) if is_own(name) else None
    kinds = {"file": str, "options": dict}
    is_record = isinstance(found, dict) and all(isinstance(found.get(one), kind) for one, kind in kinds.items())
    source = found.get("source") if is_record else None
    is_whole = source is None or (isinstance(source, dict) and source.keys() >= {"entry", "digest"})
    return found if is_record and is_whole else {}


def names_of(owner: str) -> list[str]:
    """Return the names of the data sets of an owner, the newest first."""
    place = _of(owner)
    return [path.name for path in _newest(place.iterdir()) if is_own(path.name)] if place.is_dir() else []


def n_uploads(owner: str) -> int:
    """Return the number of stored uploads of an owner."""
    return sum(_OWNER.fullmatch(path.name) is not None for path in _of(owner).glob("*"))


def keep_upload(content: bytes, owner: str, host: str | None = None) -> str:
    """Store an upload in a file. Return its name, which `upload` accepts.

    host : address of the sender, None for this machine. Raises DataError if it cannot be stored.
    """
    token = f"{owner}-{uuid.uuid4().hex}"
    _make()
    try:
        place = owner_folders.make(folder() / OWNERS, owner, host) / token.rpartition("-")[2]
        private_files.write(place / FILE, content)
        trim_uploads(token)
    except OSError as fault:
        drop_upload(token)
        raise DataError(f"The file could not be stored on the server: {fault.strerror}. Try again later.") from fault
    return token


def trim_uploads(token: str) -> None:
    """Delete old uploads beyond the limits, together with files derived from them.

    The owner and all owners together have limits, see `shares`. Raises DataError if this upload itself is deleted.
    """
    now = place_of_upload(token)
    mine = _newest(place for place in now.parent.iterdir() if _OWNER.fullmatch(place.name))
    for old in _beyond(mine, KEPT_UPLOADS, UPLOAD_BYTES, _n_bytes_below):
        if old != now:
            shutil.rmtree(old, ignore_errors=True)
    places = [path for path in now.parents[1].glob("*/*") if _OWNER.fullmatch(path.name)]
    addresses = {place: owner_folders.address(place) for place in {path.parent for path in places}}
    kept = [
        shares.StoredItem(path, path.parent.name, addresses[path.parent], _n_bytes_below(path), job_files.age(path))
        for path in places
    ]
    newcomer = next((one for one in kept if one.what == now), None)
    for one in shares.to_drop(kept, newcomer, len(kept), ALL_UPLOAD_BYTES) if newcomer else ():
        shutil.rmtree(one.what, ignore_errors=True)
        if one is newcomer:
            raise DataError(_USER_DATA_FULL)


def upload(token: str) -> Path | None:
    """Return the path of a stored upload, or None if it has been deleted."""
    path = place_of_upload(token) / FILE
    if not path.is_file() or _is_old(path.parent, UPLOAD_HOURS):
        return None
    os.utime(path.parent)  # marks the upload as recently used
    return path


def uploads_of(owner: str) -> list[str]:
    """Return the names of an owner's stored uploads, the newest first; `upload` accepts each name."""
    places = _newest(path for path in _of(owner).glob("*") if _OWNER.fullmatch(path.name))
    return [f"{owner}-{path.name}" for path in places if upload(f"{owner}-{path.name}") is not None]


def place_of_upload(token: str) -> Path:
    """Return the folder of an upload and of files derived from it.

    An invalid name gives a folder that does not exist.
    """
    found = _UPLOAD.fullmatch(token)
    return folder() / OWNERS / found[1] / found[2] if found else folder() / OWNERS / "none"


def drop_upload(token: str) -> None:
    """Delete an upload and all files derived from it."""
    shutil.rmtree(place_of_upload(token), ignore_errors=True)


def delete(owner: str, names: Iterable[str] = ()) -> list[str]:
    """Delete the uploads, data sets, results and edited trees of an owner. Return the names of the data sets.

    names : further data sets that have no other owner. If other owners have the same data set, they keep it.
    """
    place, gone = _of(owner), []
    for name in dict.fromkeys([*names_of(owner), *filter(is_own, names)]):
        (place / name).unlink(missing_ok=True)
        if not _has_owner(name):
            private_files.touch(private_files.folder(folder() / DELETED) / name)
            remove(name)
        gone.append(name)
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(owner_folders.of(job_files.jobs_folder() / job_files.EDITS, owner), ignore_errors=True)
    return gone


def drop_unused() -> None:
    """Delete data sets that have been unused for `hours`, their results, and incomplete files."""
    for path in [*folder().glob("own-*.npz")]:
        if _is_old(path):
            remove(path.stem)
    for mark in [*(folder() / OWNERS).glob("*/own-*")]:
        if not (folder() / f"{mark.name}.npz").is_file():
            mark.unlink(missing_ok=True)
    for place in [*(folder() / OWNERS).glob("*/*")]:
        if _OWNER.fullmatch(place.name) and _is_old(place, UPLOAD_HOURS):
            shutil.rmtree(place, ignore_errors=True)
    for place in [*(folder() / OWNERS).glob("*")]:
        with contextlib.suppress(OSError):
            owner_folders.remove_empty(place)
    for mark in [*(folder() / DELETED).glob("*")]:
        if _is_old(mark):
            mark.unlink(missing_ok=True)
    shutil.rmtree(folder() / "uploads", ignore_errors=True)  # folder used by previous versions
    for draft in [*folder().glob(".draft-*")]:
        if job_files.age(draft) > _DRAFTS:
            draft.unlink(missing_ok=True)
    sets = set(store.names(folder()))
    _drop_jobs(lambda name: is_own(name) and name not in sets)


def folder() -> Path:
    """Return the folder of all user data sets."""
    return job_files.jobs_folder() / job_files.OWN_DATA


def _make() -> None:
    """Create the folders. Raises DataError if that fails."""
    try:
        private_files.folder(folder())
        private_files.folder(folder() / OWNERS)
    except OSError as fault:
        private_files.note_failure(fault)
        raise DataError(f"The server cannot store anything: {fault.strerror}. Try again later.") from fault


def _of(owner: str) -> Path:
    return owner_folders.of(folder() / OWNERS, owner)


def _leave(mark: Path) -> None:
    """Remove an owner's mark on a data set; with the last mark, remove the data set."""
    mark.unlink(missing_ok=True)
    if not _has_owner(mark.name):
        remove(mark.name)


def _has_owner(name: str) -> bool:
    return any((folder() / OWNERS).glob(f"*/{name}"))


def _origin(name: str) -> Path:
    return folder() / f"{name}.origin"


def remove(name: str) -> None:
    store.remove(name, folder())
    _origin(name).unlink(missing_ok=True)
    for mark in [*(folder() / OWNERS).glob(f"*/{name}")]:
        mark.unlink(missing_ok=True)
    _drop_jobs(lambda other: other == name)


def _drop_jobs(is_gone: Callable[[Any], bool]) -> None:
    """Delete the jobs on data sets, and the edited trees made from them (see `JobQueue.drop_data`)."""
    jobs = job_files.jobs_folder()
    for cells in [*(jobs / job_files.CELLS).glob("own-*")]:
        if is_gone(cells.name):
            shutil.rmtree(cells, ignore_errors=True)
    for path in [*jobs.glob(f"*/{job_files.PROGRESS}")]:
        progress = job_files.read_json(path)
        if not isinstance(progress, dict) or not is_gone(progress.get("data_set")):
            continue
        shutil.rmtree(path.parent, ignore_errors=True)
        _drop_edits(lambda saved, job=path.parent.name: str(saved.get("name")).startswith(job))
    _drop_edits(lambda saved: is_gone(saved.get("data_set", "")))


def _drop_edits(is_gone: Callable[[Any], bool]) -> None:
    for edit in [*(job_files.jobs_folder() / job_files.EDITS).rglob("*.json")]:
        saved = job_files.read_json(edit)
        if isinstance(saved, dict) and is_gone(saved):
            edit.unlink(missing_ok=True)


def _newest(paths: Iterable[Path]) -> list[Path]:
    return sorted(paths, key=job_files.age)


def _beyond(paths: Sequence[Path], most: int, most_bytes: int, size: Callable[[Path], int]) -> list[Path]:
    """Return the paths beyond a maximum number of files or total size, counted from the start of the list."""
    total, beyond = 0, []
    for place, path in enumerate(paths):
        total += size(path)
        if place >= most or total > most_bytes:
            beyond.append(path)
    return beyond


def _n_bytes(name: str) -> int:
    path = folder() / f"{name}.npz"
    return path.stat().st_size if path.is_file() else 0


def _n_bytes_below(place: Path) -> int:
    """Return the total size of an upload and all files derived from it, in bytes."""
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            with contextlib.suppress(OSError):  # the file has been deleted in the meantime
                total += os.stat(os.path.join(folder, name)).st_size
    return total


def _is_old(path: Path, most: float = float("inf")) -> bool:
    return path.exists() and job_files.age(path) > 3600 * min(hours(), most)
