"""Read a text file of svmlight or LIBSVM, with a label and ``index:value`` pairs on each line."""

import re
import warnings
from pathlib import Path

import numpy as np

from sample_data.user_data.readers.csv_file import open_source
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.sparse_rows import MAX_SPARSE_COLUMNS, SparseRows, check_sparse_shape
from sample_data.user_data.table import Table
from treecore.errors import DataError

_LINE = re.compile(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?(?:\s+qid:\d+)?(?P<pairs>(?:\s+\d+:[+-]?[\d.]+(?:[eE][+-]?\d+)?)*)\s*")
_LOOKED = 50  # number of lines that determine the format
_MINUTES = re.compile(r"[0-5]\d")  # the minutes in a time of day, which is not a pair
_INDEX = re.compile(rb"[ \t](-?\d+):")
_BLOCK = 1 << 22


def is_svmlight(start: str) -> bool:
    """Test whether a text starts with lines of a label and ``index:value`` pairs with rising indices."""
    lines = [line.partition("#")[0].strip() for line in start.split("\n")[:_LOOKED]]
    lines = [line for line in lines[: -1 if len(lines) > 1 else None] if line]
    values = []
    for line in lines:
        if (match := _LINE.fullmatch(line)) is None:
            return False
        pairs = [pair.split(":") for pair in match["pairs"].split()]
        indices = [int(index) for index, _ in pairs]
        if any(one >= other for one, other in zip(indices[:-1], indices[1:], strict=True)):
            return False
        values += [value for _, value in pairs]
    return any(_MINUTES.fullmatch(value) is None for value in values)


def read_svmlight(source: bytes | Path, name: str) -> Table:
    """Return the `Table` of an svmlight file, with its labels as the last column.

    source : bytes or Path. Raises DataError if the file is damaged or too large for a table.
    """
    return svmlight_rows(source, name).table()


def svmlight_rows(source: bytes | Path, name: str) -> SparseRows:
    """Return the `SparseRows` of an svmlight file, with features numbered as in the file. Raises DataError."""
    from sklearn.datasets import load_svmlight_file  # slow import

    _check_indices(source, name)
    try:
        with open_source(source) as stream, warnings.catch_warnings():
            warnings.simplefilter("error")
            X, y, queries = load_svmlight_file(stream, zero_based=True, query_id=True)
    except (ValueError, TypeError, OverflowError, MemoryError, Warning) as fault:
        reason = " ".join(str(fault).split())[:150] or type(fault).__name__
        raise DataError(
            f"{name} is not a supported svmlight file ({reason}). Write one row per line: the label, then pairs "
            "index:value with increasing indices, such as: 1 3:0.5 17:2"
        ) from fault
    first = 0 if X[:, [0]].nnz or X.shape[1] == 1 else 1  # LIBSVM files count from 1
    X = X[:, first:]
    names = tuple(f"x{index}" for index in range(first, first + X.shape[1]))
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    return SparseRows(name, "svmlight", X, y, names, queries if np.any(queries) else None, n_bytes)


def _check_indices(source, name):
    """Refuse indices below 0 or beyond the limit before a matrix is made from them."""
    n_lines, rest = 0, b""
    with open_source(source) as stream:
        while block := stream.read(_BLOCK):
            whole, _, rest = (rest + block).rpartition(b"\n") if b"\n" in block else (b"", b"", rest + block)
            for found in _INDEX.finditer(whole):
                _check_index(found, whole, n_lines, name)
            n_lines += whole.count(b"\n") + bool(whole)
            if len(rest) > 8 * _BLOCK:
                raise DataError(
                    f"{name}: line {n_lines + 1} is longer than {len(rest) / 1000000.0:.0f} MB. Check that the "
                    "file is in the svmlight format."
                )
    for found in _INDEX.finditer(rest):
        _check_index(found, rest, n_lines, name)
    check_sparse_shape(name, n_lines + bool(rest.strip()), 1)


def _check_index(found, text, n_lines, name):
    digits = found.group(1)
    if digits.startswith(b"-") or len(digits) > 12 or int(digits) > MAX_SPARSE_COLUMNS:
        line = n_lines + text.count(b"\n", 0, found.start()) + 1
        raise DataError(
            f"{name}: line {line} has the index {digits[:20].decode()}: expected whole numbers from 0 to "
            f"{MAX_SPARSE_COLUMNS:,}. Number the features from 1."
        )


SVMLIGHT = FileFormat(
    "svmlight", "svmlight (.svm)", ("svm", "svmlight", "libsvm"), read_svmlight, seconds=0.2, megabytes=30.0,
    is_text=is_svmlight, read_sparse=svmlight_rows,
)  # fmt: skip
