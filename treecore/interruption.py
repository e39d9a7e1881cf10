"""`Interruption`: a task of one thread that another thread can stop."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

AGAIN = 0.25  # seconds to the next strike, in case the task caught one or was in a callback that ignores errors
LOOK = 0.005  # seconds between two checks whether the task can be stopped
# an exception anywhere below these leaves a partly imported module, or a partly sent message
FRAGILE = {
    "asyncio",
    "distributed",
    "importlib",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "logging",
    "tornado",
}
# and an exception in these themselves leaves a lock acquired forever
LOCKS = {"concurrent.futures", "contextlib", "numba.core.compiler_lock", "threading", "weakref", "_weakrefset"}

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class Interruption:
    """Task that `strike` stops from any other thread, at the next instruction of Python at which that does no harm.

    Compiled code and calls of the operating system end first. `is_struck` is whether a stop was requested.
    """

    def __init__(self) -> None:
        # private to this task, and no Exception, so that no handler of the task catches it
        self._kind = type("_Interrupted", (BaseException,), {})
        self._lock = threading.Lock()
        self._thread: int | None = None
        self.is_struck = False

    def run(self, work: Callable[[], Any]) -> Any:
        """Return ``work()``. Raise InterruptedError if it was stopped before or meanwhile."""
        try:
            try:
                with self._lock:
                    if self.is_struck:
                        raise InterruptedError("The task was interrupted before it started.")
                    self._thread = threading.get_ident()
                return work()
            finally:
                self._end()
        except self._kind:
            self._end()
            raise InterruptedError("The task was interrupted.") from None

    def strike(self) -> None:
        """Stop the task, with repeated attempts; return at once."""
        with self._lock:
            if not self.is_struck and self._thread is not None:
                threading.Thread(target=self._strike, name="interruption", daemon=True).start()
            self.is_struck = True

    def _strike(self):
        is_struck = True
        while is_struck is not None:
            time.sleep(AGAIN if (is_struck := self._strike_once()) else LOOK)

    def _strike_once(self):
        """Return whether it was at a point at which it can be stopped; None after its end."""
        with self._lock:
            if self._thread is None:
                return None
            # the only way to find the current frame of another thread
            is_struck = _may_be_struck(sys._current_frames().get(self._thread))
            if is_struck:
                _raise_in(self._thread, ctypes.py_object(self._kind))
            return is_struck

    def _end(self):
        """Disable further stops; a pending one arrives here, so that it does not stop other code.

        Cancelling it instead would leave the interpreter checking for it at every call, forever.
        """
        try:
            with self._lock:
                self._thread = None
            for _ in range(2):  # a backward jump, at which a pending exception is raised
                pass
        except self._kind:
            self._end()


def _may_be_struck(frame):
    """Return whether a task at this frame may be stopped; None if the thread no longer runs such a task."""
    work = frame
    while work is not None and work.f_code is not Interruption.run.__code__:
        if work.f_code is threading.Thread.start.__code__:  # the new thread has this number until it runs
            return False
        work = work.f_back
    if work is None:  # another exception prevented it from recording its end
        return None
    if frame.f_code is threading.Condition.wait.__code__:  # it releases its lock after an exception
        return True
    if _module(frame).startswith(tuple(LOCKS)):
        return False
    while frame is not work:
        if _module(frame).partition(".")[0] in FRAGILE:
            return False
        frame = frame.f_back
    return True


def _module(frame):
    return frame.f_globals.get("__name__") or ""
