"""`protobuf_fields`: the numbered fields of a protocol buffer message, without interpretation or execution."""

from collections.abc import Iterator

import numpy as np

from treecore.errors import TreeFormatError


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
