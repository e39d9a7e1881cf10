"""Test that jobs on real Dask workers give equal trees, even if workers, clusters or servers are killed."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from cryptography import x509

from pages.jobs import cluster, job_executor, job_queue
from pages.jobs.job_executor import JobExecutor, machine_load
from pages.jobs.job_queue import JobQueue
from pages.jobs.settings import ComparisonSettings, PhaseSettings, Settings
from pages.jobs.task_data import task_data
from sample_data import DataSet
from tests.pages.jobs.test_job_queue import texts, trained, wait_for
from tests.pages.jobs.thread_executor import ThreadExecutor
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[3]
SMALL = Settings("wine", max_depth=3, n_lambdas=6)
MEDIUM = Settings("digits", n_lambdas=24, max_depth=8)  # training takes some seconds
LONG = Settings("mnist-5k", n_lambdas=60, max_depth=12)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dask")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAO_JOBS", str(folder))
        jobs = JobQueue(JobExecutor(folder / "cluster.log", n_workers=2), folder)
        yield jobs
        jobs.close()


def begun(jobs, settings):
    """Return the name of a job whose training has begun."""
    name = jobs.submit(settings, "fingerprint")
    wait_for(jobs, name, "running", seconds=180)
    return name


def test_results_are_those_of_one_process(jobs, tmp_path):
    here = JobQueue(ThreadExecutor(1), tmp_path)
    for chosen in (SMALL, PhaseSettings("iris", n_lambdas=4, costs=(1.0, 1.5))):
        assert texts(trained(jobs, chosen)) == texts(trained(here, chosen))
    chosen = ComparisonSettings("iris", ("cart", "c50"), repeats=2, inner=2)
    paths = [
        [(cell.method, cell.fold, cell.test_error, cell.tree.to_json()) for cell in trained(queue, chosen)]
        for queue in (jobs, here)
    ]
    assert paths[0] == paths[1]
    here.close()


@pytest.mark.skipif(sys.platform != "linux", reason="Workers are forked on Linux alone")
def test_workers_are_forked_from_one_process_that_has_the_engine(jobs):
    trained(jobs, SMALL)  # either worker may run it, as both are warm
    wait_until(lambda: len(jobs.executor.pids) == 2)
    workers = [psutil.Process(pid) for pid in jobs.executor.pids.values()]
    (parent,) = {worker.ppid() for worker in workers}
    assert parent != jobs.executor.process.pid
    shared = [worker.memory_full_info() for worker in workers]
    assert all(one.rss - one.uss > 50 * 2**20 for one in shared)


def test_data_go_to_a_worker_once(jobs):
    for seed in range(4):
        trained(jobs, replace(SMALL, data_set="iris", seed=seed))
    sent = [key for key in jobs.executor.sent if key[1][0] == "iris"]
    assert 1 <= len(sent) == len(set(sent)) <= 2
    jobs.drop_data(["iris"])
    assert not [key for key in jobs.executor.sent if key[1][0] == "iris"]


@pytest.mark.long
def test_cancelling_frees_a_worker_and_does_not_end_it(jobs, monkeypatch):
    monkeypatch.setattr(job_queue, "GRACE", 120.0)  # on a busy machine, a worker needs more than a second
    trained(jobs, SMALL)
    before = set(jobs.executor.slots())
    name = begun(jobs, LONG)
    wait_until(lambda: "iteration" in jobs.status(name))  # TAO passes have begun, and their steps arrive
    assert jobs.cancel(name, "me")
    assert jobs.status(name)["state"] == "cancelled"
    wait_until(lambda: not jobs.held)
    assert trained(jobs, replace(SMALL, seed=5))
    assert set(jobs.executor.slots()) <= before


def test_a_killed_worker_is_not_noticed(jobs):
    name = begun(jobs, MEDIUM)
    wait_until(lambda: jobs.points(name))
    (slot,) = jobs.held
    worker = slot.rpartition("#")[0]
    wait_until(lambda: worker in jobs.executor.pids)
    os.kill(jobs.executor.pids[worker], signal.SIGKILL)
    assert wait_for(jobs, name, "done", "failed", seconds=240)["state"] == "done"
    assert len(jobs.points(name)) == MEDIUM.n_lambdas


def fork_server(jobs):
    """Return the process from which the workers are forked."""
    (found,) = filter(cluster._is_fork_server, psutil.Process(jobs.executor.process.pid).children())
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="Workers are forked on Linux alone")
def test_a_cluster_whose_workers_cannot_be_replaced_is_started_again(jobs):
    trained(jobs, SMALL)
    before, n_restarts = jobs.executor.process.pid, jobs.counts()["cluster_restarts"]
    fork_server(jobs).kill()
    wait_until(lambda: jobs.counts()["cluster_restarts"] == n_restarts + 1, 10 * machine_load())
    wait_until(lambda: jobs.executor.process.pid != before, machine_load())
    name = jobs.submit(replace(SMALL, seed=8), "fingerprint")
    assert wait_for(jobs, name, "done", "failed", seconds=240)["state"] == "done"
    assert jobs.counts()["workers"] == 2


@pytest.mark.parametrize(
    ("n_workers", "after", "words"),
    [(0, job_executor.WORKERLESS, "it has no worker"), (1, job_executor.SHORT_OF_WORKERS, "it has 1 of 2 workers")],
)
def test_a_cluster_without_workers_is_broken_after_a_time(n_workers, after, words, monkeypatch, tmp_path):
    now = [1000.0]
    monkeypatch.setattr(job_executor, "machine_load", lambda: 1.0)
    monkeypatch.setattr(job_executor, "QUIET", 1e6)
    monkeypatch.setattr(job_executor, "time", SimpleNamespace(monotonic=lambda: now[0]))
    executor = JobExecutor(tmp_path / "log", n_workers=2)
    executor._check_workers(2)
    now[0] += after - 1
    executor._check_workers(n_workers)
    now[0] += 2
    if n_workers:
        executor._open["slot"] = []  # a piece that runs is not stopped for want of another worker
        executor._check_workers(n_workers)
        now[0] += after + 1
        executor._open.clear()
    with pytest.raises(RuntimeError, match=words):
        executor._check_workers(n_workers)
    executor.close()


@pytest.mark.long
def test_a_cluster_that_does_not_respond_is_started_again(jobs, monkeypatch):
    trained(jobs, SMALL)
    n_restarts = jobs.counts()["cluster_restarts"]
    monkeypatch.setattr(job_executor, "ANSWERING", 3.0)
    jobs.executor.process.send_signal(signal.SIGSTOP)
    name = jobs.submit(replace(SMALL, seed=9), "fingerprint")
    assert wait_for(jobs, name, "done", "failed", seconds=240)["state"] == "done"
    assert jobs.counts()["cluster_restarts"] == n_restarts + 1


def test_a_lack_of_files_does_not_end_the_connection(jobs, monkeypatch, caplog):
    trained(jobs, SMALL)
    executor, faults = jobs.executor, []
    wait_until(executor.slots, 60 * machine_load())  # another test may have ended the cluster

    def look():
        faults.append(len(faults))
        raise OSError(errno.EMFILE, "Too many open files")

    client = executor.client
    with monkeypatch.context() as patch:
        patch.setattr(executor, "_look", look)
        wait_until(lambda: len(faults) >= 3)
        assert executor.client is client
        assert executor.slots()
    assert "Too many open files" in caplog.text
    assert trained(jobs, replace(SMALL, seed=11))


@pytest.mark.long
def test_a_killed_cluster_is_started_again_in_an_erased_folder_too(jobs):
    name = begun(jobs, replace(MEDIUM, seed=1))
    shutil.rmtree(jobs.folder)
    jobs.executor.process.kill()
    assert wait_for(jobs, name, "done", "failed", seconds=240)["state"] == "done"
    assert trained(jobs, replace(SMALL, seed=7))


def set_limit(n_bytes, dask_worker):
    dask_worker.memory_manager.memory_limit = n_bytes


@pytest.mark.long
def test_work_beyond_the_memory_of_a_worker_is_reported_and_other_work_continues(jobs, monkeypatch):
    """The nannies end the training worker, and any worker that receives too much data."""
    monkeypatch.setattr(job_queue, "ATTEMPTS", 1)
    done, client = trained(jobs, SMALL), jobs.executor.client
    (limit,) = {worker["memory_limit"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()}

    for seed in range(1, 9):  # the next piece may run on the other worker and succeed
        name = begun(jobs, replace(LONG, seed=seed))
        jobs.jobs[name].watchers["me"] = time.monotonic() + 600
        slot = next(iter(jobs.jobs[name].running.values()), next(iter(jobs.executor.slots())))
        client.run(set_limit, 2**20, workers=[slot.rpartition("#")[0]], nanny=True)
        other = trained(jobs, replace(SMALL, seed=10 + seed))
        ended = wait_for(jobs, name, "failed", "done", seconds=240)
        client.run(set_limit, limit, nanny=True)
        if ended["state"] == "failed":
            break
    assert "out of memory" in ended["message"]

    n_rows = 500_000
    large = DataSet("large", "", np.zeros((n_rows, 40)), np.arange(n_rows) % 2, tuple(map(str, range(40))), ("a", "b"))
    monkeypatch.setitem(task_data._loaded, "large", large)
    pids = filter(None, jobs.executor.pids.values())
    now = max(psutil.Process(pid).memory_info().rss for pid in pids if psutil.pid_exists(pid))
    client.run(set_limit, (now + large.X.nbytes // 2) / 0.95, nanny=True)
    name = jobs.submit(Settings("large"), "fingerprint")
    assert "out of memory" in wait_for(jobs, name, "failed", seconds=180)["message"]
    client.run(set_limit, limit, nanny=True)
    assert texts(trained(jobs, SMALL)) == texts(done)
    assert len(other) == SMALL.n_lambdas


@pytest.mark.long
def test_nothing_outlives_a_server_that_is_killed(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from pages.jobs.job_executor import JobExecutor\n"
        "executor = JobExecutor(Path(sys.argv[1]) / 'log', n_workers=1)\n"
        "while not executor.slots(): time.sleep(0.05)\n"
        "sys.stdout.write('up'); sys.stdout.flush(); time.sleep(600)"
    )
    server = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert server.stdout.read(2) == b"up"
    server.stdout.close()
    left = psutil.Process(server.pid).children(recursive=True)
    assert len(left) >= 2
    server.kill()
    server.wait()
    _, alive = psutil.wait_procs(left, timeout=30)
    assert alive == []


@pytest.mark.long
def test_an_app_that_ends_amid_work_says_nothing_of_it(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from pages.jobs.job_executor import JobExecutor\n"
        "from pages.jobs.job_queue import JobQueue; from pages.jobs.settings import Settings\n"
        "jobs = JobQueue(JobExecutor(Path(sys.argv[1]) / 'log', n_workers=1), Path(sys.argv[1]))\n"
        "name = jobs.submit(Settings('digits', n_lambdas=60, max_depth=12), 'fingerprint')\n"
        "while jobs.status(name)['state'] != 'running': time.sleep(0.05)"
    )
    environment = os.environ | {"TAO_JOBS": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_keys_are_valid_whatever_the_clock_says():
    certificate = x509.load_pem_x509_certificate(cluster._security().tls_ca_file.encode())
    assert certificate.not_valid_before_utc.year == 1970
    assert certificate.not_valid_after_utc.year == 9999


@pytest.fixture
def foreign(tmp_path):
    """Return a function that starts a scheduler at an address and a worker, as in docs/how_to/scale_out.md."""
    started = []

    def start(command):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        with (tmp_path / "log").open("ab") as log:
            started.append(
                subprocess.Popen(
                    [sys.executable, "-m", *command], cwd=tmp_path, env=environment, stdout=log, stderr=log
                )
            )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.long
def test_a_cluster_that_is_there_already_goes_away_and_comes_back(foreign, tmp_path):
    port = 40000 + os.getpid() % 20000
    scheduler = ["distributed.cli.dask_scheduler", "--port", str(port), "--host", "127.0.0.1", "--no-dashboard"]
    address = f"tcp://127.0.0.1:{port}"
    first = foreign(scheduler)
    foreign(["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"])
    jobs = JobQueue(JobExecutor(tmp_path / "unused", address), tmp_path / "jobs")
    try:
        whole = texts(trained(jobs, SMALL))
        assert not (tmp_path / "unused").exists()
        name = begun(jobs, replace(MEDIUM, seed=2))
        first.kill()
        first.wait()
        foreign(scheduler)
        foreign(["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"])
        assert wait_for(jobs, name, "done", "failed", seconds=240)["state"] == "done"
        assert texts(trained(jobs, SMALL)) == whole
    finally:
        jobs.close()
