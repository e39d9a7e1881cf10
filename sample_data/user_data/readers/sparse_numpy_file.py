"""Read an .npz file written by `scipy.sparse.save_npz`, with an optional array y of labels."""

import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sample_data.folder import number_features, read_arrays, read_headers
from sample_data.user_data.limits import FREE_ARRAY_EXPANSION
from sample_data.user_data.readers.archive import check_members, place
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.sparse_rows import SparseRows, check_sparse_shape
from sample_data.user_data.table import Table
from treecore.errors import DataError
from treecore.messages import literal
from treecore.parameter_checks import typed

_PARTS = {"csr": ("data", "indices", "indptr"), "csc": ("data", "indices", "indptr"), "coo": ("data", "row", "col")}


def is_sparse_numpy(members: Sequence[zipfile.ZipInfo]) -> bool:
    """Test whether the members of a zip file are the arrays of a sparse matrix."""
    return {"format.npy", "shape.npy"} <= {member.filename for member in members}


def read_sparse_numpy(source: bytes | Path, name: str) -> Table:
    """Return the `Table` of a sparse matrix, with y as the last column if the file contains it.

    source : bytes or Path. Raises DataError if the file is damaged or too large for a table.
    """
    return sparse_numpy_rows(source, name).table()


def sparse_numpy_rows(source: bytes | Path, name: str) -> SparseRows:
    """Return the `SparseRows` of an .npz file. Raises DataError."""
    import scipy.sparse  # slow import

    check_members(source, name, FREE_ARRAY_EXPANSION)
    with tempfile.TemporaryDirectory(prefix="own-data-") as folder:
        # The checked reader needs a file, and uses its name in messages.
        path = Path(folder) / (re.sub(r"[^A-Za-z0-9_. -]", "_", Path(name).name).lstrip(".") or "data.npz")
        place(source, path)
        kind, shape = _kind_and_shape(path, name)
        parts = read_arrays(path, [*_PARTS[kind], "y", "feature_names"])
        n_bytes = path.stat().st_size
    missing = [part for part in _PARTS[kind] if part not in parts]
    if missing:
        raise DataError(
            f"{name} has no array {literal(missing[0])} of a sparse matrix. Save it with scipy.sparse.save_npz."
        )
    data, first, second = (parts[part] for part in _PARTS[kind])
    if data.dtype.kind not in "uifb" or {first.dtype.kind, second.dtype.kind} - {"i", "u"}:
        raise DataError(
            f"{name}: data has dtype {data.dtype}, and the indices have dtypes {first.dtype} and {second.dtype}: "
            "expected numbers."
        )
    arrays = (data, (first, second)) if kind == "coo" else (data, first, second)
    try:
        with typed(DataError):
            matrix = getattr(scipy.sparse, f"{kind}_matrix")(arrays, shape=shape)
            if kind != "coo":  # SciPy checks this kind itself
                matrix.check_format(full_check=True)
            matrix = scipy.sparse.csr_matrix(matrix, dtype=np.float64)
    except (DataError, IndexError, OverflowError, TypeError, MemoryError) as fault:
        reason = " ".join(str(fault).split())[:150]
        raise DataError(f"{name} is not a sparse matrix of shape {shape}: {reason}. Save it again.") from fault
    matrix.sum_duplicates()
    return SparseRows(name, "SciPy", matrix, _labels(parts, shape, name), _names(parts, shape, name), n_bytes=n_bytes)


def _kind_and_shape(path, name):
    """Return ("csr", "csc" or "coo", (rows, columns))."""
    headers = read_headers(path)
    if headers["format"][0] != () or headers["format"][1].itemsize > 64 or headers["shape"][0] != (2,):
        raise DataError(
            f"{name} does not have the format or shape of a sparse matrix. Save the matrix with scipy.sparse.save_npz."
        )
    words = read_arrays(path, ["format", "shape"])
    kind = words["format"].item()
    kind = kind.decode("ascii", errors="replace") if isinstance(kind, bytes) else str(kind)
    if kind not in _PARTS:
        raise DataError(f"{name} is a sparse matrix in the unsupported format {literal(kind)}. Save matrix.tocsr().")
    if words["shape"].dtype.kind not in "iu":
        raise DataError(f"{name}: the shape of the matrix has dtype {words['shape'].dtype}: expected whole numbers.")
    shape = tuple(int(size) for size in words["shape"])
    check_sparse_shape(name, *shape)
    return kind, shape


def _labels(parts, shape, name):
    y = parts.get("y")
    if y is not None and (y.shape != shape[:1] or y.dtype.kind not in "uifbU"):
        raise DataError(
            f"{name}: y is {y.dtype} of shape {y.shape}: expected {shape[0]} numbers or strings, one per row."
        )
    return y


def _names(parts, shape, name):
    names = parts.get("feature_names")
    if names is None:
        return tuple(number_features(shape[1]))
    if names.shape != shape[1:] or names.dtype.kind != "U":
        raise DataError(f"{name}: feature_names: expected {shape[1]} strings, one per column.")
    return tuple(names.tolist())


SCIPY = FileFormat(
    "SciPy", "SciPy's sparse matrix (.npz)", (), read_sparse_numpy, seconds=0.2, megabytes=30.0,  # NumPy's endings
    is_zip=is_sparse_numpy, read_sparse=sparse_numpy_rows,
)  # fmt: skip
