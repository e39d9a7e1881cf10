"""`WeightedRows`: the part of training data that the kinds of targets use."""

from typing import Protocol

import numpy as np

from treecore.data.columns import DenseColumns, SparseColumns


class WeightedRows(Protocol):
    """Rows with targets and weights, as of `TrainingData`."""

    columns: DenseColumns | SparseColumns
    inverse_scale: np.ndarray
    y: np.ndarray
    weights: np.ndarray
