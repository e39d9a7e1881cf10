"""Insertion of a split into an edited tree, where it replaces a split or a leaf."""

from collections.abc import Sequence

import numpy as np

from treecore.errors import EditError
from treecore.messages import literal
from treecore.tree.editing import edited_tree, tree_document
from treecore.tree.split import Split
from treecore.tree.tree import Tree


def with_split(
    document: dict,
    node: int,
    split: Split,
    template: Tree,
    X: np.ndarray,
    y: np.ndarray,
    positions: Sequence[int] | np.ndarray | None = None,
    lock: bool = True,
) -> dict:
    """Return the document with a new split at a node.

    document, template, X, y, positions : as in `treecore.tree.editing.edited_tree`; node : id of a decision node, which
    keeps its children, or of a leaf; split : Split, such as a result of `treecore.rules.typed_split.typed_split`; lock
    : whether to lock the node. If a leaf is split, the two new leaves predict the majority class (or mean) of their
    points, or without points the prediction of the leaf. Raise EditError or DataError for invalid input.
    """
    nodes = [dict(entry) for entry in tree_document_of(document, template, X, y, positions)["nodes"]]
    found = next((entry for entry in nodes if entry["id"] == node), None)
    if found is None:
        raise EditError(f"The tree has no node {literal(node)}.")
    found |= {
        "features": np.asarray(split.features).tolist(), "weights": np.asarray(split.weights).tolist(),
        "bias": float(split.bias), "missing_right": bool(split.missing_right), "locked": bool(lock),
    }  # fmt: skip
    if found["left"] is not None:
        return {"nodes": nodes}
    last = max(max(entry["id"] for entry in nodes), int(template.origin.max()))
    found |= {"left": last + 1, "right": last + 2}
    bare = {"left": None, "right": None, "features": [], "weights": [], "bias": 0.0, "missing_right": False}
    leaves = [{"id": last + side, **bare, "label": found["label"], "locked": False} for side in (1, 2)]
    at = nodes.index(found) + 1
    nodes[at:at] = leaves
    codes = template.target.label_codes(template, positions)
    if codes is None:  # None means the majority class of the points
        for leaf in leaves:
            leaf["label"] = None
        return {"nodes": nodes}
    place_of = {code: place for place, code in codes.items()}
    tree = edited_tree({"nodes": nodes}, template, X, y, positions=positions)
    for leaf in leaves:
        place = int(np.flatnonzero(tree.origin == leaf["id"])[0])
        if tree.n_samples[place]:
            leaf["label"] = place_of[int(tree.values[place].argmax())]
    return {"nodes": nodes}


def tree_document_of(
    document: dict, template: Tree, X: np.ndarray, y: np.ndarray, positions: Sequence[int] | np.ndarray | None = None
) -> dict:
    """Validate the document and return it with all fields."""
    tree = edited_tree(document, template, X, y, positions=positions)
    locked = [entry["id"] for entry in document["nodes"] if entry.get("locked")]
    return tree_document(tree, locked, positions)
