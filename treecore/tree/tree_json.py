"""JSON form of a tree. Python's floats survive JSON exactly, so a round trip is bit for bit."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.tree.feature_statistics import QUANTILES
from treecore.tree.linear_leaves import LinearLeaves
from treecore.tree.tree_arrays import TreeArrays

# 1 had no "missing_right" and no regression, 2 no "feature_quantiles", 3 no "linear"
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
    """Text of a tree."""
    return json.dumps(to_record(tree), allow_nan=False)


def to_record(tree: TreeArrays) -> dict:
    """Plain values of a tree, for JSON."""
    record = {"format": FORMAT, "version": VERSION, "n_features": tree.n_features}
    record["feature_names"] = list(tree.feature_names) if tree.feature_names is not None else None
    record["classes"] = {"dtype": tree.classes.dtype.str, "labels": tree.classes.tolist()}
    record["missing_right"] = tree.missing_right.tolist() if tree.missing_right is not None else None
    for name in (*_INTEGERS, *_NUMBERS, "values"):
        record[name] = getattr(tree, name).tolist()
    record["feature_quantiles"] = None
    if tree.feature_quantiles is not None:  # of the features that are used
        known = np.flatnonzero(~np.isnan(tree.feature_quantiles).any(axis=1))
        record["feature_quantiles"] = {str(j): tree.feature_quantiles[j].tolist() for j in known}
    record["linear"] = None if tree.linear is None else tree.linear.to_record()
    return record


def loads(text: str) -> dict:
    """Fields of a tree, each checked for its type; `Tree` checks that they fit together.

    Raises TreeFormatError.
    """
    return from_record(parse(text))


def parse(text: str | bytes) -> Any:
    """The object of a JSON text (str or UTF-8 bytes); only finite numbers. Raises TreeFormatError."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise TreeFormatError("The file is not UTF-8 text; load a .json file that this program wrote.") from None
    if len(text) > MAX_TEXT:
        raise TreeFormatError(f"The file has {len(text)} characters; at most {MAX_TEXT} are read.")
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise TreeFormatError("The file is nested too deeply to be a tree.") from None
    except TreeFormatError:
        raise
    except ValueError as error:  # not JSON, or a number with thousands of digits
        raise TreeFormatError(f"The file is not JSON, or its end is missing: {error}.") from None


def other_keys(missing: list[str], unknown: list[str]) -> str:
    """What is wrong with the keys of an object, in words; one of the lists has some."""
    lacks, has = (", ".join(f"'{key[:40]}'" for key in keys[:8]) for keys in (missing, unknown))
    said = [f"lacks {lacks}"] * bool(lacks) + [f"has {has}, which this program does not know"] * bool(has)
    return " and ".join(said)


def from_record(record: Any) -> dict:
    """Fields of a tree from the values of `to_record`, as `loads` gives them. Raises TreeFormatError."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise TreeFormatError(f"The file is not a tree: it must be a JSON object with format '{FORMAT}'.")
    if type(record.get("version")) is not int or not 1 <= record["version"] <= VERSION:
        raise TreeFormatError(f"Tree file version {record.get('version')!r}: this program reads up to {VERSION}.")
    if record["version"] == 1:
        record.setdefault("missing_right", None)
    if record["version"] < 3:
        record.setdefault("feature_quantiles", None)
    if record["version"] < 4:
        record.setdefault("linear", None)
    missing, unknown = sorted(_KEYS - record.keys()), sorted(record.keys() - _KEYS)
    if missing or unknown:
        raise TreeFormatError(f"The tree file {other_keys(missing, unknown)}.")
    fields = {name: _array(record[name], name, int, np.int64) for name in _INTEGERS}
    for name in ("left", "right", "features", "labels"):
        if fields[name].size and (fields[name].min() < -1 or fields[name].max() >= 2**31):
            raise TreeFormatError(f"'{name}' holds a number outside the range of an index.")
    fields |= {name: _array(record[name], name, float, np.float64) for name in _NUMBERS}
    fields["values"] = _matrix(record["values"], "values")
    fields["linear"] = _linear(record["linear"])
    fields["classes"] = _classes(record["classes"])
    fields["missing_right"] = _sides(record["missing_right"])
    fields["n_features"] = record["n_features"]
    if type(fields["n_features"]) is not int or not 1 <= fields["n_features"] < 2**31:
        raise TreeFormatError(f"n_features={fields['n_features']!r}: a whole number >= 1 is needed.")
    if fields["n_features"] > MAX_FEATURES:
        raise TreeFormatError(f"The tree has {fields['n_features']} features; at most {MAX_FEATURES} are read.")
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
    wanted = f"'feature_quantiles' must be null or hold {len(QUANTILES)} numbers for each feature that the tree uses."
    if not isinstance(record, dict) or any(
        type(row) is not list or len(row) != len(QUANTILES) for row in record.values()
    ):
        raise TreeFormatError(wanted)
    quantiles = np.full((n_features, len(QUANTILES)), np.nan)
    for feature, row in record.items():
        if not re.fullmatch(r"[0-9]{1,9}", feature) or int(feature) >= n_features:
            raise TreeFormatError(f"{wanted} It names the feature {feature!r:.20}.")
        quantiles[int(feature)] = _array(row, "feature_quantiles", float, np.float64)
    return quantiles


def _refuse(constant):
    raise TreeFormatError(f"The file holds {constant}; only finite numbers are allowed.")


def _array(items, name, kind, dtype):
    if not isinstance(items, list):
        raise TreeFormatError(f"'{name}' must be a list of numbers, not {type(items).__name__}.")
    if len(items) > MAX_NODES and name not in ("weights", "features"):
        raise TreeFormatError(f"'{name}' has {len(items)} entries; at most {MAX_NODES} nodes are allowed.")
    allowed = (int,) if kind is int else (int, float)
    if not all(type(item) in allowed for item in items):
        raise TreeFormatError(f"'{name}' must hold {'whole ' if kind is int else ''}numbers only.")
    try:
        return np.array(items, dtype)
    except OverflowError:
        raise TreeFormatError(f"'{name}' holds a number that is too large.") from None


def _matrix(rows, name):
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise TreeFormatError(f"'{name}' must be a list of lists of numbers.")
    if len({len(row) for row in rows}) != 1:
        raise TreeFormatError(f"the lists in '{name}' must have equal lengths.")
    return np.array([_array(row, name, float, np.float64) for row in rows])


def _linear(record):
    if record is None:
        return None
    names = ("indptr", "features", "weights", "bias", "losses")
    if not isinstance(record, dict) or record.keys() != set(names):
        raise TreeFormatError(f"'linear' must be null or hold {', '.join(names)}.")
    whole = {name: _array(record[name], name, int, np.int64) for name in names[:2]}
    if whole["features"].size and not 0 <= whole["features"].min() <= whole["features"].max() < MAX_FEATURES:
        raise TreeFormatError("'features' of 'linear' holds a number outside the range of an index.")
    bias = _matrix(record["bias"], "bias")
    weights = _matrix(record["weights"], "weights") if record["weights"] else np.empty((0, bias.shape[1]))
    return LinearLeaves(**whole, weights=weights, bias=bias, losses=_array(record["losses"], "losses", float, float))


def _classes(record):
    if not isinstance(record, dict) or record.keys() != {"dtype", "labels"} or not isinstance(record["labels"], list):
        raise TreeFormatError("'classes' must hold 'dtype' and 'labels'.")
    labels = record["labels"]
    code = record["dtype"]
    if not isinstance(code, str) or not _DTYPE.fullmatch(code):
        raise TreeFormatError(f"class dtype {code!r:.60}: only numbers, booleans and strings are allowed.")
    try:
        dtype = np.dtype(code if code[1] != "U" else "<U1")
    except (TypeError, ValueError):
        raise TreeFormatError(f"class dtype {code!r} is not known.") from None
    wanted = {"b": bool, "i": int, "u": int, "f": float, "U": str}[dtype.kind]
    if not all(type(label) is wanted for label in labels):
        raise TreeFormatError(f"the class labels must be a list of {wanted.__name__}.")
    try:
        with np.errstate(over="ignore"):
            classes = np.array(labels, dtype if dtype.kind != "U" else str)
    except OverflowError:
        raise TreeFormatError(f"a class label does not fit into {dtype}.") from None
    if dtype.kind == "f" and not np.isfinite(classes).all():
        raise TreeFormatError(f"a class label is not a finite number of {dtype}.")
    return classes
