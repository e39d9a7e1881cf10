"""Training of one estimator for one or several values of lambda."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.constraints.constraints import constraints_of, refuse_together
from treecore.data.category_groups import category_columns
from treecore.data.costs import CostLoss, costs_of
from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.losses import Loss, ZeroOneLoss
from treecore.data.regression import LOSSES, Regression
from treecore.data.training_data import LARGEST, TrainingData, dense_rows
from treecore.errors import DataError, ParameterError, PenaltyWarning
from treecore.initial import INITIAL_TREES, initial_tree
from treecore.initial.cart import cart_tree
from treecore.initial.random import MAX_FEATURES
from treecore.messages import counted, literal
from treecore.node_solvers import SPLITS, make_solver
from treecore.node_solvers.surrogates import SLOPES
from treecore.parallel import resolve_jobs, thread_map
from treecore.parameter_checks import check_number, random_numbers, typed
from treecore.training.cost_complexity import node_losses
from treecore.training.parameter_kinds import AUTO, invalid_class_weight
from treecore.training.parameters import check_parameters
from treecore.training.prune import RowCounts, prune, settled
from treecore.training.regrow import regrown
from treecore.training.smallest_leaf import SmallestLeaf, least_rows
from treecore.training.tao import AlternatingOptimization
from treecore.training.two_levels import extended, optimise_blocks
from treecore.tree.feature_statistics import feature_quantiles
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.metrics import training_loss
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

ROWS_OF_CART = 5  # smallest leaf of the CART tree that estimates the noise of a target
LEAST_LOSS = 1e-5  # smallest noise, as a share of the loss of a single leaf
NOISE_VALUES, LEAST_SAMPLE = 4 * 10**6, 1000  # values of X that estimate the noise, in at least this many rows
LEAST_GINI = 1e-3  # smallest Gini index that counts as noise
MOST_VALUES = 10**7  # number of values of X up to which ``init="auto"`` is CART on all thresholds
EQUAL = 1e-9  # relative difference between objectives that count as equal
AGREEING = 5  # number of starts with the smallest objective after which no other start is tried
STEP, ATTEMPTS = 2.0, 12  # ratio and number of the values of lambda that are tried if a tree is a single leaf
FEW_ROWS, ROWS_OF_LEAF = 100, 4  # regression with more rows than this and fewer rows per leaf gives a warning


def unfitted(estimator: BaseEstimator) -> BaseEstimator:
    """Return a clone that shares the callback, which `sklearn.base.clone` would copy."""
    from sklearn.base import clone  # slow import

    parameters = estimator.get_params(deep=False)
    return clone(type(estimator)(**parameters | {"callback": None})).set_params(callback=parameters["callback"])


def usual_lambda(split: str, data: Any, sample: TrainingData) -> float:
    """Return the value of ``lam="auto"``, which follows the gain that a split on noise may have.

    The noise is what CART leaves unexplained: the loss or the Gini index within its leaves. For numbers, lambda is a
    multiple of this loss. For classes, it is a number of rows of mean loss: it grows with the square root of the noise
    and the fifth root of the number of rows, and falls with the number of classes. Both grow with the logarithm of the
    number of features that vary. `benchmarks.default_lambda` fits the constants.

    data : `TrainingData` or `SourceData`; sample : the same rows, or a sample of them.
    """
    of_classes, of_numbers = SPLITS[split].usual_lambda
    n_features = np.log2(np.count_nonzero(sample.inverse_scale) + 3.0)
    if data.n_classes is None:
        return of_numbers * n_features * _noise(sample)
    count = np.sqrt(_noise(sample)) * (data.n_rows / 1000) ** 0.2 * 2.0 / max(data.n_classes, 2)
    return (
        of_classes * n_features * count * data.loss.unit(data.y, data.weights) * float(data.weights.sum()) / data.n_rows
    )


def _sampled(data):
    """Return the data, or a sample of the rows if there are many values."""
    is_sparse = data.columns.is_sparse
    n_values = data.columns.rows.nnz if is_sparse else data.n_rows * data.n_features
    count = max(LEAST_SAMPLE, int(data.n_rows * NOISE_VALUES / max(n_values, 1)))
    if count >= data.n_rows:
        return data
    rows = np.sort(np.random.RandomState(0).permutation(data.n_rows)[:count])
    X = data.columns.rows[rows] if is_sparse else data.columns.values[:, rows].T
    return TrainingData(X, data.y[rows], data.n_classes, data.weights[rows], loss=data.loss)


def _noise(data):
    """Return the loss per row (numbers) or the Gini index within the leaves of CART, corrected for their number."""
    data = _sampled(data)
    grown = data.growing()
    tree = cart_tree(grown, None, np.random.RandomState(0), min_samples_leaf=ROWS_OF_CART)
    leaf = np.empty(data.n_rows, np.int64)
    data.columns.leaves(tree.routing(), 0, 0, data.n_rows, leaf)
    n_free = max(data.n_rows - tree.n_leaves, 1)
    if data.n_classes is None:
        values = data.loss.leaf_values(leaf, data.y, data.weights, tree.n_nodes)
        least = LEAST_LOSS * data.loss.one_leaf(data.y, data.weights) / data.n_rows
        return max(float(data.loss.losses_of(values).sum()) / n_free, least)
    values = grown.loss.leaf_values(leaf, data.y, grown.weights, tree.n_nodes)
    total = values.sum(axis=1)
    impure = float((total - (values**2).sum(axis=1) / np.where(total > 0, total, 1.0)).sum()) / float(total.sum())
    return max(impure * data.n_rows / n_free, LEAST_GINI)


class TrainingRun:
    """Validated data and the working tree of an estimator, which is optimised for one lambda after another."""

    def __init__(
        self, estimator: BaseEstimator, X: ArrayLike, y: ArrayLike, sample_weight: np.ndarray | None = None
    ) -> None:
        from sklearn.base import is_classifier  # slow imports
        from sklearn.utils.multiclass import check_classification_targets

        check_parameters(estimator)
        self.estimator = estimator
        estimator.encoder_ = FeatureEncoder(estimator.missing == "learn")
        X, y = estimator.encoder_.fit(estimator, X, y)
        X = _supported(X, estimator)
        self.classes, n_classes, targets = np.empty(0, np.int32), None, y
        if is_classifier(estimator):
            with typed(DataError):
                check_classification_targets(y)
                self.classes, targets = np.unique(y, return_inverse=True)
            estimator.classes_, n_classes = self.classes, self.classes.size
        else:
            targets = Regression().checked(y, "y")
        weights = training_weights(estimator, X, y, sample_weight)
        self.class_weights = class_weights(estimator, y, targets, n_classes)
        groups = category_columns(estimator.categories, estimator.encoder_, X)
        self.constraints = constraints_of(estimator, estimator.encoder_, X.shape[1], n_classes, groups)
        loss = loss_of(estimator, self.classes)
        if self.constraints.monotone is not None and n_classes is None and not loss.is_usual:
            refuse_together("monotonic_cst", "loss", estimator.loss, "squared_error")
        self.data = TrainingData(X, targets, n_classes, weights, estimator.scale, groups, loss)
        self.least_leaf = least_rows(estimator.min_samples_leaf, self.data.n_rows)
        self.quantiles = feature_quantiles(self.data.columns.row_major())
        estimator._widths = self.data.widths
        self.solver = make_solver(
            self.data,
            estimator.split,
            node_solver=estimator.node_solver,
            surrogate=estimator.surrogate,
            bivariate_cost=estimator.bivariate_cost,
            n_orientations=estimator.n_orientations,
            exactness=estimator.exactness,
            node_tol=estimator.node_tol,
            max_inner=estimator.max_inner,
            feature_costs=self.constraints.costs,
            is_constrained=self.constraints.restrict_nodes,
        )
        if self.data.has_missing():
            LEAF_KINDS[estimator.leaf].require("missing")
        self.working = self._initial_tree()
        self._first = self.working, self.working.snapshot()
        self._next_origin = int(self.working.origin.max()) + 1
        # The weights of a `Tree` come from a solver and are not random.
        self._comparable = isinstance(estimator.init, Tree)
        self.trace, self.starts = [], []
        self._is_first = True

    @cached_property
    def lam(self) -> float:
        """Lambda of the estimator."""
        e = self.estimator
        return float(usual_lambda(e.split, self.data, self.data) if isinstance(e.lam, str) else e.lam)

    def weights_of(self, y: np.ndarray) -> np.ndarray | None:
        """Return the class weights of labels, float64[n], 1 for unknown classes, or None without class weights."""
        if self.class_weights is None:
            return None
        codes = np.minimum(np.searchsorted(self.classes, y), self.classes.size - 1)
        return np.where(self.classes[codes] == y, self.class_weights[codes], 1.0)

    def node_losses(self, tree: Tree) -> np.ndarray:
        """Return the training loss of each node of a tree as a leaf, float64[m]."""
        data = self.data
        if data.loss.is_usual:
            return tree.target.node_losses(tree)
        leaf = np.empty(data.n_rows, np.int64)
        data.columns.leaves(tree.routing, 0, 0, data.n_rows, leaf)
        losses = partial(data.loss.row_losses, weights=1.0)
        return node_losses(tree.left, tree.right, tree.outputs, leaf, data.y, data.weights, losses)

    def training_loss(self, tree: Tree) -> float:
        """Return the training loss of a tree."""
        if self.data.loss.is_usual:
            return training_loss(tree)
        return float(self.node_losses(tree)[tree.left < 0].sum())

    def fit(self, first_origin: int = 0) -> None:
        """Optimise for the estimator's lambda and set its fitted attributes.

        first_origin : smallest id of the nodes that `refine` creates.
        """
        e = self.estimator
        self._next_origin = max(self._next_origin, first_origin)
        stopped = self.optimise(self.lam, e.callback)
        for sweep in range(e.refine if e.max_iter else 0):
            if stopped:
                break
            if self._regrow(sweep):
                stopped = self.optimise(self.lam, e.callback, go_on=True)
        e.tree_, e.lam_ = self.final(self.tree()), self.lam
        e.initial_, *e.trace_ = self.trace
        e.n_iter_, e.starts_ = len(e.trace_), np.array(self.starts)
        if not stopped and e.lam != AUTO:
            self._warn()

    def _warn(self):
        """Warn if lambda is far too small or too large for the target or the sum of the weights."""
        e, data = self.estimator, self.data
        lam, leaves = self.lam, e.tree_.n_leaves
        if data.n_classes is None and data.n_rows > FEW_ROWS and leaves * ROWS_OF_LEAF > data.n_rows:
            warnings.warn(
                (
                    f"lam={lam:g} is small compared with the {data.loss.unit_name} "
                    f"{data.task.unit(data.y, data.weights):.4g} of the target: the tree has {leaves} leaves for "
                    f"{data.n_rows} rows. Use regularization_path, or a larger lam."
                ),
                PenaltyWarning,
                stacklevel=4,
            )
        if _is_constant(e.tree_) and (allowed := self.allowed_lambda(lam)) is not None:
            total = float(data.weights.sum())
            warnings.warn(
                (
                    f"lam={lam:g} is so large that the tree is a single leaf. Use lam={allowed:.2g} or less for a "
                    f"larger tree. The sample weights of the {data.n_rows} rows sum to {total:.4g}, and lam does not "
                    "depend on this sum."
                ),
                PenaltyWarning,
                stacklevel=4,
            )

    def allowed_lambda(self, lam: float) -> float | None:
        """Return a lambda below `lam` for which training gives a tree that is not constant, or None if none was found.

        Each attempt trains again from the initial tree, without further starts. The run cannot be used afterwards.
        """
        data, slope = self.data, None if self.solver.monotone else SLOPES[self.estimator.surrogate]
        start, splits = self._first
        if start.n_leaves == 1 and not isinstance(self.estimator.init, Tree):  # the optimal tree for a large lambda
            start = self._grown("cart", np.random.RandomState(0))
            splits = start.snapshot()
        lam = min(lam, data.task.largest_lambda(data, slope)) if (data.y != data.y[0]).any() else 0.0
        for _ in range(ATTEMPTS if lam > 0 else 0):
            lam = float(f"{lam / STEP:.2g}")  # the message shows the value that was tried
            self.working = start
            start.restore(splits)
            self._comparable, self._is_first = isinstance(self.estimator.init, Tree), False
            self.restore_order()
            self.optimise(lam)
            if not _is_constant(self.tree()):
                return lam
        return None

    def optimise(
        self,
        lam: float,
        callback: Callable | None = None,
        max_iter: int | None = None,
        tol: float | None = None,
        go_on: bool = False,
    ) -> bool:
        """Run TAO from the current tree. Return whether `callback` stopped it.

        go_on : whether the records of the passes continue those of the last run. Pruning changes the reduced problems
        of the ancestors. With a true loss and tol = 0, passes and pruning therefore alternate until the tree is
        unchanged. With ``block=2``, steps of two levels follow. The first run tries the `n_init` starts.
        """
        max_iter = self.estimator.max_iter if max_iter is None else max_iter
        tol = self.estimator.tol if tol is None else tol
        self.trace = self.trace if go_on else []
        max_iter += self.trace[-1].iteration if go_on else 0
        is_first, self._is_first = self._is_first, False
        stopped = self._converge(lam, callback, max_iter, tol)
        if not go_on:
            self.starts = [self._last.best_objective]
        if is_first and not stopped and self.estimator.n_init > 1:
            stopped = self._try_other_starts(lam, callback, max_iter, tol)
        return stopped

    def polish(self, lam: float, callback: Callable | None = None, tol: float = 0.0) -> bool:
        """Continue TAO such that no split changes unless it has a smaller loss, see `AlternatingOptimization`.

        Return whether `callback` stopped it.
        """
        first = self.trace[-1].iteration
        run = self._optimisation(lam, first + self.estimator.max_iter, tol, first)
        run.keeps_better = run.keep_initial = True
        return self._follow(run, callback)

    def begin_again(self, working: WorkingTree) -> None:
        """Start from the initial tree `working`, as a new run does."""
        self.working, self._is_first = working, True

    def start_from(self, working: WorkingTree) -> None:
        """Continue from `working`, changed until it satisfies the constraints, with the rows in their first order."""
        self.restore_order()
        self.working = self._established(working)
        self._comparable, self._is_first = False, False

    def grown(self, init: str) -> WorkingTree:
        """Return another initial tree, see `initial_tree`."""
        return self._grown(init, np.random.RandomState(0))

    def _converge(self, lam, callback, max_iter, tol):
        stopped = self._alternate(lam, callback, max_iter, tol)
        while self.solver.monotone and not stopped and self.trace[-1].iteration < max_iter:
            tree = self.tree()
            if tol == 0 and tree.n_nodes < self.working.n_nodes:
                self.continue_from(tree)
            elif self.estimator.block == 1 or not self._improve_blocks(lam, tree, tol):
                break
            stopped = self._alternate(lam, callback, max_iter, tol)
        return stopped

    def _improve_blocks(self, lam, tree, tol):
        """Optimise two levels at once and return whether the objective has decreased."""
        e, before, present = self.estimator, self._last.best_objective, self.working
        self.continue_from(tree)
        first = max(self._next_origin, int(tree.origin.max()) + 1)
        working = extended(self.working, e.max_depth, e.frozen, first)
        with thread_map(resolve_jobs(e.n_jobs)) as run:
            gained = optimise_blocks(
                working, self.data, self.solver.penalty, lam, e.frozen, self.least_leaf, run, self.constraints
            )
        if gained <= tol * abs(before):
            self.working = present
            return False
        self.working = working
        self._next_origin = int(working.origin.max()) + 1
        if e.max_leaf_nodes is not None:  # the passes could otherwise use the leaves that blocks left empty
            self._statistics = self._optimisation(lam, 0, tol).leaf_statistics()
            self.continue_from(self.tree())
        return True

    def _try_other_starts(self, lam, callback, max_iter, tol):
        """Train from random trees, keep the best tree of all starts and return whether `callback` stopped it."""
        e, stopped = self.estimator, False
        rng = np.random.RandomState(self._seed)
        best = self._state()
        while len(self.starts) < e.n_init and not stopped and self._agreeing() < AGREEING:
            self.continue_from(best["tree"])
            self.working, self.trace, self._comparable = self._grown("random", rng), [], False
            stopped = self._converge(lam, callback, max_iter, tol)
            objective, least = self._last.best_objective, min(self.starts)
            is_equal = abs(objective - least) <= EQUAL * abs(least)
            self.starts.append(objective)
            if objective < least and not is_equal or is_equal and self.tree().n_nodes < best["tree"].n_nodes:
                best = self._state()
        self.continue_from(best["tree"])
        self.working, self.trace, self._last, self._statistics = (
            best[name] for name in ("working", "trace", "last", "statistics")
        )
        return stopped

    def _state(self):
        return {
            "tree": self.tree(), "working": self.working, "trace": self.trace, "last": self._last,
            "statistics": self._statistics,
        }  # fmt: skip

    def _agreeing(self):
        """Return the number of starts with the smallest objective."""
        least = min(self.starts)
        return sum(objective <= least + EQUAL * abs(least) for objective in self.starts)

    def _regrow(self, sweep):
        """Replace subtrees by better ones and return whether any was replaced."""
        present = self.working
        self.continue_from(self.tree())
        first = max(self._next_origin, int(self.working.origin.max()) + 1)  # another start may have larger ids
        found = regrown(self.working, self.data, self.lam, self.estimator, sweep, first, self.constraints)
        if found is None:
            self.working = present  # the tree to which the statistics belong
            return False
        self.working = found
        self._next_origin = max(first, int(found.origin.max()) + 1)
        return True

    def _optimisation(self, lam, max_iter, tol, first=0):
        e = self.estimator
        return AlternatingOptimization(
            self.data,
            self.working,
            self.solver,
            lam,
            max_iter=max_iter,
            tol=tol,
            frozen=e.frozen,
            keep_initial=self.solver.monotone or self._comparable,
            n_jobs=e.n_jobs,
            first_iteration=first,
            leaf=e.leaf,
            min_samples_leaf=self.least_leaf,
            constraints=self.constraints,
        )

    def _alternate(self, lam, callback, max_iter, tol):
        first = self.trace[-1].iteration if self.trace else 0
        return self._follow(self._optimisation(lam, max_iter, tol, first), callback)

    def _follow(self, run, callback):
        self._last, stopped = run, False
        before = self.trace[-1].seconds if self.trace else 0.0
        for step in run.steps():
            if callback is not None and callback(step):
                stopped = True
                break
        run.finish()
        later = [record._replace(seconds=before + record.seconds) for record in run.trace]
        self.trace += later[1:] if self.trace else later
        self._statistics = run.leaf_statistics()
        return stopped

    def tree(self) -> Tree:
        """Return the current tree after pruning."""
        tree = prune(self.whole_tree(), self.estimator.frozen, self.constraints.monotone is None)
        return settled(tree, self._row_counts(tree), self.estimator.frozen) if self._has_free_sides(tree) else tree

    def _has_free_sides(self, tree):
        """Return whether splits send values to a side that no training row of the node has."""
        return tree.n_leaves > 1 and (tree.missing_right is not None or bool(self.data.groups))

    def _row_counts(self, tree):
        return RowCounts(tree, self.data)

    def whole_tree(self) -> Tree:
        """Return the current tree before pruning."""
        e, are_free = self.estimator, self.constraints.monotone is None
        tree = self.working.to_tree(
            self.data.loss, *self._statistics, self.classes, self.data.n_features, e.encoder_.feature_names,
            frozen=e.frozen if are_free else self.working.origin, missing=e.missing == "learn",
        )  # fmt: skip
        return replace(tree, feature_quantiles=self.quantiles)

    def final(self, tree: Tree) -> Tree:
        """Return a tree of this run as the result of the estimator, with shrunk means if requested."""
        amount = getattr(self.estimator, "shrinkage", 0.0)
        return shrunk(tree, amount, np.asarray(list(self.estimator.frozen), np.int64)) if amount else tree

    def close(self) -> None:
        """Release the files and rows that the run has opened."""

    def next_lambda(self) -> float:
        """Return the smallest lambda at which the current tree changes (see `AlternatingOptimization`)."""
        return self._last.next_lambda()

    def continue_from(self, tree: Tree) -> None:
        """Continue from `tree`, a Tree of this run or of another run on the same data.

        The rows are restored to their first order, so that floating-point sums and later trees do not depend on
        previous training.
        """
        self.restore_order()
        self.working = WorkingTree.from_tree(tree, self.solver.penalty)
        self._comparable, self._is_first = True, False

    def restore_order(self) -> None:
        """Restore the first order of the rows."""
        with thread_map(resolve_jobs(self.estimator.n_jobs)) as run:
            self.data.reorder(np.argsort(self.data.rows), run)

    def _initial_tree(self):
        e = self.estimator
        if e.n_init > 1 and len(e.frozen):
            raise ParameterError(
                f"n_init={e.n_init} with frozen={literal(e.frozen)}: other starts have other nodes. Use "
                "n_init=1, or freeze no node."
            )
        rng = random_numbers(e.random_state)
        if not isinstance(e.init, Tree):
            if len(e.frozen):
                raise ParameterError(
                    f"frozen={literal(e.frozen)} needs init=Tree. Pass the tree whose nodes are frozen as init."
                )
            is_auto = (
                e.init == AUTO
            )  # the order of features, which decides between equal splits, is then always the same
            grown = self._grown(self._usual_start(), np.random.RandomState(0)) if is_auto else self._grown(e.init, rng)
        else:
            grown = self._established(self._checked_start())
        self._seed = rng.randint(np.iinfo(np.int32).max) if e.n_init > 1 else 0
        return grown

    def _usual_start(self):
        """Return the name of the initial tree for ``init="auto"``."""
        e, data = self.estimator, self.data
        if data.columns.is_sparse:
            return "random" if data.columns.rows.nnz > NOISE_VALUES else "cart"
        is_plain = e.min_samples_leaf == 1 and e.interaction_cst is None and e.monotonic_cst is None
        return "histogram_cart" if is_plain and data.n_rows * data.n_features > MOST_VALUES else "cart"

    def _grown(self, init, rng):
        e = self.estimator
        most = SPLITS[e.split].most_features or MAX_FEATURES
        if init == "optimal" and self.data.n_classes is not None and not self.data.loss.is_usual:
            raise ParameterError(
                "init='optimal' minimises the number of misclassified rows and does not support cost_matrix. Use "
                "init='cart'."
            )
        grown = initial_tree(
            init,
            self.data.growing(),
            e.max_depth,
            rng,
            max_features=most,
            n_orientations=e.n_orientations,
            n_jobs=e.n_jobs,
            min_samples_leaf=self.least_leaf,
            lam=self.lam if init == "optimal" and self.solver.monotone else 0.0,
            constraints=self.constraints,
        )
        self.data.relabel(grown)
        if not self.solver.monotone:
            _scale_weights(grown, self.data.inverse_scale)
        return self._established(grown)

    def _established(self, working):
        """Return the tree after pruning for `min_samples_leaf` and the constraints."""
        e = self.estimator
        frozen = np.isin(working.origin, np.asarray(list(e.frozen), np.int64))
        if self.least_leaf > 1:
            SmallestLeaf(self.data, working, self.least_leaf, frozen).establish()
        return self.constraints.established(working, self.data, frozen)

    def _checked_start(self):
        e = self.estimator
        tree = e.init
        if LEAF_KINDS[e.leaf].is_constant:
            tree.leaf_model.require("outputs", ParameterError)
        check_start(tree, self.data, self.classes, e.encoder_.feature_names)
        unknown = sorted(set(map(int, e.frozen)) - set(tree.origin.tolist()))
        if unknown:
            raise ParameterError(
                f"frozen contains the nodes {unknown}, which the initial tree does not have. Remove them."
            )
        most = SPLITS[e.split].most_features or tree.n_features
        free = ~np.isin(tree.origin, list(e.frozen))
        many = tree.columns_per_split(self.data.groups.columns)[free] > most
        if many.any():
            raise ParameterError(too_many_init_features(most, e.split))
        constant = tree.features[(self.data.inverse_scale[tree.features] == 0) & np.repeat(free, np.diff(tree.indptr))]
        if constant.size:
            raise DataError(
                f"The initial tree splits on the features {sorted(set(constant.tolist()))}, which are constant "
                "in X. Freeze these nodes, or use another initial tree or the data that the tree was trained on."
            )
        return WorkingTree.from_tree(tree, self.solver.penalty)


def _scale_weights(tree, inverse_scale):
    """Give the splits of an initial tree the l1 norm 1 on scaled features, so that the penalty has no unit.

    Splits with constant features keep their weights.
    """
    for node in tree.decisions:
        split = tree.splits[node]
        scales = inverse_scale[split.features]
        if scales.all():
            factor = 1 / np.abs(split.weights / scales).sum()
            tree.set_split(node, split._replace(weights=split.weights * factor, bias=split.bias * factor))


def _supported(X, estimator):
    """Return the rows, as a dense array if the split type or the initial tree does not support sparse rows."""
    if not SPLITS[estimator.split].takes_sparse:
        return dense_rows(X, f"split={estimator.split!r}")
    init = estimator.init
    kind = INITIAL_TREES.get(init) if isinstance(init, str) else None
    return dense_rows(X, f"init={init!r}") if kind is not None and not kind.takes_sparse else X


def _is_constant(tree):
    return tree.n_leaves == 1 and not tree.leaf_model.used_features().size


def check_start(
    tree: Tree, data: TrainingData, classes: np.ndarray, feature_names: tuple[str, ...] | None = None
) -> None:
    """Raise ParameterError unless `tree` has the features, task and classes of the data.

    feature_names : names of the features of the data. If the tree has names too, they must be the same.
    """
    if tree.n_features != data.n_features:
        raise ParameterError(
            f"init is a tree with {tree.n_features} features, but X has {data.n_features}. Use a tree that was "
            "trained on the same features."
        )
    for at, (name, expected) in enumerate(zip(tree.feature_names or (), feature_names or (), strict=False)):
        if name != expected:
            raise ParameterError(
                f"init is a tree whose feature {at} is {name!r}, but X has {literal(expected)} there. Pass the "
                "columns in the order of the tree, or rename its features with tree.with_names(names)."
            )
    kinds = tree.target.values_noun, data.task.target.values_noun
    if kinds[0] != kinds[1]:
        raise ParameterError(
            f"init is a tree that predicts {kinds[0]}, but y contains {kinds[1]}. Use a tree for the same task."
        )
    if not np.array_equal(tree.classes, classes):
        raise ParameterError(
            f"init is a tree for the classes {tree.classes}, but y has {classes}. Use a tree that was trained on "
            "the same classes."
        )


def loss_of(estimator: BaseEstimator, classes: np.ndarray) -> Loss | None:
    """Return the loss that an estimator minimises, or None for the usual loss of its task.

    classes : sorted labels of the training rows. Raise ParameterError if the costs are invalid, or not for them.
    """
    if not classes.size:
        return LOSSES[getattr(estimator, "loss", "squared_error")]()
    given = getattr(estimator, "cost_matrix", None)
    if given is None:
        return None
    costs = costs_of(given, classes)
    is_equal = np.array_equal(costs, 1.0 - np.eye(len(costs)))
    return ZeroOneLoss(len(costs)) if is_equal else CostLoss(costs)


def mean_loss(
    loss: Loss, classes: np.ndarray, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None
) -> tuple[float, float]:
    """Return the mean loss of rows and its standard error.

    classes : labels of the training rows; predicted, y : [n], labels or numbers; weights : [n]. Raise DataError if the
    loss of a label in `y` is not known.
    """
    unknown = np.setdiff1d(y, classes) if classes.size else ()
    if len(unknown):
        raise DataError(
            f"The validation rows contain the class {literal(unknown[0])}, which y does not, so that the cost of its "
            "rows is unknown. Remove these rows."
        )
    codes = (loss.target.codes(labels, classes) for labels in (predicted, y))
    losses = loss.row_losses(*codes, 1.0)
    share = np.full(losses.size, 1 / losses.size) if weights is None else weights / weights.sum()
    mean = float(share @ losses)
    return mean, float(np.sqrt(np.square(share * (losses - mean)).sum()))


def class_weights(
    estimator: BaseEstimator, y: np.ndarray, codes: np.ndarray, n_classes: int | None
) -> np.ndarray | None:
    """Return the weight of each class in training and in errors, float64[k], or None for equal weights.

    y, codes : [n], labels of the training rows and their codes.
    """
    balance = getattr(estimator, "class_weight", None)
    if balance is None or n_classes is None:
        return None
    found = np.ones(n_classes)
    found[codes] = _weights_of(balance, y)
    return found


def _weights_of(balance, y):
    """Return the row weights of a `class_weight`, float64[n]. scikit-learn reads the classes "0" and "1" as numbers."""
    if not isinstance(balance, dict):
        from sklearn.utils.class_weight import compute_sample_weight  # slow import

        return compute_sample_weight(balance, y)
    classes, codes = np.unique(y, return_inverse=True)
    unknown = [label for label in classes.tolist() if label not in balance]
    if unknown and classes.size - len(unknown) != len(balance):
        raise ParameterError(
            f"class_weight has no entry for the classes {unknown[:20]}; it has {list(balance)[:20]}. Add a "
            "weight for every class in y."
        )
    return np.array([balance.get(label, 1.0) for label in classes.tolist()])[codes]


def row_weights(X: np.ndarray, sample_weight: ArrayLike | None) -> np.ndarray:
    """Return the sample weights, float64[n], 1 by default. Raise DataError if they are invalid."""
    # slow import; despite its name, this function is documented for third-party estimators
    from sklearn.utils.validation import _check_sample_weight

    with typed(DataError):
        return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)


def training_weights(
    estimator: BaseEstimator, X: np.ndarray, y: np.ndarray, sample_weight: ArrayLike | None
) -> np.ndarray | None:
    """Return sample weights times class weights, float64[n], or None if neither is given."""
    weights = None if sample_weight is None else row_weights(X, sample_weight)
    balance = getattr(estimator, "class_weight", None)
    if balance is None:
        return _bounded(weights)
    if isinstance(balance, dict):
        for label, value in balance.items():
            check_number(value, f"class_weight[{label!r}]", 0.0)
    elif balance != "balanced":
        raise ParameterError(invalid_class_weight("class_weight", balance))
    balance = _weights_of(balance, y)
    return _bounded(balance if weights is None else weights * balance)


def _bounded(weights):
    if weights is not None and weights.size and weights.max() > LARGEST:
        raise DataError(f"A sample or class weight is {weights.max():g} (maximum {LARGEST:g}). Use smaller weights.")
    return weights


def shrunk(tree: Tree, amount: float, kept: np.ndarray) -> Tree:
    """Return the regression tree with shrunk leaf means (Agarwal et al. 2022, Eq. 1).

    The prediction of a leaf is the root mean plus a sum over its decision path. Each step adds the difference between
    the child's and the parent's mean, divided by ``1 + amount / weight of the parent``. amount : float >= 0, 0 returns
    the same tree; kept : origin ids of leaves to keep unchanged. The `values` of leaves then contain the mean squared
    error of the new prediction instead of the variance.
    """
    if amount == 0:
        return tree
    weight, mean = tree.values[:, 0], tree.values[:, 1]
    predicted = mean.copy()
    for node in np.flatnonzero(tree.left >= 0):  # parents precede their children
        for child in (tree.left[node], tree.right[node]):
            predicted[child] = predicted[node] + (mean[child] - mean[node]) / (1.0 + amount / weight[node])
    free = (tree.left < 0) & ~np.isin(tree.origin, kept)
    values, labels = tree.target.labelled(tree.values.copy(), predicted, free)
    return replace(tree, values=values, labels=labels)


def too_many_init_features(most: int, split: Any) -> str:
    """Return the message about an initial tree whose splits have too many features."""
    return (
        f"init has splits on more than {counted(most, 'feature')}, which split={split!r} does not support. Use "
        "split='oblique', or freeze these nodes."
    )
