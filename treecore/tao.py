"""Tree Alternating Optimization: one pass solves every node once, bottom-up by depth level (file 000, section 3).

The loop is a generator of steps, one per depth level, so progress, cancelling and step-by-step display need nothing
else. Rows of the training data are kept in the order of the leaves from left to right; the reduced set of every node
is then one contiguous range, and stays that range while the levels below it change.
"""

import time
from dataclasses import dataclass

import numpy as np

from treecore.objective import IterationRecord, weighted_loss
from treecore.parallel import even_ranges, resolve_jobs, thread_map
from treecore.split import same_split

# Passes without a better objective before a run with a surrogate (not monotone) stops.
PATIENCE = 3


@dataclass(frozen=True)
class Step:
    """One depth level of one pass.

    nodes, origins : int64[k], the nodes of the level that were processed (leaves too), and their origin ids;
    objective_before, objective_after : float.
    """

    iteration: int
    depth: int
    nodes: np.ndarray
    origins: np.ndarray
    objective_before: float
    objective_after: float
    error: float
    _rows: np.ndarray
    _starts: np.ndarray
    _stops: np.ndarray
    _targets: dict

    def reduced_set(self, node):
        """int64[n]: row numbers (in the caller's X) of the training points that reach `node`."""
        return self._rows[self._starts[node] : self._stops[node]]

    def care_points(self, node):
        """int64[c]: row numbers of the points that exactly one child of `node` classifies correctly.

        Empty for a leaf and for a node that was skipped, being pure or frozen.
        """
        targets = self._targets.get(int(node))
        return self.reduced_set(node)[:0] if targets is None else self.reduced_set(node)[targets != 0]

    def pseudolabels(self, node):
        """int8[c]: for each care point, -1 when the left child is right, +1 when the right child is."""
        targets = self._targets.get(int(node), np.empty(0, np.int8))
        return targets[targets != 0]


class AlternatingOptimization:
    """One run of TAO over training data, from a working tree.

    data : TrainingData (its rows are reordered); tree : WorkingTree (changed in place); solver : node solver;
    lam : lambda >= 0; max_iter : passes; tol : stop when a pass lowers the best objective by less than this share;
    frozen : origin ids of nodes that are kept as they are; keep_initial : whether the initial tree may be the result
    (the length of its weight vectors must then mean something: a random tree's does not).
    """

    def __init__(self, data, tree, solver, lam, max_iter=20, tol=0.0, frozen=(), keep_initial=True, n_jobs=None):
        self.data, self.tree, self.solver, self.lam = data, tree, solver, float(lam)
        self.max_iter, self.tol = max_iter, tol
        for node, split in enumerate(tree.splits):
            if split is not None:
                tree.splits[node] = split._replace(penalty=solver.penalty(split.features, split.weights))
        self.frozen = np.isin(tree.origin, np.asarray(list(frozen), np.int64))
        self.n_jobs = resolve_jobs(n_jobs)
        self.trace = []
        self.keep_initial = keep_initial
        self.best_objective = np.inf
        self._best = None

    def steps(self):
        """Yield a `Step` after each depth level; afterwards the tree holds the best iterate.

        Stop early by closing the generator: `finish` still works.
        """
        began = time.perf_counter()
        with thread_map(self.n_jobs) as run:
            leaf = self._route(run)
            self._record(0, leaf, began)
            stalled = 0
            for iteration in range(1, self.max_iter + 1):
                before, labels_before, splits_before = (
                    self.best_objective,
                    self.tree.labels.copy(),
                    list(self.tree.splits),
                )
                starts, stops = self._arrange(leaf, run)
                current = self.tree.labels[self._leaf]
                for depth in range(int(self.tree.depth.max()), -1, -1):
                    yield self._level(iteration, depth, starts, stops, current, run)
                leaf = self._route(run)
                self._record(iteration, leaf, began)
                if self._unchanged(splits_before, labels_before):
                    break
                gained = before - self.best_objective
                stalled = 0 if before == np.inf or gained > self.tol * abs(before) else stalled + 1
                if stalled >= (1 if self.solver.monotone or self.tol > 0 else PATIENCE):
                    break
        self.finish()

    def finish(self):
        """Put the best iterate back into the tree."""
        if self._best is not None:
            self.tree.restore(self._best)

    def leaf_statistics(self):
        """(float64[m, k] weighted class counts, int64[m] numbers of points) of the leaves of the current tree."""
        with thread_map(self.n_jobs) as run:
            leaf = self._route(run)
        data = self.data
        flat = leaf * data.n_classes + data.y
        size = self.tree.n_nodes * data.n_classes
        counts = np.bincount(flat, weights=data.weights, minlength=size).reshape(-1, data.n_classes)
        return counts, np.bincount(leaf, minlength=self.tree.n_nodes)

    def _route(self, run):
        n = self.data.n_rows
        leaf = np.empty(n, np.int64)
        routing = self.tree.routing()
        ranges = even_ranges(n, 1 if n < 4096 else 2 * self.n_jobs)
        run(lambda r: self.data.columns.leaves(routing, 0, r[0], r[1], leaf), ranges)
        return leaf

    def _arrange(self, leaf, run):
        """Put the rows in the order of the leaves; return the range of rows of every node."""
        tree = self.tree
        rank = tree.rank[leaf]
        order = np.argsort(rank, kind="stable")
        self.data.reorder(order, run)
        self._leaf = leaf[order]
        edges = np.concatenate([[0], np.cumsum(np.bincount(rank, minlength=tree.n_leaves))])
        return edges[tree.first], edges[tree.last]

    def _level(self, iteration, depth, starts, stops, current, run):
        tree = self.tree
        before = self._objective(current)
        nodes = np.flatnonzero((tree.depth == depth) & (stops > starts))
        is_leaf = tree.left[nodes] < 0
        for node in nodes[is_leaf]:
            self._solve_leaf(node, starts[node], stops[node], current)
        decisions = nodes[~is_leaf]
        decisions = decisions[np.argsort(starts[decisions] - stops[decisions], kind="stable")]
        routing = tree.routing()
        reached = np.empty(self.data.n_rows, np.int64)
        targets = {}

        def solve(node):
            result = self._solve_decision(node, starts, stops, routing, reached, current)
            if result is not None:
                targets[int(node)] = result

        run(solve, decisions)
        return Step(
            iteration, depth, nodes, tree.origin[nodes], before, self._objective(current),
            weighted_loss(current, self.data.y, self.data.weights) / self.data.weights.sum(),
            self.data.rows, starts, stops, targets,
        )  # fmt: skip

    def _solve_leaf(self, node, start, stop, current):
        if not self.frozen[node]:
            counts = np.bincount(self.data.y[start:stop], self.data.weights[start:stop], self.data.n_classes)
            # ties keep the label, so that a pass without progress changes nothing
            if counts.max() > counts[self.tree.labels[node]]:
                self.tree.labels[node] = counts.argmax()
        current[start:stop] = self.tree.labels[node]

    def _solve_decision(self, node, starts, stops, routing, reached, current):
        """Solve one reduced problem; return its targets (int8: -1 left, +1 right, 0 don't care), or None if skipped.

        The prediction through the child that a point takes now is known from that child's own step.
        """
        tree, data = self.tree, self.data
        start, stop = starts[node], stops[node]
        y = data.y[start:stop]
        if self.frozen[node] or (y[0] == y).all():
            return None
        left, right = tree.left[node], tree.right[node]
        middle = stops[left]
        data.columns.leaves(routing, right, start, middle, reached)
        data.columns.leaves(routing, left, middle, stop, reached)
        other = tree.labels[reached[start:stop]]
        taken = current[start:stop]
        goes_left = np.arange(start, stop) < middle
        by_left = np.where(goes_left, taken, other)
        by_right = np.where(goes_left, other, taken)
        targets = (by_right == y).astype(np.int8) - (by_left == y).astype(np.int8)
        split = self.solver.solve(start, stop, targets, self.lam, tree.splits[node])
        if not same_split(split, tree.splits[node]):
            tree.splits[node] = split
            current[start:stop] = np.where(data.columns.margins(start, stop, split) >= 0, by_right, by_left)
        return targets

    def _objective(self, current):
        return weighted_loss(current, self.data.y, self.data.weights) + self.lam * self.tree.penalty()

    def _unchanged(self, splits, labels):
        tree = self.tree
        return np.array_equal(labels, tree.labels) and all(
            a is b or same_split(a, b) for a, b in zip(splits, tree.splits, strict=True) if a is not None
        )

    def _record(self, iteration, leaf, began):
        tree, data = self.tree, self.data
        loss = weighted_loss(tree.labels[leaf], data.y, data.weights)
        objective = loss + self.lam * tree.penalty()
        points = np.bincount(leaf, minlength=tree.n_nodes)
        for node in np.flatnonzero(tree.left >= 0)[::-1]:
            points[node] = points[tree.left[node]] + points[tree.right[node]]
        used = [i for i in np.flatnonzero(tree.left >= 0) if points[tree.left[i]] and points[tree.right[i]]]
        weights = sum(tree.splits[i].features.size for i in used)
        error = loss / data.weights.sum()
        seconds = time.perf_counter() - began
        self.trace.append(IterationRecord(iteration, objective, loss, error, len(used), weights, seconds))
        if objective < self.best_objective and (iteration > 0 or self.keep_initial):
            self.best_objective = objective
            self._best = tree.snapshot()
