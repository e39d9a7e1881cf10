"""JSON format of a tree. JSON preserves Python floats exactly, so a round trip returns an identical tree."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.messages import joined, listed, literal
from treecore.tree.feature_statistics import QUANTILES
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.leaf_model import CONSTANT
from treecore.tree.linear_leaves import MAX_FEATURES
from treecore.tree.tree_arrays import TreeArrays

# Version 1 had no "missing_right" and no regression, version 2 no "feature_quantiles", version 3 no "linear".
FORMAT, VERSION = "treecore-tree", 4
MAX_TEXT = 512 * 1024 * 1024
MAX_NODES = 5_000_000

_INTEGERS = ("left", "right", "indptr", "features", "labels", "n_samples", "origin")
_NUMBERS = ("weights", "bias")
_DTYPE = re.compile(r"[<>|=][biufU]\d{1,9}")
_KEYS = {
    "format", "version", "n_features", "feature_names", "classes", "values", "missing_right", "feature_quantiles",
    "linear",
    *_INTEGERS, *_NUMBERS,
}  # fmt: skip


def dumps(tree: TreeArrays) -> str:
    """Return the JSON text of a tree."""
    return json.dumps(to_record(tree), allow_nan=False)


def to_record(tree: TreeArrays) -> dict:
    """Return the JSON values of a tree."""
    record = {"format": FORMAT, "version": VERSION, "n_features": tree.n_features}
    record["feature_names"] = list(tree.feature_names) if tree.feature_names is not None else None
    record["classes"] = {"dtype": tree.classes.dtype.str, "labels": tree.classes.tolist()}
    record["missing_right"] = tree.missing_right.tolist() if tree.missing_right is not None else None
    for name in (*_INTEGERS, *_NUMBERS, "values"):
        record[name] = getattr(tree, name).tolist()
    record["feature_quantiles"] = None
    if tree.feature_quantiles is not None:  # only quantiles of used features
        known = np.flatnonzero(~np.isnan(tree.feature_quantiles).any(axis=1))
        record["feature_quantiles"] = {str(j): tree.feature_quantiles[j].tolist() for j in known}
    record["linear"] = tree.leaf_model.to_record()
    return record


def loads(text: str) -> dict:
    """Return the fields of a tree with validated types. `Tree` validates that they match.

    Raise TreeFormatError if a field is invalid.
    """
    return from_record(parse(text))


def parse(text: str | bytes) -> Any:
    """Parse JSON text (str or UTF-8 bytes). Raise TreeFormatError if it is invalid or has a non-finite number."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise TreeFormatError("The file is not UTF-8 text. Open a .json file saved by this program.") from None
    if len(text) > MAX_TEXT:
        raise TreeFormatError(f"The file has {len(text)} characters (maximum {MAX_TEXT}).")
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise TreeFormatError("The file is nested too deeply for a tree.") from None
    except TreeFormatError:
        raise
    except ValueError as error:  # invalid JSON, or an integer with thousands of digits
        raise TreeFormatError(f"The file is not JSON, or is incomplete: {error}.") from None


def check_keys(value: Any, keys: set, what: str) -> None:
    """Raise TreeFormatError unless a value is an object with exactly these keys. what : displayed name."""
    if not isinstance(value, dict):
        raise TreeFormatError(f"The {what} must be an object, not {type(value).__name__}.")
    missing, unknown = sorted(keys - value.keys()), sorted(value.keys() - keys)
    if missing or unknown:
        raise TreeFormatError(
            f"The {what} has the unsupported keys {listed(unknown)}."
            if not missing
            else f"The {what} has no {listed(missing)}."
            if not unknown
            else f"The {what} has no {listed(missing)}, and has the unsupported keys {listed(unknown)}."
        )


def from_record(record: Any) -> dict:
    """Return the fields of a tree, as `loads` does, from the values of `to_record`."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise TreeFormatError(f"The file is not a tree. Expected a JSON object with format '{FORMAT}'.")
    if type(record.get("version")) is not int or not 1 <= record["version"] <= VERSION:
        raise TreeFormatError(
            f"Unsupported tree file version {literal(record.get('version'))} (latest supported: {VERSION})."
        )
    if record["version"] == 1:
        record.setdefault("missing_right", None)
    if record["version"] < 3:
        record.setdefault("feature_quantiles", None)
    if record["version"] < 4:
        record.setdefault("linear", None)
    check_keys(record, _KEYS, "tree file")
    fields = {name: _array(record[name], name, int, np.int64) for name in _INTEGERS}
    for name in ("left", "right", "features", "labels"):
        if fields[name].size and (fields[name].min() < -1 or fields[name].max() >= 2**31):
            raise TreeFormatError(f"'{name}' contains an index that is out of range.")
    fields |= {name: _array(record[name], name, float, np.float64) for name in _NUMBERS}
    fields["values"] = _matrix(record["values"], "values")
    fields["leaf_model"] = _leaves(record["linear"])
    fields["classes"] = _classes(record["classes"])
    fields["missing_right"] = _sides(record["missing_right"])
    fields["n_features"] = record["n_features"]
    if type(fields["n_features"]) is not int or not 1 <= fields["n_features"] < 2**31:
        raise TreeFormatError(f"n_features={literal(fields['n_features'])}: expected a whole number >= 1.")
    if fields["n_features"] > MAX_FEATURES:
        raise TreeFormatError(f"The tree has {fields['n_features']} features (maximum {MAX_FEATURES}).")
    fields["feature_quantiles"] = _quantiles(record["feature_quantiles"], fields["n_features"])
    names = record["feature_names"]
    if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise TreeFormatError("'feature_names' must be null or a list of strings.")
    fields["feature_names"] = tuple(names) if names is not None else None
    return fields


def _sides(items):
    if items is None:
        return None
    if not isinstance(items, list) or not all(type(item) is bool for item in items):
        raise TreeFormatError("'missing_right' must be null or a list of true and false.")
    return np.array(items, np.bool_)


def _quantiles(record, n_features):
    if record is None:
        return None
    if not isinstance(record, dict) or any(
        type(row) is not list or len(row) != len(QUANTILES) for row in record.values()
    ):
        raise TreeFormatError(
            f"'feature_quantiles' must be null or contain {len(QUANTILES)} numbers for each feature that the tree uses."
        )
    quantiles = np.full((n_features, len(QUANTILES)), np.nan)
    for feature, row in record.items():
        if not re.fullmatch(r"[0-9]{1,9}", feature) or int(feature) >= n_features:
            raise TreeFormatError(
                f"'feature_quantiles' must be null or contain {len(QUANTILES)} numbers for each feature that the "
                f"tree uses, but contains feature {feature!r:.20}."
            )
        quantiles[int(feature)] = _array(row, "feature_quantiles", float, np.float64)
    return quantiles


def _refuse(constant):
    raise TreeFormatError(f"The file contains {constant}. Only finite numbers are supported.")


def _array(items, name, kind, dtype):
    if not isinstance(items, list):
        raise TreeFormatError(f"'{name}' must be a list of numbers, not {type(items).__name__}.")
    if len(items) > MAX_NODES and name not in ("weights", "features"):
        raise TreeFormatError(f"'{name}' has {len(items)} entries (maximum {MAX_NODES} nodes).")
    allowed = (int,) if kind is int else (int, float)
    if not all(type(item) in allowed for item in items):
        raise TreeFormatError(
            f"'{name}' must contain only whole numbers." if kind is int else f"'{name}' must contain only numbers."
        )
    try:
        return np.array(items, dtype)
    except OverflowError:
        raise TreeFormatError(f"'{name}' contains a number that is too large.") from None


def _matrix(rows, name):
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise TreeFormatError(f"'{name}' must be a list of lists of numbers.")
    if len({len(row) for row in rows}) != 1:
        raise TreeFormatError(f"The lists in '{name}' must have equal lengths.")
    return np.array([_array(row, name, float, np.float64) for row in rows])


def _leaves(record):
    """Return the leaf model of the value "linear", which has this name because linear leaves were the first."""
    if record is None:
        return CONSTANT
    kind = record.get("kind", "linear") if isinstance(record, dict) else "linear"
    if not isinstance(record, dict):
        record = {}
    if kind not in LEAF_KINDS:
        raise TreeFormatError(f"Unknown kind of leaves {literal(kind)}. Supported: {joined(LEAF_KINDS)}.")
    return LEAF_KINDS[kind].from_record(record, _array, _matrix)


def _classes(record):
    if not isinstance(record, dict) or record.keys() != {"dtype", "labels"} or not isinstance(record["labels"], list):
        raise TreeFormatError("'classes' must contain 'dtype' and 'labels'.")
    labels = record["labels"]
    code = record["dtype"]
    if not isinstance(code, str) or not _DTYPE.fullmatch(code):
        raise TreeFormatError(f"Unsupported class dtype {literal(code, 60)}. Supported: numbers, booleans and strings.")
    try:
        dtype = np.dtype(code if code[1] != "U" else "<U1")
    except (TypeError, ValueError):
        raise TreeFormatError(f"Unknown class dtype {literal(code)}.") from None
    wanted = {"b": bool, "i": int, "u": int, "f": float, "U": str}[dtype.kind]
    if not all(type(label) is wanted for label in labels):
        raise TreeFormatError(f"The class labels must be a list of {wanted.__name__}.")
    try:
        with np.errstate(over="ignore"):
            classes = np.array(labels, dtype if dtype.kind != "U" else str)
    except OverflowError:
        raise TreeFormatError(f"A class label is out of range for {dtype}.") from None
    if dtype.kind == "f" and not np.isfinite(classes).all():
        raise TreeFormatError(f"A class label cannot be represented as a finite {dtype} number.")
    return classes
