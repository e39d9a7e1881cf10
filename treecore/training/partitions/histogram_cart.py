"""CART grown on all rows from histograms, best leaf first."""

import heapq
from collections.abc import Container
from typing import Any

import numpy as np

from treecore.training.partitions.coding import CodeTree, Coding
from treecore.training.partitions.histogram_search import best_impurity_cut, best_impurity_group, cut_split
from treecore.training.partitions.shard import Problem, batches, ranges_of
from treecore.training.partitions.shards import total
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

FORESEEN = 16  # smallest number of leaves that a round divides
ROUNDING = 1e-9  # share of a weight
TIE = 1e-10  # share of the weight of a node; smaller gains are rounding errors


class _Growth:
    """Nodes that may be in the result, parents first. Each has the gain of its best split, 0 for none."""

    def __init__(self) -> None:
        self.left, self.right, self.depth = [-1], [-1], [0]
        self.split: list[Split | None] = [None]
        self.gain = [0.0]

    def divide(self, node: int) -> list[int]:
        """Add the children of a node and return them."""
        children = [len(self.left), len(self.left) + 1]
        self.left[node], self.right[node] = children
        for _ in children:
            self.left.append(-1)
            self.right.append(-1)
            self.depth.append(self.depth[node] + 1)
            self.split.append(None)
            self.gain.append(0.0)
        return children

    def whole(self) -> WorkingTree:
        """Return the tree of all nodes, with their numbers."""
        splits = [split if left >= 0 else None for split, left in zip(self.split, self.left, strict=True)]
        m = len(self.left)
        return WorkingTree(self.left, self.right, splits, np.zeros(m, np.int32), np.arange(m))

    def chosen(self, inner: Container[int], labels: np.ndarray) -> WorkingTree:
        """Return the tree with the decision nodes `inner`. labels : [m], prediction of each node."""
        left, right, splits, numbers = [], [], [], []
        stack: list[tuple] = [(0, None, 0)]
        while stack:
            node, siblings, parent = stack.pop()
            own = len(numbers)
            if siblings is not None:
                siblings[parent] = own
            numbers.append(node)
            left.append(-1)
            right.append(-1)
            splits.append(self.split[node] if node in inner else None)
            if node in inner:
                stack += [(self.right[node], right, own), (self.left[node], left, own)]
        return WorkingTree(left, right, splits, labels[numbers], np.arange(len(numbers)))

    def best_first(self, most: int) -> tuple[set, list]:
        """Return the decision nodes of the tree with at most `most` leaves, and the nodes that must be divided first.

        The second list is empty if the first is final. It contains all leaves that the order could reach, and at least
        `FORESEEN` leaves, if there are so many, because each round reads all rows.
        """
        heap = [(-self.gain[0], 0)] if self.gain[0] > 0 else []
        inner: set = set()
        wanted: list = []
        while heap and (len(inner) + len(wanted) < most - 1 or 0 < len(wanted) < FORESEEN):
            _, node = heapq.heappop(heap)
            if self.left[node] < 0:
                wanted.append(node)
                continue
            inner.add(node)
            for child in (self.left[node], self.right[node]):
                if self.gain[child] > 0:
                    heapq.heappush(heap, (-self.gain[child], child))
        return inner, wanted


def histogram_cart(
    shards: Any,
    problem: Problem,
    coding: Coding,
    max_leaf_nodes: int,
    max_depth: int | None = None,
    min_samples_leaf: float = 1,
) -> WorkingTree:
    """Grow a tree by the Gini index or the squared error, always splitting the leaf with the largest decrease.

    Each round divides all leaves that the best-first order can reach next, and reads the rows once. Nodes that this
    order does not reach are not in the result, which is therefore the tree of splits one at a time.

    shards : object with `call`, see `LocalShards`; max_leaf_nodes : int >= 1; max_depth : int or None;
    min_samples_leaf : smallest weight of a leaf, in mean weights of a row. If it is 1, leaves may have any weight.
    """
    growth, fresh = _Growth(), [0]
    labels, unit = np.zeros(0), 1.0  # mean weight of a row
    codes = CodeTree(coding, growth.whole())
    while True:
        tree = growth.whole()
        codes.extend(tree)
        name = "route" if len(growth.left) == 1 else "descend"
        values, counts = total(shards.call(name, codes.nodes(), ranges_of(tree)))
        values = problem.values_of(values)
        if name == "route":
            unit = float(values[0, 0] if problem.is_squared else values[0].sum()) / max(int(counts[0]), 1)
        labels = np.concatenate([labels, problem.loss.labels_of(values[labels.size :])])
        _evaluate(growth, np.array(fresh), values, shards, problem, coding, max_depth, min_samples_leaf, unit)
        inner, wanted = growth.best_first(max_leaf_nodes)
        if not wanted:
            return growth.chosen(inner, labels.astype(np.float64 if problem.is_squared else np.int32))
        fresh = [child for node in wanted for child in growth.divide(node)]


def _evaluate(growth, fresh, values, shards, problem, coding, max_depth, min_samples_leaf, unit):
    """Find the best split of each fresh leaf. unit : mean weight of a row."""
    least = (1 - ROUNDING) * min_samples_leaf * unit if min_samples_leaf > 1 else 0.0
    weight = values[fresh, 0] if problem.is_squared else values[fresh].sum(axis=1)
    may = (problem.loss.losses_of(values[fresh]) > 0) & (weight >= 2 * least)
    if max_depth is not None:
        may &= np.array([growth.depth[node] < max_depth for node in fresh])
    usable = problem.layout.features >= 0
    for batch in batches(np.flatnonzero(may), problem.n_columns, problem.n_channels):
        histograms = total(shards.call("target_histograms", fresh[batch]))
        for place, histogram in zip(batch, histograms, strict=True):
            node = int(fresh[place])
            tie = TIE * _scale(values[node], problem)
            gain, column, low, high, missing_right = best_impurity_cut(
                histogram, usable, problem.is_squared, least, tie
            )
            if column >= 0:
                growth.split[node] = cut_split(coding, column, low, high, True, missing_right)
                growth.gain[node] = gain
            group = best_impurity_group(histogram, problem.layout, problem.is_squared, least, tie, unit)
            if group is not None and group.score > growth.gain[node] + tie:
                growth.split[node], growth.gain[node] = group.split, group.score


def _scale(values, problem):
    """Return the largest possible decrease of the impurity in a node."""
    return float(values[0] * values[2]) if problem.is_squared else float(values.sum())
