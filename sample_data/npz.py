"""Read one .npz file safely: headers without the data, and arrays without pickles."""

import lzma
import math
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path

import numpy as np

from treecore.errors import DataError

# Exceptions of zipfile, zlib and numpy.lib.format for damaged bytes; RuntimeError means an encrypted member.
_READ_FAULTS = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
    OverflowError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    tokenize.TokenError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


def read_headers(path: Path) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """Return {key: (shape, dtype)} of every array in the file, decompressing only a few hundred bytes of each.

    Raises DataError if the file is not a .npz file, if an array needs pickle, or if a header declares more bytes than
    the file contains.
    """
    headers = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.filename.endswith(".npy"):
                    with archive.open(member) as stream:
                        headers[member.filename.removesuffix(".npy")] = (*_header(stream), member.file_size)
    except _READ_FAULTS as fault:
        raise DataError(_damaged(path, fault)) from fault
    for key, (shape, dtype, n_bytes) in headers.items():
        if dtype.hasobject:
            raise DataError(f"{path.name}: {key} is an array of Python objects. Only numbers and text are supported.")
        if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize > n_bytes:
            raise DataError(
                f"{path.name}: {key} is declared as {shape} {dtype}, but the file contains {n_bytes} bytes."
            )
    return {key: (shape, dtype) for key, (shape, dtype, _) in headers.items()}


def read_arrays(path: Path, keys: list[str]) -> dict[str, np.ndarray]:
    """Return {key: array} for the `keys` that the file contains, after checking each with `read_headers`."""
    present = read_headers(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {key: archive[key] for key in keys if key in present}
    except _READ_FAULTS as fault:
        raise DataError(_damaged(path, fault)) from fault


def _header(stream) -> tuple[tuple[int, ...], np.dtype]:
    """Return (shape, dtype) from the start of a .npy stream."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
    else:
        raise ValueError(f"array format version {version} is not read")
    return shape, dtype


def _damaged(path: Path, fault: BaseException) -> str:
    reason = " ".join(str(fault).split())[:200] or type(fault).__name__
    return f"{path.name} is damaged or is not an .npz file ({reason}). Save it again with numpy.savez_compressed."
