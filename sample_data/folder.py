"""Load the user's data sets: every NAME.npz in the folder that the environment variable TREECORE_DATA names.

A file has the keys `X` and `y`, or with a published split `X_train`, `y_train`, `X_test` and `y_test`. It also has
`class_names`, and y contains indices of these names. Optional keys are `feature_names`, `image_shape` (height, width),
`title`, `description`, `source` and `licence`. A file without `class_names` is a regression set, which is not listed.
"""

import os
import re
from pathlib import Path

import numpy as np

from sample_data.data_set import TEST, TRAIN, DataSet
from sample_data.known_sets import Known, known_set
from sample_data.npz import read_arrays, read_headers
from treecore.errors import DataError

VARIABLE = "TREECORE_DATA"
BUNDLED = Path(__file__).with_name("bundled")
POOLED_KEYS = ("X", "y")
SPLIT_KEYS = ("X_train", "y_train", "X_test", "y_test")
_WORDS = ("title", "description", "source", "licence")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.+-]{0,99}")


def data_folder() -> Path | None:
    """Return the folder in TREECORE_DATA, or None if the variable is unset, empty or not a folder."""
    value = os.environ.get(VARIABLE, "")
    return Path(value) if value and os.path.isdir(value) else None


def is_plain_name(name: str) -> bool:
    """Test whether `name` can be the stem of a file in the folder.

    Such a name contains no separators, `..` or control characters.
    """
    return isinstance(name, str) and _PLAIN_NAME.fullmatch(name) is not None and ".." not in name


def find_npz(name: str) -> Path | None:
    """Return the path of NAME.npz in the folder, or None.

    The path is never outside the folder, even if the folder contains symbolic links.
    """
    folder = data_folder()
    if folder is None or not is_plain_name(name):
        return None
    path = folder / f"{name}.npz"
    return path if os.path.isfile(path) and path.resolve().parent == folder.resolve() else None


def names_in_folder() -> list[str]:
    """Return the sorted names of the .npz files that `find_npz` would open."""
    folder = data_folder()
    if folder is None:
        return []
    try:
        stems = sorted(path.stem for path in folder.iterdir() if path.suffix == ".npz")
    except OSError:
        return []
    return [stem for stem in stems if find_npz(stem) is not None]


def describe_npz(path: Path) -> tuple[tuple[int, int, int], bool] | None:
    """Return ((n_rows, n_features, n_classes), has_images) from the headers only, or None for a regression set."""
    headers = read_headers(path)
    if "class_names" not in headers and _is_data(headers):
        return None
    keys = _check_keys(path, headers)
    shapes = [headers[key][0] for key in keys if key.startswith("X")]
    if any(len(shape) != 2 for shape in shapes) or len(headers["class_names"][0]) != 1:
        raise DataError(f"{path.name}: expected X with two axes (rows, features) and class_names with one.")
    counts = (sum(shape[0] for shape in shapes), shapes[0][1], headers["class_names"][0][0])
    return counts, "image_shape" in headers


def read_rows(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return (X [n, d], y int64[n], split int8[n] or None), with training rows before test rows."""
    headers = read_headers(path)
    keys = _check_keys(path, headers)
    arrays = read_arrays(path, list(keys))
    y_keys = [key for key in keys if key.startswith("y")]
    for key in y_keys:
        X_shape, y = arrays["X" + key[1:]].shape, arrays[key]
        if len(X_shape) != 2 or y.shape != X_shape[:1]:
            raise DataError(f"{path.name}: X{key[1:]} is {X_shape} and {key} is {y.shape}: expected [n, d] and [n].")
        if arrays["X" + key[1:]].dtype.kind not in "uifb":
            raise DataError(f"{path.name}: X{key[1:]} is {arrays['X' + key[1:]].dtype}: expected numbers.")
        if y.dtype.kind not in "uib":
            raise DataError(f"{path.name}: {key} is {y.dtype}: expected integers (indices into class_names).")
    if len({arrays["X" + key[1:]].shape[1] for key in y_keys}) > 1:
        raise DataError(f"{path.name}: X_train and X_test have different numbers of columns.")
    X = np.concatenate([arrays["X" + key[1:]] for key in y_keys])
    y = np.concatenate([arrays[key] for key in y_keys]).astype(np.int64)
    split = None
    if keys == SPLIT_KEYS:
        split = np.repeat(np.array([TRAIN, TEST], dtype=np.int8), [len(arrays["y_train"]), len(arrays["y_test"])])
    return X.astype(np.uint8) if X.dtype == np.bool_ else X, y, split


def read_npz(name: str, path: Path) -> DataSet:
    """Return the data set in the file at `path` under the name `name`."""
    X, y, split = read_rows(path)
    words = read_arrays(path, ["class_names", "feature_names", "image_shape", *_WORDS])
    for key in {"class_names", "feature_names"} & set(words):
        if words[key].ndim != 1 or words[key].dtype.kind not in "Uui":
            raise DataError(
                f"{path.name}: {key} is {words[key].dtype}{list(words[key].shape)}: expected a list of strings."
            )
    class_names = tuple(words["class_names"].tolist())
    features = tuple(words["feature_names"].tolist()) if "feature_names" in words else number_features(X.shape[1])
    known = known_set(name, (X.shape[0], X.shape[1], len(class_names))) or unknown_set(name)
    text = {field: str(words[field]) if field in words else getattr(known, field) for field in _WORDS}
    shape = words.get("image_shape")
    if shape is not None and (shape.shape != (2,) or shape.dtype.kind not in "ui"):
        raise DataError(f"{path.name}: image_shape: expected two integers (height, width).")
    try:
        return DataSet(
            name, X=X, y=y, feature_names=features, class_names=class_names, image_shape=shape, split=split, **text
        )
    except DataError as fault:
        raise DataError(f"{path.name} cannot be used: {fault}") from fault


def number_features(n_features: int) -> tuple[str, ...]:
    """Return names for columns without names."""
    return tuple(f"feature {k + 1}" for k in range(n_features))


def unknown_set(name: str) -> Known:
    """Return the description for a file that does not contain one."""
    return Known(
        counts=(0, 0, 0),
        title=name.replace("_", " "),
        summary=f"Read from {name}.npz in the data folder.",
        source=f"{name}.npz in the folder {VARIABLE}. The file names no other source.",
        licence="not stated in the file",
    )


def _is_data(headers) -> bool:
    return set(SPLIT_KEYS) <= set(headers) or set(POOLED_KEYS) <= set(headers)


def _check_keys(path: Path, headers) -> tuple[str, ...]:
    """Return the keys of the rows, `SPLIT_KEYS` or `POOLED_KEYS`."""
    if not _is_data(headers):
        found = ", ".join(sorted(headers)[:12]) or "no arrays"
        raise DataError(f"{path.name} contains {found}: expected X and y, or X_train, y_train, X_test and y_test.")
    if "class_names" not in headers:
        raise DataError(f"{path.name} has no class_names. Only classification sets are supported.")
    return SPLIT_KEYS if set(SPLIT_KEYS) <= set(headers) else POOLED_KEYS
