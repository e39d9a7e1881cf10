"""Shards on the workers of a Dask cluster: the side of the workers, and sums in few bytes for messages."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore.training.partitions.shard import Problem, Shard
from treecore.training.partitions.shards import reduced
from treecore.training.partitions.sources.row_source import RowPart
from treecore.training.partitions.storage import Storage

LEAST_PACKED = 4096  # entries; smaller arrays are sent as they are


class PackedArray(NamedTuple):
    """Array without its empty entries.

    shape, dtype : of the array; filled : bit of each entry of all axes but the last; values : filled entries, in the
    smallest type that holds them exactly.
    """

    shape: tuple
    dtype: np.dtype
    filled: np.ndarray
    values: np.ndarray


class PackedSums:
    """Result of a shard, or the sum of several results.

    n_bytes : size of the entries; moved : bytes that workers exchanged for the sum.
    """

    def __init__(self, result: Any, moved: int = 0) -> None:
        self._is_tuple = isinstance(result, tuple)
        self._entries = [_packed(one) for one in (result if self._is_tuple else (result,))]
        self.n_bytes, self.moved = sum(map(_size, self._entries)), moved

    def unpacked(self) -> Any:
        """Return the result."""
        entries = tuple(map(_unpacked, self._entries))
        return entries if self._is_tuple else entries[0]


def _packed(array):
    if not isinstance(array, np.ndarray) or array.size < LEAST_PACKED:
        return array
    filled = (array != 0).any(axis=-1)
    return PackedArray(array.shape, array.dtype, np.packbits(filled), _smallest(array[filled]))


def _unpacked(entry):
    if not isinstance(entry, PackedArray):
        return entry
    array = np.zeros(entry.shape, entry.dtype)
    filled = np.unpackbits(entry.filled, count=int(np.prod(entry.shape[:-1]))).view(np.bool_)
    array[filled.reshape(entry.shape[:-1])] = entry.values
    return array


def _smallest(values):
    """Return the values in the smallest type that holds each of them exactly."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest <= np.iinfo(np.int32).max and (values == np.rint(values)).all():
        return values.astype(next(kind for kind in (np.int8, np.int16, np.int32) if largest <= np.iinfo(kind).max))
    single = values.astype(np.float32) if largest < float(np.finfo(np.float32).max) else values
    return single if (single == values).all() else values


def _size(entry):
    if isinstance(entry, PackedArray):
        return entry.filled.nbytes + entry.values.nbytes
    return getattr(entry, "nbytes", 8)


KEPT = 0.5  # share of a worker's memory for the codes of rows; others are in files

# (shard, number of calls that it has answered) by (name of the shards, number of the shard)
_held: dict[tuple[str, int], tuple[Shard, int]] = {}
_released: set[str] = set()  # names of shards whose run has ended, although a call may still be running
_lock = threading.Lock()  # of both: calls of several runs, and the end of a run, are in different threads


class LostShardError(Exception):
    """The worker does not hold the shard, or holds an earlier state."""


class ShardCall:
    """A call of a method of a shard. place : number of earlier calls; arguments : tuple."""

    def __init__(self, place: int, name: str, arguments: tuple) -> None:
        self.place, self.name, self.arguments = place, name, arguments

    def __call__(self, shard: Shard) -> Any:
        """Return the result of the method."""
        return getattr(shard, self.name)(*self.arguments)


class Origin:
    """All that a worker needs to compute a shard. calls : the calls that lead to its state."""

    def __init__(self, parts: Sequence[RowPart], problem: Problem, calls: Sequence[ShardCall]) -> None:
        self.parts, self.problem, self.calls = parts, problem, calls

    def shard(self) -> Shard:
        """Read the rows and repeat the calls."""
        shard = Shard(self.parts, self.problem, _storage())
        for call in self.calls:
            call(shard)
        return shard


def answer(key: tuple[str, int], call: ShardCall, origin: Origin | None, rows: Sequence = ()) -> Any:
    """Return the result of a call, in `PackedSums` if it will be added to others.

    The last call may be repeated, because methods of a shard give the same result and state again.

    key : name of the shards and number of the shard; origin : for a worker that does not hold the shard; rows :
    persisted results that the parts need, which the worker therefore holds.
    """
    if origin is not None:
        release(*key)
        shard = origin.shard()
    else:
        shard, answered = _held.get(key, (None, -1))
        if shard is None or answered not in (call.place, call.place + 1):
            raise LostShardError(key)
    result = call(shard)
    with _lock:
        is_wanted = key[0] not in _released
        if is_wanted:
            _held[key] = shard, call.place + 1
    if not is_wanted:
        shard.close()
    return PackedSums(result) if call.name in Shard.ADDED else result


def added(first: PackedSums, second: PackedSums) -> PackedSums:
    """Return the sum of two results."""
    a, b = first.unpacked(), second.unpacked()
    found = tuple(x + y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a + b
    return PackedSums(found, first.moved + second.moved + second.n_bytes)


def mapped(function: Callable, item: Any, rows: Sequence) -> Any:
    """Return the result of a function for an item. rows : as in `answer`."""
    return function(item)


def reduced_here(function: Callable, items: Sequence, join: Callable, rows: Sequence) -> Any:
    """Return the joined results of a function for some items. rows : as in `answer`."""
    return reduced(function, items, join)


def release(name: str, number: int | None = None) -> None:
    """Forget one shard, or all for good."""
    with _lock:
        if number is None:
            _released.add(name)
        found = [_held.pop(key) for key in list(_held) if key[0] == name and number in (None, key[1])]
    for shard, _ in found:
        shard.close()


def _storage():
    """Return the storage of a worker, which keeps values in its folder if its memory is limited."""
    from distributed import get_worker  # optional package

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    return Storage(limit and int(KEPT * limit), worker.local_directory)
