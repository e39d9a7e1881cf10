"""List the Parquet files of a folder from their metadata, and choose the random rows of the sample of an entry."""

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sample_data.user_data.limits import MAX_CELLS
from treecore.errors import DataError
from treecore.messages import counted, plural

VARIABLE = "TAO_DATA_FOLDER"
ENDINGS = (".parquet", ".pq")
MOST_FILES, MOST_DEPTH = 2_000, 4


class FolderFile(NamedTuple):
    """Parquet file.

    path : str; n_rows : tuple of int, rows of each row group; columns : str, digest of the names and types of the
    columns; n_columns, n_bytes : int; fault : reason why the file cannot be used, or "".
    """

    path: str
    n_rows: tuple[int, ...]
    columns: str
    n_columns: int
    n_bytes: int
    fault: str = ""


class FolderEntry(NamedTuple):
    """File, or folder of several files with the same columns.

    name : path relative to the folder of the machine, with "/"; files : sorted by path.
    """

    name: str
    files: tuple[FolderFile, ...]

    @property
    def title(self) -> str:
        """Return the name without the "/" of a folder."""
        return self.name.rstrip("/")

    @property
    def n_rows(self) -> int:
        return sum(sum(file.n_rows) for file in self.files)

    @property
    def n_columns(self) -> int:
        return self.files[0].n_columns

    @property
    def n_bytes(self) -> int:
        return sum(file.n_bytes for file in self.files)

    @property
    def fault(self) -> str:
        damaged = next((file.fault for file in self.files if file.fault), "")
        return damaged or ("" if self.n_rows else f"{self.name} has no rows. Remove the file, or write it again.")

    @property
    def digest(self) -> str:
        """Return 16 digits that change when a file of the entry is written again with other rows or columns."""
        content = [(os.path.basename(file.path), *file[1:5]) for file in self.files]
        return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


class FolderList(NamedTuple):
    """Entries of a folder, sorted by name, and notes on files that are not listed."""

    entries: tuple[FolderEntry, ...]
    notes: tuple[str, ...]


def data_folder() -> Path | None:
    """Return the folder in the environment variable `VARIABLE`, or None."""
    folder = os.environ.get(VARIABLE, "").strip()
    return Path(folder) if folder else None


def list_entries(folder: Path) -> FolderList:
    """Return the `FolderList` of a folder.

    Parquet files in the same subfolder with the same columns are one entry. Hidden files are left out, and links are
    not followed out of the folder. Raises DataError if the folder cannot be read.
    """
    root = folder.resolve()
    try:
        os.scandir(root).close()
    except PermissionError as fault:
        raise DataError(no_permission(folder)) from fault
    except OSError as fault:
        raise DataError(f"{folder} is not a folder. Restart the app with an existing folder.") from fault
    found: dict[str, list[FolderFile]] = {}
    n_files = n_others = 0
    unreadable, is_cut = [], False
    for place, one in _walk(root, root, MOST_DEPTH, unreadable):
        if not one.name.lower().endswith(ENDINGS):
            n_others += 1
            continue
        n_files += 1
        if n_files > MOST_FILES:
            is_cut = True
            break
        facts = one.stat()
        found.setdefault(place, []).append(_file(one.path, facts.st_size, facts.st_mtime_ns))
    entries = [entry for place, files in found.items() for entry in _entries(root, place, files)]
    notes = (
        [(f"Only the first {MOST_FILES:,} Parquet files are listed. Choose a smaller folder when the app starts.")]
        if is_cut
        else []
    )
    notes += (
        [
            (
                f"{counted(n_others, 'file')} of {plural(n_others, 'another format is', 'other formats are')} not "
                "listed. Only Parquet files are supported."
            )
        ]
        if n_others
        else []
    )
    notes += (
        [
            (
                f"Files or folders without permission are not listed, for example {unreadable[0]}. Change their "
                "permissions."
            )
        ]
        if unreadable
        else []
    )
    return FolderList(tuple(sorted(entries, key=lambda entry: entry.name)), tuple(notes))


def find_entry(folder: Path | None, name: str, digest: str | None = None) -> FolderEntry:
    """Return the entry of a folder with this name.

    folder : None for no folder; digest : expected `FolderEntry.digest`, or None. Raises DataError if the entry is
    absent, damaged or changed.
    """
    entries = () if folder is None else list_entries(folder).entries
    entry = next((one for one in entries if one.name == name), None)
    if entry is None:
        raise DataError(entry_gone(name))
    if entry.fault:
        raise DataError(entry.fault)
    if digest is not None and entry.digest != digest:
        raise DataError(entry_changed(name))
    return entry


def _walk(root: Path, place: Path, depth: int, unreadable: list[str]) -> Iterator[tuple[str, os.DirEntry]]:
    """Yield (folder, file) for all files below `place`, sorted by name."""
    try:
        with os.scandir(place) as opened:
            inside = sorted(opened, key=lambda one: one.name)
    except OSError:
        unreadable.append(place.relative_to(root).as_posix())
        return
    folders = []
    for one in inside:
        if one.name.startswith((".", "_")):
            continue
        if one.is_dir(follow_symlinks=False):
            folders.append(Path(one.path))
        elif one.is_file() and (not one.is_symlink() or Path(one.path).resolve().is_relative_to(root)):
            yield str(place), one
    for one in folders if depth > 1 else ():
        yield from _walk(root, one, depth - 1, unreadable)


def _entries(root, place, files):
    """Return one entry for the files of a folder with the same columns, or else one for each file."""
    usable = [file for file in files if not file.fault]
    if len(usable) > 1 and place != str(root) and len({file.columns for file in usable}) == 1:
        damaged = [FolderEntry(_name(root, file.path), (file,)) for file in files if file.fault]
        return [FolderEntry(f"{_name(root, place)}/", tuple(usable)), *damaged]
    return [FolderEntry(_name(root, file.path), (file,)) for file in files]


def _name(root, path):
    return Path(path).relative_to(root).as_posix()


def _file(path: str, n_bytes: int, changed: int) -> FolderFile:
    import pyarrow  # slow import

    name = os.path.basename(path)
    try:
        return _facts(path, n_bytes, changed)
    except PermissionError:
        fault = no_permission(name)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        fault = unread_entry(name, str(error).partition("\n")[0][:120].rstrip("."))
    return FolderFile(path, (), "", 0, n_bytes, fault)


@lru_cache(2 * MOST_FILES)
def _facts(path: str, n_bytes: int, changed: int) -> FolderFile:
    """Read the metadata of a file. changed : time of the last change, so that a file is read again after it."""
    from pyarrow import parquet  # slow import

    with parquet.ParquetFile(path) as file:
        schema, facts = file.schema_arrow, file.metadata
        n_rows = tuple(facts.row_group(k).num_rows for k in range(facts.num_row_groups))
    columns = hashlib.sha256(repr([(field.name, str(field.type)) for field in schema]).encode()).hexdigest()[:16]
    return FolderFile(path, n_rows, columns, len(schema), n_bytes)


def entry_gone(name: object) -> str:
    """Return the message about an entry that is no longer in the folder."""
    return f"{name} is not in the folder any more. Choose another entry."


def entry_changed(name: object) -> str:
    """Return the message about an entry that has changed."""
    return f"{name} has changed since its sample was read. Choose the entry again on the Data page."


def no_permission(name: object) -> str:
    """Return the message about an entry that may not be read."""
    return f"The app may not read {name}. Change the permissions of the file or folder."


def unread_entry(name: object, why: object) -> str:
    """Return the message about an entry that cannot be read."""
    return f"{name} cannot be read: {why}. Write the file again, or remove it."


MOST_ROWS = 100_000
MOST_CELLS = 120_000_000  # read for a sample: 2 s of one core
FEWEST_GROUPS = 8  # row groups, so that the sample has rows from all over the entry


class Drawn(NamedTuple):
    """Rows drawn from a row group.

    file, group : index of the file and of its row group; rows : int64, sorted indices within the row group.
    """

    file: int
    group: int
    rows: np.ndarray


def draw(entry: FolderEntry, seed: int = 0) -> list[Drawn]:
    """Return the random rows of the sample of an entry, which the metadata of its files determine.

    The row groups are divided into ranges, and each range has the same share of the sample as of the rows. If there
    are too many values to read, the rows of a range come from one of its row groups, chosen at random.
    """
    rng = np.random.default_rng([seed, 1])
    return [
        Drawn(file, group, np.sort(rng.choice(n_rows, n, replace=False, shuffle=False)))
        for file, group, n_rows, n in _sizes(entry, seed)
    ]


def sample_size(entry: FolderEntry, seed: int = 0) -> int:
    """Return the number of rows of the sample."""
    return sum(n for *_, n in _sizes(entry, seed))


def _sizes(entry, seed):
    """Return (file, row group, its rows, rows to draw) for each row group to read."""
    groups = [(i, k, n) for i, file in enumerate(entry.files) for k, n in enumerate(file.n_rows) if n]
    sizes, rng = np.array([n for *_, n in groups]), np.random.default_rng([seed, 0])
    total = int(sizes.sum())
    most = min(MOST_ROWS, max(MAX_CELLS // entry.n_columns, 1), total)
    share = min(1.0, MOST_CELLS / (total * entry.n_columns)) if total > most else 1.0
    n_ranges = min(len(groups), max(round(share * len(groups)), FEWEST_GROUPS))
    found, done, taken = [], 0, 0
    for places in np.array_split(np.arange(len(groups)), n_ranges):
        done += int(sizes[places].sum())
        place = int(rng.choice(places, p=sizes[places] / sizes[places].sum()))
        n = min(round(most * done / total) - taken, int(sizes[place]))
        taken += n
        if n:
            found.append((*groups[place], n))
    return found
