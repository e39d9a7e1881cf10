"""`Storage`: arrays in memory up to a limit, and in temporary files beyond it."""

import os
import shutil
import tempfile
import threading
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from treecore.errors import DataError


class KeptRows(Protocol):
    """Values of the rows of one part."""

    def read(self) -> np.ndarray:
        """Return the values, [n, d]."""


class RowsInMemory(NamedTuple):
    """Values in memory."""

    values: np.ndarray

    def read(self) -> np.ndarray:
        """Return the values."""
        return self.values


class RowsInFile(NamedTuple):
    """Values in a file. They are read for each use, because a mapped file would count as memory of the process."""

    path: Path
    shape: tuple
    dtype: np.dtype

    def read(self) -> np.ndarray:
        """Return the values from the file."""
        return np.fromfile(self.path, self.dtype).reshape(self.shape)


class Storage:
    """Arrays for the rows of a run. The operating system keeps those in files in memory only while there is room.

    memory : number of bytes that stay in memory, None for all; folder : folder for the files, None for that of the
    system. Threads can share the object.
    """

    def __init__(self, memory: int | None = None, folder: str | None = None) -> None:
        self._left, self._folder = memory, folder
        self._own: Path | None = None
        self._count = 0
        self._lock = threading.Lock()

    def array(self, shape: Any, dtype: Any) -> np.ndarray:
        """Return an array of zeros."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        with self._lock:
            if self._left is None or size <= self._left or not size:
                self._left = None if self._left is None else self._left - size
                return np.zeros(shape, dtype)
            path = self._new_file()
        with _full(path):
            with open(path, "wb") as file:
                if hasattr(os, "posix_fallocate"):  # a full disk would otherwise end the process at a later write
                    os.posix_fallocate(file.fileno(), 0, size)
            return np.memmap(path, dtype, "r+" if hasattr(os, "posix_fallocate") else "w+", shape=shape)

    def kept(self, values: np.ndarray) -> KeptRows:
        """Return the values of a part, which are in memory only if there is no limit."""
        if self._left is None:
            return RowsInMemory(values)
        with self._lock:
            path = self._new_file()
        with _full(path):
            values.tofile(path)
        return RowsInFile(path, values.shape, values.dtype)

    def _new_file(self):
        if self._own is None:
            self._own = Path(tempfile.mkdtemp(prefix="treecore-rows-", dir=self._folder))
            self._remove = weakref.finalize(self, shutil.rmtree, self._own, ignore_errors=True)
        self._count += 1
        return self._own / f"{self._count}.rows"

    @property
    def uses_files(self) -> bool:
        """Whether some arrays are in files."""
        return self._own is not None

    def close(self) -> None:
        """Remove the files."""
        if self._own is not None:
            self._remove()
            self._own = None


@contextmanager
def _full(path):
    """Raise DataError if the disk is full."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}. Free disk space, or use more memory.") from None
