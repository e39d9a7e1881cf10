"""Checks of parameters and data that several estimators share."""

import numbers
from collections.abc import Collection, Generator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

import numpy as np

from treecore.errors import DataError, ParameterError, TreecoreError
from treecore.messages import counted, literal, literals

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
        raise DataError(
            f"{name} has {counted(int(np.ma.count_masked(value)), 'masked value')}. Leave out these rows, or "
            "pass X.filled(numpy.nan) with missing='learn'."
        )


def check_in_memory(value: Any, name: str) -> None:
    """Raise DataError if `value` is a path, rows of another library that are not in memory, or has masked values.

    Modules and classes are compared by name, so that no library is imported and nothing is read.
    """
    if isinstance(value, str | PurePath):
        raise DataError(
            f"{name} is the path {str(value)[:80]!r}: expected rows in memory. Read the file first, for example "
            "with pandas.read_csv. Read a folder file by file."
        )
    check_not_masked(value, name)
    for kind in type(value).__mro__:
        found = _UNREAD.get((kind.__module__.lstrip("_").partition(".")[0], kind.__name__))
        if found is not None:
            what, verb, method = found
            raise DataError(f"{name} is {what}: expected rows in memory. {verb} it first with {name}.{method}().")


@contextmanager
def typed(kind: type[Exception]) -> Generator:
    """Convert ValueErrors of scikit-learn to the class `kind`, without scikit-learn's advice on missing values."""
    try:
        yield
    except TreecoreError:
        raise
    except ValueError as error:
        told, missing, _ = str(error).partition("contains NaN.\n")
        raise kind(
            (
                f"{told}contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with "
                "missing='learn' and split='univariate' or 'bivariate'."
            )
            if missing
            else told
        ) from None


def check_number(value: Any, name: str, least: float, most: float = np.inf) -> None:
    """Raise ParameterError unless `value` is a finite number in [least, most]."""
    fine = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(value)
    if fine and least <= value <= most:
        return
    if least > -np.inf and most < np.inf:
        raise ParameterError(f"{name}={literal(value)}: expected a finite number >= {least:g} and <= {most:g}.")
    if least > -np.inf:
        raise ParameterError(f"{name}={literal(value)}: expected a finite number >= {least:g}.")
    if most < np.inf:
        raise ParameterError(f"{name}={literal(value)}: expected a finite number <= {most:g}.")
    raise ParameterError(f"{name}={literal(value)}: expected a finite number.")


def random_numbers(random_state: Any) -> np.random.RandomState:
    """Return the RandomState of a seed, a RandomState, a Generator or None. Raise ParameterError for other values.

    A RandomState for a Generator draws from the same stream of bits.
    """
    from sklearn.utils import check_random_state  # slow import

    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    with typed(ParameterError):
        return check_random_state(random_state)


def check_choice(value: Any, name: str, choices: Collection) -> None:
    """Raise ParameterError unless `value` is one of the strings in `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name}={literal(value)}: expected one of {literals(choices)}.")


def check_whole(value: Any, name: str, least: int) -> None:
    """Raise ParameterError unless `value` is a whole number >= least."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name}={literal(value)}: expected a whole number >= {least}.")


def wrong_labels(shape: object, n_rows: object) -> str:
    """Return the message about a wrong number of labels."""
    return f"y has shape {shape}, but X has {n_rows} rows. Pass one label for each row."
