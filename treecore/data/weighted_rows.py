"""`WeightedRows`: what the kinds of targets take of training data."""

from typing import Protocol

import numpy as np

from treecore.data.columns import DenseColumns, SparseColumns


class WeightedRows(Protocol):
    """Rows with targets and weights, as `TrainingData` has them."""

    columns: DenseColumns | SparseColumns
    inverse_scale: np.ndarray
    y: np.ndarray
    weights: np.ndarray
