"""Binary features ``x >= threshold`` of a table, on which optimal trees are searched."""

from typing import NamedTuple

import numpy as np

from treecore.node_solvers.thresholds import threshold_split
from treecore.tree.split import Split


class BinaryFeatures(NamedTuple):
    """Thresholds of a table, sorted by feature and threshold.

    features : int32[m]; thresholds : float64[m]; values : bool[n, m], whether ``x >= threshold``.
    """

    features: np.ndarray
    thresholds: np.ndarray
    values: np.ndarray

    @property
    def n_features(self) -> int:
        """Number of binary features."""
        return self.features.size

    def split(self, number: int) -> Split:
        """Return the `Split` of a binary feature. Larger values go right."""
        threshold = float(self.thresholds[number])
        return Split(self.features[number : number + 1], np.ones(1), -threshold, 1.0)


def quantile_thresholds(column: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """Return at most `count` thresholds midway between adjacent values of a column, at its quantiles.

    A column with at most `count` + 1 values gets all its thresholds. Otherwise, threshold i is the one whose share of
    the weight below it is nearest to i / (count + 1). Repeated rows have the effect of weights.
    """
    values, place = np.unique(column, return_inverse=True)
    if values.size < 2:
        return np.empty(0)
    below = np.cumsum(np.bincount(place, weights))[:-1]
    kept = np.arange(below.size)
    if kept.size > count:
        wanted = weights.sum() * np.arange(1, count + 1) / (count + 1)
        after = np.clip(np.searchsorted(below, wanted), 1, below.size - 1)
        kept = np.unique(after - (wanted - below[after - 1] <= below[after] - wanted))
    return np.array([-threshold_split(0, values[i], values[i + 1], True).bias for i in kept])


def binary_features(rows: np.ndarray, thresholds: list) -> BinaryFeatures:
    """Return the `BinaryFeatures` of rows [n, d]. thresholds : for each feature, its thresholds in increasing order."""
    features = np.repeat(np.arange(len(thresholds), dtype=np.int32), [len(some) for some in thresholds])
    cuts = np.concatenate([np.empty(0), *thresholds])
    return BinaryFeatures(features, cuts, rows[:, features] >= cuts)
