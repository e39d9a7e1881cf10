"""Export as an ONNX model in double precision.

ONNX's own tree operators compare one feature with a threshold. This model sums ``b + w x + ...`` for all nodes at once
instead, a term a step, and then walks down as often as the tree is deep. So it holds trees of every kind, and each sum
is rounded in the order of `Tree.predict`.
"""

import numpy as np

from treecore.errors import ParameterError
from treecore.export.checks import class_labels, node_labels
from treecore.export.onnx_graph import OnnxGraph, onnx_package
from treecore.foreign.fitted_tree import as_tree
from treecore.tree.linear_leaves import require_constant
from treecore.tree.tree import Tree

MOST_FEATURES = 1_000_000  # each is named in the file
MOST_WEIGHTS = 50_000_000  # a file of ONNX holds 2 GB
_LARGEST = 2**63 - 1


def onnx(tree: Tree) -> bytes:
    """Bytes of an ONNX model with input ``X``, double[n, n_features], and these outputs, one entry for each row:

    leaf : int64[n], as of `Tree.apply`; prediction : [n], the label as string, int64, double or bool, or the number of
    a regression tree; probabilities : double[n, n_classes], as of `Tree.predict_proba`, not for regression. A row that
    `Tree.predict` refuses (infinity; NaN unless the tree was trained with missing values) has the leaf -1, the
    prediction "", 0, NaN or False, and probabilities NaN. The metadata have ``feature_names`` and ``class_names`` as
    JSON. Every number is a double, so onnxruntime on a CPU answers exactly as the tree does.

    Needs the package onnx. Raises ParameterError without it, for a `tree` that is none, labels that are infinite,
    of another kind or no valid Unicode, whole numbers beyond 2**63 - 1, more than 1,000,000 features, and more than
    50,000,000 weights (decision nodes times the most features of one).
    """
    tree = as_tree(tree)
    require_constant(tree, "onnx", ParameterError)
    predictions = _predictions(tree)
    terms = int(np.diff(tree.indptr).max())
    if terms * tree.n_decision > MOST_WEIGHTS:
        raise ParameterError(
            f"the tree has {tree.n_decision} decision nodes of up to {terms} features: an ONNX file holds "
            f"{MOST_WEIGHTS} weights; take a smaller tree or another target."
        )
    if tree.n_features > MOST_FEATURES:
        raise ParameterError(
            f"the tree has {tree.n_features} features: an ONNX file names up to {MOST_FEATURES}; take another target."
        )
    graph = OnnxGraph(onnx_package())
    leaf = graph.add("Where", [_refused(graph, tree), graph.constant(np.int64(-1)), _walk(graph, tree, terms)], "leaf")
    outputs = [graph.typed(leaf, np.int64, ["n"]), graph.typed("prediction", predictions.dtype, ["n"])]
    graph.add("Gather", [graph.constant(predictions), leaf], "prediction")
    names = {"feature_names": [tree.feature_name(feature) for feature in range(tree.n_features)]}
    shares = tree.target.shares(tree)
    if shares is not None:
        of_leaves = np.where(tree.left[:, None] < 0, shares, 1.0 / tree.classes.size)
        table = np.vstack([of_leaves, np.full(tree.classes.size, np.nan)])
        graph.add("Gather", [graph.constant(table), leaf], "probabilities")
        outputs.append(graph.typed("probabilities", np.float64, ["n", tree.classes.size]))
        names["class_names"] = class_labels(tree)
    return graph.model([graph.typed("X", np.float64, ["n", tree.n_features])], outputs, names)


def _predictions(tree):
    """[m + 1]: what each node predicts and, last (where leaf -1 finds it), what a refused row is given."""
    labels = node_labels(tree, _LARGEST)
    kind = tree.predictions.dtype.kind
    if kind == "U":
        damaged = [
            label for label in class_labels(tree) if any("\ud800" <= character <= "\udfff" for character in label)
        ]
        if damaged:
            raise ParameterError(f"class label {damaged[0]!r:.60}: ONNX cannot hold half of a surrogate pair.")
    nothing, dtype = {"U": ("", None), "f": (np.nan, np.float64), "b": (False, np.bool_)}.get(kind, (0, np.int64))
    return np.array([*labels, nothing], dtype)


def _refused(graph, tree):
    """bool[n]: the rows with a value that the tree does not take."""
    refused = graph.add("IsInf", ["X"])
    if tree.missing_right is None:
        refused = graph.add("Or", [refused, graph.add("IsNaN", ["X"])])
    counted = graph.add("Cast", [refused], to=graph.kind(np.int32))
    return graph.add("Cast", [graph.add("ReduceMax", [counted], axes=[1], keepdims=0)], to=graph.kind(np.bool_))


def _walk(graph, tree, terms):
    """int64[n]: the leaf of each row. Leaves are their own children, so all rows take the same number of steps."""
    n_rows = graph.add("Shape", ["X"], start=0, end=1)
    node = graph.add("Expand", [graph.constant(np.zeros(1, np.int64)), n_rows])
    if tree.depth == 0:
        return node
    goes_right = graph.add("Transpose", [_goes_right(graph, tree, terms, n_rows)])
    itself, is_leaf = np.arange(tree.n_nodes), tree.left < 0
    right, left = (graph.constant(np.where(is_leaf, itself, child)) for child in (tree.right, tree.left))
    decision = graph.constant(np.where(is_leaf, 0, np.cumsum(~is_leaf) - 1))
    body, last = graph.part(), graph.constant(np.array([1]))
    place = body.add("Unsqueeze", [body.add("Gather", [decision, "at"]), last])
    side = body.add("Squeeze", [body.add("GatherElements", [goes_right, place], axis=1), last])
    body.add("Where", [side, *(body.add("Gather", [child, "at"]) for child in (right, left))], "below")
    body.add("Identity", ["go_on"], "goes_on")
    step = body.close(
        "step",
        [body.typed("i", np.int64, []), body.typed("go_on", np.bool_, []), body.typed("at", np.int64, ["n"])],
        [body.typed("goes_on", np.bool_, []), body.typed("below", np.int64, ["n"])],
    )
    return graph.add("Loop", [graph.constant(np.int64(tree.depth)), graph.constant(np.bool_(True)), node], body=step)


def _goes_right(graph, tree, terms, n_rows):
    """bool[n_decision, n]: the side of every row at every decision node."""
    decisions = np.flatnonzero(tree.left >= 0)
    shape = graph.add("Concat", [graph.constant(np.array([1])), n_rows], axis=0)
    margins = graph.add("Expand", [graph.constant(tree.bias[decisions, None]), shape])
    if terms:
        scanned = [margins, *_terms(graph, tree, decisions, terms)]
        margins = graph.add("Scan", scanned, num_scan_inputs=2, body=_addition(graph))
    right = graph.add("GreaterOrEqual", [margins, graph.constant(np.float64(0))])
    if tree.missing_right is None:
        return right
    sides = graph.constant(tree.missing_right[decisions, None])
    return graph.add("Or", [right, graph.add("And", [graph.add("IsNaN", [margins]), sides])])


def _terms(graph, tree, decisions, terms):
    """Constants of the weights, [terms, n_decision, 1], and features, [terms, n_decision], of the decision nodes.

    A node that has no more terms adds 0 times the feature after the last, which is always 0.
    """
    places = tree.indptr[decisions] + np.arange(terms)[:, None]
    is_there = places < tree.indptr[decisions + 1]
    places = np.minimum(places, tree.features.size - 1)
    weights = np.where(is_there, tree.weights[places], 0.0)
    features = np.where(is_there, tree.features[places], tree.n_features).astype(np.int32)
    return graph.constant(weights[:, :, None]), graph.constant(features)


def _addition(graph):
    """The step that adds a term to the margins of all decision nodes."""
    zero_after = graph.constant(np.array([0, 0, 1, 0]))
    columns = graph.add("Pad", [graph.add("Transpose", ["X"]), zero_after, graph.constant(np.float64(0))])
    body = graph.part()
    product = body.add("Mul", ["weights", body.add("Gather", [columns, "features"], axis=0)])
    body.add("Add", ["margins", product], "sums")
    inputs = {"margins": np.float64, "weights": np.float64, "features": np.int32}
    declared = [body.typed(name, dtype, None) for name, dtype in inputs.items()]
    return body.close("addition", declared, [body.typed("sums", np.float64, None)])
