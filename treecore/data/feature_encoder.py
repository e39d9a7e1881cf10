"""Conversion of table columns to features: numbers unchanged, categories as 0/1 features."""

from __future__ import annotations

import datetime
import re
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.column_groups import others_name
from treecore.errors import DataError, DataWarning
from treecore.messages import joined, literal, literals
from treecore.ordered_levels import ordered_name
from treecore.parameter_checks import check_in_memory, typed

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

_NUMBER = re.compile(r"\s*[-+]?(?!0\d)(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*")  # 007 is rather a code than a number
EXACT = 2**53  # floating-point numbers represent all whole numbers up to this one
DATES = (datetime.date, datetime.time, datetime.timedelta)
MOST_CATEGORIES = 50  # maximum number of features of a text column
_LEAST_ROWS = 2  # smallest mean number of rows of a category; a column with fewer is probably an ID or free text


class FeatureEncoder:
    """Validation of X and one-hot encoding of text and categorical columns in a pandas or polars DataFrame.

    missing : whether missing values (NaN, None, NA) are supported; most_categories : int, maximum number of features of
    a text column. `fit` sets columns : list with one entry per column of X, None for numbers, else the category texts
    in order (the list is None if all columns are numbers); groups : list with the range of features of each column;
    feature_names : names of the features, such as ``colour = red``, None if the columns have no names; levels : dict
    from the numbers of ordered columns to their levels; number_texts : names of the text columns that contain numbers
    only, which are converted to numbers with a DataWarning; grouped : dict from the numbers of columns with too many
    categories to the rare ones, which the last feature combines, such as ``city = others (12 categories)``. A
    DataWarning names these columns. For an unknown category, all features but such a last one are 0. For a missing
    category, they are missing. A column of ordered categories is one feature, such as ``size (ordered: small <
    large)``. Its value is the index of the level, and unknown levels count as missing.
    """

    def __init__(self, missing: bool = False, most_categories: int = MOST_CATEGORIES) -> None:
        self.missing = missing
        self.most_categories = most_categories
        self.columns = None
        self.levels: dict[int, tuple] = {}
        self.grouped: dict[int, tuple] = {}
        self.number_texts: list = []
        self.groups: list[range] = []
        self.feature_names = None

    @typed(DataError)
    def fit(self, estimator: BaseEstimator, X: ArrayLike, y: ArrayLike, texts: Mapping | None = None) -> tuple:
        """Validate X and y by the rules of scikit-learn, learn the categories and return (features, y).

        Set `n_features_in_` and `feature_names_in_` of the estimator. Raise DataError for invalid data.

        texts : dict from the names of columns to their texts in other rows, which also become features, or None
        """
        from sklearn.base import is_regressor  # slow imports
        from sklearn.utils.validation import check_X_y, validate_data

        check_in_memory(X, "X")
        check_in_memory(y, "y")
        settings = self._settings() | {"y_numeric": is_regressor(estimator)}
        X = _of_pandas(X)
        _refuse_dates(X)
        if rounded := _rounded(X):
            warnings.warn(
                (
                    f"The columns {literals(rounded[:8])} contain whole numbers beyond 2**53, which are rounded to "
                    "floating-point numbers. If the last digits matter, subtract a constant; if they are IDs, remove "
                    "the column."
                ),
                DataWarning,
                stacklevel=2,
            )
        self.columns, self.levels, self.grouped = None, {}, {}
        self.number_texts = _number_texts(X, texts or {})
        if self.number_texts:
            warnings.warn(
                (
                    f"The text columns {literals(self.number_texts)} contain only numbers and are used as numbers. "
                    "Convert them with pandas.to_numeric, or with astype('category') to use each value as a category."
                ),
                DataWarning,
                stacklevel=2,
            )
            X = _with_numbers(X, self.number_texts)
        if not _has_text(X):
            X, y = validate_data(estimator, X, y, multi_output=False, reset=True, **settings)
            if X.dtype.kind not in "buif":
                raise DataError(f"X has dtype {X.dtype}: expected numbers, or a DataFrame with text columns.")
            names = getattr(estimator, "feature_names_in_", None)
            self.feature_names = None if names is None else tuple(map(str, names))
            self.groups = [range(feature, feature + 1) for feature in range(X.shape[1])]
            return X, y
        validate_data(estimator, X, reset=True, skip_check_array=True)
        self.names = [str(name) for name in X.columns]
        self.levels = {i: levels for i in range(X.shape[1]) if (levels := _levels(X.iloc[:, i]))}
        self.columns = [
            None if i in self.levels else self._categories(i, name, X.iloc[:, i], (texts or {}).get(name, ()))
            for i, name in enumerate(X.columns)
        ]
        ends = np.cumsum([1 if categories is None else len(categories) for categories in self.columns]).tolist()
        self.groups = [range(first, last) for first, last in zip([0, *ends[:-1]], ends, strict=True)]
        self.feature_names = tuple(
            ordered_name(str(name), self.levels[i])
            if i in self.levels
            else str(name)
            if category is None
            else f"{name} = {category}"
            for i, (name, categories) in enumerate(zip(X.columns, self.columns, strict=True))
            for category in (categories or [None])
        )
        return check_X_y(self._encoded(X), y, **settings)

    @typed(DataError)
    def transform(self, estimator: BaseEstimator, X: np.ndarray) -> np.ndarray:
        """Return the features of rows with the same columns. Raise DataError if they do not match."""
        from sklearn.utils.validation import check_array, validate_data  # slow import

        check_in_memory(X, "X")
        X = _with_numbers(_of_pandas(X), self.number_texts)
        if self.columns is None:
            return validate_data(estimator, X, reset=False, **self._settings())
        if not hasattr(X, "iloc"):
            raise DataError(
                "X is not a DataFrame, but the model was fitted on a DataFrame with text columns. Pass a "
                f"DataFrame with the columns {joined(self.names[:8])} ..."
            )
        validate_data(estimator, X, reset=False, skip_check_array=True)
        return check_array(self._encoded(X), **self._settings())

    def _settings(self):
        finite = "allow-nan" if self.missing else True
        return {"accept_sparse": "csr", "dtype": "numeric", "ensure_all_finite": finite}

    def _categories(self, i, name, column, others):
        """Return the category texts of column i, or None for numbers."""
        if not is_text(column):
            try:
                column.to_numpy(np.float64, na_value=np.nan)
            except (TypeError, ValueError) as error:
                raise DataError(mixed_column(name, error)) from None
            return None
        counts = Counter(dict.fromkeys(others, 0))
        for value, n in column.value_counts().items():
            if n:
                counts[_text(value)] += n
        categories = sorted(counts)
        if not categories:
            raise DataError(f"Column {name!r} has no values. Remove it.")
        if len(categories) <= self.most_categories:
            return categories
        if sum(counts.values()) < _LEAST_ROWS * sum(n > 0 for n in counts.values()):
            raise DataError(
                f"Column {name!r} has {len(categories)} different strings, such as {categories[0]!r}, with fewer than "
                "two rows each on average. A tree could only memorise rows with it. Remove the column, or group its "
                "values."
            )
        frequent = sorted(categories, key=lambda text: -counts[text])[: self.most_categories - 1]
        kept = sorted(text for text in frequent if counts[text] > 1)
        self.grouped[i] = tuple(sorted({*categories}.difference(kept)))
        group = others_name(len(self.grouped[i]), counts)
        text = (
            f"Column {name!r} has {len(categories):,} categories. The {len(kept)} most frequent ones become features, "
            f"and {group!r} combines all others. To choose another grouping, replace rare values before training."
        )
        warnings.warn(text, DataWarning, stacklevel=4)
        return [*kept, group]

    def _encoded(self, X):
        """Return the encoded features, float64[n, features]."""
        parts = []
        for i, categories in enumerate(self.columns):
            column = X.iloc[:, i]
            if i in self.levels:
                parts.append(self._places(X.columns[i], column, self.levels[i])[:, None])
                continue
            if categories is None:
                try:
                    parts.append(column.to_numpy(np.float64, na_value=np.nan)[:, None])
                except (TypeError, ValueError) as error:
                    raise DataError(_frame_no_longer_numbers(X.columns[i], error)) from None
                continue
            missing = self._missing(X.columns[i], column)
            codes = _codes(column, categories, i in self.grouped)
            flags = (codes[:, None] == np.arange(len(categories))).astype(np.float64)
            flags[missing] = np.nan
            parts.append(flags)
        return np.hstack(parts)

    def _missing(self, name, column):
        missing = column.isna().to_numpy()
        if missing.any() and not self.missing:
            raise DataError(
                f"Column {name!r} has {int(missing.sum())} missing values. Fill them, remove these rows, or "
                "train a TAO estimator with missing='learn'."
            )
        return missing

    def _places(self, name, column, levels):
        """Return the level indices of an ordered column, float64[n]."""
        missing = self._missing(name, column)
        place = {level: float(at) for at, level in enumerate(levels)}
        found = np.array([place.get(_text(value), np.nan) for value in column])
        unknown = np.isnan(found) & ~missing
        if unknown.any() and not self.missing:
            raise DataError(
                f"Column {name!r} contains {literal(str(column.iloc[int(np.argmax(unknown))])[:60])}, which is "
                f"not one of its levels {' < '.join(levels)[:200]}. Correct the value, or train with "
                "missing='learn', which treats it as missing."
            )
        return found


def _number_texts(X, others):
    """Return the names of the text columns of a DataFrame whose values are all numbers.

    others : dict from names to further texts of the column.
    """
    if not hasattr(X, "iloc") or not hasattr(X, "columns"):
        return []
    found = []
    for i, name in enumerate(X.columns):
        column = X.iloc[:, i]
        if str(column.dtype) != "category" and is_text(column):
            values = {*column.dropna().unique(), *others.get(name, ())}
            if values and all(not isinstance(value, str) or _NUMBER.fullmatch(value) for value in values):
                found.append(name)
    return found


def _with_numbers(X, names):
    """Return a DataFrame with some text columns as numbers."""
    if not names or not hasattr(X, "iloc"):
        return X
    import pandas  # slow import

    X = X.copy(deep=False)
    for name in set(names) & set(X.columns):
        try:
            X[name] = pandas.to_numeric(X[name]).astype(np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(_frame_no_longer_numbers(name, error)) from None
    return X


def _of_pandas(X):
    """Convert a polars DataFrame to pandas and return anything else unchanged."""
    if not hasattr(X, "get_column") or hasattr(X, "iloc"):
        return X
    import pandas  # slow import

    return pandas.DataFrame({name: _pandas_column(pandas, X.get_column(name)) for name in X.columns})


def _pandas_column(pandas, column):
    levels = getattr(column.dtype, "categories", None)  # the categories of an Enum are ordered
    if levels is None or not str(column.dtype).startswith("Enum"):
        return column.to_numpy()
    return pandas.Categorical(column.to_list(), levels.to_list(), ordered=True)


def _levels(column):
    """Return the level texts of an ordered categorical column, low to high, or none for other columns."""
    if str(column.dtype) != "category" or not column.cat.ordered:
        return ()
    levels = tuple(_text(value) for value in column.cat.categories)
    return levels if len(levels) > 1 else ()


def _has_text(X):
    return hasattr(X, "iloc") and hasattr(X, "columns") and any(is_text(X.iloc[:, i]) for i in range(X.shape[1]))


def is_text(column: Any) -> bool:
    """Return whether a column contains text or categories, rather than numbers of dtype object."""
    kind = str(column.dtype)
    if kind == "category" or kind.startswith(("str", "string")):
        return True
    return kind == "object" and any(isinstance(value, str) for value in column)


def _codes(column, categories, is_grouped):
    """Return the index of each text in `categories`, int64[n]; for other texts, the last one of a group, else -1."""
    place = {category: code for code, category in enumerate(categories)}
    rest = len(categories) - 1 if is_grouped else -1
    if str(column.dtype) != "category":
        return np.array([place.get(_text(value), rest) for value in column], np.int64)
    own = np.array([*(place.get(_text(value), rest) for value in column.cat.categories), -1], np.int64)
    return own[column.cat.codes]


def _text(value):
    """Return the text of a category. 1 and 1.0 give the same text, because whole numbers can have either type."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _first(column):
    """Return the first value that is not missing, or None."""
    at = column.first_valid_index()
    return None if at is None else column.dropna().iloc[0]


def _rounded(X):
    """Return the names or numbers of the columns with whole numbers that floating-point numbers do not represent."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        columns = [(name, X.iloc[:, i]) for i, name in enumerate(X.columns)]
        known = [(name, column.dropna().to_numpy()) for name, column in columns if _has_large_integers(column.dtype)]
    elif isinstance(X, np.ndarray) and X.ndim == 2 and _has_large_integers(X.dtype):
        known = list(enumerate(X.T))
    else:
        return []
    return [name for name, values in known if any(map(_is_rounded, values[np.abs(values) > EXACT].tolist()))]


def _has_large_integers(dtype):
    return getattr(dtype, "kind", "") in ("i", "u") and getattr(dtype, "itemsize", 8) == 8


def _is_rounded(value):
    return int(float(value)) != value


def _refuse_dates(X):
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        for i, name in enumerate(X.columns):
            column = X.iloc[:, i]
            is_date = column.dtype.kind in "mM" or str(column.dtype).startswith("period")
            if is_date or (column.dtype == object and isinstance(_first(column), DATES)):
                raise DataError(dates_in_column(name))


def _frame_no_longer_numbers(column: Any, error: object) -> str:
    return f"Column {column!r} contained numbers in training, but now does not: {error}. Pass numbers."


def dates_in_column(column: Any) -> str:
    """Return the message about a column of dates."""
    return f"Column {column!r} contains dates or times, which are not supported. Convert them to numbers."


def mixed_column(column: Any, error: object) -> str:
    """Return the message about a column that contains a mix of types."""
    return f"Column {column!r} contains a mix of types: {error}. Use only numbers or only strings."
