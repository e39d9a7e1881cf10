"""`Interruption`: a task that another thread can stop."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

AGAIN = 0.25  # seconds until the next strike, in case the task caught the last one or a callback ignored it
LOOK = 0.005  # seconds between two checks whether the task can be stopped now
LOST = 200  # checks in a row that do not find the task in its thread, after which another exception has ended it
# modules below which no exception is raised, because it would leave an incomplete import or message
FRAGILE = {
    "asyncio",
    "distributed",
    "importlib",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "logging",
    "tornado",
}
# modules in which no exception is raised, because it would leave a lock acquired forever
LOCKS = {"concurrent.futures", "contextlib", "numba.core.compiler_lock", "threading", "weakref", "_weakrefset"}

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class Interruption:
    """Task that `strike` stops from another thread, at the next Python instruction that is safe.

    Compiled code and calls of the operating system finish first. is_struck : whether a stop was requested.
    """

    def __init__(self) -> None:
        # A BaseException class of this task only, so that handlers in the task do not catch the exception.
        self._kind = type("_Interrupted", (BaseException,), {})
        self._lock = threading.Lock()
        self._thread: int | None = None
        self.is_struck = False

    def run(self, work: Callable[[], Any]) -> Any:
        """Return ``work()``. Raise InterruptedError if the task is stopped before or during the call."""
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
        """Request a stop and return immediately. Attempts are repeated until the task ends."""
        with self._lock:
            if not self.is_struck and self._thread is not None:
                threading.Thread(target=self._strike, name="interruption", daemon=True).start()
            self.is_struck = True

    def _strike(self):
        n_lost = 0
        while n_lost < LOST:
            with self._lock:
                if self._thread is None:
                    return
                # No public function returns the current frame of another thread.
                is_safe = _may_be_struck(sys._current_frames().get(self._thread))
                n_lost = n_lost + 1 if is_safe is None else 0
                if is_safe:
                    _raise_in(self._thread, ctypes.py_object(self._kind))
            time.sleep(AGAIN if is_safe else LOOK)

    def _end(self):
        """Disable further stops and receive a pending one here, so that it does not stop other code.

        If it were cancelled instead, the interpreter would check for it at every call, forever.
        """
        try:
            with self._lock:
                self._thread = None
            for _ in range(2):  # Python raises a pending exception at a backward jump
                pass
        except self._kind:
            self._end()


def _may_be_struck(frame):
    """Return whether a task at this frame may be stopped, or None if the frame does not belong to the task.

    The thread runs on meanwhile. A frame that has returned has no caller any more, so None can also mean that.
    """
    frames = []
    while frame is not None and frame.f_code is not Interruption.run.__code__:
        frames.append(frame)
        frame = frame.f_back
    if frame is None:
        return None
    if any(one.f_code is threading.Thread.start.__code__ for one in frames):
        return False  # a new thread has this thread's number until it runs
    if not frames:
        return True
    if frames[0].f_code is threading.Condition.wait.__code__:  # `wait` releases its lock even after an exception
        return True
    if _module(frames[0]).startswith(tuple(LOCKS)):
        return False
    return not any(_module(one).partition(".")[0] in FRAGILE for one in frames)


def _module(frame):
    return frame.f_globals.get("__name__") or ""
