"""Detection of rows that equal known rows, such as training rows, which must not be used to test a tree."""

from hashlib import blake2b

import numpy as np

CHUNK = 2_000_000  # number of values that are compared at a time


def known_rows(X: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return which rows of X equal a known row, bool[n]. Missing values (NaN) are equal to each other.

    X : float64[n, d]; known : [m, d] of any numeric dtype. If it is float32, X is rounded to float32.
    """
    if known.dtype.kind == "f":
        X = X.astype(known.dtype)
    seen = set(_digests(known))
    return np.fromiter((digest in seen for digest in _digests(X)), np.bool_, len(X))


def _digests(X):
    step = max(1, CHUNK // max(X.shape[1], 1))
    for start in range(0, len(X), step):
        part = np.array(X[start : start + step], np.float64, order="C") + 0.0  # converts -0.0 to 0.0
        part[np.isnan(part)] = np.nan
        for row in part:
            yield blake2b(row.tobytes(), digest_size=16).digest()
