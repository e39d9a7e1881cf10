"""Recognition of rows that are not in memory. Modules and classes are compared by name, so that none is imported."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import PurePath
from types import SimpleNamespace
from typing import Any

import numpy as np

from treecore.errors import DataError, ParameterError
from treecore.messages import literal
from treecore.training.partitions.sources.dask_source import is_dask, lacking_columns
from treecore.training.partitions.sources.file_source import no_rows
from treecore.training.partitions.sources.row_checks import check_target, check_weights, naming

_HERE = "treecore.training.partitions.sources."
# (top-level module, class): module and class of the source
_KINDS = {
    ("pyarrow", "Dataset"): ("file_source", "FileSource"),
    ("polars", "LazyFrame"): ("query_source", "QuerySource"),
    ("duckdb", "DuckDBPyRelation"): ("query_source", "QuerySource"),
    ("dask", "DataFrame"): ("dask_source", "DaskSource"),
    ("dask", "Array"): ("dask_source", "DaskSource"),
}


def is_source(X: Any) -> bool:
    """Return whether rows are read in parts: paths, queries, data sets of pyarrow, Dask collections, RowSources."""
    return callable(getattr(X, "parts", None)) and hasattr(X, "feature_names") or _kind(X) is not None


def row_source_of(X: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Return the RowSource for X, or None if X is in memory.

    y, sample_weight : names of columns of X, or None; for a Dask Array, arrays of Dask. Raise ParameterError for other
    values.
    """
    kind = _kind(X)
    if kind is None:
        if not is_source(X):
            return None
        if y is not None or sample_weight is not None:
            raise ParameterError(
                "y and sample_weight belong to X, which already contains them. Leave them out, or set them in "
                "the source."
            )
        return X
    module, name = kind
    if module != "dask_source":
        if y is not None and not isinstance(y, str):
            raise ParameterError(_target_name(y))
        if sample_weight is not None and not isinstance(sample_weight, str):
            raise ParameterError(
                f"sample_weight={literal(sample_weight, 60)}: expected the name of a column, because X is read "
                "in parts. Pass a name or None."
            )
    return getattr(import_module(_HERE + module), name)(X, y, sample_weight)


def training_source(X: Any, y: Any, sample_weight: Any) -> Any:
    """Return the RowSource of training rows, or None if X is in memory. Raise ParameterError without a target."""
    source = row_source_of(X, y, sample_weight)
    if source is not None and y is None and getattr(source, "target", "y") is None:
        raise ParameterError(_target_name(y))
    return source


def executor_of(source: Any, n_jobs: int | None) -> Any:
    """Return the place where a source is read: the current Dask client if there is one, else threads."""
    if "distributed" in sys.modules:
        found = import_module("treecore.training.partitions.cluster.dask_executor").current_executor()
        if found is not None:
            return found
    from treecore.training.partitions.shards import LocalExecutor  # slow import

    return LocalExecutor(n_jobs, getattr(source, "memory", None))


def feature_parts(estimator: Any, X: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, features) of the parts of X with rows, for the prediction of a fitted estimator."""
    names = getattr(estimator, "feature_names_in_", None)
    kind = _kind(X)
    if kind is not None and kind[0] == "file_source" and names is not None:
        source = import_module(_HERE + "file_source").FileSource(X, features=[str(name) for name in names])
    else:
        source = row_source_of(X)
    try:
        for part in source.parts():
            rows = with_names(part.read().X, part.name, source.feature_names, names)
            if len(rows):
                yield part.name, rows
    finally:
        close_source(source)


def close_source(source: Any) -> None:
    """Remove the files that a source has written."""
    getattr(source, "close", lambda: None)()


def with_names(X: Any, part: str, own: Any, wanted: Any) -> Any:
    """Return the columns `wanted` of features, in order.

    part : name for messages; own, wanted : names, or None. Raise DataError if a column is absent.
    """
    if own is None or wanted is None:
        return X.to_numpy() if hasattr(X, "iloc") and wanted is None else X
    import pandas  # slow import

    table = X if hasattr(X, "iloc") else pandas.DataFrame(X, columns=list(own))
    absent = [str(name) for name in wanted if name not in table.columns]
    if absent:
        raise DataError(lacking_columns(part, absent))
    return table[list(wanted)]


def in_parts(method: Callable) -> Callable:
    """Return a method of X that also accepts rows that are read in parts, and joins the results of the parts."""

    @functools.wraps(method)
    def of_rows(self: Any, X: Any) -> np.ndarray:
        if not is_source(X):
            return method(self, X)
        self._fitted()
        found = []
        for part, rows in feature_parts(self, X):
            with naming(part):
                found.append(method(self, rows))
        if not found:
            raise DataError(no_rows("X"))
        return np.concatenate(found)

    return of_rows


def score_in_parts(method: Callable) -> Callable:
    """Return the method `score` of an estimator that also accepts rows that are read in parts."""

    @functools.wraps(method, assigned=("__module__", "__name__", "__qualname__"))
    def score(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the accuracy of the predicted classes, or the coefficient of determination R² of numbers.

        Parameters
        ----------
        X : array-like of shape (n, d), or rows that are read in parts
            Rows with the same columns as the training table.
        y : array-like of shape (n,), str or None, default=None
            Class labels or numbers, or the name of the target column if the rows are read in parts.
        sample_weight : array-like of shape (n,), str or None, default=None
            Non-negative weight of each row, or the name of the column of weights.

        Returns
        -------
        float
            Accuracy or R².

        Raises
        ------
        DataError
            If `X` does not match the training table, or `y` or `sample_weight` cannot be used.
        """
        is_array = y is not None and not isinstance(y, str) and not is_dask(y)
        source = None if is_array else training_source(X, y, sample_weight)
        if source is None:
            return method(self, X, y, sample_weight)
        self._fitted()
        found, names = [], getattr(self, "feature_names_in_", None)
        try:
            for part in source.parts():
                rows, targets, weights = part.read()
                if len(targets):
                    check_target(targets, part.name, not hasattr(self, "classes_"))
                    check_weights(weights, part.name)
                    rows = with_names(rows, part.name, source.feature_names, names)
                    with naming(part.name):
                        predicted = self.predict(rows)
                    found.append((targets, predicted, np.ones(len(targets)) if weights is None else weights))
        finally:
            close_source(source)
        if not found:
            raise DataError(no_rows("X"))
        targets, predicted, weights = (np.concatenate(one) for one in zip(*found, strict=True))
        return method(SimpleNamespace(predict=lambda rows: predicted), None, targets, weights)

    return score


def _kind(X):
    """Return (module, class) of the source for X, or None."""
    if (
        isinstance(X, str | PurePath)
        or isinstance(X, list | tuple)
        and X
        and all(isinstance(one, str | PurePath) for one in X)
    ):
        return "file_source", "FileSource"
    for kind in type(X).__mro__:
        found = _KINDS.get((kind.__module__.lstrip("_").partition(".")[0], kind.__name__))
        if found is not None:
            return found
    return None


def _target_name(y: Any) -> str:
    return (
        f"y={literal(y, 60)}: expected the name of the target column, because X is read in parts. Pass a name such "
        "as 'y'."
    )
