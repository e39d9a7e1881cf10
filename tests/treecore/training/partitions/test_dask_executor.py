"""Test that shards on Dask workers give the trees of shards in this process, even if workers are killed."""

import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

from tests.budget import budget
from tests.refusals import refused
from treecore import DataError, TAOClassifier, TAORegressor
from treecore.data.losses import ZeroOneLoss
from treecore.training.partitions.cluster.dask_executor import DaskExecutor
from treecore.training.partitions.cluster.remote_shard import PackedSums, added
from treecore.training.partitions.coding import Coding, Layout, quantile_edges
from treecore.training.partitions.partitioned_run import fit_source
from treecore.training.partitions.shard import Problem
from treecore.training.partitions.shards import LocalExecutor
from treecore.training.partitions.sources.dask_source import DaskSource
from treecore.training.partitions.sources.row_source import ArraySource
from treecore.training.partitions.sources.sources import executor_of

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
N = 4_000  # in 8 parts


@pytest.fixture(scope="module")
def client():
    multiprocessing.set_forkserver_preload(["distributed.nanny", "treecore.training.partitions.cluster.remote_shard"])
    settings = {"distributed.scheduler.allowed-failures": 1, "distributed.worker.multiprocessing-method": "forkserver"}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(0)
    X = random.normal(size=(N, 5)).astype(np.float32)
    X[:, 4] = np.round(X[:, 4])
    y = ((X[:, 0] > 0.2) ^ (X[:, 1] * X[:, 4] > 0.1) ^ (random.random(N) < 0.1)).astype(np.int32)
    return X, y


def model(**parameters):
    chosen = {"split": "univariate", "init": "cart", "max_leaf_nodes": 8, "lam": 1.0, "max_iter": 2, "random_state": 0}
    return TAOClassifier(**chosen | parameters)


@pytest.fixture(scope="module")
def expected(rows):
    return fit_source(model(), ArraySource(*rows, size=500), LocalExecutor(1)).tree_


@pytest.mark.parametrize("kind", ["lazy array", "persisted array", "table"])
def test_collections_give_the_tree_of_rows_in_this_process(client, rows, expected, kind, monkeypatch):
    import dask.array
    import dask.dataframe
    import pandas

    X, y = rows
    if kind == "table":
        frame = pandas.DataFrame(X, columns=list("abcde")).assign(label=y)
        source = DaskSource(dask.dataframe.from_pandas(frame, npartitions=8, sort=False), "label")
        monkeypatch.setattr("treecore.training.partitions.cluster.dask_executor.LEAST_TREE", 2)  # workers add the sums
    else:
        lazy = [dask.array.from_array(X, chunks=(500, 3)), dask.array.from_array(y, chunks=700)]
        source = DaskSource(*(client.persist(lazy) if kind == "persisted array" else lazy))
    assert len(source.parts()) == 8
    executor = DaskExecutor(client)
    found = fit_source(model(), source, executor).tree_
    assert np.array_equal(found.bias, expected.bias)
    assert np.array_equal(found.features, expected.features)
    assert 0 < executor.moved.received < X.nbytes * executor.moved.calls
    assert (executor.moved.exchanged > 0) == (kind == "table")
    assert not held(client)


def await_two_workers(client):
    """Wait for two workers, and replace a nanny that ended: it may, if its worker is killed while it starts."""
    try:
        client.wait_for_workers(2, timeout=20)
    except TimeoutError:
        client.cluster.scale(1)
        client.cluster.scale(2)
        client.wait_for_workers(2, timeout=60)


def pids(client):
    """Return the process numbers of two workers, by address."""
    await_two_workers(client)
    found = client.run(os.getpid, on_error="ignore")  # a killed worker may still be listed
    return found if len(found) == 2 else pids(client)


def held(client):
    """Return the number of shards in the memory of all workers."""

    def count():
        from treecore.training.partitions.cluster import remote_shard

        return len(remote_shard._held)

    return sum(client.run(count).values())


def test_persisted_parts_stay_at_their_worker(client, rows):
    import dask.array

    X, y = client.persist([dask.array.from_array(rows[0], chunks=(500, 5)), dask.array.from_array(rows[1], chunks=500)])
    distributed.futures_of(y)[-1].result()
    shards = DaskExecutor(client).shards(DaskSource(X, y).parts(), None)
    holders = client.who_has()
    for parts, worker in zip(shards._parts, shards._at, strict=True):
        assert all(any(worker in holders[future.key] for future in part.futures()) for part in parts)


def test_collections_are_read_in_this_process_without_a_client(rows, expected):
    import dask.array

    source = DaskSource(dask.array.from_array(rows[0], chunks=500), dask.array.from_array(rows[1], chunks=500))
    assert fit_source(model(), source, LocalExecutor(2)).tree_ == expected


@pytest.mark.nightly
def test_a_worker_killed_in_every_level_does_not_change_the_tree(client, rows, expected):
    killed, most = [], budget(2, 8)

    def kill(step):
        if len(killed) < most and getattr(step, "depth", None) is not None:
            workers = pids(client)
            killed.append(workers[sorted(workers)[len(killed) % 2]])
            os.kill(killed[-1], signal.SIGKILL)

    executor = DaskExecutor(client)
    found = fit_source(model(callback=kill), ArraySource(*rows, size=500), executor)
    assert len(killed) == most
    assert executor.moved.ended >= most // 2  # a worker without rows may be killed, too
    assert found.tree_ == expected
    await_two_workers(client)


def test_sums_of_numbers_do_not_depend_on_killed_workers(client, rows):
    X, _ = rows
    y = (X[:, 0] * X[:, 1] + 0.1 * X[:, 2]).astype(np.float64)
    regressor = TAORegressor(split="univariate", init="cart", max_leaf_nodes=4, lam=0.01, max_iter=1, random_state=0)
    await_two_workers(client)
    whole = fit_source(regressor, ArraySource(X, y, size=500), DaskExecutor(client)).tree_
    killed = []

    def kill(step):
        if not killed:
            killed.extend(pids(client).values())
            os.kill(killed[0], signal.SIGKILL)

    assert (
        fit_source(regressor.set_params(callback=kill), ArraySource(X, y, size=500), DaskExecutor(client)).tree_
        == whole
    )
    await_two_workers(client)


class EndingPart:
    """Part that no worker survives."""

    name = "part 7"

    def read(self):
        os.kill(os.getpid(), signal.SIGKILL)


class EndingSource:
    feature_names = None

    def parts(self):
        return [EndingPart()]


def test_workers_that_always_end_are_named(client):
    await_two_workers(client)
    with pytest.raises(
        DataError, match=r"^Worker tcp://.* \(memory limit .* GB\) ended repeatedly .* part 7\. Use more"
    ):
        fit_source(model(), EndingSource(), DaskExecutor(client))
    await_two_workers(client)


def test_a_shard_that_ends_its_workers_names_the_worker(client, monkeypatch):
    monkeypatch.setattr("treecore.training.partitions.cluster.dask_executor.MOST_ENDED", 0)
    await_two_workers(client)
    shards = DaskExecutor(client).shards([EndingPart()], Problem(len, Layout(5), ZeroOneLoss(2)))
    with pytest.raises(DataError, match=r"^Worker tcp://.* ended repeatedly while it processed part 7"):
        shards.call("code", None)
    await_two_workers(client)


def test_workers_of_another_version_are_named(client, monkeypatch):
    monkeypatch.setattr("treecore.training.partitions.cluster.dask_executor.VERSION", "9.9")
    with pytest.raises(DataError, match=r"^Worker tcp://.* has treecore .*, but this process has treecore 9\.9\."):
        DaskExecutor(client)


def test_errors_of_parts_keep_their_words(client):
    class Refused:
        name = "part 7"

        def read(self):
            raise DataError("part 7: the file is not complete.")

    shards = DaskExecutor(client).shards([Refused()], Problem(len, Layout(5), ZeroOneLoss(2)))
    with pytest.raises(DataError, match=r"^part 7: the file is not complete\.$"):
        shards.call("code", None)


def test_shards_of_calls_that_outlast_their_run_are_released(client, rows):
    class Part:
        def __init__(self, name):
            self.name = name

        def read(self):
            if self.name == "refused":
                raise DataError("The part is refused.")
            time.sleep(1)
            return ArraySource(*rows).parts()[0].read()

    layout = Layout(5)
    problem = Problem(lambda read, _: (read.X, read.y.astype(np.uint8), None), layout, ZeroOneLoss(2))
    await_two_workers(client)
    shards = DaskExecutor(client).shards([Part("slow"), Part("refused")], problem)
    with pytest.raises(DataError, match="refused"):
        shards.call("code", Coding(layout, quantile_edges(rows[0], layout), np.empty(0), np.empty(0)))
    shards.close()
    until = time.monotonic() + 20
    while any(client.processing().values()) and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(0.2)
    assert not held(client)


def test_two_fits_at_once_on_a_client_give_their_own_trees(client, rows, expected):
    await_two_workers(client)
    found = [None, None]

    def fit(i):
        found[i] = fit_source(model(lam=(1.0, 30.0)[i]), ArraySource(*rows, size=500), DaskExecutor(client)).tree_

    threads = [threading.Thread(target=fit, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == expected
    assert found[1] == fit_source(model(lam=30.0), ArraySource(*rows, size=500), LocalExecutor(1)).tree_
    assert not held(client)


@pytest.mark.parametrize("is_running", [False, True])
def test_a_closed_client_is_named(client, rows, is_running):
    own = distributed.Client(client.scheduler.address, set_as_default=False)

    def close(step):
        if is_running:
            threading.Timer(0.05, own.close).start()
        else:
            own.close()

    with refused(DataError, "The Dask client was closed during training"):
        fit_source(model(callback=close, max_iter=50, lam=0.0), ArraySource(*rows, size=500), DaskExecutor(own))


def test_all_workers_of_large_clusters_are_used():
    """Some versions of distributed list only five workers by default."""

    class Client:
        def scheduler_info(self, n_workers=5):
            workers = {f"tcp://{i}": {} for i in range(8)}
            return {"workers": dict(list(workers.items())[: None if n_workers < 0 else n_workers])}

        def run(self, *_, **__):
            return {}

    assert len(DaskExecutor(Client()).workers()) == 8


def test_the_current_client_is_used(client, rows):
    source = ArraySource(*rows)
    assert isinstance(executor_of(source, 1), LocalExecutor)
    with client.as_current():
        assert isinstance(executor_of(source, 1), DaskExecutor)


def test_unequal_partitions_and_missing_columns_are_refused(rows):
    import dask.array
    import dask.dataframe
    import pandas

    X, y = rows
    with refused(DataError, f"X has {N} rows, but y has {N - 1}. Pass one target for each row"):
        DaskSource(dask.array.from_array(X), dask.array.from_array(y[1:])).parts()
    table = dask.dataframe.from_pandas(pandas.DataFrame({"a": y}), npartitions=2)
    with refused(DataError, "y='b': expected the name of a column"):
        DaskSource(table, "b")
    with refused(DataError, "X and y have different numbers of partitions"):
        DaskSource(table, table.repartition(npartitions=1)["a"]).parts()


@pytest.mark.parametrize("largest", [100, 30_000, 10**6, 2.0**40, 0.1])
def test_packed_sums_are_exact_and_small(largest):
    random = np.random.default_rng(1)
    array = np.zeros((4, 10, 256, 2))
    places = random.random(array.shape[:-1]) < 0.1
    array[places] = np.rint(random.random((places.sum(), 2)) * 100) / 100 * largest
    if largest >= 100:
        array = np.rint(array)
    packed = PackedSums((array, np.arange(3)))
    found, counts = packed.unpacked()
    assert np.array_equal(found, array)
    assert counts.tolist() == [0, 1, 2]
    assert packed.n_bytes < array.nbytes / 6
    both = added(packed, packed)
    assert np.array_equal(both.unpacked()[0], 2 * array)
    assert both.moved == packed.n_bytes


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(5000,), (4096, 1), (3, 7, 256, 2), (0, 5, 256, 2)])
@pytest.mark.filterwarnings("error")
def test_packed_sums_keep_extreme_values_and_types(dtype, shape):
    random = np.random.default_rng(2)
    values = [0, 1, -1, 127, -128, 128, 32767, -32768, 2**31 - 1, -(2**31) + 1]
    if np.dtype(dtype).kind == "f":
        values += [0.1, 2.0**40, 3e38, np.inf, np.nan] + ([3.5e38, 1e300, 1e-300] if dtype == np.float64 else [])
    for value in values:
        array = np.where(random.random(shape) < 0.3, dtype(value), dtype(0))
        found = PackedSums(array).unpacked()
        assert found.dtype == dtype
        assert np.array_equal(found, array, equal_nan=np.dtype(dtype).kind == "f")
