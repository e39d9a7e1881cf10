"""`Partition`: the rows of one part during training."""

from typing import Any, NamedTuple

import numpy as np

from treecore.data.bins import N_CODES, code_rows
from treecore.training.partitions import row_kernels, value_kernels
from treecore.training.partitions.coding import Coding
from treecore.training.partitions.nodes import line_kernels, oblique_kernels
from treecore.training.partitions.storage import KeptRows, Storage

_NO_WEIGHTS = np.empty(0)


class TreeRanges(NamedTuple):
    """Structure of a working tree.

    first, last : int64[m], ranks of the leaves below each node; children : int32[m, 2]; n_leaves : int.
    """

    first: np.ndarray
    last: np.ndarray
    children: np.ndarray
    n_leaves: int


class Partition:
    """Codes, targets and leaves of the rows of one part, in the order of the part.

    codes : uint8[n, d]; y : uint8[n], uint16[n] or int32[n] class codes, or float64[n] numbers; weights : float64[n],
    empty if all are 1; leaf : int32[n]; order : int32[n], rows sorted by leaf; signed : int8[n], float32[n] or
    float64[n], gains of the nodes of the last level; edges : int64, range of `order` of each rank; values : [n, d],
    feature values, or None if splits have one feature.
    """

    def __init__(
        self, n_columns: int, y: np.ndarray, weights: np.ndarray | None, storage: Storage, values: Any = None
    ) -> None:
        self.y = y
        self._kept: KeptRows | None = None if values is None else storage.kept(values)
        self.weights = _NO_WEIGHTS if weights is None else weights
        n = len(y)
        self.codes = storage.array((n, n_columns), np.uint8)
        self.leaf, self.order = storage.array(n, np.int32), storage.array(n, np.int32)
        counts = weights is None and y.dtype.kind != "f"  # gains are then -1, 0 or 1
        self.signed = storage.array(n, (np.int8 if values is None else np.float32) if counts else np.float64)

    @property
    def values(self) -> Any:
        """Values of the features, [n, d], or None if splits have one feature. Each use may read a file."""
        return None if self._kept is None else self._kept.read()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    def code(self, X: np.ndarray, coding: Coding, lows: np.ndarray, highs: np.ndarray) -> None:
        """Write the codes of the rows `X` and widen the ranges of the bins."""
        n_edges = np.isfinite(coding.edges).sum(axis=1)
        layout = coding.layout
        code_rows(X, layout.features, coding.edges, n_edges, self.codes, lows, highs)
        for group, column in enumerate(layout.group_columns):
            self.codes[:, column] = layout.group_codes(X, group)

    def _routed(self, nodes):
        """Return (kernels, rows) for the array `nodes` of a tree, which routes either codes or values."""
        return (row_kernels, self.codes) if nodes.dtype == np.int32 else (value_kernels, self.values)

    def route(self, nodes: np.ndarray) -> None:
        """Compute the leaf of every row."""
        kernels, rows = self._routed(nodes)
        kernels.leaves(rows, nodes, self.leaf)

    def descend(self, nodes: np.ndarray) -> None:
        """Route every row on from its leaf, which may have got children. nodes : array of a `CodeTree`."""
        row_kernels.descend(self.codes, nodes, self.leaf)

    def sort(self, rank: np.ndarray, n_leaves: int) -> None:
        """Sort the rows by leaf."""
        self.edges = row_kernels.sort_by_rank(self.leaf, rank, n_leaves, self.order)

    def ranges(self, tree: TreeRanges, nodes: np.ndarray) -> tuple:
        """Return (children int32[k, 2], starts, middles, stops) of `nodes` in `order`."""
        left = tree.children[nodes, 0]
        return (
            tree.children[nodes],
            self.edges[tree.first[nodes]],
            self.edges[tree.last[left]],
            self.edges[tree.last[nodes]],
        )

    def add_values(self, is_squared: bool, middle: float, values: np.ndarray, counts: np.ndarray) -> None:
        """Add the values of the loss in each leaf (class weights, or moments around `middle`) and the row counts."""
        if is_squared:
            row_kernels.add_moments(self.leaf, self.y, self.weights, middle, values, counts)
        else:
            row_kernels.add_class_values(self.leaf, self.y, self.weights, values, counts)

    def pose(self, nodes: np.ndarray, labels: np.ndarray, ranges: tuple, is_squared: bool, sums: np.ndarray) -> None:
        """Compute the reduced problems of the nodes with these `ranges` and add their sums, float64[p, 5]."""
        kernels, rows = self._routed(nodes)
        others = np.empty(self.n_rows, np.int32)
        children, *parts = ranges
        kernels.other_leaves(rows, nodes, self.order, children, *parts, others)
        row_kernels.pose(
            others, self.order, self.leaf, labels, self.y, self.weights, *parts, is_squared, self.signed, sums
        )

    def add_histograms(self, starts: np.ndarray, stops: np.ndarray, out: np.ndarray) -> None:
        """Add the histograms of the gains of the last level."""
        row_kernels.add_signed_histograms(self.codes, self.order, self.signed, starts, stops, out)

    def add_target_histograms(
        self, is_squared: bool, middle: float, starts: np.ndarray, stops: np.ndarray, out: np.ndarray
    ) -> None:
        """Add the histograms of the targets, float64[nodes, d, codes, k]."""
        if is_squared:
            row_kernels.add_moment_histograms(self.codes, self.order, self.y, self.weights, middle, starts, stops, out)
        else:
            row_kernels.add_class_histograms(self.codes, self.order, self.y, self.weights, starts, stops, out)

    def move(self, nodes: np.ndarray, changed: np.ndarray, ranges: tuple) -> None:
        """Move rows whose side of a node in `changed` is another one to their new leaf."""
        kernels, rows = self._routed(nodes)
        kernels.move(rows, nodes, self.order, self.leaf, changed, *ranges)

    def care_points(self, starts: np.ndarray, stops: np.ndarray, shares: np.ndarray, seed: int) -> tuple:
        """Return (edges int64[p + 1], values [k, d], gains [k]) of a share of the care points of each node."""
        edges, points = np.empty(starts.size + 1, np.int64), np.empty(int((stops - starts).sum()), np.int32)
        line_kernels.pick_care_points(self.order, self.signed, starts, stops, shares, seed, edges, points)
        points = points[: edges[-1]]
        return edges, self.values[points], self.signed[points]

    def add_projections(self, starts: np.ndarray, stops: np.ndarray, lines: tuple, out: np.ndarray) -> None:
        """Add the histograms of the projections on `lines`, see the kernel."""
        line_kernels.add_projections(self.values, self.order, self.signed, starts, stops, *lines, out)

    def add_scores(self, starts: np.ndarray, stops: np.ndarray, trial: np.ndarray, out: np.ndarray) -> None:
        """Add the exact scores of one split for each node."""
        line_kernels.add_scores(self.values, self.order, self.signed, starts, stops, trial, out)

    def add_derivatives(self, starts: np.ndarray, stops: np.ndarray, asked: tuple, out: np.ndarray) -> None:
        """Add loss, gradient and Hessian of the surrogate, see the kernel."""
        oblique_kernels.add_derivatives(self.values, self.order, self.signed, starts, stops, *asked, out)


def empty_histograms(n_nodes: int, n_features: int, n_channels: int) -> np.ndarray:
    """Return zeros, float64[n_nodes, n_features, N_CODES, n_channels]."""
    return np.zeros((n_nodes, n_features, N_CODES, n_channels))
