import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pages.serving.daemon_pool import DaemonPool

ROOT = Path(__file__).resolve().parents[3]


def test_calls_run_in_order_and_give_their_values_and_errors():
    pool = DaemonPool(1, "test")
    found = []
    futures = [pool.submit(found.append, k) for k in range(20)]
    assert pool.submit(int, "12", base=8).result() == 10
    assert found == [*range(20)]
    assert all(one.done() for one in futures)
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda: 1 / 0).result()
    assert pool.submit(int, "3").result() == 3  # the thread is still there
    pool.shutdown()


def test_a_closed_pool_cancels_what_waits_and_ends_its_threads():
    pool, goes_on, before = DaemonPool(2, "closing"), threading.Event(), threading.active_count()
    running = [pool.submit(goes_on.wait, 60) for _ in range(2)]
    waiting = [pool.submit(int) for _ in range(3)]
    while not all(one.running() for one in running):
        pass
    pool.shutdown()
    assert all(one.cancelled() for one in waiting)
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(int)
    threads = [one for one in threading.enumerate() if one.name.startswith("closing_")]
    goes_on.set()
    assert all(one.result() for one in running)
    for one in threads:
        one.join(60)
    assert threading.active_count() == before - 2


def test_a_process_does_not_wait_for_a_call():
    code = (
        "import atexit, sys, threading; from pages.serving.daemon_pool import DaemonPool\n"
        "never = threading.Event(); atexit.register(lambda: (sys.stdout.write('handlers ran'), sys.stdout.flush()))\n"
        "DaemonPool(1, 'test').submit(never.wait)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "handlers ran", "")
