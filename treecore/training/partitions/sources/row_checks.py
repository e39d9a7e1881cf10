"""Checks of the rows of one part, whose messages name the part."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from treecore.data.feature_encoder import is_text
from treecore.data.messages import MESSAGES as DATA_MESSAGES
from treecore.errors import DataError
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import category_text
from treecore.training.partitions.messages import MESSAGES

MOST_TEXTS = 20_000  # maximum number of different texts of a column, which are all kept in memory


@contextmanager
def naming(part: str) -> Generator:
    """Add the name of a part to the messages of DataErrors."""
    try:
        yield
    except DataError as error:
        raise DataError(MESSAGES("in_part", part=part, why=error)) from None


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
                MESSAGES("other_kind", kinds=" and ".join(kinds), column=column, part=other.part, first=self.part)
            )
        if self.is_ordered or other.is_ordered:
            if self[:2] != other[:2]:
                raise DataError(
                    MESSAGES(
                        "other_levels", column=column, levels=self.values, others=other.values, part=other.part,
                        first=self.part,
                    )
                )  # fmt: skip
            return self
        return of_values({*self.values, *other.values}, column, self.part)


def of_values(values: Any, column: str, part: str) -> Texts:
    """Return the `Texts` of a column without order. Raise DataError if they are too many."""
    if len(values) > MOST_TEXTS:
        facts = {"n_texts": len(values), "text": min(values), "most": MOST_TEXTS}
        raise DataError(MESSAGES("too_many_texts", column=column, **facts))
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
            raise DataError(MESSAGES("not_finite", part=part, column=name))
        column = X[name].astype("category").cat
        values = tuple(map(category_text, column.categories))
        with naming(part):
            found[name] = Texts(values, True, part) if column.ordered else of_values(set(values), str(name), part)
    return found


def _check_numbers(column, part, missing):
    """Raise DataError unless a column of a DataFrame has numbers. Return whether it has any."""
    with naming(part):
        if column.dtype.kind in "mM":
            raise DataError(DATA_MESSAGES("frame.dates", column=column.name))
        try:
            values = column.to_numpy(np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise DataError(DATA_MESSAGES("frame.mixed_column", column=column.name, error=error)) from None
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
        raise DataError(MESSAGES("missing_target", part=part, n=missing))
    if is_squared and y.dtype.kind not in "biuf":
        raise DataError(MESSAGES("no_numbers", part=part, kind="text" if y.dtype.kind in "UO" else str(y.dtype)))
    if y.dtype.kind == "O" and len({isinstance(value, str) for value in y}) > 1:
        raise DataError(MESSAGES("mixed_target", part=part))
    if is_squared and y.size and not np.abs(y.astype(np.float64)).max() <= LARGEST:
        raise DataError(MESSAGES("large_target", part=part, most=LARGEST))
    if not is_squared and y.dtype.kind == "f" and (broken := y != np.floor(y)).any():
        raise DataError(MESSAGES("no_classes", part=part, value=float(y[broken.argmax()])))


def check_weights(weights: np.ndarray | None, part: str) -> None:
    """Raise DataError unless the weights are finite numbers >= 0."""
    if weights is not None and not ((weights >= 0) & (weights <= LARGEST)).all():
        raise DataError(MESSAGES("negative_weights", part=part))


def check_values(X: np.ndarray, part: str, missing: bool, names: Sequence[str] | None) -> None:
    """Raise DataError if an array has infinite, very large or, unless `missing`, missing values."""
    if X.dtype.kind != "f" or (abs(float(X.max(initial=0))) <= LARGEST and abs(float(X.min(initial=0))) <= LARGEST):
        return
    for j in range(X.shape[1]):
        column, name = X[:, j], j if names is None else names[j]
        present = column[~np.isnan(column)]
        if np.isinf(present).any() or not missing and present.size < column.size:
            raise DataError(MESSAGES("infinite" if missing else "not_finite", part=part, column=name))
        if present.size and float(np.abs(present).max()) > LARGEST:
            raise DataError(MESSAGES("too_large", part=part, column=name, most=LARGEST))
