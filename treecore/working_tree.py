"""The mutable tree of one optimisation: fixed structure, splits and labels that change."""

import numpy as np

from treecore.routing import Routing
from treecore.split import Split
from treecore.tree import Tree


class WorkingTree:
    """Structure as int arrays, one `Split` per decision node, one label per node.

    left, right : int32[m]; depth : int32[m]; origin : int64[m]; labels : int32[m]; splits : list of Split or None;
    rank : int64[m], position of each leaf from left to right; first, last : the ranks of the leaves below each node.
    """

    def __init__(self, left, right, splits, labels, origin):
        self.left = np.ascontiguousarray(left, np.int32)
        self.right = np.ascontiguousarray(right, np.int32)
        self.splits = list(splits)
        self.labels = np.array(labels, np.int32)
        self.origin = np.array(origin, np.int64)
        self.n_nodes = self.left.size
        self.depth = np.zeros(self.n_nodes, np.int32)
        self.rank = np.zeros(self.n_nodes, np.int64)
        self.first = np.zeros(self.n_nodes, np.int64)
        self.last = np.zeros(self.n_nodes, np.int64)
        n_leaves = np.ones(self.n_nodes, np.int64)
        decisions = np.flatnonzero(self.left >= 0)
        for node in decisions:
            self.depth[self.left[node]] = self.depth[self.right[node]] = self.depth[node] + 1
        for node in decisions[::-1]:
            n_leaves[node] = n_leaves[self.left[node]] + n_leaves[self.right[node]]
        for node in decisions:
            self.first[self.left[node]] = self.first[node]
            self.first[self.right[node]] = self.first[node] + n_leaves[self.left[node]]
        self.rank[:] = self.first
        self.last[:] = self.first + n_leaves
        self.n_leaves = int(n_leaves[0])

    @classmethod
    def from_tree(cls, tree, penalty):
        """Working copy of a `Tree`; ``penalty(features, weights)`` is the cost of a split."""
        splits = [None] * tree.n_nodes
        for node in np.flatnonzero(tree.left >= 0):
            features, weights, bias = tree.split(node)
            splits[node] = Split(features, weights, bias, penalty(features, weights))
        return cls(tree.left, tree.right, splits, tree.labels, tree.origin)

    def snapshot(self):
        """What changes during optimisation, copied."""
        return list(self.splits), self.labels.copy()

    def restore(self, snapshot):
        """Put a snapshot back."""
        self.splits, self.labels = list(snapshot[0]), snapshot[1].copy()

    def penalty(self):
        """Sum of the penalties of all splits."""
        return float(sum(split.penalty for split in self.splits if split is not None))

    def routing(self):
        """Flat arrays of the current splits for the kernels."""
        counts = [0 if split is None else split.features.size for split in self.splits]
        used = [split for split in self.splits if split is not None and split.features.size]
        return Routing(
            self.left,
            self.right,
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([split.features for split in used]) if used else np.empty(0, np.int32),
            np.concatenate([split.weights for split in used]) if used else np.empty(0),
            np.array([0.0 if split is None else split.bias for split in self.splits]),
        )

    def to_tree(self, leaf_counts, leaf_samples, classes, n_features, feature_names=None, frozen=()):
        """`Tree` with the statistics of the training points.

        leaf_counts : float64[m, k], weighted class counts in the rows of the leaves; leaf_samples : int64[m].
        A node that no point reaches takes over the class counts of its parent. Every other node predicts its
        majority class (of equals the first), but leaves among the `frozen` origin ids keep their label.
        """
        counts, samples = leaf_counts.copy(), leaf_samples.copy()
        for node in np.flatnonzero(self.left >= 0)[::-1]:
            counts[node] = counts[self.left[node]] + counts[self.right[node]]
            samples[node] = samples[self.left[node]] + samples[self.right[node]]
        fixed = (self.left < 0) & ((samples == 0) | np.isin(self.origin, np.asarray(list(frozen), np.int64)))
        labels = np.where(fixed, self.labels, counts.argmax(axis=1))
        for node in np.flatnonzero(self.left >= 0):
            for child in (self.left[node], self.right[node]):
                if samples[child] == 0:
                    counts[child] = counts[node]
        routing = self.routing()
        return Tree(
            left=self.left, right=self.right, indptr=routing.indptr, features=routing.features,
            weights=routing.weights, bias=routing.bias, labels=labels, values=counts, n_samples=samples,
            origin=self.origin, classes=classes, n_features=n_features, feature_names=feature_names,
        )  # fmt: skip
