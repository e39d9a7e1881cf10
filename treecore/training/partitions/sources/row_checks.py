"""Checks of the rows of one part, whose messages name the part."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from treecore.data.feature_encoder import dates_in_column, is_text, mixed_column
from treecore.errors import DataError
from treecore.messages import counted, literals
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import category_text

MOST_TEXTS = 20_000  # maximum number of different texts of a column, which are all kept in memory


@contextmanager
def naming(part: str) -> Generator:
    """Add the name of a part to the messages of DataErrors."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{part}: {error}") from None


class Texts(NamedTuple):
    """Values of a column of text, or of numbers.

    values : tuple of str, sorted, or the levels of an ordered column, low to high, or None for numbers; is_ordered :
    bool; part : name of a part that contains such values.
    """

    values: tuple[str, ...] | None
    is_ordered: bool
    part: str

    def joined(self, other: Texts, column: str) -> Texts:
        """Return the values of two parts. Raise DataError if they are too many, or the kinds or levels differ."""
        if self.values is None or other.values is None:
            if self.values is other.values:
                return self
            kinds = ("numbers" if one.values is None else "text" for one in (self, other))
            raise DataError(
                f"{other.part}: column {column!r} has another kind of values than in {self.part} "
                f"({' and '.join(kinds)}). Use the same type in all parts."
            )
        if self.is_ordered or other.is_ordered:
            if self[:2] != other[:2]:
                raise DataError(
                    f"{other.part}: column {column!r} has the ordered levels {literals(other.values)[:200]}, but "
                    f"{literals(self.values)[:200]} in {self.part}. Use the same levels, or store texts."
                )
            return self
        return of_values({*self.values, *other.values}, column, self.part)


def of_values(values: Any, column: str, part: str) -> Texts:
    """Return the `Texts` of a column without order. Raise DataError if they are too many."""
    if len(values) > MOST_TEXTS:
        raise DataError(
            f"Column {column!r} has {len(values):,} different strings, such as {min(values)!r} (maximum "
            f"{MOST_TEXTS:,}). Remove the column, or group its values."
        )
    return Texts(tuple(sorted(values)), False, part)


def texts_of(X: Any, part: str, missing: bool) -> dict[str, Texts]:
    """Return the texts of each column of a DataFrame that contains values.

    Raise DataError if they are too many, if numbers are infinite or, unless `missing`, if a value is missing.
    """
    found = {}
    for name in X.columns if hasattr(X, "columns") else ():
        if not is_text(X[name]):
            if _check_numbers(X[name], part, missing):
                found[name] = Texts(None, False, part)
            continue
        if not missing and X[name].isna().any():
            raise DataError(_not_finite(part, name))
        column = X[name].astype("category").cat
        values = tuple(map(category_text, column.categories))
        with naming(part):
            found[name] = Texts(values, True, part) if column.ordered else of_values(set(values), str(name), part)
    return found


def _check_numbers(column, part, missing):
    """Raise DataError unless a column of a DataFrame has numbers. Return whether it has any."""
    with naming(part):
        if column.dtype.kind in "mM":
            raise DataError(dates_in_column(column.name))
        try:
            values = column.to_numpy(np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise DataError(mixed_column(column.name, error)) from None
    check_values(values[:, None], part, missing, [column.name])
    return not np.isnan(values).all()


def check_target(y: np.ndarray, part: str, is_squared: bool) -> None:
    """Raise DataError unless the targets are classes, or numbers for regression, and none is missing."""
    if y.dtype.kind == "f":
        missing = int(np.count_nonzero(~np.isfinite(y)))
    elif y.dtype.kind == "O":
        import pandas  # slow import

        missing = int(pandas.isna(y).sum())
    else:
        missing = 0
    if missing:
        raise DataError(
            f"{part}: the target is missing or infinite in {counted(missing, 'row')}. Remove these rows, for "
            "example with a filter of polars or DuckDB."
        )
    if is_squared and y.dtype.kind not in "biuf":
        raise DataError(
            f"{part}: the target has the type {'text' if y.dtype.kind in 'UO' else str(y.dtype)}, but regression "
            "requires numbers. Use a classifier, or convert the target."
        )
    if y.dtype.kind == "O" and len({isinstance(value, str) for value in y}) > 1:
        raise DataError(f"{part}: the target contains both texts and numbers. Convert all of them to texts.")
    if is_squared and y.size and not np.abs(y.astype(np.float64)).max() <= LARGEST:
        raise DataError(f"{part}: the target has values larger than {LARGEST:g} in absolute value. Rescale the target.")
    if not is_squared and y.dtype.kind == "f" and (broken := y != np.floor(y)).any():
        raise DataError(
            f"{part}: the target contains numbers that are not whole, such as {float(y[broken.argmax()]):g}. Use "
            "a regressor, or convert the target to classes."
        )


def check_weights(weights: np.ndarray | None, part: str) -> None:
    """Raise DataError unless the weights are finite numbers >= 0."""
    if weights is not None and not ((weights >= 0) & (weights <= LARGEST)).all():
        raise DataError(f"{part}: the sample weights must be finite numbers >= 0. Correct the weights.")


def check_values(X: np.ndarray, part: str, missing: bool, names: Sequence[str] | None) -> None:
    """Raise DataError if an array has infinite, very large or, unless `missing`, missing values."""
    if X.dtype.kind != "f" or (abs(float(X.max(initial=0))) <= LARGEST and abs(float(X.min(initial=0))) <= LARGEST):
        return
    for j in range(X.shape[1]):
        column, name = X[:, j], j if names is None else names[j]
        present = column[~np.isnan(column)]
        if np.isinf(present).any() or not missing and present.size < column.size:
            raise DataError(
                f"{part}: column {name!r} has infinite values. Remove these rows."
                if missing
                else _not_finite(part, name)
            )
        if present.size and float(np.abs(present).max()) > LARGEST:
            raise DataError(
                f"{part}: column {name!r} has values larger than {LARGEST:g} in absolute value. Rescale the column."
            )


def _not_finite(part: object, column: Any) -> str:
    return (
        f"{part}: column {column!r} has missing or infinite values. Remove these rows, or set missing='learn' if "
        "values are only missing."
    )
