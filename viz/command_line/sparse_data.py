"""Sparse rows in a file, on which a command trains directly without a dense table."""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treecore.data.dependence import Dependence
from treecore.errors import DataError, ParameterError
from treecore.messages import literal
from treecore.node_solvers import SPLITS
from treecore.tables.table_columns import category_text
from treecore.training.parameters import PARAMETERS
from viz.command_line.files import STANDARD, is_there, tell

if TYPE_CHECKING:
    import scipy.sparse

    from sample_data.user_data.readers.sparse_rows import SparseRows

MOST_CLASSES = 1000
# options that apply only to columns of a table
OF_TABLES = ("target", "ignore", "type", "split_column", "group", "time")


@dataclass(frozen=True, eq=False)
class SparseData:
    """Sparse rows as a DataSet.

    y : int64[n] with class codes, or float64[n] with numbers
    """

    name: str
    title: str
    X: scipy.sparse.csr_matrix
    y: np.ndarray
    feature_names: tuple
    class_names: tuple
    fingerprint: str
    columns: None = None
    image_shape: None = None


def sparse_rows(options: argparse.Namespace) -> SparseRows | None:
    """Return the sparse rows in the file if the options allow training on them, otherwise None.

    Sparse rows are only used for oblique trees without options about the columns of a table.
    """
    split = getattr(options, "split", "none") or PARAMETERS["split"].default
    if split not in SPLITS or not SPLITS[split].takes_sparse or any(getattr(options, name) for name in OF_TABLES):
        return None
    if options.data == STANDARD or not is_there(options.data) or not Path(options.data).is_file():
        return None
    from sample_data.user_data.readers.read import read_sparse  # needs more packages

    found = read_sparse(Path(options.data), Path(options.data).name)
    # In a table without labels, any column can be the target.
    return None if found is None or found.y is None and found.fits_table else found


def sparse_parts(found: SparseRows, options: argparse.Namespace) -> tuple:
    """Return (`SparseData`, labels [n], row numbers of the three sets, `Dependence`).

    Raise TreecoreError if the options do not fit the rows.
    """
    import sample_data

    if found.y is None:
        raise DataError(
            f"{found.name} has no labels. Add them to the file as the array y: "
            "numpy.savez_compressed('with_y.npz', y=y, **numpy.load('matrix.npz'))."
        )
    labels, names = _labels(found.y, options.regression)
    codes = np.unique(labels, return_inverse=True)[1] if names else labels
    groups = None if found.groups is None or options.no_group else np.unique(found.groups, return_inverse=True)[1]
    rows = sample_data.DataSet(
        "rows", found.name, np.zeros((len(labels), 1), np.uint8), codes, ("row",), names, groups=groups,
        kept_apart_by="" if groups is None else "qid",
    )  # fmt: skip
    parts = sample_data.split_rows(rows, options.seed, options.validation, options.test)
    digest = hashlib.sha256(np.ascontiguousarray(codes).data)
    for array in (found.X.data, found.X.indices, found.X.indptr):
        digest.update(np.ascontiguousarray(array).data)
    tell(f"data: {found.X.shape[0]:,} sparse rows of {found.X.shape[1]:,} features, {found.X.nnz:,} values.")
    name = f"sparse-{digest.hexdigest()[:12]}"
    data = SparseData(name, found.name, found.X, codes, found.feature_names, names, digest.hexdigest())
    return data, labels, parts, Dependence(groups)


def _labels(y, are_numbers):
    """Return (labels [n], names of the classes, or () for regression)."""
    if are_numbers:
        if y.dtype.kind == "U":
            raise ParameterError(
                f"--regression requires numbers, but the labels are texts such as {literal(str(y[0])[:40])}. "
                "Remove --regression."
            )
        return y.astype(np.float64), ()
    if y.dtype.kind == "f" and (np.mod(y, 1) != 0).any() or np.unique(y).size > MOST_CLASSES:
        raise ParameterError("The labels are numbers, not classes. Pass --regression to predict them.")
    texts, codes = np.unique(y, return_inverse=True)
    names = np.array([category_text(one) for one in texts.tolist()])
    return names[codes], tuple(np.unique(names).tolist())
