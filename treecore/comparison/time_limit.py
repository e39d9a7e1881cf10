"""A limit on the time of a piece of work."""

import signal
import threading
from typing import Any


class _Interrupted(BaseException):
    """Not an Exception, so that no handler between the work and its limit takes it for an error of its own."""


def within_time_limit(seconds: Any, work: Any) -> Any:
    """Return ``work()``; raise TimeoutError when it takes longer than `seconds` (None: no limit).

    The alarm is the operating system's, and reaches Python code in the main thread of a process only; elsewhere
    (another thread, or Windows) there is no limit.
    """
    can_be_interrupted = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not can_be_interrupted:
        return work()
    working = True

    def interrupt(signum, frame):
        if working:  # an alarm that comes when all is done must not strike what follows
            raise _Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        # a second alarm is for work that has caught the first
        signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
        result = work()
        working = False
        return result
    except _Interrupted:
        working = False
        raise TimeoutError(f"It took longer than its limit of {seconds:g} s.") from None
    finally:
        working = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
