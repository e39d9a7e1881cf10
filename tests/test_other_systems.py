"""Test the project without what only Unix has, with spawned processes, other encodings and unusual paths.

`tests/other_system` hides modules and members of Python in a process and in all processes that it starts.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from treecore import _jit

ROOT = Path(__file__).resolve().parents[1]
LIMITED = (
    "test_a_function_runs_in_a_process_of_its_own_and_its_value_comes_back",
    "test_limits_end_it_in_words",
    "test_faults_are_typed_and_hold_nothing_of_the_file",
    "test_when_the_host_dies_its_calls_end_and_the_next_one_has_another",
)
# Members that Windows lacks, in functions that run only if the system has them.
GUARDED = {
    "pages/jobs/cluster.py": {"waitid", "P_PID", "WEXITED", "WNOWAIT"},
    "pages/jobs/limited_host.py": {
        "set_blocking", "SIGCHLD", "SIGKILL", "WNOHANG", "fork", "RLIMIT_DATA", "RLIMIT_CPU", "RLIMIT_FSIZE",
        "RLIMIT_CORE", "setrlimit",
    },
    "pages/jobs/training_worker.py": {"setpriority", "PRIO_PROCESS", "nice"},
    "pages/serving/places.py": {"getrlimit", "RLIMIT_NOFILE", "RLIM_INFINITY", "setrlimit"},
    "treecore/comparison/evaluation.py": {"SIGALRM", "setitimer", "ITIMER_REAL"},
}  # fmt: skip
IMPORT_ALL = """
import importlib, pathlib, sys
names = []
for top in ("treecore", "viz", "sample_data", "pages"):
    for path in sorted(pathlib.Path(top).rglob("*.py")):
        *folders, name = path.with_suffix("").parts
        if folders != ["pages"] and name != "__main__":  # files in pages/ are scripts of Streamlit
            names.append(".".join(folders + [name] * (name != "__init__")))
for name in names:
    importlib.import_module(name)
print(len(names))
"""


@pytest.fixture
def environment(tmp_path):
    """Return the variables of a process on another system, with blanks and backslashes in the names of folders."""
    kernels = tmp_path / "my kernels\\here"
    kernels.symlink_to(Path(_jit.FOLDER).parent)
    return {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"} | {
        "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "other_system"), str(ROOT)]),
        "TREECORE_KERNEL_CACHE": str(kernels),
    }  # fmt: skip


def run(environment, *arguments):
    ended = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8",
        errors="replace",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-4000:]
    return ended.stdout


def run_tests(environment, tmp_path, *tests):
    folder = tmp_path / "a folder\\with blanks"
    run(environment, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "--basetemp", str(folder), *tests)


def test_every_module_is_imported(environment):
    assert int(run(environment, "-W", "ignore", "-c", IMPORT_ALL)) > 500


def test_the_first_page_trains(environment, tmp_path):
    run_tests(environment, tmp_path, "tests/pages/ui/test_app.py::test_a_path_is_trained_without_a_click")


def test_files_are_read_within_limits(environment, tmp_path):
    run_tests(environment, tmp_path, *(f"tests/pages/jobs/test_limited_process.py::{name}" for name in LIMITED))


def test_the_command_line_writes_in_other_encodings(environment, tmp_path):
    folder = tmp_path / "a folder\\with blanks"
    folder.mkdir()
    model = str(folder / "a model.json")
    run(environment, "-m", "treecore", "fit", "iris", "--lam", "0.5", "--out", model)
    for command in ("rules", "info"):
        assert run(environment, "-m", "treecore", command, model)


@pytest.mark.long
@pytest.mark.parametrize("name", ["test_app.py", "test_pages.py", "data"])
def test_all_pages_are_drawn(environment, tmp_path, name):
    run_tests(environment, tmp_path, f"tests/pages/ui/{name}")


def test_members_that_windows_lacks_are_used_behind_a_test_of_the_system():
    command = [
        str(Path(sys.executable).parent / "ty"),
        "check",
        "--python-platform",
        "win32",
        "--error",
        "missing-attribute",
    ]
    found = subprocess.run(
        [*command, "--output-format", "concise", "app.py", "treecore", "viz", "sample_data", "pages"], cwd=ROOT,
        capture_output=True, text=True,
    ).stdout  # fmt: skip
    lacking = re.findall(r"^(.*?):\d.*Module `(\w+)` has no member `(\w+)`", found, re.MULTILINE)
    assert ("pages/jobs/limited_host.py", "os", "fork") in lacking
    assert not [one for one in lacking if one[1] in sys.stdlib_module_names and one[2] not in GUARDED.get(one[0], ())]


def test_names_of_files_suit_every_system():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("This is not a checkout")
    names = listed.stdout.splitlines()
    parents = {str(parent) for name in names for parent in Path(name).parents}
    both = [*names, *parents]
    assert len({name.casefold() for name in both}) == len(both)
    assert not [name for name in names if set(name) & set('\\:*?"<>|') or name.endswith((".", " ")) or len(name) > 150]
