"""Make a path of nested trees of any size, and noisy data for them, for images, layouts and timing.

The trees are not optimised. They grow best-first, and each split separates two class means. Numbers are rounded so
coarsely that every machine makes the same tree.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from sample_data.data_set import DataSet
from treecore import Tree


class Point(NamedTuple):
    """One tree of a path, without figures."""

    lam: float
    tree: Tree
    figures: Mapping = MappingProxyType({})


class _Split(NamedTuple):
    node: int
    features: np.ndarray
    weights: np.ndarray
    bias: float


def noisy_table(n_rows=4000, n_features=16, n_classes=12, seed=0):
    """Return overlapping clouds of points with two decimals. Leaves never become pure, so trees can become large."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_classes
    centres = rng.normal(0, 2, (n_classes, n_features))
    X = np.round(centres[y] + rng.normal(0, 2, (n_rows, n_features)), 2)
    names = tuple(f"measure {j + 1}" for j in range(n_features))
    return DataSet("clouds", "Noisy clouds", X, y, names, tuple(f"kind {chr(65 + c)}" for c in range(n_classes)))


def grown_path(data, n_nodes, n_features, n_trees=1):
    """Return a list of `Point` with nested trees, from `n_nodes` nodes down to about a third of them.

    n_features : maximum number of features per split in the first tree; later trees keep only the larger weights.
    """
    splits, counts = _grown(data, n_nodes // 2, n_features)
    shares = np.linspace(1, 0.35, n_trees)
    return [Point(0.01 * 1.4**i, _tree(data, splits, counts, share)) for i, share in enumerate(shares)]


def grown_tree(data, n_nodes, n_features):
    """Return the first tree of `grown_path`."""
    return grown_path(data, n_nodes, n_features)[0].tree


def _grown(data, n_splits, n_features):
    """Return (splits in the order of growth, numbers of rows int64[nodes, classes]).

    Split s has the children 2s+1 and 2s+2.
    """
    rows, splits = {0: np.arange(data.n_rows)}, []
    counts = [np.bincount(data.y, minlength=data.n_classes)]
    while len(splits) < n_splits:
        node = max(rows, key=lambda leaf: rows[leaf].size)
        here = rows.pop(node)
        features, weights, bias = _direction(data, here, n_features)
        right = data.X[np.ix_(here, features)].astype(np.float64) @ weights + bias >= 0
        splits.append(_Split(node, features, weights, bias))
        for child, part in enumerate((here[~right], here[right]), start=2 * len(splits) - 1):
            rows[child] = part
            counts.append(np.bincount(data.y[part], minlength=data.n_classes))
    return splits, np.array(counts)


def _direction(data, rows, n_features):
    """Return (features, weights, bias) of a split into halves.

    The split separates the two largest classes or follows the spread.
    """
    X, y = data.X[rows].astype(np.float64), data.y[rows]
    first, second = np.argsort(-np.bincount(y, minlength=data.n_classes), kind="stable")[:2]
    spread = np.round(X.std(axis=0), 3)
    if np.any(y == second):
        gap = np.round(X[y == first].mean(axis=0) - X[y == second].mean(axis=0), 3)
        gap /= spread + max(0.2 * float(spread.max()), 1e-3)
    else:
        gap = spread
    features = np.sort(np.argsort(-np.abs(np.round(gap, 3)), kind="stable")[:n_features])
    weights = np.round(gap[features], 2)
    weights[weights == 0] = 0.01
    return features, weights, -_middle(X[:, features] @ weights)


def _middle(values):
    """Return the midpoint between two values that divides the values most evenly."""
    values = np.sort(np.round(values, 6))
    gaps = np.flatnonzero(values[1:] > values[:-1])
    if gaps.size == 0:
        return float(values[0])
    at = gaps[np.abs(gaps + 1 - values.size / 2).argmin()]
    return float(values[at] + values[at + 1]) / 2


def _tree(data, splits, counts, share):
    """Return the tree with the first `share` of the splits, each with about this share of its weights."""
    splits = splits[: max(1, round(share * len(splits)))] if splits else []
    m = 2 * len(splits) + 1
    left, right, bias = np.full(m, -1), np.full(m, -1), np.zeros(m)
    parts = [(np.zeros(0, int), np.zeros(0))] * m
    for s, split in enumerate(splits):
        left[split.node], right[split.node], bias[split.node] = 2 * s + 1, 2 * s + 2, split.bias
        parts[split.node] = _largest(split, share)
    return Tree(
        left=left, right=right, indptr=np.cumsum([0, *(weights.size for _, weights in parts)]),
        features=np.concatenate([features for features, _ in parts]),
        weights=np.concatenate([weights for _, weights in parts]), bias=bias, labels=counts[:m].argmax(axis=1),
        values=np.maximum(counts[:m], 1), n_samples=counts[:m].sum(axis=1), origin=np.arange(m),
        classes=np.array(data.class_names), n_features=data.n_features, feature_names=data.feature_names,
    )  # fmt: skip


def _largest(split, share):
    kept = max(1, round(share * split.features.size))
    order = np.sort(np.argsort(-np.abs(split.weights), kind="stable")[:kept])
    return split.features[order], split.weights[order]
