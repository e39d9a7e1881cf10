"""The standard deviation of each feature: what a weight of one unit means."""

import numpy as np


def feature_deviation(X: np.ndarray) -> np.ndarray:
    """float64[d]: standard deviation of the known values of each column, also where a square would overflow; 0 where
    there is no value, 1 without rows."""
    if X.shape[0] == 0:
        return np.ones(X.shape[1])
    known = ~np.isnan(X)
    if not known.all():
        X = np.where(known, X, 0)
        known |= ~known.any(axis=0)  # a column without any value spreads by 0
    unit = np.maximum(np.abs(X).max(axis=0).astype(np.float64) / 1e100, 1.0)
    return (X / unit).std(axis=0, dtype=np.float64, where=known) * unit


def missing_features(X: np.ndarray) -> np.ndarray:
    """bool[d]: whether some value of each column is missing (NaN)."""
    return np.asarray(np.isnan(X).any(axis=0)) if X.dtype.kind == "f" else np.zeros(X.shape[1], bool)
