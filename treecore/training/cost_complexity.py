"""Cost-complexity (weakest-link) pruning of CART on flat arrays, for any additive loss.

The cost of a subtree is the risk of its leaves plus alpha per leaf. As alpha grows, the best subtree loses the nodes
with the smallest increase in risk per removed leaf. The subtrees in this sequence are the candidates.
"""

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

TIE = 1e-10  # share of the root's risk; alphas that differ by less are treated as equal


class Subtree(NamedTuple):
    """Best subtree from `alpha` on: the nodes that became leaves at `alpha`, number of leaves and total risk."""

    alpha: float
    collapsed: np.ndarray  # int64
    n_leaves: int
    risk: float


def weakest_links(left: np.ndarray, right: np.ndarray, risk: np.ndarray) -> list:
    """Return the list of `Subtree`s, from the whole tree (alpha is -inf, nothing collapsed) to the root alone.

    left, right : int[m], children, -1 in a leaf, parents before their children; risk : float64[m], training loss of
    each node as a leaf.
    """
    m = left.size
    decisions, parent = np.flatnonzero(left >= 0), _parents(left, right)
    below = _sums_of_leaves(left, right, risk)
    leaves = _sums_of_leaves(left, right, np.ones(m, np.int64))
    link = np.full(m, np.inf)  # increase in risk per removed leaf
    link[decisions] = (risk[decisions] - below[decisions]) / (leaves[decisions] - 1)
    sequence = [Subtree(-np.inf, np.empty(0, np.int64), int(leaves[0]), float(below[0]))]
    tie = TIE * abs(float(risk[0]))
    while leaves[0] > 1:
        alpha = max(float(link.min()), sequence[-1].alpha)
        collapsed = []
        while leaves[0] > 1 and (node := int(link.argmin())) >= 0 and link[node] <= alpha + tie:
            collapsed.append(node)
            rise, fewer = risk[node] - below[node], leaves[node] - 1
            _forget(node, left, right, link)
            while node >= 0:
                below[node] += rise
                leaves[node] -= fewer
                if leaves[node] > 1:
                    link[node] = (risk[node] - below[node]) / (leaves[node] - 1)
                node = parent[node]
        sequence.append(Subtree(alpha, np.array(collapsed), int(leaves[0]), float(below[0])))
    return sequence


def _forget(node, left, right, link):
    stack = [node]
    while stack:
        node = stack.pop()
        link[node] = np.inf
        if left[node] >= 0:
            stack += [left[node], right[node]]


def smallest_validation_risk(
    left: np.ndarray, right: np.ndarray, risk: np.ndarray, validation_risk: np.ndarray
) -> np.ndarray:
    """Mark the leaves, bool[m], of the subtree in `weakest_links` that has the smallest validation risk.

    validation_risk : float64[m], validation loss of each node as a leaf. Ties select the smallest subtree. Nodes below
    a leaf are not marked.
    """
    sequence = weakest_links(left, right, risk)
    risks = risks_along(left, right, sequence, validation_risk)
    most = min(risks) + TIE * abs(float(validation_risk[0]))
    last = max(place for place, value in enumerate(risks) if value <= most)
    is_end = left < 0
    for subtree in sequence[1 : last + 1]:
        is_end[subtree.collapsed] = True
    return is_end & _reached(left, right, is_end)


def risks_along(left: np.ndarray, right: np.ndarray, sequence: list, risk: np.ndarray) -> list:
    """Return the total risk of each `Subtree` of a sequence, a list of float.

    risk : float64[m], loss of each node as a leaf, also on other rows than those of the sequence.
    """
    parent, below = _parents(left, right), _sums_of_leaves(left, right, risk)
    risks = [float(below[0])]
    for subtree in sequence[1:]:
        for node in subtree.collapsed:
            rise = risk[node] - below[node]
            while node >= 0:
                below[node] += rise
                node = parent[node]
        risks.append(float(below[0]))
    return risks


def best_first(left: np.ndarray, right: np.ndarray, impurity: np.ndarray) -> np.ndarray:
    """Return the decision nodes, int64[...], in the order in which best-first growth splits them.

    The next node is the one whose split reduces the impurity most. impurity : float64[m], see `Target.impurities`.
    """
    gains, order = np.zeros(left.size), []
    decisions = np.flatnonzero(left >= 0)
    gains[decisions] = impurity[decisions] - impurity[left[decisions]] - impurity[right[decisions]]
    waiting = [(-gains[0], 0)] if left[0] >= 0 else []
    while waiting:
        _, node = heapq.heappop(waiting)
        order.append(node)
        for child in (int(left[node]), int(right[node])):
            if left[child] >= 0:
                heapq.heappush(waiting, (-gains[child], child))
    return np.array(order, np.int64)


def risks_of_growth(left: np.ndarray, right: np.ndarray, order: np.ndarray, risk: np.ndarray) -> np.ndarray:
    """Return the total risk, float64[k + 1], of the trees with the first 0, 1, ..., k splits of `order`.

    risk : float64[m], loss of each node as a leaf, also on other rows than those of the growth.
    """
    return risk[0] + np.append(0.0, np.cumsum(risk[left[order]] + risk[right[order]] - risk[order]))


def node_losses(
    left: np.ndarray,
    right: np.ndarray,
    outputs: np.ndarray,
    leaves: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    loss: Callable,
) -> np.ndarray:
    """Return the weighted loss of each node as a leaf, float64[m], for `smallest_validation_risk`.

    outputs : [m], prediction of each node (`Tree.outputs`); leaves : int[n], leaf of each row; y : [n], their class
    codes or numbers; weights : float64[n]; loss : function of predictions and targets, such as `Target.losses`.
    """
    sums = np.zeros(left.size)
    parent, at = _parents(left, right), np.array(leaves, np.int64)
    while at.size:
        np.add.at(sums, at, weights * loss(outputs[at], y))
        at = parent[at]
        on = at >= 0
        at, y, weights = at[on], y[on], weights[on]
    return sums


def _parents(left, right):
    parents = np.full(left.size, -1)
    decisions = np.flatnonzero(left >= 0)
    parents[left[decisions]] = parents[right[decisions]] = decisions
    return parents


def _sums_of_leaves(left, right, values):
    """Return the sum of `values` over the leaves of the subtree of each node."""
    sums = np.array(values)
    for node in np.flatnonzero(left >= 0)[::-1]:
        sums[node] = sums[left[node]] + sums[right[node]]
    return sums


def _reached(left, right, is_end):
    """Mark the nodes with no end above them, bool[m]."""
    reached = np.zeros(left.size, bool)
    reached[0] = True
    for node in np.flatnonzero(left >= 0):
        if reached[node] and not is_end[node]:
            reached[left[node]] = reached[right[node]] = True
    return reached
