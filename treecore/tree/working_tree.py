"""`WorkingTree`: the mutable tree of an optimisation, with fixed structure and changing splits and labels."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from treecore._jit import kernel
from treecore.tree.leaf_model import ConstantLeaves, LeafModel
from treecore.tree.routing import Routing
from treecore.tree.split import Split
from treecore.tree.tree import Tree

_NO_CLASSES = np.empty(0, np.int32)


@kernel
def _complete(left, right, samples, values):
    """Write the numbers of points of decision nodes, and the values of nodes that no point reaches."""
    for node in range(left.size - 1, -1, -1):
        if left[node] >= 0:
            samples[node] = samples[left[node]] + samples[right[node]]
    for node in range(left.size):
        if left[node] >= 0:
            for child in (left[node], right[node]):
                if samples[child] == 0:
                    values[child] = values[node]


class WorkingTree:
    """Tree structure in int arrays, with one `Split` per decision node and one label per node.

    left, right : int32[m]; depth : int32[m]; origin : int64[m]; labels : [m], class codes (int32) or numbers (float64);
    splits : list of Split or None, changed by `set_split`; penalties : float64[m], penalties of the splits; leaf_kind :
    class of the leaf model; models : list of `LinearModel` for linear leaves and the shared weights of decision nodes,
    or None; losses : float64[m], as in `LinearLeaves`; rank : int64[m], position of each leaf from left to right;
    first, last : int64[m], range of the leaf ranks below each node.
    """

    def __init__(
        self, left: ArrayLike, right: ArrayLike, splits: Sequence, labels: ArrayLike, origin: ArrayLike
    ) -> None:
        # Copied, because numba would compile kernels again for the read-only arrays of a `Tree`.
        self.left, self.right = np.array(left, np.int32), np.array(right, np.int32)
        labels = np.array(labels)
        self.labels = labels.astype(np.float64 if labels.dtype.kind == "f" else np.int32)
        self.origin = np.array(origin, np.int64)
        self.leaf_kind: type[LeafModel] = ConstantLeaves
        self.models: Any = None
        self.losses: Any = None
        self.n_nodes = self.left.size
        self.depth = np.zeros(self.n_nodes, np.int32)
        self.first = np.zeros(self.n_nodes, np.int64)
        n_leaves = np.ones(self.n_nodes, np.int64)
        self.decisions = np.flatnonzero(self.left >= 0)
        for node in self.decisions:
            self.depth[self.left[node]] = self.depth[self.right[node]] = self.depth[node] + 1
        for node in self.decisions[::-1]:
            n_leaves[node] = n_leaves[self.left[node]] + n_leaves[self.right[node]]
        for node in self.decisions:
            self.first[self.left[node]] = self.first[node]
            self.first[self.right[node]] = self.first[node] + n_leaves[self.left[node]]
        self.rank = self.first
        self.last = self.first + n_leaves
        self.n_leaves = int(n_leaves[0])
        self._store(splits)

    @classmethod
    def from_tree(cls, tree: Tree, penalty: Callable) -> Self:
        """Return a working copy of a `Tree`. ``penalty(features, weights)`` returns the penalty of a split."""
        splits = [None] * tree.n_nodes
        for node in np.flatnonzero(tree.left >= 0):
            features, weights, bias = tree.split(node)
            missing_right = tree.missing_right is not None and bool(tree.missing_right[node])
            splits[node] = Split(features, weights, bias, penalty(features, weights), missing_right)
        labels, models = tree.leaf_model.start(tree)
        found = cls(tree.left, tree.right, splits, labels, tree.origin)
        found.leaf_kind, found.models = type(tree.leaf_model), models
        return found

    def snapshot(self) -> tuple:
        """Return a copy of the parts that change during optimisation."""
        return list(self.splits), self.labels.copy(), None if self.models is None else list(self.models)

    def restore(self, snapshot: tuple) -> None:
        """Restore a snapshot."""
        self._store(snapshot[0])
        self.labels = snapshot[1].copy()
        self.models = None if snapshot[2] is None else list(snapshot[2])

    def penalty(self) -> float:
        """Return the sum of the penalties of all splits and models."""
        models = 0.0 if self.models is None else sum(model.penalty for model in self.models)
        return float(self.penalties.sum()) + models

    def set_split(self, node: int, split: Split) -> None:
        """Replace the split of a decision node."""
        self.splits[node] = split
        self.penalties[node] = split.penalty
        low, high = self._used, self._used + split.features.size
        if high > self._features.size:
            if high > 4 * int((self._stop - self._start).sum()) + 64:  # most entries belong to replaced splits
                self._store(self.splits)
                return
            self._features, self._weights = np.resize(self._features, 2 * high), np.resize(self._weights, 2 * high)
        self._features[low:high], self._weights[low:high] = split.features, split.weights
        self._start[node], self._stop[node], self._used = low, high, high
        self._bias[node], self._missing_right[node] = split.bias, split.missing_right

    def routing(self) -> Routing:
        """Return flat arrays of the current splits for the kernels, valid until the next `set_split`."""
        return Routing(
            self.left, self.right, self._start, self._stop, self._features, self._weights, self._bias,
            self._missing_right,
        )  # fmt: skip

    def to_tree(
        self,
        loss: Any,
        node_values: np.ndarray,
        leaf_samples: np.ndarray,
        classes: np.ndarray,
        n_features: int,
        feature_names: tuple | None = None,
        frozen: Collection[int] = (),
        missing: bool = False,
        make: Callable = Tree,
    ) -> Tree:
        """Return a `Tree` with the statistics of the training points.

        loss : `Loss`; node_values : float64[m, k], values of the loss in each node (`Loss.node_values`); leaf_samples :
        int64[m], number of points in each leaf; classes : class labels, empty for regression; missing : whether the
        tree routes missing values; make : `Tree`, or `trusted_tree` for trees of intermediate steps. A node that no
        point reaches has the values of its parent. Every other node predicts the best value for its points. In a tie, a
        leaf keeps its current class, as in the leaf step of TAO. Leaves among the `frozen` origin ids keep their label.
        """
        values, samples = node_values.copy(), leaf_samples.copy()
        _complete(self.left, self.right, samples, values)
        is_leaf = self.left < 0
        is_frozen = True if frozen is self.origin else np.isin(self.origin, np.asarray(list(frozen), np.int64))
        kept = is_leaf & (self.models is None) & is_frozen
        best = np.where(is_leaf, loss.labels_of(values, self.labels), loss.labels_of(values))
        labels = np.where(kept | (is_leaf & (samples == 0)), self.labels, best)
        leaf_model = self.leaf_kind.of_nodes(self, loss, values, samples)
        values, labels = loss.stored(values, labels, kept)
        classes = classes if classes.size else _NO_CLASSES
        sizes = self._stop - self._start
        use = np.repeat(self._start - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return make(
            left=self.left, right=self.right, indptr=np.concatenate([[0], np.cumsum(sizes)]),
            features=self._features[use], weights=self._weights[use], bias=self._bias, labels=labels, values=values,
            n_samples=samples, origin=self.origin, classes=classes, n_features=n_features,
            feature_names=feature_names, missing_right=self._missing_right if missing else None,
            leaf_model=leaf_model,
        )  # fmt: skip

    def _store(self, splits):
        """Store all splits, with their weights in one flat array."""
        self.splits = list(splits)
        self.penalties, self._bias = np.zeros(self.n_nodes), np.zeros(self.n_nodes)
        self._missing_right = np.zeros(self.n_nodes, np.bool_)
        sizes = np.zeros(self.n_nodes, np.int64)
        for node in self.decisions:
            split = self.splits[node]
            sizes[node], self.penalties[node] = split.features.size, split.penalty
            self._bias[node], self._missing_right[node] = split.bias, split.missing_right
        self._stop = np.cumsum(sizes)
        self._start = self._stop - sizes
        self._used = int(self._stop[-1])
        used = [self.splits[node] for node in np.flatnonzero(sizes)]
        self._features = np.zeros(2 * self._used + 64, np.int32)
        self._weights = np.zeros(2 * self._used + 64)
        if used:
            self._features[: self._used] = np.concatenate([split.features for split in used])
            self._weights[: self._used] = np.concatenate([split.weights for split in used])


def copied(
    tree: WorkingTree, is_end: np.ndarray, replaced: Mapping[int, WorkingTree], first_origin: int = 0
) -> WorkingTree:
    """Copy a WorkingTree with leaves at `is_end` (bool[m]) and some subtrees replaced.

    replaced : {node: subtree}. The new nodes get ids from `first_origin` on.
    """
    left, right, splits, labels, origins = [], [], [], [], []
    stack = [(tree, 0, is_end, None, 0)]
    while stack:
        source, node, ends, siblings, parent = stack.pop()
        if source is tree and node in replaced:
            source, node = replaced[node], 0
            ends = source.left < 0
        own = len(left)
        if siblings is not None:
            siblings[parent] = own
        left.append(-1)
        right.append(-1)
        splits.append(None if ends[node] else source.splits[node])
        labels.append(source.labels[node])
        origins.append(source.origin[node] if source is tree else first_origin)
        first_origin += source is not tree
        if not ends[node]:
            stack.append((source, int(source.right[node]), ends, right, own))
            stack.append((source, int(source.left[node]), ends, left, own))
    return WorkingTree(left, right, splits, np.array(labels, tree.labels.dtype), origins)
