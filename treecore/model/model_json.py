"""JSON format of a model: format name, version, checksum and content."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from treecore.errors import DataError, TreeFormatError
from treecore.messages import joined, literal
from treecore.model.model_parts import ModelContent, ModelData, ModelSample
from treecore.tables.table_columns import TableColumns
from treecore.tree import tree_json
from treecore.tree.tree import Tree

FORMAT, VERSION = "treecore-model", 1
MOST_ENTRIES = 1_000  # maximum number of parameters, metrics, fields of a record, or entries of a list
MOST_RECORDS = 100_000  # maximum number of trace records
MOST_COLUMNS = 1_000_000
LARGEST_WHOLE = 2**63

_KEYS = {"format", "version", "checksum", "content"}
_CONTENT = {"tree", "columns", "data", "parameters", "trace", "figures", "sample", "created_by"}
_DATA = {"name", "title", "fingerprint", "feature_names", "class_names", "image_shape", "target"}
_SAMPLE = {"dtype", "X", "y"}
DTYPES = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<f4", "<f8")


def dumps(model: ModelContent) -> str:
    """Return the JSON text of a model."""
    return json.dumps(to_record(model), allow_nan=False, ensure_ascii=False) + "\n"


def to_record(model: ModelContent) -> dict:
    """Return the JSON values of the whole file of a model."""
    return framed(FORMAT, VERSION, to_content(model))


def framed(form: str, version: int, content: dict) -> dict:
    """Return the content in a frame with format, version and checksum, which `content_of` checks."""
    return {"format": form, "version": version, "checksum": checksum(content), "content": content}


def checksum(content: dict) -> str:
    """Return the SHA-256 hash (hexadecimal) of the content. Whitespace and key order do not affect the hash."""
    return hashlib.sha256(_canonical(content)).hexdigest()


def to_content(model: ModelContent) -> dict:
    """Return the JSON values of a model."""
    data, sample = model.data, model.sample
    return {
        "tree": tree_json.to_record(model.tree),
        "columns": None if model.columns is None else model.columns.to_dict(),
        "data": None
        if data is None
        else {
            "name": data.name,
            "title": data.title,
            "fingerprint": data.fingerprint,
            "target": data.target,
            "feature_names": list(data.feature_names),
            "class_names": list(data.class_names),
            "image_shape": None if data.image_shape is None else list(data.image_shape),
        },
        "parameters": model.parameters,
        "trace": list(model.trace),
        "figures": model.figures,
        "sample": None
        if sample is None
        else {"dtype": _little(sample.X).str, "X": _rows(sample.X), "y": sample.y.tolist()},
        "created_by": model.created_by,
    }


def loads(text: str | bytes) -> dict:
    """Return the validated fields of a model. Raise TreeFormatError if a field is invalid.

    `Model` checks that the fields match. The text of a single tree gives a model without other parts.
    """
    return from_record(tree_json.parse(text))


def from_record(record: Any) -> dict:
    """Return the validated fields of a model from JSON values, see `loads`."""
    if not isinstance(record, dict):
        raise TreeFormatError("The file is not a model or a tree. Open a .json file saved by this program.")
    if record.get("format") == tree_json.FORMAT:
        tree = Tree(**tree_json.from_record(record))
        _canonical([tree.classes.tolist(), tree.feature_names])
        return {"tree": tree}
    content = content_of(record, FORMAT, VERSION, "model")
    tree_json.check_keys(content, _CONTENT, "content of the model")
    columns = content["columns"]
    try:
        return {
            "tree": Tree(**tree_json.from_record(content["tree"])),
            "columns": None if columns is None else _columns(columns),
            "data": _data(content["data"]),
            "parameters": plain_dict(content["parameters"], "parameters"),
            "trace": _trace(content["trace"]),
            "figures": plain_dict(content["figures"], "figures"),
            "sample": _sample(content["sample"]),
            "created_by": plain_texts(content["created_by"]),
        }
    except TreeFormatError:
        raise
    except DataError as error:
        raise TreeFormatError(*error.args) from None


_PROJECT = "treecore-project"


def _other_format(found, form, what):
    """Return the message about a file of another format. found : format in the file, None if absent."""
    if what == "project":
        if found is None:
            return f"The file has no format (expected '{form}'). Open a file that was saved as Project (JSON)."
        if found == FORMAT:
            return (
                f"The file is a model (format {literal(str(found))}), not a project ('{form}'). Open models on "
                "the Predict page."
            )
        if found == tree_json.FORMAT:
            return (
                f"The file is a tree (format {literal(str(found))}), not a project ('{form}'). Open trees on the "
                "Predict page."
            )
        return (
            f"Unsupported file format {literal(str(found), 40)} (expected '{form}'). Open a file that was saved "
            "as Project (JSON)."
        )
    if found is None:
        return (
            f"The file has no format (expected '{FORMAT}' or '{tree_json.FORMAT}'). Open a file that was saved "
            "as Model (JSON)."
        )
    if found == _PROJECT:
        return (
            f"Unsupported file format {literal(str(found))} (expected '{FORMAT}' or '{tree_json.FORMAT}'). Open "
            "projects on the Data page."
        )
    return (
        f"Unsupported file format {literal(str(found), 40)} (expected '{FORMAT}' or '{tree_json.FORMAT}'). Open "
        "a file that was saved as Model (JSON)."
    )


def content_of(record: Any, form: str, version: int, what: str) -> Any:
    """Check the frame of a record and return its content. Raise TreeFormatError if the frame is invalid.

    form, version : expected values; what : displayed name of the file.
    """
    found = record.get("format") if isinstance(record, dict) else None
    if found != form:
        raise TreeFormatError(_other_format(found, form, what))
    number = record.get("version")
    if type(number) is not int or number != version:
        raise TreeFormatError(
            (
                f"The {what} file has no version (supported: {version}). Save it again with this program, or "
                "open it with the program that wrote it."
            )
            if number is None
            else (
                f"Unsupported version {literal(number, 48)} of the {what} file (supported: {version}). Save it "
                "again with this program, or open it with the program that wrote it."
            )
        )
    tree_json.check_keys(record, _KEYS, f"{what} file")
    if checksum(record["content"]) != record["checksum"]:
        raise TreeFormatError(
            f"The {what} file was changed or damaged after it was saved (its checksum does not match). Save it again."
        )
    return record["content"]


def _canonical(value):
    """Return UTF-8 bytes that are equal for equal values.

    Raise TreeFormatError for values that JSON or UTF-8 cannot represent.
    """
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text.encode("utf-8")
    except RecursionError:
        raise TreeFormatError("The file is nested too deeply for a model.") from None
    except UnicodeEncodeError:
        raise TreeFormatError(
            "A name or text contains an incomplete character (a lone surrogate). Remove it."
        ) from None
    except ValueError:
        raise TreeFormatError("The file contains a number that is too large. Use finite numbers.") from None


def _columns(value):
    if isinstance(value, dict):
        tree_json.check_keys(value, {"columns"}, "description of the columns")
        if isinstance(value["columns"], list) and len(value["columns"]) > MOST_COLUMNS:
            raise TreeFormatError(f"The model has {len(value['columns'])} columns (maximum {MOST_COLUMNS}).")
    return TableColumns.from_dict(value)


def _data(value):
    if value is None:
        return None
    tree_json.check_keys(value, _DATA, "description of the data")
    for name in ("name", "title", "fingerprint"):
        _text(value[name], name)
    shape = value["image_shape"]
    if shape is not None:
        whole = isinstance(shape, list) and len(shape) == 2 and all(type(side) is int for side in shape)
        if not whole:
            raise TreeFormatError("'image_shape' must be null or [height, width].")
        shape = tuple(shape)
    target = None if value["target"] is None else _text(value["target"], "target")
    names = (_names(value[name], name) for name in ("feature_names", "class_names"))
    return ModelData(value["name"], value["title"], value["fingerprint"], *names, shape, target)


def _text(value, what):
    if not isinstance(value, str):
        raise TreeFormatError(f"'{what}' must be a string, not {type(value).__name__}.")
    return value


def _names(values, what):
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TreeFormatError(f"'{what}' must be a list of strings.")
    return tuple(values)


def plain_dict(value: Any, what: str) -> dict:
    """Check a dict of numbers, strings, None or lists of these. Raise TreeFormatError if it is invalid."""
    if not isinstance(value, dict) or len(value) > MOST_ENTRIES:
        raise TreeFormatError(f"'{what}' must be an object with at most {MOST_ENTRIES} entries.")
    for name, item in value.items():
        items = item if isinstance(item, list) else [item]
        if len(items) > MOST_ENTRIES or not all(_is_plain(item) for item in items):
            raise TreeFormatError(f"'{name[:40]}' of '{what}' must be a number, a string, null or a list of these.")
    return value


def _is_plain(value):
    if type(value) is int:
        return abs(value) < LARGEST_WHOLE
    return value is None or type(value) in (bool, str, float)


def _trace(value):
    if not isinstance(value, list) or len(value) > MOST_RECORDS:
        raise TreeFormatError(f"'trace' must be a list of at most {MOST_RECORDS} records.")
    return tuple(plain_dict(record, "trace") for record in value)


def plain_texts(value: Any) -> dict:
    """Check a dict of strings. Raise TreeFormatError if it is invalid."""
    if not all(isinstance(item, str) for item in plain_dict(value, "created_by").values()):
        raise TreeFormatError("'created_by' must contain strings.")
    return value


def _little(array):
    return array.dtype.newbyteorder("<")


def _rows(X):
    """Return lists of numbers, with None for a missing value, because JSON has no NaN."""
    rows = X.tolist()
    if X.dtype.kind != "f" or not np.isnan(X).any():
        return rows
    return [[None if item != item else item for item in row] for row in rows]


def _sample(value):
    if value is None:
        return None
    tree_json.check_keys(value, _SAMPLE, "sample of rows")
    if value["dtype"] not in DTYPES:
        raise TreeFormatError(f"Unsupported dtype in the sample. Supported: {joined(DTYPES)}.")
    dtype = np.dtype(value["dtype"])
    rows = value["X"]
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise TreeFormatError("'X' of the sample must be a list of lists of numbers.")
    if len({len(row) for row in rows}) != 1:
        raise TreeFormatError("The rows of the sample must have equal lengths.")
    X = _numbers([item for row in rows for item in row], dtype, "X").reshape(len(rows), -1)
    whole = isinstance(value["y"], list) and all(type(item) is int for item in value["y"])
    y = _numbers(value["y"], np.dtype(np.int64 if whole else np.float64), "y")
    return ModelSample(X, y)


def _numbers(items, dtype, what):
    """Return an array [n] of JSON numbers that the dtype represents exactly. None becomes NaN in floats of X."""
    allowed = (int, float) if dtype.kind == "f" else (int,)
    may_miss = dtype.kind == "f" and what == "X"
    if not isinstance(items, list) or not all(type(i) in allowed or (may_miss and i is None) for i in items):
        raise TreeFormatError(f"'{what}' of the sample must contain numbers of type {dtype}.")
    try:
        with np.errstate(over="raise"):
            return np.array([np.nan if item is None else item for item in items], dtype)
    except (OverflowError, FloatingPointError):
        raise TreeFormatError(f"'{what}' of the sample contains a number outside the range of {dtype}.") from None
