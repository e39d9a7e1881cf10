"""Run pieces of jobs on a Dask cluster, either a local one or one that is already running."""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import subprocess
import sys
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from pages.jobs import processes
from pages.serving.daemon_pool import DaemonPool
from pages.serving.keep_lines import keep_lines
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.parallel import resolve_jobs

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

ROOT = Path(__file__).resolve().parents[2]
LOOK, FIRST_LOOK = 1.0, 0.1  # seconds between two checks for workers, and between two checks before the first worker
QUIET = 3.5  # seconds after the start, during which only the first page or submitted work may run
DATA_SETS_KEPT = 3  # maximum number of data sets per worker
CONNECTING = 15.0  # seconds to wait for a connection, also if the app closes after a cluster has died
GATHERING = 20.0  # seconds to wait for a result from a worker
# Seconds after which a local cluster is started again: it has not started, it does not respond, or it has no worker.
# The last two are for a machine without other load. A cluster with fewer workers than it should have is started again
# when nothing has been trained for the last time.
STARTING, ANSWERING, WORKERLESS, SHORT_OF_WORKERS = 300.0, 10.0, 8.0, 60.0
UNSEEN = "127.0.0.1:0"  # address of the scheduler's dashboard, unless the administrator sets one
BUSIEST = 8.0  # largest result of `machine_load`
GONE = (OSError, TimeoutError, RuntimeError, ValueError, CancelledError)

FULL = (errno.EMFILE, errno.ENFILE)  # too many open files, for which the cluster is not to blame
DataKey = tuple[str, str]  # name and fingerprint

log = logging.getLogger(__name__)


class _Broken(RuntimeError):
    """Raised if a local cluster must be started again although its process is there."""


@dataclass(frozen=True)
class Outcome:
    """The end of a piece: an `answer` from `TrainingWorker.train`, a `lost` worker or an `error`.

    fatal : whether the piece itself may have killed its worker.
    """

    answer: dict | None = None
    lost: bool = False
    error: str | None = None
    fatal: bool = False


class JobExecutor:
    """Dask workers that run pieces. Each worker thread is a slot, which runs one piece at a time.

    log_file : Path of the log of a local cluster; address : address of a running scheduler ("tcp://host:8786", TLS from
    Dask's configuration), or None for local workers; n_workers : number of local workers, None for one more than the
    number of cores, because long work leaves one worker free. All methods are thread-safe and return without waiting.

    `on_change` is called when the slots change, `on_progress` with (job, news).

    n_slots, n_deaths, n_restarts : number of current slots, of workers that ended unexpectedly and of restarted
    clusters; process : process of the local cluster; client : Dask client of the connection; pids : process of each
    worker by address; sent : data that each worker already has.
    """

    def __init__(self, log_file: Path, address: str | None = None, n_workers: int | None = None) -> None:
        self._log_file, self._address = log_file, address
        self.n_workers = n_workers or resolve_jobs(-1) + 1
        self._topic = f"tao-{uuid.uuid4().hex[:12]}"
        self._lock = threading.Lock()
        self._slots: list[str] = []
        self.pids: dict[str, int | None] = {}
        self._workers: set[str] = set()
        self.sent: OrderedDict[tuple[str, DataKey], DaskFuture] = OrderedDict()  # by worker and data
        # by slot: [callback for the end of its piece, Future, name of the piece]
        self._open: dict[str, list[Any]] = {}
        self.client: Client | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self._scheduler: str | None = None
        self._with_worker = self._with_all = 0.0  # latest times at which the cluster had a worker, and all of them
        self._wanted, self._closing = threading.Event(), threading.Event()
        self._ended: set[str] = set()  # addresses of workers that this executor ended
        self.n_deaths = self.n_restarts = 0
        self._pool = DaemonPool(8, "dask")
        self.on_change: Callable[..., Any] = lambda *news: None
        self.on_progress: Callable[[str, dict], Any] = lambda *news: None
        threading.Thread(target=self._keep, name="cluster", daemon=True).start()

    @property
    def n_slots(self) -> int:
        """Return the number of slots, without starting workers."""
        return len(self._slots)

    def slots(self) -> list[str]:
        """Return the names of the present slots, one for each thread of each worker, and start workers if needed."""
        self._wanted.set()
        with self._lock:
            return list(self._slots)

    def begin(
        self,
        slot: str,
        call: dict[str, Any],
        data_key: DataKey,
        load: Callable[[], DataSet],
        on_end: Callable[[Outcome], None],
    ) -> None:
        """Train a piece, and call `on_end` with its `Outcome` in another thread.

        call : see `TrainingWorker.train`; data_key : (name, fingerprint) of the data that `load()` returns. Each worker
        receives the data once.
        """
        piece = f"piece-{uuid.uuid4().hex}"
        with self._lock:
            self._open[slot] = [on_end, None, piece]
        self._soon_for(slot, self._begin, slot, call | {"piece": piece, "topic": self._topic}, data_key, load)

    def drop_data(self, names: Iterable[str]) -> None:
        """Make the workers release data sets."""
        from pages.jobs import training_worker

        with self._lock:
            for key in [key for key in self.sent if key[1][0] in names]:
                del self.sent[key]
            slots = list(self._slots)
        for slot in slots:
            self._run_at(slot, training_worker.drop_data, list(names))

    def stop(self, slot: str) -> None:
        """Ask the worker of a slot to stop its piece."""
        from pages.jobs import training_worker

        with self._lock:
            piece = self._open[slot][2] if slot in self._open else None
        if piece is not None:
            self._run_at(slot, training_worker.stop, piece)

    def end(self, slot: str) -> None:
        """Kill the worker of a slot; the cluster replaces it."""
        from pages.jobs import training_worker

        with self._lock:
            self._leave_out(slot)
            self._ended.add(_address(slot))
        pid = self.pids.get(_address(slot))
        if pid is None:
            self._run_at(slot, training_worker.leave)
        else:  # a busy interpreter may not receive a message, so the process is killed
            processes.kill(pid)

    def close(self) -> None:
        """End the connection and the cluster that this executor started."""
        self._closing.set()
        self._wanted.set()
        self._pool.shutdown()
        self._disconnect()
        with self._lock:
            if self.process is not None:
                self._end_process()

    def _begin(self, slot: str, call: dict[str, Any], data_key: DataKey, load: Callable[[], DataSet]) -> None:
        from pages.jobs import training_worker

        client, address = self.client, _address(slot)
        if client is None:
            self._finish(slot, Outcome(lost=True))
            return
        try:
            data = self._data_at(client, address, data_key, load)
            future = client.submit(training_worker.train, call, data, workers=[address], pure=False, key=call["piece"])
        except TreecoreError as error:
            self._finish(slot, Outcome({"results": [], "failed": str(error)}))
        except GONE as error:
            if not self._closing.is_set():
                log.warning("A task could not be sent: %s", error)
            self._finish(slot, Outcome(lost=True, fatal=self._is_there(client)))  # the data may have killed a worker
        else:
            with self._lock:
                if slot in self._open:
                    self._open[slot][1] = future
            client.loop.add_callback(self._hear_end, slot, future)

    async def _hear_end(self, slot: str, future: DaskFuture) -> None:
        """Wait for a result. Dask's own `add_done_callback` would print a traceback when the app ends."""
        while future.status == "pending":
            await future.exception()
        self._soon_for(slot, self._end_of, slot, future)

    def _end_of(self, slot: str, future: DaskFuture) -> None:
        self._finish(slot, _outcome(future), future)

    def _is_there(self, client: Client) -> bool:
        return client.status == "running" and (self.process is None or self.process.poll() is None)

    def _soon_for(self, slot: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Run a function like `_soon`; if it fails, report the end of the piece."""
        self._soon(function, *arguments).add_done_callback(lambda done: self._note(slot, done))

    def _note(self, slot: str, done: Future) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None and not self._closing.is_set():
            log.error("A task could not be sent, or its result could not be received", exc_info=error)
            self._finish(slot, Outcome(error=f"{type(error).__name__}: {error}"))

    def _finish(self, slot: str, outcome: Outcome, future: DaskFuture | None = None) -> None:
        """Report the end of a piece once.

        future : future of the piece, needed if the slot may run a later piece.
        """
        with self._lock:
            if slot not in self._open or (future is not None and self._open[slot][1] is not future):
                return
            on_end, *_ = self._open.pop(slot)
            if outcome.lost:
                self._leave_out(slot)
        on_end(outcome)

    def _leave_out(self, slot: str) -> None:
        """Send no work to an ending worker until the next check for workers."""
        self._slots = [one for one in self._slots if _address(one) != _address(slot)]

    def _data_at(self, client: Client, address: str, data_key: DataKey, load: Callable[[], DataSet]) -> DaskFuture:
        """Return the future of a data set on a worker; send the data if the worker does not have them."""
        with self._lock:
            future = self.sent.get((address, data_key))
            if future is not None:
                self.sent.move_to_end((address, data_key))
                return future
        # Local workers receive the data directly; otherwise the scheduler forwards them.
        future = client.scatter(load(), workers=[address], hash=False, direct=self.process is not None)
        with self._lock:
            self.sent[address, data_key] = future
            there = [key for key in self.sent if key[0] == address]
            for key in there[:-DATA_SETS_KEPT]:
                del self.sent[key]
        return future

    def _run_at(self, slot: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Run a function in the process of a slot while it trains."""

        def run() -> None:
            with contextlib.suppress(*GONE):
                self.client.run(function, *arguments, workers=[_address(slot)], wait=False)

        if self.client is not None:
            self._soon(run)

    def _keep(self) -> None:
        """Connect, check for workers, and reconnect after the cluster has ended."""
        self._wanted.wait(QUIET)
        while not self._closing.is_set():
            # runs as a future, so that no error ends this thread
            error = self._error_of(self._soon(self._connect_and_look))
            if error is not None and not self._closing.is_set():
                unknown = None if isinstance(error, GONE) else error
                log.warning("The cluster cannot be reached: %s", error, exc_info=unknown)
                if getattr(error, "errno", None) not in FULL:
                    self._disconnect()
                if isinstance(error, _Broken):
                    self._end_process()
            self._closing.wait(LOOK if self._slots else FIRST_LOOK)

    def _error_of(self, look: Future) -> BaseException | None:
        """Wait for a check of the cluster, and return its error. End a local cluster that does not respond."""
        if self._address is not None:
            return look.exception()
        try:
            return look.exception(STARTING if self.client is None else ANSWERING * machine_load())
        except TimeoutError:
            if self._closing.is_set():
                return None
            self._end_process()  # the check then ends with an error
            look.exception()
            return _Broken("it does not respond")

    def _soon(self, function: Callable[..., Any], *arguments: Any) -> Future:
        """Return the future of a call in another thread; after closing, return a failed one."""
        try:
            return self._pool.submit(function, *arguments)
        except RuntimeError as error:
            failed = Future()
            failed.set_exception(error)
            return failed

    def _connect_and_look(self) -> None:
        if self.client is None:
            self._connect()
        self._look()

    def _connect(self) -> None:
        # imported here because they are slow and the first page does not need them
        from distributed import Client
        from distributed.security import Security

        from pages.jobs.training_worker import NAME, TrainingWorker

        for name in ("distributed.client", "distributed.batched"):  # `_keep` logs a lost connection in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        address, security = self._address, None
        if address is None:
            if self.process is None or self.process.poll() is not None:
                if self.process is not None:
                    self.n_restarts += 1
                    log.warning("The cluster has ended (%s) and is restarting.", self.process.poll())
                    self._end_process()
                self._start_process()
            if self._found is None:
                with contextlib.suppress(ValueError):  # the process has been ended
                    self._found = json.loads(self.process.stdout.readline() or b"null")
            if self._found is None:
                raise RuntimeError(f"it did not start (see {self._log_file.name} in the jobs folder)")
            address, security = self._found["address"], Security(require_encryption=True, **self._found["keys"])
        client = Client(address, security=security, timeout=CONNECTING, set_as_default=False)
        with contextlib.ExitStack() as otherwise:
            otherwise.callback(client.close, timeout=0.5)
            self._scheduler = client.scheduler_info(n_workers=0)["id"]
            client.register_plugin(TrainingWorker(), name=NAME)
            client.subscribe_topic(self._topic, self._hear)
            otherwise.pop_all()
        self._with_worker = self._with_all = time.monotonic()
        self.client = client

    def _look(self) -> None:
        client = self.client
        if client is None or not self._is_there(client):
            raise RuntimeError("it has ended")
        if client.scheduler_info(n_workers=0)["id"] != self._scheduler:
            raise RuntimeError("it has ended, and another cluster has started")
        threads = client.nthreads()
        slots = [f"{address}#{k}" for address, count in sorted(threads.items()) for k in range(count)]
        with self._lock:
            changed = slots != self._slots
            died = self._workers - {*threads}
            self._workers = {*threads}
            n_died = len(died - self._ended)
            self._ended -= died
            self.n_deaths += n_died
            for key in [key for key in self.sent if key[0] not in threads]:
                del self.sent[key]
            gone = [slot for slot in self._open if _address(slot) not in threads]
            new = [address for address in threads if address not in self.pids] if self.process else []
            self._slots = slots
        if n_died:
            log.warning("%d workers ended unexpectedly; %d are running.", n_died, len(threads))
        if self._address is None:
            self._check_workers(len(threads))
        for slot in gone:  # no other worker can finish this piece
            # an external scheduler does not report which piece killed its worker
            self._finish(slot, Outcome(lost=True, fatal=self.process is None))
        if changed:
            self.on_change()
        for address in new:
            self.pids[address] = None
            self._soon(self._ask_pid, client, address)

    def _check_workers(self, n_workers: int) -> None:
        """Raise an error if the local cluster has lost workers that it does not replace."""
        now = time.monotonic()
        if n_workers:
            self._with_worker = now
        if n_workers >= self.n_workers or self._open:
            self._with_all = now
        if now - self._with_worker > WORKERLESS * machine_load():
            raise _Broken("it has no worker")
        if now - self._with_all > SHORT_OF_WORKERS * machine_load():
            raise _Broken(f"it has {n_workers} of {self.n_workers} workers")

    def _ask_pid(self, client: Client, address: str) -> None:
        with contextlib.suppress(*GONE):  # the worker may have ended
            self.pids |= client.run(os.getpid, workers=[address])

    def _hear(self, event: tuple[float, dict]) -> None:
        _, report = event
        self.on_progress(report["job"], report["news"])

    def _disconnect(self) -> None:
        with self._lock:
            client, self.client = self.client, None
            self._slots, self.pids, self._workers = [], {}, set()
            self.sent.clear()
            lost = list(self._open)
        if client is not None:
            with contextlib.suppress(*GONE):
                client.close(timeout=0.5)
        for slot in lost:  # all workers have ended, so no single piece was fatal
            self._finish(slot, Outcome(lost=True))
        self.on_change()

    def _start_process(self) -> None:
        """Start the local cluster; `_keep` reads its address and keys later."""
        with self._lock:
            if self._closing.is_set():
                raise RuntimeError("the app ends")
            self._found = None
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pages.jobs.cluster"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
        keep_lines(cast("IO[bytes]", self.process.stderr), self._log_file)
        settings = {"workers": self.n_workers, "dashboard": os.environ.get("TAO_DASHBOARD") or UNSEEN}
        with contextlib.suppress(OSError):  # if the process died, reading from it fails later
            self.process.stdin.write(json.dumps(settings).encode() + b"\n")
            self.process.stdin.flush()

    def _end_process(self) -> None:
        """End the local cluster with all its workers."""
        processes.end_group(self.process.pid)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def _address(slot: str) -> str:
    return slot.rpartition("#")[0]


def _outcome(future: DaskFuture) -> Outcome:
    from distributed.scheduler import KilledWorker

    if future.status == "finished":
        try:
            return Outcome(future.result(timeout=GATHERING))
        except (KilledWorker, *GONE):  # the worker died after it finished
            return Outcome(lost=True)
    error = future.exception() if future.status == "error" else None
    if error is None or isinstance(error, (KilledWorker, *GONE[:2])):
        return Outcome(lost=True, fatal=isinstance(error, KilledWorker))
    log.error("A task failed", exc_info=error)
    return Outcome(error=f"{type(error).__name__}: {error}")


def machine_load() -> float:
    """Return the factor by which work is slower because there are more running processes than cores."""
    return min(max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0), BUSIEST) if hasattr(os, "getloadavg") else 1.0
