"""Export as an ONNX model in double precision.

The tree operators of ONNX only compare one feature with a threshold. This model instead sums ``b + w x + ...`` for all
nodes at once, one term per step, and then descends one level per step. It supports all split types, and sums are added
in the order of `Tree.predict`, so rounding is the same. The scores of linear leaves are summed in the same way, for
each row in its leaf.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from treecore.artifact import artifact
from treecore.errors import ParameterError
from treecore.export.checks import class_labels, node_labels
from treecore.foreign.fitted_tree import as_tree
from treecore.messages import literal
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from onnx.onnx_ml_pb2 import GraphProto, ValueInfoProto


MOST_FEATURES = 1_000_000  # limits the file size, because the file contains all feature names
MOST_WEIGHTS = 50_000_000  # an ONNX file is limited to 2 GB
_LARGEST = 2**63 - 1


@artifact(
    "Model", "ONNX", "onnx", "application/octet-stream", takes=("target_name",), package="onnx",
    about="a model in double precision with the outputs leaf, prediction and probabilities",
)  # fmt: skip
def onnx(tree: Tree, target_name: str = "") -> bytes:
    """Return an ONNX model with the predictions of the tree.

    The input ``X`` is double[n, n_features]. The outputs have one entry per row. leaf is int64[n], as in `Tree.apply`.
    prediction is [n]: a label (string, int64, double or bool) or, for regression, a number. probabilities is double[n,
    n_classes], as in `Tree.predict_proba`, and is missing for regression. For a row that `Tree.predict` does not
    support (infinity; NaN unless the tree was trained with missing values), leaf is -1, prediction is "", 0, NaN or
    False, and the probabilities are NaN. The metadata contain ``feature_names``, ``class_names``,
    ``target_name`` and the tree, if it has at most 16 million characters of JSON, which `from_onnx` reads. All numbers
    are doubles, so onnxruntime on a CPU gives exactly the predictions of the tree. Only the probabilities of linear
    leaves can differ in their last digits.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    target_name : str, default=''
        Name of the predicted column, for the metadata.

    Returns
    -------
    bytes
        The model.

    Raises
    ------
    ParameterError
        If the package onnx is not installed or `tree` is not a tree. If a label is infinite, not valid Unicode, of
        another type, or an integer above 2**63 - 1. If there are more than 1,000,000 features or 50,000,000 weights
        (the number of decision nodes times the largest number of features per node, for linear leaves also times the
        number of scores).

    See Also
    --------
    treecore.from_onnx : Reads trees from ONNX models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> type(export.onnx(CARTClassifier(random_state=0).fit(X, y).tree_)).__name__
    'bytes'
    """
    tree = as_tree(tree)
    predictions = _predictions(tree)
    terms = _terms_of(tree.indptr, tree.n_decision, "decision nodes")
    if tree.n_features > MOST_FEATURES:
        raise ParameterError(
            f"ONNX export supports at most {MOST_FEATURES:,} features; the tree has {tree.n_features:,}. Choose "
            "another format."
        )
    graph = OnnxGraph(onnx_package())
    leaf = graph.add("Where", [_refused(graph, tree), graph.constant(np.int64(-1)), _walk(graph, tree, terms)], "leaf")
    outputs = [graph.typed(leaf, np.int64, ["n"]), graph.typed("prediction", predictions.dtype, ["n"])]
    names = {"feature_names": [tree.feature_name(feature) for feature in range(tree.n_features)]}
    if target_name:
        names["target_name"] = target_name
    if tree.classes.size:
        outputs.append(graph.typed("probabilities", np.float64, ["n", tree.classes.size]))
        names["class_names"] = class_labels(tree)
    (_answer_of_leaf if tree.leaf_model.is_constant else _answer_of_model)(graph, tree, leaf, predictions)
    return graph.model([graph.typed("X", np.float64, ["n", tree.n_features])], outputs, names, tree.to_json())


def _terms_of(indptr, n_nodes, nodes, n_scores=1):
    """Return the largest number of features per node. Raise ParameterError if there are too many weights."""
    terms = int(np.diff(indptr).max())
    if terms * n_nodes * n_scores > MOST_WEIGHTS:
        raise ParameterError(
            f"ONNX export supports at most {MOST_WEIGHTS:,} weights; the tree has {n_nodes:,} {nodes} of up to "
            f"{terms} features. Use a smaller tree, or choose another format."
        )
    return terms


def _answer_of_leaf(graph, tree, leaf, predictions):
    graph.add("Gather", [graph.constant(predictions), leaf], "prediction")
    shares = tree.target.shares(tree)
    if shares is not None:
        of_leaves = np.where(tree.left[:, None] < 0, shares, 1.0 / tree.classes.size)
        table = np.vstack([of_leaves, np.full(tree.classes.size, np.nan)])
        graph.add("Gather", [graph.constant(table), leaf], "probabilities")


def _answer_of_model(graph, tree, leaf, predictions):
    linear = tree.leaf_model
    terms = _terms_of(linear.indptr, tree.n_nodes, "nodes with leaves", linear.bias.shape[1])
    refused = graph.add("Less", [leaf, graph.constant(np.int64(0))])
    scores = graph.add("Gather", [graph.constant(linear.bias), leaf])
    if terms:
        scanned = [scores, *_terms(graph, linear, np.arange(tree.n_nodes), terms, tree.n_features)]
        scores = graph.add("Scan", scanned, num_scan_inputs=2, body=_score_addition(graph, leaf))
    last = graph.constant(np.array([1]))
    if not tree.classes.size:
        nothing = graph.constant(predictions[-1])
        graph.add("Where", [refused, nothing, graph.add("Squeeze", [scores, last])], "prediction")
        return
    # the first in a tie, as in numpy
    best = graph.add("ArgMax", [scores], axis=1, keepdims=0)
    place = graph.add("Where", [refused, graph.constant(np.int64(-1)), best])
    graph.add("Gather", [graph.constant(predictions), place], "prediction")
    powers = graph.add("Exp", [graph.add("Sub", [scores, graph.add("ReduceMax", [scores], axes=[1])])])
    shares = graph.add("Div", [powers, graph.add("ReduceSum", [powers, last])])
    nothing = graph.constant(np.float64(np.nan))
    graph.add("Where", [graph.add("Unsqueeze", [refused, last]), nothing, shares], "probabilities")


def _predictions(tree):
    """Return the predictions of nodes (for linear leaves, of classes), then that for unsupported rows (leaf -1)."""
    labels = node_labels(tree, _LARGEST) if tree.leaf_model.is_constant else class_labels(tree, _LARGEST)
    kind = tree.classes.dtype.kind if tree.classes.size else "f"
    if kind == "U":
        damaged = [
            label for label in class_labels(tree) if any("\ud800" <= character <= "\udfff" for character in label)
        ]
        if damaged:
            raise ParameterError(
                f"ONNX does not support the class label {literal(damaged[0], 60)}, which contains an incomplete "
                "character (a lone surrogate). Rename the class."
            )
    nothing, dtype = {"U": ("", None), "f": (np.nan, np.float64), "b": (False, np.bool_)}.get(kind, (0, np.int64))
    return np.array([*labels, nothing], dtype)


def _refused(graph, tree):
    """Mark the rows with a value that the tree does not support, bool[n]."""
    refused = graph.add("IsInf", ["X"])
    if tree.missing_right is None:
        refused = graph.add("Or", [refused, graph.add("IsNaN", ["X"])])
    counted = graph.add("Cast", [refused], to=graph.kind(np.int32))
    return graph.add("Cast", [graph.add("ReduceMax", [counted], axes=[1], keepdims=0)], to=graph.kind(np.bool_))


def _walk(graph, tree, terms):
    """Return the leaf of each row, int64[n]. Leaves are their own children, so all rows take equally many steps."""
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
    """Return whether each row goes right at each decision node, bool[n_decision, n]."""
    decisions = np.flatnonzero(tree.left >= 0)
    shape = graph.add("Concat", [graph.constant(np.array([1])), n_rows], axis=0)
    margins = graph.add("Expand", [graph.constant(tree.bias[decisions, None]), shape])
    if terms:
        scanned = [margins, *_terms(graph, tree, decisions, terms, tree.n_features)]
        margins = graph.add("Scan", scanned, num_scan_inputs=2, body=_addition(graph))
    right = graph.add("GreaterOrEqual", [margins, graph.constant(np.float64(0))])
    if tree.missing_right is None:
        return right
    sides = graph.constant(tree.missing_right[decisions, None])
    return graph.add("Or", [right, graph.add("And", [graph.add("IsNaN", [margins]), sides])])


def _terms(graph, part, nodes, terms, n_features):
    """Add constants for the weights, [terms, nodes, scores], and features, [terms, nodes], of some `nodes`.

    part : tree or its linear leaves. A node with fewer terms is filled up with 0 times an extra feature, which is
    always 0.
    """
    places = part.indptr[nodes] + np.arange(terms)[:, None]
    is_there = places < part.indptr[nodes + 1]
    places = np.minimum(places, part.features.size - 1)
    weights = part.weights.reshape(part.features.size, -1)[places]
    features = np.where(is_there, part.features[places], n_features).astype(np.int32)
    return graph.constant(np.where(is_there[:, :, None], weights, 0.0)), graph.constant(features)


def _addition(graph):
    """Return the step that adds a term to the margins of all decision nodes."""
    columns = graph.add("Transpose", [_with_zero(graph)])
    body = graph.part()
    added = body.add("Gather", [columns, "features"], axis=0)
    return _sum_step(body, "margins", "weights", added)


def _score_addition(graph, leaf):
    """Return the step that adds a term to the scores of every row in its leaf."""
    rows, last = _with_zero(graph), graph.constant(np.array([1]))
    body = graph.part()
    place = body.add("Unsqueeze", [body.add("Gather", ["features", leaf]), last])
    added = body.add("GatherElements", [rows, place], axis=1)
    return _sum_step(body, "scores", body.add("Gather", ["weights", leaf]), added)


def _with_zero(graph):
    """Return X with an extra last feature that is always 0."""
    return graph.add("Pad", ["X", graph.constant(np.array([0, 0, 0, 1])), graph.constant(np.float64(0))])


def _sum_step(body, name, weights, added):
    body.add("Add", [name, body.add("Mul", [weights, added])], "sums")
    inputs = {name: np.float64, "weights": np.float64, "features": np.int32}
    declared = [body.typed(name, dtype, None) for name, dtype in inputs.items()]
    return body.close("addition", declared, [body.typed("sums", np.float64, None)])


OPSET, IR_VERSION = 17, 8  # versions from 2022, which newer runtimes support as well
MOST_TREE = 16 * 1024 * 1024  # characters; `treecore.from_onnx` reads files of at most twice this size


def onnx_package() -> ModuleType:
    """Return the package onnx. Raise ParameterError if it is not installed."""
    try:
        import onnx
    except ImportError:
        raise ParameterError(
            "ONNX export needs the package onnx, which is not installed. Run pip install onnx."
        ) from None
    return onnx


class OnnxGraph:
    """Graph under construction. All values have unique names, including those in the bodies of loops (parts)."""

    def __init__(self, package: ModuleType, prefix: str = "") -> None:
        self._package, self._prefix = package, prefix
        self._nodes, self._constants, self._n_parts = [], [], 0

    def part(self) -> OnnxGraph:
        """Return a new graph for the body of a loop."""
        self._n_parts += 1
        return OnnxGraph(self._package, f"{self._prefix}part{self._n_parts}_")

    def add(self, operator: str, inputs: Sequence[str], name: str | None = None, **attributes) -> str:
        """Add an operator on named values and return the name of its result."""
        name = name or f"{self._prefix}value{len(self._nodes)}"
        self._nodes.append(self._package.helper.make_node(operator, inputs, [name], **attributes))
        return name

    def constant(self, values: ArrayLike) -> str:
        """Add a constant array and return its name."""
        name, values = f"{self._prefix}constant{len(self._constants)}", np.asarray(values)
        if values.dtype.kind == "U":
            texts = [text.encode() for text in values.tolist()]
            tensor = self._package.helper.make_tensor(name, self.kind(values.dtype), values.shape, texts)
        else:
            tensor = self._package.numpy_helper.from_array(values, name)
        self._constants.append(tensor)
        return name

    def kind(self, dtype: np.dtype | type) -> int:
        """Return the ONNX code of a dtype."""
        if np.dtype(dtype).kind == "U":
            return self._package.TensorProto.STRING
        return self._package.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))

    def typed(self, name: str, dtype: np.dtype | type, shape: Sequence | None) -> ValueInfoProto:
        """Return the declaration of an input or an output."""
        return self._package.helper.make_tensor_value_info(name, self.kind(dtype), shape)

    def close(self, name: str, inputs: Sequence[str], outputs: Sequence[str]) -> GraphProto:
        """Return the finished graph."""
        return self._package.helper.make_graph(self._nodes, name, inputs, outputs, self._constants)

    def model(self, inputs: Sequence, outputs: Sequence, names: dict, tree: str) -> bytes:
        """Return the bytes of a model with this graph.

        names : dict of lists of str, stored as metadata; tree : JSON text of the tree, stored with a hash of the graph
        if it is short. `treecore.from_onnx` reads it, and refuses the file if another program changed the graph.
        """
        helper = self._package.helper
        model = helper.make_model(
            self.close("decision_tree", inputs, outputs),
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="treecore",
        )
        stored = {name: json.dumps(listed) for name, listed in names.items()}
        if len(tree) <= MOST_TREE:
            digest = hashlib.sha256(model.graph.SerializeToString(deterministic=True)).hexdigest()
            stored |= {"treecore_tree": tree, "treecore_graph": json.dumps(digest)}
        helper.set_model_props(model, stored)
        return model.SerializeToString(deterministic=True)
