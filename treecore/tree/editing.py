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
from collections.abc import Collection

import numpy as np

from treecore.errors import DataError, EditError
from treecore.parameter_checks import typed
from treecore.tree.feature_statistics import feature_quantiles
from treecore.tree.linear_leaves import require_constant
from treecore.tree.messages import MESSAGES
from treecore.tree.tree import Tree

MOST_NODES = 5000
LARGEST_ID = 2**53 - 1  # largest whole number that JavaScript represents exactly
LARGEST_NUMBER = 1e200  # with larger numbers, a product of weight and value could overflow
FIELDS = ("id", "left", "right", "features", "weights", "bias", "missing_right", "label", "locked")
OPTIONAL = {"missing_right": False, "locked": False}


def tree_document(tree: Tree, locked: Collection[int] = (), positions: np.ndarray | None = None) -> dict:
    """Return the document (dict) of a tree.

    locked : origin ids; positions : int[k], index of each class of the tree in the document (None: 0, 1, ...).
    """
    require_constant(tree, "edit")
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
    positions: np.ndarray | None = None,
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


def checked_nodes(document: dict, template: Tree, positions: np.ndarray | None = None) -> list:
    """Validate the nodes of a document. Return a list of dicts with all `FIELDS`, parents first.

    Features are sorted, weights are nonzero floats, and labels are class indices of the template. Raise EditError for
    invalid nodes.
    """
    nodes = document.get("nodes") if isinstance(document, dict) else None
    MESSAGES.require(isinstance(nodes, list), EditError, "edit.not_a_tree")
    MESSAGES.require(nodes, EditError, "no_node")
    MESSAGES.require(len(nodes) <= MOST_NODES, EditError, "edit.too_many_nodes", n_nodes=len(nodes), most=MOST_NODES)
    codes = template.target.label_codes(template, positions)
    checked = [_checked_node(place, node, template, codes) for place, node in enumerate(nodes)]
    return _in_order(checked)


def _checked_node(place, node, template, codes):
    MESSAGES.require(isinstance(node, dict), EditError, "edit.not_an_object", place=place)
    MESSAGES.require(
        _is_whole(node.get("id")) and 0 <= node["id"] <= LARGEST_ID,
        EditError,
        "edit.id",
        place=place,
        id=node.get("id"),
    )
    name = node["id"]
    node = OPTIONAL | node
    unknown = [key for key in node if key not in FIELDS]
    MESSAGES.require(not unknown, EditError, "edit.unknown_field", node=name, field=unknown[:1])
    missing = [key for key in FIELDS if key not in node]
    MESSAGES.require(not missing, EditError, "edit.missing_field", node=name, field=missing[:1])
    for key in ("missing_right", "locked"):
        MESSAGES.require(
            isinstance(node[key], bool), EditError, "edit.not_true_or_false", node=name, field=key, value=node[key]
        )
    for side in ("left", "right"):
        child = node[side]
        MESSAGES.require(
            child is None or _is_whole(child), EditError, "edit.not_an_id", node=name, child=child, side=side
        )
    MESSAGES.require((node["left"] is None) == (node["right"] is None), EditError, "edit.one_child", node=name)
    clean = node | {"label": _checked_label(name, node["label"], codes), "features": [], "weights": [], "bias": 0.0}
    if node["left"] is None:
        return clean | {"missing_right": False}
    return clean | _checked_split(name, node, template)


def _checked_label(name, label, codes):
    if codes is None:
        return math.nan if label is None else _checked_number(label, name, "edit.predicted")
    MESSAGES.require(
        _is_whole(label) and label in codes,
        EditError,
        "edit.unknown_class",
        node=name,
        label=label,
        classes=sorted(codes),
    )
    return codes[label]


def _checked_split(name, node, template):
    features, weights = node["features"], node["weights"]
    for key in ("features", "weights"):
        MESSAGES.require(isinstance(node[key], list), EditError, "edit.not_a_list", node=name, field=key)
    MESSAGES.require(
        len(features) == len(weights),
        EditError,
        "edit.weights",
        node=name,
        n_features=len(features),
        n_weights=len(weights),
    )
    for feature in features:
        MESSAGES.require(
            _is_whole(feature) and 0 <= feature < template.n_features,
            EditError,
            "edit.unknown_feature",
            node=name,
            feature=feature,
            n_features=template.n_features,
        )
    MESSAGES.require(len(set(features)) == len(features), EditError, "edit.feature_twice", node=name)
    weights = [_checked_number(weight, name, "edit.weight") for weight in weights]
    bias = _checked_number(node["bias"], name, "edit.bias")
    MESSAGES.require(
        template.missing_right is not None or not node["missing_right"], EditError, "edit.missing_right", node=name
    )
    kept = sorted((feature, weight) for feature, weight in zip(features, weights, strict=True) if weight != 0.0)
    return {"features": [feature for feature, _ in kept], "weights": [weight for _, weight in kept], "bias": bias}


def _checked_number(value, node, message):
    fine = isinstance(value, numbers.Real) and not isinstance(value, bool)
    try:
        fine = fine and math.isfinite(value) and abs(value) <= LARGEST_NUMBER
    except OverflowError:  # the integer is too large for a float
        fine = False
    MESSAGES.require(fine, EditError, message, node=node, value=value, most=LARGEST_NUMBER)
    return float(value)


def _in_order(nodes):
    """Return the nodes with parents before children, in the given order if possible, else depth first."""
    by_id = {}
    for node in nodes:
        MESSAGES.require(node["id"] not in by_id, EditError, "edit.id_twice", node=node["id"])
        by_id[node["id"]] = node
    parent = {}
    for node in nodes:
        for child in (node["left"], node["right"]):
            if child is None:
                continue
            MESSAGES.require(child in by_id, EditError, "edit.lost_child", node=node["id"], child=child)
            MESSAGES.require(child not in parent, EditError, "edit.two_parents", child=child)
            parent[child] = node["id"]
    roots = [node["id"] for node in nodes if node["id"] not in parent]
    MESSAGES.require(roots, EditError, "edit.circle")
    MESSAGES.require(len(roots) == 1, EditError, "edit.roots", nodes=roots)
    order, stack = [], [roots[0]]
    while stack:
        node = by_id[stack.pop()]
        order.append(node)
        if node["left"] is not None:
            stack += [node["right"], node["left"]]
    MESSAGES.require(len(order) == len(nodes), EditError, "edit.other_circle", n_nodes=len(nodes) - len(order))
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
        raise DataError(MESSAGES("edit.rows", n_rows=(*np.shape(X), 0)[0], n_labels=y.size))
    if template.target.label_codes(template) is None:
        with typed(DataError):
            codes = template.target.values_of(template, y)
        if not np.isfinite(codes).all():
            raise DataError(MESSAGES("edit.infinity"))
    else:
        codes = _checked_codes(template, y)
    weights = np.ones(y.size) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if weights.shape != y.shape or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise DataError(MESSAGES("edit.weights_of_rows"))
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
        raise DataError(MESSAGES("edit.unknown_label", label=strange[0], classes=list(known)))
    return np.array([known[label] for label in labels.tolist()])[code_of]


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)
