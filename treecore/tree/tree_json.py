"""JSON format of a tree. JSON preserves Python floats exactly, so a round trip returns an identical tree."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.tree.feature_statistics import QUANTILES
from treecore.tree.linear_leaves import LinearLeaves
from treecore.tree.messages import MESSAGES
from treecore.tree.tree_arrays import TreeArrays

# Version 1 had no "missing_right" and no regression, version 2 no "feature_quantiles", version 3 no "linear".
FORMAT, VERSION = "treecore-tree", 4
MAX_TEXT = 512 * 1024 * 1024
MAX_NODES = 5_000_000
MAX_FEATURES = 2_000_000

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
    record["linear"] = None if tree.linear is None else tree.linear.to_record()
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
            raise TreeFormatError(MESSAGES("file.not_text")) from None
    if len(text) > MAX_TEXT:
        raise TreeFormatError(MESSAGES("file.too_large", n_characters=len(text), most=MAX_TEXT))
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise TreeFormatError(MESSAGES("file.nested_too_deeply")) from None
    except TreeFormatError:
        raise
    except ValueError as error:  # invalid JSON, or an integer with thousands of digits
        raise TreeFormatError(MESSAGES("file.not_json", error=error)) from None


def check_keys(value: Any, keys: set, what: str) -> None:
    """Raise TreeFormatError unless a value is an object with exactly these keys. what : displayed name."""
    if not isinstance(value, dict):
        raise TreeFormatError(MESSAGES("file.not_an_object", what=what, kind=type(value).__name__))
    missing, unknown = sorted(keys - value.keys()), sorted(value.keys() - keys)
    if missing or unknown:
        name = "file.unknown_keys" if not missing else "file.missing_keys" if not unknown else "file.other_keys"
        raise TreeFormatError(MESSAGES(name, what=what, missing=missing, unknown=unknown))


def from_record(record: Any) -> dict:
    """Return the fields of a tree, as `loads` does, from the values of `to_record`."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise TreeFormatError(MESSAGES("file.not_a_tree", format=FORMAT))
    if type(record.get("version")) is not int or not 1 <= record["version"] <= VERSION:
        raise TreeFormatError(MESSAGES("file.version", version=record.get("version"), newest=VERSION))
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
            raise TreeFormatError(MESSAGES("file.index", name=name))
    fields |= {name: _array(record[name], name, float, np.float64) for name in _NUMBERS}
    fields["values"] = _matrix(record["values"], "values")
    fields["linear"] = _linear(record["linear"])
    fields["classes"] = _classes(record["classes"])
    fields["missing_right"] = _sides(record["missing_right"])
    fields["n_features"] = record["n_features"]
    if type(fields["n_features"]) is not int or not 1 <= fields["n_features"] < 2**31:
        raise TreeFormatError(MESSAGES("file.n_features", n_features=fields["n_features"]))
    if fields["n_features"] > MAX_FEATURES:
        raise TreeFormatError(MESSAGES("file.too_many_features", n_features=fields["n_features"], most=MAX_FEATURES))
    fields["feature_quantiles"] = _quantiles(record["feature_quantiles"], fields["n_features"])
    names = record["feature_names"]
    if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise TreeFormatError(MESSAGES("file.feature_names"))
    fields["feature_names"] = tuple(names) if names is not None else None
    return fields


def _sides(items):
    if items is None:
        return None
    if not isinstance(items, list) or not all(type(item) is bool for item in items):
        raise TreeFormatError(MESSAGES("file.missing_right"))
    return np.array(items, np.bool_)


def _quantiles(record, n_features):
    if record is None:
        return None
    if not isinstance(record, dict) or any(
        type(row) is not list or len(row) != len(QUANTILES) for row in record.values()
    ):
        raise TreeFormatError(MESSAGES("file.quantiles", n_quantiles=len(QUANTILES)))
    quantiles = np.full((n_features, len(QUANTILES)), np.nan)
    for feature, row in record.items():
        if not re.fullmatch(r"[0-9]{1,9}", feature) or int(feature) >= n_features:
            raise TreeFormatError(MESSAGES("file.quantiles_of", n=len(QUANTILES), feature=feature))
        quantiles[int(feature)] = _array(row, "feature_quantiles", float, np.float64)
    return quantiles


def _refuse(constant):
    raise TreeFormatError(MESSAGES("file.not_finite", constant=constant))


def _array(items, name, kind, dtype):
    if not isinstance(items, list):
        raise TreeFormatError(MESSAGES("file.not_a_list", name=name, kind=type(items).__name__))
    if len(items) > MAX_NODES and name not in ("weights", "features"):
        raise TreeFormatError(MESSAGES("file.too_many_entries", name=name, n_entries=len(items), most=MAX_NODES))
    allowed = (int,) if kind is int else (int, float)
    if not all(type(item) in allowed for item in items):
        raise TreeFormatError(MESSAGES("file.whole_numbers" if kind is int else "file.numbers", name=name))
    try:
        return np.array(items, dtype)
    except OverflowError:
        raise TreeFormatError(MESSAGES("file.too_large_number", name=name)) from None


def _matrix(rows, name):
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise TreeFormatError(MESSAGES("file.not_lists", name=name))
    if len({len(row) for row in rows}) != 1:
        raise TreeFormatError(MESSAGES("file.unequal_lists", name=name))
    return np.array([_array(row, name, float, np.float64) for row in rows])


def _linear(record):
    if record is None:
        return None
    names = ("indptr", "features", "weights", "bias", "losses")
    if not isinstance(record, dict) or record.keys() != set(names):
        raise TreeFormatError(MESSAGES("file.linear", names=names))
    whole = {name: _array(record[name], name, int, np.int64) for name in names[:2]}
    if whole["features"].size and not 0 <= whole["features"].min() <= whole["features"].max() < MAX_FEATURES:
        raise TreeFormatError(MESSAGES("file.linear_index"))
    bias = _matrix(record["bias"], "bias")
    weights = _matrix(record["weights"], "weights") if record["weights"] else np.empty((0, bias.shape[1]))
    return LinearLeaves(**whole, weights=weights, bias=bias, losses=_array(record["losses"], "losses", float, float))


def _classes(record):
    if not isinstance(record, dict) or record.keys() != {"dtype", "labels"} or not isinstance(record["labels"], list):
        raise TreeFormatError(MESSAGES("file.classes"))
    labels = record["labels"]
    code = record["dtype"]
    if not isinstance(code, str) or not _DTYPE.fullmatch(code):
        raise TreeFormatError(MESSAGES("file.dtype", dtype=code))
    try:
        dtype = np.dtype(code if code[1] != "U" else "<U1")
    except (TypeError, ValueError):
        raise TreeFormatError(MESSAGES("file.unknown_dtype", dtype=code)) from None
    wanted = {"b": bool, "i": int, "u": int, "f": float, "U": str}[dtype.kind]
    if not all(type(label) is wanted for label in labels):
        raise TreeFormatError(MESSAGES("file.labels", kind=wanted.__name__))
    try:
        with np.errstate(over="ignore"):
            classes = np.array(labels, dtype if dtype.kind != "U" else str)
    except OverflowError:
        raise TreeFormatError(MESSAGES("file.label_too_large", dtype=dtype)) from None
    if dtype.kind == "f" and not np.isfinite(classes).all():
        raise TreeFormatError(MESSAGES("file.label_not_finite", dtype=dtype))
    return classes
