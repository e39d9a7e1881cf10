"""Values of parameters that belong to the columns of X, given as a list or by column name."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from treecore.data.feature_encoder import FeatureEncoder
from treecore.declarations import Number, Special
from treecore.errors import ParameterError
from treecore.messages import counted, literal

LEAST_COST, LARGEST_COST = 1e-6, 1e6
KEYWORDS = {"no_interactions": 1, "pairwise": 2}  # number of columns of a path


def read_numbers(text: str) -> dict[str, float] | None:
    """Parse a text such as "age=2,price=0.5" as a dict. Return None for other texts."""
    parts = [part.rpartition("=") for part in text.split(",")]
    read = [(column.strip(), Number().read(number.strip())) for column, sign, number in parts if sign]
    found = {column: number for column, number in read if number is not None}
    return found if len(found) == len(parts) else None


def read_sets(text: str) -> Any:
    """Parse a keyword or a text such as "age+price,height+weight" as a list of sets. Return None for other texts."""
    if text in KEYWORDS:
        return text
    sets = [{column.strip() for column in part.split("+")} for part in text.split(",")]
    return sets if all("" not in columns for columns in sets) else None


def check_costs(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` contains costs."""
    for column, cost in _entries(
        value,
        (
            f"feature_costs={literal(value)}: expected None, one number for each column, or a dict of column name to "
            "number."
        ),
    ):
        if not _is_number(cost) or not LEAST_COST <= cost <= LARGEST_COST:
            raise ParameterError(
                f"feature_costs has the cost {literal(cost)} for column {column}: expected numbers from "
                f"{LEAST_COST:g} to {LARGEST_COST:g}. Use a positive cost, or drop the column from X."
            )


def check_signs(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` contains directions."""
    for column, sign in _entries(
        value,
        (
            f"monotonic_cst={literal(value)}: expected None, one of -1, 0 and 1 for each column, or a dict of column "
            "name to one of them."
        ),
    ):
        if not _is_number(sign) or sign not in (-1, 0, 1):
            raise ParameterError(
                f"monotonic_cst has the value {literal(sign)} for column {column}: expected -1, 0 or 1."
            )


def check_sets(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` contains sets of columns."""
    if isinstance(value, str):
        if value not in KEYWORDS:
            raise ParameterError(_interaction_kind(value))
        return
    if not _is_listed(value) or not all(_is_listed(columns) for columns in value):
        raise ParameterError(_interaction_kind(value))
    if not all(len(columns) for columns in value):
        raise ParameterError(
            "interaction_cst contains an empty set: expected at least one column in each set. Remove the empty set."
        )


# kinds of the parameters
COSTS = Special(
    "array-like of shape (n_features,), dict of column to float",
    "a cost for each column such as age=2,price=0.5 (others: 1)",
    read_numbers,
    check_costs,
)
SIGNS = Special(
    "array-like of int of shape (n_features,), dict of column to int",
    "a direction for each column such as age=1,price=-1",
    read_numbers,
    check_signs,
)
SETS = Special(
    "'pairwise', 'no_interactions', list of sets of columns",
    "pairwise, no_interactions, or sets of columns such as age+price,height+weight",
    read_sets,
    check_sets,
)


def column_names(estimator: Any) -> tuple[int, list | None]:
    """Return the number of columns of X and their names, None for columns without names."""
    names = getattr(estimator, "feature_names_in_", None)
    return estimator.n_features_in_, None if names is None else [str(name) for name in names]


def costs_of(value: Any, columns: tuple[int, list | None]) -> np.ndarray:
    """Return the cost of each column, float64. Columns that a dict lacks have the cost 1."""
    return _of_columns(value, "feature_costs", columns, 1.0).astype(np.float64)


def signs_of(value: Any, columns: tuple[int, list | None], encoder: FeatureEncoder) -> np.ndarray:
    """Return the direction of each column, int8. Columns that a dict lacks have no direction."""
    signs = _of_columns(value, "monotonic_cst", columns, 0).astype(np.int8)
    names = columns[1] or []  # only columns with names contain categories
    for column in np.flatnonzero(signs):
        if encoder.columns is not None and encoder.columns[column] is not None:
            raise ParameterError(
                f"monotonic_cst constrains the column {repr(names[column])}, which contains categories without "
                "an order. Remove it, or make the column an ordered categorical."
            )
    return signs


def sets_of(value: Any, columns: tuple[int, list | None]) -> tuple[list | None, int]:
    """Return the sets of column numbers and 0, or None and the largest number of columns of a path."""
    if isinstance(value, str):
        return None, KEYWORDS[value]
    n_columns, names = columns
    places = {} if names is None else {name: place for place, name in enumerate(names)}
    found = []
    for one in value:
        numbers_of_set = set()
        for column in one:
            place = places.get(column, -1) if isinstance(column, str) else column
            is_whole = isinstance(place, numbers.Integral) and not isinstance(place, bool)
            if not is_whole or not 0 <= place < n_columns:
                raise ParameterError(
                    f"interaction_cst contains the column {column!r}: expected whole numbers from 0 to "
                    f"{n_columns - 1}, or column names."
                )
            numbers_of_set.add(int(place))
        found.append(numbers_of_set)
    return found, 0


def _entries(value, refusal):
    """Return (column, entry) pairs of a dict or a sequence. Raise ParameterError for other values."""
    if isinstance(value, Mapping):
        return [(repr(column), entry) for column, entry in value.items()]
    if not _is_listed(value) or isinstance(value, set | frozenset) or np.ndim(np.asarray(value, object)) != 1:
        raise ParameterError(refusal)
    return list(enumerate(value))


def _of_columns(value, name, columns, usual):
    n_columns, names = columns
    if not isinstance(value, Mapping):
        if len(value) != n_columns:
            raise ParameterError(
                f"{name} has {len(value)} values, but X has {counted(n_columns, 'column')}. Pass one value for "
                "each column."
            )
        return np.array(value)
    if names is None:
        raise ParameterError(
            f"{name} is a dict, but the columns of X have no names. Pass a list of numbers, or X as a DataFrame "
            "whose column names are text."
        )
    unknown = [str(column) for column in value if str(column) not in names]
    if unknown:
        raise ParameterError(
            f"{name} has the columns {unknown[:8]}, but X has {names[:20]}. Use the names of the columns of X."
        )
    given = {str(column): entry for column, entry in value.items()}
    return np.array([given.get(column, usual) for column in names])


def _is_listed(value):
    return isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)


def _is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _interaction_kind(value: Any) -> str:
    return (
        f"interaction_cst={literal(value)}: expected None, 'pairwise', 'no_interactions', or a list of sets of columns."
    )
