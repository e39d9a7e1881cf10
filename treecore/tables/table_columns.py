"""Columns of a table: a description, stored as JSON, for converting rows of the table to the features of a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from treecore.errors import DataError
from treecore.messages import joined, literal, literals
from treecore.ordered_levels import levels_of, ordered_name, without_levels
from treecore.parameter_checks import LARGEST
from treecore.tables.marked_numbers import marked_number, renamed_columns, unit_in
from treecore.tree.category_columns import CategoryColumns
from treecore.tree.date_text import DATE_UNIT

if TYPE_CHECKING:
    import pandas

NO_VALUE = frozenset(("NA", "N/A", "na", "n/a", "?", "-", "--"))  # unless the training rows had them as a category
BLANK = "(blank)"  # category of an unticked checkbox, which the file contains as a missing value
_OPTIONAL = {"day_first", "missing", "grouped", "of", "spellings", "label"}
KINDS = ("number", "category", "ordered", "date")


@dataclass(frozen=True)
class TableColumn:
    """Column of a table: its name, its kind (one of `KINDS`) and, for a category, the values that are features.

    An ordered column is one feature, the index of the value in `categories`, low to high. Other values are missing. A
    categorical column has one 0/1 feature for each of `categories`, such as ``colour = red``. `others` contains further
    training values, for which all these features are 0. A date becomes days since 1970-01-01. day_first : whether
    03/05/2020 means 3 May, None if the training dates had another form;
    missing : texts that mean a missing value, such as "k.A." or "-999"; grouped : whether the last category is a group
    of all values that are not among the previous categories; of : two columns of numbers or of dates, if the values are
    the difference between the first and the second (in days for dates); spellings : (text, category) of other spellings
    of a category; label : (column, separator, label), if the column is a category with the values "yes" and "no" for
    whether cells of another column, such as "red;large", contain a label.
    """

    name: str
    kind: str = "number"
    categories: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    day_first: bool | None = None
    missing: tuple[str, ...] = ()
    grouped: bool = False
    of: tuple[TableColumn, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()
    label: tuple[str, str, str] | None = None

    def __post_init__(self):
        if self.kind not in KINDS:
            raise DataError(f"Column {self.name!r}: unsupported kind {literal(self.kind)}. Supported: {joined(KINDS)}.")
        if (self.kind in ("category", "ordered")) != bool(self.categories):
            raise DataError(
                f"Column {self.name!r} has kind {self.kind} and {len(self.categories)} categories, which do not match."
            )
        if self.others and (self.kind != "category" or set(self.others) & set(self.categories)):
            raise DataError(f"Column {self.name!r}: `others` must be one of its categories.")
        if self.day_first is not None and (self.kind != "date" or not isinstance(self.day_first, bool)):
            raise DataError(
                f"Column {self.name!r}: `day_first` must be true, false or absent, and applies to dates only."
            )
        if not isinstance(self.grouped, bool) or self.grouped and self.kind != "category":
            raise DataError(
                f"Column {self.name!r}: `grouped` must be true, false or absent, and applies to categories only."
            )
        if not all(isinstance(text, str) for text in self.missing):
            raise DataError(f"Column {self.name!r}: `missing` must contain strings.")
        if self.of and not (self.kind == "number" and is_difference(self.of)):
            raise DataError(
                f"Column {self.name!r}: `of` must be two columns of numbers or of dates, and applies to numbers only."
            )
        if self.spellings and not (self.kind in ("category", "ordered") and all(map(_are_texts, self.spellings))):
            raise DataError(
                f"Column {self.name!r}: `spellings` must be pairs of strings, and applies to categories only."
            )
        if self.label is not None and not (self.kind == "category" and _are_texts(self.label, 3) and self.label[1]):
            raise DataError(
                f"Column {self.name!r}: `label` must be a column, a separator and a label, and applies to categories "
                "only."
            )

    @property
    def values(self) -> tuple[str, ...]:
        """Categories that are values of the column, without the group."""
        return self.categories[:-1] if self.grouped else self.categories

    @property
    def blank(self) -> str:
        """Category of a missing value in a checkbox column, else ""."""
        return BLANK if self.kind == "category" and BLANK in (*self.categories, *self.others) else ""

    def feature_names(self) -> tuple[str, ...]:
        """Return the feature names of the column."""
        if self.kind == "category":
            return tuple(f"{self.name} = {category}" for category in self.categories)
        if self.kind == "ordered":
            return (ordered_name(self.name, self.categories),)
        return (self.name + DATE_UNIT * (self.kind == "date"),)

    def sources(self) -> tuple[str, ...]:
        """Return the names of the columns of the table from which the column is made."""
        return (self.label[0],) if self.label else tuple(part.name for part in self.of) or (self.name,)

    @classmethod
    def of_feature(cls, name: str) -> Self:
        """Return the numeric or ordered column of a feature with this name."""
        levels = levels_of(name)
        return cls(without_levels(name), "ordered" if levels else "number", levels)


def is_difference(parts: Sequence[TableColumn]) -> bool:
    """Return whether a difference can be computed from these columns: two of numbers or two of dates."""
    kinds = [part.kind for part in parts if not part.of]
    return kinds in (["number", "number"], ["date", "date"])


class Encoded(NamedTuple):
    """Features of table rows, with notes.

    X : float64[n, d], NaN for missing values; notes : tuple of str, such as notes on absent columns.
    """

    X: np.ndarray
    notes: tuple


@dataclass(frozen=True)
class TableColumns:
    """Columns of a table that a tree was trained on, in order."""

    columns: tuple[TableColumn, ...]

    def __post_init__(self):
        names = self.feature_names()
        if not names or len(set(names)) < len(names):
            twice = next((name for name in names if names.count(name) > 1), None)
            raise DataError(
                "The description has no column." if twice is None else f"Two features have the same name {twice!r}."
            )

    def feature_names(self) -> tuple[str, ...]:
        """Return the names of the features of all columns."""
        return tuple(name for column in self.columns for name in column.feature_names())

    def names(self) -> list[str]:
        """Return the names of the columns that a table of rows needs, which for a difference are its two columns."""
        return list(dict.fromkeys(name for column in self.columns for name in column.sources()))

    def groups(self) -> list:
        """Return the list of feature ranges of the columns."""
        ends = np.cumsum([len(column.feature_names()) for column in self.columns]).tolist()
        return [range(first, last) for first, last in zip([0, *ends[:-1]], ends, strict=True)]

    def categories(self, X: np.ndarray | None = None) -> CategoryColumns:
        """Return the categorical columns for the texts of conditions. X : array [n, d] of known rows, or None."""
        pairs = zip(self.columns, self.groups(), strict=True)
        found = {group: column for column, group in pairs if column.kind == "category"}
        rest = {group: () if column.grouped else column.others for group, column in found.items()}
        return CategoryColumns.of(self.feature_names(), found, X, rest)

    def day_first(self) -> dict:
        """Return {name: whether the day comes first} for date columns with a known order of day and month."""
        parts = [part for column in self.columns for part in column.of or (column,)]
        return {c.name: c.day_first for c in parts if c.day_first is not None}

    def marker_values(self) -> dict:
        """Return {name: categories that usually mark a missing value}, such as NA for a region."""
        found = {c.name: sorted(NO_VALUE.intersection((*c.categories, *c.others))) for c in self.columns}
        return {name: texts for name, texts in found.items() if texts}

    def encode(self, frame: pandas.DataFrame) -> Encoded:
        """Encode the rows of a DataFrame as features and return `Encoded`.

        An absent column is missing in every row, and additional columns are ignored. An invalid number or date becomes
        a missing value. In a numeric column, this includes dates such as 20240115. For an unknown category, all
        features are 0. A difference is computed from its two columns, and a label from its column. If one of them is
        absent, the value is taken from a column with the name of the difference or label. The notes list all these
        cases and ambiguous dates. Raise DataError if all columns are absent.
        """
        names = [str(name) for name in frame.columns]
        known = list(dict.fromkeys((*self.names(), *(column.name for column in self.columns))))
        renamed = renamed_columns(known, names)
        present = {renamed.get(name, name): i for i, name in enumerate(names)}
        lacking = [column for column in self.columns if not _is_present(column, present)]
        absent = [name for column in lacking for name in column.sources() if name not in present]
        absent = list(dict.fromkeys(absent))
        if len(lacking) == len(self.columns):
            raise DataError(
                (
                    f"The table contains none of the columns {literals(absent, 8)}. Its columns: "
                    f"{literals(list(present), 8)}."
                )
                if present
                else f"The table contains none of the columns {literals(absent, 8)}. It has no columns."
            )
        notes = [f"Columns not in the table, treated as missing: {literals(absent, 8)}."] if absent else []
        unused = [name for name in present if name not in known]
        notes += [f"Columns not used by the tree: {literals(unused, 8)}."] if unused else []
        X = np.full((len(frame), len(self.feature_names())), np.nan)
        for column, group in zip(self.columns, self.groups(), strict=True):
            out, parts = X[:, group.start : group.stop], np.full((len(frame), 2), np.nan)
            if column.of and all(part.name in present for part in column.of):
                for k, part in enumerate(column.of):
                    notes += _encoded(part, frame.iloc[:, present[part.name]], parts[:, k : k + 1])
                out[:, 0] = within_reach(parts[:, 0] - parts[:, 1])
            elif column.label and column.label[0] in present:
                values = without_markers(frame.iloc[:, present[column.label[0]]], column.missing)
                notes += _ENCODERS[column.kind](column, label_values(values, *column.label[1:]), out)
            elif column.name in present:
                notes += _encoded(column, frame.iloc[:, present[column.name]], out)
        return Encoded(X, tuple(dict.fromkeys(notes)))

    def to_dict(self) -> dict:
        """Convert to a dict of JSON values."""
        return {"columns": [_record(column) for column in self.columns]}

    @classmethod
    def from_dict(cls, value: Any) -> Self:
        """Return the columns from a result of `to_dict`. Raise DataError if a field is invalid."""
        columns = value.get("columns") if isinstance(value, dict) else None
        if not isinstance(columns, list):
            raise DataError("The description of the columns must be an object with a list `columns`.")
        return cls(tuple(_column(i, column) for i, column in enumerate(columns)))


def _is_present(column, names):
    return column.name in names or all(name in names for name in column.sources())


def _are_texts(value, n=2):
    return isinstance(value, tuple) and len(value) == n and all(isinstance(text, str) for text in value)


def _encoded(column, values, out):
    """Write the features of a column to `out` and return notes."""
    values = with_spellings(without_markers(values, column.missing), dict(column.spellings))
    return _ENCODERS[column.kind](column, values, out)


def with_spellings(values: pandas.Series, spellings: Mapping[str, str]) -> pandas.Series:
    """Replace the texts of a column that are other spellings of a category, given as {text: category}."""
    import pandas

    if not spellings:
        return values
    codes, uniques = values.factorize(use_na_sentinel=True)
    texts = [category_text(value) for value in uniques]
    words = list(dict.fromkeys(spellings.get(text, text) for text in texts))
    places = np.array([*(words.index(spellings.get(text, text)) for text in texts), -1])
    found = pandas.Categorical.from_codes(places[codes], pandas.Index(words, dtype="str"))
    return pandas.Series(found, values.index, name=values.name)


def label_values(values: pandas.Series, separator: str, label: str) -> pandas.Series:
    """Return a category with "yes" and "no" for whether cells such as "red;large" contain a label."""
    import pandas

    codes, uniques = values.factorize(use_na_sentinel=True)
    has_label = [label in map(str.strip, category_text(value).split(separator)) for value in uniques]
    places = np.array([*(int(one) for one in has_label), -1])
    found = pandas.Categorical.from_codes(places[codes], pandas.Index(["no", "yes"], dtype="str"))
    return pandas.Series(found, values.index, name=values.name)


def _record(column):
    known = {"name": column.name, "kind": column.kind, "categories": list(column.categories)}
    known["others"] = list(column.others)
    more = {"day_first": column.day_first} if column.day_first is not None else {}
    more |= {"missing": list(column.missing)} if column.missing else {}
    more |= {"of": [_record(part) for part in column.of]} if column.of else {}
    more |= {"spellings": [list(pair) for pair in column.spellings]} if column.spellings else {}
    more |= {"label": list(column.label)} if column.label else {}
    return known | more | ({"grouped": True} if column.grouped else {})


def _column(index, value):
    if not isinstance(value, dict) or set(value) - _OPTIONAL != {"name", "kind", "categories", "others"}:
        raise DataError(f"Column {index} must have name, kind, categories and others.")
    name, kind, categories, others = (value[key] for key in ("name", "kind", "categories", "others"))
    texts = [name, kind, *categories, *others] if isinstance(categories, list) and isinstance(others, list) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise DataError(f"Column {index}: name, kind, categories and others must be strings.")
    missing, parts = value.get("missing", []), value.get("of", [])
    spellings, label = value.get("spellings", []), value.get("label")
    if not isinstance(spellings, list) or not isinstance(label, list | None):
        raise DataError(f"Column {index}: `spellings` and `label` must be lists of strings.")
    label = None if label is None else tuple(label)
    spellings = tuple(tuple(pair) if isinstance(pair, list) else pair for pair in spellings)
    if not isinstance(missing, list):
        raise DataError(f"Column {index}: `missing` must be a list of strings.")
    if not isinstance(parts, list) or any(isinstance(part, dict) and "of" in part for part in parts):
        raise DataError(f"Column {index}: `of` must be a list of two columns of numbers or of dates.")
    parts = tuple(_column(index, part) for part in parts)
    more = value.get("day_first"), tuple(missing), value.get("grouped", False), parts, spellings, label
    return TableColumn(name, kind, tuple(categories), tuple(others), *more)


def without_markers(values: pandas.Series, missing: Sequence[str]) -> pandas.Series:
    """Replace the values of a column whose texts are in `missing` by NaN, NaT or None."""
    if not len(missing):
        return values
    codes, uniques = values.factorize(use_na_sentinel=True)
    is_marker = np.array([*(marker_text(value) in missing for value in uniques), False])
    return values.mask(is_marker[codes]) if is_marker.any() else values


def within_reach(numbers: np.ndarray) -> np.ndarray:
    """Return the numbers as float64[n], with NaN for values that are infinite or too large for training."""
    return np.where(np.abs(numbers) > LARGEST, np.nan, numbers)


def _numbers(column, values, out):
    import pandas

    if str(values.dtype) in ("bool", "boolean"):
        values = values.astype("Float64")
    if values.dtype.kind in "mM":  # conversion would turn dates into nanoseconds
        out[:, 0] = np.nan
    else:
        numbers = pandas.to_numeric(values, errors="coerce").to_numpy(np.float64, na_value=np.nan)
        if values.dtype.kind not in "uif":
            numbers = _with_marked(numbers, values, unit_in(column.name))
        out[:, 0] = within_reach(numbers)
    return _lost(column, values, out[:, 0], "not a number")


def _with_marked(numbers, values, unit):
    """Add the numbers of texts such as "197 cm" or "(76.50)" to the numbers of a column."""
    lost = np.flatnonzero(np.isnan(numbers) & values.notna().to_numpy())
    texts = [str(value) for value in values.iloc[lost]]
    known = {text: marked_number(text, unit) for text in set(texts)}
    found = [np.nan if known[text] is None else known[text] for text in texts]
    if found:
        numbers = numbers.copy()
        numbers[lost] = found
    return numbers


def _dates(column, values, out):
    from treecore.tables import table_dates  # slow import

    out[:, 0] = table_dates.days(values, column.day_first)
    day_first, either = (column.day_first, None) if column.day_first is not None else table_dates.order_of(values)
    order = "day/month" if day_first else "month/day"
    notes = (
        [] if either is None else [f"Column {column.name!r}: dates such as {literal(either[:40])} are read as {order}."]
    )
    what = "not a date" if column.day_first is None else f"not a date in the format of training ({order})"
    return [*notes, *_lost(column, values, out[:, 0], what)]


def _categories(column, values, out):
    place = {category: code for code, category in enumerate(column.values)}
    rest = len(place) if column.grouped else -1
    codes, uniques = values.factorize(use_na_sentinel=True)
    positions = np.array([place.get(category_text(value), rest) for value in uniques] + [-1], np.int64)[codes]
    positions[codes < 0] = place.get(column.blank, rest)
    known = {*column.categories, *column.others}
    is_lost = np.array([*(category_text(value) in NO_VALUE - known for value in uniques), True])[codes]
    out[:] = positions[:, None] == np.arange(len(column.categories))
    if not column.blank:
        out[is_lost] = np.nan
    unknown = sorted(text for text in map(category_text, uniques) if text not in known and text not in NO_VALUE)
    if not unknown:
        return []
    return [
        (
            (
                f"Column {column.name!r}: values not seen in training: {literals(unknown, 8)}. They are treated as "
                f"{column.categories[-1]!r}."
            )
            if column.grouped
            else f"Column {column.name!r}: values not seen in training: {literals(unknown, 8)}."
        )
    ]


def _lost(column, values, numbers, what):
    lost = np.isnan(numbers) & ~values.isna().to_numpy()
    if not lost.any():
        return []
    example, n_lost = str(values.iloc[int(np.argmax(lost))])[:40], int(lost.sum())
    return [
        (
            f"Column {column.name!r}: 1 value is {what}, such as {literal(example)}, and is treated as missing."
            if n_lost == 1
            else (
                f"Column {column.name!r}: {n_lost:,} values are {what}, such as {literal(example)}, and are treated "
                "as missing."
            )
        )
    ]


def _places(column, values, out):
    place = {level: float(at) for at, level in enumerate(column.categories)}
    codes, uniques = values.factorize(use_na_sentinel=True)
    out[:, 0] = np.array([*(place.get(category_text(value), np.nan) for value in uniques), np.nan])[codes]
    return _lost(column, values, out[:, 0], f"not one of {' < '.join(column.categories)[:200]}")


_ENCODERS = {"number": _numbers, "date": _dates, "category": _categories, "ordered": _places}


def category_text(value: Any) -> str:
    """Return the text of a category. 1 and 1.0 give the same text, because whole numbers can have either type."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def marker_text(value: Any) -> str:
    """Return the text of a value, for comparison with markers of missing values.

    The text has no surrounding blanks, and dates have no time at midnight.
    """
    return category_text(value).strip().removesuffix(" 00:00:00")
