"""`row_hashes`: one number per row, the same for equal rows."""

import numpy as np
import pandas

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def row_hashes(frame: pandas.DataFrame, columns: list[str]) -> np.ndarray:
    """Return uint64[n]; rows of different values share one with a chance of 2**-64 a pair."""
    hashes = np.zeros(len(frame), np.uint64)
    for name in columns:
        hashes *= _FACTOR
        hashes ^= pandas.util.hash_pandas_object(frame[name], index=False).to_numpy()
        hashes ^= hashes >> np.uint64(29)
    return hashes
