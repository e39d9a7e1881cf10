"""Kinds of nodes in one table that the figures and the stage share.

Figures draw a kind with its class in `viz.nodes.node_contents`, the browser with its object in
``viz/stage/draw/node_pictures.js``. ``python -m viz.payload.browser_side`` writes the table for the browser.
"""

from typing import NamedTuple

import numpy as np

from treecore.tree.category_columns import Cases, Category, CategoryColumns
from treecore.tree.conditions import DIFFERENCE, Linear, condition_of
from treecore.tree.target import Target
from treecore.tree.tree import Tree

FACTS = ("leaf", "linear", "number", "image", "category", "plane", "difference", "none", "one", "two")


class NodeKind(NamedTuple):
    """Kind of node.

    name : name of the kind
    needs : facts in `FACTS` that must hold for the node ("linear": it has a linear model; "number": its tree predicts
        numbers; "plane": the data have two features; "difference": its condition is a difference; "none", "one",
        "two": number of features in the split)
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
    NodeKind("difference", ("difference",), "flat", "bar"),
    NodeKind("univariate", ("one",), "flat", "bar"),
    NodeKind("bivariate", ("two",), "square", "line"),
    NodeKind("oblique", (), "flat", "bar"),
)
if len({kind.name for kind in KINDS}) < len(KINDS) or any(set(kind.needs) - set(FACTS) for kind in KINDS):
    raise ValueError("Kinds of nodes need different names and known facts.")


def kinds_of(
    tree: Tree,
    is_image: bool,
    columns: CategoryColumns | None,
    target: Target | None = None,
    digits: np.ndarray | None = None,
) -> np.ndarray:
    """Return int64[n] with the index in `KINDS` of the kind of each node.

    columns : the categorical columns, None if no split is drawn by category or as a difference
    target : target of the data, by default that of the tree
    digits : `decision_digits` of the tree, None if no split is drawn as a difference
    """
    is_difference = np.zeros(tree.n_nodes, bool)
    if columns is not None and digits is not None:
        for node in np.flatnonzero(digits > DIFFERENCE):
            is_difference[node] = as_difference(tree, node, columns, int(digits[node])) is not None
    is_category = np.zeros(tree.n_nodes, bool)
    if columns is not None and columns.group_of:
        for node in np.flatnonzero(tree.left >= 0):
            is_category[node] = is_by_category(tree, node, columns)
    has_model = tree.leaf_model.sizes(tree) > 0
    is_number = not (target or tree.target).values_are_groups
    sizes = np.diff(tree.indptr)
    return kinds_of_nodes(
        tree.left < 0, sizes, has_model, is_category, is_difference, is_number, is_image, tree.n_features == 2
    )


def kinds_of_nodes(
    is_leaf: np.ndarray,
    n_weights: np.ndarray,
    has_model: np.ndarray,
    is_category: np.ndarray,
    is_difference: np.ndarray,
    is_number: bool,
    is_image: bool,
    is_plane: bool,
) -> np.ndarray:
    """Return the kinds of nodes, as `kinds_of`, which may belong to different trees.

    is_leaf, n_weights, has_model, is_category, is_difference : [n], facts of the nodes (see `NodeKind`)
    is_number, is_image, is_plane : facts of the data
    """
    everywhere = np.ones(is_leaf.size, bool)
    facts = {
        "leaf": is_leaf,
        "linear": is_leaf & has_model,
        "number": everywhere & is_number,
        "image": everywhere & is_image,
        "category": is_category,
        "plane": everywhere & is_plane,
        "difference": is_difference,
        "none": n_weights == 0,
        "one": n_weights == 1,
        "two": n_weights == 2,
    }
    masks = [np.logical_and.reduce([everywhere, *(facts[need] for need in kind.needs)]) for kind in KINDS]
    return np.select(masks, range(len(KINDS)))


def as_difference(tree: Tree, node: int, columns: CategoryColumns, digits: int) -> Linear | None:
    """Return the condition for going right as a difference of two features, or None if it is not one.

    columns : with the names of all features
    digits : number of digits of the condition, see `decision_digits`
    """
    told = readable_decision(tree, node, columns) if digits > DIFFERENCE else None
    told = told.rounded(digits) if isinstance(told, Linear) else None
    return told if told is not None and told.form == "difference" else None


def readable_decision(tree: Tree, node: int, columns: CategoryColumns):
    """Return the parsed condition of a decision node.

    columns : the categorical columns, with the names of all features
    """
    split, names = tree.split(node), columns.names or ()
    return columns.combine(condition_of(split, [str(names[j]) for j in split[0]]))


def is_by_category(tree: Tree, node: int, columns: CategoryColumns) -> bool:
    """Return whether the split of a decision node is drawn by category.

    columns : the categorical columns
    """
    return isinstance(readable_decision(tree, node, columns), Category | Cases)
