"""`PackedSums`: sums over rows in few bytes, for messages between workers."""

from typing import Any, NamedTuple

import numpy as np

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
