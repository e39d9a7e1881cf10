"""Tree Alternating Optimization from sums over partitions. See `treecore.training.tao` for rows in memory."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.node_solvers.thresholds import ROUNDING, tie_width
from treecore.training.iteration_record import IterationRecord
from treecore.training.partitions.coding import CodeTree, Coding
from treecore.training.partitions.histogram_search import best_signed_cut, best_signed_group, cut_split
from treecore.training.partitions.shard import Problem, batches, ranges_of
from treecore.training.partitions.shards import total
from treecore.training.tao import SAME
from treecore.tree.split import constant_split, same_split
from treecore.tree.working_tree import WorkingTree


@dataclass(frozen=True)
class PartitionedStep:
    """One depth level in one pass.

    nodes, origins : int64[k], decision nodes of the level and their origin ids; objective : float, before the level.
    """

    iteration: int
    depth: int
    nodes: np.ndarray
    origins: np.ndarray
    objective: float


class PartitionedTAO:
    """TAO on shards, starting from a working tree, whose splits and labels are changed in place.

    shards : object with `call`, see `LocalShards`; problem : Problem; coding : Coding of the shards; tree :
    WorkingTree, each of whose thresholds is between two bins; lam : lambda >= 0; max_iter, tol, first_iteration : as
    in `AlternatingOptimization`.
    """

    def __init__(
        self,
        shards: Any,
        problem: Problem,
        coding: Coding,
        tree: WorkingTree,
        lam: float,
        max_iter: int,
        tol: float = 0.0,
        first_iteration: int = 0,
    ) -> None:
        self.shards, self.problem, self.coding, self.tree, self.lam = shards, problem, coding, tree, float(lam)
        self.max_iter, self.tol, self.first_iteration = max_iter, tol, first_iteration
        self.trace = []
        self.best_objective = np.inf
        self._best = None
        self._usable = problem.layout.features >= 0
        self._no_penalties = np.zeros(problem.n_columns)
        self._codes = CodeTree(coding, tree)

    def steps(self) -> Iterator[PartitionedStep]:
        """Yield a `PartitionedStep` before each depth level. Afterwards, the tree is the best iterate."""
        began, tree = time.perf_counter(), self.tree
        self._read("route", self._codes.nodes(), ranges_of(tree))
        self._record(self.first_iteration, began)
        for iteration in range(self.first_iteration + 1, self.max_iter + 1):
            before, penalty_before = self.best_objective, tree.penalty()
            splits, labels, _ = tree.snapshot()
            tree.labels = self._best_labels()
            reaching = self._counts_below()
            for depth in range(int(tree.depth.max()), -1, -1):
                nodes = self._decisions(depth, reaching)
                yield PartitionedStep(iteration, depth, nodes, tree.origin[nodes], self.trace[-1].objective)
                if nodes.size:
                    self._level(nodes)
            self._read("arrange")
            self._record(iteration, began)
            unchanged = np.array_equal(labels, tree.labels) and all(
                a is b or same_split(a, b) for a, b in zip(splits, tree.splits, strict=True) if a is not None
            )
            gained = before - self.best_objective
            simpler = self.tol == 0 and tree.penalty() < penalty_before
            if unchanged or not (gained > self.tol * abs(before) or simpler):
                break
        self.finish()

    def finish(self) -> None:
        """Restore the best iterate."""
        if self._best is not None:
            self.tree.restore(self._best)

    def leaf_statistics(self) -> tuple:
        """Return the values of the loss, float64[m, k], and the number of rows, int64[m], in the current leaves."""
        self._read("route", self._codes.nodes(), ranges_of(self.tree))
        return self._values, self._counts

    def _read(self, name, *arguments):
        """Update the values and row counts of the leaves from all rows."""
        sums, self._counts = total(self.shards.call(name, *arguments))
        self._values = self.problem.values_of(sums)

    def _best_labels(self):
        labels = self.problem.loss.labels_of(self._values, self.tree.labels)
        return np.where(self._counts > 0, labels, self.tree.labels).astype(self.tree.labels.dtype)

    def _counts_below(self):
        tree = self.tree
        by_rank = np.zeros(tree.n_leaves + 1, np.int64)
        leaves = np.flatnonzero(tree.left < 0)
        by_rank[tree.rank[leaves] + 1] = self._counts[leaves]
        edges = np.cumsum(by_rank)
        return edges[tree.last] - edges[tree.first]

    def _decisions(self, depth, reaching):
        """Return the decision nodes of a level that are not pure."""
        tree, problem = self.tree, self.problem
        nodes = np.flatnonzero((tree.depth == depth) & (tree.left >= 0) & (reaching > 0))
        if problem.is_squared or not nodes.size:
            return nodes
        by_rank = np.zeros((tree.n_leaves + 1, problem.n_values))
        leaves = np.flatnonzero(tree.left < 0)
        by_rank[tree.rank[leaves] + 1] = self._values[leaves]
        edges = np.cumsum(by_rank, axis=0)
        inside = edges[tree.last[nodes]] - edges[tree.first[nodes]]
        return nodes[np.count_nonzero(inside > 0, axis=1) > 1]

    def _level(self, nodes):
        tree, lam = self.tree, self.lam
        sums = total(self.shards.call("pose", self._codes.nodes(), tree.labels, nodes))
        whole, positive, right, size, _ = sums.T
        penalty = tree.penalties[nodes]
        gain, constant = right - lam * penalty, np.maximum(whole, 0.0)
        tie = tie_width(size, positive - gain)
        wins = (constant > gain + tie) | ((constant >= gain - tie) & (penalty > 0))
        best = np.where(wins, constant, gain)
        changed = {}
        for i in np.flatnonzero(wins):
            changed[i] = constant_split(whole[i] > 0)
        # The sum of the positive weights is an upper bound on the score of a threshold.
        search = np.flatnonzero(positive - lam > best + tie)
        for batch in batches(search, self.problem.n_columns, 2):
            histograms = total(self.shards.call("histograms", nodes[batch]))
            for i, histogram in zip(batch, histograms, strict=True):
                score, column, low, high, above, missing_right = best_signed_cut(
                    histogram, self._usable, self._no_penalties, ROUNDING * size[i]
                )
                present = 0.0 if i in changed else penalty[i]
                net = score - lam
                if column >= 0 and (net > best[i] + tie[i] or (net >= best[i] - tie[i] and present > 1.0)):
                    changed[i] = cut_split(self.coding, column, low, high, above, missing_right)
                    best[i] = net
                group = best_signed_group(histogram, self.problem.layout, ROUNDING * size[i])
                if group is not None and group.score - lam > best[i] + tie[i]:
                    changed[i] = group.split
        new = [i for i in sorted(changed) if not same_split(changed[i], tree.splits[nodes[i]])]
        for i in new:
            tree.set_split(nodes[i], changed[i])
        if new:
            self.shards.call("move", self._codes.nodes(), nodes[new])

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
        reaching = self._counts_below()
        inner = tree.decisions
        used = inner[(reaching[tree.left[inner]] > 0) & (reaching[tree.right[inner]] > 0)]
        n_weights = sum(tree.splits[node].features.size for node in used)
        seconds = time.perf_counter() - began
        self.trace.append(IterationRecord(iteration, objective, loss, loss / weight, len(used), n_weights, "", seconds))
        better = objective < self.best_objective
        if self._best is not None:  # in a tie, the later tree has fewer parameters
            better = objective <= self.best_objective + SAME * abs(self.best_objective)
        if better:
            self.best_objective = min(objective, self.best_objective)
            self._best = tree.snapshot()
