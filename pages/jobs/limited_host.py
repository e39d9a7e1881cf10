"""Serve the calls of `limited_process`: import their modules once, and fork for each call.

python -m pages.jobs.limited_host MODULE ...

Standard input has one JSON object per line: {"begin": id, "folder", "function", "arguments", "seconds", "megabytes"} or
{"end": id}. Standard output has {"ready": true}, {"id", "began": true} and {"id", "ended", "seconds"}, where "ended" is
"done", "overdue" or "crashed". The host writes `progress.json` and `result.json` to the folder of a call. All calls end
when the input ends.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import selectors
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from treecore.errors import TreecoreError

PROGRESS, RESULT = "progress.json", "result.json"
DONE, OVERDUE, CRASHED = "done", "overdue", "crashed"
_LARGEST_FILE = 8_000_000_000
_NICE = 5
_PARENT_DIED = 1  # PR_SET_PDEATHSIG of prctl(2)


def main(modules: Sequence[str]) -> None:
    """Serve calls until the input ends; `modules` are imported before the first call."""
    for name in modules:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    _Host().serve()


class _Host:
    def __init__(self) -> None:
        self.parent, self.text = os.getppid(), b""
        self.calls: dict[str, dict[str, Any]] = {}
        self.selector = selectors.DefaultSelector()
        self.selector.register(0, selectors.EVENT_READ)
        wakes, self.wake = os.pipe()
        os.set_blocking(wakes, False)
        os.set_blocking(self.wake, False)
        self.selector.register(wakes, selectors.EVENT_READ)
        signal.set_wakeup_fd(self.wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def serve(self) -> None:
        try:
            _send({"ready": True})
            while os.getppid() == self.parent and self._look():
                pass
        finally:
            for call in self.calls.values():
                os.kill(call["pid"], signal.SIGKILL)
                shutil.rmtree(call["folder"], ignore_errors=True)

    def _look(self) -> bool:
        """Wait for an event and handle it. Return False at the end of the input."""
        soonest = min((call["until"] for call in self.calls.values()), default=time.monotonic() + 1.0)
        for key, _ in self.selector.select(min(max(soonest - time.monotonic(), 0.0), 1.0)):
            data = os.read(key.fd, 1 << 16)
            if key.fd == 0:
                if not data:
                    return False
                *lines, self.text = (self.text + data).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))
        for call in self.calls.values():
            if time.monotonic() > call["until"]:
                call["how"], call["until"] = OVERDUE, float("inf")
                os.kill(call["pid"], signal.SIGKILL)
        for name, call in list(self.calls.items()):
            pid, status = os.waitpid(call["pid"], os.WNOHANG)
            if pid:
                del self.calls[name]
                how = DONE if status == 0 else call.get("how", CRASHED)
                _send({"id": name, "ended": how, "seconds": time.monotonic() - call["began"]})
        return True

    def _take(self, message: dict[str, Any]) -> None:
        if "end" in message:
            if message["end"] in self.calls:
                os.kill(self.calls[message["end"]]["pid"], signal.SIGKILL)
            return
        _send({"id": message["begin"], "began": True})
        host = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                _limit(host, message["seconds"], message["megabytes"])
                _call(message, Path(message["folder"]))
            finally:
                os._exit(1)
        now = time.monotonic()
        self.calls[message["begin"]] = {
            "pid": pid, "folder": message["folder"], "began": now, "until": now + message["seconds"],
        }  # fmt: skip


def _send(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def _limit(host: int, seconds: float, megabytes: int) -> None:
    """Separate the new process from the app, limit its resources, and make it end when the host ends."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)
        if os.getppid() != host:
            os._exit(1)
    os.umask(0o077)
    os.nice(_NICE)
    for kind, most in (
        (resource.RLIMIT_DATA, _private_bytes() + megabytes * 1_000_000),
        (resource.RLIMIT_CPU, int(seconds) * (os.cpu_count() or 1) + 10),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):  # the system has a lower limit
            resource.setrlimit(kind, (most, most))


def _private_bytes() -> int:
    """Return the bytes of this process that count towards RLIMIT_DATA."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData"):
                return int(line.split()[1]) * 1024
    return 0


def _call(message: dict[str, Any], folder: Path) -> None:
    """Call the function, write its value or the reason for its failure, and end the process."""
    module, _, name = message["function"].rpartition(".")
    with _Answer(folder / RESULT) as answer:
        function = getattr(importlib.import_module(module), name)
        try:
            answer.write({"value": function(_Report(folder), **message["arguments"])})
        except TreecoreError as fault:
            answer.write({"memory" if isinstance(fault.__cause__, MemoryError) else "fault": str(fault)})
        except MemoryError:
            answer.write({"memory": ""})


class _Answer:
    """Write the answer of a call and end its process.

    An unexpected error is reported by its type only, because its text may quote the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, answer: dict[str, Any]) -> None:
        _write(self.path, json.dumps(answer, default=lambda value: value.item()))  # converts numpy numbers
        os._exit(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.write({"unexpected": kind.__name__})


class _Report:
    """Progress callback for a function. The function may call it any number of times, with done, total and words."""

    def __init__(self, folder: Path) -> None:
        self.path, self.next = folder / PROGRESS, 0.0

    def __call__(self, done: float, total: float, words: str = "") -> None:
        if time.monotonic() > self.next:
            _write(self.path, json.dumps({"done": done, "total": total, "words": words}))
            self.next = time.monotonic() + 0.1


def _write(path: Path, text: str) -> None:
    draft = path.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


if __name__ == "__main__":
    main(sys.argv[1:])
