"""Trees of every size: for each number of leaves, the best tree that was found with at most so many leaves.

TAO changes the splits of a tree and removes leaves, but adds none (Carreira-Perpiñán and Tavallali 2018, section 3). A
path over lambda therefore jumps over most small sizes. Here TAO starts several times for each size. The first starts
are CART trees of this size, by three rules. Others are the tree with one leaf less and a further split, and the tree
with one leaf more without its cheapest leaf. The trees of a path over lambda are candidates, too.
"""

from __future__ import annotations

import numbers
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treecore.constraints.constraints import Constraints
from treecore.data.losses import Loss
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial import INITIAL_TREES, greedy
from treecore.initial.cart import cart_tree, is_for_sklearn, split_search
from treecore.messages import literal
from treecore.node_solvers import SPLITS
from treecore.parameter_checks import check_number, check_whole
from treecore.training.cost_complexity import weakest_links
from treecore.training.parameters import unused_on_path
from treecore.training.partitions.sources.sources import is_source
from treecore.training.partitions.validation_rows import ValidationRows
from treecore.training.path import (
    HALF_VALIDATION,
    PathPoint,
    PathRun,
    RegularizationPath,
    figures,
    no_path_estimator,
    point_kind,
)
from treecore.training.prune import best_part, cut
from treecore.training.training_run import TrainingRun, unfitted
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.split import Split
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree, copied

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

SIZES = range(2, 33)
# numbers of leaves of `usual_sizes`: all up to the first, leaves for each of many classes, and the limit
EACH, OF_CLASS, MOST_OF_CLASSES = 32, 2, 200
GROWTH = 1.1  # ratio of two sizes above `EACH`
SAME = 1e-9  # share of the loss of a single leaf; losses that differ by less are equal
TOL = 1e-3  # training from a start ends after a pass that improves the objective by less than this share
STARTS = 2  # number of CART trees of each size from which TAO starts
MOVES = 2  # number of leaves that are split, or removed, to obtain starts of the next size
SWEEPS = 1  # number of times that each size is improved from its neighbours
PARTS = 0.4, 0.2, 0.4  # share of time: starts from CART, path over lambda, moves between sizes
OF_PATH = 30  # number of values of lambda on the path whose trees are candidates
# Selection of lambda for oblique splits: share of held-out rows, sizes that are compared, and lambda as shares of the
# total weight (times the variance in regression).
FEW = 8  # rows, of which too few would be held out
HELD, COMPARED, SHARES = 0.25, (8, 32), (0.0, 1e-4, 3e-4, 1e-3, 3e-3)


@filled()
def size_path(
    estimator: BaseEstimator,
    X: ArrayLike,
    y: ArrayLike | None = None,
    sizes: Iterable[int] = SIZES,
    *,
    X_val: ArrayLike | None = None,
    y_val: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    on_point: Callable | None = None,
    lam: float | str = "auto",
) -> RegularizationPath:
    """Train, for each size, the best tree with at most so many leaves.

    The training loss of a tree is at most that of every smaller tree of the result, and of CART with the same number of
    leaves, grown best-first or pruned by cost-complexity (of the impurity or of the training error).

    Parameters
    ----------
    estimator : TAOClassifier or TAORegressor
        Training parameters. The estimator stays unfitted. Its `lam` is not used. Its `init` is the first tree of a path
        over lambda, whose trees are candidates.
    X : array-like of shape (n, d)
        Training rows, as in the `fit` of the estimator.
    y : array-like of shape (n,) or None, default=None
        Class labels or numbers.
    sizes : iterable of int, default=range(2, 33)
        Different numbers of leaves, at least 1.
    X_val : array-like or None, default=None
        Validation rows.
    y_val : array-like or None, default=None
        Class labels or numbers of the validation rows.
    sample_weight : array-like of shape (n,) or None, default=None
        Non-negative weight of each training row, for training and for training errors.
    on_point : callable or None, default=None
        Function that is called with the `PathPoint` of each size as soon as there is one, and again with each better
        one. A true return value ends the search.
    lam : float or 'auto', default='auto'
        Penalty of the weights of the splits. It changes the weights, not the sizes. 'auto' is 0 for univariate and
        bivariate splits. For oblique splits, it is selected on the validation rows, or on a quarter of the training
        rows.

    Returns
    -------
    RegularizationPath
        One point per size, in increasing order. A tree has fewer leaves than its size if more leaves do not reduce the
        training loss.

    Raises
    ------
    DataError
        If the rows cannot be used.
    ParameterError
        If a parameter is outside its range, or has no effect.

    See Also
    --------
    regularization_path : Varies lambda.
    TAOClassifierCV : Selects the size by cross-validation.

    References
    ----------
    {tao_2018}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, size_path
    >>> X, y = load_iris(return_X_y=True)
    >>> path = size_path(TAOClassifier(split="univariate", init="cart"), X, y, sizes=[2, 3, 4])
    >>> [(tree.n_leaves, round(point.train_error, 3)) for tree, point in zip(path.trees, path)]
    [(2, 0.333), (3, 0.04), (4, 0.02)]
    """
    run = SizePathRun(estimator, X, y, sizes, X_val=X_val, y_val=y_val, sample_weight=sample_weight, lam=lam)
    try:
        for point in run.points():
            if on_point is not None and on_point(point):
                break
        return run.path()
    finally:
        run.close()


class _Found(NamedTuple):
    """Best tree of a size.

    loss : training loss; penalty : sum over the splits; lam : float, of the training; n_iter : passes of the training.
    """

    tree: Tree
    loss: float
    penalty: float
    lam: float
    n_iter: int


class SizePathRun:
    """Search of `size_path`, which can be stopped at any time. Parameters are those of `size_path`."""

    def __init__(
        self,
        estimator: BaseEstimator,
        X: Any,
        y: Any = None,
        sizes: Iterable[int] = SIZES,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight: Any = None,
        lam: float | str = "auto",
    ) -> None:
        from treecore.training.estimators import TAOClassifier, TAORegressor  # slow import

        if not isinstance(estimator, TAOClassifier | TAORegressor):
            raise ParameterError(no_path_estimator(type(estimator).__name__))
        if is_source(X):
            raise ParameterError(
                "size_path needs all rows in memory. Pass an array or a table, or use regularization_path."
            )
        if (X_val is None) != (y_val is None):
            raise ParameterError(HALF_VALIDATION)
        self.sizes = checked_sizes(sizes, estimator)
        if lam != "auto":
            check_number(lam, "lam", 0.0)
        self._began = time.perf_counter()
        self._search = _Search(estimator, X, y, self.sizes, sample_weight)
        self._validating = ValidationRows(self._search.run, X_val, y_val)
        self.n_validation = self._validating.n_rows
        self.lam = lam
        self._points: dict[int, tuple[_Found, PathPoint]] = {}
        self._given = estimator, X, y, sample_weight, X_val, y_val

    @property
    def estimator(self) -> BaseEstimator:
        """The estimator of the starts from CART."""
        return self._search.run.estimator

    @property
    def constraints(self) -> Constraints:
        """The constraints of all trees."""
        return self._search.run.constraints

    @property
    def loss(self) -> Loss:
        """The loss of all trees."""
        return self._search.run.data.loss

    def points(self) -> Iterator[PathPoint]:
        """Search, and yield the `PathPoint` of each size as soon as there is one, and again each better one."""
        search = self._search
        for _ in self.steps():
            improved, search.improved = sorted(search.improved), set()
            for size in improved:
                yield self._point(size)

    def steps(self) -> Iterator[float]:
        """Search, and yield the approximate share of the search that is done, from the first trees of all sizes on."""
        return self._search.steps(self._chosen_lam, self._of_lambdas)

    def path(self) -> RegularizationPath:
        """Return the best trees that were found."""
        points = [self._point(size) for size in sorted(self._search.best)]
        return RegularizationPath(tuple(points), self.n_validation, True)

    def close(self) -> None:
        """Release the rows."""
        self._search.run.close()
        self._validating.close()

    def _chosen_lam(self):
        return _selected(*self._given, self.sizes) if isinstance(self.lam, str) else float(self.lam)

    def _point(self, size):
        found, run = self._search.best[size], self._search.run
        if size not in self._points or self._points[size][0] is not found:
            tree = run.final(found.tree)
            known: dict[str, Any] = figures(run, tree, self._validating)
            known |= {"n_iter": found.n_iter, "seconds": time.perf_counter() - self._began, "size": size}
            known |= {"index": self.sizes.index(size), "total": len(self.sizes), "lam": found.lam, "tree": tree}
            point = point_kind(run)(**known)
            self._points[size] = found, point
        return self._points[size][1]

    def _of_lambdas(self):
        """Yield (tree, lambda, number of passes) of a path over lambda, from the initial tree of the estimator."""
        estimator, X, y, sample_weight, _, _ = self._given
        path = PathRun(unfitted(estimator).set_params(max_leaf_nodes=None), X, y, OF_PATH, sample_weight=sample_weight)
        try:
            for point in path.points():
                yield point.tree, point.lam, point.n_iter
        finally:
            path.close()


class _Search:
    """Best tree of each size, and the moves that improve it.

    run : TrainingRun; best : {size: `_Found`}; improved : sizes with a new tree, which the caller removes.
    """

    def __init__(self, estimator, X, y, sizes, sample_weight):
        self.sizes, self.most = sizes, max(sizes)
        self.best: dict[int, _Found] = {}
        self.improved: set[int] = set()
        self._tried, self._lam, self._is_stopped = set(), 0.0, False
        self._starts: list[Tree] = []
        with warnings.catch_warnings():
            e = unfitted(estimator).set_params(init="cart", lam=0.0, max_leaf_nodes=None)
            self.run = TrainingRun(e, X, y, sample_weight)
        data = self.run.data
        self._grown = self.run.working
        self._first_origin = int(self._grown.origin.max()) + 1
        root = data.loss.leaf_values(np.zeros(data.n_rows, np.int64), data.y, data.weights, 1)
        self._tie = SAME * float(data.loss.losses_of(root)[0])
        is_dense = not data.columns.is_sparse
        self._split_search = (
            split_search(data.growing(), self.run.least_leaf, self.run.constraints) if is_dense else None
        )

    def steps(self, lam: Callable, of_lambdas: Callable) -> Iterator[float]:
        """Search until the callback of the estimator stops it.

        Each step yields the approximate share of the search that is done, so that the caller can stop it, too.

        lam : function that returns lambda, called when each size has a tree; of_lambdas : see `SizePathRun`.
        """
        for _ in self.grow_starts():
            self.offer_starts(0.0)
            yield 0.0
        self.offer_starts(lam())
        ends = np.cumsum(PARTS)
        for share in self.from_starts():
            yield float(ends[0]) * share
        if self._is_stopped:
            return
        for at, (tree, its_lam, n_iter) in enumerate(of_lambdas()):
            self._offer(self._with_own_ids(tree), n_iter, its_lam)
            yield float(ends[0] + (ends[1] - ends[0]) * (at + 1) / OF_PATH)
        moves = [(1, size) for size in self.sizes] + [(-1, size) for size in reversed(self.sizes)]
        for at, (more, size) in enumerate(moves * SWEEPS):
            move = self._with_further_split if more > 0 else self._without_leaf
            for tree in self._neighbours(size - more, move):
                self._improve(tree)
                yield float(ends[1] + (1 - ends[1]) * (at + 1) / (len(moves) * SWEEPS))

    def grow_starts(self) -> Iterator[None]:
        """Grow CART of each size, and yield; then bivariate and oblique CART, which take longer, and yield."""
        for grown in (self._cart_trees, self._wider_trees):
            trees = list(grown())
            if self.run.constraints.monotone is not None:  # a pruned tree can violate it
                penalty = self.run.solver.penalty
                trees = [self._evaluated(WorkingTree.from_tree(tree, penalty)) for tree in trees]
            self._starts += trees
            yield

    def offer_starts(self, lam: float) -> None:
        """Forget all trees but CART, and train with `lam` from now on."""
        self._lam, self.best, self._tried = lam, {}, set()
        for tree in self._starts:
            self._offer(tree, 0)

    def from_starts(self) -> Iterator[float]:
        """Train from CART of each size, and yield the share of the sizes that are done after each training."""
        for at, size in enumerate(self.sizes):
            here = [tree for tree in self._starts if tree.n_leaves == size]
            for tree in sorted(here, key=self.run.training_loss)[:STARTS]:
                self._improve(tree)
                yield (at + 1) / len(self.sizes)

    def _neighbours(self, size, move):
        found = self.best.get(size)
        return move(found.tree) if found is not None and found.tree.n_leaves == size else ()

    def _offer(self, tree, n_iter, lam=None):
        """Keep a tree for each size for which it is better than the present one."""
        if tree.n_leaves > self.most:
            return
        decisions = np.flatnonzero(tree.left >= 0)
        loss = self.run.training_loss(tree)
        penalty = sum(self.run.solver.penalty(*tree.split(node)[:2]) for node in decisions)
        found = _Found(tree, loss, float(penalty), self._lam if lam is None else lam, n_iter)
        for size in self.sizes:
            if size < tree.n_leaves:
                continue
            now = self.best.get(size)
            if now is None or loss < now.loss - self._tie or (
                loss <= now.loss + self._tie
                and (tree.n_leaves, penalty) < (now.tree.n_leaves, now.penalty)
            ):  # fmt: skip
                self.best[size] = found
                self.improved.add(size)

    def _improve(self, start):
        """Train from a tree and offer the result, unless training has started from the same tree before."""
        key = start.left.tobytes(), start.features.tobytes(), start.weights.tobytes(), start.bias.tobytes()
        if start.n_leaves > self.most or key in self._tried or self._is_stopped:
            return
        self._tried.add(key)
        self.run.continue_from(start)
        callback = self.run.estimator.callback
        self._is_stopped = self.run.optimise(self._lam, callback, tol=TOL)
        if not self.run.solver.monotone and not self._is_stopped:
            self._is_stopped = self.run.polish(self._lam, callback, TOL)
        self._offer(self.run.tree(), len(self.run.trace) - 1)

    def _evaluated(self, working):
        """Return the Tree of a WorkingTree that satisfies the constraints, with the statistics of the rows."""
        self.run.start_from(working)
        self.run.optimise(self._lam, max_iter=0)
        return self.run.tree()

    # starts from CART

    def _cart_trees(self):
        """Yield CART of each size: pruned by impurity and by training error, and grown best-first."""
        run, e = self.run, self.run.estimator
        grown = self._evaluated(self._grown)
        yield from self._pruned(grown)
        constraints = run.constraints._replace(max_leaf_nodes=max(2, self.most))
        if not is_for_sklearn(run.data, constraints):
            yield from (best_part(grown, size) for size in self.sizes if 1 < size < grown.n_leaves)
            return
        seed = np.random.RandomState(0)
        first = cart_tree(run.data.growing(), e.max_depth, seed, 1, run.least_leaf, constraints)
        run.start_from(self._with_new_ids(first))
        run.optimise(self._lam, max_iter=0)
        tree = run.whole_tree()
        if 2 * tree.n_leaves - 1 == first.n_nodes:  # the constraints did not change it
            for size in self.sizes:  # children are added in pairs, so that the first nodes are the smaller trees
                if 1 < size <= tree.n_leaves:
                    yield cut(tree, (tree.left < 0) | (tree.left >= 2 * size - 1))

    def _wider_trees(self):
        """Yield bivariate and oblique CART of each size, pruned by impurity and by training error."""
        run = self.run
        most = SPLITS[run.estimator.split].most_features
        if run.data.has_missing() or run.data.columns.is_sparse or run.constraints.restrict_nodes:
            return
        for name, kind in INITIAL_TREES.items():
            if kind.n_features > 1 and (most is None or kind.n_features <= most):
                yield from self._pruned(self._evaluated(self._with_new_ids(run.grown(name))))

    def _pruned(self, tree):
        """Yield the subtrees of each size, pruned by impurity and by training error."""
        for risk in (tree.target.impurities(tree.values), self.run.node_losses(tree)):
            is_end, wanted = tree.left < 0, set(self.sizes)
            for subtree in weakest_links(tree.left, tree.right, risk):
                is_end[subtree.collapsed] = True
                size = next((size for size in sorted(wanted) if size >= subtree.n_leaves), None)
                if size is not None:
                    wanted -= {one for one in wanted if one >= size}
                    yield cut(tree, is_end.copy())

    # moves between sizes

    def _leaves(self, tree):
        data = self.run.data
        self.run.restore_order()
        leaf = np.empty(data.n_rows, np.int64)
        data.columns.leaves(tree.routing, 0, 0, data.n_rows, leaf)
        return leaf

    def _with_further_split(self, tree):
        """Yield the tree with one more split, for the leaves that gain most purity."""
        if self._split_search is None:
            return
        leaf = self._leaves(tree)
        run, data = self.run, self.run.data.growing()
        usable, found = np.flatnonzero(data.inverse_scale > 0), []
        above = _features_above(tree)
        may_split = (tree.left < 0) & (tree.n_samples > 1)
        if run.estimator.max_depth is not None:
            may_split &= tree.depths < run.estimator.max_depth
        for node in np.flatnonzero(may_split).tolist():
            points = np.flatnonzero(leaf == node)
            state = greedy.Node(data, usable, points, data.importances[points], (0, node))
            state.above = above[node]
            split = None if state.is_pure or points.size < 2 else self._split_search(state)
            if split is not None:
                gain = state.score(state.goes_right(split)) - state.score_of(slice(None))
                found.append((gain, node, split))
        found.sort(key=lambda one: -one[0])
        working = WorkingTree.from_tree(tree, run.solver.penalty)
        for _, node, split in found[:MOVES]:
            labels = np.repeat(working.labels[node : node + 1], 3)
            added = WorkingTree([1, -1, -1], [2, -1, -1], [split, None, None], labels, np.arange(3))
            self._first_origin += 3
            yield self._evaluated(copied(working, tree.left < 0, {node: added}, self._first_origin - 3))

    def _without_leaf(self, tree):
        """Yield the tree without one leaf, for the leaves whose removal costs least. The sibling moves up."""
        data, leaf = self.run.data, self._leaves(tree)
        outputs, losses, found = tree.outputs, self.run.node_losses(tree), []
        for node in np.flatnonzero(tree.left < 0).tolist():
            parent = int(tree.parents[node])
            sides = int(tree.left[parent]), int(tree.right[parent])
            other = sides[0] + sides[1] - node
            if tree.left[other] < 0:
                if other > node:  # both leaves become one
                    found.append((float(losses[parent] - losses[node] - losses[other]), node, parent, other))
                continue
            points = np.flatnonzero(leaf == node)
            predicted = outputs[_reached(tree, data, points, other)]
            after = float(data.weights[points] @ data.loss.row_losses(predicted, data.y[points], 1.0))
            found.append((after - float(losses[node]), node, parent, other))
        found.sort()
        for _, _, parent, other in found[:MOVES]:
            yield self._evaluated(_lifted(WorkingTree.from_tree(tree, self.run.solver.penalty), parent, other))

    # ids of nodes

    def _with_new_ids(self, working):
        """Return the tree with ids that no other tree has, because it does not come from the same initial tree."""
        origins = np.arange(working.n_nodes) + self._first_origin
        self._first_origin += working.n_nodes
        return WorkingTree(working.left, working.right, working.splits, working.labels, origins)

    def _with_own_ids(self, tree):
        """Return a tree of a path over lambda, whose nodes have the same ids in each tree of that path."""
        if not hasattr(self, "_path_origin"):
            self._path_origin = self._first_origin
        self._first_origin = max(self._first_origin, self._path_origin + int(tree.origin.max()) + 1)
        return replace(tree, origin=tree.origin + self._path_origin)


def usual_sizes(n_classes: int = 0, most: int | None = None) -> list[int]:
    """Return 1, 2, ..., 32, and larger sizes up to two leaves for each of many classes.

    n_classes : 0 for numbers; most : largest size, or None.
    """
    found, end = [*range(1, EACH + 1)], min(OF_CLASS * n_classes, MOST_OF_CLASSES)
    while found[-1] < end:
        found.append(min(round(GROWTH * found[-1]), end))
    return [size for size in found if most is None or size <= most]


def checked_sizes(sizes: Any, estimator: Any) -> list[int]:
    """Return the sizes in increasing order. Raise ParameterError for invalid sizes and options without effect."""
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise ParameterError(_sizes_kind(sizes))
    found = list(sizes)
    for size in found:
        if isinstance(size, bool) or not isinstance(size, numbers.Integral):
            raise ParameterError(_sizes_kind(sizes))
        check_whole(size, "sizes", 1)
    found = sorted(map(int, found))
    if not found:
        raise ParameterError(_sizes_kind(sizes))
    twice = [size for size, after in zip(found, found[1:], strict=False) if size == after]
    if twice:
        raise ParameterError(f"sizes contains {literal(twice[0])} twice. Pass each size once.")
    most = estimator.max_leaf_nodes
    if most is not None and found[-1] > most:
        raise ParameterError(
            f"sizes contains {literal(found[-1])}, but max_leaf_nodes={most}. Remove the larger sizes, or use "
            "max_leaf_nodes=None."
        )
    if estimator.refine:
        raise ParameterError(unused_on_path("refine", estimator.refine, 0))
    if len(estimator.frozen):
        raise ParameterError(
            f"frozen={literal(list(estimator.frozen)[:20])} has no effect in size_path, because CART has none of "
            "these nodes. Use frozen=()."
        )
    LEAF_KINDS[estimator.leaf].require("sizes", ParameterError)
    return found


def _selected(estimator, X, y, sample_weight, X_val, y_val, sizes):
    """Return lambda for the weights: 0 for splits without weights, else the value with the smallest held-out errors."""
    if SPLITS[estimator.split].is_exact:
        return 0.0
    from sklearn.base import is_classifier  # slow imports
    from sklearn.model_selection import train_test_split

    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    if X_val is None:
        labels = np.asarray(y) if is_classifier(estimator) else None
        counts = np.zeros(0) if labels is None else np.unique(labels, return_counts=True)[1]
        if len(y) < FEW or counts.size > HELD * len(y):
            return 0.0
        can_stratify = labels is not None and counts.min() > 1
        if getattr(estimator, "cost_matrix", None) is not None and not can_stratify:
            return 0.0  # both parts need every class
        fit, held = train_test_split(
            np.arange(len(y)), test_size=HELD, random_state=0, stratify=labels if can_stratify else None
        )
        X, X_val, y, y_val = _rows(X, fit), _rows(X, held), _rows(y, fit), _rows(y, held)
        weights, whole = weights[fit], weights.sum()
    else:
        whole = weights.sum()
    wanted = [size for size in COMPARED if size in sizes] or sizes[-1:]
    search = _Search(estimator, X, y, wanted, weights)
    validating = ValidationRows(search.run, X_val, y_val)
    data, found = search.run.data, []
    unit = data.task.unit(data.y, data.weights)
    try:
        for _ in search.grow_starts():
            pass
        for share in SHARES:
            search.offer_starts(share * float(data.weights.sum()) * unit)
            for _ in search.from_starts():
                pass
            measured = validating.error if data.loss.is_usual else validating.loss
            found.append([measured(search.best[size].tree)[0] for size in wanted])
    finally:
        search.run.close()
        validating.close()
    errors = np.array(found)
    mean = (errors / np.maximum(errors.min(axis=0), np.finfo(float).tiny)).mean(axis=1)
    best = int(np.flatnonzero(mean <= mean.min() * (1 + 1e-9))[-1])
    return float(SHARES[best] * whole * unit)


def _rows(values, places):
    if hasattr(values, "iloc"):
        return values.iloc[places]
    return values[places] if hasattr(values, "shape") else [values[place] for place in places]


def _features_above(tree):
    """Return the features of the splits above each node, as a list of frozensets."""
    above = [frozenset()] * tree.n_nodes
    for node in np.flatnonzero(tree.left >= 0):
        found = above[node].union(tree.split(node)[0].tolist())
        above[tree.left[node]] = above[tree.right[node]] = found
    return above


def _reached(tree, data, points, root):
    """Return the leaf below `root` that each of the rows `points` reaches, int64[r]."""
    leaf, stack = np.empty(points.size, np.int64), [(root, np.arange(points.size))]
    while stack:
        node, own = stack.pop()
        if tree.left[node] < 0:
            leaf[own] = node
        elif own.size:
            features, weights, bias = tree.split(node)
            missing_right = tree.missing_right is not None and bool(tree.missing_right[node])
            split = Split(features, weights, bias, 0.0, missing_right)
            right = split.goes_right(data.columns.margins_at(points[own], split))
            stack += [(int(tree.left[node]), own[~right]), (int(tree.right[node]), own[right])]
    return leaf


def _lifted(tree, parent, child):
    """Return a WorkingTree in which `child` takes the place of its parent."""
    left, right, nodes = [], [], []

    def add(node):
        node = child if node == parent else node
        own = len(nodes)
        nodes.append(node)
        left.append(-1)
        right.append(-1)
        if tree.left[node] >= 0:
            left[own], right[own] = add(int(tree.left[node])), add(int(tree.right[node]))
        return own

    add(0)
    return WorkingTree(
        left, right, [tree.splits[node] if tree.left[node] >= 0 else None for node in nodes], tree.labels[nodes],
        tree.origin[nodes],
    )  # fmt: skip


def _sizes_kind(sizes: Any) -> str:
    return f"sizes={literal(sizes)}: expected different whole numbers of leaves, such as range(2, 33)."
