"""Codes of feature values: one byte per value, which stays in memory while the values themselves do not."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore._jit import kernel
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

MISSING = 255  # code of missing values
N_CODES = 256
MOST_EDGES = MISSING - 1


class Coding(NamedTuple):
    """Bins of the features.

    The code of a value is the number of edges of its feature that are less than or equal to it.

    edges : float64[d, MOST_EDGES], increasing, padded with inf; lows, highs : float64[d, N_CODES], smallest and largest
    value in each bin over all rows, inf and -inf for an empty bin.
    """

    edges: np.ndarray
    lows: np.ndarray
    highs: np.ndarray

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.edges.shape[0]

    def is_single(self) -> np.ndarray:
        """Return whether every bin of a feature has at most one distinct value, bool[d]."""
        return (self.lows[:, :MISSING] >= self.highs[:, :MISSING]).all(axis=1)

    def threshold(self, feature: int, low: int, high: int) -> tuple[float, float]:
        """Return (value below, value above) the threshold between two codes whose points are separated.

        The threshold is in the middle of the gap between their values. If this is inside a bin, the threshold is the
        closest boundary of that bin, so that each bin is on one side.
        """
        lows, highs = self.lows[feature], self.highs[feature]
        below = highs[low] if low >= 0 else lows[high] - max(1.0, abs(lows[high]))
        above = lows[high]
        if high - low <= 1:
            return float(below), float(above)
        middle = below + (above - below) / 2
        inside = np.flatnonzero((lows[low + 1 : high] <= middle) & (middle <= highs[low + 1 : high]))
        if not inside.size:
            return float(below), float(above)
        code = low + 1 + int(inside[0])
        if lows[code] == highs[code]:
            return float(middle), float(middle)
        filled = np.flatnonzero(lows[: high + 1] <= highs[: high + 1])
        place = int(np.searchsorted(filled, code))
        if middle - lows[code] < highs[code] - middle:
            before = filled[place - 1] if place else -1
            return (float(highs[before]) if before >= 0 else float(below)), float(lows[code])
        return float(highs[code]), float(lows[filled[place + 1]])

    def cut(self, split: Split) -> tuple[int, int, bool]:
        """Return (feature, first code above the threshold, whether larger values go right) of a split.

        The threshold must be between two bins, else the closest boundary is used. A constant split has the cut 0.
        """
        if not split.features.size:
            return 0, 0, bool(split.bias >= 0)
        feature, weight = int(split.features[0]), float(split.weights[0])
        lows, highs = self.lows[feature, :MISSING], self.highs[feature, :MISSING]
        filled = np.flatnonzero(lows <= highs)
        right = weight * (highs if weight > 0 else lows)[filled] + split.bias >= 0
        n_below = int(np.count_nonzero(right if weight < 0 else ~right))
        return feature, int(filled[n_below]) if n_below < filled.size else MISSING, weight > 0

    def cut_value(self, split: Split) -> float:
        """Return the smallest value above the threshold of a split on one feature, inf if there is none."""
        feature, cut, _ = self.cut(split)
        return float(self.lows[feature, cut]) if cut < MISSING else np.inf


def quantile_edges(sample: np.ndarray, kept: Sequence[Sequence[float]] | None = None) -> np.ndarray:
    """Return edges of bins with about equal numbers of rows, float64[d, MOST_EDGES].

    Each value of a feature with few values gets its own bin.

    sample : [n, d], rows; kept : for each feature, values that must be edges, such as the thresholds of a tree.
    """
    found = np.full((sample.shape[1], MOST_EDGES), np.inf)
    for j in range(sample.shape[1]):
        column = np.sort(sample[:, j].astype(np.float64))
        column = column[: column.size - int(np.isnan(column).sum())]
        own = np.unique(np.asarray([] if kept is None else kept[j], np.float64))[:MOST_EDGES]
        edges = spread_edges(column, MOST_EDGES - own.size)
        edges = np.union1d(edges, own)
        found[j, : edges.size] = edges
    return found


def spread_edges(column: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` values of a sorted column that divide it into bins of about equal size."""
    if not column.size or most < 1:
        return np.empty(0)
    values = column[np.concatenate([[True], column[1:] > column[:-1]])]
    if values.size <= most + 1:
        return values[1:]
    places = (np.arange(1, most + 1) * column.size) // (most + 1)
    return np.setdiff1d(column[places], values[:1])


def focused_edges(sample: np.ndarray, coding: Coding, cuts: Sequence[np.ndarray]) -> np.ndarray:
    """Return edges that keep the thresholds of a tree and divide the bins next to them, float64[d, MOST_EDGES].

    sample : [n, d], rows; cuts : values of the edges to keep, for each feature.
    """
    found = np.full_like(coding.edges, np.inf)
    for j, own in enumerate(cuts):
        own = np.unique(own[np.isfinite(own)])[:MOST_EDGES]
        column = np.sort(sample[:, j].astype(np.float64))
        column = column[: column.size - int(np.isnan(column).sum())]
        edges = np.union1d(own, spread_edges(column, (MOST_EDGES - own.size) // 3))
        room = MOST_EDGES - edges.size
        if own.size and room > 0:
            old = coding.edges[j][np.isfinite(coding.edges[j])]
            first = np.maximum(np.searchsorted(old, own) - 1, -1)
            last = np.minimum(np.searchsorted(old, own) + 1, old.size)
            near = []
            each = max(1, room // (2 * own.size))
            for low, cut, high in zip(first, own, last, strict=True):
                bottom = old[low] if low >= 0 else -np.inf
                top = old[high] if high < old.size else np.inf
                for a, b in ((bottom, cut), (cut, top)):
                    part = column[np.searchsorted(column, a) : np.searchsorted(column, b)]
                    near.append(spread_edges(part, each))
            edges = np.union1d(edges, np.concatenate(near)[:room])
        found[j, : edges.size] = edges[:MOST_EDGES]
    return found


@kernel
def code_rows(values, edges, n_edges, codes, lows, highs):
    """Write the codes of rows (values [n, d], codes uint8[n, d]) and widen the ranges `lows` and `highs` of the bins."""
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            value = np.float64(values[i, j])
            if np.isnan(value):
                codes[i, j] = MISSING
                continue
            low, high = 0, n_edges[j]
            while low < high:
                middle = (low + high) >> 1
                if edges[j, middle] <= value:
                    low = middle + 1
                else:
                    high = middle
            codes[i, j] = low
            lows[j, low] = min(lows[j, low], value)
            highs[j, low] = max(highs[j, low], value)


def empty_ranges(n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranges of empty bins, float64[d, N_CODES] each."""
    return np.full((n_features, N_CODES), np.inf), np.full((n_features, N_CODES), -np.inf)


class CodeTree:
    """Routing of codes through a working tree. Splits are converted again only after a change.

    A node is a row of an int32 array: the child of codes below the cut, the child of other codes, the feature, the cut
    and the child of missing values. Both children of a leaf are -1.
    """

    def __init__(self, coding: Coding, tree: WorkingTree) -> None:
        self.coding, self.tree = coding, tree
        self._of = [None] * tree.n_nodes
        self._nodes = np.full((tree.n_nodes, 5), -1, np.int32)

    def nodes(self) -> np.ndarray:
        """Return the array of the current tree for the kernels, int32[m, 5]."""
        tree = self.tree
        for node in tree.decisions:
            split = tree.splits[node]
            if self._of[node] is not split:
                self._of[node] = split
                children = int(tree.left[node]), int(tree.right[node])
                feature, cut, rises = self.coding.cut(split)
                below, above = children if rises else children[::-1]
                missing = children[split.missing_right] if split.features.size else above
                self._nodes[node] = below, above, feature, cut, missing
        return self._nodes.copy()
