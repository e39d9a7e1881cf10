"""Growth of C5.0: gain ratio among the thresholds with sufficient gain.

In small training sets, the sufficient gain is the average gain. In large ones, it is the cost of encoding the feature.
The cost of encoding a threshold is subtracted from its gain (Quinlan, Improved use of continuous attributes in C4.5,
1996). Each side needs `min_cases`, or 10 % of the mean class size of the node, up to 25 cases. A categorical column is
split into the two groups of values with the best gain after the cost of encoding the group. Each of these sides needs
`min_cases`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import NamedTuple

import numpy as np

from treecore.baselines.c50 import group_kernels as group_kernels
from treecore.baselines.c50 import kernels as kernels
from treecore.data.feature_encoder import FeatureEncoder
from treecore.parallel import even_ranges

NEARLY = 0.999  # ratio above which C5.0 treats two numbers as equal
MANY, MOST = 500, 1000  # training cases per class between which the weight of the average gain falls to 0
NAMING = 0.9
LEAST_GAIN = 1e-4  # bits; a smaller gain counts as 0
LARGE = 200_000  # number of cases × features above which the features of a node are divided among threads
CHUNKS = 8


class Cases(NamedTuple):
    """Training cases, stored by attribute.

    columns : float64[d, n], numbers or codes of the categories, NaN for missing values; y : int64[n], class
    codes; weights : float64[n]; n_classes : int; n_values : int64[d], number of categories, 0 for numbers.
    """

    columns: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    n_classes: int
    n_values: np.ndarray


class GrownTree:
    """Tree in flat lists, parents before their children. A node whose `left` is -1 is a leaf.

    left, right, feature : int; threshold : float, x <= threshold goes left; group : bool[v], categories that go right,
    None for numbers; missing_right : bool, whether more cases with a value go right;
    counts : float64[n_classes], weight of the cases of each class.
    """

    def __init__(self) -> None:
        self.left, self.right, self.feature, self.threshold, self.group = [], [], [], [], []
        self.missing_right, self.counts = [], []

    def add(self, counts: np.ndarray) -> int:
        """Append a leaf and return its number."""
        for values, value in zip(
            (self.left, self.right, self.feature, self.threshold, self.group, self.missing_right, self.counts),
            (-1, -1, -1, np.nan, None, False, counts),
            strict=True,
        ):
            values.append(value)
        return len(self.left) - 1

    def below(self, node: int) -> list[int]:
        """Return the nodes of the subtree of `node`, parents first."""
        nodes, place = [node], 0
        while place < len(nodes):
            at = nodes[place]
            if self.left[at] >= 0:
                nodes += [self.left[at], self.right[at]]
            place += 1
        return nodes

    def end(self, node: int) -> None:
        """Make `node` a leaf."""
        self.left[node] = self.right[node] = -1

    def raise_branch(self, node: int, branch: int) -> None:
        """Replace the subtree of `node` by that of its child `branch`."""
        for values in (self.left, self.right, self.feature, self.threshold, self.group, self.missing_right):
            values[node] = values[branch]


class _Node:
    """Search for the split of one node."""

    def __init__(self, number, rows, weights, n_features):
        self.number, self.rows, self.weights = number, rows, weights
        self.found, self.groups = np.zeros((n_features, 4)), {}

    def search(self, cases, min_cases, first, last):
        """Fill `found` and, for categories, `groups` for the features [first, last)."""
        for n_values, run in groupby(range(first, last), lambda feature: int(cases.n_values[feature])):
            features = list(run)
            if n_values == 0:
                kernels.threshold_gains(
                    cases.columns, self.rows, self.weights, cases.y, cases.n_classes, min_cases, features[0],
                    features[-1] + 1, self.found,
                )  # fmt: skip
                continue
            for feature in features:
                self.groups[feature] = np.zeros(n_values, np.bool_)
                group_kernels.best_groups(
                    cases.columns[feature], self.rows, self.weights, cases.y, cases.n_classes, min_cases,
                    self.found[feature], self.groups[feature],
                )  # fmt: skip


def grow(cases: Cases, min_cases: float, max_depth: int | None, run: Callable) -> GrownTree:
    """Grow a `GrownTree` on `Cases`. max_depth : int or None; run : maps a function over a list (threads)."""
    tree = GrownTree()
    _grow(tree, cases, (np.arange(cases.y.size), cases.weights), min_cases, max_depth, run)
    _collapse(tree)
    return tree


def grow_below(tree: GrownTree, cases: Cases, part: tuple, min_cases: float) -> int:
    """Append a subtree grown on some of the `Cases` to a `GrownTree` and return the number of its root.

    part : (rows, weights) of these cases, int64[k] and float64[k].
    """
    return _grow(tree, cases, part, min_cases, None, lambda function, pieces: [function(piece) for piece in pieces])


def _grow(tree, cases, part, min_cases, max_depth, run):
    n_features = cases.columns.shape[0]
    share = min(max((cases.y.size // cases.n_classes - MANY) / (MOST - MANY), 0.0), 1.0)
    root = tree.add(kernels.class_weights(*part, cases.y, cases.n_classes))
    level, depth = [_Node(root, *part, n_features)], 0
    while level and (max_depth is None or depth < max_depth):
        level = [node for node in level if _may_split(tree.counts[node.number], min_cases)]
        pieces = []
        for node in level:
            parts = even_ranges(n_features, CHUNKS if node.rows.size * n_features > LARGE else 1)
            pieces += [(node, first, last) for first, last in parts]
        run(lambda piece: piece[0].search(cases, min_cases, piece[1], piece[2]), pieces)
        following = []
        for node in level:
            feature = best_feature(node.found[:, 0], node.found[:, 1], node.weights.sum(), share)
            if feature >= 0:
                following += _branch(tree, node, feature, cases)
        level, depth = following, depth + 1
    return root


def best_feature(gain: np.ndarray, information: np.ndarray, cases: np.ndarray, share: float) -> int:
    """Return the feature with the largest gain ratio among those with sufficient gain, or -1 if there is none.

    gain, information : float64[d]; cases : their weight in the node; share : float in [0, 1]. The sufficient gain is a
    weighted mean: weight `share` for the cost of encoding a feature, and 1 - `share` for the average gain. If ratios
    are nearly equal, the larger gain is selected.
    """
    gain, information = gain.astype(np.float32), information.astype(np.float32)  # makes ties exact
    candidates = np.flatnonzero(gain >= LEAST_GAIN)
    if candidates.size == 0:
        return -1
    least = (1.0 - share) * gain[candidates].mean() + share * NAMING * np.log2(candidates.size) / cases
    best, best_ratio = -1, 0.0
    for feature in candidates[gain[candidates] >= NEARLY * least]:
        ratio = gain[feature] / information[feature]
        if ratio > best_ratio or (ratio > NEARLY * best_ratio and gain[feature] > gain[best]):
            best, best_ratio = int(feature), ratio
    return best


def divide(cases: Cases, tree: GrownTree, node: int, rows: np.ndarray, weights: np.ndarray) -> tuple:
    """Return the cases on the two sides of a split in a `GrownTree`, as `c50_kernels.divide` does."""
    column, group = cases.columns[tree.feature[node]], tree.group[node]
    if group is None:
        return kernels.divide(column, tree.threshold[node], rows, weights)
    return group_kernels.divide_groups(column, group, rows, weights)


def _may_split(counts, min_cases):
    total = counts.sum()
    return counts.max() < NEARLY * total and total >= 2 * min_cases


def _branch(tree, node, feature, cases):
    """Convert a leaf to a decision node; return its two children."""
    number = node.number
    tree.feature[number], tree.group[number] = feature, node.groups.get(feature)
    if tree.group[number] is None:
        tree.threshold[number] = _between(*node.found[feature, 2:])
    parts = divide(cases, tree, number, node.rows, node.weights)
    tree.missing_right[number] = tree.group[number] is None and bool(parts[5] > parts[4])
    children = []
    for rows, weights in (parts[:2], parts[2:4]):
        child = tree.add(kernels.class_weights(rows, weights, cases.y, cases.n_classes))
        children.append(_Node(child, rows, weights, node.found.shape[0]))
    tree.left[number], tree.right[number] = (child.number for child in children)
    return children


def _between(low, high):
    """Return the midpoint of two adjacent values, in single precision as in C5.0 if this separates them."""
    with np.errstate(over="ignore"):
        middle = float(np.float32(0.5 * float(np.float32(low) + np.float32(high))))
    if low <= middle < high:
        return middle
    middle = low + 0.5 * (high - low)
    return low if np.float32(low) == low and np.float32(high) == high or not low <= middle < high else middle


def _collapse(tree):
    """Replace each subtree that has as many errors as a leaf by a leaf."""
    errors = [float(counts.sum() - counts.max()) for counts in tree.counts]
    for node in range(len(errors) - 1, -1, -1):
        if tree.left[node] >= 0:
            below = errors[tree.left[node]] + errors[tree.right[node]]
            if below >= NEARLY * errors[node]:
                tree.end(node)
            else:
                errors[node] = below


def attributes(features: np.ndarray, encoder: FeatureEncoder) -> tuple:
    """Convert encoded features to attributes and return (columns, n_values).

    features : [d, n], any dtype; encoder : FeatureEncoder that made them. columns : float64[a, n], one row per column
    of X: numbers, or codes 0 .. v - 1 of categories; NaN for a missing value or an unknown category. n_values :
    int64[a], number v of categories, 0 for numbers.
    """
    if encoder.columns is None:
        return np.ascontiguousarray(features, np.float64), np.zeros(features.shape[0], np.int64)
    n_values = np.array([len(categories or ()) for categories in encoder.columns], np.int64)
    columns = np.empty((n_values.size, features.shape[1]))
    for column, group, values in zip(columns, encoder.groups, n_values, strict=True):
        flags = features[group.start : group.stop]
        column[:] = np.where(flags.max(axis=0) == 1, flags.argmax(axis=0), np.nan) if values else flags[0]
    return columns, n_values


def attribute_names(encoder: FeatureEncoder) -> list:
    """Return the list of column names of X, with names such as ``x3`` for unnamed columns."""
    if encoder.columns is not None:
        return encoder.names
    return list(encoder.feature_names or (f"x{column}" for column in range(len(encoder.groups))))
