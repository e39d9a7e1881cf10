"""Limit disk space, permissions, file descriptors and memory, and change the clock."""

import asyncio
import contextlib
import os
import resource
import subprocess
import sys
import time
import urllib.error
import urllib.request

import psutil
import pytest
from websockets.exceptions import InvalidStatus

from benchmarks.tabs import Tab
from pages.jobs.job_executor import machine_load
from tests.faults.conftest import LONG, SMALL, Visitor, metrics, trained
from tests.waiting import awaited, wait_until

DISK = "jobs folder is not writable"


def arrive(url):
    """Request a page as a browser does. Return (status, text)."""
    request = urllib.request.Request(url, headers={"Accept": "text/html"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


async def come(server, most):
    """Open tabs of the About page until one is refused, at most so many. Return them."""
    tabs = []
    for _ in range(most):
        tab = Tab(server.url, "about", "")
        try:
            await tab.__aenter__()
        except InvalidStatus:
            break
        tabs.append(tab)
        await tab.run()
    return tabs


async def go(tabs):
    await asyncio.gather(*(tab.__aexit__() for tab in tabs))


def test_a_server_with_few_descriptors_refuses_in_words_and_stops_at_once(serve):
    server = serve(limits={resource.RLIMIT_NOFILE: (140, 170)})

    async def crowd():
        tabs = await come(server, 60)
        status, words = arrive(server.url)
        figures = metrics(server)
        await go(tabs)
        return len(tabs), status, words, figures

    n_tabs, status, words, figures = awaited(crowd())
    assert 5 <= n_tabs < 40
    assert (status, "too few file descriptors" in words) == (503, True)
    assert figures["tao_descriptors_most"] == 170  # the soft limit was raised
    assert figures["tao_descriptors"] <= 170 - 60
    assert figures["tao_visitors"] == n_tabs
    assert figures["tao_visitors_refused_total"] >= 1
    seconds, code = server.stop()  # while the cluster starts
    assert code == 0
    assert seconds < 2.0 * machine_load()
    server.is_quiet()
    assert "ulimit -n" in server.log()


@pytest.mark.long
def test_descriptors_of_tabs_that_have_gone_come_back_without_a_visitor(serve):
    server = serve(environment={"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "20"})

    async def crowd():
        await trained(server, SMALL)
        before = metrics(server)["tao_descriptors"]
        tabs = await come(server, 150)
        assert len(tabs) == 150
        assert metrics(server)["tao_descriptors"] >= before + 4 * 150
        await go(tabs)
        return before

    before = awaited(crowd())
    time.sleep(1)
    # the oldest sessions are closed at once, because Streamlit would forget them
    assert metrics(server)["tao_descriptors"] <= before + 3 * 105
    wait_until(lambda: metrics(server)["tao_descriptors"] <= before + 5, 60)
    server.is_quiet()


@pytest.mark.long
def test_three_hundred_tabs_and_training_with_the_usual_limit(serve):
    """The soft limit of most systems is 1,024, and the hard one is far higher."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard < 4096:
        pytest.skip("The system permits too few open files")
    server = serve(
        limits={resource.RLIMIT_NOFILE: (1024, hard)}, environment={"TAO_ADDRESS_VISITORS": "300"}
    )  # fmt: skip

    async def crowd():
        tabs = await come(server, 300)
        refused = arrive(server.url)
        assert len(tabs) == 300
        await tabs[0].__aexit__()
        await trained(server, SMALL)
        await go(tabs[1:])
        return refused

    status, words = awaited(crowd())
    assert (status, "300 sessions" in words) == (503, True)
    server.is_quiet()


@pytest.mark.long
def test_silent_websockets_give_their_places_back(serve):
    server = serve()

    async def crowd():
        tabs = [Tab(server.url, "about", "") for _ in range(150)]
        for tab in tabs:
            await tab.__aenter__()
        assert metrics(server)["tao_visitors"] == 150
        assert arrive(server.url)[0] == 503
        end = time.monotonic() + 60 * machine_load()
        while metrics(server)["tao_visitors"]:
            assert time.monotonic() < end
            await asyncio.sleep(1)
        await go(tabs)
        await trained(server, SMALL)

    awaited(crowd())
    server.is_quiet()
    assert "it sent no message" in server.log()


def file_size(server, n_bytes):
    """Limit the size of all files that the server writes, like a full disk. None lifts the limit."""
    most = resource.RLIM_INFINITY if n_bytes is None else n_bytes
    psutil.Process(server.process.pid).rlimit(psutil.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def mounted(folder, *arguments):
    """Mount a file system in memory, as an administrator alone can. Skip the test without the right to do so."""
    command = ["mount", "-t", "tmpfs", *arguments, "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("Needs the right to mount a file system")


@pytest.fixture
def full(tmp_path):
    """Return {way to fill the disk: (start, fill, free)}, functions of a folder or of the server."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def fill(server):
        with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as stream:
            while True:
                stream.write(bytes(4096))

    def read_only(server):
        if os.geteuid():
            folder.chmod(0o500)
        else:
            # another mount of the same files, because a log is open for writing on the first
            subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
            subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)

    def writable(server):
        if os.geteuid():
            folder.chmod(0o700)
        else:
            subprocess.run(["umount", str(folder)], check=True)

    yield folder, {
        "file size": (lambda: None, lambda server: file_size(server, 0), lambda server: file_size(server, None)),
        "full": (
            lambda: mounted(folder, "-o", "size=4m"), fill, lambda server: (folder / "filler").unlink(),
        ),
        "read-only": (lambda: None if os.geteuid() else mounted(folder), read_only, writable),
    }  # fmt: skip
    folder.chmod(0o700)
    subprocess.run(["umount", "-l", str(folder)], capture_output=True)


@pytest.mark.long
@pytest.mark.parametrize("way", ["file size", "full", "read-only"])
def test_a_disk_that_takes_nothing_fails_in_words_and_loses_nothing(serve, full, way):
    folder, ways = full
    begin, fill, free = ways[way]
    begin()
    server = serve(folder=folder)
    awaited(trained(server, SMALL))
    before = server.results()
    fill(server)

    async def while_full():
        await trained(server, SMALL)  # what is there is shown
        async with Visitor(server.url, "", f"{SMALL}&seed=1") as visitor:
            await visitor.run()
            await visitor.wait()
            assert any(DISK in one for one in visitor.errors), (visitor.errors, visitor.texts)
            for page in ("data", "edit", "compare", "rules", "explain", "predict", "learn", "phase", "bivariate"):
                async with Visitor(server.url, page, SMALL) as other:
                    await other.run()
            free(server)
            await visitor.press("Train again")
            await visitor.wait()
            await visitor.run()  # the run that the button started has drawn the old message before
            assert visitor.errors == []
            assert "Train again" not in visitor.buttons

    awaited(while_full())
    server.is_quiet()
    assert DISK in server.log()
    after = server.results()
    assert {key: after[key] for key in before} == before
    assert len(after) == len(before) + 4
    assert not list(folder.rglob("*.part"))


@pytest.mark.long
def test_an_erased_jobs_folder_is_made_again(serve):
    server = serve()
    awaited(trained(server, SMALL))
    subprocess.run(["rm", "-rf", str(server.folder)], check=True)
    assert metrics(server)["tao_disk_bytes"] > 0
    awaited(trained(server, f"{SMALL}&seed=1"))
    assert len(server.results()) == 4
    server.is_quiet()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="Other systems do not change limits of another process")
def test_a_worker_without_memory_says_so_and_other_work_goes_on(serve):
    server = serve(environment={"TAO_WORKERS": "1"})
    awaited(trained(server, SMALL))
    worker = server.wait_for("worker")
    used = worker.memory_info().data if hasattr(worker.memory_info(), "data") else worker.memory_info().vms
    worker.rlimit(psutil.RLIMIT_DATA, (used + 2_000_000, resource.RLIM_INFINITY))

    async def work():
        async with Visitor(server.url, "", "data_set=mnist-5k&max_depth=8&n_lambdas=6") as visitor:
            await visitor.run()
            await visitor.wait()
            found = visitor.errors
        for one in server.find("worker"):
            one.rlimit(psutil.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await trained(server, f"{SMALL}&seed=3")
        return found

    errors = awaited(work())
    assert any("memory" in one for one in errors), errors
    server.is_quiet()


CLOCK = """
import os, time
_real = time.time
def _now():
    try:
        return _real() + float(open(os.environ["CLOCK"]).read())
    except (OSError, ValueError):
        return _real()
time.time = _now
"""


@pytest.mark.long
@pytest.mark.parametrize("hours", [-400 * 24, -5, 2, 400 * 24])
def test_a_clock_that_jumps_ends_and_deletes_nothing(serve, tmp_path, hours):
    site, clock = tmp_path / "site", tmp_path / "clock"
    site.mkdir()
    (site / "sitecustomize.py").write_text(CLOCK)
    server = serve(environment={"PYTHONPATH": str(site), "CLOCK": str(clock)})

    async def work():
        await trained(server, SMALL)
        before = server.results()
        async with Visitor(server.url, "", LONG) as visitor:
            await visitor.run()
            await visitor.wait(until=lambda: len(server.results()) > len(before) + 1)
            clock.write_text(str(hours * 3600))
            await visitor.wait()
            assert visitor.errors == []
        for page in ("", "data", "compare", "learn", "edit"):
            await trained(server, f"{SMALL}&repeats=2" if page == "compare" else SMALL, page)
        return before

    before = awaited(work())
    after = server.results()
    assert {key: after[key] for key in before} == before
    figures = metrics(server)
    assert (figures["tao_worker_deaths_total"], figures["tao_cluster_restarts_total"]) == (0, 0)
    seconds, code = server.stop()
    assert code == 0
    server.start()  # at the other time
    awaited(trained(server, SMALL))
    assert {key: server.results()[key] for key in before} == before
    server.is_quiet()
