"""Test work that another thread ends, and time limits outside the main thread."""

import subprocess
import sys
import threading
import time
import types
from functools import partial
from pathlib import Path

import pytest

from treecore.comparison.evaluation import within_time_limit
from treecore.interruption import Interruption

ROOT = Path(__file__).resolve().parents[2]


def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(100))
    return "done"


def in_a_thread(work):
    """Return the result or the error of `work()` in a separate thread."""
    found = []

    def run():
        try:
            found.append(work())
        except BaseException as error:  # the test asserts on every kind of error
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    return found[0]


def test_work_in_another_thread_ends_within_its_limit():
    error = in_a_thread(lambda: within_time_limit(0.1, lambda: busy(20)))
    assert isinstance(error, TimeoutError)
    assert "0.1 s" in str(error)
    assert in_a_thread(lambda: within_time_limit(5, lambda: busy(0.01))) == "done"


def test_work_that_catches_everything_is_struck_again():
    def stubborn():
        try:
            return busy(10)
        except BaseException:
            return busy(10)

    assert isinstance(in_a_thread(lambda: within_time_limit(0.1, stubborn)), TimeoutError)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_work_is_struck_again_until_it_ends_and_never_where_a_lock_would_stay_taken():
    lock = threading.Lock()

    class Silent:
        def __del__(self):  # Python swallows errors raised here
            busy(0.002)

    def compile_something():
        lock.acquire()
        for _ in range(200):
            sum(range(500))
        lock.release()

    there = globals() | {"__name__": "numba.core.compiler_lock"}
    fragile = types.FunctionType(compile_something.__code__, there, "", (), compile_something.__closure__)

    def work():
        while True:
            fragile()
            Silent()
            busy(0.004)

    for _ in range(6):
        interruption = Interruption()
        threading.Timer(0.02, interruption.strike).start()
        assert isinstance(in_a_thread(partial(interruption.run, work)), InterruptedError)
        assert lock.acquire(timeout=1)
        lock.release()


def test_a_thread_that_starts_another_is_not_struck_meanwhile():
    """A new thread first has the number of the thread that starts it, and would be interrupted instead."""
    told = []

    class Late(threading.Event):
        def wait(self, timeout=None):
            busy(0.2)
            told.append("it runs")
            return super().wait(timeout)

    def work():
        begun = threading.Thread(target=int)
        begun._started = Late()  # `start` waits for this event
        begun.start()
        busy(10)

    interruption = Interruption()
    threading.Timer(0.05, interruption.strike).start()
    assert isinstance(in_a_thread(partial(interruption.run, work)), InterruptedError)
    assert told == ["it runs"]


def test_a_late_interruption_strikes_no_other_work():
    for seconds in [k * 2e-4 for k in range(40)]:
        outcome = in_a_thread(lambda seconds=seconds: (_result(seconds), busy(0.02)))
        assert outcome[0] in ("done", "late")
        assert outcome[1] == "done"


def _result(seconds):
    try:
        return within_time_limit(0.004, lambda: busy(seconds))
    except TimeoutError:
        return "late"


def test_a_limit_within_a_limit_and_an_end_from_outside():
    outer = Interruption()

    def work():
        return within_time_limit(5, lambda: busy(10))

    threading.Timer(0.1, outer.strike).start()
    assert isinstance(in_a_thread(lambda: outer.run(work)), InterruptedError)
    with pytest.raises(InterruptedError, match="before"):
        outer.run(lambda: pytest.fail("it runs"))


def test_an_error_of_the_work_is_the_works_own():
    def fails():
        raise InterruptedError("mine")

    error = in_a_thread(lambda: within_time_limit(5, fails))
    assert isinstance(error, InterruptedError)
    assert str(error) == "mine"


def test_a_thread_that_has_left_the_work_is_struck_no_more():
    left = Interruption()
    left._thread = threading.get_ident()  # as if an exception had interrupted its end
    left.strike()
    deadline = time.monotonic() + 10
    while any(thread.name == "interruption" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        busy(0.01)


def test_afterwards_the_interpreter_looks_for_no_strike():
    """Otherwise, Python 3.11 would check repeatedly, and hang with a debugger or a coverage tool."""
    code = (
        "import sys; from treecore.interruption import Interruption\n"
        "Interruption().run(int); sys.settrace(lambda *news: None); (lambda: 1)(); print('through')"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.stdout == "through\n"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_generators_may_yield_while_their_frames_are_read():
    def nested(n):  # the frame of a generator that has yielded has no caller
        yield from nested(n - 1) if n else range(3)

    def work():
        while True:
            for _ in range(3):
                list(nested(40))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(300):  # an error in the thread that strikes is a warning, which fails the test
            assert isinstance(in_a_thread(lambda: within_time_limit(0.002, work)), TimeoutError)
    finally:
        sys.setswitchinterval(interval)
