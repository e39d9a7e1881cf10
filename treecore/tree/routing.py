"""Kernels that route points through a tree.

Sums are computed in float64, in the stored order of the weights, so that all code gives the same bits.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from treecore._jit import kernel
from treecore.errors import DataError
from treecore.messages import counted, literals
from treecore.parallel import even_ranges, resolve_jobs, thread_map
from treecore.parameter_checks import check_not_masked

_ROWS_PER_THREAD = 1024
_FEW = 16  # maximum number of rows that are routed one by one, through splits that have no long sum
_BLOCK = 1024  # number of rows that are routed together
_steps_left = 5000  # number of numpy steps (0.2 s) before a process compiles the kernel, which takes 5 s


class Routing(NamedTuple):
    """Arrays of a tree for kernels. A row goes right if ``w . x + b >= 0``. Children are -1 in a leaf."""

    left: np.ndarray  # int32[m]
    right: np.ndarray  # int32[m]
    first: np.ndarray  # int64[m], the weights of node i are [first[i], last[i])
    last: np.ndarray  # int64[m]
    features: np.ndarray  # int32[nnz or more]
    weights: np.ndarray  # float64[nnz or more]
    bias: np.ndarray  # float64[m]
    missing_right: np.ndarray  # bool[m], whether a point with a missing feature (margin NaN) goes right


@kernel
def _exact(value, table, is_byte):
    # Looking up a byte in a table is faster than converting it.
    return table[np.uint8(value)] if is_byte else np.float64(value)


@kernel
def _node_margins(rows, points, tree, node, table, out):
    """Write the margins of rows at one node.

    Four rows are processed at a time. Each sum keeps its order, and the processor computes the four sums in parallel.
    """
    first, last = np.uint64(tree.first[node]), np.uint64(tree.last[node])
    bias = tree.bias[node]
    is_byte = rows.itemsize == 1
    flat, d = rows.ravel(), np.uint64(rows.shape[1])  # unsigned, so that numba does not check for negative indices
    whole = points.size - points.size % 4
    for i in range(0, whole, 4):
        x0, x1 = np.uint64(points[i]) * d, np.uint64(points[i + 1]) * d
        x2, x3 = np.uint64(points[i + 2]) * d, np.uint64(points[i + 3]) * d
        m0, m1, m2, m3 = bias, bias, bias, bias
        for k in range(first, last):
            weight = tree.weights[k]
            feature = np.uint64(np.uint32(tree.features[k]))
            m0 += weight * _exact(flat[x0 + feature], table, is_byte)
            m1 += weight * _exact(flat[x1 + feature], table, is_byte)
            m2 += weight * _exact(flat[x2 + feature], table, is_byte)
            m3 += weight * _exact(flat[x3 + feature], table, is_byte)
        out[i], out[i + 1], out[i + 2], out[i + 3] = m0, m1, m2, m3
    for i in range(whole, points.size):
        x = np.uint64(points[i]) * d
        margin = bias
        for k in range(first, last):
            margin += tree.weights[k] * np.float64(flat[x + np.uint64(np.uint32(tree.features[k]))])
        out[i] = margin


@kernel
def partition(points, margins, missing_right, scratch):
    """Partition `points` in place, keeping their order, with those that go left first. Return their number."""
    left = 0
    right = 0
    for i in range(points.size):
        if margins[i] >= 0 or (missing_right and np.isnan(margins[i])):
            scratch[right] = points[i]
            right += 1
        else:
            points[left] = points[i]
            left += 1
    points[left:] = scratch[:right]
    return left


@kernel
def _leaf_of(rows, row, tree, node):
    """Return the leaf that one row reaches below a node."""
    while tree.left[node] >= 0:
        margin = tree.bias[node]
        for k in range(tree.first[node], tree.last[node]):
            margin += tree.weights[k] * np.float64(rows[row, tree.features[k]])
        goes_right = margin >= 0 or (tree.missing_right[node] and np.isnan(margin))
        node = tree.right[node] if goes_right else tree.left[node]
    return node


@kernel
def _dense_leaves(rows, tree, out):
    points = np.empty(_BLOCK, np.int64)
    scratch = np.empty(_BLOCK, np.int64)
    margins = np.empty(_BLOCK)
    table = np.arange(256.0)
    for start in range(0, rows.shape[0], _BLOCK):
        size = min(_BLOCK, rows.shape[0] - start)
        for i in range(size):
            points[i] = start + i
        stack = [(0, 0, size)]
        while len(stack) > 0:
            node, low, high = stack.pop()
            part = points[low:high]
            if tree.left[node] < 0:
                for i in range(part.size):
                    out[part[i]] = node
                continue
            if part.size <= (_FEW if tree.last[node] - tree.first[node] <= 2 else 3):
                for i in range(part.size):
                    out[part[i]] = _leaf_of(rows, part[i], tree, node)
                continue
            _node_margins(rows, part, tree, node, table, margins)
            middle = low + partition(part, margins, tree.missing_right[node], scratch)
            if low < middle:
                stack.append((tree.left[node], low, middle))
            if middle < high:
                stack.append((tree.right[node], middle, high))


@kernel
def _sparse_leaves(indptr, indices, values, n_features, tree, out):
    x = np.zeros(n_features)
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            x[indices[p]] += values[p]
        node = 0
        while tree.left[node] >= 0:
            margin = tree.bias[node]
            for k in range(tree.first[node], tree.last[node]):
                margin += tree.weights[k] * x[tree.features[k]]
            node = tree.right[node] if margin >= 0 else tree.left[node]
        out[i] = node
        for p in range(indptr[i], indptr[i + 1]):
            x[indices[p]] = 0.0


def by_name(X: Any, names: Sequence[str] | None) -> Any:
    """Return the columns `names` of a DataFrame, in this order. Other rows, and columns without names, are unchanged.

    names : names of the features, None if they have none. Raise DataError if a column is missing or occurs twice.
    """
    columns = getattr(X, "columns", None)
    if names is None or columns is None or not all(isinstance(name, str) for name in columns):
        return X
    own = list(columns)
    lacking = [name for name in names if name not in own]
    if lacking:
        raise DataError(
            f"X does not have the columns {literals(lacking[:8])} of the tree. Its columns are "
            f"{literals(own[:8])}. Rename them, or pass X.to_numpy() to match columns by position."
        )
    twice = [name for name in names if own.count(name) > 1] if len(set(own)) < len(own) else []
    if twice:
        raise DataError(f"X has several columns {twice[0]!r}. Remove or rename all but one.")
    return X if own == list(names) else X[list(names)]


def check_rows(X: Any, n_features: int, missing: bool = False, names: Sequence[str] | None = None) -> Any:
    """Return `X` as a finite 2-D array of uint8, float32 or float64, or as a float64 CSR matrix.

    missing : whether arrays may contain NaN; names : names of the features, to which the columns of a DataFrame are
    matched (see `by_name`). Raise DataError for a wrong number of dimensions or features, and for values that are not
    numbers, NaN, infinite or masked.
    """
    X = by_name(X, names)
    check_not_masked(X, "X")
    if scipy.sparse.issparse(X):
        X = scipy.sparse.csr_matrix(X, dtype=np.float64)
        values = X.data
    else:
        try:
            X = np.asarray(X)
            if X.dtype == object:
                X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"X contains a value that is not a number ({error}). Pass numeric columns only.") from None
        if X.dtype.kind not in "buif":
            raise DataError(f"X has dtype {X.dtype}: expected numbers. Encode text columns first.")
        if X.dtype == bool:
            X = X.view(np.uint8)
        elif X.dtype == np.float16:
            X = X.astype(np.float32)
        elif X.dtype not in (np.uint8, np.float32, np.float64):
            X = X.astype(np.float64)
        values = X
    if X.ndim != 2:
        raise DataError(
            f"X has {counted(X.ndim, 'dimension')}: expected 2 (rows and features). Use X.reshape(1, -1) for one "
            "row, X.reshape(-1, 1) for one feature."
        )
    if X.shape[1] != n_features:
        raise DataError(f"X has {X.shape[1]} features, but the tree was trained on {n_features}.")
    if missing and values is X and values.dtype.kind == "f":
        if np.isinf(values).any():
            raise DataError("X contains infinite values. Fill or remove these values (use NaN for missing values).")
        return X
    with np.errstate(over="ignore", invalid="ignore"):
        finite = values.dtype.kind != "f" or np.isfinite(values.sum()) or np.isfinite(values).all()
    if not finite:
        raise DataError(
            "X contains NaN or infinite values. Fill or remove these values, or train with missing='learn' "
            "(supports NaN only). An imported tree supports NaN if its file contains where NaN goes at each "
            "split."
        )
    return X


def leaf_ids(tree: Routing, X: np.ndarray, n_jobs: int | None = None) -> np.ndarray:
    """Return the leaf of every row of `X`, int32[n].

    tree : Routing; X : array or CSR matrix from `check_rows`.
    """
    resolve_jobs(n_jobs)  # raises an error for invalid values, also if no thread is needed
    out = np.empty(X.shape[0], np.int32)
    if _is_quick_in_numpy(tree, X):
        _numpy_leaves(tree, X, out)
        return out
    if scipy.sparse.issparse(X):
        _sparse_leaves(X.indptr, X.indices, X.data, X.shape[1], tree, out)
        return out

    def work(bounds):
        low, high = bounds
        _dense_leaves(np.ascontiguousarray(X[low:high]), tree, out[low:high])

    parts = even_ranges(X.shape[0], max(1, X.shape[0] // _ROWS_PER_THREAD))
    if len(parts) == 1:  # threads would take longer than a few rows
        work(parts[0])
        return out
    with thread_map(n_jobs) as run:
        run(work, parts)
    return out


def _is_quick_in_numpy(tree, X):
    """Return whether the task is so small that numpy is faster than compiling the kernel."""
    global _steps_left
    if scipy.sparse.issparse(X) or getattr(_dense_leaves, "overloads", True):
        return False
    n_steps = (tree.left.size + int(tree.last.max(initial=0))) * (1 + X.shape[0] // 1000)
    if n_steps > _steps_left:
        return False
    _steps_left -= n_steps
    return True


@np.errstate(over="ignore", invalid="ignore")  # as in the kernel
def _numpy_leaves(tree, X, out):
    stack = [(0, np.arange(X.shape[0]))]
    while stack:
        node, rows = stack.pop()
        if tree.left[node] < 0:
            out[rows] = node
            continue
        sums = np.full(rows.size, tree.bias[node])
        for k in range(tree.first[node], tree.last[node]):
            sums += tree.weights[k] * X[rows, tree.features[k]].astype(np.float64)
        goes_right = (sums >= 0) | (np.isnan(sums) & tree.missing_right[node])
        stack += [(tree.left[node], rows[~goes_right]), (tree.right[node], rows[goes_right])]


def margins(tree: Routing, X: np.ndarray, node: int) -> np.ndarray:
    """Return ``w . x + b`` for every row of dense `X` at one node, float64[n], added in the order of routing."""
    out = np.full(X.shape[0], tree.bias[node])
    for k in range(tree.first[node], tree.last[node]):
        column = X[:, [tree.features[k]]].toarray().ravel() if scipy.sparse.issparse(X) else X[:, tree.features[k]]
        out += tree.weights[k] * column.astype(np.float64)
    return out
