"""Codes of feature values: one byte per value, which stays in memory while the values themselves do not."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from treecore.data.bins import MISSING, MOST_EDGES, N_CODES, spread_edges
from treecore.data.category_groups import CategoryGroups
from treecore.node_solvers.thresholds import OUTSIDE
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

BIT_ROWS = 4  # rows of five numbers with 16 bits each, for 256 codes


class Layout:
    """Columns of the codes: one per feature, except that the categories of a column share one.

    n_features : number of features; columns : lists of features that are the categories of a column. `features` :
    int32[c], feature of each code column, -1 for categories; column_of : int64[d], code column of each feature; groups
    : CategoryGroups of the columns of categories, without rows; group_columns : int64[g], their code columns.
    """

    def __init__(self, n_features: int, columns: Iterable[Sequence[int]] = ()) -> None:
        fitting = [column for column in columns if 1 < len(column) < MISSING]  # others keep one code column per feature
        nothing = np.empty((n_features, 0))
        self.groups = CategoryGroups(fitting, nothing, np.ones(n_features, np.bool_))
        of_groups = np.full(n_features, -1)
        for group, members in enumerate(self.groups.members):
            of_groups[members] = group
        first = np.ones(n_features, np.bool_)
        for members in self.groups.members:
            first[members[1:]] = False
        self.column_of = np.cumsum(first) - 1
        for members in self.groups.members:
            self.column_of[members] = self.column_of[members[0]]
        kept = np.flatnonzero(first)
        self.features = np.where(of_groups[kept] < 0, kept, -1).astype(np.int32)
        self.group_columns = self.column_of[[members[0] for members in self.groups.members]].astype(np.int64)
        self.n_features, self.n_columns = n_features, kept.size

    def group_codes(self, X: np.ndarray, group: int) -> np.ndarray:
        """Return the code of the category of each row: its place, one more for none, MISSING for missing values."""
        values = X[:, self.groups.members[group]]
        is_one = values == 1
        codes = np.where(is_one.any(axis=1), is_one.argmax(axis=1), values.shape[1]).astype(np.uint8)
        if X.dtype.kind == "f":
            codes[np.isnan(values[:, 0])] = MISSING
        return codes


class Coding(NamedTuple):
    """Bins of the values.

    The code of a value is the number of edges of its column that are less than or equal to it. The codes of categories
    do not need edges.

    layout : Layout; edges : float64[c, MOST_EDGES], increasing, padded with inf; lows, highs : float64[c, N_CODES],
    smallest and largest value in each bin over all rows, inf and -inf for an empty bin.
    """

    layout: Layout
    edges: np.ndarray
    lows: np.ndarray
    highs: np.ndarray

    def is_single(self) -> np.ndarray:
        """Return whether every bin of a column has at most one distinct value, bool[c]."""
        return np.all(self.lows[:, :MISSING] >= self.highs[:, :MISSING], axis=1)

    def threshold(self, column: int, low: int, high: int) -> tuple[float, float]:
        """Return (value below, value above) the threshold between two codes whose points are separated.

        The threshold is in the middle of the gap between their values. If this is inside a bin, the threshold is the
        closest boundary of that bin, so that each bin is on one side.
        """
        lows, highs = self.lows[column], self.highs[column]
        below = highs[low] if low >= 0 else -OUTSIDE
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
        """Return (column, first code above the threshold, whether larger values go right) of a split.

        The threshold must be between two bins, else the closest boundary is used. A constant split has the cut 0.
        """
        if not split.features.size:
            return 0, 0, bool(split.bias >= 0)
        column, weight = int(self.layout.column_of[split.features[0]]), float(split.weights[0])
        lows, highs = self.lows[column, :MISSING], self.highs[column, :MISSING]
        filled = np.flatnonzero(lows <= highs)
        right = weight * (highs if weight > 0 else lows)[filled] + split.bias >= 0
        n_below = int(np.count_nonzero(right if weight < 0 else ~right))
        return column, int(filled[n_below]) if n_below < filled.size else MISSING, weight > 0

    def cut_value(self, split: Split) -> float:
        """Return the smallest value above the threshold of a split on one feature, inf if there is none."""
        column, cut, _ = self.cut(split)
        return float(self.lows[column, cut]) if cut < MISSING else np.inf

    def is_of_categories(self, split: Split) -> bool:
        """Return whether a split is on the categories of a column."""
        layout = self.layout
        return bool(split.features.size) and layout.features[layout.column_of[split.features[0]]] < 0

    def categories_right(self, split: Split) -> np.ndarray:
        """Return which codes of a column of categories go right, bool[N_CODES]."""
        group = int(np.flatnonzero(self.layout.group_columns == self.layout.column_of[split.features[0]])[0])
        weights = np.zeros(N_CODES)
        members = self.layout.groups.members[group]
        weights[np.searchsorted(members, split.features)] = split.weights
        right = weights + split.bias >= 0
        right[MISSING] = split.missing_right
        return right


def quantile_edges(sample: np.ndarray, layout: Layout, kept: Sequence[Sequence[float]] | None = None) -> np.ndarray:
    """Return edges of bins with about equal numbers of rows, float64[c, MOST_EDGES].

    Each value of a column with few values gets its own bin.

    sample : [n, d], rows; kept : for each column, values that must be edges, such as the thresholds of a tree.
    """
    found = np.full((layout.n_columns, MOST_EDGES), np.inf)
    for j, feature in enumerate(layout.features):
        if feature < 0:
            continue
        column = np.sort(sample[:, feature].astype(np.float64))
        column = column[: column.size - int(np.isnan(column).sum())]
        own = np.unique(np.asarray([] if kept is None else kept[j], np.float64))[:MOST_EDGES]
        edges = spread_edges(column, MOST_EDGES - own.size)
        edges = np.union1d(edges, own)
        found[j, : edges.size] = edges
    return found


def focused_edges(sample: np.ndarray, coding: Coding, cuts: Sequence[np.ndarray]) -> np.ndarray:
    """Return edges that keep the thresholds of a tree and divide the bins next to them, float64[c, MOST_EDGES].

    sample : [n, d], rows; cuts : values of the edges to keep, for each column.
    """
    found = np.full_like(coding.edges, np.inf)
    for j, own in enumerate(cuts):
        if coding.layout.features[j] < 0:
            continue
        own = np.unique(own[np.isfinite(own)])[:MOST_EDGES]
        column = np.sort(sample[:, coding.layout.features[j]].astype(np.float64))
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


class CodeTree:
    """Routing of codes through a working tree. Splits are converted again only after a change.

    A node is a row of an int32 array: the child of codes below the cut, the child of other codes, the column, the cut
    and the child of missing values. Both children of a leaf are -1. For categories, minus the cut is the row in which a
    bit for each code begins, 16 bits per number; codes with this bit are above the cut.
    """

    def __init__(self, coding: Coding, tree: WorkingTree) -> None:
        self.coding = coding
        self._of: list[Split | None] = []
        self._nodes = np.empty((0, 5), np.int32)
        self._bits: dict[int, np.ndarray] = {}
        self.extend(tree)

    def extend(self, tree: WorkingTree) -> None:
        """Continue with a tree that has further nodes behind those of the present one."""
        self.tree, n = tree, tree.n_nodes - len(self._of)
        self._of += [None] * n
        self._nodes = np.concatenate([self._nodes, np.full((n, 5), -1, np.int32)])

    def nodes(self) -> np.ndarray:
        """Return the array of the current tree for the kernels, int32[m, 5] or with more rows for categories."""
        tree, coding = self.tree, self.coding
        for node in tree.decisions:
            split = tree.splits[node]
            if self._of[node] is not split:
                self._of[node] = split
                self._bits.pop(node, None)
                children = int(tree.left[node]), int(tree.right[node])
                if coding.is_of_categories(split):
                    self._bits[node] = _bit_rows(coding.categories_right(split))
                    column = int(coding.layout.column_of[split.features[0]])
                    self._nodes[node] = *children, column, 0, children[split.missing_right]
                    continue
                column, cut, rises = coding.cut(split)
                below, above = children if rises else children[::-1]
                missing = children[split.missing_right] if split.features.size else above
                self._nodes[node] = below, above, column, cut, missing
        found = self._nodes.copy()
        for place, node in enumerate(self._bits):
            found[node, 3] = -(tree.n_nodes + BIT_ROWS * place)
        return np.concatenate([found, *self._bits.values()]) if self._bits else found


def _bit_rows(is_set):
    """Return bits, bool[N_CODES], 16 per number, in rows of five numbers."""
    words = np.zeros(5 * BIT_ROWS, np.int32)
    words[: N_CODES // 16] = is_set.reshape(-1, 16) @ (1 << np.arange(16))
    return words.reshape(-1, 5)
