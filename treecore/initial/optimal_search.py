"""Search for a tree with the smallest objective on binary features, by the package pystreed.

See van der Linden, de Weerdt and Demirović 2023. Other modules do not depend on that package.
"""

import time
import warnings
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import ParameterError


class Found(NamedTuple):
    """Best tree of a search.

    left, right : int32[m], children of each node, -1 in a leaf; feature : int32[m], binary feature of each decision
    node, whose rows with the value 1 go right; labels : int32[m], class codes of the leaves; loss : weight of the
    misclassified rows; proven : whether no other tree has a smaller objective.
    """

    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    labels: np.ndarray
    loss: float
    proven: bool


def best_tree(
    binary: np.ndarray, y: np.ndarray, weights: np.ndarray, max_depth: int, lam: float, time_limit: float
) -> Found:
    """Return the tree with the smallest loss + lam * decision nodes that the search finds within a time limit.

    binary : bool[n, m]; y : int[n], class codes; weights : float64[n], positive. Raise ParameterError if the search
    finds no tree, or if pystreed is not installed.
    """
    streed = _package()
    unit = 2.0 ** np.round(np.log2(weights.mean()))  # pystreed regards small differences of costs as 0
    weights, lam = weights / unit, lam / unit
    classes, codes = np.unique(y, return_inverse=True)
    alone = _one_leaf(codes, weights)
    if binary.shape[1] == 0 or classes.size == 1 or lam >= alone.loss:
        found = alone
    elif np.ptp(weights) <= 1e-12 * weights.max():
        found = _equal_weights(streed, binary.astype(np.intc), codes, weights[0], max_depth, lam, time_limit)
    else:
        found = _unequal_weights(streed, binary.astype(np.intc), codes, weights, max_depth, lam, time_limit)
    return found._replace(labels=classes[found.labels].astype(np.int32), loss=found.loss * unit)


def least_loss(binary: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Return the loss of rows that no tree separates, because their binary features are equal."""
    packed = np.ascontiguousarray(np.packbits(binary, axis=1))
    keys = packed.view(np.dtype((np.void, max(1, packed.shape[1])))).ravel() if packed.size else np.zeros(len(y))
    _, group = np.unique(keys, return_inverse=True)
    totals = np.zeros((group.max() + 1, int(y.max()) + 1))
    np.add.at(totals, (group, y), weights)
    return float(weights.sum() - totals.max(axis=1).sum())


def _package() -> Any:
    try:
        return import_module("pystreed")
    except ImportError:
        raise ParameterError(
            "Optimal trees need the package pystreed, which is not installed. Run pip install pystreed."
        ) from None


def _one_leaf(codes, weights):
    totals = np.bincount(codes, weights)
    none = np.full(1, -1, np.int32)
    label = np.array([totals.argmax()], np.int32)
    return Found(none, none, none, label, float(totals.sum() - totals.max()), True)


def _equal_weights(streed, binary, codes, weight, max_depth, lam, time_limit):
    n = len(codes)
    model = streed.STreeDClassifier(
        "cost-complex-accuracy" if lam else "accuracy", max_depth=max_depth, time_limit=time_limit,
        cost_complexity=min(1.0, lam / (weight * n)),
    )  # fmt: skip
    result = _solved(model, binary, codes, time_limit)
    return _found(model, float(round((1 - result.score()) * n) * weight), result.is_optimal())


def _unequal_weights(streed, binary, codes, weights, max_depth, lam, time_limit):
    """Search for each number of decision nodes, because pystreed has no penalty for unequal costs."""
    costs = np.repeat(weights[:, None], codes.max() + 1, axis=1)
    costs[np.arange(len(codes)), codes] = 0.0
    least = least_loss(binary.astype(bool), codes, weights)
    end = time.monotonic() + time_limit
    model = streed.STreeDInstanceCostSensitiveClassifier(max_depth=max_depth, time_limit=time_limit)
    best, lowest, proven = _one_leaf(codes, weights), np.inf, True
    most = 2**max_depth - 1
    for count in range(1, most + 1) if lam else (most,):
        lowest = min(lowest, best.loss + lam * _n_decisions(best))
        left = end - time.monotonic()
        if least + lam * count >= lowest:
            break
        if left <= 0:
            proven = False
            break
        model.set_params(max_num_nodes=count, time_limit=left)
        result = _solved(model, binary, costs, time_limit)
        proven &= result.is_optimal()
        found = _found(model, float(result.score()), True)
        if found.loss + lam * _n_decisions(found) < lowest:
            best = found
    return best._replace(proven=proven)


def _solved(model, binary, target, time_limit):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns if it found no tree, which raises an error here
        model.fit(binary, target)
    if not model.is_fitted():
        raise ParameterError(
            f"time_limit={time_limit:g}: the search found no tree within this time. Use a longer time."
        )
    return model.fit_result


def _found(model, loss, proven):
    """Return the tree of a fitted model in flat arrays, parents first."""
    left, right, feature, labels = [], [], [], []
    stack = [(model.get_tree(), None, 0)]
    while stack:
        node, side, parent = stack.pop()
        if side is not None:
            side[parent] = len(left)
        is_leaf = node.is_leaf_node()
        feature.append(-1 if is_leaf else node.feature)
        labels.append(int(node.label) if is_leaf else 0)
        left.append(-1)
        right.append(-1)
        if not is_leaf:
            place = len(left) - 1
            stack += [(node.right_child, right, place), (node.left_child, left, place)]
    arrays = (np.array(values, np.int32) for values in (left, right, feature, labels))
    return Found(*arrays, loss, proven)


def _n_decisions(found):
    return int((found.left >= 0).sum())
