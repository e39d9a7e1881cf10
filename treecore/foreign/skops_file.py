"""`skops_estimator`: scikit-learn estimators from skops files, read without the package skops.

A file is a zip archive with arrays and a JSON description. Only classes in `_READ` are created, by the constructors of
scikit-learn with plain values. For other classes, only the name is read. Nothing in a file is imported or executed.
"""

from __future__ import annotations

import importlib
import io
import json
import math
import zipfile
import zlib
from tokenize import TokenError
from types import SimpleNamespace
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.foreign.file_damage import report_damage
from treecore.tree import tree_json

NEWEST = 2  # newest supported protocol of skops
MOST_BYTES = 256 * 1024 * 1024  # maximum unpacked size
_READ = {
    "sklearn.tree": ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"),
    "sklearn.ensemble": (
        "RandomForestClassifier",
        "RandomForestRegressor",
        "ExtraTreesClassifier",
        "ExtraTreesRegressor",
        "BaggingClassifier",
        "BaggingRegressor",
        "AdaBoostClassifier",
        "AdaBoostRegressor",
        "GradientBoostingClassifier",
        "GradientBoostingRegressor",
        "HistGradientBoostingClassifier",
        "HistGradientBoostingRegressor",
    ),
    "sklearn.preprocessing": ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"),
    "sklearn.pipeline": ("Pipeline",),
}
# parts of estimators whose values are read, without their methods
_PARTS = ("TreePredictor", "ColumnTransformer", "OrdinalEncoder")
_MODULE = {name: module for module, names in _READ.items() for name in names}


SKOPS_FILE_NAME = "The skops file"


def skops_estimator(content: bytes) -> Any:
    """Return the fitted estimator or pipeline of a file. The trees have the arrays of scikit-learn, but no methods.

    Raise TreeFormatError if the file is damaged or unpacks to more than 256 MB.
    """
    with report_damage(SKOPS_FILE_NAME):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
                    raise TreeFormatError(
                        f"The skops file unpacks to more than {MOST_BYTES:,} bytes, the maximum. Use a smaller model."
                    )
                schema = tree_json.parse(archive.read("schema.json"))
                if schema.get("protocol", 0) > NEWEST:
                    raise TreeFormatError(
                        f"Unsupported skops protocol {schema['protocol']!s:.20} (latest supported: {NEWEST}). "
                        "Save the model with an older version of skops."
                    )
                return _value(schema, archive)
        except RecursionError:
            raise TreeFormatError("The skops file is nested too deeply for a model.") from None
        except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, SyntaxError, TokenError) as error:
            raise TreeFormatError(f"The skops file is damaged: {error!s:.80}.") from None


def _value(node, archive):
    """Return the value of a node in the description, or None for kinds that trees do not need."""
    kind, content = node["__loader__"], node.get("content")
    if kind == "JsonNode":
        return json.loads(content)
    if kind == "DictNode":
        return {str(name): _value(item, archive) for name, item in content.items()}
    if kind in ("ListNode", "TupleNode"):
        return [_value(item, archive) for item in content]
    if kind == "NdArrayNode" and node["type"] == "numpy":
        return _array(archive.read(node["file"]))
    if kind == "NdArrayNode":
        return np.array([_value(item, archive) for item in content], object)
    if kind == "TreeNode":
        return _tree(_value(content, archive), _value(node["__reduce__"]["args"], archive))
    if kind != "ObjectNode":
        return None
    name = node["__class__"]
    if name in _MODULE:
        return _estimator(name, _value(content, archive))
    found = type(f"{name!s:.60}", (), {})()
    if name in _PARTS:
        vars(found).update(_value(content, archive))
    return found


def _estimator(name, values):
    kind = getattr(importlib.import_module(_MODULE[name]), name)
    if name.startswith("GradientBoosting") and "learning_rate" not in values:  # else the constructor would set it
        raise TreeFormatError("The skops file is damaged: a boosting model has no learning_rate.")
    found = kind([]) if name == "Pipeline" else kind()
    vars(found).update(values)
    return found


def _array(data):
    """Return the array in the bytes of a .npy file, after a check of its size."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
    shape, by_columns, dtype = header(file)
    rest = data[file.tell() :]
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(rest):
        raise TreeFormatError("The skops file is damaged: an array is shorter or longer than declared.")
    return np.frombuffer(rest, dtype).reshape(shape, order="F" if by_columns else "C")


def _tree(values, arguments):
    """Return the arrays of a scikit-learn `tree_` under their names."""
    n_features, _, n_outputs = arguments
    nodes, leaves, m = values["nodes"], values["values"], values["node_count"]
    nodes, leaves = nodes[:m], leaves[:m]
    decides = nodes["left_child"] >= 0
    features = nodes["feature"][decides]
    is_whole = 0 < m == len(nodes) == len(leaves) and leaves.ndim == 3 and leaves.shape[1] == n_outputs
    if not is_whole or (features < 0).any() or (features >= n_features).any() or np.isnan(nodes["threshold"]).any():
        raise TreeFormatError("The skops file is damaged: the arrays of a tree do not match.")
    names = ("feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples", "missing_go_to_left")
    return SimpleNamespace(
        children_left=nodes["left_child"],
        children_right=nodes["right_child"],
        value=leaves,
        node_count=m,
        n_features=n_features,
        n_outputs=n_outputs,
        **{name: nodes[name] for name in names},
    )
