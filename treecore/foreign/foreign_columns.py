"""`ForeignColumns`: conversion of the columns of a foreign model to the features of its `Tree`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from treecore.errors import DataError, TreeFormatError
from treecore.foreign.column_reading import ColumnReading, is_missing, value_text
from treecore.messages import joined, literal

UNNAMED = re.compile(r"(Column_|[fFxX])\d+")  # names that programs give to unnamed columns


_SCALED_SINGLES = (
    "X has float32 values, which the scalers of the pipeline round. Pass X.astype(numpy.float64) to "
    "the tree and to the pipeline."
)


@dataclass(frozen=True)
class ForeignColumns:
    """Columns of a foreign model. A numeric column is one feature, and each category of a column is a 0/1 feature.

    n_columns : int; names : tuple of str, column names, or None; codes : {column: tuple of int}, sorted codes of the
    known categories; categories : {column: tuple of str}, names of the codes 0, 1, ..., if known; readings : {column:
    ColumnReading}, which converts the values first; has_codes : whether arrays contain codes instead of the names;
    unknown_missing : whether names that are not in `categories` are missing, instead of setting all features to 0;
    is_closed : whether such names raise an error; has_negatives : whether negative fractions round to code 0, instead
    of being unknown; uses_dtypes : whether the program reads the categories of a table from columns of dtype category;
    is_assumed : whether the file leaves open to which columns the `categories` belong; compared : columns whose codes
    are compared with thresholds, so that numbers other than `codes` are refused; rounds_whole : whether the program
    rounds whole numbers in arrays to float32; is_scaled : whether the program scales the columns first, which rounds
    float32 rows.
    """

    n_columns: int
    names: tuple[str, ...] | None = None
    codes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    categories: dict[int, tuple] = field(default_factory=dict)
    readings: dict[int, ColumnReading] = field(default_factory=dict)
    has_codes: bool = True
    unknown_missing: bool = False
    is_closed: bool = False
    has_negatives: bool = True
    uses_dtypes: bool = False
    is_assumed: bool = False
    compared: frozenset[int] = frozenset()
    rounds_whole: bool = False
    is_scaled: bool = False

    def __post_init__(self):
        for column, called in self.categories.items():
            texts = [value_text(category) for category in called]
            if len(set(texts)) < len(texts):
                twice = max(texts, key=texts.count)
                raise TreeFormatError(
                    f"Column {self._name(column)!r:.60} has two categories with the text {twice!r:.60}. Rename "
                    "one and retrain."
                )

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

    @property
    def marked(self) -> list[str]:
        """Names of the columns in which the file treats some values as missing or invalid."""
        return [self._name(column) for column, reading in self.readings.items() if reading.has_marks]

    def set_features(self, column: int, codes: np.ndarray) -> np.ndarray:
        """Return the sorted features of some categories of a column, int[s], without unknown categories."""
        known = np.array(self.codes[column])
        return self.first[column] + np.flatnonzero(np.isin(known, codes))

    def features(self, X: Any) -> Any:
        """Return the features of rows, array [n, features].

        X : array [n, columns] with category codes, or names unless `has_codes`; DataFrame, whose columns are matched by
        name, or by position if the columns of the model or of the table have no names, with category names if the model
        contains them; or Series or dict with one row. For a missing category, all its features are missing. Raise
        DataError for unsupported rows.
        """
        if isinstance(X, dict) or (hasattr(X, "to_frame") and hasattr(X, "index")):
            return self._joined(self._found([(str(name), [value]) for name, value in X.items()]))
        X = X.to_pandas() if hasattr(X, "to_pandas") else X  # tables of polars and Arrow
        if hasattr(X, "columns") and hasattr(X, "iloc"):
            if self.is_scaled and any(map(_is_single, X.dtypes)):
                raise DataError(_SCALED_SINGLES)
            if self._is_in_order(X.columns):
                self._check_width(X.shape[1])
                return self._joined([X.iloc[:, place] for place in range(self.n_columns)])
            return self._joined(self._found([(str(name), X.iloc[:, place]) for place, name in enumerate(X.columns)]))
        if self.is_scaled and _is_single(getattr(X, "dtype", None)):
            raise DataError(_SCALED_SINGLES)
        if self.rounds_whole and not hasattr(X, "tocsr"):
            X = np.asarray(X)
            X = X.astype(np.float32) if X.dtype.kind in "iu" else X
        if not self.codes and not self.readings:
            return X
        X = np.asarray(X)
        X = X.reshape(1, -1) if X.ndim == 1 else X
        self._check_width(X.shape[-1])
        return np.hstack([self._kind(column, self.has_codes)(column, X[:, column]) for column in range(self.n_columns)])

    def _name(self, column):
        return self.names[column] if self.names else str(column)

    def _check_width(self, width):
        if width != self.n_columns:
            raise DataError(f"X has {width} columns, but the model was trained on {self.n_columns}.")

    def _is_in_order(self, given):
        """Return whether columns are matched by position, because the model or the table has no names."""
        if self.names is None:
            return True
        unnamed = all(map(UNNAMED.fullmatch, self.names)) or all(isinstance(name, int | np.integer) for name in given)
        return unnamed and not set(self.names) & {str(name) for name in given}

    def _found(self, given):
        """Return the values of each column, given (name, values) of the columns of a table or the values of a row."""
        names, known = [self._name(column) for column in range(self.n_columns)], {name for name, _ in given}
        spelled: dict[str, list] = {}
        for name, values in given:
            other = re.sub(r"\s", "_", name)  # spelling of LightGBM
            for one in {name, name if other in known else other}:
                spelled.setdefault(one, []).append(values)
        lacking = [name for name in names if name not in spelled]
        if lacking:
            raise DataError(f"X does not have the columns {lacking[:8]}. The model was trained on {names[:20]}.")
        if twice := [name for name in names if len(spelled[name]) > 1]:
            raise DataError(f"Two columns of X have the name {twice[0]!r:.60}. Rename one.")
        return [spelled[name][0] for name in names]

    def _joined(self, columns):
        if self.uses_dtypes:
            self._check_dtypes(columns)
        return np.hstack([self._kind(column)(column, values) for column, values in enumerate(columns)])

    def _check_dtypes(self, columns):
        """Check that the columns of dtype category in a table are those of the model."""
        given = {column for column, values in enumerate(columns) if _is_category(values)}
        if others := sorted(given - self.categories.keys()):
            named, wanted = ([self._name(column) for column in some] for some in (others, self.categories))
            wanted_text = wanted or ["none"]
            raise DataError(
                (
                    f"The columns {joined(named, 8)} of X have the dtype category. The file does not contain the "
                    f"columns of its categories, which were assumed to be {joined(wanted_text, 8)}. Retrain "
                    "without categorical_feature, on a table in which exactly the unordered categories have the "
                    "dtype category."
                )
                if self.is_assumed
                else (
                    f"The columns {joined(named, 8)} of X have the dtype category, but the model was trained on "
                    f"these columns of that dtype: {joined(wanted_text, 8)}. Pass X with the dtypes of the "
                    "training data."
                )
            )
        if not self.is_assumed:
            return
        for column in sorted(self.categories.keys() - given):
            if not all(is_missing(value) or isinstance(value, str) for value in columns[column]):
                raise DataError(
                    "The file does not contain which columns have categories, and column "
                    f"{self._name(column)!r:.60} contains numbers. Pass a DataFrame in which this column has the "
                    "dtype category, as in training."
                )

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
            raise DataError(f"Column {self._name(column)!r} contains a value that is not a number: {error}.") from None
        if column not in self.codes:
            return numbers[:, None]
        if column in self.compared:
            other = ~np.isnan(numbers) & ~np.isin(numbers, self.codes[column])
            if other.any():
                raise DataError(
                    f"Column {self._name(column)!r:.60} contains {numbers[other][0]}, which is not the code of "
                    "one of its categories. Pass a DataFrame with the categories."
                )
        return self._flags(
            column, np.trunc(numbers) if self.has_negatives else np.where(numbers < 0, -1.0, np.trunc(numbers))
        )

    def _of_names(self, column, values):
        """Encode category names as float64[n, features of the column]."""
        values = self._read(column, values)
        place = {value_text(category): code for code, category in enumerate(self.categories[column])}
        missing = np.array([is_missing(value) for value in values], np.bool_)
        codes = np.array([place.get(value_text(value), -1.0) for value in values], np.float64)
        unknown = (codes < 0) & ~missing
        if self.is_closed and unknown.any():
            value = list(values)[int(np.argmax(unknown))]
            raise DataError(
                f"Column {self._name(column)!r:.60} contains {literal(value, 60)}, which is not one of the "
                "categories of the model, so it makes no prediction. Remove these rows, or treat the value as "
                "missing."
            )
        return self._flags(column, np.where(missing | unknown & self.unknown_missing, np.nan, codes))

    def _flags(self, column, codes):
        flags = codes[:, None] == np.array(self.codes[column], np.float64)
        return np.where(np.isnan(codes)[:, None], np.nan, flags)


def _is_single(dtype):
    return getattr(dtype, "kind", "") == "f" and dtype.itemsize < 8


def _is_category(values):
    return getattr(getattr(values, "dtype", None), "name", "") == "category"


def set_bits(words: np.ndarray) -> np.ndarray:
    """Return the sorted indices of the bits that are set in 32-bit words, int[s]."""
    bits = (np.asarray(words, np.int64)[:, None] >> np.arange(32)) & 1
    return np.flatnonzero(bits.ravel())


def codes_of_categories(column: Any) -> str:
    """Return the message about thresholds on codes of categories."""
    return (
        f"Column {column!r:.60} is compared with thresholds on category codes, which is not supported. Retrain on a "
        "0/1 column for each category."
    )
