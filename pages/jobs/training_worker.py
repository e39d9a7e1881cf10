"""Define `TrainingWorker`, a Dask worker plugin that keeps unfinished tasks and can stop a piece."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from distributed import Worker, WorkerPlugin, get_worker

from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.interruption import Interruption

if TYPE_CHECKING:
    from pages.jobs.kinds.tasks import Task
    from treecore.training.tao import TrainingStep

NAME = "tao"
BUDGET = 0.25  # seconds after which a piece ends if its task can continue later
PROGRESS = 0.2  # seconds between two progress reports
TASKS_KEPT = 2  # number of tasks kept, so that their next pieces need no preparation
STOPPED_KEPT = 100
PATIENT = 10  # niceness of long work, which leaves nearly a whole core to a first tree


class TrainingWorker(WorkerPlugin):
    """Plugin of a worker process."""

    name = NAME

    def setup(self, worker: Worker) -> None:
        """Load and warm up the engine in the background."""
        self._worker, self._lock = worker, threading.Lock()
        self._tasks: OrderedDict[str, Task] = OrderedDict()
        self._running: dict[str, Interruption] = {}
        self._stopped: deque[str] = deque(maxlen=STOPPED_KEPT)
        self._warming = threading.Thread(target=_warm_up, name="warm up", daemon=True)
        self._warming.start()

    def train(self, call: dict[str, Any], data: DataSet) -> dict[str, Any]:
        """Train one piece.

        Returns a dict with `results` (records), and `failed` (reason) or `stopped` if the piece did not end. call :
        dict with `job` and `piece` (names), `kind`, `request`, `arguments`, `topic` of the progress reports, and
        `is_long`.
        """
        interruption = Interruption()
        with self._lock:
            self._running[call["piece"]] = interruption
            if call["piece"] in self._stopped:
                interruption.strike()
        found: list[dict[str, Any]] = []
        answer: dict[str, Any] = {"results": found}
        try:
            # Long work has its own thread, because a thread cannot lower its niceness again.
            work = _patiently if call["is_long"] else _at_once
            work(lambda: interruption.run(lambda: self._results(call, data, found)))
        except InterruptedError:
            answer["stopped"] = True
        except TreecoreError as error:
            answer["failed"] = str(error)
        except MemoryError:
            answer["failed"] = "Out of memory."
        except OSError as error:  # Dask would interpret an OSError as a failure of the cluster
            answer["failed"] = f"The worker failed ({error})."
        finally:
            with self._lock:
                del self._running[call["piece"]]
        return answer

    def stop(self, piece: str) -> None:
        """Stop a piece. The request to stop may arrive before the piece itself."""
        with self._lock:
            self._stopped.append(piece)
            if piece in self._running:
                self._running[piece].strike()

    def drop_data(self, names: Collection[str]) -> None:
        """Release the tasks of data sets."""
        with self._lock:
            for job in [job for job, task in self._tasks.items() if task.data.name in names]:
                del self._tasks[job]

    def _results(self, call: dict[str, Any], data: DataSet, found: list[dict[str, Any]]) -> None:
        from pages.jobs.kinds.tasks import AllRowsTask  # slow import, see `_take_task`

        if self._warming.is_alive():
            self._report(call, {"is_loading": True})
        task = self._take_task(call, data)
        task.on_step = self._reporter(call, task)
        if isinstance(task, AllRowsTask):
            task.on_part = lambda part, n_parts: self._report(call, {"part": part, "n_parts": n_parts})
        end = time.monotonic() + BUDGET
        for record in task.results(call["arguments"]):
            found.append(record)
            if time.monotonic() > end and not task.is_whole:
                break
        # A task that was stopped midway is not kept.
        with self._lock:
            self._tasks[call["job"]] = task
            while len(self._tasks) > TASKS_KEPT:
                self._tasks.popitem(last=False)

    def _take_task(self, call: dict[str, Any], data: DataSet) -> Task:
        """Remove the task of a job from the kept ones, or make it."""
        from pages.jobs.kinds.tasks import TASKS  # slow import, which `setup` starts in the background

        with self._lock:
            task = self._tasks.pop(call["job"], None)
        return TASKS[call["kind"]](call["request"], data) if task is None else task

    def _reporter(self, call: dict[str, Any], task: Task) -> Callable[[TrainingStep], None]:
        last = time.monotonic()

        def report(step: TrainingStep) -> None:
            nonlocal last
            if time.monotonic() - last > PROGRESS:
                last = time.monotonic()
                target = task.data.target
                news = {"iteration": step.iteration, "depth": step.depth,
                        "training_error": target.error_text(target.error(step.error))}  # fmt: skip
                self._report(call, news | getattr(task, "news", {}))

        return report

    def _report(self, call: dict[str, Any], news: dict[str, Any]) -> None:
        self._worker.log_event(call["topic"], {"job": call["job"], "news": news})


def train(call: dict[str, Any], data: DataSet) -> dict[str, Any]:
    """Train the piece of a job in a worker. Raises ConnectionError in a worker without the plugin."""
    plugin = get_worker().plugins.get(NAME)
    if plugin is None:  # the cluster has restarted and the app has not noticed yet
        raise ConnectionError("This worker is not set up yet.")
    return plugin.train(call, data)


def stop(piece: str, dask_worker: Worker) -> None:
    """Stop a piece in a worker (see `Client.run`)."""
    dask_worker.plugins[NAME].stop(piece)


def drop_data(names: Collection[str], dask_worker: Worker) -> None:
    """Make a worker release data sets (see `Client.run`)."""
    dask_worker.plugins[NAME].drop_data(names)


def leave() -> None:
    """End the process of a worker at once. Its nanny starts another one."""
    os._exit(1)


def _at_once(work: Callable[[], Any]) -> None:
    work()


def _patiently(work: Callable[[], Any]) -> None:
    with ThreadPoolExecutor(1, "long work", _be_patient) as pool:
        pool.submit(work).result()


def _be_patient() -> None:
    with contextlib.suppress(OSError, AttributeError):  # Windows has no priority of threads
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.nice(0) + PATIENT)


def _warm_up() -> None:
    from pages.jobs import loaded_engine  # slow import, already done in a forked worker
    from treecore.warm_up import warm_up

    if not loaded_engine.IS_WARM:
        warm_up()
