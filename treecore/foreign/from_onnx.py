"""Conversion of trees from ONNX files (TreeEnsembleClassifier or TreeEnsembleRegressor) without the package onnx."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.margins import sigmoid
from treecore.foreign.messages import MESSAGES
from treecore.foreign.onnx_file import OnnxFile
from treecore.tree.tree import Tree

_FLOAT, _DOUBLE = 1, 11  # ONNX type numbers
_ENSEMBLES = ("ai.onnx.ml.TreeEnsembleClassifier", "ai.onnx.ml.TreeEnsembleRegressor")
_PASSES = (
    "Identity",
    "Cast",
    "ai.onnx.ml.ZipMap",
    "Reshape",
    "Squeeze",
    "Flatten",
)  # operators that do not change predictions
# (true branch on the right, whether a number equal to the threshold goes right)
_MODES = {
    "BRANCH_LEQ": (False, False),
    "BRANCH_LT": (False, True),
    "BRANCH_GTE": (True, True),
    "BRANCH_GT": (True, False),
}


def from_onnx(model: Any, tree: int = 0) -> Tree:
    """Convert one tree of an ONNX model with a TreeEnsembleClassifier or TreeEnsembleRegressor of ai.onnx.ml.

    The input is one table of numbers. If it is float32, numbers are rounded before comparisons, and the thresholds are
    adjusted so that float64 rows reach the same leaf. `Tree.origin` contains the node numbers of the file. Files do not
    store training rows, so each leaf counts as one row. A tree of a forest predicts its own class shares. A tree of a
    boosted model is a regression tree that predicts margins. If a model has a single tree, the converted tree predicts
    the same as the model.

    Parameters
    ----------
    model : path, bytes or ModelProto
        The model, or its file.
    tree : int, default=0
        Number of the tree, in file order.

    Returns
    -------
    Tree
        The converted tree.

    Raises
    ------
    ParameterError
        If `model` is not a file.
    TreeFormatError
        If the file is damaged, larger than 32 MB, or stores data in other files, or if the model has several outputs,
        comparisons other than <=, <, >= and >, or operators that change the features before the trees.

    See Also
    --------
    treecore.export : Exports a tree to ONNX.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skl2onnx import to_onnx
    >>> from treecore import from_onnx
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X, y)
    >>> from_onnx(to_onnx(model, X[:1]).SerializeToString()).n_leaves
    3
    """
    return onnx_model(model).tree(tree)


def onnx_model(model: Any) -> ForeignModel:
    """Return the `ForeignModel` of a model or file that `from_onnx` supports."""
    source = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    with report_damage(MESSAGES("onnx.file")):
        return _model(OnnxFile.read(file_content(source, MESSAGES("onnx.accepted"))))


def _model(file):
    ensembles = [node for node in file.nodes if node.operator in _ENSEMBLES]
    if len(ensembles) != 1:
        operators = sorted({node.operator for node in file.nodes})[:12]
        name = "onnx.own_ensembles" if file.producer == "treecore" else "onnx.ensembles"
        raise TreeFormatError(MESSAGES(name, n_ensembles=len(ensembles), operators=operators))
    ensemble = ensembles[0]
    kind, sizes = _input(file, ensemble)
    all_nodes, all_leaves = _arrays(ensemble.attributes)
    _, first = np.unique(all_nodes["trees"], return_index=True)
    trees = all_nodes["trees"][np.sort(first)]
    largest = int(all_nodes["features"].max())
    n_columns = sizes[1] if len(sizes) == 2 and sizes[1] else largest + 1
    if largest >= n_columns or all_nodes["features"].min() < 0:
        raise TreeFormatError(MESSAGES("onnx.unknown_feature", feature=largest, n_columns=n_columns))
    columns = ForeignColumns(n_columns)
    is_classifier = ensemble.operator.endswith("Classifier")
    after = [node.operator for node in file.nodes if node is not ensemble and node.operator not in _PASSES]
    alone = None
    if len(trees) > 1:
        alone = MESSAGES("onnx.all_trees", n_trees=len(trees))
    elif after:
        alone = MESSAGES("onnx.goes_on", operators=sorted(set(after))[:6])
    dtype = np.float64 if kind == _DOUBLE else np.float32

    def make(number):
        record = _of_tree(all_nodes, trees[number]) | _of_tree(all_leaves, trees[number])
        nodes, leaves = _nodes(record, columns, dtype)
        predicted = _classes if is_classifier else _numbers
        return predicted(ensemble.attributes, record, nodes, leaves, len(trees))

    return ForeignModel("ONNX", len(trees), columns, alone, make)


def _input(file, ensemble):
    """Return the type and the sizes of the trees' input, which must also be the input of the graph."""
    made_by = {name: node for node in file.nodes for name in node.outputs}
    name, kind = ensemble.inputs[0], None
    for _ in range(len(file.nodes) + 1):
        node = made_by.get(name)
        if node is None:
            break
        if node.operator not in ("Identity", "Cast"):
            raise TreeFormatError(MESSAGES("onnx.changed_features", operator=node.operator))
        if node.operator == "Cast":
            kind = _FLOAT if kind == _FLOAT or node.attributes["to"] != _DOUBLE else _DOUBLE
        name = node.inputs[0]
    if name not in file.inputs or len(file.inputs) != 1:
        raise TreeFormatError(MESSAGES("onnx.inputs", inputs=sorted(file.inputs)))
    given, sizes = file.inputs[name]
    return (given if kind is None or given != _DOUBLE else kind), sizes


def _values(attributes, name):
    """Return the floats of an attribute, in double precision for a tensor."""
    tensor = attributes.get(f"{name}_as_tensor")
    return np.asarray(attributes.get(name, ()) if tensor is None else tensor)


def _arrays(attributes):
    """Return the arrays of all nodes and the arrays of all leaf entries, {name: array} each.

    Both contain the tree indices.
    """
    names = {
        "trees": "treeids",
        "ids": "nodeids",
        "features": "featureids",
        "true": "truenodeids",
        "false": "falsenodeids",
    }
    nodes = {name: np.asarray(attributes[f"nodes_{theirs}"]) for name, theirs in names.items()}
    nodes["modes"], nodes["values"] = np.array(attributes["nodes_modes"]), _values(attributes, "nodes_values")
    tracks = attributes.get("nodes_missing_value_tracks_true")
    nodes["tracks"] = np.zeros(nodes["modes"].size, bool) if tracks is None else np.asarray(tracks) != 0
    kind = "class" if "class_ids" in attributes else "target"
    names = {"trees": "treeids", "of": "nodeids", "codes": "ids"}
    leaves = {name: np.asarray(attributes[f"{kind}_{theirs}"]) for name, theirs in names.items()}
    leaves["weights"] = _values(attributes, f"{kind}_weights")
    for arrays in (nodes, leaves):
        if len({array.shape for array in arrays.values()}) != 1 or not arrays["trees"].size:
            raise TreeFormatError(MESSAGES("onnx.arrays"))
    return nodes, leaves


def _of_tree(arrays, tree):
    own = arrays["trees"] == tree
    return {name: array[own] for name, array in arrays.items()}


def _nodes(record, columns, dtype):
    """Return the ForeignNodes, root first, and the node of each leaf entry, int[e]."""
    unknown = sorted(set(record["modes"].tolist()) - _MODES.keys() - {"LEAF"})
    if unknown:
        raise TreeFormatError(MESSAGES("onnx.decisions", unknown=unknown, modes=_MODES))
    ids, m = record["ids"], record["ids"].size
    place = {number: i for i, number in enumerate(ids.tolist())}
    if len(place) != m:
        raise TreeFormatError(MESSAGES("onnx.number_twice"))
    decides = record["modes"] != "LEAF"
    true, false = (
        np.array([place[number] if go_on else -1 for number, go_on in zip(record[side].tolist(), decides, strict=True)])
        for side in ("true", "false")
    )
    roots = np.setdiff1d(np.arange(m), np.concatenate([true, false]))
    if roots.size != 1:
        raise TreeFormatError(MESSAGES("onnx.roots", n_roots=roots.size))
    order = np.concatenate([roots, np.delete(np.arange(m), roots)])  # the root first
    new = np.argsort(order)
    true, false = (np.where(side < 0, -1, new[side])[order] for side in (true, false))
    decides = decides[order]
    modes = [_MODES.get(mode, (False, False)) for mode in record["modes"][order].tolist()]
    true_right, with_equal = np.array(modes, bool).T
    limits = record["values"][order].astype(dtype)
    if np.isnan(limits[decides]).any():
        raise TreeFormatError(MESSAGES("onnx.nan_threshold"))
    tracks = record["tracks"][order]

    def goes_right(x):
        x = x.astype(dtype)
        return (x > limits) | ((x == limits) & with_equal)

    left, right = np.where(true_right, false, true), np.where(true_right, true, false)
    nodes = ForeignNodes(
        left=left,
        right=right,
        features=np.where(decides, record["features"][order], 0),
        first=first_number(goes_right, m),
        missing_right=tracks == true_right,
        weights=np.where(decides, 0.0, 1.0),
        ids=ids[order],
        n_features=columns.n_columns,
    )
    if nodes.order.size != m:
        raise TreeFormatError(MESSAGES("onnx.lost_nodes"))
    nodes.weights[:] = nodes.sums(nodes.weights[:, None])[:, 0]
    return nodes, new[np.array([place[number] for number in record["of"].tolist()], int)]


def _scores(record, nodes, leaves, k):
    """Return the sums of the entries of each leaf, float64[m, k]."""
    if record["codes"].size and not (record["codes"].min() >= 0 and record["codes"].max() < k):
        raise TreeFormatError(MESSAGES("onnx.unknown_class", n_classes=k))
    scores = np.zeros((nodes.left.size, k))
    np.add.at(scores, (leaves, record["codes"]), record["weights"].astype(np.float64))
    if not np.isfinite(scores).all():
        raise TreeFormatError(MESSAGES("onnx.leaf_without_number"))
    return scores


def _classes(attributes, record, nodes, leaves, n_trees):
    """Return a tree of a classifier, or a regression tree of its margins."""
    classes = attributes.get("classlabels_strings")
    classes = attributes["classlabels_int64s"] if classes is None else classes
    k, transform = len(classes), attributes.get("post_transform", "NONE")
    scores = _scores(record, nodes, leaves, k)
    base = _values(attributes, "base_values").astype(np.float64)
    codes, weights = attributes["class_ids"], _values(attributes, "class_weights")
    is_single = k == 2 and np.unique(codes).size == 1  # all weights belong to the second class
    are_shares = transform == "NONE" and (weights >= 0).all() and not base.any()
    if n_trees > 1 and not are_shares:
        if np.unique(record["codes"]).size > 1:
            raise TreeFormatError(MESSAGES("onnx.leaf_of_classes"))
        return nodes.regression(scores.sum(axis=1))
    if is_single:
        score = scores.sum(axis=1) * (n_trees if n_trees > 1 else 1) + base.sum()
        second = score > (0.5 if (weights >= 0).all() else 0.0)
        share = sigmoid(score) if transform == "LOGISTIC" else np.where((score >= 0) & (score <= 1), score, second)
        return _classification(nodes, np.column_stack([1 - share, share]), classes, second.astype(int))
    scores = scores + base if base.size == k else scores
    labels = scores.argmax(axis=1)
    if transform == "SOFTMAX":
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    elif transform == "LOGISTIC":
        scores = sigmoid(scores)
    total = scores.sum(axis=1, keepdims=True)
    is_share = (scores >= 0).all(axis=1, keepdims=True) & (total > 0)
    shares = np.where(is_share, scores / np.where(total > 0, total, 1.0), np.eye(k)[labels])
    return _classification(nodes, shares, classes, labels)


def _classification(nodes, shares, classes, labels):
    values = nodes.sums(np.where(nodes.left[:, None] < 0, shares, 0.0))
    return nodes.classification(values, classes, np.where(nodes.left < 0, labels, values.argmax(axis=1)))


def _numbers(attributes, record, nodes, leaves, n_trees):
    """Return a tree of a regressor."""
    n_targets = attributes.get("n_targets", 1) or 1
    if n_targets != 1:
        raise TreeFormatError(MESSAGES("onnx.several_outputs", n_outputs=n_targets))
    scores = _scores(record, nodes, leaves, 1)[:, 0]
    base = _values(attributes, "base_values")
    if n_trees == 1 and base.size:
        total = scores.astype(base.dtype) + base[0]
        scores = total.astype(np.float64)
    return nodes.regression(scores)
