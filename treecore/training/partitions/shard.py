"""`Shard`: the partitions of one thread or worker. Its methods return sums over their rows."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from treecore.data.bins import N_CODES, empty_ranges
from treecore.errors import DataError
from treecore.training.partitions.coding import Coding, Layout
from treecore.training.partitions.messages import MESSAGES
from treecore.training.partitions.partition import Partition, TreeRanges, empty_histograms
from treecore.training.partitions.sources.row_source import RowPart
from treecore.training.partitions.storage import Storage
from treecore.training.partitions.values import compact
from treecore.tree.working_tree import WorkingTree

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
                raise DataError(MESSAGES("file.changed", path=part.name))
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
