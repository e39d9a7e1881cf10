"""Checks of parameters and data that several estimators share."""

import numbers
from collections.abc import Collection, Generator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

import numpy as np

from treecore.errors import DataError, ParameterError, TreecoreError
from treecore.messages import MESSAGES

LARGEST = 1e30  # maximum absolute value of a feature, a target or a weight

_UNREAD = {  # (top-level module, class): name, and method that loads the rows into memory
    ("dask", "DataFrame"): ("a Dask DataFrame", "Compute", "compute"),
    ("dask", "Series"): ("a Dask Series", "Compute", "compute"),
    ("dask", "Array"): ("a Dask Array", "Compute", "compute"),
    ("polars", "LazyFrame"): ("a polars LazyFrame", "Collect", "collect"),
    ("duckdb", "DuckDBPyRelation"): ("a DuckDB relation", "Fetch", "df"),
}


def check_not_masked(value: Any, name: str) -> None:
    """Raise DataError if `value` is an array with masked values, because NumPy would lose their masks."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise DataError(MESSAGES("masked", name=name, n_masked=int(np.ma.count_masked(value))))


def check_in_memory(value: Any, name: str) -> None:
    """Raise DataError if `value` is a path, rows of another library that are not in memory, or has masked values.

    Modules and classes are compared by name, so that no library is imported and nothing is read.
    """
    if isinstance(value, str | PurePath):
        raise DataError(MESSAGES("path", name=name, path=str(value)[:80]))
    check_not_masked(value, name)
    for kind in type(value).__mro__:
        found = _UNREAD.get((kind.__module__.lstrip("_").partition(".")[0], kind.__name__))
        if found is not None:
            what, verb, method = found
            raise DataError(MESSAGES("not_in_memory", name=name, what=what, verb=verb, method=method))


@contextmanager
def typed(kind: type[Exception]) -> Generator:
    """Convert ValueErrors of scikit-learn to the class `kind`, without scikit-learn's advice on missing values."""
    try:
        yield
    except TreecoreError:
        raise
    except ValueError as error:
        told, missing, _ = str(error).partition("contains NaN.\n")
        raise kind(MESSAGES("missing_values", said=told) if missing else told) from None


def check_number(value: Any, name: str, least: float, most: float = np.inf) -> None:
    """Raise ParameterError unless `value` is a finite number in [least, most]."""
    fine = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(value)
    if not fine or not least <= value <= most:
        has_least, has_most = least > -np.inf, most < np.inf
        text = "not_between" if has_least and has_most else "too_small" if has_least else "too_large"
        text = text if has_least or has_most else "not_finite"
        raise ParameterError(MESSAGES(text, name=name, value=value, least=least, most=most))


def check_choice(value: Any, name: str, choices: Collection) -> None:
    """Raise ParameterError unless `value` is one of the strings in `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(MESSAGES("not_a_choice", name=name, value=value, choices=choices))


def check_whole(value: Any, name: str, least: int) -> None:
    """Raise ParameterError unless `value` is a whole number >= least."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ParameterError(MESSAGES("not_whole", name=name, value=value, least=least))
