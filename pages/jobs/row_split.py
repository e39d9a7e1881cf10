"""Split the rows of a data set into training, validation and test rows."""

from dataclasses import replace

import numpy as np

from sample_data import DataSet, splits

POOLED = {"validation": 0.10, "test": 0.15}


def split_rows(data: DataSet, seed: int, rows: str = "standard") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the (training, validation, test) row numbers of a DataSet.

    rows : a name in `settings.ROWS`.
    """
    if rows == "pooled":
        return splits.split_rows(replace(data, split=None), seed, **POOLED)
    return splits.split_rows(data, seed)
