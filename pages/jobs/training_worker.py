"""`TrainingWorker`: what a worker of Dask has beside Dask: tasks that it has begun, and the way to stop one."""

import contextlib
import os
import threading
import time
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor

from distributed import WorkerPlugin, get_worker

from pages.jobs.messages import MESSAGES
from treecore.errors import TreecoreError
from treecore.interruption import Interruption

NAME = "tao"
BUDGET = 0.25  # seconds after which a piece ends where its task can go on later
PROGRESS = 0.2  # seconds between two words on how far a piece is
TASKS_KEPT = 2  # of which the next piece needs no preparing
STOPPED_KEPT = 100
PATIENT = 10  # niceness of long work, so that a first tree has nearly all of a core at once


class TrainingWorker(WorkerPlugin):
    """Lives in a worker process from its start to its end."""

    name = NAME

    def setup(self, worker):
        """Load and warm the engine while nobody waits for it."""
        self._worker, self._lock = worker, threading.Lock()
        self._tasks, self._running = OrderedDict(), {}
        self._stopped = deque(maxlen=STOPPED_KEPT)
        self._warming = threading.Thread(target=_warm_up, name="warm up", daemon=True)
        self._warming.start()

    def train(self, call, data):
        """Results of one piece: a dict with `results` (records), and `failed` (why) or `stopped` where it did not end.

        call : dict with `job` and `piece` (their names), `kind`, `request`, `given`, `topic` of the words on progress,
        and `is_long`.
        """
        interruption = Interruption()
        with self._lock:
            self._running[call["piece"]] = interruption
            if call["piece"] in self._stopped:
                interruption.strike()
        found = []
        answer = {"results": found}
        try:
            # a thread of its own, since niceness is a thread's and never goes back
            work = _patiently if call["is_long"] else _at_once
            work(lambda: interruption.run(lambda: self._results(call, data, found)))
        except InterruptedError:
            answer["stopped"] = True
        except TreecoreError as error:
            answer["failed"] = error.sentence
        except MemoryError:
            answer["failed"] = MESSAGES("worker.memory")
        except OSError as error:  # of the work: one that leaves here would be taken for the cluster's
            answer["failed"] = MESSAGES("worker.failed", error=str(error))
        finally:
            with self._lock:
                del self._running[call["piece"]]
        return answer

    def stop(self, piece):
        """End a piece, also one that has yet to come: what stops it may be faster."""
        with self._lock:
            self._stopped.append(piece)
            if piece in self._running:
                self._running[piece].strike()

    def drop_data(self, names):
        """Let go of tasks on data sets."""
        with self._lock:
            for job in [job for job, task in self._tasks.items() if task.data.name in names]:
                del self._tasks[job]

    def _results(self, call, data, found):
        if self._warming.is_alive():
            self._tell(call, {"is_loading": True})
        task = self._taken(call, data)
        task.on_step = self._teller(call, task)
        end = time.monotonic() + BUDGET
        for record in task.results(call["given"]):
            found.append(record)
            if time.monotonic() > end and not task.is_whole:
                break
        # not after it was stopped somewhere
        with self._lock:
            self._tasks[call["job"]] = task
            while len(self._tasks) > TASKS_KEPT:
                self._tasks.popitem(last=False)

    def _taken(self, call, data):
        """The task of a job, for this piece alone."""
        from pages.jobs.kinds.tasks import TASKS  # slow import, which the worker does in the background at first

        with self._lock:
            task = self._tasks.pop(call["job"], None)
        return TASKS[call["kind"]](call["request"], data) if task is None else task

    def _teller(self, call, task):
        last = time.monotonic()

        def tell(step):
            nonlocal last
            if time.monotonic() - last > PROGRESS:
                last = time.monotonic()
                target = task.data.target
                news = {"iteration": step.iteration, "depth": step.depth,
                        "training_error": target.error_text(target.error(step.error))}  # fmt: skip
                self._tell(call, news)

        return tell

    def _tell(self, call, news):
        self._worker.log_event(call["topic"], {"job": call["job"], "news": news})


def train(call, data):
    """The piece of a job, in a worker. Raises ConnectionError in one that has come since the app has connected."""
    plugin = get_worker().plugins.get(NAME)
    if plugin is None:  # the cluster was gone and is back, which the app has yet to see
        raise ConnectionError("This worker is not set up yet.")
    return plugin.train(call, data)


def stop(piece, dask_worker):
    """End a piece in a worker (see `Client.run`)."""
    dask_worker.plugins[NAME].stop(piece)


def drop_data(names, dask_worker):
    """Let a worker forget data sets (see `Client.run`)."""
    dask_worker.plugins[NAME].drop_data(names)


def leave():
    """End a worker's process at once; its nanny starts another."""
    os._exit(1)


def _at_once(work):
    work()


def _patiently(work):
    with ThreadPoolExecutor(1, "long work", _be_patient) as pool:
        pool.submit(work).result()


def _be_patient():
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.nice(0) + PATIENT)


def _warm_up():
    from pages.jobs import loaded_engine  # slow import, which a worker that was forked has already
    from treecore.warm_up import warm_up

    if not loaded_engine.IS_WARM:
        warm_up()
