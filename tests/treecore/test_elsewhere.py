"""Test work in other processes: with joblib's backends, and on a Dask cluster that loses a worker."""

import os
import signal
import sys
import time
import types
import warnings

import joblib
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from treecore import CO2ForestClassifier, TAOForestClassifier, TwoProbeForestClassifier
from treecore.comparison import Method, PathMethod, compare
from treecore.training.estimators import TAOClassifier

FORESTS = [
    CO2ForestClassifier(3, n_epochs=2, max_depth=2, random_state=0),
    CO2ForestClassifier(3, base="oc1", max_depth=2, random_state=0),
    TwoProbeForestClassifier(3, n_pairs=10, max_depth=2, random_state=0),
    TAOForestClassifier(3, max_depth=2, random_state=0),
]


def figures(comparison):
    """Return all metrics except times."""
    records = [cell.to_dict() for cell in comparison.cells]
    return [{name: value for name, value in record.items() if not name.endswith("seconds")} for record in records]


@pytest.fixture(scope="module")
def rows():
    """Return enough rows for joblib and Dask to send them separately from the work, as read-only arrays."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 30))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int) + (X[:, 2] > 1)


@pytest.fixture(scope="module")
def small_rows(rows):
    X, y = rows
    return X[:300, :6], y[:300]


@pytest.fixture(scope="module", autouse=True)
def plain_main():
    """Replace the main module, which new processes run again. Tests of pages may have set another one."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="module")
def cluster(plain_main):
    """Return (LocalCluster of two worker processes, its Client)."""
    distributed = pytest.importorskip("distributed")
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            2, processes=True, threads_per_worker=1, dashboard_address="127.0.0.1:0", worker_dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield cluster, client


@pytest.mark.long
@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: getattr(forest, "base", type(forest).__name__))
def test_forests_in_other_processes(rows, small_rows, forest):
    X, y = rows if isinstance(forest, TwoProbeForestClassifier) else small_rows
    here = forest.set_params(n_jobs=1).fit(X, y).estimators_
    threads = forest.set_params(n_jobs=None).fit(X, y).estimators_
    with joblib.parallel_config(backend="loky", n_jobs=2):
        there = forest.set_params(n_jobs=2).fit(X, y).estimators_
    assert here == threads == there


@pytest.mark.long
def test_forests_on_a_cluster(rows, cluster):
    X, y = rows
    forest = TAOForestClassifier(3, max_depth=1, max_iter=1, random_state=0)
    here = forest.fit(X, y)
    expected, passes = here.estimators_, here.n_iter_
    with joblib.parallel_config(backend="dask"):
        forest.fit(X, y)
    assert forest.estimators_ == expected
    assert forest.n_iter_ == passes


class Paced(DecisionTreeClassifier):
    """A slow tree, so that something can happen during its training."""

    def fit(self, X, y):
        time.sleep(0.05)
        return super().fit(X, y)


METHODS = [
    PathMethod("tao", "TAO", TAOClassifier(split="univariate", init="cart"), n_lambdas=4),
    Method("tree", "Tree", Paced(), {"max_depth": [1, 2, 4]}),
]


@pytest.mark.long
def test_a_comparison_on_a_cluster_comes_cell_by_cell(small_rows, cluster):
    X, y = small_rows
    here = compare(X, y, METHODS, cv=4, inner=2, n_jobs=1)
    came = []
    with joblib.parallel_config(backend="dask"):
        there = compare(X, y, METHODS, cv=4, inner=2, on_cell=lambda cell: came.append(time.perf_counter()) and None)
        finished = time.perf_counter()
    assert figures(here) == figures(there)
    assert not any(there.failures(name) for name in there.methods)
    # Results must not arrive all at once at the end.
    assert len(came) == 8
    assert finished - came[0] > 0.2


@pytest.mark.long
def test_a_comparison_survives_the_death_of_a_worker(small_rows, cluster):
    X, y = small_rows
    cluster, client = cluster
    here = compare(X, y, METHODS, cv=4, inner=2, n_jobs=1)
    pids, killed = client.run(os.getpid), []

    def kill_one(cell):
        if not killed:
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

    with joblib.parallel_config(backend="dask"):
        there = compare(X, y, METHODS, cv=4, inner=2, on_cell=kill_one)
    assert killed
    assert figures(here) == figures(there)
    assert killed[0] not in client.run(os.getpid).values()


def test_a_backend_that_cannot_give_results_one_by_one(small_rows):
    X, y = small_rows
    here, came = compare(X, y, METHODS, cv=2, inner=2, n_jobs=1), []
    with joblib.parallel_config(backend="multiprocessing"):
        there = compare(X, y, METHODS, cv=2, inner=2, n_jobs=2, on_cell=lambda cell: came.append(cell) or False)
    assert figures(here) == figures(there)
    assert len(came) == 4


class Deadly(DecisionTreeClassifier):
    """A tree that ends its process, as the operating system does when a process takes too much memory."""

    def fit(self, X, y):
        os._exit(1)


@pytest.mark.long
def test_a_method_that_kills_its_process_leaves_the_others(small_rows):
    methods = [Method("deadly", "Deadly", Deadly()), "cart"]
    found = compare(*small_rows, methods, cv=2, n_jobs=2)
    assert len(found.of("cart")) == 2
    assert all("process ended" in reason for reason in found.failures("deadly").values())
    assert set(found.failures("deadly")) == {0, 1}
