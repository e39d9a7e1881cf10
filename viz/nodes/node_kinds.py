"""Kinds of nodes in one table that the figures and the stage share.

Figures draw a kind with its class in `viz.nodes.node_contents`, the browser with its object in
``viz/stage/draw/node_pictures.js``. ``python -m viz.payload.browser_side`` writes the table for the browser.
"""

from typing import NamedTuple

import numpy as np

from treecore.tree.category_columns import Cases, Category, CategoryColumns
from treecore.tree.conditions import condition_of
from treecore.tree.target import Target
from treecore.tree.tree import Tree

FACTS = ("leaf", "linear", "number", "image", "category", "plane", "none", "one", "two")


class NodeKind(NamedTuple):
    """Kind of node.

    name : name of the kind
    needs : facts in `FACTS` that must hold for the node ("linear": it has a linear model; "number": its tree predicts
        numbers; "plane": the data have two features; "none", "one", "two": number of features in the split)
    shape : "image", "leaf", "square" or "flat"
    handles : how an editor changes the split: "pixels", "strips", "line", "bar" or ""
    """

    name: str
    needs: tuple[str, ...]
    shape: str
    handles: str = ""

    @property
    def is_leaf(self) -> bool:
        """Return whether nodes of this kind have no children."""
        return "leaf" in self.needs


# The kind of a node is the first one in this list whose `needs` all hold.
KINDS = (
    NodeKind("image model", ("leaf", "linear", "image"), "image"),
    NodeKind("linear leaf", ("leaf", "linear"), "flat"),
    NodeKind("image leaf", ("leaf", "image"), "image"),
    NodeKind("number leaf", ("leaf", "number"), "leaf"),
    NodeKind("class leaf", ("leaf",), "leaf"),
    NodeKind("image", ("image",), "image", "pixels"),
    NodeKind("categories in the plane", ("category", "plane"), "square", "strips"),
    NodeKind("categories of two features", ("category", "two"), "square", "strips"),
    NodeKind("categories", ("category",), "flat", "strips"),
    NodeKind("plane", ("plane",), "square", "line"),
    NodeKind("constant", ("none",), "flat", "bar"),
    NodeKind("univariate", ("one",), "flat", "bar"),
    NodeKind("bivariate", ("two",), "square", "line"),
    NodeKind("oblique", (), "flat", "bar"),
)
if len({kind.name for kind in KINDS}) < len(KINDS) or any(set(kind.needs) - set(FACTS) for kind in KINDS):
    raise ValueError("Kinds of nodes need different names and known facts.")


def kinds_of(tree: Tree, is_image: bool, columns: CategoryColumns | None, target: Target | None = None) -> np.ndarray:
    """Return int64[n] with the index in `KINDS` of the kind of each node.

    columns : the categorical columns, None if no split is drawn by category
    target : target of the data, by default that of the tree
    """
    target = target or tree.target
    n_weights, leaf = np.diff(tree.indptr), tree.left < 0
    everywhere = np.ones(tree.n_nodes, bool)
    facts = {
        "leaf": leaf,
        "linear": leaf & (np.diff(tree.linear.indptr) > 0) if tree.linear is not None else ~everywhere,
        "number": everywhere & (not target.values_are_groups),
        "image": everywhere & is_image,
        "category": _by_category(tree, columns) if columns is not None and columns.group_of else ~everywhere,
        "plane": everywhere & (tree.n_features == 2),
        "none": n_weights == 0,
        "one": n_weights == 1,
        "two": n_weights == 2,
    }
    masks = [np.logical_and.reduce([everywhere, *(facts[need] for need in kind.needs)]) for kind in KINDS]
    return np.select(masks, range(len(KINDS)))


def readable_decision(tree: Tree, node: int, columns: CategoryColumns):
    """Return the parsed condition of a decision node.

    columns : the categorical columns, with the names of all features
    """
    split, names = tree.split(node), columns.names or ()
    return columns.combine(condition_of(split, [str(names[j]) for j in split[0]]))


def _by_category(tree, columns):
    found = np.zeros(tree.n_nodes, bool)
    for node in np.flatnonzero(tree.left >= 0):
        found[node] = isinstance(readable_decision(tree, node, columns), Category | Cases)
    return found
