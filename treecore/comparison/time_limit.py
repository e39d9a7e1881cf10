"""Time limits for tasks."""

import signal
import threading
from collections.abc import Callable
from typing import Any

from treecore.interruption import Interruption

AGAIN = 1.0  # seconds until the next alarm, in case the task caught the first one


class _Interrupted(BaseException):
    """Interruption at the time limit. It is a BaseException, so that handlers in the task do not catch it."""


def within_time_limit(seconds: float | None, work: Callable) -> Any:
    """Return ``work()``, or raise TimeoutError if it takes longer than `seconds` (None: no limit).

    In the main thread of a process, an alarm of the operating system also interrupts waiting calls. In other threads,
    such as Dask workers, the task ends at the next Python instruction.
    """
    if seconds is None:
        return work()
    try:
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            return _by_alarm(seconds, work)
        return _by_thread(seconds, work)
    except _Interrupted:
        raise TimeoutError(f"The method exceeded its time limit of {seconds:g} s.") from None


def _by_alarm(seconds, work):
    working = True

    def interrupt(signum, frame):
        if working:  # a late alarm must not interrupt other code
            raise _Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        result = work()
        working = False
        return result
    finally:
        working = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _by_thread(seconds, work):
    interruption = Interruption()
    timer = threading.Timer(seconds, interruption.strike)
    timer.daemon = True
    timer.start()
    try:
        return interruption.run(work)
    except InterruptedError:
        if not interruption.is_struck:  # raised by the task itself
            raise
        raise _Interrupted from None
    finally:
        timer.cancel()
