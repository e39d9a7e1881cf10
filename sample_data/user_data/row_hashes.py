"""Compute a hash for each row, equal for equal rows."""

import numpy as np
import pandas

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def row_hashes(frame: pandas.DataFrame, columns: list[str]) -> np.ndarray:
    """Return uint64[n]. Two different rows have the same hash with a probability of 2**-64."""
    hashes = np.zeros(len(frame), np.uint64)
    for name in columns:
        hashes *= _FACTOR
        hashes ^= pandas.util.hash_pandas_object(frame[name], index=False).to_numpy()
        hashes ^= hashes >> np.uint64(29)
    return hashes
