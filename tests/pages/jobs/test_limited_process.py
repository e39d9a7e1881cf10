"""Test functions in limited processes: results, every way to end, and that they leave nothing behind."""

import errno
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pages.jobs import job_files, limited_process
from pages.jobs.limited_process import LimitedProcesses, LimitReached, Limits
from tests.budget import budget
from tests.pages.jobs import limited_functions
from tests.refusals import refused
from tests.waiting import wait_until
from treecore.errors import TreecoreError

ROOM = Limits(30.0, 500)
MODULE = limited_functions.__name__


@pytest.fixture(scope="module")
def processes():
    made = LimitedProcesses([MODULE], at_once=2, of_one=1)
    yield made
    made.stop()


def start(processes, function, limits=ROOM, owner="", address=None, **arguments):
    return processes.start(f"{MODULE}.{function}", arguments, limits, owner, address)


def is_alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_function_runs_in_a_process_of_its_own_and_its_value_comes_back(processes):
    calls = [start(processes, "add", owner=str(k), a=k, b=2.5) for k in range(8)]
    assert all(call.wait(20) for call in calls)
    values = [call.result() for call in calls]
    assert [value["sum"] for value in values] == [k + 2.5 for k in range(8)]
    assert os.getpid() not in {value["process"] for value in values}
    assert len({value["process"] for value in values}) == 8
    assert len({value["parent"] for value in values}) == 1
    wait_until(lambda: not any(call.folder.exists() for call in calls))


def test_it_says_how_far_it_is(processes):
    call, seen = start(processes, "count", total=5), set()
    while not call.wait(0.02):
        said = call.progress()
        seen |= {said["done"]} if said else set()
    assert call.result() == 5
    assert len(seen) >= 2
    assert seen <= set(range(5))


@pytest.mark.parametrize(
    ("function", "arguments", "code"),
    [
        ("hold_the_lock", {}, "took longer than … s"),
        ("sleep_deaf", {"place": os.devnull}, "took longer than … s"),
        ("take_memory", {"megabytes": 400, "in_steps": True}, "needed more than … MB of memory"),
        ("take_memory", {"megabytes": 400, "in_steps": False}, "needed more than … MB of memory"),
        ("take_memory_in_words", {}, "needed more than … MB of memory"),
        ("abort", {}, "needed more than … MB of memory"),  # C++ code aborts if memory runs out
    ],
)
def test_limits_end_it_in_words(processes, function, arguments, code):
    limits = Limits(1.0 if code == "took longer than … s" else 60.0, 100)
    call = start(processes, function, limits, **arguments)
    assert call.wait(60)
    with refused(LimitReached, code):
        call.result()
    assert start(processes, "take_memory", Limits(60.0, 600), megabytes=400, in_steps=True).wait(60)


@pytest.mark.parametrize(
    ("function", "words"),
    [("fail", "The file is a picture"), ("break_down", "KeyError"), ("unwritable", "AttributeError")],
)
def test_faults_are_typed_and_hold_nothing_of_the_file(processes, function, words):
    call = start(processes, function)
    assert call.wait(60)
    with pytest.raises(TreecoreError, match=words) as found:
        call.result()
    assert "secret" not in str(found.value)


def test_cancel_ends_it_at_once(processes, tmp_path):
    place = tmp_path / "pid"
    call = start(processes, "sleep_deaf", place=str(place))
    wait_until(lambda: place.exists() and place.read_text())
    pid = int(place.read_text())
    call.cancel()
    assert call.wait(0)
    with refused(TreecoreError, "Cancelled."):
        call.result()
    wait_until(lambda: not is_alive(pid))
    wait_until(lambda: processes.n_running() == 0)
    assert not call.folder.exists()


def test_so_many_run_at_once_and_one_owner_has_one(processes):
    slow = [start(processes, "count", owner="a", total=4) for _ in range(2)]
    quick = start(processes, "add", owner="b", a=1, b=1)
    assert [call.state for call in slow] == [limited_process.RUNNING, limited_process.WAITING]
    assert quick.wait(60)
    assert not slow[0].wait(0)
    slow[1].cancel()  # before the call has started
    assert slow[0].wait(60)
    assert slow[0].result() == 4


def test_forged_owners_of_one_network_leave_a_process_to_others(tmp_path):
    made = LimitedProcesses([MODULE], at_once=3, of_one=2)
    slow = [
        start(made, "sleep_deaf", owner=f"forged {k % 4}", address="192.0.2.1", place=str(tmp_path / "pid"))
        for k in range(8)
    ]
    honest = start(made, "add", owner="honest", address="192.0.2.2", a=1, b=1)
    assert [call.state for call in slow].count(limited_process.RUNNING) == 2
    assert honest.state == limited_process.RUNNING
    assert honest.wait(60)
    # the next free process is for the address with the fewest calls, not for the call that has waited longest
    late = [start(made, "sleep_deaf", owner=one, address=one, place=str(tmp_path / "pid")) for one in "ab"]
    assert late[0].state == limited_process.RUNNING
    slow[0].cancel()
    wait_until(lambda: late[1].state == limited_process.RUNNING)
    assert [call.state for call in slow].count(limited_process.RUNNING) == 1
    made.stop()


@pytest.mark.nightly
def test_calls_are_shared_out_by_address_then_owner_then_time():
    draw = random.Random(0)
    for _ in range(budget(200, 20_000)):
        at_once, of_one, of_address = draw.randrange(1, 6), draw.randrange(1, 4), draw.randrange(1, 6)
        made = LimitedProcesses.__new__(LimitedProcesses)
        made._at_once, made._of_one, made._of_address, made._calls = at_once, of_one, of_address, {}
        for k in range(draw.randrange(1, 20)):
            message = {"begin": str(k), "folder": "", "seconds": 1.0, "megabytes": 1}
            owner, address = draw.choice("abcd"), draw.choice(["x", "y", None])
            made._calls[str(k)] = limited_process.LimitedCall(made, message, owner, address)
        while (call := made._next()) is not None:
            call._begin()
            running = [one for one in made._calls.values() if one.state == limited_process.RUNNING]
            assert len(running) <= at_once
            assert sum(one.owner == call.owner for one in running) <= of_one
            n_of_address = sum(one.address == call.address for one in running)
            assert call.address is None or n_of_address <= of_address
            earlier = [one for one in made._calls.values() if one.state == limited_process.WAITING]
            for one in earlier[: sum(int(one.id) < int(call.id) for one in earlier)]:
                # a call that waits longer has a reason: its owner or its address has more
                n_owner = sum(other.owner == one.owner for other in running if other is not call)
                n_address = sum(other.address == one.address is not None for other in running if other is not call)
                own = sum(other.owner == call.owner for other in running) - 1, n_of_address - 1
                assert (
                    n_owner >= of_one
                    or n_address >= of_address
                    or (n_address, n_owner) > ((own[1] if call.address is not None else 0), own[0])
                )


def test_a_host_that_cannot_start_is_reported_in_words(tmp_path, monkeypatch, caplog):
    def refuse(*arguments, **named):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(limited_process.subprocess, "Popen", refuse)
        made = LimitedProcesses([MODULE])
        call = start(made, "add", a=1, b=1)
        assert call.wait(0)
        with refused(TreecoreError, "The task could not start"):
            call.result()
        assert not call.folder.exists()
    assert "Too many open files" in caplog.text
    again = start(made, "add", a=1, b=1)
    assert again.wait(60)
    assert again.result()["sum"] == 2
    made.stop()


def test_the_number_of_open_files_does_not_matter():
    """`select` supports numbers below 1,024 only."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("The system permits too few open files")
    code = (
        "import os, resource; from pages.jobs.limited_process import LimitedProcesses, Limits\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (2048, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))\n"
        "files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]\n"
        f"made = LimitedProcesses(['{MODULE}'])\n"
        f"call = made.start('{MODULE}.add', {{'a': 1, 'b': 1}}, Limits(60.0, 500))\n"
        "print(call.wait(60) and call.result()['sum']); made.stop()"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=job_files.ROOT, capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("2\n", "")


def test_work_without_viewers_ends(processes, tmp_path, monkeypatch):
    monkeypatch.setattr(limited_process, "PATIENCE", 0.5)
    call = start(processes, "sleep_deaf", place=str(tmp_path / "pid"))
    wait_until(lambda: call.is_abandoned)
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())))


def test_when_the_host_dies_its_calls_end_and_the_next_one_has_another(processes, tmp_path):
    call = start(processes, "sleep_deaf", place=str(tmp_path / "pid"))
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    pid = int((tmp_path / "pid").read_text())
    os.kill(processes.host.pid, signal.SIGKILL)
    assert call.wait(5)
    with pytest.raises(TreecoreError):
        call.result()
    wait_until(lambda: not is_alive(pid))
    again = start(processes, "add", a=1, b=1)
    assert again.wait(20)
    assert again.result()["sum"] == 2


PARENT = f"""
import signal, sys, time
from pages.jobs.limited_process import LimitedProcesses, Limits
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it is ignored, as in the background of a shell
made = LimitedProcesses(["{MODULE}"])
call = made.start("{MODULE}.sleep_deaf", {{"place": sys.argv[1]}}, Limits(300.0, 500))
print(made.host.pid, call.folder, flush=True)
while True:
    call.wait(1.0)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_the_app(tmp_path, how):
    app = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "pid")], cwd=job_files.ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    host, folder = app.stdout.readline().split()
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    pids = [int(host), int((tmp_path / "pid").read_text())]
    assert all(map(is_alive, pids))
    app.send_signal(how)
    app.communicate(timeout=60)
    wait_until(lambda: not any(map(is_alive, pids)))
    wait_until(lambda: not Path(folder).exists())


def test_many_at_once_from_many_threads(processes):
    found = []

    def one(k):
        call = start(processes, "add", owner=str(k % 5), a=k, b=0)
        found.append(call.wait(30) and call.result()["sum"])

    threads = [threading.Thread(target=one, args=(k,)) for k in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found) == list(range(40))
