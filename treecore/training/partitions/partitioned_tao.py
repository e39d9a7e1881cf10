"""Tree Alternating Optimization from sums over partitions. See `treecore.training.tao` for rows in memory."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.training.partitions.coding import Coding
from treecore.training.partitions.nodes.level import Level
from treecore.training.partitions.shard import Problem, ranges_of
from treecore.training.partitions.shards import total
from treecore.training.tao import Measure, Passes
from treecore.tree.split import same_split
from treecore.tree.working_tree import WorkingTree


@dataclass(frozen=True)
class PartitionedStep:
    """One depth level in one pass.

    nodes, origins : int64[k], decision nodes of the level and their origin ids; objective : float, before the level;
    error : float, before the pass.
    """

    iteration: int
    depth: int
    nodes: np.ndarray
    origins: np.ndarray
    objective: float
    error: float


class PartitionedTAO(Passes):
    """TAO on shards, starting from a working tree, whose splits and labels are changed in place.

    shards : object with `call`, see `LocalShards`; problem : Problem; coding : Coding of the shards; tree :
    WorkingTree; if shards do not keep values, each threshold is between two bins; solver : `ThresholdNodes` or
    another solver of levels; others : as in `AlternatingOptimization`.
    """

    def __init__(
        self,
        shards: Any,
        problem: Problem,
        coding: Coding,
        tree: WorkingTree,
        solver: Any,
        lam: float,
        *,
        max_iter: int,
        tol: float = 0.0,
        first_iteration: int = 0,
        keep_initial: bool = True,
    ) -> None:
        super().__init__(tree, solver, lam, max_iter, tol, first_iteration, keep_initial)
        self.shards, self.problem, self.coding = shards, problem, coding
        self._router = solver.router(coding, tree)

    def leaf_statistics(self) -> tuple:
        """Return the values of the nodes, float64[m, k] (see `Loss`), and the numbers of rows in leaves, int64[m]."""
        self._read("route", self._router.nodes(), ranges_of(self.tree))
        values = self._values.copy()
        self.problem.loss.merge_up(self.tree.left, self.tree.right, values)
        return values, self._counts

    def _begin(self):
        self._read("route", self._router.nodes(), ranges_of(self.tree))

    def _arrange(self):
        self.tree.labels = self._best_labels()
        self._reaching = self._below(self._counts)

    def _end_pass(self):
        self._read("arrange")

    def _read(self, name, *arguments):
        """Update the values and row counts of the leaves from all rows."""
        sums, self._counts = total(self.shards.call(name, *arguments))
        self._values = self.problem.values_of(sums)

    def _best_labels(self):
        labels = self.problem.loss.labels_of(self._values, self.tree.labels)
        return np.where(self._counts > 0, labels, self.tree.labels).astype(self.tree.labels.dtype)

    def _below(self, amounts):
        """Return the sums of amounts of the leaves, [m] or [m, k], over the leaves below each node."""
        tree = self.tree
        by_rank = np.zeros((tree.n_leaves + 1, *amounts.shape[1:]), amounts.dtype)
        leaves = np.flatnonzero(tree.left < 0)
        by_rank[tree.rank[leaves] + 1] = amounts[leaves]
        edges = np.cumsum(by_rank, axis=0)
        return edges[tree.last] - edges[tree.first]

    def _decisions(self, depth, reaching):
        """Return the decision nodes of a level that are not pure."""
        tree, problem = self.tree, self.problem
        nodes = np.flatnonzero((tree.depth == depth) & (tree.left >= 0) & (reaching > 0))
        if problem.is_squared or not nodes.size:
            return nodes
        return nodes[np.count_nonzero(self._below(self._values)[nodes] > 0, axis=1) > 1]

    def _level(self, iteration, depth):
        nodes, last = self._decisions(depth, self._reaching), self.trace[-1]
        yield PartitionedStep(iteration, depth, nodes, self.tree.origin[nodes], last.objective, last.error)
        if nodes.size:
            self._solve(nodes)

    def _solve(self, nodes):
        tree, problem = self.tree, self.problem
        sums = total(self.shards.call("pose", self._router.nodes(), tree.labels, nodes))
        weights = self._below(self._values[:, 0] if problem.is_squared else self._values.sum(axis=1))
        sides = np.column_stack([weights[tree.left[nodes]], weights[tree.right[nodes]]])
        level = Level(self.shards, problem, self.coding, tree, self.lam, nodes, sums, sides)
        changed = self.solver.solve(level)
        new = [i for i in sorted(changed) if not same_split(changed[i], tree.splits[nodes[i]])]
        for i in new:
            tree.set_split(nodes[i], changed[i])
        if new:
            self.shards.call("move", self._router.nodes(), nodes[new])

    def _measure(self):
        tree, problem, values = self.tree, self.problem, self._values
        leaves = np.flatnonzero(tree.left < 0)
        if problem.is_squared:
            weight, mean, variance = values[leaves].T
            loss = float((weight * (variance + (mean - tree.labels[leaves]) ** 2)).sum())
            weight = float(weight.sum())
        else:
            weight = float(values[leaves].sum())
            loss = weight - float(values[leaves, tree.labels[leaves]].sum())
        return Measure(loss, loss / weight, self._below(self._counts))
