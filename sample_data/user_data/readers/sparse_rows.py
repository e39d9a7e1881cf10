"""Define `SparseRows`, the content of a sparse matrix file, and convert a small one to a `Table`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas

from sample_data.user_data.limits import FREE_SPARSE_CELLS, LEAST_SPARSE, MAX_CELLS, MAX_COLUMNS, MAX_ROWS
from sample_data.user_data.readers.column_builder import smallest_numbers
from sample_data.user_data.readers.text_column import column_of_texts
from sample_data.user_data.table import Table, repair_names
from treecore.errors import DataError
from treecore.tree.number_text import percent

if TYPE_CHECKING:
    import scipy.sparse

MAX_SPARSE_COLUMNS = 2_000_000
_TARGET = "label"


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Content of a sparse matrix file.

    name : name of the file; format : see `Table.format`; X : scipy.sparse.csr_matrix [n, d] of finite numbers; y : [n]
    numbers or texts, or None if the file has no labels; feature_names : names of the columns of X; groups : int64[n],
    query of each row, or None; n_bytes : size of the file. Raises DataError if the matrix is too large or contains
    values that are not finite.
    """

    name: str
    format: str
    X: scipy.sparse.csr_matrix
    y: np.ndarray | None
    feature_names: tuple[str, ...]
    groups: np.ndarray | None = None
    n_bytes: int = 0

    def __post_init__(self):
        check_sparse_shape(self.name, *self.X.shape)
        bad = np.flatnonzero(~np.isfinite(self.X.data))
        if bad.size:
            row = int(np.searchsorted(self.X.indptr, bad[0], side="right"))
            raise DataError(
                f"{self.name}: row {row} contains {self.X.data[bad[0]]} in feature "
                f"{self.feature_names[self.X.indices[bad[0]]]!r}. Use finite numbers, and omit entries that are "
                "zero."
            )
        if self.y is not None and self.y.dtype.kind == "f" and not np.isfinite(self.y).all():
            row = int(np.flatnonzero(~np.isfinite(self.y))[0]) + 1
            raise DataError(f"{self.name}: the label of row {row} is {self.y[row - 1]}. Use finite numbers.")

    @property
    def fits_table(self) -> bool:
        """Test whether all values, including zeros, are few enough for a table."""
        return self.X.shape[1] + 2 <= MAX_COLUMNS and self.X.shape[0] * (self.X.shape[1] + 2) <= self._most_cells

    @property
    def _most_cells(self) -> int:
        return min(MAX_CELLS, max(FREE_SPARSE_CELLS, int(self.X.nnz / LEAST_SPARSE)))

    def table(self) -> Table:
        """Return the dense `Table`. Raises DataError with a remedy if the matrix is too large."""
        n_rows, n_columns = self.X.shape
        if not self.fits_table:
            labels = " after you add an array y with labels" if self.y is None else ""
            raise DataError(
                f"{self.name} is a sparse matrix with {n_rows:,} rows and {n_columns:,} columns. As a table it "
                f"would have {n_rows * n_columns:,} values (maximum {self._most_cells:,} values and "
                f"{MAX_COLUMNS:,} columns). Train on the sparse matrix{labels}: python -m treecore fit "
                f"{self.name} --split oblique, or TAOClassifier('oblique').fit(X, y) in Python."
            )
        more = {} if self.groups is None else {"qid": self.groups}
        more |= {} if self.y is None else {_TARGET: self.y}
        names, notes = repair_names([*self.feature_names, *more])
        columns = self.X.tocsc()
        values = {
            name: smallest_numbers(_whole(columns[:, [k]].toarray().ravel()))
            for k, name in enumerate(names[:n_columns])
        }
        values |= {name: _column(name, one) for name, one in zip(names[n_columns:], more.values(), strict=True)}
        share = self.X.nnz / max(n_rows * n_columns, 1)
        notes = [f"sparse format, {percent(share)} of the values stored", *notes]
        if self.y is None:
            notes.append("no array y (choose a column as the target)")
        return Table(pandas.DataFrame(values, copy=False), self.name, self.format, tuple(notes), self.n_bytes)


def check_sparse_shape(name: str, n_rows: int, n_columns: int) -> None:
    """Raise DataError for a matrix without rows or columns, or with too many."""
    if n_rows < 1 or n_columns < 1:
        raise DataError(f"{name} has {n_rows} rows and {n_columns} columns: expected at least one row and one column.")
    if n_rows > MAX_ROWS or n_columns > MAX_SPARSE_COLUMNS:
        raise DataError(
            f"{name} has {n_rows:,} rows and {n_columns:,} columns (maximum {MAX_ROWS:,} rows and "
            f"{MAX_SPARSE_COLUMNS:,} columns). Hash the features into fewer, or use a sample of the rows."
        )


def _whole(values):
    """Return integral floats as integers."""
    if values.dtype.kind == "b":
        return values.astype(np.int8)
    is_whole = (
        values.dtype.kind == "f" and bool((np.mod(values, 1) == 0).all()) and np.abs(values).max(initial=0) < 2**53
    )
    return values.astype(np.int64) if is_whole else values


def _column(name, values):
    if values.dtype.kind == "U":
        return column_of_texts(name, values.tolist()).values
    return smallest_numbers(_whole(values))
