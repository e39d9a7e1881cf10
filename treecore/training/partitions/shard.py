"""`Shard`: the partitions of one thread or worker. Its methods return sums over their rows.

A `Partition` contains the rows of one part during training.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from treecore.data.bins import N_CODES, code_rows, empty_ranges
from treecore.errors import DataError
from treecore.training.partitions import row_kernels, value_kernels
from treecore.training.partitions.coding import Coding, Layout
from treecore.training.partitions.nodes import line_kernels, oblique_kernels
from treecore.training.partitions.sources.row_files import changed_file
from treecore.training.partitions.sources.row_source import RowPart
from treecore.training.partitions.storage import KeptRows, Storage
from treecore.training.partitions.values import compact
from treecore.tree.working_tree import WorkingTree

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


MOST_BYTES = 16_000_000  # of the histograms that are computed together


class Problem(NamedTuple):
    """Description of the data for all shards.

    encode : function of `PartRows` and the name of the part that returns (X float array [n, d], y codes or numbers,
    weights or None); layout : Layout of the codes; loss : ZeroOneLoss or SquaredLoss; middle : number near the mean of
    the targets; keeps_values : whether shards keep the values for splits on several features.
    """

    encode: Callable
    layout: Layout
    loss: Any
    middle: float = 0.0
    keeps_values: bool = False

    @property
    def n_columns(self) -> int:
        """Number of columns with codes."""
        return self.layout.n_columns

    @property
    def is_squared(self) -> bool:
        """Whether the loss is the squared error."""
        return self.loss.is_squared

    @property
    def n_values(self) -> int:
        """Number of sums per leaf: classes, or moments of the target."""
        return 3 if self.loss.is_squared else self.loss.n_classes

    @property
    def n_channels(self) -> int:
        """Number of sums per code in the histograms of targets."""
        return 2 if self.loss.is_squared else self.loss.n_classes

    def values_of(self, sums: np.ndarray) -> np.ndarray:
        """Return the values of the loss, float64[m, k], for the sums of `Shard.arrange`."""
        if not self.is_squared:
            return sums
        weight = sums[:, 0]
        safe = np.where(weight > 0, weight, 1.0)
        shift = sums[:, 1] / safe
        variance = np.maximum(sums[:, 2] / safe - shift * shift, 0.0)
        return np.stack([weight, np.where(weight > 0, self.middle + shift, 0.0), variance], axis=1)


class Shard:
    """Some parts of a source, kept as codes. A repeated call of a method gives the same result and state again.

    ADDED : methods whose results are only added to those of other shards; READ_ONLY : methods that keep the state;
    NEW_STATE : methods whose state depends on the calls of those before them alone.
    """

    ADDED = frozenset(
        {
            "route",
            "descend",
            "arrange",
            "pose",
            "histograms",
            "target_histograms",
            "projections",
            "scores",
            "derivatives",
            "code_counts",
        }
    )
    READ_ONLY = frozenset(
        {"histograms", "code_counts", "target_histograms", "care_points", "projections", "scores", "derivatives"}
    )
    NEW_STATE = ("code", "route")

    def __init__(self, parts: Sequence[RowPart], problem: Problem, storage: Storage | None = None) -> None:
        self.parts, self.problem = list(parts), problem
        self._storage = Storage() if storage is None else storage
        self.partitions: list[Partition] = []

    def code(self, coding: Coding) -> tuple[np.ndarray, np.ndarray]:
        """Read all values, replace the codes and return the ranges of the bins, float64[d, codes] each."""
        lows, highs = empty_ranges(self.problem.n_columns)
        is_first = not self.partitions
        for number, part in enumerate(self.parts):
            X, y, weights = self.problem.encode(part.read(), part.name)
            if not is_first and not np.array_equal(y, self.partitions[number].y):
                raise DataError(changed_file(part.name))
            if is_first:
                values = compact(X) if self.problem.keeps_values else None
                self.partitions.append(Partition(self.problem.n_columns, y, weights, self._storage, values))
            self.partitions[number].code(X, coding, lows, highs)
        return lows, highs

    def route(self, nodes: np.ndarray, ranges: TreeRanges) -> tuple[np.ndarray, np.ndarray]:
        """Compute the leaves of all rows for a new tree and return the result of `arrange`."""
        self.ranges = ranges
        for partition in self.partitions:
            partition.route(nodes)
        return self.arrange()

    def descend(self, nodes: np.ndarray, ranges: TreeRanges) -> tuple[np.ndarray, np.ndarray]:
        """Route rows into the new children of their leaves and return the result of `arrange`."""
        self.ranges = ranges
        for partition in self.partitions:
            partition.descend(nodes)
        return self.arrange()

    def arrange(self) -> tuple[np.ndarray, np.ndarray]:
        """Sort the rows by leaf and return (values float64[m, k], counts int64[m]) of the leaves."""
        problem, ranges = self.problem, self.ranges
        m = ranges.first.size
        values, counts = np.zeros((m, problem.n_values)), np.zeros(m, np.int64)
        for partition in self.partitions:
            partition.sort(ranges.first, ranges.n_leaves)
            partition.add_values(problem.is_squared, problem.middle, values, counts)
        return values, counts

    def pose(self, nodes: np.ndarray, labels: np.ndarray, posed: np.ndarray) -> np.ndarray:
        """Compute the reduced problems of some nodes of a level and return their sums, float64[p, 5]."""
        sums = np.zeros((posed.size, 5))
        for partition in self.partitions:
            partition.pose(nodes, labels, partition.ranges(self.ranges, posed), self.problem.is_squared, sums)
        return sums

    def histograms(self, nodes: np.ndarray) -> np.ndarray:
        """Return the histograms of the reduced problems of some nodes, float64[nodes, d, codes, 2]."""
        out = empty_histograms(nodes.size, self.problem.n_columns, 2)
        for partition in self.partitions:
            _, starts, _, stops = partition.ranges(self.ranges, nodes)
            partition.add_histograms(starts, stops, out)
        return out

    def target_histograms(self, nodes: np.ndarray) -> np.ndarray:
        """Return the histograms of the targets in some nodes, float64[nodes, d, codes, k]."""
        problem = self.problem
        out = empty_histograms(nodes.size, problem.n_columns, problem.n_channels)
        for partition in self.partitions:
            starts, stops = (partition.edges[edge[nodes]] for edge in (self.ranges.first, self.ranges.last))
            partition.add_target_histograms(problem.is_squared, problem.middle, starts, stops, out)
        return out

    def code_counts(self, column: int, n_nodes: int) -> np.ndarray:
        """Return the number of rows with each code of a column in the leaves, int64[n_nodes, codes]."""
        out = np.zeros(n_nodes * N_CODES, np.int64)
        for partition in self.partitions:
            keys = partition.leaf.astype(np.int64) * N_CODES + partition.codes[:, column]
            out += np.bincount(keys, minlength=out.size)
        return out.reshape(n_nodes, N_CODES)

    def care_points(self, nodes: np.ndarray, shares: np.ndarray) -> list:
        """Return (name, edges, values, gains) of each part with a share of the care points of some nodes.

        shares : float64[nodes]. The choice depends on the name of the part and the place of a row in it.
        """
        return [
            (part.name, *partition.care_points(*self._range(partition, nodes), shares, crc32(part.name.encode())))
            for part, partition in zip(self.parts, self.partitions, strict=True)
        ]

    def projections(self, nodes: np.ndarray, lines: tuple, n_bins: int) -> np.ndarray:
        """Return the histograms of the projections on some lines, float64[nodes, lines, n_bins + 3]."""
        out = np.zeros((*lines[2].shape, n_bins + 3))
        for partition in self.partitions:
            partition.add_projections(*self._range(partition, nodes), lines, out)
        return out

    def scores(self, nodes: np.ndarray, trial: np.ndarray) -> np.ndarray:
        """Return the exact scores of one split for each node, float64[nodes, 3]."""
        out = np.zeros((nodes.size, 3))
        for partition in self.partitions:
            partition.add_scores(*self._range(partition, nodes), trial, out)
        return out

    def derivatives(self, nodes: np.ndarray, asked: tuple) -> np.ndarray:
        """Return loss, gradient and Hessian of the surrogate of some nodes, see `add_derivatives`."""
        d = asked[0].size
        out = np.zeros((nodes.size, 1 + (d + 1) * (d + 2)))
        for partition in self.partitions:
            partition.add_derivatives(*self._range(partition, nodes), asked, out)
        return out

    def close(self) -> None:
        """Remove the files of the shard."""
        self._storage.close()

    def _range(self, partition, nodes):
        _, starts, _, stops = partition.ranges(self.ranges, nodes)
        return starts, stops

    def move(self, nodes: np.ndarray, changed: np.ndarray) -> None:
        """Apply new splits of some nodes."""
        for partition in self.partitions:
            partition.move(nodes, changed, partition.ranges(self.ranges, changed))


def ranges_of(tree: WorkingTree) -> TreeRanges:
    """Return the structure of a working tree."""
    return TreeRanges(tree.first, tree.last, np.column_stack([tree.left, tree.right]), tree.n_leaves)


def batches(nodes: np.ndarray, n_columns: int, n_channels: int) -> Iterator[np.ndarray]:
    """Yield parts of `nodes` whose histograms fit in `MOST_BYTES`."""
    size = max(1, MOST_BYTES // (n_columns * N_CODES * n_channels * 8))
    for low in range(0, nodes.size, size):
        yield nodes[low : low + size]
