"""Column-major training features, with rows sorted by the leaves of the tree.

During a pass, the reduced set of every node is one contiguous range of rows, so solvers read contiguous memory. Dense
data use the smallest dtype that represents them exactly (uint8, float32 or float64). They are neither scaled nor copied
to float64.
"""

from collections.abc import Callable

import numpy as np
import scipy.sparse

from treecore._jit import kernel
from treecore._jit_lanes import width
from treecore.parallel import even_ranges
from treecore.tree.routing import Routing, partition
from treecore.tree.split import Split

_BLOCK = 1024
_ROOM = width(np.empty(0, np.float32))  # numbers behind the last column


@kernel
def _reorder_columns(columns, order, first, last):
    buffer = np.empty(columns.shape[1], columns.dtype)
    for j in range(first, last):
        column = columns[j]
        for i in range(order.size):
            buffer[i] = column[order[i]]
        column[:] = buffer


@kernel
def _gather(columns, points, out):
    for j in range(columns.shape[0]):
        column = columns[j]
        target = out[j]
        for i in range(points.size):
            target[i] = column[points[i]]


@kernel
def _dense_margins(columns, start, features, weights, bias, out):
    n = out.size
    for low in range(0, n, _BLOCK):
        high = min(low + _BLOCK, n)
        part = out[low:high]
        part[:] = bias
        for k in range(features.size):
            column = columns[features[k]][start + low : start + high]
            weight = weights[k]
            for i in range(high - low):
                part[i] += weight * np.float64(column[i])


@kernel
def _dense_margins_at(columns, points, features, weights, out):
    for k in range(features.size):
        column = columns[features[k]]
        weight = weights[k]
        for i in range(points.size):
            out[i] += weight * np.float64(column[points[i]])


@kernel
def _sparse_margins(indptr, indices, values, start, features, weights, bias, out):
    out[:] = bias
    stop = start + out.size
    for k in range(features.size):
        low, high = indptr[features[k]], indptr[features[k] + 1]
        first = low + np.searchsorted(indices[low:high], start)
        for p in range(first, high):
            if indices[p] >= stop:
                break
            out[indices[p] - start] += weights[k] * np.float64(values[p])


@kernel
def _dense_leaves(columns, tree, root, points, margins, scratch, out):
    """Write the leaf of each of `points` (row numbers) in the subtree of `root` into ``out[row]``."""
    node_stack = [root]
    low_stack = [0]
    high_stack = [points.size]
    while len(node_stack) > 0:
        node = node_stack.pop()
        low = low_stack.pop()
        high = high_stack.pop()
        if low == high:
            continue
        part = points[low:high]
        if tree.left[node] < 0:
            for i in range(part.size):
                out[part[i]] = node
            continue
        margin = margins[low:high]
        first, last = tree.first[node], tree.last[node]
        features, weights = tree.features[first:last], tree.weights[first:last]
        if part[part.size - 1] - part[0] == part.size - 1:  # points are in increasing order
            _dense_margins(columns, np.int64(part[0]), features, weights, tree.bias[node], margin)
        else:
            margin[:] = tree.bias[node]
            _dense_margins_at(columns, part, features, weights, margin)
        middle = low + partition(part, margin, tree.missing_right[node], scratch)
        node_stack.append(tree.left[node])
        low_stack.append(low)
        high_stack.append(middle)
        node_stack.append(tree.right[node])
        low_stack.append(middle)
        high_stack.append(high)


@kernel
def _dense_other_leaves(columns, tree, nodes, starts, middles, stops, out):
    largest = (stops - starts).max()
    points, scratch = np.empty(largest, np.int32), np.empty(largest, np.int32)
    margins = np.empty(largest)
    for p in range(nodes.size):
        for low, high, root in (
            (starts[p], middles[p], tree.right[nodes[p]]),
            (middles[p], stops[p], tree.left[nodes[p]]),
        ):
            for i in range(low, high):
                points[i - low] = i
            # an int64 as in `DenseColumns.leaves`, so that the kernel is compiled once
            _dense_leaves(columns, tree, np.int64(root), points[: high - low], margins, scratch, out)


def empty_columns(shape: tuple[int, int], dtype: np.dtype) -> np.ndarray:
    """Return an array [n_features, n_rows] with zeros behind its end, which lanes may read."""
    size = shape[0] * shape[1]
    room = np.empty(size + _ROOM, dtype)
    room[size:] = 0
    return room[:size].reshape(shape)


def with_room(values: np.ndarray) -> np.ndarray:
    """Return an array of `empty_columns`, or a copy of another array."""
    base = values.base
    if values.flags.c_contiguous and isinstance(base, np.ndarray) and base.ndim == 1 and base.dtype == values.dtype:
        behind = base.ctypes.data + base.nbytes - values.ctypes.data - values.nbytes
        if base.flags.c_contiguous and behind >= _ROOM * values.itemsize:
            return values
    copy = empty_columns(values.shape, values.dtype)
    copy[:] = values
    return copy


class DenseColumns:
    """Dense features, a C-ordered array [n_features, n_rows] of dtype uint8, float32 or float64."""

    is_sparse = False

    def __init__(self, values: np.ndarray) -> None:
        self.values = values
        self.n_features, self.n_rows = values.shape

    def reorder(self, order: np.ndarray, run: Callable) -> None:
        """Move row ``order[i]`` to position i. run : maps a function over a list (threads)."""
        ranges = even_ranges(self.n_features, 8)
        run(lambda r: _reorder_columns(self.values, order, r[0], r[1]), ranges)

    def margins(self, start: int, stop: int, split: Split) -> np.ndarray:
        """Return ``w . x + b`` for a range of rows, float64[stop - start], added in the order of the split."""
        out = np.empty(stop - start)
        _dense_margins(self.values, start, split.features, split.weights, split.bias, out)
        return out

    def margins_at(self, points: np.ndarray, split: Split) -> np.ndarray:
        """Return ``w . x + b`` for the rows `points` (int array), float64[n]."""
        out = np.full(points.size, split.bias)
        _dense_margins_at(self.values, points, split.features, split.weights, out)
        return out

    def gather(self, points: np.ndarray) -> np.ndarray:
        """Return the rows `points` (int array) as columns of an array [n_features, n]."""
        out = empty_columns((self.n_features, points.size), self.values.dtype)
        _gather(self.values, points, out)
        return out

    def row_major(self) -> np.ndarray:
        """Return the rows as a 2-D view ``[n_rows, n_features]``."""
        return self.values.T

    def leaves(self, tree: Routing, root: int, start: int, stop: int, out: np.ndarray) -> None:
        """For each row in [start, stop), write the leaf that it reaches below `root` into ``out[row]``."""
        n = stop - start
        points = np.arange(start, stop, dtype=np.int32)
        _dense_leaves(self.values, tree, root, points, np.empty(n), np.empty(n, np.int32), out)

    def other_leaves(
        self,
        tree: Routing,
        nodes: np.ndarray,
        starts: np.ndarray,
        middles: np.ndarray,
        stops: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """Write the leaf that the rows of each node would reach through the other child.

        The rows [starts, middles) currently go left, and [middles, stops) go right.
        """
        _dense_other_leaves(self.values, tree, nodes, starts, middles, stops, out)


class SparseColumns:
    """Sparse features, a CSC matrix [n_rows, n_features] of float64 with sorted row numbers in every column."""

    is_sparse = True

    def __init__(self, matrix: scipy.sparse.csr_matrix) -> None:
        self.rows = scipy.sparse.csr_matrix(matrix)
        self.n_rows, self.n_features = self.rows.shape
        self._index()

    def _index(self):
        self.values = self.rows.tocsc()
        self.values.sort_indices()

    def reorder(self, order: np.ndarray, run: Callable) -> None:
        """Move row ``order[i]`` to position i."""
        self.rows = self.rows[order]
        self._index()

    def margins(self, start: int, stop: int, split: Split) -> np.ndarray:
        """Return ``w . x + b`` for a range of rows, float64[stop - start], added in the order of the split."""
        out = np.empty(stop - start)
        csc = self.values
        _sparse_margins(csc.indptr, csc.indices, csc.data, start, split.features, split.weights, split.bias, out)
        return out

    def margins_at(self, points: np.ndarray, split: Split) -> np.ndarray:
        """Return ``w . x + b`` for the rows `points` (int array), float64[n]."""
        return self.margins(0, self.n_rows, split)[points]

    def row_major(self) -> scipy.sparse.csr_matrix:
        """Return the rows as a CSR matrix ``[n_rows, n_features]``."""
        return self.rows

    def leaves(self, tree: Routing, root: int, start: int, stop: int, out: np.ndarray) -> None:
        """For each row in [start, stop), write the leaf that it reaches below `root` into ``out[row]``."""
        stack = [(root, np.arange(start, stop))]
        while stack:
            node, points = stack.pop()
            if points.size == 0:
                continue
            if tree.left[node] < 0:
                out[points] = node
                continue
            use = slice(tree.first[node], tree.last[node])
            split = Split(tree.features[use], tree.weights[use], tree.bias[node], 0.0)
            right = self.margins(start, stop, split)[points - start] >= 0
            stack.append((tree.left[node], points[~right]))
            stack.append((tree.right[node], points[right]))

    def other_leaves(
        self,
        tree: Routing,
        nodes: np.ndarray,
        starts: np.ndarray,
        middles: np.ndarray,
        stops: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """Write the leaf that the rows of each node would reach through the other child."""
        for node, start, middle, stop in zip(nodes, starts, middles, stops, strict=True):
            self.leaves(tree, tree.right[node], start, middle, out)
            self.leaves(tree, tree.left[node], middle, stop, out)
