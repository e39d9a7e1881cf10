"""`Interactions`: sets of features that the splits on one path from the root to a leaf may use together."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from treecore.constraints.column_values import KEYWORDS
from treecore.tree.split import constant_split
from treecore.tree.working_tree import WorkingTree


class Interactions:
    """Constraint on the features of every path.

    sets : bool[g, d], sets of features, of which one must contain the features of a path; or most : int, largest number
    of features of a path.
    """

    def __init__(self, n_features: int, sets: np.ndarray | None = None, most: int = 0) -> None:
        self.n_features, self.sets, self.most = n_features, sets, most

    def parameter(self) -> str | list:
        """Return the value of `interaction_cst` for arrays of features."""
        if self.sets is None:
            return next(name for name, most in KEYWORDS.items() if most == self.most)
        return [np.flatnonzero(features).tolist() for features in self.sets]

    def allows(self, features: Collection[int]) -> bool:
        """Return whether a path may use these features."""
        if self.sets is None:
            return len(set(features)) <= self.most
        return bool(self.sets[:, list(features)].all(axis=1).any())

    def following(self, features: Collection[int]) -> np.ndarray:
        """Return the features that a path with `features` may also use, bool[d]."""
        if self.sets is not None:
            return np.any(self.sets[self.sets[:, list(features)].all(axis=1)], axis=0)
        if len(features) < self.most:
            return np.ones(self.n_features, np.bool_)
        return np.isin(np.arange(self.n_features), list(features))

    def permitted(self, tree: WorkingTree, node: int) -> tuple[np.ndarray, Callable]:
        """Return the features that a node may use, bool[d], and `Permitted.together`."""
        paths = self._paths(tree, node)
        usable = np.ones(self.n_features, np.bool_)
        for path in paths:
            usable &= self.following(path)
        return usable, lambda first, second: np.all([self._pairs(path, first, second) for path in paths], axis=0)

    def holds(self, tree: WorkingTree) -> bool:
        """Return whether every path of a tree satisfies the constraint."""
        return all(self.allows(path) for path in self._below(tree, 0))

    def broken(self, tree: WorkingTree) -> list[int]:
        """Return the decision nodes with whose features a path from the root first violates the constraint."""
        used, found = {0: frozenset()}, []
        for node in tree.decisions.tolist():
            before = used.get(node)
            if before is None:  # a node above violates the constraint
                continue
            path = before | _own(tree, node)
            if self.allows(path):
                used[int(tree.left[node])] = used[int(tree.right[node])] = path
            else:
                found.append(node)
        return found

    def resolve(self, tree: WorkingTree, frozen: np.ndarray) -> None:
        """Replace splits whose features no path from the root may use by constants. frozen : bool[m], unchanged."""
        used = {0: frozenset()}
        for node in tree.decisions:
            path = used[int(node)] | _own(tree, node)
            if not self.allows(path) and not frozen[node]:
                tree.set_split(node, constant_split(False))
                path = used[int(node)]
            used[int(tree.left[node])] = used[int(tree.right[node])] = path

    def _paths(self, tree: WorkingTree, node: int) -> Sequence:
        """Return the features of each path through a node, without those of the node."""
        above = set()
        parent = _parents(tree)
        at = parent[node]
        while at >= 0:
            above |= _own(tree, at)
            at = parent[at]
        below = self._below(tree, int(tree.left[node])) | self._below(tree, int(tree.right[node]))
        return [frozenset(above | path) for path in below]

    def _below(self, tree, node):
        """Return the sets of features of the paths from a node to its leaves."""
        if tree.left[node] < 0:
            return {frozenset()}
        own = _own(tree, node)
        below = self._below(tree, int(tree.left[node])) | self._below(tree, int(tree.right[node]))
        return {path | own for path in below}

    def _pairs(self, path, first, second):
        if self.sets is not None:
            sets = self.sets[self.sets[:, list(path)].all(axis=1)]
            return (sets[:, first] & sets[:, second]).any(axis=0)
        is_used = np.isin(np.arange(self.n_features), list(path))
        return len(path) + (~is_used[first]).astype(int) + (~is_used[second]) <= self.most


def _own(tree, node):
    split = tree.splits[node]
    return frozenset() if split is None else frozenset(split.features.tolist())


def _parents(tree):
    parent = np.full(tree.n_nodes, -1)
    parent[tree.left[tree.decisions]] = parent[tree.right[tree.decisions]] = tree.decisions
    return parent
