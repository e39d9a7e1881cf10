"""`ForeignColumns`: conversion of the columns of a foreign model to the features of its `Tree`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from treecore.errors import DataError
from treecore.foreign.column_reading import ColumnReading, is_missing, value_text
from treecore.foreign.messages import MESSAGES


@dataclass(frozen=True)
class ForeignColumns:
    """Columns of a foreign model. A numeric column is one feature, and each category of a column is a 0/1 feature.

    n_columns : int; names : tuple of str, column names, or None; codes : {column: tuple of int}, sorted codes of the
    known categories; categories : {column: tuple of str}, names of the codes 0, 1, ..., if known; readings : {column:
    ColumnReading}, which converts the values first; has_codes : whether arrays contain codes instead of the names.
    """

    n_columns: int
    names: tuple[str, ...] | None = None
    codes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    categories: dict[int, tuple] = field(default_factory=dict)
    readings: dict[int, ColumnReading] = field(default_factory=dict)
    has_codes: bool = True

    @cached_property
    def first(self) -> list[int]:
        """First feature of each column, followed by the number of features."""
        widths = [len(self.codes.get(column, (0,))) for column in range(self.n_columns)]
        return np.cumsum([0, *widths]).tolist()

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Feature names, such as ``colour = red`` for a category, or None if the columns have no names."""
        if self.names is None and not self.codes:
            return None
        found = []
        for column in range(self.n_columns):
            name, called = self.names[column] if self.names else f"x{column}", self.categories.get(column)
            codes = self.codes.get(column)
            found += [name] if codes is None else [f"{name} = {called[code] if called else code}" for code in codes]
        return tuple(found)

    def set_features(self, column: int, codes: np.ndarray) -> np.ndarray:
        """Return the sorted features of some categories of a column, int[s], without unknown categories."""
        known = np.array(self.codes[column])
        return self.first[column] + np.flatnonzero(np.isin(known, codes))

    def features(self, X: Any) -> Any:
        """Return the features of rows, array [n, features].

        X : array [n, columns] with category codes, or names unless `has_codes`; DataFrame, whose columns are matched by
        name if both have names, with category names if the model contains them; or Series or dict with one row. For an
        unknown category, all features are 0. For a missing category, they are missing. Raise DataError for unsupported
        rows.
        """
        if isinstance(X, dict) or (hasattr(X, "to_frame") and hasattr(X, "index")):
            return self._joined({str(name): [value] for name, value in X.items()})
        if hasattr(X, "columns") and hasattr(X, "iloc"):
            columns = {str(name): X.iloc[:, place] for place, name in enumerate(X.columns)}
            columns = {
                re.sub(r"\s", "_", name): column for name, column in columns.items()
            } | columns  # names in the spelling of LightGBM
            if self._is_unnamed or not all(isinstance(name, str) for name in X.columns):
                self._check_width(X.shape[1])
                columns = {self._name(place): X.iloc[:, place] for place in range(self.n_columns)}
            return self._joined(columns)
        if not self.codes and not self.readings:
            return X
        X = np.asarray(X)
        X = X.reshape(1, -1) if X.ndim == 1 else X
        self._check_width(X.shape[-1])
        return np.hstack([self._kind(column, self.has_codes)(column, X[:, column]) for column in range(self.n_columns)])

    @property
    def _is_unnamed(self):
        """Whether the columns have no names but those that LightGBM gives to arrays."""
        return self.names is None or all(name == f"Column_{i}" for i, name in enumerate(self.names))

    def _name(self, column):
        return self.names[column] if self.names else str(column)

    def _check_width(self, width):
        if width != self.n_columns:
            raise DataError(MESSAGES("columns_of_rows", n_columns=width, expected=self.n_columns))

    def _joined(self, columns):
        names = [self._name(column) for column in range(self.n_columns)]
        lacking = [name for name in names if name not in columns]
        if lacking:
            raise DataError(MESSAGES("lacking_columns", lacking=lacking[:8], names=names[:20]))
        return np.hstack([self._kind(column)(column, columns[name]) for column, name in enumerate(names)])

    def _kind(self, column, has_codes=False):
        return self._of_names if column in self.categories and not has_codes else self._of_numbers

    def _read(self, column: int, values: Any) -> Any:
        return self.readings[column](self._name(column), values) if column in self.readings else values

    def _of_numbers(self, column, values):
        """Encode numbers or category codes as float64[n, features of the column]."""
        values = values if column in self.codes else self._read(column, values)
        try:
            if hasattr(values, "to_numpy"):
                numbers = values.to_numpy(np.float64, na_value=np.nan)
            else:
                numbers = np.array([np.nan if value is None else value for value in values], np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(MESSAGES("not_a_number", column=self._name(column), error=error)) from None
        return numbers[:, None] if column not in self.codes else self._flags(column, np.trunc(numbers))

    def _of_names(self, column, values):
        """Encode category names as float64[n, features of the column]."""
        values = self._read(column, values)
        place = {value_text(category): code for code, category in enumerate(self.categories[column])}
        missing = np.array([is_missing(value) for value in values], np.bool_)
        codes = np.array([place.get(value_text(value), -1.0) for value in values], np.float64)
        return self._flags(column, np.where(missing, np.nan, codes))

    def _flags(self, column, codes):
        flags = codes[:, None] == np.array(self.codes[column], np.float64)
        return np.where(np.isnan(codes)[:, None], np.nan, flags)


def set_bits(words: np.ndarray) -> np.ndarray:
    """Return the sorted indices of the bits that are set in 32-bit words, int[s]."""
    bits = (np.asarray(words, np.int64)[:, None] >> np.arange(32)) & 1
    return np.flatnonzero(bits.ravel())
