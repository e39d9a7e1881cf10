"""Rows of a table that equal known ones, such as training rows, which do not test a tree."""

from hashlib import blake2b

import numpy as np

CHUNK = 2_000_000  # values that are compared at a time


def known_rows(X: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return bool[n]: whether a row of X equals one of the known rows in every value; missing values (NaN) are equal.

    X : float64[n, d]; known : [m, d] of any number type, to whose precision X is rounded where that is float32.
    """
    if known.dtype.kind == "f":
        X = X.astype(known.dtype)
    seen = set(_digests(known))
    return np.fromiter((digest in seen for digest in _digests(X)), np.bool_, len(X))


def _digests(X):
    step = max(1, CHUNK // max(X.shape[1], 1))
    for start in range(0, len(X), step):
        part = np.array(X[start : start + step], np.float64, order="C") + 0.0  # so that -0.0 is 0.0
        part[np.isnan(part)] = np.nan
        for row in part:
            yield blake2b(row.tobytes(), digest_size=16).digest()
