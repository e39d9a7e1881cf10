"""Recording of TAO runs step by step, and of greedy growth split by split, for display and teaching.

A step contains the resulting tree and, for every processed node, the reduced problem and its solution. Recording takes
time, but training without recording is not affected.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from treecore.errors import ParameterError
from treecore.training.prune import remaining
from treecore.training.training_run import TrainingRun
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.split import Split, same_split
from treecore.tree.tree import Tree, trusted_tree

NO_ROWS = np.empty(0, np.int64)
NO_SIDES = np.empty(0, np.int8)
NO_WEIGHTS = np.empty(0)
ROUNDING = 1e-9  # relative difference up to which two means are equal


class RecordedNode(NamedTuple):
    """State of a node at one step.

    origin : int, node id; n : int, number of training points that reach the node; rows : int64[c], care points (row
    numbers of X); sides : int8[c], pseudolabels, -1 left, +1 right; weights : float64[c], loss of each care point on
    the wrong side, for regression the difference of squared errors; errors_before, errors_after : float, weight of the
    care points that the old and new split send to the wrong side, or of the points that the leaf misclassifies; old,
    new : `Split`, None for a leaf; old_label, new_label : class codes or numbers of a leaf, else None.
    """

    origin: int
    n: int
    rows: np.ndarray
    sides: np.ndarray
    weights: np.ndarray
    errors_before: float
    errors_after: float
    old: Split | None = None
    new: Split | None = None
    old_label: float | None = None
    new_label: float | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a leaf before and after the step."""
        return self.old is None and self.new is None

    @property
    def changed(self) -> bool:
        """Whether the split or prediction changed."""
        if self.is_leaf:
            return not math.isclose(self.old_label, self.new_label, rel_tol=ROUNDING)
        return self.old is None or not same_split(self.old, self.new)


@dataclass(frozen=True, eq=False)
class RecordedStep:
    """Step of a recording.

    kind : "start" (initial tree), "level" (one depth level in one pass), "best" (the best iterate is restored), "prune"
    or "split" (one split of greedy growth); iteration : int, pass or number of splits; depth : int, depth of the level
    or of the split node, else None; tree : Tree after the step; objective, loss, error : float, on the training points;
    nodes : tuple of `RecordedNode`; skipped : {origin: reason} of nodes that were not processed. The loss is the
    misclassified weight, and the error is its share. For regression, they are the sum of squared errors and the RMSE.
    Reasons are "dead" (no point reaches the node), "pure" (all its points have one class) and "frozen". Removed nodes
    can also have "one-sided" (one child is dead, and the other replaces the node) and "same" (all its leaves predict
    one class).
    """

    kind: str
    iteration: int
    depth: int | None
    tree: Tree
    objective: float
    loss: float
    error: float
    nodes: tuple = ()
    skipped: dict = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Recording:
    """All steps of a run.

    steps : tuple of `RecordedStep`, first "start"; tree : Tree after the last step; lam : float, lambda of the
    objective; estimator : fitted estimator, None for greedy growth.
    """

    steps: tuple
    tree: Tree
    lam: float
    estimator: object = None


def record(
    estimator: BaseEstimator, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None
) -> Recording:
    """Fit a TAO estimator and return the `Recording` of ``estimator.fit(X, y, sample_weight)``.

    Errors are those of `fit`.
    """
    run = _RecordedRun(estimator, X, y, sample_weight)
    run.fit()
    return Recording(tuple(run.steps), estimator.tree_, run.lam, estimator)


class _RecordedRun(TrainingRun):
    """Run that records its steps. steps : list of `RecordedStep`."""

    def __init__(self, estimator, X, y, sample_weight=None):
        LEAF_KINDS[estimator.leaf].require("recording", ParameterError)
        super().__init__(estimator, X, y, sample_weight)
        if not self.data.loss.is_usual:
            raise ParameterError(
                "A recording shows misclassified rows or squared errors and does not support other losses. Use "
                "cost_matrix=None, or the default loss."
            )
        self.steps = []
        self._shown = None  # (splits, labels) of the tree after the last step
        self._target = None  # computed once, because it depends on the data of the run only
        self._is_recorded = True

    def allowed_lambda(self, lam: float) -> float | None:
        """Return the result of `TrainingRun.allowed_lambda`, whose attempts are not recorded."""
        self._is_recorded = False
        return super().allowed_lambda(lam)

    def _alternate(self, lam, callback, max_iter, tol):
        if not self._is_recorded:
            return super()._alternate(lam, callback, max_iter, tol)
        if not self.steps:
            self._add("start", 0, None)

        def both(step):
            self._add_level(step)
            return callback is not None and callback(step)

        stopped = super()._alternate(lam, both, max_iter, tol)
        if not self._is_shown():
            best = self._last.best_objective
            # Without a pass (max_iter=0), record the initial tree.
            iteration = next((done.iteration for done in self._last.trace if done.objective == best), 0)
            self._add("best", iteration, None)
        self._add_pruned()
        return stopped

    def _is_shown(self):
        splits, labels, _ = self._shown
        now = self.working.splits
        return np.array_equal(labels, self.working.labels) and all(a is b for a, b in zip(splits, now, strict=True))

    def _add(self, kind, iteration, depth, objective=None, nodes=(), skipped=None, leaf=None):
        same = self._shown is not None and self._is_shown()
        tree = self.steps[-1].tree if same else self._whole_tree(leaf)
        self._shown = self.working.snapshot()
        self._append(kind, iteration, depth, tree, objective, nodes, skipped)

    def _append(self, kind, iteration, depth, tree, objective, nodes, skipped):
        self._target = target = self._target or tree.target
        loss, total = _loss(tree, target), float(self.data.weights.sum())
        if objective is None:
            objective = loss + self.lam * _penalty(tree, self.solver.penalty)
        error = target.error(loss / total)
        step = RecordedStep(kind, iteration, depth, tree, objective, loss, error, tuple(nodes), skipped or {})
        self.steps.append(step)

    def _whole_tree(self, leaf=None):
        """Return the unpruned tree with the current splits and leaf predictions.

        leaf : int64[n], leaf of each training point, if it is known
        """
        working, data = self.working, self.data
        if leaf is None:
            leaf = np.empty(data.n_rows, np.int64)
            data.columns.leaves(working.routing(), 0, 0, data.n_rows, leaf)
        values = data.loss.node_values(working.left, working.right, leaf, data.y, data.weights)
        e = self.estimator
        return working.to_tree(
            data.loss, values, np.bincount(leaf, minlength=working.n_nodes), self.classes, data.n_features,
            e.encoder_.feature_names, frozen=working.origin, missing=e.missing == "learn", make=trusted_tree,
        )  # fmt: skip

    def _add_level(self, step):
        working = self.working
        old_splits, old_labels, _ = self._shown
        nodes, reached, frozen = [], set(step.nodes.tolist()), set(self.estimator.frozen)
        skipped = {}
        for node in np.flatnonzero(working.depth == step.depth).tolist():
            origin = int(working.origin[node])
            if node not in reached:
                skipped[origin] = "dead"
            elif origin in frozen:
                skipped[origin] = "frozen"
            elif working.left[node] < 0:
                old, new = old_labels[node].item(), working.labels[node].item()
                nodes.append(self._leaf(origin, step.points(node), old, new))
            elif node not in step.solved:
                skipped[origin] = "pure"
            else:
                nodes.append(self._decision(origin, step, node, old_splits[node]))
        self._add("level", step.iteration, step.depth, step.objective_after, nodes, skipped, step.leaf)

    def _leaf(self, origin, points, old, new):
        y, weights = self.data.y[points], self.data.weights[points]
        wrong = [self.data.loss.total(old, y, weights)] * 2
        if new != old:
            wrong[1] = self.data.loss.total(new, y, weights)
        return RecordedNode(origin, y.size, NO_ROWS, NO_SIDES, NO_WEIGHTS, *wrong, old_label=old, new_label=new)

    def _decision(self, origin, step, node, old):
        points, positions, new = step.points(node), step.care_positions(node), self.working.splits[node]
        rows, sides, weights = step.problem_at(positions)
        right = positions >= step.points(self.working.left[node]).stop  # side of each care point before the step
        better = sides > 0
        wrong = [float(weights[right != better].sum())] * 2
        if new is not old:
            right = new.goes_right(self.data.columns.margins_at(positions, new))
            wrong[1] = float(weights[right != better].sum())
        return RecordedNode(origin, int(points.stop - points.start), rows, sides, weights, *wrong, old=old, new=new)

    def _add_pruned(self):
        before, after = self.steps[-1].tree, self.tree()
        self._append("prune", self.steps[-1].iteration, None, after, None, (), _removed(before, after))

    def continue_from(self, tree):
        super().continue_from(tree)
        self._shown = self.working.snapshot()


def grow(tree: Tree, lam: float = 0.0) -> Recording:
    """Return a `Recording` of a finished tree as if it had been grown greedily, one split at a time.

    The next split is the one that lowers the weighted Gini impurity (or the squared error) most, among the present
    leaves. tree : Tree with training statistics; lam : float >= 0, penalty of a decision node in the objective.
    """
    target = tree.target
    total = float(target.weights(tree.values[tree.left < 0]).sum())
    gain, losses = _gains(tree), target.node_losses(tree)
    ends, is_there = np.zeros((2, tree.n_nodes), bool)
    ends[0] = is_there[0] = True
    order, steps = _depth_first(tree), []

    def add(kind, depth, nodes=()):
        there = order[is_there[order]]
        now = tree if there.size == tree.n_nodes else remaining(tree, there, ends[there])
        loss = _loss(now, target)
        objective = loss + lam * now.n_decision
        steps.append(RecordedStep(kind, len(steps), depth, now, objective, loss, target.error(loss / total), nodes))

    add("start", None)
    open_nodes = [0] if tree.left[0] >= 0 else []
    while open_nodes:
        node = max(open_nodes, key=lambda node: (gain[node], -node))
        open_nodes.remove(node)
        children = tree.left[node], tree.right[node]
        ends[node], ends[list(children)], is_there[list(children)] = False, True, True
        open_nodes += [int(child) for child in children if tree.left[child] >= 0]
        wrong = [float(losses[i]) for i in (node, *children)]
        split = Split(*tree.split(node), 1.0, tree.missing_right is not None and bool(tree.missing_right[node]))
        add("split", int(tree.depths[node]), (RecordedNode(
            int(tree.origin[node]), int(tree.n_samples[node]), NO_ROWS, NO_SIDES, NO_WEIGHTS, wrong[0],
            wrong[1] + wrong[2], None, split, tree.outputs[node].item(),
        ),))  # fmt: skip
    return Recording(tuple(steps), tree, float(lam))


def _depth_first(tree):
    """Return the nodes of a tree in depth-first order, each left child after its parent, int64[m]."""
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        found.append(node)
        if tree.left[node] >= 0:
            stack += [int(tree.right[node]), int(tree.left[node])]
    return np.array(found)


def _gains(tree):
    """Return the decrease in impurity by the split of each node, float64[m], 0 for leaves."""
    impurity = tree.target.impurities(tree.values)
    gain = np.zeros(tree.n_nodes)
    inner = tree.left >= 0
    gain[inner] = impurity[inner] - impurity[tree.left[inner]] - impurity[tree.right[inner]]
    return gain


def _loss(tree, target):
    """Return the sum of the losses of the training points. target : target of a tree of this run."""
    return float(target.node_losses(tree)[(tree.left < 0) & (tree.n_samples > 0)].sum())


def _penalty(tree, penalty):
    """Return the sum of the penalties of all splits."""
    splits = (tree.split(node) for node in np.flatnonzero(tree.left >= 0))
    return float(sum(penalty(features, weights) for features, weights, _ in splits))


def _removed(before, after):
    """Return removed nodes and decision nodes that became leaves, {origin: reason}, see `RecordedStep`."""
    left_over = {origin: after.left[i] >= 0 for i, origin in enumerate(after.origin.tolist())}
    reasons, pure = {}, before.target.is_pure(before.values)
    for node, origin in enumerate(before.origin.tolist()):
        if origin in left_over and left_over[origin] == (before.left[node] >= 0):
            continue
        parent = before.parents[node]
        above = reasons.get(int(before.origin[parent])) if parent >= 0 else None
        if before.n_samples[node] == 0:
            reasons[origin] = "dead"
        elif origin not in left_over and above in ("pure", "same"):
            reasons[origin] = above
        elif origin not in left_over:
            reasons[origin] = "one-sided"
        else:
            reasons[origin] = "pure" if pure[node] else "same"
    return reasons
