"""`Level`: the reduced problems of the nodes of one depth, and `Best`: their best splits so far."""

from typing import Any, NamedTuple

import numpy as np

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
