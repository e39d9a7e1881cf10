"""`Node`: one node of a tree with named values, and trees as tables, graphs and dicts of nodes."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from treecore.column_groups import column_groups
from treecore.errors import DataError
from treecore.tree.category_columns import CategoryColumns, joined
from treecore.tree.conditions import Interval, conjunction, side
from treecore.tree.number_text import count
from treecore.tree.target import Target
from treecore.tree.text_tree import DIGITS, branch_condition, leaf_label
from treecore.tree.tree_arrays import TreeArrays

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Node:
    """One node of a tree, with named values.

    ``tree[3]`` returns a node, and iterating over a tree returns all of them. Texts show numbers as ``print(tree)``
    does.

    Parameters
    ----------
    number : int
        Number of the node.
    depth : int
        Number of decision nodes above it.
    parent : int or None
        Number of its parent, None for the root.
    children : tuple of int
        Numbers of the left and the right child, empty for a leaf.
    features : tuple of str
        Names of the features in the split.
    weights : tuple of float
        Weights of these features. A row goes right if ``weights . x + bias >= 0``.
    bias : float
        Bias of the split.
    threshold : float or None
        Threshold of a split on one feature, else None. `condition` shows the side of the threshold itself.
    n : int
        Number of training rows.
    weight : float
        Total weight of the training rows.
    impurity : float
        Gini impurity of the training rows, or their variance, as in scikit-learn.
    value : object
        Predicted class label or number. None for linear models and for the decision nodes above them.
    counts : dict
        Weighted number of training rows of each class, empty for regression.
    origin : int
        Id of the node, kept along a regularisation path.
    texts : Texts
        Source of `condition` and `rule`, which are computed when they are read.

    See Also
    --------
    Tree : Contains the nodes.
    RuleSet : Rules of all leaves, with their statistics.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> tree[0].feature, round(tree[0].threshold, 2), tree[0].children
    ('petal width (cm)', 0.8, (1, 2))
    >>> [(node.number, node.n, node.rule) for node in tree if node.is_leaf][:2]
    [(1, 50, 'petal width (cm) < 0.8'), (3, 54, '0.8 <= petal width (cm) < 1.75')]
    """

    number: int
    depth: int
    parent: int | None
    children: tuple
    features: tuple
    weights: tuple
    bias: float
    threshold: float | None
    n: int
    weight: float
    impurity: float
    value: Any
    counts: dict = field(hash=False)
    origin: int
    texts: Texts = field(compare=False)

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a leaf."""
        return not self.children

    @property
    def left(self) -> int | None:
        """Number of the left child, None for a leaf."""
        return self.children[0] if self.children else None

    @property
    def right(self) -> int | None:
        """Number of the right child, None for a leaf."""
        return self.children[1] if self.children else None

    @property
    def feature(self) -> str | None:
        """Name of the feature of a split on one feature, else None."""
        return self.features[0] if len(self.features) == 1 else None

    @property
    def condition(self) -> str | None:
        """Condition for the left child, such as ``age < 50``, None for a leaf."""
        return None if self.is_leaf else self.texts.condition(self.number, right=False)

    @property
    def rule(self) -> str:
        """All conditions from the root to this node, "always" for the root."""
        return self.texts.rule(self.number)

    def to_dict(self) -> dict:
        """Return the node as a dict of numbers, texts and lists, which JSON can store.

        Returns
        -------
        dict
            Values by name. `counts` is a list in the order of the classes.
        """
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "texts"}
        found |= {name: list(found[name]) for name in ("children", "features", "weights")}
        return found | {"counts": list(self.counts.values()), "condition": self.condition, "rule": self.rule}

    def __repr__(self):
        kind, text = ("Leaf", self.texts.label(self.number)) if self.is_leaf else ("Node", self.condition)
        return f"<{kind} {self.number}: {text}, {count(self.n)} row{'s' * (self.n != 1)}>"


class Texts:
    """Texts of the nodes of a tree, with the numbers of `text_tree`."""

    def __init__(self, tree: TreeArrays, target: Target) -> None:
        self.tree, self.target = tree, target

    def condition(self, node: int, right: bool) -> str:
        """Return the condition that leads from a decision node to a child."""
        return branch_condition(self.tree, node, right, self._columns)

    def rule(self, node: int) -> str:
        """Return the conditions from the root to a node."""
        path = path_to(self.tree, node)
        sides = [side(self.tree, one, bool(below == self.tree.right[one])) for one, below in itertools.pairwise(path)]
        return conjunction(joined(sides, self._columns), DIGITS)

    def label(self, node: int) -> str:
        """Return the text of the prediction of a leaf."""
        return leaf_label(self.tree, node, self.target)

    @cached_property
    def _columns(self):
        return CategoryColumns.of(self.tree.feature_names, column_groups(self.tree.feature_names))


def nodes_of(tree: TreeArrays, target: Target, numbers: range) -> Iterator[Node]:
    """Yield the nodes with these numbers."""
    texts = Texts(tree, target)
    values = tree.values[numbers.start : numbers.stop]
    amounts = target.weights(values)
    impurities = target.impurities(values) / np.where(amounts > 0, amounts, 1.0)
    told = tree.leaf_model.values(tree, target, numbers)
    classes = tree.classes.tolist()
    for place, node in enumerate(numbers):
        features, weights, bias = tree.split(node)
        yield Node(
            number=node,
            depth=int(tree.depths[node]),
            parent=int(tree.parents[node]) if node else None,
            children=() if tree.is_leaf(node) else (int(tree.left[node]), int(tree.right[node])),
            features=tuple(map(tree.feature_name, features.tolist())),
            weights=tuple(weights.tolist()),
            bias=bias,
            threshold=_threshold(tree, node),
            n=int(tree.n_samples[node]),
            weight=float(amounts[place]),
            impurity=float(impurities[place]),
            value=told[place],
            counts=dict(zip(classes, values[place].tolist(), strict=True)) if classes else {},
            origin=int(tree.origin[node]),
            texts=texts,
        )


def node_number(tree: TreeArrays, node: Any) -> int:
    """Return the number of a node, where negative numbers count from the end. Raise IndexError without such a node."""
    number = operator.index(node)
    if not -tree.n_nodes <= number < tree.n_nodes:
        raise IndexError(f"The tree has no node {number}. Its nodes are 0 to {tree.n_nodes - 1}.")
    return number % tree.n_nodes


def _threshold(tree, node):
    if tree.is_leaf(node) or tree.indptr[node + 1] - tree.indptr[node] != 1:
        return None
    found = side(tree, node, right=True)
    if not isinstance(found, Interval) or found.is_empty:
        return None
    found = found.in_reach
    return next((limit for limit in (found.low, found.high) if np.isfinite(limit)), None)


def path_to(tree: TreeArrays, node: int) -> list[int]:
    """Return the nodes from the root to a node."""
    path = [node]
    while path[-1] > 0:
        path.append(int(tree.parents[path[-1]]))
    return path[::-1]


def node_paths(tree: TreeArrays) -> scipy.sparse.csr_matrix:
    """Return a CSR matrix, bool[m, m], that marks the nodes from the root to each node (row)."""
    parents, paths = tree.parents, scipy.sparse.lil_matrix((tree.n_nodes, tree.n_nodes), dtype=bool)
    for node in range(tree.n_nodes):  # parents precede their children
        paths.rows[node] = [*paths.rows[parents[node]], node] if node else [0]
        paths.data[node] = [True] * len(paths.rows[node])
    return paths.tocsr()


_COLUMNS = (
    "depth", "parent", "left", "right", "feature", "threshold", "n", "weight", "impurity", "value", "condition", "rule",
)  # fmt: skip


def frame_of(tree: TreeArrays, target: Target) -> pandas.DataFrame:
    """Return the DataFrame for `Tree.to_frame`."""
    import pandas  # slow import

    nodes = list(nodes_of(tree, target, range(tree.n_nodes)))
    columns: dict = {name: [getattr(node, name) for node in nodes] for name in _COLUMNS}
    columns |= {name: pandas.array(columns[name], dtype="Int64") for name in ("parent", "left", "right")}
    columns["threshold"] = np.array(columns["threshold"], np.float64)  # NaN without a threshold
    columns |= {f"count of {label}": tree.values[:, place] for place, label in enumerate(tree.classes.tolist())}
    return pandas.DataFrame(columns, index=pandas.RangeIndex(tree.n_nodes, name="node"))


def graph_of(tree: TreeArrays, target: Target) -> Any:
    """Return the graph for `Tree.to_networkx`. Raise DataError without the package networkx."""
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise DataError(
            "Graphs need the package networkx, which is not installed. Run pip install networkx, or use to_frame."
        ) from None
    graph, texts = networkx.DiGraph(), Texts(tree, target)
    for node in nodes_of(tree, target, range(tree.n_nodes)):
        graph.add_node(node.number, **node.to_dict())
    for node in np.flatnonzero(tree.left >= 0).tolist():
        for child, right in ((int(tree.left[node]), False), (int(tree.right[node]), True)):
            graph.add_edge(node, child, condition=texts.condition(node, right), right=right)
    return graph


def dict_of(tree: TreeArrays, target: Target) -> dict:
    """Return the dict for `Tree.to_dict`."""
    return {
        "n_features": tree.n_features,
        "feature_names": None if tree.feature_names is None else list(tree.feature_names),
        "classes": tree.classes.tolist(),
        "nodes": [node.to_dict() for node in nodes_of(tree, target, range(tree.n_nodes))],
    }
