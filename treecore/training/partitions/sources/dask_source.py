"""`DaskSource`: rows of Dask DataFrames and Arrays, read one partition at a time."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from treecore.errors import DataError
from treecore.messages import literals
from treecore.training.partitions.sources.row_source import PartRows

TASK_ERRORS = (  # of the code of any task
    ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError, RuntimeError,
    TypeError, ValueError,
)  # fmt: skip


class DaskPart:
    """One partition, with the tasks that compute it.

    They run in the thread that reads the part. Persisted results are fetched from the workers that hold them.

    graph : dict of tasks by key; keys : of X, y and weights, None for columns of X; columns : names of the columns y
    and weights of X, or None; features : names of the other columns, or None for an array.
    """

    def __init__(self, name: str, graph: dict, keys: Sequence, columns: tuple[Any, Any], features: list | None) -> None:
        self.name, self.graph, self.keys, self.columns, self.features = name, graph, tuple(keys), columns, features

    def futures(self) -> list:
        """Return the persisted results that the part needs."""
        return [task for task in self.graph.values() if _is_future(task)]

    def read(self) -> PartRows:
        """Compute the rows of the part."""
        import dask  # slow import

        graph = dict(self.graph)
        persisted = {key: task for key, task in graph.items() if _is_future(task)}
        if persisted:
            graph |= zip(persisted, _values(list(persisted.values())), strict=True)
        wanted = [key for key in self.keys if key is not None]
        try:
            found = iter(dask.get(graph, wanted))
        except TASK_ERRORS as error:
            why = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(": .")
            raise DataError(f"{self.name} cannot be computed: {why}. Correct the tasks of the collection.") from error
        rows: list[Any] = [None if key is None else next(found) for key in self.keys]
        X, y, weights = rows
        if self.features is not None:  # Dask does not always check the columns of partitions
            absent = [name for name in (*self.features, *self.columns) if name is not None and name not in X.columns]
            if absent:
                raise DataError(lacking_columns(self.name, absent))
        y, weights = (
            array if name is None else X[name] for array, name in zip((y, weights), self.columns, strict=True)
        )
        return PartRows(
            X if self.features is None else X[self.features],
            np.asarray(y),
            None if weights is None else np.asarray(weights, np.float64),
        )


class DaskSource:
    """Rows of a Dask DataFrame or Array, which stay on the workers or are computed again in each pass.

    A part must not depend on many partitions, as it does after a shuffle: persist such collections first.

    X : Dask DataFrame, or Array with two axes; y : name of a column of X, or a Dask Series or Array with a partition
    for each partition of X; weights : as y, or None.
    """

    def __init__(self, X: Any, y: Any, weights: Any = None) -> None:
        self._X, self._y, self._weights = X, y, weights
        is_table = hasattr(X, "columns")
        if not is_table and X.ndim != 2:
            raise DataError(_dask_shape("X", X.ndim, "two"))
        names = list(X.columns) if is_table else []
        for name in names:
            if names.count(name) > 1:
                raise DataError(equal_names("The DataFrame", name))
        named = [name for name in (y, weights) if name is not None and not is_dask(name)]
        for name in named:
            if not isinstance(name, Hashable) or name not in names:
                found = ", ".join(map(str, names)) if is_table else "none"
                raise DataError(f"y={name!r:.60}: expected the name of a column. The columns are: {found}.")
        self._features = [name for name in names if name not in named] if is_table else None
        self.feature_names = None if self._features is None else tuple(map(str, self._features))
        self._parts = None

    def parts(self) -> list[DaskPart]:
        """Return the partitions."""
        if self._parts is None:
            self._parts = self._found_parts()
        return self._parts

    def _found_parts(self):
        from dask.optimization import cull  # slow import

        X = self._X if hasattr(self._X, "columns") else self._X.rechunk({1: -1})
        collections = [X]
        for other in (self._y, self._weights):
            collections.append(_aligned(other, X) if is_dask(other) else None)
        delayed = [None if one is None else _partitions(one) for one in collections]
        counts = {len(one) for one in delayed if one is not None}
        if len(counts) > 1:
            raise DataError(
                f"X and y have different numbers of partitions: {' and '.join(map(str, sorted(counts)))}. Use "
                "columns of one DataFrame, or call repartition."
            )
        graphs = [{} if one is None else dict(one[0].dask) for one in delayed]
        graph = {key: task for own in graphs for key, task in own.items()}
        y, weights = (None if is_dask(other) else other for other in (self._y, self._weights))
        parts = []
        for i in range(counts.pop()):
            keys = [None if one is None else one[i].key for one in delayed]
            own, _ = cull(graph, [key for key in keys if key is not None])
            parts.append(DaskPart(f"partition {i}", own, keys, (y, weights), self._features))
        return parts


def is_dask(rows: Any) -> bool:
    """Return whether an object is a Dask collection."""
    return type(rows).__module__.partition(".")[0] in ("dask", "dask_expr")


def _partitions(collection):
    """Return the Delayed objects of the partitions. The optimised graph of an Array would lack persisted results."""
    options = {"optimize_graph": False} if hasattr(collection, "chunks") else {}
    return list(np.ravel(collection.to_delayed(**options)))


def _aligned(other, X):
    """Return targets or weights with the chunks of X."""
    if getattr(other, "ndim", 1) > 1 and other.shape[1:] != (1,):
        raise DataError(_dask_shape("y", other.ndim, "one"))
    if hasattr(X, "chunks") and hasattr(other, "rechunk") and not np.isnan(sum(X.chunks[0])):
        if other.shape[0] != X.shape[0]:
            raise DataError(f"X has {X.shape[0]} rows, but y has {other.shape[0]}. Pass one target for each row.")
        return other.reshape(-1).rechunk((X.chunks[0],))
    return other


def _is_future(task):
    return type(task).__name__ == "Future" and type(task).__module__.startswith("distributed")


def _values(futures):
    """Return persisted results. A worker that reads a part holds them, because its task depends on them."""
    import distributed  # slow import

    try:
        held = distributed.get_worker().data
    except ValueError:
        return futures[0].client.gather(futures)
    return [held[one.key] for one in futures]


def _dask_shape(name: object, n_axes: object, expected: object) -> str:
    return f"{name} has {n_axes} axes: expected {expected}. Reshape the array."


def lacking_columns(path: object, names: Any) -> str:
    """Return the message about absent columns."""
    return f"{path} does not have the columns {literals(names, 6)} of the training rows. Add them, or use another file."


def equal_names(path: object, column: Any) -> str:
    """Return the message about columns with equal names."""
    return f"{path} has several columns with the name {column!r}. Rename them."
