"""Tree Alternating Optimization from sums over partitions. See `treecore.training.tao` for rows in memory."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.training.iteration_record import IterationRecord
from treecore.training.partitions.coding import Coding
from treecore.training.partitions.nodes.level import Level
from treecore.training.partitions.shard import Problem, ranges_of
from treecore.training.partitions.shards import total
from treecore.training.tao import PATIENCE, SAME
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


class PartitionedTAO:
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
        max_iter: int,
        tol: float = 0.0,
        first_iteration: int = 0,
        keep_initial: bool = True,
    ) -> None:
        self.shards, self.problem, self.coding, self.tree, self.lam = shards, problem, coding, tree, float(lam)
        self.solver, self.max_iter, self.tol, self.first_iteration = solver, max_iter, tol, first_iteration
        self.keep_initial, self.trace = keep_initial, []
        self.best_objective = np.inf
        self._best = None
        self._router = solver.router(coding, tree)
        for node in tree.decisions:
            split = tree.splits[node]
            penalty = solver.penalty(split.features, split.weights)
            if penalty != split.penalty:
                tree.set_split(node, split._replace(penalty=penalty))

    def steps(self) -> Iterator[PartitionedStep]:
        """Yield a `PartitionedStep` before each depth level. Afterwards, the tree is the best iterate."""
        began, tree = time.perf_counter(), self.tree
        self._read("route", self._router.nodes(), ranges_of(tree))
        self._record(self.first_iteration, began)
        stalled = 0
        for iteration in range(self.first_iteration + 1, self.max_iter + 1):
            before, penalty_before = self.best_objective, tree.penalty()
            splits, labels, _ = tree.snapshot()
            tree.labels = self._best_labels()
            reaching = self._below(self._counts)
            for depth in range(int(tree.depth.max()), -1, -1):
                nodes = self._decisions(depth, reaching)
                last = self.trace[-1]
                yield PartitionedStep(iteration, depth, nodes, tree.origin[nodes], last.objective, last.error)
                if nodes.size:
                    self._level(nodes)
            self._read("arrange")
            self._record(iteration, began)
            unchanged = np.array_equal(labels, tree.labels) and all(
                a is b or same_split(a, b) for a, b in zip(splits, tree.splits, strict=True) if a is not None
            )
            monotone, gained = self.solver.monotone, before - self.best_objective
            simpler = monotone and self.tol == 0 and tree.penalty() < penalty_before
            stalled = 0 if before == np.inf or gained > self.tol * abs(before) or simpler else stalled + 1
            if unchanged or stalled >= (1 if monotone or self.tol > 0 else PATIENCE):
                break
        self.finish()

    def finish(self) -> None:
        """Restore the best iterate."""
        if self._best is not None:
            self.tree.restore(self._best)

    def leaf_statistics(self) -> tuple:
        """Return the values of the loss, float64[m, k], and the number of rows, int64[m], in the current leaves."""
        self._read("route", self._router.nodes(), ranges_of(self.tree))
        return self._values, self._counts

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

    def _level(self, nodes):
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

    def _record(self, iteration, began):
        tree, problem = self.tree, self.problem
        values = self._values
        leaves = np.flatnonzero(tree.left < 0)
        if problem.is_squared:
            weight, mean, variance = values[leaves].T
            loss = float((weight * (variance + (mean - tree.labels[leaves]) ** 2)).sum())
            weight = float(weight.sum())
        else:
            weight = float(values[leaves].sum())
            loss = weight - float(values[leaves, tree.labels[leaves]].sum())
        objective = loss + self.lam * tree.penalty()
        reaching = self._below(self._counts)
        inner = tree.decisions
        used = inner[(reaching[tree.left[inner]] > 0) & (reaching[tree.right[inner]] > 0)]
        n_weights = sum(tree.splits[node].features.size for node in used)
        seconds = time.perf_counter() - began
        self.trace.append(IterationRecord(iteration, objective, loss, loss / weight, len(used), n_weights, "", seconds))
        if iteration == self.first_iteration and not self.keep_initial:
            return
        better = objective < self.best_objective
        if self.solver.monotone and self._best is not None:  # in a tie, the later tree has fewer parameters
            better = objective <= self.best_objective + SAME * abs(self.best_objective)
        if better:
            self.best_objective = min(objective, self.best_objective)
            self._best = tree.snapshot()
