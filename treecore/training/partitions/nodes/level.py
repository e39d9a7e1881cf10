"""The reduced problems of the nodes of one depth (`Level`), their best splits so far, and their care points."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from treecore.data.category_groups import CategoryGroups
from treecore.data.columns import DenseColumns
from treecore.node_solvers.thresholds import is_better, tie_width
from treecore.training.partitions.coding import Coding
from treecore.training.partitions.shard import Problem
from treecore.training.partitions.shards import total
from treecore.tree.split import Split, constant_split
from treecore.tree.working_tree import WorkingTree


class Level(NamedTuple):
    """Reduced problems of some nodes, which the shards have computed.

    shards : object with `call`, see `LocalShards`; nodes : int64[k]; sums : float64[k, 5], see `pose`; sides :
    float64[k, 2], total weight of the rows that go left and right now.
    """

    shards: Any
    problem: Problem
    coding: Coding
    tree: WorkingTree
    lam: float
    nodes: np.ndarray
    sums: np.ndarray
    sides: np.ndarray

    def call(self, name: str, *arguments: Any) -> Any:
        """Return the sum of the results of the method `name` of all shards."""
        return total(self.shards.call(name, *arguments))

    @property
    def n_care(self) -> np.ndarray:
        """Number of care points of each node."""
        return self.sums[:, 4]


class Best:
    """Best split of each node among the present split, both constants and the splits that are offered.

    The rules are those of the node solvers of the true loss: in a tie, the split with the smaller penalty is selected,
    then the present one. `changed` : dict of place -> new split; `tie` : float64[k].
    """

    def __init__(self, level: Level) -> None:
        whole, self._positive, right, self.size, _ = level.sums.T
        self.lam, self.penalty = level.lam, level.tree.penalties[level.nodes].copy()
        self.changed: dict[int, Split] = {}
        gain, constant = right - self.lam * self.penalty, np.maximum(whole, 0.0)
        self.tie = np.asarray(tie_width(self.size, self._positive - gain))
        wins = is_better(constant, 0.0, gain, self.penalty, self.tie)
        self.gain = np.where(wins, constant, gain)
        for i in np.flatnonzero(wins):
            self.changed[int(i)], self.penalty[i] = constant_split(whole[i] > 0), 0.0

    def worth(self, places: np.ndarray, penalty: float) -> np.ndarray:
        """Return the nodes in which a perfect split with this penalty would be better."""
        # The sum of the positive weights is an upper bound on the score of a split.
        return places[self._positive[places] - self.lam * penalty > self.gain[places] + self.tie[places]]

    def offer(self, i: int, split: Split, score: float, in_tie: bool = True) -> None:
        """Select a split if it is better. score : signed weight on its right side; in_tie : whether a tie suffices."""
        net = score - self.lam * split.penalty
        present = self.penalty[i] if in_tie else 0.0
        if is_better(net, split.penalty, self.gain[i], present, self.tie[i]):
            self.changed[int(i)], self.gain[i], self.penalty[i] = split, net, split.penalty


MOST_POINTS = 5000  # per node; nodes with at most this many care points are solved on all of them
MOST_BYTES = 64_000_000  # of the points that are gathered together


class Scaling:
    """Scaling of the features and the order of the parts. It does not depend on the nodes.

    order : dict of part name -> place; center, inverse_scale : float64[d]; columns : features of each column of
    categories.
    """

    def __init__(self, order: Mapping[str, int], center: np.ndarray, inverse_scale: np.ndarray, columns: list) -> None:
        self.order, self.center, self.inverse_scale, self.columns = order, center, inverse_scale, columns


class CarePoints:
    """Care points of some nodes, in the order of the source within a node.

    places : int64[p], places of the nodes in the level; starts, stops : int64[p], range of each node; signed :
    float64[n]; other attributes : as in `TrainingData`.
    """

    def __init__(self, level: Level, places: np.ndarray, shares: np.ndarray, scaling: Scaling) -> None:
        answers = level.shards.call("care_points", level.nodes[places], shares)
        blocks = sorted((block for answer in answers for block in answer), key=lambda block: scaling.order[block[0]])
        self.places = places
        node = np.concatenate([np.repeat(np.arange(places.size), np.diff(edges)) for _, edges, _, _ in blocks])
        order = np.argsort(node, kind="stable")
        values = np.concatenate([values for _, _, values, _ in blocks])[order]
        self.signed = np.concatenate([signed for _, _, _, signed in blocks])[order].astype(np.float64)
        edges = np.searchsorted(node[order], np.arange(places.size + 1))
        self.starts, self.stops = edges[:-1], edges[1:]
        self.columns = DenseColumns(np.ascontiguousarray(values.T))
        self.rows = np.arange(len(values))
        self.center, self.inverse_scale = scaling.center, scaling.inverse_scale
        self.groups = CategoryGroups(scaling.columns, self.columns.values, scaling.inverse_scale > 0)
        self.n_rows, self.n_features = values.shape

    def has_missing(self) -> bool:
        """Return whether any value is missing."""
        return bool(np.isnan(self.columns.values).any())


def gathered(level: Level, places: np.ndarray, scaling: Scaling) -> Iterator[Any]:
    """Yield `CarePoints` with the care points of some nodes, or a random share of them of about `MOST_POINTS`."""
    n_care = level.n_care[places]
    shares = np.minimum(1.0, MOST_POINTS / n_care)
    bytes_before = np.cumsum(n_care * shares) * scaling.center.size * 8
    batch = (bytes_before // MOST_BYTES).astype(np.int64)
    for b in np.unique(batch):
        yield CarePoints(level, places[batch == b], shares[batch == b], scaling)
