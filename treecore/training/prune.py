"""Pruning of dead branches and pure subtrees (Carreira-Perpiñán and Tavallali 2018, section 3), and final sides."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.training.cost_complexity import best_first
from treecore.tree.split import Split
from treecore.tree.tree import Tree, trusted_tree


def prune(tree: Tree, keep: Sequence = (), by_class: bool = True) -> Tree:
    """Return a smaller tree with the same predictions on the training points.

    If a child of a decision node receives no training points, the other child replaces the node. If all points of a
    subtree have one class, or all its leaves predict one class, it becomes a leaf. keep : origin ids of nodes that are
    kept, together with their ancestors; by_class : whether a subtree whose points have one class becomes a leaf,
    whatever its leaves predict. The same object is returned if nothing changes.
    """
    m = tree.n_nodes
    kept = np.isin(tree.origin, np.asarray(list(keep), np.int64))
    _, first, codes = np.unique(tree.leaf_model.keys(tree), return_index=True, return_inverse=True, axis=0)
    codes = codes.ravel()
    uniform = np.where(tree.left < 0, codes, -1)  # prediction that all reached leaves of a subtree share, or -1
    for node in range(m - 1, -1, -1):
        left, right = tree.left[node], tree.right[node]
        if left >= 0:
            kept[node] |= kept[left] or kept[right]
            if uniform[left] == uniform[right] or (tree.n_samples[right] == 0 and not kept[right]):
                uniform[node] = uniform[left]
            elif tree.n_samples[left] == 0 and not kept[left]:
                uniform[node] = uniform[right]
    pure = tree.target.is_pure(tree.values) & by_class

    order = []  # (old node, whether it becomes a leaf) for each remaining node, parents first
    position = {}
    children = []
    stack = [(0, -1, 0)]
    while stack:
        node, parent, side = stack.pop()
        while tree.left[node] >= 0 and not kept[node]:
            left, right = tree.left[node], tree.right[node]
            if tree.n_samples[left] == 0 and not kept[left]:
                node = right
            elif tree.n_samples[right] == 0 and not kept[right]:
                node = left
            else:
                break
        leaf = bool(tree.left[node] < 0 or (not kept[node] and (uniform[node] >= 0 or pure[node])))
        position[node] = len(order)
        order.append((node, leaf))
        children.append([-1, -1])
        if parent >= 0:
            children[parent][side] = position[node]
        if not leaf:
            stack.append((tree.right[node], position[node], 1))
            stack.append((tree.left[node], position[node], 0))
    if len(order) == m:
        return tree
    nodes = np.array([node for node, _ in order])
    leaf = np.array([is_leaf for _, is_leaf in order])
    children = np.array(children, np.int32).reshape(-1, 2)
    counts = np.where(leaf, 0, np.diff(tree.indptr)[nodes])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    take = [np.arange(tree.indptr[n], tree.indptr[n + 1]) for n, is_leaf in order if not is_leaf]
    take = np.concatenate(take) if take else np.empty(0, np.int64)
    labels = tree.labels[nodes].copy()
    collapsed = leaf & (tree.left[nodes] >= 0)
    shared, best = tree.labels[first[uniform[nodes]]], tree.target.best_labels(tree.values[nodes])
    labels[collapsed] = np.where(uniform[nodes] >= 0, shared, best)[collapsed]
    return Tree(
        left=children[:, 0], right=children[:, 1], indptr=indptr, features=tree.features[take],
        weights=tree.weights[take], bias=np.where(leaf, 0.0, tree.bias[nodes]), labels=labels,
        values=tree.values[nodes], n_samples=tree.n_samples[nodes], origin=tree.origin[nodes],
        classes=tree.classes, n_features=tree.n_features, feature_names=tree.feature_names,
        missing_right=None if tree.missing_right is None else tree.missing_right[nodes] & ~leaf,
        feature_quantiles=tree.feature_quantiles, leaf_model=tree.leaf_model.taken(nodes),
    )  # fmt: skip


def cut(tree: Tree, is_end: np.ndarray) -> Tree:
    """Replace the subtrees of the nodes in `is_end` (bool[m]) by leaves. Return the same tree if they are leaves.

    Every leaf of the tree must be marked or below a marked node.
    """
    nodes = []  # remaining nodes, parents first
    stack = [0]
    while stack:
        node = stack.pop()
        nodes.append(node)
        if not is_end[node]:
            stack += [tree.right[node], tree.left[node]]
    if len(nodes) == tree.n_nodes:
        return tree
    nodes = np.array(nodes)
    return remaining(tree, nodes, is_end[nodes])


def best_part(tree: Tree, n_leaves: int) -> Tree:
    """Return the part of a tree with at most `n_leaves` leaves that best-first growth would reach first."""
    if tree.n_leaves <= n_leaves or not tree.leaf_model.is_constant:  # an inner node has no linear model
        return tree
    is_end = np.ones(tree.n_nodes, np.bool_)
    is_end[best_first(tree.left, tree.right, tree.target.impurities(tree.values))[: n_leaves - 1]] = False
    return cut(tree, is_end)


def remaining(tree: Tree, nodes: np.ndarray, ends: np.ndarray) -> Tree:
    """Return the tree of some nodes.

    nodes : int64[k], the root and other nodes with their parents, parents first; ends : bool[k], which of them are
    leaves of the result. The children of all others are in `nodes`.
    """
    position = np.full(tree.n_nodes, -1, np.int32)
    position[nodes] = np.arange(nodes.size)
    counts = np.where(ends, 0, np.diff(tree.indptr)[nodes])
    stops = np.cumsum(counts)
    take = np.repeat(tree.indptr[nodes] - stops + counts, counts) + np.arange(stops[-1])
    left, right = (np.where(ends, -1, position[side[nodes]]) for side in (tree.left, tree.right))
    return trusted_tree(
        left=left, right=right,
        indptr=np.concatenate([[0], stops]), features=tree.features[take], weights=tree.weights[take],
        bias=np.where(ends, 0.0, tree.bias[nodes]), labels=tree.labels[nodes], values=tree.values[nodes],
        n_samples=tree.n_samples[nodes], origin=tree.origin[nodes], classes=tree.classes, n_features=tree.n_features,
        feature_names=tree.feature_names, feature_quantiles=tree.feature_quantiles,
        missing_right=None if tree.missing_right is None else tree.missing_right[nodes] & ~ends,
        leaf_model=tree.leaf_model.taken(nodes),
    )  # fmt: skip


class RowCounts:
    """Numbers of training rows in the nodes of a tree, for `settled`."""

    def __init__(self, tree: Tree, data: TrainingData) -> None:
        self._tree, self._data, self.groups = tree, data, data.groups
        self._leaf = np.empty(data.n_rows, np.int64)
        data.columns.leaves(tree.routing, 0, 0, data.n_rows, self._leaf)

    def missing(self, feature: int) -> np.ndarray:
        """Return the number of rows of each node that miss a feature, int64[m]."""
        values = self._data.columns.values[feature]
        return self._of_codes(np.isnan(values), 2)[:, 1]

    def of_categories(self, group: int) -> np.ndarray:
        """Return the number of rows of each node with each category of a column, and with none, int64[m, k + 1]."""
        return self._of_codes(self.groups.codes[group], int(self.groups.n_codes[group]))[:, :-1]

    def _of_codes(self, codes, n_codes):
        m = self._tree.n_nodes
        counts = np.bincount(self._leaf * n_codes + codes, minlength=m * n_codes).reshape(m, n_codes)
        return summed_up(self._tree.left, self._tree.right, counts)


def summed_up(left: np.ndarray, right: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return counts [m, ...] of leaves, summed up over the leaves below each node."""
    for node in np.flatnonzero(left >= 0)[::-1]:
        counts[node] = counts[left[node]] + counts[right[node]]
    return counts


def settled(tree: Tree, rows: Any, frozen: Collection[int] = ()) -> Tree:
    """Return the tree whose splits send values that no training row of the node has to the side with more weight.

    These are missing values, categories without rows in the node, and unknown categories. The predictions of training
    rows do not change. rows : `RowCounts` of the training rows; frozen : origin ids of unchanged nodes.
    """
    learns = tree.missing_right is not None
    is_free = (tree.left >= 0) & ~np.isin(tree.origin, np.asarray(list(frozen), np.int64))
    weights = tree.target.weights(tree.values)
    more = np.where(is_free, weights[tree.right] - weights[tree.left], 0.0)  # on the right
    missing_right = np.zeros(tree.n_nodes, np.bool_) if tree.missing_right is None else tree.missing_right
    splits = [
        Split(features, weights, bias, 1.0, bool(right))
        for (features, weights, bias), right in zip(map(tree.split, range(tree.n_nodes)), missing_right, strict=True)
    ]
    if learns:
        lost = {feature: rows.missing(feature) for feature in np.unique(tree.features).tolist()}
        for node in np.flatnonzero(more):
            if not any(lost[feature][node] for feature in splits[node].features.tolist()):
                splits[node] = splits[node]._replace(missing_right=bool(more[node] > 0))
    for group, column in enumerate(rows.groups.members):
        own = [node for node in np.flatnonzero(more) if np.isin(splits[node].features, column).all()]
        if not own:
            continue
        counts = rows.of_categories(group)
        for node in own:
            split, default = splits[node], bool(more[node] > 0)
            if (split.bias >= 0) == default or counts[node, column.size] > 0:  # rows without a category keep their side
                continue
            sums = np.full(column.size, split.bias)
            sums[np.searchsorted(column, split.features)] += split.weights
            right = np.where(counts[node, : column.size] > 0, sums >= 0, default)
            splits[node] = rows.groups.split(group, right, default, split.missing_right) or split
    return replace(
        tree, indptr=np.concatenate([[0], np.cumsum([split.features.size for split in splits])]),
        features=np.concatenate([split.features for split in splits]),
        weights=np.concatenate([split.weights for split in splits]), bias=np.array([split.bias for split in splits]),
        missing_right=np.array([split.missing_right for split in splits]) if learns else None,
    )  # fmt: skip
