"""The optimal tree on quantiles as the initial tree."""

import time

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.errors import DataError, ParameterError
from treecore.initial.binary_features import binary_features, column_thresholds
from treecore.initial.cart import cart_tree
from treecore.initial.optimal_search import Found, best_tree
from treecore.tree.working_tree import WorkingTree

MOST_DEPTH = 4
THRESHOLDS, ALL_THRESHOLDS = 10, 100  # maximum number of quantiles per feature, and of all features together
SECONDS = 10.0  # time limit of the search


def optimal_tree(
    data: TrainingData, max_depth: int | None, rng: np.random.RandomState, max_features: int = 1, lam: float = 1.0
) -> WorkingTree:
    """Return the WorkingTree with the smallest weight of misclassified rows + lam * decision nodes.

    The search increases the depth up to `max_depth` and at most `MOST_DEPTH`, until the time limit. The tree may use
    quantiles of each feature and the thresholds of CART, so that its objective is not above that of CART of this depth
    if the search ends in time. data : TrainingData; rng : state of CART; max_features : not used, because every split
    has one feature; lam : penalty of a decision node. Raise DataError or ParameterError if the search does not apply.
    """
    if data.n_classes is None:
        raise ParameterError("init='optimal' supports classification only. Use init='cart' for regression.")
    if data.columns.is_sparse:
        raise DataError("init='optimal' does not support sparse X. Use X.toarray() or init='cart'.")
    if data.has_missing():
        raise DataError("init='optimal' does not support NaN in X. Use init='cart', or fill the missing values.")
    depth = MOST_DEPTH if max_depth is None else min(max_depth, MOST_DEPTH)
    rows = np.ascontiguousarray(data.columns.row_major(), np.float64)
    binary = binary_features(rows, _thresholds(data, rows, cart_tree(data, depth, rng)))
    return binary.tree(_search(binary.values, data, depth, lam))


def _thresholds(data, rows, cart):
    splits = [[] for _ in range(data.n_features)]
    for split in cart.splits:
        if split is not None:
            splits[split.features[0]].append((split.weights[0], split.bias))
    count = min(THRESHOLDS, ALL_THRESHOLDS // data.n_features)
    return [column_thresholds(column, data.weights, count, own) for column, own in zip(rows.T, splits, strict=True)]


def _search(binary, data, depth, lam) -> Found:
    """Return the best tree of increasing depths, within the time limit."""
    end, best, lowest = time.monotonic() + SECONDS, None, np.inf
    for most in range(1, depth + 1):
        left = end - time.monotonic()
        if best is not None and left <= 0:
            break
        try:
            found = best_tree(binary, data.y, data.weights, most, lam, max(left, SECONDS / 100))
        except ParameterError:  # no tree of this depth in time
            if best is None:
                raise
            break
        objective = found.loss + lam * np.count_nonzero(found.left >= 0)
        if objective < lowest:
            best, lowest = found, objective
        if not found.proven:
            break
    assert best is not None
    return best
