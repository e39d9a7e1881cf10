"""`OnnxFile`: the graph of an ONNX file, read without the package onnx."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError

MOST_BYTES = 32 * 1024 * 1024
_TENSORS = {1: "<f4", 6: "<i4", 7: "<i8", 11: "<f8"}  # dtypes of tree arrays by ONNX type number


@dataclass(frozen=True, eq=False)
class OnnxNode:
    """Node of an ONNX graph.

    operator : str, with the domain unless that is ONNX; inputs, outputs : names; attributes : {name: int, float, str,
    array, or list of str}.
    """

    operator: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]


@dataclass(frozen=True, eq=False)
class OnnxFile:
    """Graph of an ONNX file.

    inputs : {name: (ONNX type number, tuple of sizes, None if variable)}, without constants; nodes : list of OnnxNode;
    producer : str; metadata : {name: text}; digest : str, SHA-256 of the bytes of the graph.
    """

    inputs: dict[str, tuple]
    nodes: list[OnnxNode]
    producer: str
    metadata: dict[str, str]
    digest: str

    @classmethod
    def read(cls, content: bytes) -> OnnxFile:
        """Read the bytes of a file. Raise TreeFormatError for invalid, too large, or external data."""
        if len(content) > MOST_BYTES:
            raise TreeFormatError(
                f"The ONNX file has {len(content):,} bytes (maximum {MOST_BYTES:,}). Save a smaller model, such "
                "as a single tree."
            )
        model = _message(content)
        if len(model[7]) != 1 or not isinstance(model[7][0], bytes):
            raise TreeFormatError("The file is not an ONNX model: it has no graph.")
        graph = _message(model[7][0])
        constants = {_text(_message(tensor)[8]) for tensor in graph[5]}
        for tensor in graph[5]:
            _check_inside(_message(tensor))
        inputs = {}
        for value in graph[11]:
            name, kind = _typed(_message(value))
            if name not in constants:
                inputs[name] = kind
        metadata = {_text(entry[1]): _text(entry[2]) for entry in map(_message, model[14])}
        nodes = [_node(_message(node)) for node in graph[1]]
        return cls(inputs, nodes, _text(model[2]), metadata, hashlib.sha256(model[7][0]).hexdigest())


def _message(data):
    """Return the fields of a message, {number: list of values}."""
    found = defaultdict(list)
    if not isinstance(data, bytes):
        raise TreeFormatError("The file is not an ONNX model, or is damaged.")
    for number, value in protobuf_fields(data):
        found[number].append(value)
    return found


def _text(values):
    return values[-1].decode("utf-8", "replace") if values and isinstance(values[-1], bytes) else ""


def _typed(value):
    """Return the name and (type, sizes) of an input."""
    tensor = _message((_message((value[2] or [b""])[0])[1] or [b""])[0])
    sizes = []
    for part in (_message(tensor[2][0])[1]) if tensor[2] else []:
        size = _message(part)[1]
        sizes.append(int(size[0]) if size else None)
    return _text(value[1]), (int((tensor[1] or [0])[0]), tuple(sizes))


def _node(node):
    domain, operator = _text(node[7]), _text(node[4])
    attributes = dict(_attribute(_message(one)) for one in node[5])
    names = ([_text([name]) for name in node[number]] for number in (1, 2))
    return OnnxNode(f"{domain}.{operator}" if domain else operator, *names, attributes)


def _attribute(one):
    """Return the name and value of an attribute."""
    name = _text(one[1])
    if one[5]:
        return name, _tensor(_message(one[5][0]))
    if one[7]:
        return name, floats(one[7])
    if one[8]:
        return name, wholes(one[8])
    if one[9]:
        return name, [_text([text]) for text in one[9]]
    if one[4]:
        return name, _text(one[4])
    if one[2]:
        return name, float(floats(one[2])[0])
    return name, int(wholes(one[3])[0]) if one[3] else None


def _tensor(tensor):
    _check_inside(tensor)
    kind = int((tensor[2] or [0])[0])
    if kind not in _TENSORS:
        raise TreeFormatError(f"Unsupported type {kind} of an array in the ONNX file. Supported: floats and integers.")
    if tensor[9]:
        return np.frombuffer(tensor[9][0], _TENSORS[kind])
    if kind == 11:
        return np.frombuffer(b"".join(tensor[10]), "<f8")
    return floats(tensor[4]) if kind == 1 else wholes(tensor[7] or tensor[5])


def _check_inside(tensor):
    if tensor[13] or (tensor[14] and tensor[14][0] == 1):
        raise TreeFormatError(
            "ONNX external data is not supported. Save a single file with onnx.save(model, path, "
            "save_as_external_data=False)."
        )


def protobuf_fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield (number, value) of each field in a message: int for a varint, bytes for other types (4 or 8 for a float).

    Raise TreeFormatError for bytes that are not a message.
    """
    place, end = 0, len(data)
    while place < end:
        tag = data[place]
        if tag < 0x80:  # most tags have one byte
            place += 1
        else:
            tag, place = _whole(data, place, end)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            if place < end and data[place] < 0x80:
                value, place = data[place], place + 1
            else:
                value, place = _whole(data, place, end)
            yield number, value
            continue
        size = {1: 8, 5: 4}.get(kind)
        if kind == 2:
            size, place = _whole(data, place, end)
        if size is None or size > end - place or number == 0:
            raise TreeFormatError("The file is not an ONNX model, or is damaged: a field is longer than the file.")
        yield number, data[place : place + size]
        place += size


def floats(values: list) -> np.ndarray:
    """Return the floats of a repeated field, packed or not, float32[n]."""
    return np.frombuffer(b"".join(values), "<f4")


def wholes(values: list) -> np.ndarray:
    """Return the whole numbers of a repeated field, packed or not, int64[n]."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        place = 0
        while place < len(value):
            one, place = _whole(value, place, len(value))
            found.append(one)
    return np.array(found, np.uint64).astype(np.int64)


def _whole(data, place, end):
    """Return a 64-bit whole number and the position after it."""
    value = shift = 0
    while place < end and shift < 70:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, place
        shift += 7
    raise TreeFormatError("The file is not an ONNX model, or is damaged: it ends within a number.")
