"""Read an .npz file into a `DataSet`, or into a `Table` if it does not contain class names."""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas

from sample_data.data_set import DataSet
from sample_data.folder import POOLED_KEYS, number_features, read_arrays, read_headers, read_npz
from sample_data.user_data.limits import FREE_ARRAY_EXPANSION
from sample_data.user_data.readers.archive import check_members, place
from sample_data.user_data.readers.column_builder import smallest_numbers
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.text_column import column_of_texts
from sample_data.user_data.table import Table, check_size, repair_names
from treecore.errors import DataError


def read_numpy(source: bytes | Path, name: str) -> Table | DataSet:
    """Return the `DataSet` or the `Table` of an .npz file.

    A file with X, y and class_names (see `sample_data.folder`) gives a `DataSet`. A file without class_names gives the
    `Table` of X and y, so that the user can choose the target. source : bytes or Path.
    """
    check_members(source, name, FREE_ARRAY_EXPANSION)
    with tempfile.TemporaryDirectory(prefix="own-data-") as folder:
        # The checked reader needs a file, and uses its name in messages.
        plain = re.sub(r"[^A-Za-z0-9_. -]", "_", Path(name).name).lstrip(".") or "data.npz"
        path = Path(folder) / plain
        place(source, path)
        headers = read_headers(path)
        if "class_names" not in headers and set(POOLED_KEYS) <= set(headers):
            return _table(path, name)
        stem = Path(plain).stem
        data_set = read_npz(stem, path)
    words = {"name": "own", "source": f"Your file {name}", "licence": "yours"}
    if "description" not in headers:
        words["description"] = f"Read from {name}."
    data_set = replace(data_set, **words)
    return replace(data_set, name=f"own-{data_set.fingerprint[:12]}")


def _table(path, name) -> Table:
    arrays = read_arrays(path, ["X", "y", "feature_names"])
    X, y = arrays["X"], arrays["y"]
    X = X.reshape(len(X), -1) if X.ndim > 2 and X.size else X
    if X.ndim != 2 or y.shape != X.shape[:1] or not X.size:
        raise DataError(
            f"{name}: X has shape {X.shape} and y {y.shape}: expected [n, d] and [n], with at least one row."
        )
    for key, values in (("X", X), ("y", y)):
        if values.dtype.kind not in "uifbU":
            raise DataError(f"{name}: {key} is {values.dtype}: expected numbers or strings.")
    check_size(name, *X.shape)
    names = arrays["feature_names"].tolist() if "feature_names" in arrays else list(number_features(X.shape[1]))
    if not isinstance(names, list) or len(names) != X.shape[1]:
        raise DataError(f"{name}: feature_names: expected one name for each of the {X.shape[1]} columns of X.")
    names, notes = repair_names([*names, "y"])
    columns = [*X.T, y]
    values = {}
    for column, one in zip(names, columns, strict=True):
        values[column] = _values(column, np.ascontiguousarray(one))
    return Table(pandas.DataFrame(values, copy=False), name, "NumPy", ("arrays X and y", *notes), path.stat().st_size)


def _values(name, values):
    if values.dtype.kind == "U":
        return column_of_texts(name, values.tolist()).values
    if values.dtype.kind == "b":
        return values.astype(np.int8)
    return smallest_numbers(values.astype(np.float64) if values.dtype.kind == "f" else values)


NUMPY = FileFormat(
    "NumPy", "NumPy (.npz)", ("npz",), read_numpy, seconds=0.05, megabytes=6.0,
    is_zip=lambda members: bool(members) and all(one.filename.endswith(".npy") for one in members),
)  # fmt: skip
