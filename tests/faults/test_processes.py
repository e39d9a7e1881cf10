"""Kill each process of the app in each phase: idle, reading, training, saving, stopping."""

import asyncio
import contextlib
import os
import random
import signal
import time

import pandas
import psutil
import pytest

from pages.jobs.job_executor import machine_load
from tests.budget import budget
from tests.faults.conftest import LONG, SMALL, Visitor, metrics, trained
from tests.waiting import awaited, wait_until

PROCESSES = ("server", "cluster", "fork server", "tracker", "worker", "reader")
STOP = 2.0  # seconds in which a server without load stops


@pytest.fixture
def data_folder(tmp_path):
    """Return a folder with a table whose sample takes some seconds to read."""
    folder = tmp_path / "data"
    folder.mkdir()
    n = 150_000
    columns = {f"c{k}": [j * k % 997 for j in range(n)] for k in range(60)}
    pandas.DataFrame(columns | {"y": [j % 2 for j in range(n)]}).to_parquet(folder / "large.parquet")
    pandas.DataFrame({"a": range(60), "b": [k % 2 for k in range(60)]}).to_parquet(folder / "small.parquet")
    return folder


def kill(server, kind):
    """Kill the processes of a kind, and start the server again if it was the server."""
    left = server.children()
    for one in server.find(kind):
        one.kill()
    if kind == "server":
        server.process.wait(60)
        wait_until(lambda: not any(map(is_alive, left)), 60)
        server.start()


def is_alive(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


async def works(server, seed):
    """Test that new visitors get their trees and read a file."""
    await trained(server, f"{SMALL}&seed={seed}")
    await read(server, "small")


async def read(server, name, kill=None):
    """Read a sample of an entry of the folder. kill : function to call while it is read. Return the visitor."""
    async with Visitor(server.url, "data", f"from=folder&{SMALL}") as visitor:
        await visitor.run()
        await visitor.wait(until=lambda: "Read sample" in visitor.buttons)
        place = visitor.selects["File or folder"]
        await visitor.choose("File or folder", next(one for one in place.options if name in one))
        killing = asyncio.create_task(asyncio.to_thread(kill)) if kill is not None else None  # the reading may be short
        try:
            await visitor.press("Read sample")
        finally:
            if killing is not None:
                await killing
        await visitor.wait(until=lambda: visitor.errors or "Explore this data set" in visitor.buttons)
        return visitor


async def idle(server, kind):
    await trained(server, SMALL)
    server.wait_for("worker")
    kill(server, kind)
    await works(server, 1)


async def reading(server, kind):
    async def visit():
        return await read(server, "large", lambda: (server.wait_for("reading"), kill(server, kind)))

    if kind == "server":  # the page connects again, and its upload is still there
        with pytest.raises(Exception, match="no close frame|close|reset"):
            await visit()
    else:
        visitor = await visit()
        assert len(visitor.errors) == (kind == "reader"), visitor.errors
    await works(server, 2)


async def training(server, kind):
    async with Visitor(server.url, "", LONG) as visitor:
        await visitor.run()
        await visitor.wait(until=lambda: len(server.results()) > 2)
        before = server.results()
        kill(server, kind)
        if kind != "server":
            await visitor.wait()
            assert visitor.errors == []
    await trained(server, LONG)
    after = server.results()
    assert {key: after[key] for key in before} == before
    assert sum(job == next(iter(before))[0] for job, _ in after) == 16


async def saving(server, kind):
    """Kill at random moments, some of which are in the middle of a file."""
    draw = random.Random(kind)
    for k in range(budget(1, 4)):
        async with Visitor(server.url, "", f"{SMALL}&seed={10 + k}&n_lambdas=12") as visitor:
            await visitor.run()
            time.sleep(draw.random() * 1.5)
            kill(server, kind)
        server.results()  # each is valid
        await trained(server, f"{SMALL}&seed={10 + k}&n_lambdas=12")
    assert not list(server.folder.rglob("*.part")) or kind == "server"


async def stopping(server, kind):
    async with Visitor(server.url, "", LONG) as visitor:
        await visitor.run()
        server.wait_for("worker")
        left = [*server.children()]
        server.process.terminate()
        for one in server.find(kind) if server.process.poll() is None else ():
            one.kill()
        code = server.process.wait(30)
    assert code in ((0, -signal.SIGKILL) if kind == "server" else (0,))
    wait_until(lambda: not any(map(is_alive, left)), 60)
    server.start()
    await trained(server, SMALL)


PHASES = {one.__name__: one for one in (idle, reading, training, saving, stopping)}


@pytest.mark.long
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kind", PROCESSES)
def test_a_killed_process_is_replaced_and_nothing_is_lost(serve, data_folder, phase, kind):
    server = serve(environment={"TAO_DATA_FOLDER": str(data_folder)})
    awaited(PHASES[phase](server, kind))
    server.is_quiet()
    if phase in ("idle", "training") and kind in ("cluster", "fork server"):
        assert metrics(server)["tao_cluster_restarts_total"] == 1
        assert "is restarting" in server.log()
    if phase in ("idle", "training") and kind == "worker":
        assert metrics(server)["tao_worker_deaths_total"] >= 1
        assert "ended unexpectedly" in server.log()


@pytest.mark.long
def test_a_server_survives_the_loss_of_its_workers_and_stops_at_once(serve):
    server = serve()
    awaited(trained(server, SMALL))
    before = server.results()
    server.wait_for("fork server").kill()
    wait_until(lambda: metrics(server)["tao_cluster_restarts_total"] == 1, 10 * machine_load())
    awaited(trained(server, f"{SMALL}&seed=1"))
    assert {key: server.results()[key] for key in before} == before
    left = server.children()
    seconds, code = server.stop()
    assert code == 0
    assert seconds < STOP * machine_load()
    wait_until(lambda: not any(map(is_alive, left)), 60)
    server.is_quiet()


@pytest.mark.long
def test_a_server_stops_at_once_and_runs_its_handlers_at_any_time(serve, tmp_path):
    """Also while the cluster starts, when threads wait for it."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import atexit, os, sys\n"
        "if 'streamlit' in ' '.join(sys.orig_argv): atexit.register(lambda: open(os.environ['MARK'], 'a').write('x'))\n"
    )
    mark = tmp_path / "mark"
    for k, seconds in enumerate((0.0, 0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0)):
        server = serve(folder=tmp_path / f"{k}", environment={"PYTHONPATH": str(site), "MARK": str(mark)})
        time.sleep(seconds)
        took, code = server.stop()
        assert code == 0
        assert took < STOP * machine_load(), (seconds, took)
        assert mark.read_text() == "x" * (k + 1)
        server.is_quiet()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["cluster", "worker", "reader"])
def test_a_process_that_hangs_is_replaced(serve, data_folder, kind):
    server = serve(environment={"TAO_DATA_FOLDER": str(data_folder), "TAO_READ_SECONDS": "20"})
    awaited(trained(server, SMALL))
    if kind == "reader":
        awaited(read(server, "small"))
    for one in server.find(kind):
        os.kill(one.pid, signal.SIGSTOP)

    async def new_visitor():
        async with Visitor(server.url, "", f"{SMALL}&seed=1") as visitor:
            await visitor.run()
            await visitor.wait(seconds=200)
            assert visitor.errors == []

    if kind != "reader":
        awaited(new_visitor())
        server.is_quiet()
    else:
        visitor = awaited(read(server, "small"))
        assert visitor.errors == [] or "Try again" in visitor.errors[0]
