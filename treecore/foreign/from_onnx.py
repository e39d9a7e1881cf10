"""Conversion of trees from ONNX files (TreeEnsembleClassifier or TreeEnsembleRegressor) without the package onnx."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.margins import sigmoid, single_class
from treecore.foreign.onnx_file import OnnxFile
from treecore.messages import joined, literal
from treecore.tree.tree import Tree

_FLOAT, _INT32, _INT64, _DOUBLE = 1, 6, 7, 11  # ONNX type numbers
_ENSEMBLES = ("ai.onnx.ml.TreeEnsembleClassifier", "ai.onnx.ml.TreeEnsembleRegressor")
_PASSES = ("Identity", "ai.onnx.ml.ZipMap", "Reshape", "Squeeze", "Flatten")  # they do not change predictions
_AGGREGATES = ("SUM", "AVERAGE", "MIN", "MAX")  # all the same for a single tree
# (true branch on the right, whether a number equal to the threshold goes right)
_MODES = {
    "BRANCH_LEQ": (False, False),
    "BRANCH_LT": (False, True),
    "BRANCH_GTE": (True, True),
    "BRANCH_GT": (True, False),
}


_ONNX_NO_SHARES = (
    "The scores of a leaf are not probabilities. Export probabilities, or margins with "
    "post_transform='LOGISTIC' or 'SOFTMAX'."
)


def from_onnx(model: Any, tree: int = 0) -> Tree:
    """Convert one tree of an ONNX model with a TreeEnsembleClassifier or TreeEnsembleRegressor of ai.onnx.ml.

    The input is one table of numbers. If it is float32, numbers are rounded before comparisons, and the thresholds are
    adjusted so that float64 rows reach the same leaf. `Tree.origin` contains the node numbers of the file. Files do not
    store training rows, so each leaf counts as one row. A tree of a forest predicts its own class shares. A tree of a
    boosted model is a regression tree that predicts margins. If a model has a single tree and no operators after it,
    the converted tree predicts the same as the model in onnxruntime, with the scores divided by their sum. Files of
    `treecore.export.onnx` give the exported tree, unless another program changed their graph.

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
        If the file is damaged, larger than 32 MB, or stores data in other files. If the model has several outputs,
        comparisons other than <=, <, >= and >, or operators that change the features before the trees. If it has
        transforms (post_transform), base values or class ids that programs read differently.

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
    with report_damage("The ONNX file"):
        return _model(OnnxFile.read(file_content(source, "an ONNX model")))


def _model(file):
    if file.producer == "treecore":
        return _own_model(file)
    ensembles = [node for node in file.nodes if node.operator in _ENSEMBLES]
    if len(ensembles) != 1:
        operators = sorted({node.operator for node in file.nodes})[:12]
        raise TreeFormatError(
            f"The ONNX graph has {len(ensembles)} tree ensembles: expected one TreeEnsembleClassifier or "
            f"TreeEnsembleRegressor. Its operators: {joined(operators)}. Export a TreeEnsemble (version 5) with "
            "ai.onnx.ml 3 instead."
        )
    ensemble = ensembles[0]
    dtype, sizes = _input(file, ensemble)
    all_nodes, all_leaves = _arrays(ensemble.attributes)
    _, first = np.unique(all_nodes["trees"], return_index=True)
    trees = all_nodes["trees"][np.sort(first)]
    largest = int(all_nodes["features"].max())
    n_columns = sizes[1] if len(sizes) == 2 and sizes[1] else largest + 1
    if largest >= n_columns or all_nodes["features"].min() < 0:
        raise TreeFormatError(f"The file is damaged: a tree uses feature {largest}, but the input has {n_columns}.")
    columns = ForeignColumns(n_columns)
    is_classifier = ensemble.operator.endswith("Classifier")
    changing = {node.operator for node in file.nodes if node is not ensemble and not _passes(node, file, ensemble)}
    alone = None
    if len(trees) > 1:
        alone = f"The model combines the predictions of all its {len(trees):,} trees."
    elif changing:
        alone = (
            f"The graph has further operators after the tree ({joined(sorted(changing)[:6])}), which change its "
            "predictions."
        )

    def make(number):
        record = _of_tree(all_nodes, trees[number]) | _of_tree(all_leaves, trees[number])
        nodes, leaves = _nodes(record, columns, dtype)
        predicted = _classes if is_classifier else _numbers
        return predicted(ensemble.attributes, record, nodes, leaves, len(trees))

    return ForeignModel("ONNX", len(trees), columns, alone, make)


def _own_model(file):
    """Return the `ForeignModel` of a file from `treecore.export.onnx`, whose metadata contain the tree."""
    if "treecore_tree" not in file.metadata:
        raise TreeFormatError(
            "The ONNX file does not contain the tree, because an older version exported it or the tree is too "
            "large. Open the model as Tree (JSON) or Model (JSON)."
        )
    if file.metadata.get("treecore_graph") != json.dumps(file.digest):
        raise TreeFormatError(
            "The ONNX graph was changed after treecore exported it, so the tree in the file can be another one. "
            "Export the tree again."
        )
    tree = Tree.from_json(file.metadata["treecore_tree"])
    return ForeignModel("treecore", 1, ForeignColumns(tree.n_features, tree.feature_names), None, lambda number: tree)


def _input(file, ensemble):
    """Return the precision of the trees' input, np.float32 or np.float64, and its sizes.

    It must be the input of the graph, without changes apart from a conversion to this precision.
    """
    made_by = {name: node for node in file.nodes for name in node.outputs}
    name, kinds = ensemble.inputs[0], set()
    for _ in range(len(file.nodes) + 1):
        node = made_by.get(name)
        if node is None:
            break
        if node.operator == "Cast":
            kinds.add(node.attributes["to"])
        if node.operator not in ("Identity", "Cast") or not kinds <= {_FLOAT, _DOUBLE}:
            raise TreeFormatError(
                f"The graph transforms the features before the trees ({node.operator}), which is not supported. "
                "Export the tree without scalers and encoders."
            )
        name = node.inputs[0]
    if name not in file.inputs or len(file.inputs) != 1:
        raise TreeFormatError(
            f"The graph has the inputs {joined(sorted(file.inputs))[:80]}, but one table of numbers is "
            "supported. Export the model with one input."
        )
    given, sizes = file.inputs[name]
    if given not in (_FLOAT, _INT32, _INT64, _DOUBLE):
        raise TreeFormatError(
            f"Unsupported type {given} of the input in the ONNX file. Supported: float, double, int32 and int64."
        )
    is_double = (kinds or {given}) == {_DOUBLE} and given != _FLOAT  # trees compare whole numbers as float32
    return (np.float64 if is_double else np.float32), sizes


def _passes(node, file, ensemble):
    """Return whether a node after the trees does not change their predictions."""
    if node.operator in _PASSES or (node.operator == "Cast" and node.attributes["to"] in (_FLOAT, _DOUBLE)):
        return True
    if node.operator != "Cast" or node.attributes["to"] not in (_INT32, _INT64):
        # casts before the trees were checked
        return False
    made_by = {name: one for one in file.nodes for name in one.outputs}
    name = node.inputs[0]
    for _ in range(len(file.nodes)):  # whole labels stay whole
        if name == ensemble.outputs[0] and ensemble.operator.endswith("Classifier"):
            return "classlabels_int64s" in ensemble.attributes
        before = made_by.get(name)
        if before is None or before.operator not in _PASSES:
            return False
        name = before.inputs[0]
    return False


def _values(attributes, name):
    """Return the floats of an attribute, in double precision for a tensor."""
    tensor = attributes.get(f"{name}_as_tensor")
    found = attributes.get(name) if tensor is None else tensor
    return np.zeros(0, np.float32) if found is None else np.asarray(found)


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
            raise TreeFormatError("The file is damaged: the arrays of the trees have different lengths.")
    return nodes, leaves


def _of_tree(arrays, tree):
    own = arrays["trees"] == tree
    return {name: array[own] for name, array in arrays.items()}


def _nodes(record, columns, dtype):
    """Return the ForeignNodes, root first, and the node of each leaf entry, int[e]."""
    unknown = sorted(set(record["modes"].tolist()) - _MODES.keys() - {"LEAF"})
    if unknown:
        raise TreeFormatError(f"Unsupported splits {joined(unknown)[:80]} in the tree. Supported: {joined(_MODES)}.")
    ids, m = record["ids"], record["ids"].size
    place = {number: i for i, number in enumerate(ids.tolist())}
    if len(place) != m:
        raise TreeFormatError("The file is damaged: two nodes of a tree have the same number.")
    decides = record["modes"] != "LEAF"
    true, false = (
        np.array([place[number] if go_on else -1 for number, go_on in zip(record[side].tolist(), decides, strict=True)])
        for side in ("true", "false")
    )
    roots = np.setdiff1d(np.arange(m), np.concatenate([true, false]))
    if roots.size != 1:
        raise TreeFormatError(f"The file is damaged: a tree has {roots.size} roots.")
    order = np.concatenate([roots, np.delete(np.arange(m), roots)])  # the root first
    new = np.argsort(order)
    true, false = (np.where(side < 0, -1, new[side])[order] for side in (true, false))
    decides = decides[order]
    modes = [_MODES.get(mode, (False, False)) for mode in record["modes"][order].tolist()]
    true_right, with_equal = np.array(modes, bool).T
    limits = record["values"][order].astype(dtype)
    if np.isnan(limits[decides]).any():
        raise TreeFormatError("The file is damaged: a threshold of the tree is NaN.")
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
        raise TreeFormatError("The file is damaged: a node of a tree has no parent.")
    nodes.weights[:] = nodes.sums(nodes.weights[:, None])[:, 0]
    return nodes, new[np.array([place[number] for number in record["of"].tolist()], int)]


def _scores(attributes, record, nodes, leaves, k, n_trees):
    """Return the entries of each leaf, float64[m, k], and which entries there are, bool[m, k].

    Runtimes read repeated entries, and leaves without entries, in different ways.
    """
    codes, base = record["codes"], _values(attributes, "base_values")
    if codes.size and not (codes.min() >= 0 and codes.max() < k):
        raise TreeFormatError(f"The file is damaged: the class or output of a leaf is not one of the {k}.")
    scores, has_score = np.zeros((nodes.left.size, k), record["weights"].dtype), np.zeros((nodes.left.size, k), bool)
    scores[leaves, codes], has_score[leaves, codes] = record["weights"], True
    if np.count_nonzero(has_score) < codes.size:
        raise TreeFormatError(
            "A leaf has two numbers for the same output, which runtimes add or replace. Export one number per leaf."
        )
    if (~has_score.any(axis=1) & (nodes.left < 0)).any():
        raise TreeFormatError(
            "A leaf has no number, for which runtimes predict different numbers. Export a number for each leaf."
        )
    if not np.isfinite(scores).all() or not np.isfinite(base).all():
        raise TreeFormatError("The file is damaged: the prediction of a leaf is not a number.")
    if n_trees == 1 and base.any():
        scores, has_score = scores + base.astype(scores.dtype), has_score | True
    return scores.astype(np.float64), has_score


def _classes(attributes, record, nodes, leaves, n_trees):
    """Return a tree of a classifier, or a regression tree of its margins."""
    classes = attributes.get("classlabels_strings")
    classes = attributes["classlabels_int64s"] if classes is None else classes
    k, transform = len(classes), attributes.get("post_transform", "NONE")
    base, weights = _values(attributes, "base_values"), _values(attributes, "class_weights")
    if k < 2:
        raise TreeFormatError(single_class(classes[0]))
    if n_trees == 1 and transform not in ("NONE", "LOGISTIC", *(("SOFTMAX",) if k > 2 else ())):
        raise TreeFormatError(_onnx_transform(transform))
    if k == 2:
        return _two_classes(attributes, record, nodes, leaves, classes, n_trees)
    if n_trees == 1 and base.size not in (0, k):
        raise TreeFormatError(_onnx_base_values(base.size, k))
    scores, has_score = _scores(attributes, record, nodes, leaves, k, n_trees)
    if n_trees > 1 and not _are_shares(transform, weights, base):
        return _margins(record, nodes, scores)
    labels = np.where(has_score, scores, -np.inf).argmax(axis=1)
    if ((labels != scores.argmax(axis=1)) & (nodes.left < 0)).any():
        raise TreeFormatError(
            "A leaf has negative scores and lacks classes, for which runtimes predict different classes. Export "
            "a score for each class."
        )
    if transform == "SOFTMAX":
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    elif transform == "LOGISTIC":
        scores = sigmoid(scores)
    total = scores.sum(axis=1, keepdims=True)
    if n_trees == 1 and ((nodes.left < 0) & ~((scores >= 0).all(axis=1) & (total[:, 0] > 0))).any():
        raise TreeFormatError(_ONNX_NO_SHARES)
    shares = np.where(total > 0, scores / np.where(total > 0, total, 1.0), np.eye(k)[labels])
    return _classification(nodes, shares, classes, labels)


def _two_classes(attributes, record, nodes, leaves, classes, n_trees):
    """Return a tree of a classifier of two classes.

    Converters write one number per leaf, the score of the second class, under the class id 0. Runtimes disagree on
    other forms.
    """
    transform, weights = attributes.get("post_transform", "NONE"), _values(attributes, "class_weights")
    base, all_codes = _values(attributes, "base_values"), np.unique(attributes["class_ids"])
    if all_codes.tolist() != [0]:
        raise TreeFormatError(
            f"The tree of two classes has class ids {joined(all_codes.tolist())}, for which runtimes predict "
            "different classes. Export one number per leaf, the probability of the second class, with class id 0."
        )
    if n_trees == 1 and base.size > 1:
        raise TreeFormatError(_onnx_base_values(base.size, 1))
    score = _scores(attributes, record, nodes, leaves, 1, n_trees)[0]
    if n_trees > 1 and not _are_shares(transform, weights, base):
        return _margins(record, nodes, score)
    score = score[:, 0] * n_trees
    is_leaf, second = nodes.left < 0, score > (0.5 if (weights >= 0).all() else 0.0)
    share = sigmoid(score) if transform == "LOGISTIC" else score
    if (is_leaf & ~((share >= 0) & (share <= 1 + 1e-6))).any():
        raise TreeFormatError(_ONNX_NO_SHARES)
    share = np.clip(share, 0.0, 1.0)
    return _classification(nodes, np.column_stack([1 - share, share]), classes, second.astype(int))


def _are_shares(transform, weights, base):
    return transform == "NONE" and (weights >= 0).all() and not base.any()


def _margins(record, nodes, scores):
    """Return the regression tree of a boosted classifier."""
    if np.unique(record["codes"]).size > 1:
        raise TreeFormatError(
            "Leaves with one number per class are not supported. Export a tree with one number per leaf."
        )
    return nodes.regression(scores.sum(axis=1))


def _classification(nodes, shares, classes, labels):
    values = nodes.sums(np.where(nodes.left[:, None] < 0, shares, 0.0))
    return nodes.classification(values, classes, np.where(nodes.left < 0, labels, values.argmax(axis=1)))


def _numbers(attributes, record, nodes, leaves, n_trees):
    """Return a tree of a regressor."""
    n_targets = attributes["n_targets"]
    if n_targets != 1:
        raise TreeFormatError(
            f"The trees predict {n_targets} outputs, but only one is supported. Export one model per output."
        )
    transform, base = attributes.get("post_transform", "NONE"), _values(attributes, "base_values")
    if n_trees == 1 and transform != "NONE":
        raise TreeFormatError(_onnx_transform(transform))
    if n_trees == 1 and base.size > 1:
        raise TreeFormatError(_onnx_base_values(base.size, 1))
    if attributes.get("aggregate_function", "SUM") not in _AGGREGATES:
        raise TreeFormatError(
            f"The file is damaged: aggregate_function={literal(attributes['aggregate_function'], 40)}."
        )
    return nodes.regression(_scores(attributes, record, nodes, leaves, 1, n_trees)[0][:, 0])


def _onnx_transform(transform: Any) -> str:
    return f"post_transform={literal(transform, 40)} of a single tree is not supported. Export the tree without it."


def _onnx_base_values(n_base: object, n_outputs: object) -> str:
    return f"The ONNX tree has {n_base} base values: expected none or {n_outputs}. Export the tree without base values."
