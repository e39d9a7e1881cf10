"""`PartitionedRun`: training of an estimator on rows that are read in parts."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone, is_classifier

from treecore.constraints.constraints import NO_CONSTRAINTS
from treecore.data.bins import MISSING
from treecore.data.category_groups import category_columns
from treecore.data.classification import Classification
from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.regression import Regression
from treecore.data.training_data import TrainingData
from treecore.errors import DataError, ParameterError
from treecore.initial import initial_tree
from treecore.initial.random import MAX_FEATURES
from treecore.node_solvers import SPLITS
from treecore.parameter_checks import random_numbers
from treecore.training.parameter_kinds import AUTO, NO_CRITICAL_IN_PARTS
from treecore.training.parameters import check_parameters
from treecore.training.partitions.coding import Coding, Layout, focused_edges, quantile_edges
from treecore.training.partitions.histogram_cart import histogram_cart
from treecore.training.partitions.nodes.level_solver import level_solver, only_value
from treecore.training.partitions.partitioned_tao import PartitionedTAO
from treecore.training.partitions.shard import Problem
from treecore.training.partitions.shards import Executor, total
from treecore.training.partitions.sources.row_source import RowSource
from treecore.training.partitions.sources.sources import close_source, executor_of
from treecore.training.partitions.survey import Survey, survey
from treecore.training.prune import summed_up
from treecore.training.training_run import (
    TrainingRun,
    check_start,
    class_weights,
    too_many_init_features,
    unfitted,
    usual_lambda,
)
from treecore.tree.feature_statistics import feature_quantiles
from treecore.tree.split import Split
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator
from treecore.training.partitions.sources.row_checks import check_values, naming
from treecore.training.partitions.sources.row_files import changed_file
from treecore.training.partitions.sources.row_source import PartRows

MOST_LEAVES = 1024  # leaves of the initial tree without `max_leaf_nodes`
REFINEMENTS = 2  # number of times that the bins next to the thresholds are divided
# parameters that training on parts does not support, with their only possible value
FIXED = {
    "leaf": "constant", "block": 1, "n_init": 1, "refine": 0, "frozen": (), "min_samples_leaf": 1,
    "monotonic_cst": None, "interaction_cst": None, "feature_costs": None, "cost_matrix": None,
    "loss": "squared_error",
}  # fmt: skip


class SourceData:
    """Figures of all rows of a source that a run needs, in the form of `TrainingData`.

    y, weights : the targets and weights of a few rows that have the same sums as all rows; n_rows : int.
    """

    def __init__(self, found: Survey, n_classes: int | None, n_features: int, balance: np.ndarray | None) -> None:
        self.n_classes, self.n_features, self.n_rows = n_classes, n_features, found.n_rows
        self.task = Regression() if n_classes is None else Classification(n_classes)
        self.loss = self.task.loss
        self.y = found.values if n_classes is None else np.arange(n_classes, dtype=np.int32)
        self.weights = found.weights if balance is None else found.weights * balance
        least = found.least * (1.0 if balance is None else float(balance.min()))
        if n_classes is not None and least < self.weights.max():  # the smallest lambda depends on the smallest weight
            largest = int(self.weights.argmax())
            self.y, self.weights = np.append(self.y, np.int32(largest)), np.append(self.weights, least)
            self.weights[largest] -= least
        self.inverse_scale = np.ones(n_features)


class _ShardCounts:
    """`RowCounts` from the codes of all shards, after the working tree has routed their rows."""

    def __init__(self, tree: Tree, working: WorkingTree, shards: Any, layout: Layout) -> None:
        self.groups, self._layout = layout.groups, layout
        self._counts, self._working, self._shards = {}, working, shards
        place = {int(origin): node for node, origin in enumerate(working.origin)}
        self._nodes = np.array([place[int(origin)] for origin in tree.origin])

    def missing(self, feature: int) -> np.ndarray:
        return self._of_codes(int(self._layout.column_of[feature]))[:, MISSING]

    def of_categories(self, group: int) -> np.ndarray:
        size = self.groups.members[group].size
        return self._of_codes(int(self._layout.group_columns[group]))[:, : size + 1]

    def _of_codes(self, column):
        if column not in self._counts:
            counts = total(self._shards.call("code_counts", column, self._working.n_nodes))
            self._counts[column] = summed_up(self._working.left, self._working.right, counts)[self._nodes]
        return self._counts[column]


class PartitionedRun(TrainingRun):
    """Rows of a source and the working tree of an estimator. The interface is that of `TrainingRun`.

    executor : place where the rows are read, None for the usual one; least_leaf : smallest weight of a leaf of the
    initial tree ``init="cart"``, in mean weights of a row.
    """

    def __init__(
        self, estimator: BaseEstimator, source: RowSource, executor: Executor | None = None, least_leaf: float = 1
    ) -> None:
        self._least_leaf = least_leaf
        check_parameters(estimator)
        for name, value in FIXED.items():
            given: Any = getattr(estimator, name, value)
            if len(given) if name == "frozen" else np.ndim(given) or given != value:
                raise ParameterError(only_value(name, given, value))
        self.estimator, self.constraints = estimator, NO_CONSTRAINTS
        self._source = source
        executor = executor_of(source, estimator.n_jobs) if executor is None else executor
        self._random = random_numbers(estimator.random_state)
        parts, is_squared = source.parts(), not is_classifier(estimator)
        seed = int(self._random.randint(2**31 - 1))
        found = survey(parts, source.feature_names, executor, is_squared, seed, estimator.missing == "learn")
        estimator.encoder_ = FeatureEncoder(estimator.missing == "learn")
        table = found.table(source.feature_names)
        sample_X, sample_y = estimator.encoder_.fit(estimator, table, found.sample.y, found.all_texts())
        self.classes, n_classes, self.class_weights = np.empty(0, np.int32), None, None
        if not is_squared:
            self.classes = estimator.classes_ = found.values
            n_classes = self.classes.size
            self.class_weights = _balance(estimator, found)
            sample_y = np.searchsorted(self.classes, sample_y)
        n_features = sample_X.shape[1]
        self.data = SourceData(found, n_classes, n_features, self.class_weights)
        self.quantiles = feature_quantiles(sample_X)
        estimator._widths = None
        self._sample, self._sample_y, self._sample_weights = sample_X, sample_y, found.sample.weights
        encode = PartEncoding(
            estimator.encoder_, _picklable(estimator), None if is_squared else self.classes, self.class_weights
        )
        middle = float(np.average(found.values, weights=found.weights)) if is_squared else 0.0
        columns = category_columns(estimator.categories, estimator.encoder_, sample_X)
        self.layout = Layout(n_features, columns)
        self.solver = level_solver(estimator, self.layout, self.data, self._sample_data, [part.name for part in parts])
        self.problem = Problem(encode, self.layout, self.data.loss, middle, self.solver.keeps_values)
        self.shards = executor.shards(parts, self.problem)
        with ExitStack() as on_error:
            on_error.callback(self.shards.close)
            self.working = self._initial_tree()
            on_error.pop_all()
        self._next_origin = int(self.working.origin.max()) + 1
        self._comparable, self._is_first = isinstance(estimator.init, Tree), True
        self.trace, self.starts = [], []
        self._is_refined = self._is_lost = False

    def _has_free_sides(self, tree):
        return tree.n_leaves > 1 and (tree.missing_right is not None or bool(self.layout.groups))

    def _row_counts(self, tree):
        return _ShardCounts(tree, self.working, self.shards, self.layout)

    @cached_property
    def lam(self) -> float:
        """Lambda of the estimator."""
        e = self.estimator
        return float(usual_lambda(e.split, self.data, self._sample_data()) if isinstance(e.lam, str) else e.lam)

    def _sample_data(self) -> TrainingData:
        """Return the rows of the survey."""
        weights = self._sample_weights
        if self.class_weights is not None:
            own = self.class_weights[self._sample_y]
            weights = own if weights is None else weights * own
        return TrainingData(self._sample, self._sample_y, self.data.n_classes, weights, self.estimator.scale)

    def _code(self, edges: np.ndarray) -> None:
        """Replace the codes of all rows."""
        nothing = np.empty(0)
        ranges = self.shards.call("code", Coding(self.layout, edges, nothing, nothing))
        lows = np.minimum.reduce([low for low, _ in ranges])
        highs = np.maximum.reduce([high for _, high in ranges])
        self.coding = Coding(self.layout, edges, lows, highs)

    def _initial_tree(self) -> WorkingTree:
        e = self.estimator
        if isinstance(e.init, str) and e.init in (AUTO, "cart", "histogram_cart"):
            self._code(quantile_edges(self._sample, self.layout))
            return histogram_cart(
                self.shards, self.problem, self.coding, e.max_leaf_nodes or MOST_LEAVES, e.max_depth, self._least_leaf
            )
        if isinstance(e.init, Tree):
            data: Any = self.data
            check_start(e.init, data, self.classes, e.encoder_.feature_names)
            most = SPLITS[e.split].most_features or self.data.n_features
            if (e.init.columns_per_split(self.layout.groups.columns) > most).any():
                raise ParameterError(too_many_init_features(most, e.split))
            tree = WorkingTree.from_tree(e.init, self.solver.penalty)
        else:
            most = SPLITS[e.split].most_features or MAX_FEATURES
            tree = initial_tree(
                e.init,
                self._sample_data(),
                e.max_depth,
                self._random,
                max_features=most,
                n_orientations=e.n_orientations,
                n_jobs=e.n_jobs,
            )
        if e.max_leaf_nodes is not None and tree.n_leaves > e.max_leaf_nodes:
            raise ParameterError(
                f"max_leaf_nodes={e.max_leaf_nodes}: the initial tree has {tree.n_leaves} leaves. Use "
                "init='cart', a smaller tree, or rows in memory."
            )
        self._code(quantile_edges(self._sample, self.layout, _edges_of(tree, self.layout)))
        return tree

    def optimise(
        self,
        lam: float,
        callback: Callable | None = None,
        max_iter: int | None = None,
        tol: float | None = None,
        go_on: bool = False,
    ) -> bool:
        """Run TAO from the current tree, then divide the bins next to its thresholds and run it again.

        See `TrainingRun.optimise`. The objective never increases, because the present thresholds remain possible. If
        there is a tolerance, as on a path, only the first run divides bins.
        """
        if self._is_lost:  # the codes of the parts do not belong together
            return True
        tol = self.estimator.tol if tol is None else tol
        stopped = super().optimise(lam, callback, max_iter, tol, go_on)
        most = self.estimator.max_iter if max_iter is None else max_iter
        for _ in range(REFINEMENTS):
            is_exact = not self.solver.uses_codes or self.coding.is_single().all()
            if stopped or not most or is_exact or (tol and self._is_refined):
                break
            before, present, self._is_refined = self._last.best_objective, self.working, True
            self.continue_from(self.tree())
            try:
                self._refine()
            except DataError as error:  # a file was removed, for example
                self.working, self._is_lost = present, True
                warnings.warn(
                    f"Training stopped early, and the tree of the last complete pass was kept. Cause: {error}",
                    stacklevel=4,
                )
                break
            stopped = super().optimise(lam, callback, most, tol, go_on=True)
            if before - self._last.best_objective <= 1e-4 * abs(before):
                break
        self.starts = [self._last.best_objective]
        return stopped

    def allowed_lambda(self, lam: float) -> float | None:
        """Return the result of `TrainingRun.allowed_lambda` on the rows of the survey, scaled to the weight of all."""
        data = self._sample_data()
        share = float(data.weights.sum() / self.data.weights.sum())
        sample = unfitted(self.estimator).set_params(callback=None, categories=list(self.layout.groups.columns))
        if self.class_weights is not None:  # the weights of the data contain them
            sample.set_params(class_weight=None)
        labels = self._sample_y if self.data.n_classes is None else self.classes[self._sample_y]
        found = TrainingRun(sample, self._sample, labels, data.weights).allowed_lambda(lam * share)
        return None if found is None else float(f"{found / share:.2g}")

    def _refine(self):
        """Divide the bins next to the thresholds of the present tree."""
        cuts = _edges_of(self.working, self.layout, None if self.solver.keeps_values else self.coding)
        self._code(focused_edges(self._sample, self.coding, [np.array(own, np.float64) for own in cuts]))

    def _optimisation(self, lam, max_iter, tol, first=0):
        return PartitionedTAO(
            self.shards,
            self.problem,
            self.coding,
            self.working,
            self.solver,
            lam,
            max_iter=max_iter,
            tol=tol,
            first_iteration=first,
            keep_initial=self.solver.monotone or self._comparable,
        )

    def continue_from(self, tree: Tree) -> None:
        """Continue from `tree`, a Tree of this run."""
        self.working = WorkingTree.from_tree(tree, self.solver.penalty)
        self._comparable, self._is_first = True, False

    def close(self) -> None:
        """Release the rows, and the files that the source has written."""
        self.shards.close()
        close_source(self._source)

    def next_lambda(self) -> float:
        """Raise ParameterError, because critical values of lambda need all rows at once."""
        raise ParameterError(NO_CRITICAL_IN_PARTS)


def _picklable(estimator):
    """Return a copy of an estimator with the names of its features, without its callback."""
    copy = clone(unfitted(estimator).set_params(callback=None, init="cart"))
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(copy, name, getattr(estimator, name))
    return copy


def _balance(estimator, found):
    """Return the weight of each class for `class_weight`, float64[k], or None."""
    if estimator.class_weight is None:
        return None
    if estimator.class_weight == "balanced":
        return found.counts.sum() / (found.counts.size * found.counts)
    return class_weights(estimator, found.values, np.arange(found.values.size), found.values.size)


def _edges_of(tree: WorkingTree, layout: Layout, coding: Coding | None = None) -> list:
    """Return the smallest value above each threshold, for each column, or that of the bins of `coding`."""
    edges: list[list] = [[] for _ in range(layout.n_columns)]
    for node in tree.decisions:
        split: Split = tree.splits[node]
        if split.features.size != 1 or layout.features[layout.column_of[split.features[0]]] < 0:
            continue
        weight = float(split.weights[0])
        cut = -split.bias / weight
        smallest = cut if weight > 0 else np.nextafter(cut, np.inf)
        edges[layout.column_of[split.features[0]]].append(smallest if coding is None else coding.cut_value(split))
    return edges


def fit_source(estimator: Any, source: RowSource, executor: Executor | None = None) -> Any:
    """Fit a TAO estimator on the rows of a source and return it."""
    run = PartitionedRun(estimator, source, executor)
    try:
        run.fit()
    finally:
        run.close()
    return estimator


class PartEncoding:
    """Function of the rows of a part that returns (features [n, d], targets [n], weights float64[n] or None).

    encoder : fitted FeatureEncoder; estimator : the estimator that it belongs to; classes : sorted labels, or None for
    numbers; balance : float64[k], weight of each class, or None.
    """

    def __init__(
        self, encoder: FeatureEncoder, estimator: Any, classes: np.ndarray | None, balance: np.ndarray | None
    ) -> None:
        self.encoder, self.estimator, self.classes, self.balance = encoder, estimator, classes, balance

    def __call__(self, rows: PartRows, part: str) -> tuple:
        """Return the features, targets and weights. part : name for messages. Raise DataError for unusable rows."""
        X = rows.X
        if self.encoder.columns is None and not hasattr(X, "iloc"):
            X = np.asarray(X)
            split = getattr(self.estimator, "split", "univariate")
            missing = self.encoder.missing and SPLITS[split].takes_missing
            check_values(X, part, missing, self.encoder.feature_names)
        elif not len(X):
            X = np.empty((0, self.encoder.groups[-1].stop))
        else:
            with naming(part):
                X = self.encoder.transform(self.estimator, X)
        y = np.asarray(rows.y)
        weights = None if rows.weights is None else np.asarray(rows.weights, np.float64)
        if self.classes is None:
            y = y.astype(np.float64)
        else:
            codes = np.minimum(np.searchsorted(self.classes, y), self.classes.size - 1)
            if not np.array_equal(self.classes[codes], y):
                raise DataError(changed_file(part))
            y = codes.astype(np.min_scalar_type(max(self.classes.size - 1, 1)))
            if self.balance is not None:
                own = self.balance[y]
                weights = own if weights is None else weights * own
        if weights is not None and not (weights > 0).all():
            keep = weights > 0
            X, y, weights = X[keep], y[keep], weights[keep]
        return X, y, weights
