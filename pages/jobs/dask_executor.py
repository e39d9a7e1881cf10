"""`DaskExecutor`: pieces of jobs on the workers of a Dask cluster, one of this machine or one that is there already."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from pages.serving.keep_lines import keep_lines
from sample_data import DataSet
from treecore.errors import TreecoreError

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

ROOT = Path(__file__).resolve().parents[2]
LOOK, FIRST_LOOK = 1.0, 0.1  # seconds between two looks at which workers there are; while there are none
QUIET = 3.5  # seconds after the start in which the first page has the machine to itself, unless there is work
DATA_SETS_KEPT = 3  # on a worker
CONNECTING = 15.0  # seconds of a try to connect, which the end of the app may wait for after a cluster has died
GATHERING = 20.0  # seconds that a result may take from its worker to here
UNSEEN = "127.0.0.1:0"  # address of the scheduler's own pages where nobody asks for them
GONE = (OSError, TimeoutError, RuntimeError, ValueError, CancelledError)

DataKey = tuple[str, str]  # name and fingerprint

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """How a piece ended: with an `answer` of `TrainingWorker.train`, or its worker was `lost`, or with an `error`.

    fatal : whether it may be this piece that its worker died of
    """

    answer: dict | None = None
    lost: bool = False
    error: str | None = None
    fatal: bool = False


class DaskExecutor:
    """Workers of Dask as slots, each for one piece at a time.

    log_file : Path of what a cluster of this machine writes; address : of a scheduler that is there already
    ("tcp://host:8786", TLS by Dask's own settings), None for workers of this machine; n_workers : of this machine's,
    None for one more than it has cores (long work leaves one free). All methods may be called from any thread, and
    none waits; set `on_change` (which slots there are) and `on_progress` (job, news) to hear of them.

    n_slots, n_deaths, n_restarts : slots that there are, workers that ended unasked, clusters that were begun after one
    that had ended; process, client, pids : of the cluster of this machine, of this connection, and of the workers by
    address; sent : the data that workers have.
    """

    def __init__(self, log_file: Path, address: str | None = None, n_workers: int | None = None) -> None:
        self._log_file, self._address = log_file, address
        self.n_workers = n_workers or len(os.sched_getaffinity(0)) + 1
        self._topic = f"tao-{uuid.uuid4().hex[:12]}"
        self._lock = threading.Lock()
        self._slots: list[str] = []
        self.pids: dict[str, int | None] = {}
        self._workers: set[str] = set()
        self.sent: OrderedDict[tuple[str, DataKey], DaskFuture] = OrderedDict()  # by worker and data
        # by slot: [function that hears how its piece ends, Future, name of the piece]
        self._open: dict[str, list[Any]] = {}
        self.client: Client | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self._scheduler: str | None = None
        self._wanted, self._closing = threading.Event(), threading.Event()
        self._ended: set[str] = set()  # addresses of workers that were ended here
        self.n_deaths = self.n_restarts = 0
        self._pool = ThreadPoolExecutor(8, thread_name_prefix="dask")
        self.on_change: Callable[..., Any] = lambda *news: None
        self.on_progress: Callable[[str, dict], Any] = lambda *news: None
        threading.Thread(target=self._keep, name="cluster", daemon=True).start()

    @property
    def n_slots(self) -> int:
        """See the class; nothing is started for it."""
        return len(self._slots)

    def slots(self) -> list[str]:
        """Names of the slots that are there now, one for each thread of each worker."""
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
        """Train a piece; `on_end` hears its `Outcome`, in another thread.

        call : see `TrainingWorker.train`; data_key : (name, fingerprint) of the data that `load()` returns, which go to
        a worker once.
        """
        piece = f"piece-{uuid.uuid4().hex}"
        with self._lock:
            self._open[slot] = [on_end, None, piece]
        self._soon_for(slot, self._begin, slot, call | {"piece": piece, "topic": self._topic}, data_key, load)

    def drop_data(self, names: Iterable[str]) -> None:
        """Let the workers forget data sets."""
        from pages.jobs import training_worker

        with self._lock:
            for key in [key for key in self.sent if key[1][0] in names]:
                del self.sent[key]
            slots = list(self._slots)
        for slot in slots:
            self._tell(slot, training_worker.drop_data, list(names))

    def stop(self, slot: str) -> None:
        """Ask the worker of a slot to end its piece."""
        from pages.jobs import training_worker

        with self._lock:
            piece = self._open[slot][2] if slot in self._open else None
        if piece is not None:
            self._tell(slot, training_worker.stop, piece)

    def end(self, slot: str) -> None:
        """End the worker of a slot, whatever it does; another takes its place."""
        from pages.jobs import training_worker

        with self._lock:
            self._leave_out(slot)
            self._ended.add(_address(slot))
        pid = self.pids.get(_address(slot))
        if pid is None:
            self._tell(slot, training_worker.leave)
        else:  # it may hold its interpreter, and so hear nothing
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def close(self) -> None:
        """End what was started here."""
        self._closing.set()
        self._wanted.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._disconnect()
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
            log.warning("A task could not be sent: %s", error)
            self._finish(slot, Outcome(lost=True, fatal=self._is_there(client)))  # its data may be what killed a worker
        else:
            with self._lock:
                if slot in self._open:
                    self._open[slot][1] = future
            client.loop.add_callback(self._hear_end, slot, future)

    async def _hear_end(self, slot: str, future: DaskFuture) -> None:
        """As Dask's `add_done_callback`, whose thread refuses work, with a traceback, once the app ends."""
        while future.status == "pending":
            await future.exception()
        self._soon_for(slot, self._end_of, slot, future)

    def _end_of(self, slot: str, future: DaskFuture) -> None:
        self._finish(slot, _outcome(future), future)

    def _is_there(self, client: Client) -> bool:
        return client.status == "running" and (self.process is None or self.process.poll() is None)

    def _soon_for(self, slot: str, function: Callable[..., Any], *arguments: Any) -> None:
        """As `_soon`; a piece for which that goes wrong has ended too."""
        self._soon(function, *arguments).add_done_callback(lambda done: self._note(slot, done))

    def _note(self, slot: str, done: Future) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None and not self._closing.is_set():
            log.error("A task could not be sent, or its result could not be received", exc_info=error)
            self._finish(slot, Outcome(error=f"{type(error).__name__}: {error}"))

    def _finish(self, slot: str, outcome: Outcome, future: DaskFuture | None = None) -> None:
        """Tell how a piece ended, once; `future` : the one that this is about, where there may be a later one."""
        with self._lock:
            if slot not in self._open or (future is not None and self._open[slot][1] is not future):
                return
            on_end, *_ = self._open.pop(slot)
            if outcome.lost:
                self._leave_out(slot)
        on_end(outcome)

    def _leave_out(self, slot: str) -> None:
        """Send nothing to a worker that is gone, or will be, until the next look at which there are."""
        self._slots = [one for one in self._slots if _address(one) != _address(slot)]

    def _data_at(self, client: Client, address: str, data_key: DataKey, load: Callable[[], DataSet]) -> DaskFuture:
        """Future of a data set on a worker, where it is sent if it is not there."""
        with self._lock:
            future = self.sent.get((address, data_key))
            if future is not None:
                self.sent.move_to_end((address, data_key))
                return future
        # directly, where the worker is on this machine: else the scheduler passes it on
        future = client.scatter(load(), workers=[address], hash=False, direct=self.process is not None)
        with self._lock:
            self.sent[address, data_key] = future
            there = [key for key in self.sent if key[0] == address]
            for key in there[:-DATA_SETS_KEPT]:
                del self.sent[key]
        return future

    def _tell(self, slot: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Run a function in the process of a slot, beside what it trains."""

        def run() -> None:
            with contextlib.suppress(*GONE):
                self.client.run(function, *arguments, workers=[_address(slot)], wait=False)

        if self.client is not None:
            self._soon(run)

    def _keep(self) -> None:
        """Connect, look which workers there are, and connect anew when the cluster was gone."""
        self._wanted.wait(QUIET)
        while not self._closing.is_set():
            # as a future, so that no error ends this thread
            error = self._soon(self._connect_and_look).exception()
            if error is not None and not self._closing.is_set():
                unknown = None if isinstance(error, GONE) else error
                log.warning("The cluster cannot be reached: %s", error, exc_info=unknown)
                self._disconnect()
            self._closing.wait(LOOK if self._slots else FIRST_LOOK)

    def _soon(self, function: Callable[..., Any], *arguments: Any) -> Future:
        """Future of a call in another thread; of one that has failed where all is closed already."""
        try:
            return self._pool.submit(function, *arguments)
        except RuntimeError as error:
            if "schedule new futures" in str(error):  # not for want of threads: the app ends
                self._closing.set()
            failed = Future()
            failed.set_exception(error)
            return failed

    def _connect_and_look(self) -> None:
        if self.client is None:
            self._connect()
        self._look()

    def _connect(self) -> None:
        # slow imports, for which the first page does not wait
        from distributed import Client
        from distributed.security import Security

        from pages.jobs.training_worker import NAME, TrainingWorker

        address, security = self._address, None
        if address is None:
            if self.process is None or self.process.poll() is not None:
                if self.process is not None:
                    self.n_restarts += 1
                    log.warning("The cluster has ended (%s) and is restarting.", self.process.poll())
                    self._end_process()
                self._start_process()
            if self._found is None:
                self._found = json.loads(self.process.stdout.readline() or b"null")
            if self._found is None:
                raise RuntimeError(f"it did not start; {self._log_file.name} in the jobs folder contains the reason")
            address, security = self._found["address"], Security(require_encryption=True, **self._found["keys"])
        client = Client(address, security=security, timeout=CONNECTING, set_as_default=False)
        with contextlib.ExitStack() as otherwise:
            otherwise.callback(client.close, timeout=0.5)
            self._scheduler = client.scheduler_info(n_workers=0)["id"]
            client.register_plugin(TrainingWorker(), name=NAME)
            client.subscribe_topic(self._topic, self._hear)
            otherwise.pop_all()
        self.client = client

    def _look(self) -> None:
        client = self.client
        if client is None or not self._is_there(client):
            raise RuntimeError("it has ended")
        if client.scheduler_info(n_workers=0)["id"] != self._scheduler:
            raise RuntimeError("it has ended, and another one has started")
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
        for slot in gone:  # nobody else may do it
            # a scheduler of others does not say which piece its worker died of
            self._finish(slot, Outcome(lost=True, fatal=self.process is None))
        if changed:
            self.on_change()
        for address in new:
            self.pids[address] = None
            self._soon(self._ask_pid, client, address)

    def _ask_pid(self, client: Client, address: str) -> None:
        with contextlib.suppress(*GONE):  # it is gone already
            self.pids |= client.run(os.getpid, workers=[address])

    def _hear(self, event: tuple[float, dict]) -> None:
        _, told = event
        self.on_progress(told["job"], told["news"])

    def _disconnect(self) -> None:
        with self._lock:
            client, self.client = self.client, None
            self._slots, self.pids, self._workers = [], {}, set()
            self.sent.clear()
            lost = list(self._open)
        if client is not None:
            with contextlib.suppress(*GONE):
                client.close(timeout=0.5)
        for slot in lost:  # with all the others: no piece does that
            self._finish(slot, Outcome(lost=True))
        self.on_change()

    def _start_process(self) -> None:
        """Start the cluster of this machine; its address and keys come later."""
        self._found = None
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pages.jobs.cluster"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        keep_lines(cast("IO[bytes]", self.process.stderr), self._log_file)
        settings = {"workers": self.n_workers, "dashboard": os.environ.get("TAO_DASHBOARD") or UNSEEN}
        with contextlib.suppress(OSError):  # it has died, which is found out when it is read from
            self.process.stdin.write(json.dumps(settings).encode() + b"\n")
            self.process.stdin.flush()

    def _end_process(self) -> None:
        """End the cluster of this machine, with all its workers."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
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
        except (KilledWorker, *GONE):  # it has died since
            return Outcome(lost=True)
    error = future.exception() if future.status == "error" else None
    if error is None or isinstance(error, (KilledWorker, *GONE[:2])):
        return Outcome(lost=True, fatal=isinstance(error, KilledWorker))
    log.error("A task failed", exc_info=error)
    return Outcome(error=f"{type(error).__name__}: {error}")
