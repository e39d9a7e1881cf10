"""Define `DataSet`, validated and read-only rows with classes or numeric targets."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.data.dependence import Dependence
from treecore.errors import DataError
from treecore.messages import literal
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import TableColumns
from treecore.tree.classes import Classes
from treecore.tree.number_text import percent
from treecore.tree.quantity import Quantity
from treecore.tree.target import Target

TRAIN, TEST, VALIDATION = 0, 1, 2


@dataclass(frozen=True, eq=False, repr=False)
class DataSet:
    """Rows with a target, their names and their origin.

    Parameters
    ----------
    name : str
        Key of the data set.
    title : str
        Displayed name.
    X : array of shape (n, d)
        Features, read-only, in C order and the smallest exact dtype (uint8 for images, float64 for decimals). NaN marks
        a missing value.
    y : array of shape (n,)
        Read-only targets: int64 indices into `class_names`, or float64 numbers for regression.
    feature_names : tuple of str
        Names of the columns of X.
    class_names : tuple of str
        Names of the classes; empty for regression.
    image_shape : tuple or None, default=None
        (height, width) if the rows are images.
    description : str, default=""
        Description of the data.
    source : str, default=""
        Origin of the data.
    licence : str, default=""
        Licence of the data.
    split : int8 array of shape (n,) or None, default=None
        Published split: 0 for training, 1 for test, 2 for validation.
    columns : TableColumns or None, default=None
        Columns of the table from which X was made, if it had categories or dates.
    row_numbers : int32 array of shape (n,) or None, default=None
        Number of each row in its file. None means counting from 0.
    row_names : tuple of str or None, default=None
        Names of the rows.
    target_name : str, default=""
        Name of the target, such as "price".
    unit : str, default=""
        Unit of numeric targets, such as "km".
    groups : int32 array of shape (n,) or None, default=None
        Codes of groups such as patients. All rows of a group are in the same part of a split.
    times : float64 array of shape (n,) or None, default=None
        Times of the rows, NaN if unknown. Earlier rows are for training, later rows for testing.
    kept_apart_by : str, default=""
        Name of the column with groups or times.

    Raises
    ------
    DataError
        If the fields do not fit together.

    See Also
    --------
    load : Load a data set from the catalogue.

    Examples
    --------
    >>> import numpy as np
    >>> from sample_data import DataSet
    >>> data = DataSet("toy", "Toy", np.array([[0.0], [1.0]]), np.array([0, 1]), ("x",), ("no", "yes"))
    >>> data.labels().tolist()
    ['no', 'yes']
    """

    name: str
    title: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    image_shape: tuple[int, int] | None = None
    description: str = ""
    source: str = ""
    licence: str = ""
    split: np.ndarray | None = None
    columns: TableColumns | None = None
    row_numbers: np.ndarray | None = None
    row_names: tuple[str, ...] | None = None
    target_name: str = ""
    unit: str = ""
    groups: np.ndarray | None = None
    times: np.ndarray | None = None
    kept_apart_by: str = ""

    def __post_init__(self):
        X = _features(self.name, self.X)
        n_rows, n_features = X.shape
        feature_names = _names(self.name, "feature_names", self.feature_names)
        has_classes = len(self.class_names) > 0
        class_names = _names(self.name, "class_names", self.class_names) if has_classes else ()
        y = _codes(self.name, "y", self.y, n_rows, len(class_names)) if has_classes else _numbers(self, n_rows)
        if len(feature_names) != n_features:
            raise DataError(
                f"{self.name}: {len(feature_names)} feature names for {n_features} columns of X. Pass one name "
                "for each column."
            )
        fields = {
            "X": X,
            "y": y.astype(np.int64 if has_classes else np.float64),
            "feature_names": feature_names,
            "class_names": class_names,
            "image_shape": _image_shape(self.name, self.image_shape, n_features),
        }
        if fields["image_shape"] and X.dtype.kind == "f" and np.isnan(X).any():
            raise DataError(
                f"{self.name}: X contains NaN, but images do not support missing pixels. Fill these values."
            )
        if self.split is not None:
            fields["split"] = _codes(self.name, "split", self.split, n_rows, 3).astype(np.int8)
            if not np.any(fields["split"] == TRAIN):
                raise DataError(f"{self.name}: the published split has no training rows (0).")
        if self.columns is not None and self.columns.feature_names() != feature_names:
            raise DataError(f"{self.name}: columns and feature_names do not match.")
        if self.groups is not None and self.times is not None:
            raise DataError(
                f"{self.name}: rows can be split by groups or by times, not by both. Remove groups or times."
            )
        for field in ("row_numbers", "row_names", "groups", "times"):
            value = getattr(self, field)
            if value is not None and len(value) != n_rows:
                raise DataError(
                    f"{self.name}: {field} has {len(value)} entries for {n_rows} rows. Pass one entry for each row."
                )
        if self.row_numbers is not None:
            fields["row_numbers"] = np.array(self.row_numbers, np.int32)
        if self.groups is not None:
            fields["groups"] = _codes(self.name, "groups", self.groups, n_rows, n_rows).astype(np.int32)
        if self.times is not None:
            fields["times"] = np.array(self.times, np.float64)
        if self.row_names is not None:
            fields["row_names"] = tuple(map(str, self.row_names))
        for field, value in fields.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, field, value)

    def __repr__(self):
        targets = f"{self.n_classes} classes" if self.class_names else "numbers"
        return f"DataSet({self.name!r}, {self.n_rows} x {self.n_features}, {targets})"

    def __reduce__(self):
        # Unpickled arrays are writeable, so the constructor validates and freezes them again.
        return DataSet, tuple(getattr(self, field) for field in self.__dataclass_fields__)

    @property
    def n_rows(self) -> int:
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        return self.X.shape[1]

    @cached_property
    def target(self) -> Target:
        """Return the target of the predictions."""
        if self.class_names:
            return Classes(self.class_names, self.target_name)
        return Quantity.of(self.y, self.unit, self.target_name)

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    @property
    def dependence(self) -> Dependence:
        """Return the groups and times of the rows."""
        return Dependence(self.groups, self.times)

    @cached_property
    def has_missing(self) -> bool:
        """Test whether X has missing values."""
        return self.X.dtype.kind == "f" and bool(np.isnan(self.X).any())

    def labels(self) -> np.ndarray:
        """Return the class name or target value of every row.

        Returns
        -------
        array of shape (n,)
            Class names (str), or float64 numbers.
        """
        return np.array(self.class_names)[self.y] if self.class_names else self.y

    @cached_property
    def fingerprint(self) -> str:
        """Return the sha256 (hex) of everything that a model or a figure depends on, for cache keys."""
        arrays = [self.X, self.y] + ([] if self.split is None else [self.split])
        words = [self.name, self.feature_names, self.class_names, self.image_shape]
        if self.row_numbers is not None:
            arrays.append(self.row_numbers)
        if self.row_names is not None:
            words.append(self.row_names)
        for name, array in (("groups", self.groups), ("times", self.times)):
            if array is not None:
                arrays.append(array)
                words.append([name, self.kept_apart_by])
        if self.target_name or self.unit:
            words.append([self.target_name, self.unit])
        layout = [[array.dtype.str, array.shape] for array in arrays]
        digest = hashlib.sha256(json.dumps([words, layout]).encode("utf-8"))
        for array in arrays:
            digest.update(array.data)
        return digest.hexdigest()


def _features(name: str, X) -> np.ndarray:
    """Return a read-only, C-contiguous copy of X [n, d].

    Raise DataError for other types or shapes and for infinite values.
    """
    X = np.asarray(X)
    if X.ndim != 2 or min(X.shape) < 1:
        raise DataError(
            f"{name}: X has shape {X.shape}: expected [rows, features], with at least one row and one feature."
        )
    if X.dtype.kind not in "uif" or X.dtype.itemsize > 8:
        raise DataError(f"{name}: X has dtype {X.dtype}: expected integers or floats of at most 64 bits.")
    if X.dtype.kind == "f" and np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        raise DataError(
            f"{name}: X[{row}, {column}] is {X[row, column]}. Values must be finite, or NaN if missing. Remove "
            "the row or correct the value."
        )
    if X.dtype.kind == "f" and np.isnan(X).all(axis=0).any():
        column = int(np.flatnonzero(np.isnan(X).all(axis=0))[0])
        raise DataError(f"{name}: column {column} of X (counted from 0) has no values. Remove it.")
    is_private = X.flags.owndata and not X.flags.writeable and X.flags.c_contiguous and X.dtype.isnative
    return X if is_private else np.array(X, dtype=X.dtype.newbyteorder("="), order="C", copy=True)


def _codes(name: str, field: str, values, n_rows: int, n_codes: int) -> np.ndarray:
    """Return `values` as an integer array [n_rows] with entries in 0..n_codes-1."""
    values = np.asarray(values)
    if values.shape != (n_rows,):
        raise DataError(f"{name}: {field} has shape {values.shape}: expected ({n_rows},), one entry per row of X.")
    if values.dtype.kind not in "ui":
        raise DataError(f"{name}: {field} has dtype {values.dtype}: expected integer codes.")
    if values.min() < 0 or values.max() >= n_codes:
        raise DataError(f"{name}: {field} ranges from {values.min()} to {values.max()}: expected 0 to {n_codes - 1}.")
    return values


def _numbers(data_set: DataSet, n_rows: int) -> np.ndarray:
    """Return y of a regression set as an array [n_rows].

    Raise DataError unless all values are finite and not too large.
    """
    name, y = data_set.name, np.asarray(data_set.y)
    if y.shape != (n_rows,):
        raise DataError(f"{name}: y has shape {y.shape}: expected ({n_rows},), one entry per row of X.")
    if y.dtype.kind not in "uif":
        raise DataError(f"{name}: y has dtype {y.dtype}, but without class names it must contain numbers.")
    if not np.isfinite(y).all() or np.abs(y.astype(np.float64)).max() > LARGEST:
        raise DataError(
            f"{name}: y must contain finite numbers of at most {LARGEST:g} in absolute value. Correct or remove "
            "all other values."
        )
    return y


def _names(name: str, field: str, values) -> tuple[str, ...]:
    """Return `values` as a tuple of distinct, non-empty str."""
    if isinstance(values, str):
        raise DataError(f"{name}: {field} is a single string, {literal(values)}: expected a list of names.")
    names = tuple(str(value) for value in values)
    if not names or "" in names:
        raise DataError(f"{name}: {field} must not be empty or contain an empty name.")
    if len(set(names)) != len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise DataError(f"{name}: {field} contains {literal(twice)} more than once. Use different names.")
    return names


def _image_shape(name: str, shape, n_features: int) -> tuple[int, int] | None:
    """Return (height, width) as int, or None."""
    if shape is None:
        return None
    shape = tuple(int(side) for side in shape)
    if len(shape) != 2 or min(shape) < 1 or shape[0] * shape[1] != n_features:
        raise DataError(f"{name}: image_shape={shape}: expected height × width = {n_features} columns of X.")
    return shape


def split_words(data: DataSet, test: np.ndarray) -> str:
    """Return a sentence such as "Test rows: 8 of 40 subjects (20 %), none of them in training.".

    Returns "" if the rows are independent. test : row numbers.
    """
    if not data.dependence.is_known or not len(test):
        return ""
    name = data.kept_apart_by[:40] or "group"
    if data.groups is None:
        return f"Test rows: the newest {percent(len(test) / data.n_rows, 0)} by '{name}'. Training rows are older."
    tested, known = (np.unique(groups).size for groups in (data.groups[test], data.groups))
    share = percent(tested / known, 0)
    return f"Test rows: {tested:,} of {known:,} values of '{name}' ({share}). No training row has one of these values."
