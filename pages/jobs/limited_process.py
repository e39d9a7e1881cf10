"""Read uploaded files in separate processes, with limits on time and memory.

A file of a few kilobytes can need minutes and gigabytes. Reading it in the server would block every visitor, because of
Python's interpreter lock. Arguments and return values are JSON; functions write larger results to files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from pages.jobs import job_files, limited_host
from treecore.errors import TreecoreError

PATIENCE = 20.0  # seconds without a poll after which a call is ended
_ONE_THREAD = {
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # other allocators reserve unused memory, which counts towards the limit
}
WAITING, RUNNING, ENDED = "waiting", "running", "ended"
CANCELLED, ABANDONED, NOT_BEGUN = "cancelled", "abandoned", "not begun"
log = logging.getLogger(__name__)


class Limits(NamedTuple):
    """Limits on a call: seconds of wall time, and megabytes in addition to the memory at the start of its process."""

    seconds: float
    megabytes: int


class LimitReached(TreecoreError):
    """Raised if a call was ended because it reached a limit.

    kind : "seconds" or "megabytes".
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class LimitedCall:
    """One function call.

    state : "waiting", "running" or "ended".
    """

    def __init__(
        self, processes: LimitedProcesses, message: dict[str, Any], owner: str = "", address: str | None = None
    ) -> None:
        self.id, self.owner, self.address, self.state = message["begin"], owner, address, WAITING
        self.limits = Limits(message["seconds"], message["megabytes"])
        self._processes, self._message = processes, message
        self._ended = threading.Event()
        self._how: str | None = None
        self._answer: dict[str, Any] = {}
        self._began = self._seen = time.monotonic()

    def wait(self, seconds: float) -> bool:
        """Wait until the call ends, at most for `seconds`, and return whether it has ended.

        A call that is not polled for `PATIENCE` seconds is abandoned.
        """
        self._seen = time.monotonic()
        ended = self._ended.wait(seconds)
        self._seen = time.monotonic()
        return ended

    @property
    def is_abandoned(self) -> bool:
        """Test whether the call was ended because it was not polled."""
        return self._how == ABANDONED

    @property
    def seconds(self) -> float:
        """Return the number of seconds that the call has been running."""
        return time.monotonic() - self._began if self.state == RUNNING else 0.0

    def progress(self) -> dict[str, Any] | None:
        """Return the last progress of the function, {"done", "total", "words"}, or None."""
        return job_files.read_json(self.folder / limited_host.PROGRESS)

    @property
    def folder(self) -> Path:
        return Path(self._message["folder"])

    def cancel(self) -> None:
        """End the call now. A later `result` raises an error."""
        self._processes.end(self)

    def result(self) -> Any:
        """Return the value of the function after the call has ended.

        Raises the TreecoreError of the function with its message, LimitReached, or a TreecoreError for a call that was
        cancelled or crashed.
        """
        answer = self._answer
        if "value" in answer:
            return answer["value"]
        if "fault" in answer:
            raise TreecoreError(answer["fault"])
        if self._how == NOT_BEGUN:
            raise TreecoreError(_call_not_begun("the server has too little memory or too many open files"))
        if self._how in (CANCELLED, ABANDONED):
            raise TreecoreError("Cancelled.")
        if self._how == limited_host.OVERDUE:
            raise LimitReached(f"took longer than {self.limits.seconds:g} s", "seconds")
        if "unexpected" in answer:
            raise TreecoreError(f"The task failed ({answer['unexpected']}).")
        # At the memory limit, a library may end the process instead of raising an error.
        raise LimitReached(f"needed more than {self.limits.megabytes:,} MB of memory", "megabytes")

    def _begin(self) -> dict[str, Any]:
        self.state, self._began = RUNNING, time.monotonic()
        return self._message

    def _end(self, how: str) -> None:
        if not self._ended.is_set():
            if how == limited_host.DONE:
                self._answer = job_files.read_json(self.folder / limited_host.RESULT) or {}
            self._how, self.state = how, ENDED
            self._ended.set()
        shutil.rmtree(self.folder, ignore_errors=True)  # deletes files that the call wrote after its cancellation


class LimitedProcesses:
    """Run several calls at once and queue the other calls. Thread-safe.

    The next call is that of the network address, then of the owner with the fewest running calls, then the one that has
    waited longest. Cookies can be forged and addresses cannot, so one address leaves a process to the others.

    modules : names of modules to import before the first call; at_once : maximum number of simultaneous calls; of_one :
    maximum number per owner; of_address : maximum number per network address, by default one less than `at_once`.
    """

    def __init__(
        self, modules: Sequence[str] = (), at_once: int = 4, of_one: int = 2, of_address: int | None = None
    ) -> None:
        self._modules, self._at_once, self._of_one = tuple(modules), at_once, of_one
        self._of_address = max(1, at_once - 1) if of_address is None else of_address
        self._lock = threading.Lock()
        self._calls: dict[str, LimitedCall] = {}
        self._stopping = self._is_announced = False
        self.host: subprocess.Popen[bytes] | None = None
        with self._lock:
            self._begin_next()

    def start(
        self, function: str, arguments: dict[str, Any], limits: Limits, owner: str = "", address: str | None = None
    ) -> LimitedCall:
        """Start a function by its dotted name and return its `LimitedCall`.

        The function receives a progress callback (done, total, words) and the `arguments` (JSON values) by name.
        address : network address of the owner, None if unknown. Raises TreecoreError if no file can be written.
        """
        try:
            folder = tempfile.mkdtemp(prefix="tao-call-")
        except OSError as fault:
            raise TreecoreError(_call_not_begun(fault.strerror)) from fault
        message = {
            "begin": uuid.uuid4().hex, "folder": folder, "function": function, "arguments": arguments,
            "seconds": limits.seconds, "megabytes": limits.megabytes,
        }  # fmt: skip
        call = LimitedCall(self, message, owner, address)
        with self._lock:
            self._calls[call.id] = call
            self._begin_next()
        return call

    def end(self, call: LimitedCall, how: str = CANCELLED) -> None:
        """End a waiting or running call."""
        with self._lock:
            was = call.state
            call._end(how)
            if was == RUNNING:
                self._send({"end": call.id})  # the call counts as running until its process has ended
            else:
                self._calls.pop(call.id, None)

    def n_running(self) -> int:
        """Return the number of running processes."""
        with self._lock:
            return sum(call.state != WAITING for call in self._calls.values())

    def stop(self) -> None:
        """End all calls and the host process."""
        with self._lock:
            self._stopping = True
            host = self.host
        if host is not None:
            host.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                host.wait(5)
            host.kill()

    def _start_host(self) -> None:
        self.host = subprocess.Popen(
            [sys.executable, "-m", "pages.jobs.limited_host", *self._modules],
            cwd=job_files.ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            env=os.environ | _ONE_THREAD,
        )
        if not limited_host.is_forking() and not self._is_announced:
            self._is_announced = True
            log.warning(
                "This system does not limit the memory of a process: tasks are ended if a check finds too much."
            )
        threading.Thread(target=self._listen, args=(self.host,), name="limited calls", daemon=True).start()

    def _send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError, ValueError):  # if the host has died, `_listen` handles it
            cast("subprocess.Popen[bytes]", self.host).stdin.write(json.dumps(message).encode() + b"\n")

    def _begin_next(self) -> None:
        """Start calls while the limits allow it. The caller must hold the lock."""
        if (self.host is None or self.host.poll() is not None) and not self._stopping:
            try:
                self._start_host()
            except OSError as fault:  # too many files or processes, or too little memory
                log.warning("The process that reads files cannot start: %s", fault)
                for call in list(self._calls.values()):
                    self._calls.pop(call.id)._end(NOT_BEGUN)
                return
        while (call := self._next()) is not None:
            self._send(call._begin())

    def _next(self) -> LimitedCall | None:
        """Return the call that starts next, or None."""
        running = [call for call in self._calls.values() if call.state != WAITING]
        owners = Counter(call.owner for call in running)
        addresses: Counter[str | None] = Counter(call.address for call in running if call.address is not None)
        waiting = [
            call
            for call in self._calls.values()
            if call.state == WAITING
            and owners[call.owner] < self._of_one
            and addresses[call.address] < self._of_address
        ]
        if len(running) >= self._at_once or not waiting:
            return None
        return min(waiting, key=lambda call: (addresses[call.address], owners[call.owner]))

    def _listen(self, host: subprocess.Popen[bytes]) -> None:
        """Handle the messages of a host until the host ends."""
        text, over = b"", threading.Event()
        threading.Thread(target=self._abandon, args=(over,), name="abandoned calls", daemon=True).start()
        while data := os.read(host.stdout.fileno(), 1 << 16):
            *lines, text = (text + data).split(b"\n")
            with self._lock:
                for message in map(json.loads, lines):
                    if "ended" in message and message["id"] in self._calls:
                        self._calls.pop(message["id"])._end(message["ended"])
                self._begin_next()
        over.set()
        host.wait()
        host.stdout.close()
        with contextlib.suppress(OSError):
            host.stdin.close()
        with self._lock:
            for call in [call for call in self._calls.values() if call.state != WAITING]:
                self._calls.pop(call.id)._end(limited_host.CRASHED)
            if not self._stopping and self._calls:
                self._begin_next()

    def _abandon(self, over: threading.Event) -> None:
        """End calls that are not polled, until the host ends."""
        while not over.wait(1.0):
            for call in list(self._calls.values()):
                if call.state != ENDED and time.monotonic() - call._seen > PATIENCE:
                    self.end(call, ABANDONED)


def _call_not_begun(why: object) -> str:
    return f"The task could not start: {why}. Try again later."
