"""Values of parameters that belong to the columns of X, given as a list or by column name."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from treecore.constraints.messages import MESSAGES
from treecore.data.feature_encoder import FeatureEncoder
from treecore.declarations import Number, Special
from treecore.errors import ParameterError

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
    for column, cost in _entries(value, "costs.kind"):
        if not _is_number(cost) or not LEAST_COST <= cost <= LARGEST_COST:
            raise ParameterError(MESSAGES("costs.range", cost=cost, column=column, least=LEAST_COST, most=LARGEST_COST))


def check_signs(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` contains directions."""
    for column, sign in _entries(value, "signs.kind"):
        if not _is_number(sign) or sign not in (-1, 0, 1):
            raise ParameterError(MESSAGES("signs.range", sign=sign, column=column))


def check_sets(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` contains sets of columns."""
    if isinstance(value, str):
        if value not in KEYWORDS:
            raise ParameterError(MESSAGES("interaction.kind", value=value))
        return
    if not _is_listed(value) or not all(_is_listed(columns) for columns in value):
        raise ParameterError(MESSAGES("interaction.kind", value=value))
    if not all(len(columns) for columns in value):
        raise ParameterError(MESSAGES("interaction.empty"))


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
            raise ParameterError(MESSAGES("signs.category", column=repr(names[column])))
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
                raise ParameterError(MESSAGES("interaction.range", column=column, last=n_columns - 1))
            numbers_of_set.add(int(place))
        found.append(numbers_of_set)
    return found, 0


def _entries(value, code):
    """Return (column, entry) pairs of a dict or a sequence. Raise ParameterError for other values."""
    if isinstance(value, Mapping):
        return [(repr(column), entry) for column, entry in value.items()]
    if not _is_listed(value) or isinstance(value, set | frozenset) or np.ndim(np.asarray(value, object)) != 1:
        raise ParameterError(MESSAGES(code, value=value))
    return list(enumerate(value))


def _of_columns(value, name, columns, usual):
    n_columns, names = columns
    if not isinstance(value, Mapping):
        if len(value) != n_columns:
            raise ParameterError(MESSAGES("length", name=name, n=len(value), n_columns=n_columns))
        return np.array(value)
    if names is None:
        raise ParameterError(MESSAGES("unnamed", name=name))
    unknown = [str(column) for column in value if str(column) not in names]
    if unknown:
        raise ParameterError(MESSAGES("unknown", name=name, unknown=unknown[:8], known=names[:20]))
    given = {str(column): entry for column, entry in value.items()}
    return np.array([given.get(column, usual) for column in names])


def _is_listed(value):
    return isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)


def _is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)
