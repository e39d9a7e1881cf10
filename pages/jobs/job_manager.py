"""Training jobs of all sessions: one worker process, a queue, results that every session shares."""

import atexit
import shutil
import threading
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from pages.jobs import job_files
from pages.jobs.code_stamp import code_stamp
from pages.jobs.point import Point
from pages.jobs.tasks import TASKS
from pages.jobs.worker_process import WorkerProcess

GRACE = 0.6  # seconds that the worker has to stop by itself before it is ended
POLL, FIRST_POLL = 0.05, 0.005  # seconds between two looks at a job; a short one is looked at more often
SHORT = 0.4  # seconds that a page waits for a new job before it shows progress instead
PATHS_IN_MEMORY = 12
WATCHED = 1.5  # seconds after its last poll (two a second) that a session still counts as watching a job
ABANDONED = 6.0  # seconds without a poll after which a job gives way to others


@dataclass
class _Job:
    id: str
    folder: Path  # of the latest attempt; a finished one moves to a folder named after the job
    state: str = "queued"
    watchers: dict = field(default_factory=dict)
    since: float = field(default_factory=time.monotonic)
    points: list = field(default_factory=list)


class JobManager:
    """Runs jobs one at a time in a worker; all methods may be called from any thread.

    start_worker : function from the Path of a log to a worker, as `WorkerProcess`.
    """

    def __init__(self, start_worker=WorkerProcess):
        self.folder = job_files.jobs_folder()
        # of the code as it was imported, before anybody edits it
        self._stamps = {kind: code_stamp(task.__module__) for kind, task in TASKS.items()}
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._queue = []
        self._jobs = OrderedDict()
        self._stopping = self._busy = False
        self._start_worker = lambda: start_worker(self.folder / "worker.log")
        self._worker = self._start_worker()
        atexit.register(self.stop)
        threading.Thread(target=self._serve, name="jobs", daemon=True).start()

    def submit(self, settings, fingerprint, again=False):
        """Id of the job for these settings; it is queued unless it is there already. `again` retrains a stopped one."""
        name = job_files.job_id(settings, fingerprint, self._stamps[settings.kind])
        with self._lock:
            job = self._jobs.get(name)
            if job is None:
                job = self._jobs[name] = _Job(name, self.folder / name)
                if job_files.is_complete(job.folder):
                    job.state = "done"
                else:
                    self._enqueue(job, settings)
            elif again and job.state in ("cancelled", "failed"):
                self._enqueue(job, settings)
            self._jobs.move_to_end(name)
            self._forget_old()
        return name

    def knows(self, name):
        """Whether a job is still in memory; many others may have pushed it out."""
        with self._lock:
            return name in self._jobs

    def status(self, name, session=None):
        """Progress of a job as a dict: state, done, total, lam, error, seconds, message, waiting (jobs before it)."""
        with self._lock:
            job = self._jobs[name]
            if session is not None:
                job.watchers[session] = time.monotonic()
            waiting = self._queue.index(job) + self._busy if job in self._queue else 0
            state, folder = job.state, job.folder
        saved = job_files.read_json(folder / job_files.PROGRESS) or {}
        return {"done": 0, "total": 0, "recent": [], "seconds": 0.0} | saved | {"state": state, "waiting": waiting}

    def wait(self, name):
        """Wait for a job that has only just been queued, as long as a visitor does not notice; return its state."""
        with self._lock:
            job = self._jobs[name]
        while job.state in job_files.RUNNING_STATES and time.monotonic() < job.since + SHORT:
            time.sleep(FIRST_POLL)
        return job.state

    def points(self, name, read=Point.from_record):
        """The results of a job that are ready, in order; `read` makes one of what the worker has written."""
        with self._lock:
            job = self._jobs[name]
        while (record := job_files.read_json(job_files.point_path(job.folder, len(job.points)))) is not None:
            index = record["index"]
            point = read(record)
            with self._lock:
                if len(job.points) == index:
                    job.points.append(point)
        return list(job.points)

    def cancel(self, name, session):
        """Stop a job, unless another session is watching it. Returns whether it is being stopped."""
        with self._lock:
            job = self._jobs[name]
            job.watchers.pop(session, None)
            now = time.monotonic()
            if any(now - seen < WATCHED for seen in job.watchers.values()):
                return False
            if job.state in job_files.RUNNING_STATES:
                self._stop_job(job)
            return True

    def abandon(self, name, session):
        """Stop a job that a session has left, and forget it, unless it is over or another session is watching it."""
        with self._lock:
            running = name in self._jobs and self._jobs[name].state in job_files.RUNNING_STATES
        if running and self.cancel(name, session):
            with self._lock:
                self._jobs.pop(name, None)

    def stop(self):
        """End the worker; called when the app ends."""
        with self._lock:
            self._stopping = True
            self._wake.notify()
        self._worker.end()

    def _enqueue(self, job, settings):
        job.folder = self.folder / f"run-{uuid.uuid4().hex}"
        job.folder.mkdir(parents=True)
        job_files.write_json(job.folder / job_files.REQUEST, job_files.request(settings))
        job.since = time.monotonic()
        job.state, job.points = "queued", []
        self._queue.append(job)
        self._wake.notify()

    def _forget_old(self):
        for name in list(self._jobs)[:-PATHS_IN_MEMORY]:
            if self._jobs[name].state not in job_files.RUNNING_STATES:
                del self._jobs[name]
        job_files.drop_old_jobs(self.folder, {job.folder.name for job in self._jobs.values()})

    def _serve(self):
        while True:
            with self._lock:
                while not self._queue and not self._stopping:
                    self._wake.wait()
                if self._stopping:
                    return
                job = self._queue.pop(0)
                job.state = "running"
                folder = job.folder
                self._busy = True
            self._run(job, folder)
            self._busy = False

    def _run(self, job, folder):
        if not self._worker.is_alive():  # it died while idle, which is not the fault of this job
            self._restart_worker()
        self._worker.begin(folder)
        stop_at = None
        while not self._stopping:
            saved = job_files.read_json(folder / job_files.PROGRESS)
            if saved is not None and saved["state"] not in job_files.RUNNING_STATES:
                self._end(job, folder, saved["state"])
                return
            self._drop_unwatched(job)
            if stop_at is None and (folder / job_files.CANCEL).exists():
                stop_at = time.monotonic() + GRACE
            died = not self._worker.is_alive()
            if died or (stop_at is not None and time.monotonic() > stop_at):
                self._restart_worker()
                message = "The training process ended unexpectedly (it may have run out of memory)."
                job_files.write_json(folder / job_files.PROGRESS, (saved or {}) | {"message": message})
                self._end(job, folder, "failed" if stop_at is None else "cancelled")
                return
            time.sleep(POLL if time.monotonic() > job.since + SHORT else FIRST_POLL)

    def _restart_worker(self):
        self._worker.end()
        self._worker = self._start_worker()

    def _drop_unwatched(self, running):
        """Stop jobs that every browser has left, as soon as somebody else waits for the worker."""
        with self._lock:
            now = time.monotonic()
            for job in [*self._queue, running] if self._queue else []:
                seen = max(job.watchers.values(), default=job.since)
                if now - seen > ABANDONED and job.state in job_files.RUNNING_STATES:
                    self._stop_job(job)
                    self._jobs.pop(job.id, None)

    def _stop_job(self, job):
        job.state = "cancelled"  # at once for everybody who asks; the worker is given a moment to stop
        (job.folder / job_files.CANCEL).touch()
        if job in self._queue:
            self._queue.remove(job)

    def _end(self, job, folder, state):
        with self._lock:
            if job.folder != folder:  # trained again meanwhile
                return
            if state == "done":
                shutil.rmtree(self.folder / job.id, ignore_errors=True)
                job.folder = folder.rename(self.folder / job.id)
            if job.state == "running" or state == "done":  # it was done before it heard of being cancelled
                job.state = state
