"""Run calls in threads that the process does not wait for when it ends."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any


class DaemonPool(Executor):
    """Executor whose threads end with the process.

    A process waits for the calls of a `ThreadPoolExecutor` before it runs its exit handlers. A call that waits for
    another process, which only an exit handler ends, would then block both.
    """

    def __init__(self, n_threads: int, name: str) -> None:
        self._calls: SimpleQueue[tuple[Future, Callable[[], Any]] | None] = SimpleQueue()
        self._lock, self._is_closed, self._n_threads = threading.Lock(), False, n_threads
        for k in range(n_threads):
            threading.Thread(target=self._work, name=f"{name}_{k}", daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future:
        """Return the future of a call. Raises RuntimeError after `shutdown`."""
        future = Future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError("The pool is closed.")
            self._calls.put((future, lambda: function(*arguments, **named)))
        return future

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = True) -> None:
        """Cancel the waiting calls, and end each thread after its call. The parameters have no effect."""
        with self._lock:
            self._is_closed = True
            try:
                while waiting := self._calls.get_nowait():
                    waiting[0].cancel()
            except Empty:
                pass
            for _ in range(self._n_threads):
                self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            future, function = call
            if future.set_running_or_notify_cancel():
                with _ErrorsOf(future):
                    future.set_result(function())
            del call, future, function  # an idle thread must not keep the arguments of its last call


class _ErrorsOf:
    """Context that gives every error to a future, which raises it where its result is read."""

    def __init__(self, future: Future) -> None:
        self.future = future

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if fault is not None:
            self.future.set_exception(fault)
        return fault is not None
