"""Bins of the values of a feature, at most 255 and one for missing values, and the code of each value: one byte."""

import numpy as np

from treecore._jit import kernel

MISSING = 255  # code of missing values
N_CODES = 256
MOST_EDGES = MISSING - 1
N_CELLS = 1024  # of the table that shortens the search of a code
BLOCK = 1024  # rows whose codes are found together, which stay in the cache


def spread_edges(column: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` values of a sorted column that divide it into bins of about equal size."""
    if not column.size or most < 1:
        return np.empty(0)
    values = column[np.concatenate([[True], column[1:] > column[:-1]])]
    if values.size <= most + 1:
        return values[1:]
    places = (np.arange(1, most + 1) * column.size) // (most + 1)
    return np.setdiff1d(column[places], values[:1])


@kernel
def code_rows(values, features, edges, n_edges, codes, lows, highs):
    """Write the codes of rows and widen the ranges of the bins.

    A table of cells of equal width leads to the few edges that can be next to a value, which then are searched.

    values : [n, d]; features : int32[c], feature of each column, -1 for columns that are left unchanged; codes :
    uint8[n, c], written.
    """
    starts, scales = np.zeros((features.size, N_CELLS + 1), np.uint8), np.zeros(features.size)
    for j in range(features.size):
        n = n_edges[j]
        if n > 1:
            scale = N_CELLS / (edges[j, n - 1] - edges[j, 0])
            scales[j] = scale if np.isfinite(scale) else 0.0
        for e in range(n):
            starts[j, _cell(edges[j, e], edges[j, 0], scales[j]) + 1 :] = e + 1
    for first in range(0, values.shape[0], BLOCK):
        last = min(first + BLOCK, values.shape[0])
        for j in range(features.size):
            feature = features[j]
            if feature < 0:
                continue
            for i in range(first, last):
                value = np.float64(values[i, feature])
                if np.isnan(value):
                    codes[i, j] = MISSING
                    continue
                cell = _cell(value, edges[j, 0], scales[j])
                low, high = np.int64(starts[j, cell]), np.int64(starts[j, cell + 1])
                while low < high:
                    middle = (low + high) >> 1
                    if edges[j, middle] <= value:
                        low = middle + 1
                    else:
                        high = middle
                codes[i, j] = low
                lows[j, low] = min(lows[j, low], value)
                highs[j, low] = max(highs[j, low], value)


@kernel
def _cell(value, first, scale):
    """Return the cell of a value in a table that begins at `first`. It never decreases with the value."""
    place = (value - first) * scale
    if not place > 0.0:
        return 0
    return N_CELLS - 1 if place >= N_CELLS else int(place)


def empty_ranges(n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranges of empty bins, float64[c, N_CODES] each."""
    return np.full((n_columns, N_CODES), np.inf), np.full((n_columns, N_CODES), -np.inf)
