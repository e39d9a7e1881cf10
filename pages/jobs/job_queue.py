"""`JobQueue`: the work of all visitors, in pieces on a cluster; its results, which all visitors share."""

import atexit
import contextlib
import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Collection, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from pages.jobs import job_files
from pages.jobs.code_stamp import code_stamps
from pages.jobs.dask_executor import DaskExecutor, Outcome
from pages.jobs.kinds.plans import PLANS, Plan
from pages.jobs.messages import MESSAGES
from pages.jobs.policy import FIRST, LONG, Demand, in_order, next_job
from pages.jobs.settings import JobSettings
from pages.jobs.task_data import data_name, task_data
from treecore.errors import TreecoreError

TICK = 0.25  # seconds between two looks at what is late or left
# seconds that a worker of a machine that is not busy has to stop a piece by itself before it is ended: another takes
# longer to start
GRACE = 2.5
BUSIEST = 8.0  # times as long as that, at most
SHORT = 0.4  # seconds that a page waits for a new job before it shows progress instead
FIRST_POLL = 0.005
WATCHED = 1.5  # seconds after its last poll (two a second) that a session still counts as watching a job
ABANDONED, LEFT = 6.0, 90.0  # seconds without a poll after which a job gives way to others; and stops in any case
IN_MEMORY = 24  # jobs that are over, those asked for a short while ago aside
REMEMBERED = 60.0  # seconds
MOST_ASKED = 10_000  # jobs whose settings are known, so that they can be read again
ATTEMPTS = 3  # of a piece whose worker is lost
RECENT = 3
STAMPS = "code-stamps.json"  # file of the folder

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
    lost: dict[int, int] = field(default_factory=dict)  # piece -> how often its worker was lost
    watchers: dict[str, float] = field(default_factory=dict)
    touched: float = 0.0
    total: int | None = None
    news: dict[str, Any] = field(default_factory=dict)
    recent: list[float] = field(default_factory=list)  # seconds that the last results took
    began: float = 0.0
    seconds: float = 0.0
    written: float = 0.0
    is_kept: bool = True  # whether results are written
    is_left: bool = False  # stopped because nobody watched it, so that it goes on when somebody does

    @property
    def is_open(self) -> bool:
        return self.state in job_files.RUNNING_STATES


@dataclass
class _Held:
    """A piece in a slot."""

    job: _Job
    piece: int
    began: float
    end_at: float | None = None  # when its worker is ended, having been asked to stop


class JobQueue:
    """Jobs of all sessions; all methods may be called from any thread, and none waits but `wait`.

    executor : where pieces run, as `DaskExecutor`; folder : Path of the results that are kept.

    jobs, held : the jobs in memory by name, and the pieces that run by slot; both change under the `lock` only.
    """

    def __init__(self, executor: DaskExecutor, folder: Path) -> None:
        self.executor, self.folder = executor, folder
        # of the code as it was imported, before anybody edits it
        self._stamps = code_stamps({kind: plan.task for kind, plan in PLANS.items()}, folder / STAMPS)
        self.lock = threading.RLock()
        self.jobs: dict[str, _Job] = {}
        self.held: dict[str, _Held] = {}
        # settings and fingerprint of every job, also of one that is in memory no more
        self._asked: dict[str, tuple[JobSettings, str]] = {}
        self._events = ThreadPoolExecutor(1, thread_name_prefix="jobs")
        self._preparing = ThreadPoolExecutor(2, thread_name_prefix="prepare")
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
        """Name of the job for these settings; it is queued unless it is there. `again` goes on with a stopped one.

        fingerprint : of the data; visitor : who asks, one of whose jobs runs at a time while others wait; session : of
        theirs, which watches the job from now on, and leaves those of the same kind that it has watched before;
        address : of the network that they come from
        """
        name = job_files.job_id(settings, fingerprint, self._stamps[settings.kind])
        now = time.monotonic()
        with self.lock:
            self._asked.pop(name, None)
            self._asked[name] = settings, fingerprint
            if len(self._asked) > MOST_ASKED:
                del self._asked[next(iter(self._asked))]
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

    def knows(self, name: str) -> bool:
        """Whether a job was asked for here, was not stopped unwatched, and not too many others were asked for since."""
        with self.lock:
            return name in self._asked

    def status(self, name: str, session: str | None = None) -> dict[str, Any]:
        """Progress of a job as a dict: state, done, total, lam, error, left (seconds), message, waiting (jobs before
        it), wait (seconds. Raises KeyError for one that nobody knows."""
        now = time.monotonic()
        with self._known(name) as job:
            if session is not None:
                job.watchers[session] = now
            status = {"state": job.state, "done": len(job.done), "total": job.total or 0, "seconds": job.seconds,
                      "left": self._left(job), "waiting": 0, "wait": None} | job.news  # fmt: skip
            if job.state == "queued":
                status |= self._waiting(job)
        return status

    def wait(self, name: str) -> str:
        """Wait for a job that has only just been queued, as long as a visitor does not notice; return its state."""
        with self._known(name) as job:
            pass
        return self._wait(job)

    def points(self, name: str) -> list[Any]:
        """The results of a job that are ready, in order. Raises KeyError for one that nobody knows."""
        with self._known(name) as job:
            return [] if job.plan is None else job.plan.shown(job.done)

    def cancel(self, name: str, session: str | None) -> bool:
        """Stop a job, unless another session is watching it. Returns whether it is being stopped."""
        with self._known(name) as job:
            job.watchers.pop(session, None)
            now = time.monotonic()
            if any(now - seen < WATCHED for seen in job.watchers.values()):
                return False
            if job.is_open:
                self._stop(job, "cancelled")
            return True

    def counts(self) -> dict[str, int]:
        """{what: int} for whoever runs the server: jobs that wait and run, workers, and how often those ended."""
        with self.lock:
            states = [job.state for job in self.jobs.values()]
        executor = self.executor
        return {
            "queued": states.count("queued"), "running": states.count("running"), "workers": executor.n_slots,
            "worker_deaths": executor.n_deaths, "cluster_restarts": executor.n_restarts,
        }  # fmt: skip

    def drop_data(self, names: Collection[str]) -> None:
        """Stop and forget all jobs on these data sets, here and on the workers; their files go with the data."""
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
        """End all work; called when the app ends."""
        self._closed.set()
        for pool in (self._events, self._preparing):
            pool.shutdown(wait=False, cancel_futures=True)
        self.executor.close()

    @contextlib.contextmanager
    def _known(self, name: str) -> Generator[_Job]:
        """A job that was asked for once; where it has gone from memory it is read again."""
        with self.lock:
            is_here = name in self.jobs
            if not is_here:
                self.submit(*self._asked[name])
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

    # --- one thing after the other, in a thread of its own

    def _wake(self, *news: Any) -> None:
        self._post(lambda: None)

    def _post(self, event: Callable[[], Any], job: _Job | None = None) -> None:
        """Do something soon, and see what can begin then; `job` : the one that fails when this goes wrong."""

        def run() -> None:
            with self.lock:
                event()
                self._look(time.monotonic())
                self._begin_pieces()

        with contextlib.suppress(RuntimeError):  # it is closed
            self._events.submit(run).add_done_callback(lambda future: self._note(future, job))

    def _note(self, future: Future, job: _Job | None) -> None:
        """Nothing that nobody has thought of stops the work of others."""
        error = None if future.cancelled() else future.exception()
        if error is not None:
            log.error("An event handler of a job failed", exc_info=error)
            if job is not None:
                with self.lock:
                    self._fail(job, MESSAGES("job.failed", type=type(error).__name__, error=str(error)))

    def _tick(self) -> None:
        while not self._closed.wait(TICK):
            self._wake()

    def _look(self, now: float) -> None:
        """End workers that do not stop, and jobs that nobody watches."""
        for slot, held in self.held.items():
            if held.end_at is not None and now > held.end_at:
                held.end_at = now + 10 * GRACE
                self.executor.end(slot)
        n_queued = sum(job.state == "queued" for job in self.jobs.values())
        for job in [job for job in self.jobs.values() if job.is_open]:
            unwatched = now - max(job.watchers.values(), default=job.since)
            unasked = now - max([job.touched, job.since, *job.watchers.values()])
            others = n_queued - (job.state == "queued")
            if (others and unwatched > ABANDONED) or unasked > LEFT:
                self._stop(job, "cancelled")
                self._forget(job.name)

    def _begin_pieces(self) -> None:
        slots = self.executor.slots() if self._demands() else []  # workers are started for who needs them
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
                "given": job.plan.given(piece, job.done), "is_long": job.plan.rank >= LONG}  # fmt: skip
        now = time.monotonic()
        job.running[piece] = slot
        job.state, job.began = "running", job.began or now
        self.held[slot] = held = _Held(job, piece, now)
        name = data_name(job.settings)
        self.executor.begin(
            slot, call, (name, job.fingerprint), lambda: task_data(name),
            lambda outcome: self._post(lambda: self._ended(slot, held, outcome), job),
        )  # fmt: skip

    def _ended(self, slot: str, held: _Held, outcome: Outcome) -> None:
        """A piece has ended, well or not."""
        if self.held.get(slot) is held:
            del self.held[slot]
        job, piece = held.job, held.piece
        job.running.pop(piece, None)
        answer = outcome.answer or {"results": []}
        took = (time.monotonic() - held.began) / max(len(answer["results"]), 1)
        for record in answer["results"]:
            self._take(job, record, took)
        if not job.is_open:
            return
        if "failed" in answer or outcome.error is not None:
            self._fail(job, answer.get("failed") or MESSAGES("job.failed_piece", error=str(outcome.error)))
        elif outcome.lost and held.end_at is None:
            job.lost[piece] = job.lost.get(piece, 0) + outcome.fatal
            if outcome.fatal:  # let others use what workers are left
                job.since = time.monotonic()
            if job.lost[piece] >= ATTEMPTS:
                self._lost(job, piece)
        if job.is_open:
            self._end_if_done(job)

    def _lost(self, job: _Job, piece: int) -> None:
        message = MESSAGES("job.lost")
        result = job.plan.lost(piece, message)
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
                job_files.write_json(job_files.point_path(self.folder / job.name, index), record)
                job.plan.keep(result)
        except OSError as error:
            self._fail(job, job_files.cannot_be_kept(error))
            return
        job.done[index] = result
        job.total = record.get("total") or job.total
        job.recent = [*job.recent, took][-RECENT:]
        job.seconds = time.monotonic() - job.began
        if job.is_open:  # else it says why it has ended
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
        """End a job at once for everybody who asks; its workers have a moment to stop."""
        job.state = state
        for slot in job.running.values():
            self.held[slot].end_at = time.monotonic() + GRACE * _load()
            self.executor.stop(slot)
        self._write(job)

    def _write(self, job: _Job) -> None:
        if not job.is_kept:
            return
        job.written = time.monotonic()
        told = {"state": job.state, "total": job.total, "seconds": job.seconds, "data_set": data_name(job.settings)}
        try:
            job_files.write_json(self.folder / job.name / job_files.PROGRESS, told)
        except OSError as error:
            if job.state == "done":  # for everybody who is here; the next server trains it again
                log.warning("%s", job_files.cannot_be_kept(error))
            self._fail(job, job_files.cannot_be_kept(error))

    # --- jobs that come and go

    def _enqueue(self, job: _Job) -> None:
        job.since, job.state, job.news, job.lost, job.is_left = time.monotonic(), "queued", {}, {}, False
        if job.plan is None:
            self._preparing.submit(self._prepare, job).add_done_callback(lambda future: self._note(future, job))
        else:  # all of it may have come after it was stopped
            self._post(lambda: self._end_if_done(job) if job.is_open else None, job)

    def _prepare(self, job: _Job) -> None:
        """Find out the pieces of a job and what is there already, which may take as long as to load its data."""
        try:
            plan = PLANS[job.settings.kind](job.settings)
            saved, total = job_files.saved_points(self.folder / job.name, plan.result)
            if plan.total is None:
                plan.total = total if total == len(saved) > 0 else None
            saved = {} if plan.total is None else saved | plan.restored()
        except (TreecoreError, OSError, MemoryError) as error:
            message = str(error)
            self._post(lambda: self._fail(job, message), job)
            return

        def prepared() -> None:
            if job.plan is not None:  # stopped and asked for again meanwhile
                return
            job.plan, job.total, job.done = plan, plan.total, saved
            if saved:
                job.news = plan.news(saved[max(saved)])
            if job.is_open:
                self._end_if_done(job)

        self._post(prepared, job)

    def _forget_old(self, now: float) -> None:
        over = [job for job in self.jobs.values() if not job.is_open and now - job.touched > REMEMBERED]
        over.sort(key=lambda job: job.touched)
        for job in over[: max(0, len(self.jobs) - IN_MEMORY)]:
            del self.jobs[job.name]

    def _forget(self, name: str) -> None:
        self.jobs.pop(name, None)
        self._asked.pop(name, None)

    # --- what a visitor is told

    def _hear(self, name: str, news: dict[str, Any]) -> None:
        with self.lock:
            if name in self.jobs and self.jobs[name].is_open:
                self.jobs[name].news |= news

    def _left(self, job: _Job) -> float | None:
        """Seconds until a running job is done, None as long as too little is known: the first result takes longest."""
        if len(job.recent) < RECENT or not job.total:
            return None
        return median(job.recent) * (job.total - len(job.done)) / max(len(job.running), 1)

    def _waiting(self, job: _Job) -> dict[str, Any]:
        """Jobs that come before a queued one, and the seconds until it begins as far as they are known."""
        n_slots = max(len(self.executor.slots()), 1)
        demands = [demand for demand in self._demands() if demand.name != job.name]
        rank = FIRST if job.plan is None or job.plan.rank < LONG else job.plan.rank
        mine = Demand(job.name, job.owner, rank, job.since, 0, 1, job.address)
        order = [demand.name for demand in in_order([*demands, mine], n_slots)]
        before = set(order[: order.index(job.name)] if job.name in order else order)
        before |= {demand.name for demand in demands if demand.held}
        left = [self._left(self.jobs[name]) for name in before]
        known = [seconds for seconds in left if seconds is not None]
        wait = sum(known) / len(known) * len(before) / n_slots if known else None
        return {"waiting": len(before), "wait": wait}


def _load() -> float:
    """How many times as long things take as on a machine with a core for everything that runs."""
    return min(max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0), BUSIEST) if hasattr(os, "getloadavg") else 1.0
