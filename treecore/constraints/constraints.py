"""`Constraints` of a tree, read from the parameters of an estimator."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, NoReturn

import numpy as np

from treecore.constraints.column_values import KEYWORDS, column_names, costs_of, sets_of, signs_of
from treecore.constraints.monotone import Monotone
from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.messages import counted, literal
from treecore.node_solvers.permitted import Permitted
from treecore.tree.split import constant_split
from treecore.tree.working_tree import WorkingTree, copied

OF_EXACT = ("monotonic_cst", "interaction_cst")  # parameters that need splits on few features


class Constraints(NamedTuple):
    """Constraints on the splits and leaves of a tree.

    costs : float64[d], penalty of each feature, None for 1; monotone, interactions : None without these constraints;
    max_leaf_nodes : largest number of leaves, or None.
    """

    costs: np.ndarray | None = None
    monotone: Monotone | None = None
    interactions: Interactions | None = None
    max_leaf_nodes: int | None = None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of an estimator with the same constraints on arrays of features."""
        interactions = self.interactions
        return {
            "feature_costs": None if self.costs is None else self.costs.tolist(),
            "monotonic_cst": None if self.monotone is None else self.monotone.signs.tolist(),
            "interaction_cst": None if interactions is None else interactions.parameter(),
        }

    @property
    def restrict_nodes(self) -> bool:
        """Whether nodes have `Permitted` features."""
        return self.monotone is not None or self.interactions is not None

    def permitted(self, tree: WorkingTree, nodes: np.ndarray) -> list[Permitted]:
        """Return the permitted features of decision nodes, of which none is below another."""
        if self.monotone is None:
            sides = np.ones((nodes.size, 2, self.interactions.n_features), np.bool_)
        else:
            sides = self.monotone.directions(tree, nodes)
        if self.interactions is None:
            return [Permitted(rises, falls) for rises, falls in sides]
        found = []
        for node, (rises, falls) in zip(nodes, sides, strict=True):
            usable, together = self.interactions.permitted(tree, int(node))
            found.append(Permitted(rises & usable, falls & usable, together))
        return found

    def following(self, usable: np.ndarray, above: Collection[int]) -> np.ndarray:
        """Return the features of `usable` (int[k]) that a node may use if the nodes above it use `above`."""
        if self.interactions is None:
            return usable
        return usable[self.interactions.following(above)[usable]]

    def holds(self, tree: WorkingTree, n_leaves: int | None = None) -> bool:
        """Return whether a tree satisfies all constraints. n_leaves : leaves that count, None for all."""
        most = self.max_leaf_nodes
        return (
            (self.monotone is None or self.monotone.holds(tree))
            and (self.interactions is None or self.interactions.holds(tree))
            and (most is None or (tree.n_leaves if n_leaves is None else n_leaves) <= most)
        )

    def established(self, tree: WorkingTree, data: TrainingData, frozen: np.ndarray) -> WorkingTree:
        """Return an initial tree, changed until it satisfies the constraints. frozen : bool[m], unchanged nodes.

        Raise ParameterError if frozen nodes contradict the constraints.
        """
        if self.interactions is not None:
            self.interactions.resolve(tree, frozen)
            if not self.interactions.holds(tree):
                raise ParameterError(_frozen(tree.origin[frozen].tolist()[:8], "interaction_cst"))
        if self.max_leaf_nodes is not None:
            fixed = tree.origin[frozen]
            tree = limited(tree, data, self.max_leaf_nodes, frozen)
            if tree.n_leaves > self.max_leaf_nodes:
                raise ParameterError(
                    f"max_leaf_nodes={self.max_leaf_nodes}, but frozen nodes need {tree.n_leaves} leaves. Use at "
                    f"least {tree.n_leaves}, or freeze fewer nodes."
                )
            frozen = np.isin(tree.origin, fixed)
        if self.monotone is not None:
            self.monotone.resolve(tree, frozen)
            leaf = np.empty(data.n_rows, np.int64)
            data.columns.leaves(tree.routing(), 0, 0, data.n_rows, leaf)
            self.monotone.fit(tree, data, leaf, frozen)
            broken = self.monotone.broken(tree)
            if broken:
                raise ParameterError(_frozen(tree.origin[broken].tolist()[:8], "monotonic_cst"))
        return tree


NO_CONSTRAINTS = Constraints()


def constraints_of(
    estimator: Any,
    encoder: FeatureEncoder,
    n_features: int,
    n_classes: int | None,
    categories: Sequence[Sequence[int]] = (),
) -> Constraints:
    """Return the constraints of an estimator. Raise ParameterError if they do not match the columns or each other.

    encoder : fitted FeatureEncoder of the estimator; n_features : number of features after encoding; n_classes : None
    for regression; categories : features of each column of categories that a split may group.
    """
    if estimator.monotonic_cst is not None and getattr(estimator, "shrinkage", 0.0):
        refuse_together("monotonic_cst", "shrinkage", estimator.shrinkage, 0.0)
    for name in OF_EXACT:
        if getattr(estimator, name) is not None and estimator.init == "bivariate_cart":
            refuse_together(name, "init", "bivariate_cart", "cart")
    names = column_names(estimator)
    costs, monotone, interactions = None, None, None
    if estimator.feature_costs is not None:
        costs = _of_features(costs_of(estimator.feature_costs, names), encoder)
        for column in categories:
            if np.ptp(costs[list(column)]):
                raise ParameterError(
                    f"feature_costs differ within a column of categories (features {list(column)[:20]}). Use one "
                    "cost for all its features."
                )
    if estimator.monotonic_cst is not None:
        signs = signs_of(estimator.monotonic_cst, names, encoder)
        if signs.any():
            if n_classes is not None and n_classes > 2:
                raise ParameterError(
                    f"monotonic_cst with {n_classes} classes: expected two classes, or regression. Use two "
                    "classes, or remove monotonic_cst."
                )
            if n_classes != 1:  # the tree of one class is a leaf
                monotone = Monotone(_of_features(signs, encoder))
    if estimator.interaction_cst is not None:
        sets, most = sets_of(estimator.interaction_cst, names)
        interactions = _interactions(sets, most, encoder, n_features, categories)
    return Constraints(costs, monotone, interactions, estimator.max_leaf_nodes)


def constraints_of_features(
    parameters: Mapping[str, Any], n_features: int, max_leaf_nodes: int | None = None
) -> Constraints:
    """Return the constraints of parameters with lists for the features, as in `Constraints.parameters`."""
    costs, signs, sets = (parameters.get(name) for name in ("feature_costs", "monotonic_cst", "interaction_cst"))
    monotone, interactions = None, None
    if signs is not None and np.any(signs):
        monotone = Monotone(_checked(np.array(signs, np.int8), n_features))
    if isinstance(sets, str):
        interactions = Interactions(n_features, None, KEYWORDS[sets])
    elif sets is not None:
        table = sets_of_features(list(map(set, sets)), 0, [[feature] for feature in range(n_features)])
        interactions = Interactions(n_features, table)
    costs = None if costs is None else _checked(np.array(costs, np.float64), n_features)
    return Constraints(costs, monotone, interactions, max_leaf_nodes)


def _checked(values, n_features):
    if values.shape != (n_features,):
        raise ParameterError(
            f"The constraints have {values.size} values, but the tree has {counted(n_features, 'feature')}."
        )
    return values


def refuse_together(name: str, other: str, value: Any, default: Any) -> NoReturn:
    """Raise ParameterError, because the constraint `name` does not support a value of another parameter."""
    raise ParameterError(
        f"{name} cannot be combined with {other}={literal(value)}. Use {other}={literal(default)}, or {name}=None."
    )


def _of_features(values, encoder):
    return np.repeat(values, [len(group) for group in encoder.groups])


def _interactions(sets, most, encoder, n_features, categories):
    groups = encoder.groups
    if len(groups) == n_features and sets is None:
        if not categories:
            return Interactions(n_features, None, most)
        listed = {feature for column in categories for feature in column}
        groups = [*categories, *([feature] for feature in range(n_features) if feature not in listed)]
    table = sets_of_features(sets, most, groups)
    for column in categories:  # a set with one category of a column contains all of them
        table[:, list(column)] = table[:, list(column)].any(axis=1, keepdims=True)
    return Interactions(n_features, table)


def sets_of_features(sets: list | None, most: int, groups: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the sets of columns as sets of features, bool[g, d]. The features of a column are in the same sets.

    sets, most : as returned by `sets_of`; groups : features of each column.
    """
    n_columns = len(groups)
    if sets is None:
        sets = [set(columns) for columns in combinations(range(n_columns), min(most, n_columns))]
    table = np.zeros((len(sets), n_columns), np.bool_)
    for row, columns in enumerate(sets):
        table[row, list(columns)] = True
    rest = ~table.any(axis=0)
    if rest.any():
        table = np.vstack([table, rest])
    features = np.empty((len(table), sum(map(len, groups))), np.bool_)
    for place, group in enumerate(groups):
        features[:, list(group)] = table[:, [place]]
    return features


def _frozen(nodes: object, name: object) -> str:
    return f"The frozen nodes {nodes} contradict {name}. Freeze other nodes, or remove {name}."


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


def limited(tree: WorkingTree, data: TrainingData, most: int, frozen: np.ndarray) -> WorkingTree:
    """Return a tree with at most `most` leaves, or the same tree if it has no more.

    Again and again, the decision node above two leaves whose removal raises the training loss least becomes a leaf.
    frozen : bool[m]; these nodes and their ancestors remain, even if more leaves are left.
    """
    if tree.n_leaves <= most:
        return tree
    leaf = np.empty(data.n_rows, np.int64)
    data.columns.leaves(tree.routing(), 0, 0, data.n_rows, leaf)
    loss = data.loss
    values = loss.node_values(tree.left, tree.right, leaf, data.y, data.weights)
    parent, kept = np.full(tree.n_nodes, -1), frozen.copy()
    for node in tree.decisions[::-1]:
        left, right = tree.left[node], tree.right[node]
        parent[left] = parent[right] = node
        kept[node] |= kept[left] | kept[right]
    losses, is_end = loss.losses_of(values), tree.left < 0

    def rise(node):
        return float(losses[node] - losses[tree.left[node]] - losses[tree.right[node]])

    def is_open(node):
        return not kept[node] and is_end[tree.left[node]] and is_end[tree.right[node]]

    heap = [(rise(node), int(node)) for node in tree.decisions if is_open(node)]
    heapq.heapify(heap)
    n_leaves = tree.n_leaves
    labels = np.where(is_end, tree.labels, loss.labels_of(values))
    while n_leaves > most and heap:
        _, node = heapq.heappop(heap)
        is_end[node] = True
        n_leaves -= 1
        if parent[node] >= 0 and is_open(parent[node]):
            heapq.heappush(heap, (rise(parent[node]), int(parent[node])))
    tree.labels = np.asarray(labels, tree.labels.dtype)
    return copied(tree, is_end, {})
