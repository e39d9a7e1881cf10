"""Construction of an ONNX graph and its bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import ParameterError

if TYPE_CHECKING:
    from onnx.onnx_ml_pb2 import GraphProto, ValueInfoProto


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
