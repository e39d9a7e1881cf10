"""Compiler flags of all kernels. Only this module and `_jit_lanes` import numba.

numba caches a kernel by the time stamp of its own file only. If it calls a kernel of another file and that file
changes, the cached kernel is out of date, without a warning. Therefore the name of the cache folder is a hash of all
files that define kernels, and any edit starts a new, empty folder.

Kernels release the GIL and never use ``parallel=True``, because numba's default threading layer aborts the process if
two threads enter a parallel kernel. Callers use threads instead (`treecore.parallel`).

numba names a compiled function by its qualified name, the types of its arguments and a number that every process counts
from 1. Two functions that different processes compiled can therefore have the same name. A process that loads both runs
the first one instead of the second. For example, `np.sort` and `np.argsort` consist of closures of one function; if
they are confused, the process reads numbers as memory addresses. Therefore each process starts to count at a random
number once this module is imported. Functions that numba compiled earlier keep their low numbers.
"""

import atexit
import contextlib
import hashlib
import itertools
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import numba
from numba.core import caching, event
from numba.core.bytecode import FunctionIdentity

_PACKAGE = Path(__file__).resolve().parent

UNNOTICED = 1.0  # seconds of compilation without a message
_PASSING = "treecore-kernels-"  # prefix of temporary cache folders
_FLAGS = {"nogil": True, "cache": True, "error_model": "numpy"}

# Sums may be reordered, which allows vector instructions, but NaN and infinity keep their meaning.
_REORDER = {"reassoc", "contract", "nsz", "arcp"}


def _stamp() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:3]}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if b"kernel\n" in text or path.name.startswith("_jit"):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + text)
    return digest.hexdigest()[:16]


def _cache_folder() -> str:
    stamp = _stamp()
    for candidate in _candidates():
        try:
            candidate.mkdir(0o700, parents=True, exist_ok=True)
            (candidate / stamp).mkdir(0o700, exist_ok=True)
        except OSError:
            continue
        if _is_ours(candidate / stamp):
            return str(candidate / stamp)
    return _passing_folder(stamp)


def _passing_folder(stamp):
    """Return a temporary folder that this process shares with its children and removes when it ends."""
    base = tempfile.mkdtemp(prefix=_PASSING)
    atexit.register(shutil.rmtree, base, ignore_errors=True)
    os.environ["TREECORE_KERNEL_CACHE"] = base
    (Path(base) / stamp).mkdir(0o700)
    return str(Path(base) / stamp)


def _candidates():
    """Return possible cache folders: that of the environment variable, or those of the checkout and the user."""
    if base := os.environ.get("TREECORE_KERNEL_CACHE"):
        return [Path(base)]
    checkout = _PACKAGE.parent / "pyproject.toml"  # an installed package does not have this file
    found = [_PACKAGE.parent / ".kernel_cache"] if checkout.exists() else []
    with contextlib.suppress(RuntimeError):  # the user has no home folder
        found.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treecore")
    return found


def _is_ours(folder):
    """Return whether a folder is safe: its content is executed, so only this user or root may own it."""
    mine = not hasattr(os, "getuid") or folder.stat().st_uid in (os.getuid(), 0)
    return mine and os.access(folder, os.W_OK)


class KernelPlace(caching.UserProvidedCacheLocator):
    """Locator of cached kernels. It uses the path of their file within the package, so that a moved package finds them.

    The setting NUMBA_CACHE_LOCATOR_CLASSES of numba contains the name of this class. The locators of numba use absolute
    paths.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file):
        """Return the subfolder of the cache for the kernels of a file."""
        folder = Path(py_file).resolve().parent
        if not folder.is_relative_to(_PACKAGE):
            return super().get_suitable_cache_subpath(py_file)
        return "_".join(["treecore", *folder.relative_to(_PACKAGE).parts])


class _DataFile(caching.IndexDataCacheFile):
    """Index and machine code of one kernel, which several processes can save at the same time.

    numba numbers the files of machine code by the index that it has read. If two processes save two signatures at once,
    both use the same number, and later programs run the wrong code. Here the file name is a hash of the signature, and
    the file exists before the index refers to it. If another process overwrites the index, at most one entry is lost
    and compiled again.
    """

    def save(self, key, data):
        """Store machine code under a key (signature, processor, hash of the function)."""
        name = f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(self._dump(key)).hexdigest()[:20]}.nbc"
        with contextlib.suppress(OSError):  # the disk is full, so later programs compile the kernel again
            self._save_data(name, data)
            self._save_index(self._load_index() | {key: name})


class _CompilationNotice(event.Listener):
    """Listener that logs once per process that kernels are being compiled, because the first fit then takes longer.

    It logs at once if no kernel is stored, else after `UNNOTICED` seconds of compilation.
    """

    def __init__(self, is_first: bool = True) -> None:
        self.is_due, self._depth, self._seconds, self._began = is_first, 0, 0.0, 0.0

    def on_start(self, event):
        """Log the message if it is due, for kernels of this package only."""
        if event.data["dispatcher"].py_func.__module__.partition(".")[0] != __name__.partition(".")[0]:
            return
        if self._depth == 0:
            self._began = time.perf_counter()
        self._depth += 1
        if self.is_due:
            self.is_due, self.on_start, self.on_end = False, _ignored, _ignored
            self._log()

    def on_end(self, event):
        """Add the time of a compilation, without those inside it."""
        if event.data["dispatcher"].py_func.__module__.partition(".")[0] != __name__.partition(".")[0]:
            return
        self._depth -= 1
        if self._depth == 0:
            self._seconds += time.perf_counter() - self._began
            self.is_due = self._seconds > UNNOTICED

    def _log(self):
        if Path(FOLDER).parent.name.startswith(_PASSING):
            kept = (
                "No folder for them is writable, so every program compiles them again. Set the environment variable "
                "TREECORE_KERNEL_CACHE to a writable folder."
            )
        else:
            kept = f"They are stored in {FOLDER} for later programs."
        logging.getLogger("treecore").warning("treecore compiles its kernels, which takes up to a minute. %s", kept)


def _ignored(event):
    pass


def _name_apart():
    # numba has no public setting for the first number of its counter.
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))


_name_apart()
if hasattr(os, "register_at_fork"):  # missing on Windows
    os.register_at_fork(after_in_child=_name_apart)
FOLDER = _cache_folder()
_TURN = threading.Lock()
event.register("numba:compile", _CompilationNotice(not any(Path(FOLDER).iterdir())))


def _compile(function, **flags):
    # numba reads the two settings once, when caching is enabled for a function. The old values are then restored for
    # other packages. Without the lock, one thread could restore the folder while another still imports kernels.
    with _TURN:
        ours = {"CACHE_DIR": FOLDER, "CACHE_LOCATOR_CLASSES": f"{__name__}.{KernelPlace.__name__}"}
        before = {name: getattr(numba.config, name, "") for name in ours}
        _configure(ours)
        try:
            return _with_data_file(numba.njit(**_FLAGS, **flags)(function))
        finally:
            _configure(before)


def _with_data_file(dispatcher):
    # numba has no public setting for the file names of its cache.
    if cache := getattr(dispatcher, "_cache", None):  # missing if NUMBA_DISABLE_JIT is set
        theirs = cache._cache_file
        cache._cache_file = _DataFile(cache.cache_path, theirs._index_name.removesuffix(".nbi"), theirs._source_stamp)
    return dispatcher


def _configure(settings):
    for name, value in settings.items():
        setattr(numba.config, name, value)


def kernel(function):
    """Compile `function` without reordered float operations, because rounding could change the side of a row."""
    return _compile(function)


def sum_kernel(function):
    """Compile `function`, allowing reordered sums. Results then depend on the processor (baselines only)."""
    return _compile(function, fastmath=_REORDER)
