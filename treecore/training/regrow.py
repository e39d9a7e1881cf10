"""Structure search: subtrees are grown again on their rows and kept if the objective decreases.

TAO itself keeps the structure of its tree. Carreira-Perpiñán and Tavallali 2018 mention this extension in section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.constraints.constraints import Constraints
from treecore.data.training_data import TrainingData
from treecore.initial import initial_tree
from treecore.node_solvers import SPLITS, make_solver
from treecore.node_solvers.thresholds import tie_width
from treecore.training.prune import prune
from treecore.training.smallest_leaf import SmallestLeaf, least_rows
from treecore.training.tao import AlternatingOptimization
from treecore.tree.working_tree import WorkingTree, copied

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

GROWN = ("cart", "bivariate_cart")  # methods of growth, used in turn if the split type allows them
OPTIMAL_DEPTH = 3  # maximum depth of an optimal subtree, which takes a fraction of a second
STEP = 2  # minimum ratio between the numbers of rows in two subtrees that are tried on one path to the root
SLACK = 1.1  # a pruned subtree is optimised if its objective is below this multiple of the current objective
TOL = 0.005  # tolerance when a subtree is optimised


def regrown(
    tree: WorkingTree,
    data: TrainingData,
    lam: float,
    estimator: BaseEstimator,
    sweep: int,
    first_origin: int,
    constraints: Constraints,
) -> WorkingTree | None:
    """Return a tree with some new subtrees and a smaller objective, or None if none was found.

    The search visits the decision nodes from the leaves to the root. At each node, a new subtree is grown on the node's
    rows, pruned to the smallest objective and optimised by TAO. Sweeps alternate between CART and, without missing
    values, bivariate CART, and between these and optimal trees if ``init="optimal"``. Later sweeps grow subtrees on
    bootstrap samples. tree : converged, with at least one row in every leaf; data : training rows, in any order; lam :
    lambda; estimator : TAOClassifier or TAORegressor with the parameters and a split type with the true loss; sweep :
    number of previous sweeps; first_origin : id of the first new node; constraints : constraints of the tree. A
    subtree that would violate them is not kept.
    """
    rng = np.random.default_rng(sweep)
    names = GROWN[: 1 if data.has_missing() else SPLITS[estimator.split].most_features]
    if constraints.restrict_nodes:
        names = GROWN[:1]
    if isinstance(estimator.init, str) and estimator.init == "optimal":
        names += ("optimal",)
    search = _Search(data, lam, estimator, names[sweep % len(names)], rng if sweep >= len(names) else None, constraints)
    leaf, cost = search.leaf_costs(tree)
    order = np.argsort(tree.rank[leaf], kind="stable")
    edges = np.concatenate([[0], np.cumsum(np.bincount(tree.rank[leaf], minlength=tree.n_leaves))])
    is_fixed = np.isin(tree.origin, np.asarray(list(estimator.frozen), np.int64))
    replaced, visited = (
        {},
        np.zeros(tree.n_nodes, np.int64),
    )  # visited : number of rows of the largest subtree tried below each node
    is_leaf = tree.left < 0
    for node in tree.decisions[::-1]:
        left, right = tree.left[node], tree.right[node]
        cost[node] = lam * tree.penalties[node] + cost[left] + cost[right]
        is_fixed[node] |= is_fixed[left] | is_fixed[right]
        visited[node] = max(visited[left], visited[right])
        points = order[edges[tree.first[node]] : edges[tree.last[node]]]
        is_new = points.size >= STEP * visited[node] or node == 0
        # only a single leaf has a cost below the smallest penalty
        if is_new and cost[node] > lam * search.least_penalty and not is_fixed[node]:
            visited[node] = points.size
            found = search.subtree(np.sort(points), cost[node], int(tree.depth[node]))
            if found is not None and constraints.holds(copied(tree, is_leaf, replaced | {int(node): found[0]})):
                replaced[int(node)], cost[node] = found
    return copied(tree, is_leaf, replaced, first_origin) if replaced else None


class _Search:
    """Growth, pruning and optimisation of a subtree on a part of the rows."""

    def __init__(self, data, lam, estimator, init, rng, constraints):
        self.constraints = constraints
        self.least_penalty = 1.0 if constraints.costs is None else float(constraints.costs.min())
        self.data, self.lam, self.estimator, self.init, self.rng = data, lam, estimator, init, rng
        self.rows = data.columns.row_major()
        self.most = SPLITS[estimator.split].most_features or data.n_features

    def leaf_costs(self, tree, data=None):
        """Return the leaf of each row and the loss of each leaf, float64[m], 0 for decision nodes."""
        data = self.data if data is None else data
        leaf = np.empty(data.n_rows, np.int64)
        data.columns.leaves(tree.routing(), 0, 0, data.n_rows, leaf)
        return leaf, data.loss.losses_of(data.loss.leaf_values(leaf, data.y, data.weights, tree.n_nodes))

    def subtree(self, points, limit, depth):
        """Return (WorkingTree, objective) for the rows `points`, or None if no objective is below `limit`."""
        e, whole = self.estimator, self.data
        max_depth = None if e.max_depth is None else e.max_depth - depth
        if max_depth is not None and max_depth < 1:
            return None
        X, y, weights = self.rows[points], whole.y[points], whole.weights[points]
        data = TrainingData(X, y, whole.n_classes, weights, e.scale, whole.groups.columns, whole.loss)
        growing = data.growing()
        if self.rng is not None:
            drawn = self.rng.multinomial(points.size, np.full(points.size, 1 / points.size))
            weights = whole.importances[points] * drawn
            growing = TrainingData(X, y, whole.n_classes, weights, e.scale, whole.groups.columns)
        solver = make_solver(
            data, e.split, bivariate_cost=e.bivariate_cost, n_orientations=e.n_orientations, exactness=e.exactness,
            feature_costs=self.constraints.costs, is_constrained=self.constraints.restrict_nodes,
        )  # fmt: skip
        seed: Any = np.random.RandomState(0)
        least = least_rows(e.min_samples_leaf, whole.n_rows)
        if self.init == "optimal":
            max_depth = OPTIMAL_DEPTH if max_depth is None else min(max_depth, OPTIMAL_DEPTH)
        grown = initial_tree(
            self.init,
            growing,
            max_depth,
            seed,
            max_features=self.most,
            n_orientations=e.n_orientations,
            n_jobs=e.n_jobs,
            min_samples_leaf=least,
            lam=self.lam,
            constraints=self.constraints,
        )
        if least > 1:
            SmallestLeaf(data, grown, least, np.zeros(grown.n_nodes, np.bool_)).establish()
        tree, objective = self._cheapest(grown, data, solver)
        if tree is None:
            return (_leaf(data), objective) if self._falls(objective, limit) else None
        if objective > SLACK * limit:
            return None
        tree = self.constraints.established(tree, data, np.zeros(tree.n_nodes, np.bool_))
        run = AlternatingOptimization(
            data, tree, solver, self.lam, max_iter=e.max_iter, tol=TOL, n_jobs=e.n_jobs, min_samples_leaf=least,
            constraints=self.constraints,
        )  # fmt: skip
        for _ in run.steps():
            pass
        if not self._falls(run.best_objective, limit):
            return None
        classes, are_free = np.arange(whole.n_classes or 0), self.constraints.monotone is None
        found = tree.to_tree(
            data.loss, *run.leaf_statistics(), classes, data.n_features, frozen=() if are_free else tree.origin,
            missing=True,
        )  # fmt: skip
        found = prune(found, by_class=are_free)
        return WorkingTree.from_tree(found, solver.penalty), run.best_objective

    def _falls(self, objective, limit):
        return objective < limit - max(tie_width(limit, limit), 1e-9 * limit)

    def _cheapest(self, tree, data, solver):
        """Return the grown tree, pruned to the smallest objective (None for a single leaf), and that objective."""
        leaf, cost = self.leaf_costs(tree, data)
        values = data.loss.node_values(tree.left, tree.right, leaf, data.y, data.weights)
        is_end = tree.left < 0
        for node in tree.decisions[::-1]:
            left, right, split = tree.left[node], tree.right[node], tree.splits[node]
            below = self.lam * solver.penalty(split.features, split.weights) + cost[left] + cost[right]
            alone = float(data.loss.losses_of(values[node]))
            is_end[node] = alone <= below
            cost[node] = min(alone, below)
        tree.labels = np.asarray(data.loss.labels_of(values), tree.labels.dtype)
        return (None, cost[0]) if is_end[0] else (copied(tree, is_end, {}), float(cost[0]))


def _leaf(data):
    leaf = data.loss.leaf_values(np.zeros(data.n_rows, np.int64), data.y, data.weights, 1)
    labels = np.asarray(data.loss.labels_of(leaf), data.y.dtype)
    return WorkingTree([-1], [-1], [None], labels, [0])
