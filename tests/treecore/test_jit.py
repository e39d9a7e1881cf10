"""Test the use of numba: flags, the cache folder, and equal results without compilation."""

import ast
import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numba
import pytest
from numba.core import event

from treecore import _jit
from treecore.tree import routing

PACKAGE = Path(_jit.__file__).parent
KERNEL_NAMES = {"kernel", "sum_kernel"}


def is_kernel(node):
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id in KERNEL_NAMES for decorator in node.decorator_list
    )


@cache
def statements(path):
    """Yield the statements of a file, without nested ones."""
    return ast.parse(path.read_text()).body


@cache
def kernels():
    """Return (file, ast node) of every kernel in the package."""
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if "kernel" in path.read_text()]
    return [(path, node) for path in files for node in statements(path) if is_kernel(node)]


def sources_of_kernels():
    """Return the files whose text affects a kernel: those with kernels, with names that kernels use, and the flags."""
    files = {PACKAGE / "_jit.py"}
    for path, node in kernels():
        files.add(path)
        used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        for statement in statements(path):
            if isinstance(statement, ast.ImportFrom) and statement.module.startswith("treecore"):
                source = PACKAGE.parent / (statement.module.replace(".", "/") + ".py")
                if used & {alias.asname or alias.name for alias in statement.names}:
                    files.add(source)
    return sorted(path.relative_to(PACKAGE).as_posix() for path in files)


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Return a temporary folder with the package's sources, which `_jit` uses instead of its own folder."""
    shutil.copytree(PACKAGE, tmp_path / "treecore", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(_jit, "_PACKAGE", tmp_path / "treecore")
    return tmp_path / "treecore"


@pytest.mark.parametrize("name", sources_of_kernels())
def test_the_stamp_changes_with_every_source_of_a_kernel(copied, name):
    before = _jit._stamp()
    assert _jit._stamp() == before
    path = copied / name
    path.write_text(path.read_text() + "\n# changed\n")
    assert _jit._stamp() != before


def test_the_stamp_changes_when_a_kernel_file_moves(copied):
    before = _jit._stamp()
    (copied / "tree" / "routing.py").rename(copied / "tree" / "routes.py")
    assert _jit._stamp() != before


def test_the_stamp_survives_a_change_without_kernels(copied):
    before = _jit._stamp()
    (copied / "training" / "estimators.py").write_text("# empty\n")
    assert _jit._stamp() == before


def test_the_cache_folder_is_named_after_the_stamp(copied, tmp_path, monkeypatch):
    monkeypatch.setenv("TREECORE_KERNEL_CACHE", str(tmp_path / "cache"))
    folder = Path(_jit._cache_folder())
    assert folder == tmp_path / "cache" / _jit._stamp()
    assert folder.is_dir()


def test_an_installed_package_keeps_its_kernels_with_the_user(copied, tmp_path, monkeypatch):
    monkeypatch.delenv("TREECORE_KERNEL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = Path(_jit._cache_folder())
    assert folder == tmp_path / "cache" / "treecore" / _jit._stamp()
    assert stat.S_IMODE(folder.parent.stat().st_mode) == stat.S_IMODE(folder.stat().st_mode) == 0o700
    (copied.parent / "pyproject.toml").touch()  # makes the folder look like a checkout
    assert Path(_jit._cache_folder()) == copied.parent / ".kernel_cache" / _jit._stamp()


def test_kernels_that_somebody_else_may_have_written_are_not_run(copied, tmp_path, monkeypatch):
    monkeypatch.setenv("TREECORE_KERNEL_CACHE", str(tmp_path))
    monkeypatch.setattr(_jit.os, "getuid", lambda: 12345)
    folder = tmp_path / _jit._stamp()
    folder.mkdir()
    os.chown(folder, 54321, -1) if os.geteuid() == 0 else pytest.skip("only root can give a folder away")
    assert tmp_path not in Path(_jit._cache_folder()).parents


def test_without_a_writable_folder_a_temporary_one_is_used(copied, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TREECORE_KERNEL_CACHE", str(tmp_path / "file"))
    folder = Path(_jit._cache_folder())
    assert folder.is_dir()
    assert tmp_path / "file" not in folder.parents
    assert _jit._cache_folder() == str(folder)  # child processes use the same folder
    shutil.rmtree(folder.parent)


def test_the_compilation_of_kernels_is_reported_once(tmp_path, monkeypatch, caplog):
    def double(x):
        return 2 * x

    for notice in event._registered["numba:compile"]:  # that of this process may be due
        monkeypatch.setattr(notice, "on_start", _jit._ignored)
        monkeypatch.setattr(notice, "on_end", _jit._ignored)
    monkeypatch.setattr(_jit, "FOLDER", str(tmp_path / "kept"))
    with event.install_listener("numba:compile", _jit._CompilationNotice()):
        double.__module__ = "another"
        numba.njit(double)(1)
        assert not caplog.messages
        double.__module__ = "treecore.data"
        for number in (1, 1.0):
            numba.njit(double)(number)
    (message,) = caplog.messages
    assert str(tmp_path / "kept") in message
    monkeypatch.setattr(_jit, "FOLDER", str(tmp_path / f"{_jit._PASSING}1" / "stamp"))
    with event.install_listener("numba:compile", _jit._CompilationNotice()):
        numba.njit(double)(1)
    assert "TREECORE_KERNEL_CACHE" in caplog.messages[-1]


def test_short_compilation_is_not_reported_if_kernels_are_stored(monkeypatch):
    def double(x):
        return 2 * x

    double.__module__ = "treecore.data"
    notice, reports = _jit._CompilationNotice(is_first=False), []
    notice._log = lambda: reports.append(notice._seconds)
    with event.install_listener("numba:compile", notice):
        numba.njit(double)(1)
        assert 0 < notice._seconds < _jit.UNNOTICED
        assert not reports
        monkeypatch.setattr(_jit, "UNNOTICED", 0.0)
        for _ in range(3):  # the first compilation exceeds the limit, and the next one reports it
            numba.njit(double)(1)
    assert len(reports) == 1


def test_numbas_own_settings_are_untouched():
    def settings():
        return numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES

    before = settings()

    def double(x):
        return 2 * x

    assert _jit.kernel(double)(4) == 8
    assert settings() == before


def test_every_kernel_has_one_of_the_two_decorators_and_no_other():
    names = {path.relative_to(PACKAGE).as_posix() for path, _ in kernels()}
    assert {"tree/routing.py", "data/columns.py", "node_solvers/thresholds.py", "node_solvers/l1_kernels.py"} <= names
    for path, node in kernels():
        assert len(node.decorator_list) == 1, f"{path.name}: {node.name}"


def test_sums_are_reordered_only_where_no_side_is_decided():
    for path, node in kernels():
        if path.name in (
            "routing.py",
            "columns.py",
            "thresholds.py",
            "pair_kernels.py",
            "l1_kernels.py",
            "impurity_kernels.py",
            "oblique_kernels.py",
        ):
            assert node.decorator_list[0].id == "kernel", f"{path.name}: {node.name}"


SCRIPT = """
import sys
import numpy as np
from treecore import TAOClassifier
rng = np.random.default_rng(0)
X = rng.integers(0, 40, (60, 3)).astype(np.uint8)
y = (X[:, 0] > X[:, 1]).astype(int) + (X[:, 2] > 20)
for rows in (X, X + rng.random(X.shape)):
    for split in ("oblique", "univariate"):
        model = TAOClassifier(split=split, max_depth=3, max_iter=2, lam=0.3, random_state=0, n_jobs=1).fit(rows, y)
        print(split, model.tree_.n_nodes, *model.predict(rows))
"""


@pytest.mark.long
def test_without_compilation_the_predictions_are_the_same():
    outputs = []
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False,
            cwd=PACKAGE.parent, env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 4


def test_a_package_that_moves_finds_its_kernels(copied):
    place = _jit.KernelPlace.get_suitable_cache_subpath
    assert place(str(copied / "tree" / "routing.py")) == "treecore_tree"
    assert place(str(copied / "_jit.py")) == "treecore"
    assert place(str(copied.parent / "other.py")) not in ("treecore", "treecore_tree")
    assert Path(routing.partition._cache.cache_path) == Path(_jit.FOLDER) / "treecore_tree"


NAMES = """
import os
import numba
import treecore._jit

def name():
    @numba.njit
    def add(a, b):
        return a + b
    add(1, 2)
    return add.overloads[add.signatures[0]].fndesc.mangled_name

print(name(), flush=True)
if hasattr(os, "fork"):
    for _ in range(2):
        if os.fork() == 0:
            print(name(), flush=True)
            os._exit(0)
        os.wait()
"""


def test_functions_that_two_processes_compile_have_two_names():
    command = [sys.executable, "-W", "ignore", "-c", NAMES]
    done = [subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE.parent, check=True) for _ in range(2)]
    names = "".join(one.stdout for one in done).split()
    assert len(names) == 2 * (3 if hasattr(os, "fork") else 1)
    assert all("add" in name for name in names)
    assert len(set(names)) == len(names)


def test_threads_that_import_kernels_leave_each_other_the_folder():
    def add(a, b):
        return a + b

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            compiled = list(pool.map(lambda _: _jit.kernel(add), range(200)))
    finally:
        sys.setswitchinterval(interval)
    # numba exposes the path of a stored kernel nowhere else.
    assert {Path(one._cache.cache_path).parent for one in compiled} == {Path(_jit.FOLDER)}


def test_processes_that_save_two_signatures_at_once_keep_them_apart(tmp_path):
    class Interrupted(_jit._DataFile):
        """A kernel file that another process overwrites before the code is written.

        The other process has read the index while it was empty.
        """

        def _save_data(self, name, data):
            Stale(str(tmp_path), "kernel", 0).save("float32", "code for float32")
            super()._save_data(name, data)

    class Stale(_jit._DataFile):
        def _load_index(self):
            return {}

    Interrupted(str(tmp_path), "kernel", 0).save("float64", "code for float64")
    later = _jit._DataFile(str(tmp_path), "kernel", 0)
    assert later.load("float64") == "code for float64"
    assert later.load("float32") in (None, "code for float32")
    later.save("float32", "code for float32")
    assert later.load("float32") == "code for float32"
    assert later.load("float64") == "code for float64"


TINY = """
import itertools, sys
import numpy as np
from treecore._jit import kernel

@kernel
def weighed(a, b):
    return a + b / 2

TYPES = (np.int8, np.int16, np.int32, np.int64, np.float32, np.float64, np.uint16, np.uint32)
pairs = list(itertools.product(TYPES, TYPES))
if sys.argv[1] == "all":
    loaded = [weighed(a(3), b(5)) for a, b in pairs]
    assert loaded == [5.5] * len(pairs), loaded
    print(sum(weighed.stats.cache_hits.values()))
else:
    print("ready", flush=True)
    sys.stdin.readline()
    for a, b in pairs[int(sys.argv[1])::4]:
        weighed(a(3), b(5))
"""


@pytest.mark.long
def test_later_processes_get_the_right_code_of_kernels_that_four_compiled_at_once(tmp_path):
    (tmp_path / "tiny.py").write_text(TINY)
    places = {"PYTHONPATH": str(PACKAGE.parent), "TREECORE_KERNEL_CACHE": str(tmp_path / "kernels")}

    def started(part):
        command = [sys.executable, "-W", "ignore", str(tmp_path / "tiny.py"), part]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        return subprocess.Popen(command, env=os.environ | places, **pipes)

    compiling = [started(str(part)) for part in range(4)]
    assert [process.stdout.readline() for process in compiling] == ["ready\n"] * 4
    for process in compiling:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in compiling:
        process.communicate(timeout=300)
    assert [process.returncode for process in compiling] == [0] * 4
    for _ in range(2):  # the first save also saves the signatures that the index had lost
        later = started("all")
        hits, _ = later.communicate(timeout=300)
        assert later.returncode == 0
    assert int(hits) == 64


def test_every_kernel_keeps_its_code_in_such_files():
    assert type(routing._node_margins._cache._cache_file) is _jit._DataFile
