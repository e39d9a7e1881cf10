"""Edited trees: conversion of trees to documents that any program can edit, and validation of edited documents.

A document consists of JSON values::

    {"nodes": [{"id": origin, "left": id or None, "right": id or None, "features": [...], "weights": [...],
                "bias": b, "missing_right": False, "label": class, "locked": False}, ...]}

``id`` is the origin id of a node, and new nodes have new ids. A leaf has None for both children, and its features,
weights and bias are ignored. For classification, ``label`` is the index of the class that a node predicts as a leaf.
For regression, it is the number that a leaf predicts, or None for the mean target of its points (a locked leaf has a
number). A document contains no training points, so `edited_tree` counts them again.
"""

import math
import numbers
from collections.abc import Collection, Sequence

import numpy as np

from treecore.errors import DataError, EditError
from treecore.messages import literal, literals
from treecore.parameter_checks import typed
from treecore.tree.feature_statistics import feature_quantiles
from treecore.tree.tree import NO_NODE, Tree

MOST_NODES = 5000
LARGEST_ID = 2**53 - 1  # largest whole number that JavaScript represents exactly
LARGEST_NUMBER = 1e200  # with larger numbers, a product of weight and value could overflow
FIELDS = ("id", "left", "right", "features", "weights", "bias", "missing_right", "label", "locked")
OPTIONAL = {"missing_right": False, "locked": False}


def tree_document(
    tree: Tree, locked: Collection[int] = (), positions: Sequence[int] | np.ndarray | None = None
) -> dict:
    """Return the document (dict) of a tree.

    locked : origin ids; positions : int[k], index of each class of the tree in the document (None: 0, 1, ...).
    """
    tree.leaf_model.require("edit")
    codes = tree.target.label_codes(tree, positions)
    locked = {int(origin) for origin in locked}
    if codes is None:
        means = zip(tree.origin.tolist(), tree.left.tolist(), tree.predictions.tolist(), strict=True)
        labels = [mean if left < 0 and origin in locked else None for origin, left, mean in means]
    else:
        place_of = {code: place for place, code in codes.items()}
        labels = [place_of[code] for code in tree.labels.tolist()]
    origins = tree.origin.tolist()
    missing_right = None if tree.missing_right is None else tree.missing_right.tolist()
    nodes = []
    for node, origin in enumerate(origins):
        features, weights, bias = tree.split(node)
        leaf = tree.is_leaf(node)
        nodes.append(
            {
                "id": origin,
                "left": None if leaf else origins[tree.left[node]],
                "right": None if leaf else origins[tree.right[node]],
                "features": features.tolist(),
                "weights": weights.tolist(),
                "bias": bias,
                "missing_right": bool(missing_right and missing_right[node]),
                "label": labels[node],
                "locked": origin in locked,
            }
        )
    return {"nodes": nodes}


def edited_tree(
    document: dict,
    template: Tree,
    X: np.ndarray,
    y: np.ndarray,
    sample_weight: np.ndarray | None = None,
    positions: Sequence[int] | np.ndarray | None = None,
) -> Tree:
    """Return the `Tree` of a document, with the statistics of its training rows.

    template : Tree that was edited, with its features, classes and support of missing values; X : [n, d] training rows;
    y : [n], classes or numbers; sample_weight : float[n] >= 0 or None; positions : as in `tree_document`. A leaf
    predicts its ``label`` even if its points have another majority class or mean target. Weights of 0 are removed. As
    in training, a node that no point reaches has the counts of its parent.

    Raise EditError, with its position, for an invalid document, and DataError for rows that do not match the template.
    """
    nodes = checked_nodes(document, template, positions)
    X, y, weights = _checked_rows(template, X, y, sample_weight)
    return _counted(_skeleton(nodes, template), y, weights, X)


def locked_nodes(document: dict) -> tuple:
    """Return the tuple of ids of the locked nodes in a valid document."""
    return tuple(node["id"] for node in document["nodes"] if node.get("locked"))


def checked_nodes(document: dict, template: Tree, positions: Sequence[int] | np.ndarray | None = None) -> list:
    """Validate the nodes of a document. Return a list of dicts with all `FIELDS`, parents first.

    Features are sorted, weights are nonzero floats, and labels are class indices of the template. Raise EditError for
    invalid nodes.
    """
    nodes = document.get("nodes") if isinstance(document, dict) else None
    if not isinstance(nodes, list):
        raise EditError("The tree must be an object with a list 'nodes'.")
    if not nodes:
        raise EditError(NO_NODE)
    if not (len(nodes) <= MOST_NODES):
        raise EditError(f"The tree has {len(nodes)} nodes (maximum {MOST_NODES} for editing).")
    codes = template.target.label_codes(template, positions)
    checked = [_checked_node(place, node, template, codes) for place, node in enumerate(nodes)]
    return _in_order(checked)


def _checked_node(place, node, template, codes):
    if not isinstance(node, dict):
        raise EditError(f"Entry {place} of 'nodes' is not an object.")
    if not (_is_whole(node.get("id")) and 0 <= node["id"] <= LARGEST_ID):
        raise EditError(
            f"Entry {place} of 'nodes' has the id {literal(node.get('id'), 60)}: expected a whole number from 0 "
            "to 2**53 - 1."
        )
    name = node["id"]
    node = OPTIONAL | node
    unknown = [key for key in node if key not in FIELDS]
    if unknown:
        raise EditError(f"Node {name} has the unsupported field {literals(unknown[:1])[:60]}.")
    missing = [key for key in FIELDS if key not in node]
    if missing:
        raise EditError(f"Node {name} has no field {literals(missing[:1])}.")
    for key in ("missing_right", "locked"):
        if not isinstance(node[key], bool):
            raise EditError(f"Node {name}: {key}={literal(node[key], 60)}: expected true or false.")
    for side in ("left", "right"):
        child = node[side]
        if not (child is None or _is_whole(child)):
            raise EditError(f"Node {name} has {literal(child, 60)} on its {side}: expected the id of a node.")
    if (node["left"] is None) != (node["right"] is None):
        raise EditError(f"Node {name} has one child. A decision node must have two children, and a leaf none.")
    clean = node | {"label": _checked_label(name, node["label"], codes), "features": [], "weights": [], "bias": 0.0}
    if node["left"] is None:
        return clean | {"missing_right": False}
    return clean | _checked_split(name, node, template)


def _checked_label(name, label, codes):
    if codes is None:
        return math.nan if label is None else _checked_number(label, f"The prediction of node {name}")
    if not (_is_whole(label) and label in codes):
        raise EditError(
            f"Node {name} predicts class {literal(label, 60)}: expected one of the class numbers "
            f"{literals(sorted(codes), 8)}."
        )
    return codes[label]


def _checked_split(name, node, template):
    features, weights = node["features"], node["weights"]
    for key in ("features", "weights"):
        if not isinstance(node[key], list):
            raise EditError(f"Node {name}: {key} must be a list.")
    if len(features) != len(weights):
        raise EditError(
            f"Node {name} has {len(features)} features but {len(weights)} weights. Pass one weight for each feature."
        )
    for feature in features:
        if not (_is_whole(feature) and 0 <= feature < template.n_features):
            raise EditError(
                f"Node {name} uses feature {feature!r:.60}: expected a whole number >= 0 and < {template.n_features}."
            )
    if len(set(features)) != len(features):
        raise EditError(f"Node {name} uses a feature twice.")
    weights = [_checked_number(weight, f"A weight of node {name}") for weight in weights]
    bias = _checked_number(node["bias"], f"The bias of node {name}")
    if not (template.missing_right is not None or not node["missing_right"]):
        raise EditError(
            f"Node {name} sends missing values to the right, but the tree was trained without missing values."
        )
    kept = sorted((feature, weight) for feature, weight in zip(features, weights, strict=True) if weight != 0.0)
    return {"features": [feature for feature, _ in kept], "weights": [weight for _, weight in kept], "bias": bias}


def _checked_number(value, what):
    fine = isinstance(value, numbers.Real) and not isinstance(value, bool)
    try:
        fine = fine and math.isfinite(value) and abs(value) <= LARGEST_NUMBER
    except OverflowError:  # the integer is too large for a float
        fine = False
    if not fine:
        raise EditError(f"{what} is {literal(value, 60)}: expected a number of at most {LARGEST_NUMBER:g}.")
    return float(value)


def _in_order(nodes):
    """Return the nodes with parents before children, in the given order if possible, else depth first."""
    by_id = {}
    for node in nodes:
        if node["id"] in by_id:
            raise EditError(f"Two nodes have the id {node['id']}.")
        by_id[node["id"]] = node
    parent = {}
    for node in nodes:
        for child in (node["left"], node["right"]):
            if child is None:
                continue
            if child not in by_id:
                raise EditError(f"Node {node['id']} has the child {literal(child, 60)}, which does not exist.")
            if child in parent:
                raise EditError(f"Node {child} has two parents, or is both children of one node.")
            parent[child] = node["id"]
    roots = [node["id"] for node in nodes if node["id"] not in parent]
    if not roots:
        raise EditError("The nodes form a cycle, so the tree has no root.")
    if len(roots) != 1:
        raise EditError(f"The nodes {literals(roots, 8)} have no parent. A tree has one root.")
    order, stack = [], [roots[0]]
    while stack:
        node = by_id[stack.pop()]
        order.append(node)
        if node["left"] is not None:
            stack += [node["right"], node["left"]]
    if len(order) != len(nodes):
        raise EditError(f"{len(nodes) - len(order)} nodes form a cycle that is not connected to the root.")
    place = {node["id"]: i for i, node in enumerate(nodes)}
    in_order = nodes[0]["id"] == roots[0] and all(place[above] < place[child] for child, above in parent.items())
    return nodes if in_order else order


def _skeleton(nodes, template):
    """Return the fields of a `Tree` without statistics."""
    place = {node["id"]: i for i, node in enumerate(nodes)} | {None: -1}
    missing_right = np.array([node["missing_right"] for node in nodes])
    return {
        "left": np.array([place[node["left"]] for node in nodes], np.int32),
        "right": np.array([place[node["right"]] for node in nodes], np.int32),
        "indptr": np.cumsum([0, *(len(node["features"]) for node in nodes)]),
        "features": np.array([feature for node in nodes for feature in node["features"]], np.int32),
        "weights": np.array([weight for node in nodes for weight in node["weights"]], np.float64),
        "bias": np.array([node["bias"] for node in nodes], np.float64),
        "labels": np.array([node["label"] for node in nodes]),
        "origin": np.array([node["id"] for node in nodes], np.int64),
        "classes": template.classes,
        "target": template.target,
        "n_features": template.n_features,
        "feature_names": template.feature_names,
        "missing_right": None if template.missing_right is None else missing_right,
    }


def _counted(parts, y, weights, X):
    """Return the `Tree` with these fields and the statistics of the rows."""
    left, right, target = parts["left"], parts["right"], parts.pop("target")
    m = left.size
    values = np.ones((m, target.width(parts["classes"].size)))
    bare = Tree(**parts | {"values": values, "n_samples": np.ones(m, np.int64), "labels": np.zeros(m, np.int32)})
    way = [bare.apply(X).astype(np.int64)]  # node of each row, from the leaves upwards
    while (way[-1] > 0).any():
        way.append(np.where(way[-1] > 0, bare.parents[way[-1]], -1))
    node, row = np.concatenate(way), np.tile(np.arange(len(y)), len(way))
    node, row = node[node >= 0], row[node >= 0]
    values, samples = target.row_values(node, y[row], weights[row], bare), np.bincount(node, minlength=m)
    for node in np.flatnonzero(left >= 0):
        for child in (left[node], right[node]):
            if samples[child] == 0:
                values[child] = values[node]
    values, labels = target.labelled(values, parts["labels"], left < 0)
    counts = {"values": values, "n_samples": samples, "labels": labels}
    return Tree(**parts | counts, feature_quantiles=feature_quantiles(X))


def _checked_rows(template, X, y, sample_weight):
    """Return (X, class codes int64[n] or numbers float64[n], weights float64[n]) of the rows with positive weight."""
    y = np.asarray(y)
    if y.ndim != 1 or np.shape(X)[:1] != y.shape or not y.size:
        raise DataError(
            f"X has {(*np.shape(X), 0)[0]} rows and y has {y.size}. Pass X and y with the same number of rows, "
            "at least one."
        )
    if template.target.label_codes(template) is None:
        with typed(DataError):
            codes = template.target.values_of(template, y)
        if not np.isfinite(codes).all():
            raise DataError("y contains infinite or missing values. Remove these rows.")
    else:
        codes = _checked_codes(template, y)
    weights = np.ones(y.size) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if weights.shape != y.shape or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise DataError("sample_weight: expected one finite number >= 0 for each row, and at least one > 0.")
    if (weights > 0).all():
        return X, codes, weights
    keep = weights > 0
    return X[keep], codes[keep], weights[keep]


def _checked_codes(template, y):
    if y.dtype.kind in "OUT":  # same dtype as the classes of a Tree
        y = np.array([str(label) for label in y.tolist()])
    labels, code_of = np.unique(y, return_inverse=True)
    known = {label: code for code, label in enumerate(template.classes.tolist())}
    strange = [label for label in labels.tolist() if label not in known]
    if strange:
        raise DataError(
            f"y contains the class {literal(strange[0], 60)}, which is not a class of the tree: "
            f"{literals(list(known), 8)}."
        )
    return np.array([known[label] for label in labels.tolist()])[code_of]


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)
