"""Store the user's data sets in a folder: NAME.npz for the arrays and NAME.json for the texts, each in one step.

Every data set is validated when it is loaded, because its files may come from elsewhere.
"""

import hashlib
import io
import json
import os
import tempfile
from pathlib import Path

import numpy as np

from sample_data.data_set import DataSet
from sample_data.folder import is_plain_name, read_arrays
from sample_data.user_data.recipe import Recipe
from treecore.errors import DataError, DataSetNotFound
from treecore.tables.table_columns import TableColumns

MOST_SETS = 20
_WORDS = ("name", "title", "description", "source", "licence", "target_name", "unit", "kept_apart_by")
_ARRAYS = ("split", "row_numbers", "groups", "times")  # optional arrays with one value per row
_NAMES = ("feature_names", "class_names")
_FORMAT = 1


def save(data_set: DataSet, folder: Path, recipe: Recipe | None = None, keep: int | None = MOST_SETS) -> Path:
    """Write a data set into a folder, which is created if needed, and return the path of its .npz file.

    keep : number of newest data sets to keep; older ones are deleted. Raises DataError if the name is not valid for a
    file or the folder is not writable.
    """
    path = _path(data_set.name, folder)
    facts = {key: getattr(data_set, key) for key in _WORDS}
    facts |= {key: list(getattr(data_set, key)) for key in _NAMES}
    facts |= {
        "format": _FORMAT,
        "image_shape": None if data_set.image_shape is None else list(data_set.image_shape),
        "columns": None if data_set.columns is None else data_set.columns.to_dict(),
        "recipe": None if recipe is None else recipe.to_dict(),
        "fingerprint": data_set.fingerprint,
    }
    facts["checksum"] = _checksum(facts)
    arrays = {"X": data_set.X, "y": data_set.y}
    arrays |= {key: value for key in _ARRAYS if (value := getattr(data_set, key)) is not None}
    if (
        data_set.row_names is not None
    ):  # one text, because in an array each name would take as much space as the longest
        arrays["row_names"] = np.frombuffer("\n".join(data_set.row_names).encode(), np.uint8)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path.with_suffix(".json"), lambda stream: stream.write(json.dumps(facts).encode("utf-8")))
        _write(path, lambda stream: np.savez(stream, **arrays))
    except OSError as fault:
        raise DataError(f"{data_set.name} cannot be saved in {path.parent.name}: {fault.strerror}.") from fault
    if keep is not None:
        drop_oldest(folder, keep)
    return path


def load(name: str, folder: Path) -> DataSet:
    """Return a saved data set. Raises DataSetNotFound if it does not exist, or DataError if its files are damaged."""
    path = _path(name, folder)
    facts, arrays = _facts(path), read_arrays(path, ["X", "y", "row_names", *_ARRAYS])
    if not {"X", "y"} <= set(arrays):
        raise DataError(f"{path.name} does not contain X and y. Create the data set again from its file.")
    columns, names = facts["columns"], arrays.get("row_names")
    try:
        data_set = DataSet(
            X=arrays["X"],
            y=arrays["y"],
            row_names=None if names is None else tuple(names.tobytes().decode().split("\n")),
            image_shape=facts["image_shape"],
            columns=None if columns is None else TableColumns.from_dict(columns),
            **{key: arrays.get(key) for key in _ARRAYS},
            **{key: facts[key] for key in (*_WORDS, *_NAMES)},
        )
    except (TypeError, ValueError) as fault:
        reason = f" ({fault})" if isinstance(fault, DataError) else ""
        raise DataError(f"{path.name} is damaged{reason}. Create the data set again from its file.") from fault
    if data_set.name != name or data_set.fingerprint != facts["fingerprint"]:
        raise DataError(
            f"{path.name} contains another data set than the one saved under this name. Create the data set "
            "again from its file."
        )
    return data_set


def load_recipe(name: str, folder: Path) -> Recipe | None:
    """Return the recipe saved with a data set, or None. Raises the errors of `load`."""
    value = _facts(_path(name, folder))["recipe"]
    return None if value is None else Recipe.from_dict(value)


def load_words(name: str, folder: Path) -> dict:
    """Return the title, description, source, class names and feature names of a saved data set, without its rows."""
    facts = _facts(_path(name, folder))
    return {key: facts[key] for key in (*_WORDS, *_NAMES, "image_shape")}


def names(folder: Path) -> list[str]:
    """Return the names of the data sets in a folder, the newest first."""
    found = [(_age(path), path.stem) for path in Path(folder).glob("*.npz") if is_plain_name(path.stem)]
    return [stem for _, stem in sorted(found, reverse=True) if (Path(folder) / f"{stem}.json").is_file()]


def drop_oldest(folder: Path, keep: int = MOST_SETS) -> list[str]:
    """Delete all data sets but the newest `keep`, and return the names of the deleted ones."""
    old = names(folder)[keep:]
    for name in old:
        remove(name, folder)
    return old


def remove(name: str, folder: Path) -> None:
    """Delete a data set if it exists."""
    path = _path(name, folder)
    path.unlink(missing_ok=True)
    path.with_suffix(".json").unlink(missing_ok=True)


def _path(name, folder) -> Path:
    # a dot would be taken for the start of a file ending
    if not is_plain_name(name) or "." in name:
        raise DataError(f"{str(name)[:60]!r} is not a valid data set name. Use only letters, digits, spaces, - and _.")
    return Path(folder) / f"{name}.npz"


def _facts(path) -> dict:
    """Return the texts of a data set, after checking the type of each."""
    try:
        text = path.with_suffix(".json").read_text(encoding="utf-8")
    except FileNotFoundError as fault:
        raise DataSetNotFound(f"The data set {path.stem!r} no longer exists. Create it again from its file.") from fault
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{path.stem}.json cannot be read. Create the data set again from its file.") from fault
    try:
        facts = json.load(io.StringIO(text))
    except (json.JSONDecodeError, RecursionError) as fault:
        raise DataError(_stored_words(path.stem)) from fault
    if isinstance(facts, dict):
        if facts.pop("checksum", None) not in (None, _checksum(facts)):  # absent in files of previous versions
            raise DataError(_stored_words(path.stem))
        facts = {"target_name": "", "unit": "", "kept_apart_by": ""} | facts  # absent in files of previous versions
    expected = {*_WORDS, *_NAMES, "format", "image_shape", "columns", "recipe", "fingerprint"}
    if not isinstance(facts, dict) or set(facts) != expected or facts["format"] != _FORMAT:
        raise DataError(f"{path.stem}.json has another version or format. Create the data set again from its file.")
    texts = [facts[key] for key in (*_WORDS, "fingerprint")]
    lists = [facts[key] for key in _NAMES]
    if not all(isinstance(text, str) for text in texts) or not all(
        isinstance(one, list) and all(isinstance(text, str) for text in one) for one in lists
    ):
        raise DataError(
            f"{path.stem}.json is damaged: a description or name is not text. Create the data set again from its file."
        )
    return facts


def _checksum(facts) -> str:
    """Return a checksum of the texts. The fingerprint does not include all of them."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _write(path, write) -> None:
    """Write a file under another name first, so that no process reads an incomplete file."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as stream:
            write(stream)
        os.replace(draft, path)
    finally:
        Path(draft).unlink(missing_ok=True)


def _age(path):
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _stored_words(name: object) -> str:
    return f"{name}.json is damaged. Create the data set again from its file."
