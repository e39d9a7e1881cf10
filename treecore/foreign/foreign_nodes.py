"""`ForeignNodes`: the nodes of a foreign tree before conversion to a `Tree`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from treecore.errors import TreeFormatError
from treecore.tree.tree import Tree
from treecore.tree.tree_json import MAX_NODES


@dataclass(frozen=True, eq=False)
class ForeignNodes:
    """Nodes of a tree, the root first.

    left, right : int[m], children, -1 in a leaf; features : int[m], feature of each split; first : float64[m], first
    number of that feature that goes right, -inf if all do, inf if none does (`first_number`); missing_right : bool[m],
    None if missing values are not supported; weights : float64[m], weight of the training points, if known; ids :
    int[m], node ids in the source; sets : {node: int[s]}, sorted 0/1 features of a split on a set of categories;
    sets_right : bool or bool[m],
    whether these categories go right.
    """

    left: np.ndarray
    right: np.ndarray
    features: np.ndarray
    first: np.ndarray
    missing_right: np.ndarray | None
    weights: np.ndarray
    ids: np.ndarray
    n_features: int
    feature_names: tuple[str, ...] | None = None
    n_samples: np.ndarray | None = None
    sets: dict = field(default_factory=dict)
    sets_right: bool | np.ndarray = True

    def classification(self, values: np.ndarray, classes: Sequence, labels: np.ndarray | None = None) -> Tree:
        """Return the classification tree. values : float64[m, k], weight of each class in each node."""
        return self._tree(values, classes, values.argmax(axis=1) if labels is None else labels)

    def regression(
        self, outputs: np.ndarray, means: np.ndarray | None = None, variances: np.ndarray | None = None
    ) -> Tree:
        """Return the regression tree whose leaves predict `outputs` (float64[m]).

        means, variances : float64[m], mean and variance of the training points in each node. If None, they are computed
        from the outputs of the leaves, so that a leaf has variance 0.
        """
        if means is None or variances is None:
            means, variances = self.of_leaves(outputs)
        values = np.column_stack([self.weights, np.where(self.left < 0, outputs, means), variances])
        return self._tree(values, (), np.zeros(self.left.size, np.int32))

    def _tree(self, values, classes, labels):
        order = self.order
        place = np.full(self.left.size, -1)
        place[order] = np.arange(order.size)
        decides = self.left[order] >= 0
        left, right = (np.where(decides, place[side[order]], -1) for side in (self.left, self.right))
        pieces = [self._split(node) if self.left[node] >= 0 else ((), (), 0.0) for node in order.tolist()]
        counts = values[:, 0] if self.n_samples is None else self.n_samples
        return Tree(
            left=left, right=right, indptr=np.cumsum([0, *(len(features) for features, _, _ in pieces)]),
            features=np.array([feature for features, _, _ in pieces for feature in features], np.int32),
            weights=np.array([weight for _, weights, _ in pieces for weight in weights], np.float64),
            bias=np.array([bias for _, _, bias in pieces]), labels=labels[order], values=values[order],
            n_samples=np.rint(counts)[order], origin=self.ids[order], classes=np.asarray(classes),
            n_features=self.n_features, feature_names=self.feature_names,
            missing_right=None if self.missing_right is None else self.missing_right[order] & decides,
        )  # fmt: skip

    def _split(self, node):
        """Return (features, weights, bias) of a decision node."""
        if node in self.sets:
            features = self.sets[node].tolist()
            weight = 1.0 if np.broadcast_to(self.sets_right, self.left.size)[node] else -1.0
            return features, [weight] * len(features), -0.5 * weight
        first = float(self.first[node])
        if np.isinf(first):  # weight 0 keeps a missing value missing
            return (int(self.features[node]),), (0.0,), -1.0 if first > 0 else 1.0
        return (int(self.features[node]),), (1.0,), -first

    @property
    def order(self) -> np.ndarray:
        """Reachable nodes, int[r], parents first, in the order of their numbers if possible.

        Raise TreeFormatError for children that are unknown or have two parents.
        """
        m = self.left.size
        if m > MAX_NODES:
            raise TreeFormatError(f"The tree has {m:,} nodes (maximum {MAX_NODES:,}).")
        reached, visited, stack = np.zeros(m, bool), [], [0]
        while stack:
            node = stack.pop()
            if not 0 <= node < m or reached[node]:
                raise TreeFormatError(f"The file is damaged: node {node} of the tree is missing or has two parents.")
            reached[node] = True
            visited.append(node)
            if self.left[node] >= 0 or self.right[node] >= 0:
                stack += [int(self.right[node]), int(self.left[node])]
        rising, decides = np.flatnonzero(reached), reached & (self.left >= 0)
        children = np.minimum(self.left[decides], self.right[decides])
        return rising if (children > np.flatnonzero(decides)).all() else np.array(visited)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the values (float64[m, k]) over the leaves of each subtree, float64[m, k]."""
        sums = np.array(values, np.float64)
        for node in self.order[::-1].tolist():
            if self.left[node] >= 0:
                sums[node] = sums[self.left[node]] + sums[self.right[node]]
        return sums

    def of_leaves(self, outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean and the variance of the leaf outputs in each subtree, float64[m] each."""
        weight, means, variances = self.weights.astype(np.float64), outputs.astype(np.float64), np.zeros(outputs.size)
        for node in self.order[::-1].tolist():
            if self.left[node] < 0:
                continue
            pair = [int(self.left[node]), int(self.right[node])]
            share = weight[pair] / weight[pair].sum()
            weight[node], means[node] = weight[pair].sum(), share @ means[pair]
            variances[node] = share @ (variances[pair] + (means[pair] - means[node]) ** 2)
        return means, variances
