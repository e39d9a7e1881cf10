"""Pack the field values of a payload into one compressed block of bytes.

Layout: zlib of ``uint32 length | header (JSON, UTF-8) | padding to 8 | arrays``. Every array starts at a multiple of 8
bytes. "arrays" in the header maps a name to [dtype, offset after the header, number of items].
"""

import json
import zlib

import numpy as np

from viz.payload.payload_fields import EXACT, FIELDS, JSON, UNSIGNED

COMPRESSION = 6
_UNSIGNED = ("u1", "u2", "u4")
_DTYPE_NAMES = {"u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32", "f4": "f32", "f8": "f64"}


def compressed(values: dict) -> bytes:
    """Return the bytes of the field values.

    Raise ValueError for a value without a field, or a required field without a value.

    values : by field name (see `FIELDS`); a list for a field by set. None values are left out.
    """
    values = {name: value for name, value in values.items() if value is not None}
    unknown = values.keys() - FIELDS.keys()
    missing = [name for name, field in FIELDS.items() if not field.optional and name not in values]
    if unknown or missing:
        raise ValueError(f"The payload has no field {sorted(unknown)} and lacks {missing}.")
    header, arrays = {}, {}
    for name, field in FIELDS.items():
        value = values.get(name)
        if field.dtype == JSON:
            header |= {} if value is None else {name: value}
        elif field.by_set:
            arrays |= {f"{name}_{i}": _as(field.dtype, part) for i, part in enumerate(value or ()) if part is not None}
        elif value is not None:
            arrays[name] = _as(field.dtype, value)
    return zlib.compress(_pack(header, arrays), COMPRESSION)


def _as(dtype, values):
    """Convert numbers to a dtype of the table `FIELDS`."""
    if dtype == UNSIGNED:
        return _to_unsigned(np.asarray(values))
    return _narrowest(values) if dtype == EXACT else np.asarray(values, dtype)


def _to_unsigned(values):
    """Convert numbers to the smallest unsigned dtype that holds them."""
    top = int(values.max()) if values.size else 0
    return values.astype(next(dtype for dtype in _UNSIGNED if top <= np.iinfo(dtype).max))


def _narrowest(X):
    """Convert `X` to the smallest dtype that keeps every number exactly.

    JavaScript numbers keep integers up to 53 bits.
    """
    if X.size == 0:
        return X.astype(np.uint8)
    for dtype in ("u1", "i2", "i4", "f4"):
        limits = None if dtype == "f4" else np.iinfo(dtype)
        if limits and not (X.min() >= limits.min and X.max() <= limits.max):
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = X.astype(dtype)
        if np.array_equal(narrow, X, equal_nan=X.dtype.kind == "f"):
            return narrow
    return X.astype(np.float64)


def _pack(header, arrays):
    blocks, table, offset = [], {}, 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        block = array.astype(array.dtype.newbyteorder("<")).tobytes()
        table[name] = [_DTYPE_NAMES[array.dtype.str[1:]], offset, array.size]
        padding = -len(block) % 8
        blocks += [block, bytes(padding)]
        offset += len(block) + padding
    text = json.dumps({**header, "arrays": table}, ensure_ascii=False).encode("utf-8", "replace")
    text += b" " * (-(len(text) + 4) % 8)
    return b"".join([len(text).to_bytes(4, "little"), text, *blocks])
