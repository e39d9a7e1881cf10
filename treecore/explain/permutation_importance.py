"""Permutation importance: the increase in loss when the values of a feature are permuted among the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from treecore.errors import DataError
from treecore.foreign.fitted_tree import fitted_tree
from treecore.parameter_checks import check_whole
from treecore.tree.routing import check_rows


@dataclass(frozen=True, eq=False)
class PermutationImportance:
    """Increase in loss for each column (a single feature, or all features of a categorical column).

    columns : tuple of tuple of int, features of each column; increases : float64[n_columns, n_repeats], increase in
    misclassification error, or in mean squared error for regression; loss : float, loss on the original rows; n_nodes :
    int64[n_columns], number of decision nodes that use the column. If no node uses a column, its increase is exactly 0.
    """

    columns: tuple
    increases: np.ndarray
    loss: float
    n_nodes: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Mean over the repeats, float64[n_columns]."""
        return self.increases.mean(axis=1)

    @property
    def deviation(self) -> np.ndarray:
        """Standard deviation over the repeats, float64[n_columns]."""
        return self.increases.std(axis=1)


def permutation_importance(
    tree: Any,
    X: ArrayLike,
    y: np.ndarray,
    groups: Sequence[range] = (),
    n_repeats: int = 10,
    random_state: int | np.random.RandomState | None = 0,
) -> PermutationImportance:
    """Return the `PermutationImportance` of every feature or group of features.

    tree : Tree, or a fitted estimator or pipeline (`fitted_tree`); X : array[n, d], or rows in the form that the
    estimator accepts; y : class labels or numbers, [n]; groups : sequences of feature numbers that are permuted
    together; n_repeats : int >= 1; random_state : int, seed of the permutations. For speed, only rows whose decision
    path uses a column are routed again. The result is the same as for all rows. Raise DataError or ParameterError for
    invalid input.
    """
    check_whole(n_repeats, "n_repeats", 1)
    tree, features = fitted_tree(tree)
    X = features(X)
    X = check_rows(X.toarray() if scipy.sparse.issparse(X) else np.asarray(X), tree.n_features, True)
    y = np.asarray(y)
    if y.shape != (X.shape[0],) or not y.size:
        raise DataError(
            f"y has shape {y.shape}, but there are {X.shape[0]} rows. Pass one value for each row, and at least "
            "one row."
        )
    columns = _columns(groups, tree.n_features)
    uses = _uses(tree, columns)
    leaves, leaf_of = np.unique(tree.apply(X), return_inverse=True)
    losses = _losses(tree, X, leaves[leaf_of], y)
    below = _leaves_below(tree, uses, leaves)
    increases = np.zeros((len(columns), n_repeats))
    rng = np.random.default_rng(random_state)
    for repeat in range(n_repeats):
        order = rng.permutation(X.shape[0])
        for number, of_leaf in below.items():
            rows, features = np.flatnonzero(of_leaf[leaf_of]), list(columns[number])
            moved = X[rows]
            moved[:, features] = X[np.ix_(order[rows], features)]
            after = _losses(tree, moved, tree.apply(moved), y[rows])
            increases[number, repeat] = (after - losses[rows]).sum() / y.size
    return PermutationImportance(columns, increases, float(losses.mean()), np.asarray(uses.sum(axis=1)).ravel())


def _columns(groups, n_features):
    groups = [tuple(int(feature) for feature in group) for group in groups]
    grouped = [feature for group in groups for feature in group]
    if len(set(grouped)) < len(grouped) or not set(grouped) <= set(range(n_features)):
        raise DataError(f"groups contains {sorted(grouped)[:20]}: expected different features in [0, {n_features}).")
    alone = [(feature,) for feature in range(n_features) if feature not in set(grouped)]
    return tuple(sorted(groups + alone))


def _uses(tree, columns):
    """Return CSR int64[n_columns, n_nodes]: 1 if a node has a nonzero weight for a feature of the column."""
    column_of = np.empty(tree.n_features, np.int64)
    for number, features in enumerate(columns):
        column_of[list(features)] = number
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr))
    used = tree.weights != 0.0
    nodes, features = node_of[used], tree.features[used]
    nodes = np.append(nodes, np.repeat(np.arange(tree.n_nodes), tree.leaf_model.sizes(tree)))
    features = np.append(features, tree.leaf_model.used_features())
    pairs = np.unique(np.stack([column_of[features], nodes]), axis=1)
    ones = np.ones(pairs.shape[1], np.int64)
    return csr_array((ones, (pairs[0], pairs[1])), shape=(len(columns), tree.n_nodes))


def _leaves_below(tree, uses, leaves):
    """Mark the leaves below a node that uses each column, {column: bool[n_leaves]}."""
    first, count = tree.leaf_ranges
    below = {}
    for number in np.flatnonzero(np.diff(uses.indptr)).tolist():
        nodes = uses.indices[uses.indptr[number] : uses.indptr[number + 1]]
        begun, ended = (np.bincount(end, minlength=tree.n_leaves + 1) for end in (first[nodes], (first + count)[nodes]))
        is_below = (np.cumsum(begun - ended) > 0)[first[leaves]]
        if is_below.any():
            below[number] = is_below
    return below


def _losses(tree, X, leaves, y):
    told = tree.leaf_model.predict(tree, tree.target, tree.classes, X, leaves)
    return tree.target.losses(told, y)
