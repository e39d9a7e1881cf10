"""`LocalExecutor`: runs the work on the parts of a source in the threads of this process."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Protocol

import numpy as np

from treecore.parallel import resolve_jobs, thread_map
from treecore.training.partitions.shard import Problem, Shard
from treecore.training.partitions.sources.row_source import RowPart
from treecore.training.partitions.storage import Storage


class Shards(Protocol):
    """Shards with all parts of a source, in threads or on workers."""

    def call(self, name: str, *arguments: Any) -> list:
        """Return the results of the method `name` of all shards."""
        ...

    def close(self) -> None:
        """Release the rows."""
        ...


class Executor(Protocol):
    """Place where parts are read and shards are kept."""

    def map(self, function: Callable, items: Sequence) -> list:
        """Return the results of a picklable function for all items."""
        ...

    def reduce(self, function: Callable, items: Sequence, join: Callable) -> Any:
        """Return the joined results of a picklable function for all items, in any order."""
        ...

    def shards(self, parts: Sequence[RowPart], problem: Problem) -> Shards:
        """Distribute the parts over shards."""
        ...


class LocalExecutor:
    """Threads of this process.

    n_jobs : as in the estimators; memory : number of bytes for the rows, None for no limit. Further rows are kept in
    temporary files.
    """

    def __init__(self, n_jobs: int | None = None, memory: int | None = None) -> None:
        self.n_jobs, self.memory = resolve_jobs(n_jobs), memory

    def map(self, function: Callable, items: Sequence) -> list:
        """Return the results of a function for all items."""
        with thread_map(self.n_jobs) as run:
            return run(function, items)

    def reduce(self, function: Callable, items: Sequence, join: Callable) -> Any:
        """Return the joined results of a function for all items."""
        groups = [items[i :: self.n_jobs] for i in range(min(self.n_jobs, len(items)))]
        return reduce(join, self.map(lambda group: reduced(function, group, join), groups))

    def shards(self, parts: Sequence[RowPart], problem: Problem) -> "LocalShards":
        """Distribute the parts over one shard per thread."""
        n = min(self.n_jobs, len(parts))
        storage = Storage(self.memory)
        return LocalShards([Shard(parts[i::n], problem, storage) for i in range(n)], storage)


class LocalShards:
    """Shards of this process. `call` runs a method on each shard, in threads."""

    def __init__(self, shards: Sequence[Shard], storage: Storage) -> None:
        self._shards, self._storage = list(shards), storage

    def call(self, name: str, *arguments: Any) -> list:
        """Return the results of the method `name` of all shards."""
        with thread_map(len(self._shards)) as run:
            return run(lambda shard: getattr(shard, name)(*arguments), self._shards)

    def close(self) -> None:
        """Release the rows."""
        self._shards = []
        self._storage.close()


def reduced(function: Callable, items: Sequence, join: Callable) -> Any:
    """Return the joined results of a function for some items, of which at most two are in memory."""
    return reduce(join, map(function, items))


def total(results: list) -> Any:
    """Return the sum of the results of all shards, or of each of their entries."""
    if isinstance(results[0], tuple):
        return tuple(total(list(entries)) for entries in zip(*results, strict=True))
    found = results[0]
    for other in results[1:]:
        np.add(found, other, out=found)
    return found
