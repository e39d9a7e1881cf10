"""Binary features ``x >= threshold`` of a table, on which optimal trees are searched."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.initial.optimal_search import Found
from treecore.node_solvers.thresholds import threshold_split
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree


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

    def tree(self, found: Found) -> WorkingTree:
        """Return the `WorkingTree` of a search on these features."""
        splits: list[Split | None] = [self.split(number) if number >= 0 else None for number in found.feature]
        return WorkingTree(found.left, found.right, splits, found.labels, np.arange(found.left.size))


def column_thresholds(column: np.ndarray, weights: np.ndarray, count: int, splits: Sequence = ()) -> np.ndarray:
    """Return thresholds of a column, midway between adjacent values: at most `count` quantiles, and those of `splits`.

    A column with at most `count` + 1 values gets all its thresholds. Otherwise, threshold i is the one whose share of
    the weight below it is nearest to i / (count + 1). Repeated rows have the effect of weights. splits : pairs (weight,
    bias) of splits on the column; thresholds that separate the same rows are added.
    """
    values, place = np.unique(column, return_inverse=True)
    below = np.cumsum(np.bincount(place, weights))[:-1]
    kept = np.arange(below.size)
    if kept.size > count:
        wanted = weights.sum() * np.arange(1, count + 1) / (count + 1)
        after = np.clip(np.searchsorted(below, wanted), 1, below.size - 1)
        kept = after - (wanted - below[after - 1] <= below[after] - wanted)
    sides = [values * weight + bias >= 0 for weight, bias in splits]
    own = [np.flatnonzero(right[1:] != right[:-1]) for right in sides]
    kept = np.unique(np.concatenate([kept, *own])).astype(np.int64)
    return np.array([-threshold_split(0, values[i], values[i + 1], True).bias for i in kept])


def binary_features(rows: np.ndarray, thresholds: list) -> BinaryFeatures:
    """Return the `BinaryFeatures` of rows [n, d]. thresholds : for each feature, its thresholds in increasing order."""
    features = np.repeat(np.arange(len(thresholds), dtype=np.int32), [len(some) for some in thresholds])
    cuts = np.concatenate([np.empty(0), *thresholds])
    return BinaryFeatures(features, cuts, rows[:, features] >= cuts)
