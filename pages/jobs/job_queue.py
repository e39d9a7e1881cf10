"""Run the jobs of all visitors in pieces on a cluster, and share their results."""

import atexit
import contextlib
import logging
import shutil
import threading
import time
from collections.abc import Callable, Collection, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from pages.jobs import job_files
from pages.jobs.job_executor import JobExecutor, Outcome, machine_load
from pages.jobs.kinds.plans import PLANS, Plan
from pages.jobs.policy import FIRST, LONG, Demand, in_order, next_job
from pages.jobs.settings import JobSettings
from pages.jobs.source_digest import source_digest
from pages.jobs.task_data import data_name, task_data
from pages.serving.daemon_pool import DaemonPool
from treecore.errors import TreecoreError

TICK = 0.25  # seconds between two checks for overdue pieces and abandoned jobs
# A worker has these seconds to stop its piece before it is killed, because starting a new worker takes longer.
GRACE = 2.5
SHORT = 0.4  # seconds that a page waits for a new job before it shows progress
FIRST_POLL = 0.005
WATCHED = 1.5  # seconds since its last poll (two per second) during which a session counts as watching a job
# seconds without a poll after which a job yields to other jobs, and after which it stops
ABANDONED, LEFT = 6.0, 90.0
IN_MEMORY = 24  # finished jobs in memory, not counting recently used ones
REMEMBERED = 60.0  # seconds since its last use during which a finished job stays in memory
MOST_REQUESTS = 10_000  # maximum number of jobs whose settings are kept, so that the queue can read their results again
ATTEMPTS = 3  # maximum number of lost workers per piece
RECENT, KEPT_RECENT = 3, 12  # durations for an estimate (fewer for a short job), and number of kept durations

log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Job:
    name: str
    settings: JobSettings
    fingerprint: str
    owner: str | None
    address: str | None
    since: float
    state: str = "queued"
    plan: Plan | None = None
    done: dict[int, Any] = field(default_factory=dict)  # results by index
    running: dict[int, str] = field(default_factory=dict)  # piece -> its slot
    lost: dict[int, int] = field(default_factory=dict)  # piece -> number of lost workers
    watchers: dict[str, float] = field(default_factory=dict)
    touched: float = 0.0
    total: int | None = None
    news: dict[str, Any] = field(default_factory=dict)
    recent: list[float] = field(default_factory=list)  # durations of the last results in seconds
    began: float = 0.0
    seconds: float = 0.0
    written: float = 0.0
    is_kept: bool = True  # whether results are stored
    is_left: bool = False  # whether the job stopped because no session watched it; it resumes when one does

    @property
    def is_open(self) -> bool:
        return self.state in job_files.RUNNING_STATES


@dataclass
class _Piece:
    """A piece that occupies a slot."""

    job: _Job
    piece: int
    began: float
    end_at: float | None = None  # time at which the worker is killed if it has not stopped


class JobQueue:
    """The jobs of all sessions. All methods are thread-safe; only `wait` blocks.

    executor : see `JobExecutor`; folder : Path of the stored results.

    jobs : jobs in memory by name; held : running piece by slot. Code may change both only while it holds the `lock`.
    """

    def __init__(self, executor: JobExecutor, folder: Path) -> None:
        self.executor, self.folder = executor, folder
        # Hash the code as it was imported, before anyone edits it.
        self._code = source_digest()
        self.lock = threading.RLock()
        self.jobs: dict[str, _Job] = {}
        self.held: dict[str, _Piece] = {}
        # settings and fingerprint of every job, even of jobs no longer in memory
        self._requests: dict[str, tuple[JobSettings, str]] = {}
        self._events = DaemonPool(1, "jobs")
        self._preparing = DaemonPool(2, "prepare")
        self._closed = threading.Event()
        executor.on_change = self._wake
        executor.on_progress = self._hear
        atexit.register(self.close)
        threading.Thread(target=self._tick, name="tick", daemon=True).start()

    def submit(
        self,
        settings: JobSettings,
        fingerprint: str,
        again: bool = False,
        visitor: str | None = None,
        session: str | None = None,
        address: str | None = None,
    ) -> str:
        """Return the name of the job for these settings, and queue it if it is new.

        fingerprint : fingerprint of the data; again : whether to resume a stopped job; visitor : requesting visitor,
        who has at most one running job while other visitors wait; session : session that watches this job from now on
        and no longer watches its other jobs of the same kind; address : network address of the visitor.
        """
        name = job_files.job_id(settings, fingerprint, self._code)
        now = time.monotonic()
        with self.lock:
            self._requests.pop(name, None)
            self._requests[name] = settings, fingerprint
            if len(self._requests) > MOST_REQUESTS:
                del self._requests[next(iter(self._requests))]
            job = self.jobs.get(name)
            if job is None:
                job = self.jobs[name] = _Job(name, settings, fingerprint, visitor, address, now)
                self._enqueue(job)
            elif (again or job.is_left) and job.state in ("cancelled", "failed"):
                job.owner, job.address = visitor, address
                self._enqueue(job)
            job.touched = now
            if session is not None:
                job.watchers[session] = now
                for other in [*self.jobs.values()]:
                    is_watched = other is not job and other.is_open and session in other.watchers
                    if is_watched and other.settings.kind == settings.kind:
                        other.is_left = self.cancel(other.name, session)
            self._forget_old(now)
        return name

    def is_begun(self, settings: JobSettings, fingerprint: str) -> bool:
        """Test whether a job with these settings is queued, running or complete, without queueing it."""
        name = job_files.job_id(settings, fingerprint, self._code)
        with self.lock:
            return name in self.jobs and self.jobs[name].is_open or job_files.is_done(self.folder / name)

    def has_job(self, name: str) -> bool:
        """Test whether the queue has the settings of a job, so that it can read the job again."""
        with self.lock:
            return name in self._requests

    def status(self, name: str, session: str | None = None) -> dict[str, Any]:
        """Return the progress of a job as a dict.

        The keys are state, done, total, lam, error, left (range of seconds), message, waiting (jobs before it), wait
        (seconds) and, for a queued job, has_workers. Raises KeyError for an unknown job.
        """
        now = time.monotonic()
        with self._job_of(name) as job:
            if session is not None:
                job.watchers[session] = now
            status = {"state": job.state, "done": len(job.done), "total": job.total or 0, "seconds": job.seconds,
                      "left": self._seconds_left(job), "waiting": 0, "wait": None} | job.news  # fmt: skip
            if job.state == "queued":
                status |= self._waiting(job)
        return status

    def wait(self, name: str) -> str:
        """Wait briefly for a job that has just been queued, and return its state."""
        with self._job_of(name) as job:
            pass
        return self._wait(job)

    def points(self, name: str) -> list[Any]:
        """Return the available results of a job in order. Raises KeyError for an unknown job."""
        with self._job_of(name) as job:
            return [] if job.plan is None else job.plan.visible(job.done)

    def cancel(self, name: str, session: str | None) -> bool:
        """Stop a job unless another session watches it. Return whether it stops."""
        with self._job_of(name) as job:
            job.watchers.pop(session, None)
            now = time.monotonic()
            if any(now - seen < WATCHED for seen in job.watchers.values()):
                return False
            if job.is_open:
                self._stop(job, "cancelled")
            return True

    def counts(self) -> dict[str, int]:
        """Return {metric: int} for the administrator.

        The metrics are queued and running jobs, workers, worker deaths and cluster restarts.
        """
        with self.lock:
            states = [job.state for job in self.jobs.values()]
        executor = self.executor
        return {
            "queued": states.count("queued"), "running": states.count("running"), "workers": executor.n_slots,
            "worker_deaths": executor.n_deaths, "cluster_restarts": executor.n_restarts,
        }  # fmt: skip

    def drop_data(self, names: Collection[str]) -> None:
        """Stop and forget all jobs on these data sets, release the data and delete the results."""
        with self.lock:
            for job in [job for job in self.jobs.values() if data_name(job.settings) in names]:
                job.is_kept = False
                if job.is_open:
                    self._stop(job, "cancelled")
                self._forget(job.name)
                shutil.rmtree(self.folder / job.name, ignore_errors=True)
        task_data.clear(names)
        self.executor.drop_data(names)

    def close(self) -> None:
        """End all work when the app ends."""
        self._closed.set()
        for pool in (self._events, self._preparing):
            pool.shutdown()
        self.executor.close()

    @contextlib.contextmanager
    def _job_of(self, name: str) -> Generator[_Job]:
        """Yield a requested job, and read it from its files if it is no longer in memory."""
        with self.lock:
            is_here = name in self.jobs
            if not is_here:
                self.submit(*self._requests[name])
            job = self.jobs[name]
            job.touched = time.monotonic()
        if not is_here:
            self._wait(job)
        with self.lock:
            yield job

    def _wait(self, job: _Job) -> str:
        while job.is_open and time.monotonic() < job.since + SHORT:
            time.sleep(FIRST_POLL)
        return job.state

    # --- events, which one thread runs one after another

    def _wake(self, *news: Any) -> None:
        self._post(lambda: None)

    def _post(self, event: Callable[[], Any], job: _Job | None = None) -> None:
        """Run an event soon, then begin the pieces that are ready.

        job : job to mark as failed if the event raises an error.
        """

        def run() -> None:
            with self.lock:
                event()
                self._look(time.monotonic())
                self._begin_pieces()

        with contextlib.suppress(RuntimeError):  # the pool is closed
            self._events.submit(run).add_done_callback(lambda future: self._note(future, job))

    def _note(self, future: Future, job: _Job | None) -> None:
        """Log an unexpected error and mark only its job as failed."""
        error = None if future.cancelled() else future.exception()
        if error is not None:
            log.error("An event handler of a job failed", exc_info=error)
            if job is not None:
                with self.lock:
                    self._fail(job, f"The job failed unexpectedly ({type(error).__name__}: {error}).")

    def _tick(self) -> None:
        while not self._closed.wait(TICK):
            self._wake()

    def _look(self, now: float) -> None:
        """Kill workers that do not stop, and stop jobs without a watching session."""
        for slot, held in self.held.items():
            if held.end_at is not None and now > held.end_at:
                held.end_at = now + 10 * GRACE
                self.executor.end(slot)
        n_queued = sum(job.state == "queued" for job in self.jobs.values())
        for job in [job for job in self.jobs.values() if job.is_open]:
            unwatched = now - max(job.watchers.values(), default=job.since)
            unused = now - max([job.touched, job.since, *job.watchers.values()])
            others = n_queued - (job.state == "queued")
            if (others and unwatched > ABANDONED) or unused > LEFT:
                self._stop(job, "cancelled")
                self._forget(job.name)

    def _begin_pieces(self) -> None:
        # Asking for slots starts workers, so ask only if there is work.
        slots = self.executor.slots() if self._demands() else []
        free = [slot for slot in slots if slot not in self.held]
        while free:
            name = next_job(self._demands(), len(slots))
            if name is None:
                return
            self._begin(self.jobs[name], free.pop(0))

    def _demands(self) -> list[Demand]:
        return [
            Demand(job.name, job.owner, job.plan.rank if job.done or job.plan.rank >= LONG else FIRST, job.since,
                   len(job.running), len(job.plan.ready(job.done, job.running)), job.address)
            for job in self.jobs.values() if job.plan is not None and job.is_open
        ]  # fmt: skip

    def _begin(self, job: _Job, slot: str) -> None:
        piece = job.plan.ready(job.done, job.running)[0]
        call = {"job": job.name, "kind": job.settings.kind, "request": job_files.request(job.settings),
                "arguments": job.plan.arguments(piece, job.done), "is_long": job.plan.rank >= LONG}  # fmt: skip
        now = time.monotonic()
        job.running[piece] = slot
        job.state, job.began = "running", job.began or now
        self.held[slot] = held = _Piece(job, piece, now)
        name = data_name(job.settings)
        self.executor.begin(
            slot, call, (name, job.fingerprint), lambda: task_data(name),
            lambda outcome: self._post(lambda: self._handle_end(slot, held, outcome), job),
        )  # fmt: skip

    def _handle_end(self, slot: str, held: _Piece, outcome: Outcome) -> None:
        """Handle the end of a piece, successful or not."""
        self.held = {place: one for place, one in self.held.items() if one is not held}
        job, piece = held.job, held.piece
        job.running.pop(piece, None)
        answer = outcome.answer or {"results": []}
        took = (time.monotonic() - held.began) / max(len(answer["results"]), 1)
        for record in answer["results"]:
            self._take(job, record, took)
        if not job.is_open:
            return
        if "failed" in answer:
            self._give_up(job, piece, answer["failed"])
        elif outcome.error is not None:
            self._fail(job, f"The job failed unexpectedly ({outcome.error}).")
        elif outcome.lost and held.end_at is None:
            job.lost[piece] = job.lost.get(piece, 0) + outcome.fatal
            if outcome.fatal:  # leaves the remaining workers to other jobs
                job.since = time.monotonic()
            if job.lost[piece] >= ATTEMPTS:
                self._give_up(job, piece, "The training process ended unexpectedly (it may have run out of memory).")
        if job.is_open:
            self._end_if_done(job)

    def _give_up(self, job: _Job, piece: int, message: str) -> None:
        result = job.plan.failure(piece, message)
        if result is None:
            self._fail(job, message)
        else:
            job.done[result[0]] = result[1]

    def _take(self, job: _Job, record: dict[str, Any], took: float) -> None:
        index = record["index"]
        if index in job.done:
            return
        try:
            result = job.plan.result(record)
            if job.is_kept:
                job_files.write_point(self.folder / job.name, record)
                job.plan.keep(result)
        except OSError as error:
            self._fail(job, job_files.cannot_be_kept(error))
            return
        job.done[index] = result
        job.total = record.get("total") or job.total
        job.recent = [*job.recent, took][-KEPT_RECENT:]
        job.seconds = time.monotonic() - job.began
        if job.is_open:  # the news of an ended job would replace the reason for its end
            job.news = job.plan.news(result)

    def _end_if_done(self, job: _Job) -> None:
        if job.total is not None and len(job.done) >= job.total:
            job.state = "done"
            self._write(job)
            job_files.drop_old_jobs(self.folder, self.jobs)
        elif time.monotonic() - job.written > 1.0:
            self._write(job)

    def _fail(self, job: _Job, message: str) -> None:
        if not job.is_open:
            return
        job.news["message"] = message
        self._stop(job, "failed")

    def _stop(self, job: _Job, state: str) -> None:
        """End a job at once for all visitors. The workers of the job have `GRACE` seconds to stop."""
        job.state = state
        for slot in job.running.values():
            self.held[slot].end_at = time.monotonic() + GRACE * machine_load()
            self.executor.stop(slot)
        self._write(job)

    def _write(self, job: _Job) -> None:
        if not job.is_kept:
            return
        job.written = time.monotonic()
        progress = {"state": job.state, "total": job.total, "seconds": job.seconds, "data_set": data_name(job.settings)}
        try:
            job_files.write_json(self.folder / job.name / job_files.PROGRESS, progress)
        except OSError as error:
            if job.state == "done":  # this server keeps the result; a later server trains again
                log.warning("%s", job_files.cannot_be_kept(error))
            self._fail(job, job_files.cannot_be_kept(error))

    # --- adding and removing jobs

    def _enqueue(self, job: _Job) -> None:
        job.since, job.state, job.news, job.lost, job.is_left = time.monotonic(), "queued", {}, {}, False
        if job.plan is None:
            self._preparing.submit(self._prepare, job).add_done_callback(lambda future: self._note(future, job))
        else:  # the last results may have arrived after the job was stopped
            self._post(lambda: self._end_if_done(job) if job.is_open else None, job)

    def _prepare(self, job: _Job) -> None:
        """Determine the pieces and the stored results of a job; this can load its data."""
        try:
            plan = PLANS[job.settings.kind](job.settings)
            saved, total = job_files.load_points(self.folder / job.name, plan.result)
            if plan.total is None:
                plan.total = total if total == len(saved) > 0 else None
            saved = {} if plan.total is None else saved | plan.load_stored()
        except (TreecoreError, OSError, MemoryError) as error:
            message = str(error)
            self._post(lambda: self._fail(job, message), job)
            return

        def use_plan() -> None:
            if job.plan is not None:  # the job was stopped and requested again in the meantime
                return
            job.plan, job.total, job.done = plan, plan.total, saved
            if saved:
                job.news = plan.news(saved[max(saved)])
            if job.is_open:
                self._end_if_done(job)

        self._post(use_plan, job)

    def _forget_old(self, now: float) -> None:
        over = [job for job in self.jobs.values() if not job.is_open and now - job.touched > REMEMBERED]
        over.sort(key=lambda job: job.touched)
        for job in over[: max(0, len(self.jobs) - IN_MEMORY)]:
            del self.jobs[job.name]

    def _forget(self, name: str) -> None:
        self.jobs.pop(name, None)
        self._requests.pop(name, None)

    def span(self, seconds: float) -> tuple[float, float]:
        """Return the range of seconds for new work that takes `seconds` on a free core.

        The upper end counts the work before it, the load of the machine, and the longest running piece.
        """
        with self.lock:
            n_slots = max(len(self.executor.slots()), 1)
            before = [self._seconds_left(self.jobs[demand.name]) for demand in self._demands()]
            running = [time.monotonic() - held.began for held in self.held.values()]
            wait = max([*running, sum(left[1] for left in before if left)], default=0.0)
        return seconds / n_slots, seconds * (1 + len(before) / n_slots) * machine_load() + wait

    # --- progress reports

    def _hear(self, name: str, news: dict[str, Any]) -> None:
        with self.lock:
            if name in self.jobs and self.jobs[name].is_open:
                self.jobs[name].news |= news

    def _seconds_left(self, job: _Job) -> tuple[float, float] | None:
        """Return the range of seconds until a running job is done, or None before enough results exist.

        Results differ in length, and running pieces show how slow the machine is now. The largest duration counts only
        from the fourth result, because the first result takes longest.
        """
        if not job.total or len(job.recent) < min(RECENT, max(job.total // 2, 1)):
            return None
        durations, now = sorted(job.recent), time.monotonic()
        running = [now - held.began for held in self.held.values() if held.job is job]
        n_left, n_slots = job.total - len(job.done), max(len(job.running), 1)
        slow = max([durations[-1 - len(durations) // 4] if len(durations) > RECENT else median(durations), *running])
        n_least = 1 if any(demand.ready for demand in self._demands() if demand.name != job.name) else n_slots
        return durations[len(durations) // 4] * n_left / n_slots, slow * n_left / n_least

    def _waiting(self, job: _Job) -> dict[str, Any]:
        """Return the number of jobs before a queued one, and the estimated seconds until it starts."""
        n_slots = max(len(self.executor.slots()), 1)
        demands = [demand for demand in self._demands() if demand.name != job.name]
        rank = FIRST if job.plan is None or job.plan.rank < LONG else job.plan.rank
        mine = Demand(job.name, job.owner, rank, job.since, 0, 1, job.address)
        order = [demand.name for demand in in_order([*demands, mine], n_slots)]
        before = set(order[: order.index(job.name)] if job.name in order else order)
        before |= {demand.name for demand in demands if demand.held}
        left = [self._seconds_left(self.jobs[name]) for name in before]
        known = [seconds for seconds in left if seconds is not None]
        wait = tuple(sum(ends) / len(known) * len(before) / n_slots for ends in zip(*known, strict=True)) or None
        return {"waiting": len(before), "wait": wait, "has_workers": self.executor.n_slots > 0}
