"""`TreeArrays`: the arrays of a tree and simple properties. `Tree` adds prediction, validation and conversion."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.column_groups import column_groups
from treecore.tree.leaf_model import CONSTANT, LeafModel
from treecore.tree.routing import Routing


@dataclass(frozen=True, eq=False, repr=False)
class TreeArrays:
    """Arrays of a `Tree`, documented and validated there."""

    left: np.ndarray
    right: np.ndarray
    indptr: np.ndarray
    features: np.ndarray
    weights: np.ndarray
    bias: np.ndarray
    labels: np.ndarray
    values: np.ndarray
    n_samples: np.ndarray
    origin: np.ndarray
    classes: np.ndarray
    n_features: int
    feature_names: tuple | None = None
    missing_right: np.ndarray | None = None
    feature_quantiles: np.ndarray | None = None
    leaf_model: LeafModel = CONSTANT

    @property
    def n_nodes(self) -> int:
        """Number of nodes, including leaves."""
        return self.left.size

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.left < 0))

    @property
    def n_decision(self) -> int:
        """Number of decision nodes."""
        return self.n_nodes - self.n_leaves

    @cached_property
    def depths(self) -> np.ndarray:
        """Number of decision nodes above each node, int32[m]."""
        depths = np.zeros(self.n_nodes, np.int32)
        for node in np.flatnonzero(self.left >= 0):
            depths[self.left[node]] = depths[self.right[node]] = depths[node] + 1
        return depths

    @property
    def depth(self) -> int:
        """Largest number of decision nodes on a path from the root to a leaf."""
        return int(self.depths.max())

    @property
    def used_features(self) -> np.ndarray:
        """Sorted features that splits and leaves use, int[u]."""
        return np.unique(np.append(self.features, self.leaf_model.used_features()))

    @property
    def features_per_node(self) -> float:
        """Mean number of features per split (0 for a single leaf). The categories of a column count once."""
        return float(self.columns_per_split().sum() / self.n_decision) if self.n_decision else 0.0

    def columns_per_split(self, groups: Iterable[Sequence[int]] | None = None) -> np.ndarray:
        """Return the number of columns in the split of each node.

        Parameters
        ----------
        groups : iterable of sequences of int or None, default=None
            Features of each column of categories. None uses those that the feature names indicate.

        Returns
        -------
        int64 array of shape (m,)
            Number of columns, 0 for a leaf.
        """
        column_of = np.arange(self.n_features)
        for group in column_groups(self.feature_names) if groups is None else groups:
            column_of[list(group)] = group[0]
        keys = np.repeat(np.arange(self.n_nodes), np.diff(self.indptr)) * self.n_features + column_of[self.features]
        return np.bincount(np.unique(keys) // self.n_features, minlength=self.n_nodes)

    @cached_property
    def parents(self) -> np.ndarray:
        """Parent of each node, int32[m], -1 for the root."""
        parents = np.full(self.n_nodes, -1, np.int32)
        decisions = np.flatnonzero(self.left >= 0)
        parents[self.left[decisions]] = decisions
        parents[self.right[decisions]] = decisions
        return parents

    @cached_property
    def leaf_ranges(self) -> tuple:
        """(first, count), int64[m] each: node i has ``count[i]`` leaves below it, from position ``first[i]`` on.

        Positions are leaf numbers from left to right. The position of a leaf is its own `first`.
        """
        left, right, parents = self.left.tolist(), self.right.tolist(), self.parents.tolist()
        count = np.where(self.left < 0, 1, 0).tolist()
        for node in range(self.n_nodes - 1, 0, -1):
            count[parents[node]] += count[node]
        first = [0] * self.n_nodes
        for node, child in enumerate(left):
            if child >= 0:
                first[child], first[right[node]] = first[node], first[node] + count[child]
        return np.array(first, np.int64), np.array(count, np.int64)

    @property
    def is_regression(self) -> bool:
        """Whether the leaves predict numbers, not classes."""
        return self.classes.size == 0

    @property
    def routing(self) -> Routing:
        """Arrays for the routing kernels."""
        missing_right = np.zeros(self.n_nodes, np.bool_) if self.missing_right is None else self.missing_right
        return Routing(
            self.left, self.right, self.indptr[:-1], self.indptr[1:], self.features, self.weights, self.bias,
            missing_right,
        )  # fmt: skip

    def is_leaf(self, node: int) -> bool:
        """Return whether a node is a leaf.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        bool
            True for a leaf.
        """
        return bool(self.left[node] < 0)

    def split(self, node: int) -> tuple:
        """Return the split of a decision node, in raw units.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        features : int32 array
            Features of the split.
        weights : float64 array
            Weights of these features.
        bias : float
            Bias of the split.
        """
        use = slice(self.indptr[node], self.indptr[node + 1])
        return self.features[use], self.weights[use], float(self.bias[node])

    def feature_name(self, feature: int) -> str:
        """Return the name of a feature.

        Parameters
        ----------
        feature : int
            Number of the feature.

        Returns
        -------
        str
            The name, or ``x3`` for feature 3 of a tree without names.
        """
        return self.feature_names[feature] if self.feature_names else f"x{feature}"
