"""Define shared fixtures and hypothesis profiles: few fixed examples, or many new ones."""

import atexit
import gc
import os
import subprocess
import sys
from pathlib import Path

# OpenMP and BLAS keep idle threads busy for a while, which takes a core from other test processes. Both libraries read
# the number of threads when they are loaded. Workers and servers inherit this number.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import hypothesis
import numpy as np
import pytest

import sample_data
from tests.budget import NIGHTLY

# Without bytecode, each of the many processes that tests start compiles the project and its packages again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Collecting 10,000 tests creates objects that all stay. The garbage collector would visit them again and again, which
# takes half of the collection's time, so it starts after the collection and skips them.
gc.disable()

hypothesis.settings.register_profile(
    "house", deadline=None, derandomize=True, database=None, max_examples=40, print_blob=False
)
hypothesis.settings.register_profile(
    "nightly", deadline=None, max_examples=1500, print_blob=True, suppress_health_check=list(hypothesis.HealthCheck)
)
hypothesis.settings.load_profile("nightly" if NIGHTLY else "house")

# A browser test that timed out runs once more, and the report shows it, because the machine may be busy. Other failures
# are final. Only browser tests have the plugin's mark, because it talks to another process before each test that may
# run again.
WAITED_IN_VAIN = ["Timeout [0-9]+ms exceeded", "Call log:"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Run tests that share a server or trees in one worker."""
    from tests.worker_groups import GroupScheduling

    return GroupScheduling(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes():
    """Compile the kernels before several processes need them.

    Otherwise every worker of every cluster compiles all of them, and ends with its test before they are stored.
    """
    from treecore.warm_up import is_compiled

    if not is_compiled():
        subprocess.run([sys.executable, "-m", "treecore.warm_up"], check=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Start the garbage collector, which skips everything that the collection has created."""
    gc.freeze()
    gc.enable()
    atexit.register(gc.unfreeze)  # otherwise packages report leaks at the end


@pytest.hookimpl(tryfirst=True)  # before -m selects by marks
def pytest_collection_modifyitems(config, items):
    """Skip tests that lack benchmark data. Mark tests that search at random or may run again."""
    leave_out_long(config, items)
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("nightly")
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=WAITED_IN_VAIN))
        marked = item.get_closest_marker("benchmark_data") is not None
        if not marked and "benchmark_set" in item.fixturenames:
            raise pytest.UsageError(f"{item.nodeid} uses benchmark_set without the mark benchmark_data")
        if marked and not os.environ.get("TREECORE_DATA"):
            item.add_marker(pytest.mark.skip(reason="TREECORE_DATA names no folder of benchmark data sets (NAME.npz)"))


def leave_out_long(config, items):
    """Leave tests marked long to `make nightly`, unless the mark expression selects them."""
    if NIGHTLY or "long" in config.getoption("markexpr"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in set(long)]


def pytest_terminal_summary(terminalreporter):
    """Also show the page texts of a test that ran again."""
    for report in terminalreporter.stats.get("rerun", []):
        for title, text in [(report.nodeid, report.longreprtext[-1000:]), *report.sections]:
            terminalreporter.section(f"tried again: {title}")
            terminalreporter.write_line(text)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def bundled():
    """Return a function from the name of a classification set to its read-only arrays (X, y). Nothing is downloaded."""

    from sklearn import datasets  # not needed if tests are only collected

    def segment(return_X_y):
        data_set = sample_data.load("segment")
        return data_set.X, data_set.y

    loaders = {
        "segment": segment,
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "breast_cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
    }

    def load(name):
        X, y = loaders[name](return_X_y=True)
        X.setflags(write=False)
        y.setflags(write=False)
        return X, y

    return load


@pytest.fixture(scope="session")
def benchmark_set():
    """Return a function from the name of a data set in $TREECORE_DATA to its dict of arrays, for marked tests."""

    def load(name):
        path = Path(os.environ["TREECORE_DATA"]) / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"TREECORE_DATA holds no {name}.npz")
        with np.load(path, allow_pickle=False) as file:
            return dict(file)

    return load
