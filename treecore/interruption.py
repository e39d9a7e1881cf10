"""`Interruption`: work of one thread that another thread may end."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

AGAIN = 0.25  # seconds to the next strike: the work may have caught one, or been in a callback that raises nothing
LOOK = 0.005  # seconds between two looks whether the work is where it can be ended
# an exception anywhere below these leaves a module half imported, or a message half sent
FRAGILE = {
    "asyncio",
    "distributed",
    "importlib",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "logging",
    "tornado",
}
# and one in these themselves a lock taken for ever
LOCKS = {"concurrent.futures", "contextlib", "numba.core.compiler_lock", "threading", "weakref", "_weakrefset"}

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class Interruption:
    """Work that `strike` ends from any other thread, at the next instruction of Python where that harms nothing.

    Compiled code and calls of the operating system end first. `is_struck` says whether it was asked to end.
    """

    def __init__(self) -> None:
        # of this work alone, and no Exception: no handler between the work and its end takes it for an error of its own
        self._kind = type("_Interrupted", (BaseException,), {})
        self._lock = threading.Lock()
        self._thread: int | None = None
        self.is_struck = False

    def run(self, work: Callable[[], Any]) -> Any:
        """Return ``work()``. Raises InterruptedError when it was struck, before or meanwhile."""
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
        """End the work, as often as that takes; returns at once."""
        with self._lock:
            if not self.is_struck and self._thread is not None:
                threading.Thread(target=self._strike, name="interruption", daemon=True).start()
            self.is_struck = True

    def _strike(self):
        is_struck = True
        while is_struck is not None:
            time.sleep(AGAIN if (is_struck := self._strike_once()) else LOOK)

    def _strike_once(self):
        """Whether it was where it can be struck; None once it has ended."""
        with self._lock:
            if self._thread is None:
                return None
            # the one way to see where another thread is
            is_struck = _may_be_struck(sys._current_frames().get(self._thread))
            if is_struck:
                _raise_in(self._thread, ctypes.py_object(self._kind))
            return is_struck

    def _end(self):
        """From here on nothing strikes; a strike that is on its way arrives, so that it does not strike what follows.

        Taken back it would leave the interpreter looking for it at every call, for ever.
        """
        try:
            with self._lock:
                self._thread = None
            for _ in range(2):  # a jump back, where it arrives
                pass
        except self._kind:
            self._end()


def _may_be_struck(frame):
    """Whether work that is at a frame may be ended there; None where the thread is in no such work any more."""
    work = frame
    while work is not None and work.f_code is not Interruption.run.__code__:
        if work.f_code is threading.Thread.start.__code__:  # the new one has its number until it runs
            return False
        work = work.f_back
    if work is None:  # another exception has kept it from saying so
        return None
    if frame.f_code is threading.Condition.wait.__code__:  # which cleans up after itself
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
