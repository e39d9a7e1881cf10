"""`WeightedRows`: the part of the training data that tasks use."""

from typing import Protocol

import numpy as np

from treecore.data.columns import DenseColumns, SparseColumns


class WeightedRows(Protocol):
    """Rows with targets and weights, as in `TrainingData`."""

    columns: DenseColumns | SparseColumns
    inverse_scale: np.ndarray
    y: np.ndarray
    weights: np.ndarray
