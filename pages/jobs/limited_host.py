"""Serve the calls of `limited_process`: import their modules once, and fork for each call.

python -m pages.jobs.limited_host MODULE ...

Standard input has one JSON object per line: {"begin": id, "folder", "function", "arguments", "seconds", "megabytes"} or
{"end": id}. Standard output has {"ready": true}, {"id", "began": true} and {"id", "ended", "seconds"}, where "ended" is
"done", "overdue" or "crashed". The host writes `progress.json` and `result.json` to the folder of a call. All calls end
when the input ends.

Linux forks the host and limits memory exactly. On other systems, each call is a new Python process, and the host checks
its memory every `WATCH` seconds.
"""

import contextlib
import ctypes
import gc
import importlib
import importlib.util
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pages.jobs import processes
from pages.serving import private_files
from treecore.errors import TreecoreError

PROGRESS, RESULT = "progress.json", "result.json"
DONE, OVERDUE, CRASHED = "done", "overdue", "crashed"
WATCH = 0.1  # seconds between two checks of the memory of a call, if the system does not limit it
_ONE_CALL = "--one-call"
_LARGEST_FILE = 8_000_000_000
_NICE = 5
_PARENT_DIED = 1  # PR_SET_PDEATHSIG of prctl(2)


def main(modules: Sequence[str]) -> None:
    """Serve calls until the input ends; `modules` are imported before the first call."""
    if is_forking():
        _import(modules)
        gc.collect()
        gc.freeze()
        _ForkingHost().serve()
    else:
        _SpawningHost(modules).serve()


def is_forking() -> bool:
    """Return whether the system forks processes safely and limits their memory."""
    return sys.platform == "linux" and hasattr(os, "fork") and importlib.util.find_spec("resource") is not None


def _import(modules: Sequence[str]) -> None:
    for name in modules:
        importlib.import_module(name)


class _ForkingHost:
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


class _SpawningHost:
    def __init__(self, modules: Sequence[str]) -> None:
        self.modules = tuple(modules)
        self.lock = threading.Lock()
        self.calls: dict[str, tuple[subprocess.Popen[bytes], str]] = {}
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def serve(self) -> None:
        try:
            _send({"ready": True})
            for line in sys.stdin.buffer:
                message = json.loads(line)
                if "end" in message:
                    self._kill(message["end"])
                else:
                    self._begin(message)
        finally:
            for name, (_, folder) in list(self.calls.items()):
                self._kill(name)
                shutil.rmtree(folder, ignore_errors=True)

    def _kill(self, name: str) -> None:
        with self.lock:
            if name in self.calls:
                self.calls[name][0].kill()

    def _begin(self, message: dict[str, Any]) -> None:
        name = message["begin"]
        _send({"id": name, "began": True})
        began = time.monotonic()
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "pages.jobs.limited_host", _ONE_CALL, *self.modules],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            with self.lock:
                self.calls[name] = process, message["folder"]
            process.stdin.write(json.dumps(message).encode() + b"\n")  # stays open: its end ends the call
            process.stdin.flush()
        except OSError:  # too many processes, or the process has ended at once
            _send({"id": name, "ended": CRASHED, "seconds": time.monotonic() - began})
            return
        threading.Thread(target=self._watch, args=(process, message, began), daemon=True).start()

    def _watch(self, process: subprocess.Popen[bytes], message: dict[str, Any], began: float) -> None:
        """Wait for the end of a call, and end it at its limits."""
        how = CRASHED
        process.stdout.read(1)  # the modules are imported
        most = _private_bytes(process.pid) + message["megabytes"] * 1_000_000
        while process.poll() is None:
            if time.monotonic() - began > message["seconds"]:
                how = OVERDUE
                process.kill()
            elif _private_bytes(process.pid) > most:
                process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(WATCH)
        with self.lock:
            del self.calls[message["begin"]]
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        how = DONE if process.returncode == 0 else how
        _send({"id": message["begin"], "ended": how, "seconds": time.monotonic() - began})


def _one_call(modules: Sequence[str]) -> None:
    """Read one call from standard input and run it. The process ends when its input ends."""
    message = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_the_host, daemon=True).start()
    processes.give_way(_NICE)
    _import(modules)
    os.write(1, b".")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # the host does not read further output
    _call(message, Path(message["folder"]))


def _end_with_the_host() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _send(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def _limit(host: int, seconds: float, megabytes: int) -> None:
    """Separate the new process from the app, limit its resources, and make it end when the host ends."""
    import resource  # missing on Windows

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
    processes.give_way(_NICE)
    for kind, most in (
        (resource.RLIMIT_DATA, _counted_bytes() + megabytes * 1_000_000),
        (resource.RLIMIT_CPU, int(seconds) * (os.cpu_count() or 1) + 10),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):  # the system has a lower limit
            resource.setrlimit(kind, (most, most))


def _counted_bytes() -> int:
    """Return the bytes of this process that count towards RLIMIT_DATA."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmData"):
                return int(line.split()[1]) * 1024
    return 0


def _private_bytes(pid: int) -> int:
    """Return the bytes of memory of a process that it does not share, if the system reports them."""
    import psutil  # slow import

    with contextlib.suppress(psutil.Error):
        memory = psutil.Process(pid).memory_info()
        return getattr(memory, "private", memory.rss)  # Windows reports private bytes
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
    private_files.replace(draft, path)


if __name__ == "__main__":
    if sys.argv[1:2] == [_ONE_CALL]:
        _one_call(sys.argv[2:])
    else:
        main(sys.argv[1:])
