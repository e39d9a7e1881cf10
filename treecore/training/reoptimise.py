"""Re-optimisation of a tree by TAO with some nodes locked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treecore.data.training_data import SMALLEST_WIDTH
from treecore.errors import DataError, ParameterError
from treecore.fixed_order import dot
from treecore.messages import literal
from treecore.node_solvers import SPLITS
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.tao import IterationRecord
from treecore.training.training_run import row_weights, unfitted
from treecore.tree.routing import check_rows
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

# maximum weight on scaled features, because solvers do not converge or overflow if they start from larger weights
LARGEST_START = 2.0**10


@dataclass(frozen=True, eq=False)
class Reoptimised:
    """Result of `reoptimise`. The nodes keep their ids.

    tree : Tree; trace : tuple of IterationRecord, first that of the given tree; kept : {id: reason} of unlocked nodes
    that are kept unchanged.
    """

    tree: Tree
    trace: tuple
    kept: dict


def reoptimise(
    tree: Tree,
    locked: Collection[int],
    X: np.ndarray,
    y: np.ndarray,
    estimator: BaseEstimator,
    sample_weight: np.ndarray | None = None,
) -> Reoptimised:
    """Run TAO from `tree` with some nodes locked.

    The splits of locked nodes, and the classes of locked leaves, stay exactly the same.

    tree : Tree, such as a result of `treecore.tree.editing.edited_tree`; locked : origin ids; X, y, sample_weight :
    training rows, as in `Tree.apply` and ``fit``; estimator : TAOClassifier or TAORegressor with the other parameters
    (lam, split, ...), which stays unfitted.

    Locked nodes and their ancestors are kept even if no point reaches them. Other nodes are pruned as usual. Nodes with
    more features than ``estimator.split`` supports are also kept and listed in `kept`. In other nodes, features that
    are constant in `X` become part of the bias. Return `Reoptimised`. Raise ParameterError or DataError for invalid
    input.
    """
    run, X, kept = repairing(tree, locked, X, y, estimator, sample_weight)
    run.fit(X, y, sample_weight)
    return Reoptimised(run.tree_.with_names(tree.feature_names), (run.initial_, *run.trace_), kept)


def repairing(
    tree: Tree,
    locked: Collection[int],
    X: np.ndarray,
    y: np.ndarray,
    estimator: BaseEstimator,
    sample_weight: np.ndarray | None = None,
) -> tuple:
    """Return the unfitted estimator of `reoptimise`, its checked training rows and `kept`.

    Raise ParameterError or DataError for invalid input.
    """
    if not isinstance(estimator, TAOClassifier | TAORegressor):
        raise ParameterError(f"estimator is a {type(estimator).__name__}: expected a TAOClassifier or TAORegressor.")
    locked = {int(origin) for origin in locked}
    unknown = sorted(locked - set(tree.origin.tolist()))
    if unknown:
        raise ParameterError(f"locked contains the nodes {unknown[:8]}, which the tree does not have. Remove them.")
    absent = sorted(set(tree.classes.tolist()) - set(np.asarray(y).tolist()), key=str)
    if absent:
        raise DataError(f"No row has the class {literal(absent[0])} of the tree. Pass rows of every class.")
    missing = "learn" if tree.missing_right is not None else estimator.missing
    X = check_rows(X, tree.n_features, missing == "learn")
    kept = _too_wide(tree, locked, estimator, X)
    frozen = sorted(locked.union(kept))
    counting = X if sample_weight is None else X[row_weights(X, sample_weight) > 0]
    run = unfitted(estimator).set_params(init=_startable(tree, frozen, counting), frozen=frozen, missing=missing)
    return run, X, kept


def _too_wide(tree, locked, estimator, X):
    """Return the nodes that this split type does not support, {id: reason}."""
    split = estimator.split
    most = SPLITS[split].most_features or tree.n_features
    counts = np.diff(tree.indptr)
    if not isinstance(estimator.categories, str):  # the categories of a column count as one feature
        counts = tree.columns_per_split(estimator.categories)
    return {
        int(tree.origin[node]): f"it uses {counts[node]} features, but split={split!r} allows at most {most}"
        for node in np.flatnonzero(counts > most)
        if int(tree.origin[node]) not in locked
    }


def _startable(tree, frozen, X):
    """Return the tree with all unfrozen nodes in a form from which solvers can start.

    Constant features become part of the bias. If a feature has no values at all, the split uses only this feature. Very
    large weights of a node are divided by a power of two.
    """
    free = ~np.isin(tree.origin, frozen)
    weights, bias, indptr = tree.weights.copy(), tree.bias.copy(), tree.indptr
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(indptr))
    keep = np.ones(weights.size, bool)
    used = np.flatnonzero(np.isin(np.arange(tree.n_features), tree.features[free[node_of]]))
    center, width = _spread(X, used)
    place = np.searchsorted(used, tree.features)
    for k in np.flatnonzero(free[node_of]):
        node = node_of[k]
        if np.isnan(center[place[k]]):
            keep[indptr[node] : indptr[node + 1]] = False
            bias[node] = 1.0 if tree.missing_right is not None and tree.missing_right[node] else -1.0
        elif width[place[k]] <= SMALLEST_WIDTH and keep[k]:
            keep[k] = False
            bias[node] += weights[k] * center[place[k]]
    for node in np.flatnonzero(free & (tree.left >= 0)):
        own = np.arange(indptr[node], indptr[node + 1])[keep[indptr[node] : indptr[node + 1]]]
        scaled = np.abs(weights[own]) * width[place[own]]
        size = max(scaled.max(initial=0.0), abs(bias[node] + dot(weights[own], center[place[own]])))
        if size > LARGEST_START:
            shift = 2.0 ** -np.ceil(np.log2(size / LARGEST_START))
            weights[own] *= shift
            bias[node] *= shift
    if keep.all() and np.array_equal(weights, tree.weights) and np.array_equal(bias, tree.bias):
        return tree
    counts = np.bincount(node_of[keep], minlength=tree.n_nodes)
    return replace(
        tree, indptr=np.concatenate([[0], np.cumsum(counts)]), features=tree.features[keep], weights=weights[keep],
        bias=bias,
    )  # fmt: skip


def _spread(X, features):
    """Return (mean, standard deviation) of some columns.

    The result is NaN and 0 for a column without values. The deviation is 1 for a column that varies only in whether
    values are missing.
    """
    columns = X[:, features]
    columns = (columns.toarray() if hasattr(columns, "toarray") else columns).astype(np.float64)
    center, width = np.full(features.size, np.nan), np.zeros(features.size)
    for j, column in enumerate(columns.T):
        values = column[~np.isnan(column)]
        if values.size:
            constant = values.min() == values.max()
            center[j] = values[0] if constant else values.mean()
            width[j] = values.size < column.size if constant else values.std()
    return center, width


def tree_record(
    tree: Tree, X: np.ndarray, y: np.ndarray, estimator: BaseEstimator, sample_weight: np.ndarray | None = None
) -> IterationRecord:
    """Return the `IterationRecord` of a tree without optimisation. Parameters are those of `reoptimise`."""
    run = unfitted(estimator).set_params(max_iter=0)
    return reoptimise(tree, tree.origin.tolist(), X, y, run, sample_weight).trace[0]
