"""Tree Alternating Optimization: each pass solves every node once, bottom-up by depth level.

See Carreira-Perpiñán and Tavallali 2018, section 3. The objective of a tree (Eqs. 1 and 2) is

    E(T) = sum_n c_n loss(T(x_n), y_n) + lam * sum over decision nodes of penalty(split)

The loss is the 0/1 loss for classification and the squared error for regression. The penalty of an oblique split is the
l1 norm of its weights on scaled features. Otherwise, it is 1 for a univariate, C for a bivariate and 0 for a constant
split.

The loop is a generator with one step per depth level, so callers can show progress, cancel, or display single steps.
Training rows are sorted by leaf, from left to right. Therefore the reduced set of every node is one contiguous range,
and stays the same range while the levels below the node change.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from treecore.constraints.constraints import Constraints
from treecore.data.losses import signed_losses
from treecore.data.training_data import TrainingData
from treecore.node_solvers.liblinear import LiblinearSolver
from treecore.node_solvers.node_solver import NodeSolver
from treecore.node_solvers.thresholds import is_better, tie_width
from treecore.parallel import even_ranges, resolve_jobs, thread_map
from treecore.training.leaf_steps import LEAF_STEPS, MonotoneLeafStep
from treecore.training.smallest_leaf import SmallestLeaf
from treecore.tree.split import constant_split, same_split
from treecore.tree.working_tree import WorkingTree


class IterationRecord(NamedTuple):
    """State after one pass over the tree. Iteration 0 is the initial tree."""

    iteration: int
    objective: float
    loss: float  # weighted sum of the losses of the training points: misclassified, cost, squared or absolute error
    error: float  # loss / total weight: share in [0, 1], mean cost, or mean squared or absolute error
    n_decision: int  # decision nodes for which training points reach both children
    n_features_used: int  # nonzero weights in the decision nodes counted above
    node_programs: str  # for node_solver="liblinear", the number of nodes that each program solved; else ""
    seconds: float
    n_unconverged: int = 0  # oblique nodes in this pass for which the solver reached a limit before its tolerance


# number of passes without a better objective after which a run with a surrogate (not monotone) stops
PATIENCE = 3
SAME = 1e-9  # relative difference between two objectives that may be a rounding error
FEW_VALUES = 4096  # number of values up to which starting threads takes longer than a pass
BATCHES = 4  # number of node batches per thread for the reduced problems of a level


@dataclass(frozen=True)
class TrainingStep:
    """One depth level in one pass.

    nodes, origins : int64[k], processed nodes of the level, including leaves, and their origin ids; objective_before,
    objective_after : float; solved : frozenset of the decision nodes that are neither pure nor frozen; leaf : int64[n],
    leaf of each training point after the step, in the order of this pass, valid until the next step. A step contains
    arrays with one entry per row.
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
    _signed: np.ndarray
    solved: frozenset
    leaf: np.ndarray

    def points(self, node: int) -> slice:
        """Return the training points that reach `node`, as a range of the training data in the order of this pass."""
        return slice(self._starts[node], self._stops[node])

    def reduced_set(self, node: int) -> np.ndarray:
        """Return the training points that reach `node`, int64[n], as row numbers in the caller's X."""
        return self._rows[self.points(node)]

    def care_points(self, node: int) -> np.ndarray:
        """Return the points for which the children of `node` have different losses, int64[c], as row numbers.

        The result is empty for a leaf, and for a node that was skipped because it is pure or frozen.
        """
        return self._rows[self.care_positions(node)]

    def care_positions(self, node: int) -> np.ndarray:
        """Return the positions of the care points in the training data in the order of this pass, int64[c]."""
        points = self.points(node)
        return points.start + self._signed[points].nonzero()[0] if node in self.solved else np.empty(0, np.int64)

    def pseudolabels(self, node: int) -> np.ndarray:
        """Return -1 for each care point if the left child is better, +1 if the right child is better, int8[c]."""
        return np.sign(self._signed[self.care_positions(node)]).astype(np.int8)

    def care_weights(self, node: int) -> np.ndarray:
        """Return the weight of each care point times the difference between its losses in both children, float64[c]."""
        return np.abs(self._signed[self.care_positions(node)])

    def reduced_problem(self, node: int) -> tuple:
        """Return (`care_points`, `pseudolabels`, `care_weights`) of `node`."""
        return self.problem_at(self.care_positions(node))

    def problem_at(self, positions: np.ndarray) -> tuple:
        """Return the reduced problem with these `care_positions`."""
        gains = self._signed[positions]
        return self._rows[positions], np.sign(gains).astype(np.int8), np.abs(gains)


class Measure(NamedTuple):
    """Measure of a tree on all rows.

    loss : float, training loss without penalties; error : float, mean loss of a row; reaching : int64[m], number of
    rows that reach each node; programs, unconverged : see `IterationRecord`.
    """

    loss: float
    error: float
    reaching: np.ndarray
    programs: str = ""
    unconverged: int = 0


class Passes:
    """The passes of TAO over the levels of a tree: when they end, and which iterate is the result.

    Subclasses solve the nodes of a level for rows in memory (`AlternatingOptimization`) or in parts (`PartitionedTAO`).

    tree : WorkingTree, changed in place; solver : node solver, whose `monotone` says that no pass increases the
    objective; lam, max_iter, tol, first_iteration, keep_initial, keeps_better : see `AlternatingOptimization`.
    trace : list of `IterationRecord`, one for the initial tree and one per pass; best_objective : float.
    """

    def __init__(
        self,
        tree: WorkingTree,
        solver: Any,
        lam: float,
        max_iter: int,
        tol: float,
        first_iteration: int,
        keep_initial: bool,
    ) -> None:
        self.tree, self.solver, self.lam = tree, solver, float(lam)
        self.max_iter, self.tol, self.first_iteration, self.keep_initial = max_iter, tol, first_iteration, keep_initial
        self.keeps_better = False
        self.trace: list[IterationRecord] = []
        self.best_objective = np.inf
        self._best: Any = None
        for node in tree.decisions:
            split = tree.splits[node]
            penalty = solver.penalty(split.features, split.weights)
            if penalty != split.penalty:
                tree.set_split(node, split._replace(penalty=penalty))

    def _begin(self) -> None:
        """Route the rows through the initial tree."""
        raise NotImplementedError

    def _arrange(self) -> None:
        """Prepare a pass."""
        raise NotImplementedError

    def _level(self, iteration: int, depth: int) -> Iterator:
        """Solve the nodes of a level, and yield one step."""
        raise NotImplementedError

    def _end_pass(self) -> None:
        """Collect the changes of the pass."""

    def _measure(self) -> Measure:
        """Return the loss of the present tree and the rows that reach its nodes."""
        raise NotImplementedError

    def steps(self) -> Iterator:
        """Yield a step for each depth level. Afterwards, the tree is the best iterate.

        To stop early, close the generator and call `finish`.
        """
        began, tree = time.perf_counter(), self.tree
        self._begin()
        self._record(self.first_iteration, began)
        stalled = 0
        for iteration in range(self.first_iteration + 1, self.max_iter + 1):
            before, penalty_before = self.best_objective, tree.penalty()
            before_pass = tree.snapshot()
            self._arrange()
            for depth in range(int(tree.depth.max()), -1, -1):
                yield from self._level(iteration, depth)
            self._end_pass()
            self._record(iteration, began)
            if self._unchanged(*before_pass):
                break
            gained = before - self.best_objective
            # An equal objective with fewer parameters is also progress and may allow more.
            simpler = self.solver.monotone and self.tol == 0 and tree.penalty() < penalty_before
            stalled = 0 if before == np.inf or gained > self.tol * abs(before) or simpler else stalled + 1
            if stalled >= (1 if self.solver.monotone or self.tol > 0 else PATIENCE):
                break
        self.finish()

    def finish(self) -> None:
        """Restore the best iterate."""
        if self._best is not None:
            self.tree.restore(self._best)

    def _unchanged(self, splits, labels, models):
        tree = self.tree
        if models is not None and not all(a is b for a, b in zip(models, tree.models, strict=True)):
            return False
        return np.array_equal(labels, tree.labels) and all(
            a is b or same_split(a, b) for a, b in zip(splits, tree.splits, strict=True) if a is not None
        )

    def _record(self, iteration, began):
        """Add the present tree to the trace, and keep it if it is the best one."""
        tree, now = self.tree, self._measure()
        objective = now.loss + self.lam * tree.penalty()
        inner = tree.decisions
        used = inner[(now.reaching[tree.left[inner]] > 0) & (now.reaching[tree.right[inner]] > 0)]
        weights = sum(tree.splits[node].features.size for node in used)
        seconds = time.perf_counter() - began
        self.trace.append(
            IterationRecord(
                iteration, objective, now.loss, now.error, len(used), weights, now.programs, seconds, now.unconverged
            )
        )
        if iteration == self.first_iteration and not self.keep_initial:
            return
        objective = now.loss if self.keeps_better else objective
        better = objective < self.best_objective
        if (self.solver.monotone or self.keeps_better) and self._best is not None:
            # in a tie, the later tree has fewer parameters
            better = objective <= self.best_objective + SAME * abs(self.best_objective)
        if better:
            self.best_objective = min(objective, self.best_objective)
            self._best = tree.snapshot()


class AlternatingOptimization(Passes):
    """TAO run on training data, starting from a working tree.

    data : TrainingData, reordered in place; tree : WorkingTree, changed in place; solver : node solver; lam : lambda >=
    0; max_iter : maximum number of passes; tol : training stops if a pass lowers the best objective by less than this
    fraction; frozen : origin ids of unchanged nodes; keep_initial : whether the initial tree may be the result (not for
    a random tree, because the lengths of its weight vectors are arbitrary); first_iteration : number of previous
    passes; min_samples_leaf : smallest number of rows in a leaf, which the initial tree must satisfy; constraints :
    constraints that the initial tree satisfies, None for none.

    keeps_better : whether a node keeps its split unless the new one has a smaller loss, or the same loss and fewer
    weights, so that passes with a surrogate, too, never increase the loss of the tree; set it before the first step.
    """

    def __init__(
        self,
        data: TrainingData,
        tree: WorkingTree,
        solver: NodeSolver,
        lam: float,
        *,
        max_iter: int = 20,
        tol: float = 0.0,
        frozen: Sequence[int] = (),
        keep_initial: bool = True,
        n_jobs: int | None = None,
        first_iteration: int = 0,
        leaf: str = "constant",
        min_samples_leaf: int = 1,
        constraints: Constraints | None = None,
    ) -> None:
        super().__init__(tree, solver, lam, max_iter, tol, first_iteration, keep_initial)
        self.data = data
        self.frozen = np.isin(tree.origin, np.asarray(list(frozen), np.int64))
        is_small = data.n_rows * data.n_features <= FEW_VALUES
        n_threads = resolve_jobs(n_jobs)
        self.n_jobs = 1 if is_small else n_threads
        self._unconverged = 0
        self._constraints = constraints if constraints is not None and constraints.restrict_nodes else None
        self.leaves = LEAF_STEPS[leaf](data, tree, self.frozen)
        if self._constraints is not None and self._constraints.monotone is not None:
            self.leaves = MonotoneLeafStep(data, tree, self.frozen, self._constraints.monotone)
        self.smallest_leaf = SmallestLeaf(data, tree, min_samples_leaf, self.frozen) if min_samples_leaf > 1 else None

    def steps(self) -> Iterator:
        """Yield a `TrainingStep` after each depth level. Afterwards, the tree is the best iterate.

        To stop early, close the generator and call `finish`.
        """
        with thread_map(self.n_jobs) as self._run:
            yield from super().steps()

    def leaf_statistics(self) -> tuple:
        """Return the values of the nodes, float64[m, k] (see `Loss`), and the numbers of points in leaves, int64[m]."""
        with thread_map(self.n_jobs) as run:
            leaf = self._route(run)
            self.leaves.keep_losses(leaf, self.leaves.at(leaf, run))
        data = self.data
        values = data.loss.node_values(self.tree.left, self.tree.right, leaf, data.y, data.weights)
        return values, np.bincount(leaf, minlength=self.tree.n_nodes)

    def next_lambda(self) -> float:
        """Return the next larger lambda at which a node of a converged tree would adopt a split with a smaller penalty.

        Below this lambda, the tree is unchanged (Kairgeldin and Carreira-Perpiñán 2024, section 2.1.2).
        The result is inf if no split has a penalty.
        """
        with thread_map(self.n_jobs) as run:
            starts, stops = self._sort(self._route(run), run)
            current = self.leaves.at(self._leaf, run)
            critical = np.inf
            for depth in range(int(self.tree.depth.max()), -1, -1):
                nodes = self._decisions(depth, starts, stops)
                nodes = nodes[self.tree.penalties[nodes] > 0]
                if nodes.size:
                    signed = self._reduced_problems(nodes, starts, stops, current, run)[2]
                    permitted = self._permitted(nodes)

                    def following(i, nodes=nodes, signed=signed, permitted=permitted):
                        start, stop = starts[nodes[i]], stops[nodes[i]]
                        return self.solver.next_lambda(
                            start, stop, signed[start:stop], self.lam, self.tree.splits[nodes[i]], *permitted[i]
                        )

                    critical = min(critical, *run(following, range(nodes.size)))
            return critical

    def _route(self, run):
        n = self.data.n_rows
        leaf = np.empty(n, np.int64)
        routing = self.tree.routing()
        ranges = even_ranges(n, 1 if n < 4096 else 2 * self.n_jobs)
        run(lambda r: self.data.columns.leaves(routing, 0, r[0], r[1], leaf), ranges)
        return leaf

    def _begin(self):
        self._leaf = self._route(self._run)
        self.leaves.begin(self._leaf)

    def _arrange(self):
        self._ranges = self._sort(self._leaf, self._run)
        self._current = self.leaves.at(self._leaf, self._run)

    def _sort(self, leaf, run):
        """Sort the rows by leaf and return the row range of every node."""
        tree, data = self.tree, self.data
        rank = tree.rank[leaf]
        order = np.argsort(rank, kind="stable")
        data.reorder(order, run)
        self._leaf = leaf[order]
        self.leaves.arrange(self._leaf, self.lam, run)
        self._changes = np.concatenate([[0], np.cumsum(data.y[1:] != data.y[:-1])])
        edges = np.concatenate([[0], np.cumsum(np.bincount(rank, minlength=tree.n_leaves))])
        return edges[tree.first], edges[tree.last]

    def _level(self, iteration, depth):
        tree, data, run = self.tree, self.data, self._run
        (starts, stops), current = self._ranges, self._current
        before = self._objective(current)
        nodes = np.flatnonzero((tree.depth == depth) & (stops > starts))
        leaves = nodes[(tree.left[nodes] < 0) & ~self.frozen[nodes]]
        self.leaves.solve(leaves, starts, stops, current, self.lam, run)
        self.leaves.share(nodes[tree.left[nodes] >= 0], starts, stops, current, self.lam, run)
        decisions = self._decisions(depth, starts, stops)
        signed = np.empty(0)
        if decisions.size:
            reached, others, signed, sums = self._reduced_problems(decisions, starts, stops, current, run)
            splits = self._solve(decisions, starts, stops, signed, sums, run)
            for node, split, gain in zip(decisions, splits, sums[:, 2], strict=True):
                if split is None or same_split(split, tree.splits[node]):
                    continue
                start, stop = starts[node], stops[node]
                if self.keeps_better and not self._is_better(node, split, start, stop, signed[start:stop], gain):
                    continue
                if self.smallest_leaf is not None:
                    split = self.smallest_leaf.chosen(node, split, start, stop, signed[start:stop], self.lam)
                self._take(node, split, start, stop, stops[tree.left[node]], reached, others, current)
        yield TrainingStep(
            iteration, depth, nodes, tree.origin[nodes], before, self._objective(current),
            self.leaves.error_loss(current) / data.weights.sum(),
            data.rows, starts, stops, signed, frozenset(decisions.tolist()), self._leaf,
        )  # fmt: skip

    def _decisions(self, depth, starts, stops):
        """Return the decision nodes of a level that are neither pure nor frozen, largest first."""
        tree = self.tree
        nodes = np.flatnonzero((tree.depth == depth) & (stops > starts) & (tree.left >= 0) & ~self.frozen)
        mixed = self._changes[stops[nodes] - 1] > self._changes[starts[nodes]]
        nodes = nodes[mixed]
        return nodes[np.argsort(starts[nodes] - stops[nodes], kind="stable")]

    def _reduced_problems(self, nodes, starts, stops, current, run):
        """Compute the reduced problems of the nodes in one level.

        Return the leaves of the rows through the other child, int64[n], their values there (in the form of `current`),
        the gain of each point on the right, float64[n], and sums, float64[nodes, 4], see `signed_losses`. The values
        through the current child are known from the previous step.
        """
        tree, data = self.tree, self.data
        routing, middles = tree.routing(), stops[tree.left[nodes]]
        starts, stops = starts[nodes], stops[nodes]
        reached, signed = np.full(data.n_rows, -1), np.empty(data.n_rows)
        sums = np.empty((nodes.size, 4))

        def route(batch):
            use = slice(*batch)
            data.columns.other_leaves(routing, nodes[use], starts[use], middles[use], stops[use], reached)

        run(route, _batches(stops - starts, BATCHES * self.n_jobs))
        others = self.leaves.at(reached, run)
        taken, form = self.leaves.compared(current)
        signed_losses(
            starts, middles, stops, self.leaves.compared(others)[0], data.y, data.weights, taken, form, signed, sums
        )
        return reached, others, signed, sums

    def _solve(self, nodes, starts, stops, signed, sums, run):
        """Return the new split of each node, or None if the node keeps its split."""
        tree, solver = self.tree, self.solver
        splits = [None] * nodes.size
        search = np.arange(nodes.size)
        if solver.monotone:
            total, positive, right, size = sums.T
            penalty = tree.penalties[nodes]
            gain, constant = right - self.lam * penalty, np.maximum(total, 0.0)
            tie = tie_width(size, positive - gain)
            wins = is_better(constant, 0.0, gain, penalty, tie)
            # Even a perfect split is not worth its penalty.
            settled = positive - self.lam * solver.least_penalty <= np.where(wins, constant, gain) + tie
            for i in np.flatnonzero(wins & settled):
                splits[i] = constant_split(total[i] > 0)
            search = np.flatnonzero(~settled)
        permitted = self._permitted(nodes)

        def solve(i):
            start, stop = starts[nodes[i]], stops[nodes[i]]
            splits[i] = solver.solve(start, stop, signed[start:stop], self.lam, tree.splits[nodes[i]], *permitted[i])

        run(solve, search)
        self._unconverged += sum(split is not None and not split.converged for split in splits)
        return splits

    def _permitted(self, nodes):
        """Return the further arguments of the solver for each node: `Permitted` features, or none."""
        if self._constraints is None:
            return [()] * nodes.size
        return [(permitted,) for permitted in self._constraints.permitted(self.tree, nodes)]

    def _is_better(self, node, split, start, stop, signed, present):
        """Test whether a split has a smaller loss than the present one, or the same loss and fewer weights.

        signed : float64[stop - start], gain of each row on the right; present : gain of the present split.
        """
        gain = float(signed[split.goes_right(self.data.columns.margins(start, stop, split))].sum())
        tie = SAME * float(np.abs(signed).sum())
        is_smaller = split.features.size < self.tree.splits[node].features.size
        return gain > present + tie or (is_smaller and gain >= present - tie)

    def _take(self, node, split, start, stop, middle, reached, others, current):
        """Set a new split of a node and update the leaves and the current values of its points."""
        goes_right = split.goes_right(self.data.columns.margins(start, stop, split))
        moved = start + np.flatnonzero(goes_right != (np.arange(start, stop) >= middle))
        self._leaf[moved] = reached[moved]
        current[..., moved] = others[..., moved]
        self.tree.set_split(node, split)

    def _objective(self, current):
        return self.leaves.loss(current) + self.lam * self.tree.penalty()

    def _measure(self):
        tree, leaf = self.tree, self._leaf
        current = self.leaves.at(leaf, self._run)
        edges = np.concatenate([[0], np.cumsum(np.bincount(tree.rank[leaf], minlength=tree.n_leaves))])
        programs = self.solver.programs() if isinstance(self.solver, LiblinearSolver) else ""
        unconverged, self._unconverged = self._unconverged, 0
        return Measure(
            self.leaves.loss(current), self.leaves.error_loss(current) / self.data.weights.sum(),
            edges[tree.last] - edges[tree.first], programs, unconverged,
        )  # fmt: skip


def _batches(sizes, count):
    """Return at most `count` contiguous ranges with about equal sums of `sizes`."""
    ends = np.cumsum(sizes)
    edges = np.searchsorted(ends, ends[-1] * np.arange(1, count) / count)
    edges = np.unique(np.concatenate([[0], edges, [sizes.size]]))
    return list(zip(edges[:-1], edges[1:], strict=True))
