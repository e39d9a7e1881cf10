"""Statistics of features (standard deviation, quantiles, missing values) and units of margins."""

from typing import Any

import numpy as np

from treecore.tree.tree_arrays import TreeArrays

MARGIN_WORDS = (
    "The margin is the signed distance from the row to the split, in standard deviations (sd) of the feature "
    "or weighted sum in the node. Rows with a margin of at least 0 go right."
)
QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)
_SAMPLE = 2000  # number of evenly spaced rows for the inner quantiles and for steps
_MOST_DECIMALS = 6
_ROUNDING = 1e-15, 6e-8  # relative rounding errors of a few operations in double precision, and of single precision
_FEW = 40  # maximum number of distinct values of a feature with a step


def feature_deviation(X: np.ndarray) -> np.ndarray:
    """Return the standard deviation of the known values of each column, float64[d], without overflow of squares.

    The deviation is 0 for a column without values and 1 without rows.
    """
    if X.shape[0] == 0:
        return np.ones(X.shape[1])
    known = ~np.isnan(X)
    if not known.all():
        X = np.where(known, X, 0)
        known |= ~known.any(axis=0)  # gives a column without values the deviation 0
    unit = np.maximum(np.abs(X).max(axis=0).astype(np.float64) / 1e100, 1.0)
    return (X / unit).std(axis=0, dtype=np.float64, where=known) * unit


def missing_features(X: np.ndarray) -> np.ndarray:
    """Return which columns have missing values (NaN), bool[d]."""
    return np.asarray(np.isnan(X).any(axis=0)) if X.dtype.kind == "f" else np.zeros(X.shape[1], bool)


def whole_features(X: np.ndarray) -> np.ndarray:
    """Return whether all known values of each column are whole numbers, bool[d]."""
    return np.ones(X.shape[1], bool) if X.dtype.kind in "ui" else (np.isnan(X) | (np.floor(X) == X)).all(axis=0)


def feature_steps(X: np.ndarray) -> np.ndarray:
    """Return the smallest step between two values of each feature with few distinct values, else 0, float64[d].

    The values are those of at most 2,000 rows.
    """
    sample = np.sort(np.asarray(X[:: -(-max(len(X), 1) // _SAMPLE)], np.float64), axis=0)
    gaps = np.diff(sample, axis=0)
    gaps[~(gaps > 0)] = np.inf  # missing values are sorted last
    n_gaps = np.isfinite(gaps).sum(axis=0)
    return np.where((n_gaps > 0) & (n_gaps < _FEW), gaps.min(axis=0, initial=np.inf), 0.0)


def feature_decimals(X: np.ndarray) -> np.ndarray:
    """Return the number of decimals of the values of each feature, int64[d], or -1 if they have more than 6.

    The values are those of at most 2,000 rows. Values of single precision count as their short form, such as 0.1.
    """
    sample = np.asarray(X[:: -(-max(len(X), 1) // _SAMPLE)])
    tolerance = _ROUNDING[sample.dtype == np.float32]
    sample = sample.astype(np.float64)
    found = np.full(sample.shape[1], -1)
    for decimals in range(_MOST_DECIMALS, -1, -1):
        is_same = np.isnan(sample) | np.isclose(np.round(sample, decimals), sample, rtol=tolerance, atol=0)
        found[is_same.all(axis=0)] = decimals
    return found


def feature_quantiles(X: Any) -> np.ndarray | None:
    """Return the quantiles `QUANTILES` of each column of `X` ([n, d]), float64[d, 5].

    The first and last quantiles are exact. The others are computed from at most 2,000 rows and are NaN if these contain
    no value. The result is None for sparse rows.
    """
    if hasattr(X, "tocsr"):
        return None
    X = np.asarray(X)
    sample = np.sort(np.asarray(X[:: -(-len(X) // _SAMPLE)], np.float64), axis=0)  # missing values are sorted last
    last = np.maximum((~np.isnan(sample)).sum(axis=0) - 1, 0)
    found = [np.take_along_axis(sample, (share * last).astype(np.int64)[None], axis=0)[0] for share in QUANTILES[1:-1]]
    with np.errstate(invalid="ignore"):
        found = np.array([np.fmin.reduce(X, axis=0), *found, np.fmax.reduce(X, axis=0)], np.float64).T
    found[np.isnan(found).any(axis=1)] = np.nan
    return found


def usual_ends(quantiles: np.ndarray) -> np.ndarray:
    """Return the ends of an axis without far outliers, float64[d, 2]. quantiles : result of `feature_quantiles`."""
    first, low, _, high, last = quantiles.T
    beyond = np.where(high > low, high - low, last - first) / 2
    return np.column_stack([np.maximum(first, low - beyond), np.minimum(last, high + beyond)])


def margin_units(tree: TreeArrays, deviation: np.ndarray) -> np.ndarray:
    """Return positive divisors for the margins of each node, float64[m], which make different units comparable.

    `marginUnit` in viz/stage/model/tree.js implements the same rule.

    deviation : float64[d], standard deviation of each feature (`feature_deviation`). A margin divided by its unit is
    the distance of a row from the split in standard deviations. The unit is 1 for leaves, and if no feature of the
    split varies.
    """
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr))
    with np.errstate(over="ignore", invalid="ignore"):
        sizes = np.abs(tree.weights * deviation[tree.features])
        largest = np.zeros(tree.n_nodes)
        np.maximum.at(largest, node_of, sizes)
        # Only quotients are squared, so that no square overflows.
        parts = np.divide(sizes, largest[node_of], out=np.zeros(sizes.size), where=largest[node_of] > 0)
        units = largest * np.sqrt(np.bincount(node_of, parts**2, tree.n_nodes))
    return np.where(np.isfinite(units) & (units > 0), units, 1.0)
