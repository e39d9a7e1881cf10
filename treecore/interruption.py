"""`Interruption`: work of one thread that another thread may end."""

import ctypes
import threading
from collections.abc import Callable
from typing import Any

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class Interruption:
    """Work that `strike` ends from any other thread, at the next instruction of Python that it comes to.

    Compiled code and calls of the operating system end first. `is_struck` says whether it was asked to end.
    """

    def __init__(self) -> None:
        # of this work alone, and no Exception: no handler between the work and its end takes it for an error of its own
        self._kind = type("_Interrupted", (BaseException,), {})
        self._lock = threading.Lock()
        self._thread = None
        self.is_struck = False

    def run(self, work: Callable[[], Any]) -> Any:
        """Return ``work()``. Raises InterruptedError when it was struck, before or meanwhile."""
        try:
            try:
                with self._lock:
                    if self.is_struck:
                        raise InterruptedError("It was interrupted before it began.")
                    self._thread = threading.get_ident()
                return work()
            finally:
                self._end()
        except self._kind:
            self._end()
            raise InterruptedError("It was interrupted.") from None

    def strike(self) -> None:
        """End the work. Work that has caught the first may be struck again."""
        with self._lock:
            self.is_struck = True
            if self._thread is not None:
                _raise_in(self._thread, ctypes.py_object(self._kind))

    def _end(self):
        with self._lock:
            if self._thread is not None:
                self._thread = None
                _raise_in(threading.get_ident(), ctypes.py_object())  # one on its way must not strike what follows
