"""Measure how long visitors wait for trees while other work runs.

    python -m benchmarks.work [--visitors 20]
    python -m benchmarks.work --faults SECONDS [--every 8] [--folder A_SMALL_TMPFS]

The cases are a first tree during another visitor's long comparison, and a class that opens the same page at once. The
jobs run on the workers that the app would start (pages/jobs), after a warm-up: first each job alone, then the same job
with other work. With `--faults`, jobs of all kinds run for SECONDS instead. Every few seconds, a worker or
the whole cluster is killed, the folder of results is erased, or its disk is filled. No job may be lost, and the app's
memory may not grow.
"""

import argparse
import contextlib
import os
import random
import shutil
import tempfile
import threading
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from statistics import median

import psutil

import sample_data
from pages.jobs.job_executor import JobExecutor
from pages.jobs.job_queue import JobQueue
from pages.jobs.settings import ComparisonSettings, PhaseSettings, Settings
from treecore.comparison.methods import METHODS

LOOK = 0.02  # seconds


def main():
    """Measure and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--faults", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--every", type=float, default=8.0, help="seconds between two faults")
    parser.add_argument("--folder", help="folder for the results")
    chosen = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="work-", dir=chosen.folder))
    folder = place / "jobs"
    folder.mkdir()
    os.environ["TAO_JOBS"] = str(folder)
    jobs = JobQueue(JobExecutor(place / "cluster.log"), folder)
    try:
        for seed in range(3):  # compiles the kernels in every worker
            seconds(jobs, Settings("wine", seed=900 + seed), f"warm {seed}")
            seconds(jobs, Settings(seed=900 + seed, n_lambdas=4), f"warm {seed}")
        if chosen.faults:
            faults(jobs, chosen.faults, chosen.every)
        else:
            beside_a_comparison(jobs)
            a_class(jobs, chosen.visitors)
    finally:
        jobs.close()
        shutil.rmtree(place, ignore_errors=True)


def beside_a_comparison(jobs):
    """Time visitor B's default first path, alone and while visitor A compares all methods."""
    alone = [seconds(jobs, Settings(seed=seed), "b") for seed in (1, 2, 3)]
    long = ComparisonSettings("digits", tuple(METHODS), repeats=10)
    name = submitted(jobs, long, "a")
    while not jobs.points(name):
        jobs.status(name, "a")
        time.sleep(LOOK)
    stop = threading.Event()
    threading.Thread(target=lambda: [jobs.status(name, "a") for _ in iter(lambda: stop.wait(0.5), True)]).start()
    beside = [seconds(jobs, Settings(seed=seed), "b") for seed in (11, 12, 13)]
    state = jobs.status(name)["state"]
    stop.set()
    jobs.cancel(name, "a")
    for what, place in (("first tree", 0), ("whole path", 1)):
        one, other = (median(found[place] for found in times) for times in (alone, beside))
        print(
            f"{what}: alone {one:.2f} s, beside a comparison of {len(METHODS)} methods ({state}) {other:.2f} s: "
            f"{other / one:.2f} times"
        )


def a_class(jobs, n_visitors):
    """Time visitors who all open a path of 30 λ values on wine at once, with different seeds."""
    cores = len(os.sched_getaffinity(0))
    work = sum(seconds(jobs, Settings("wine", seed=100 + k), f"alone {k}")[1] for k in range(n_visitors))
    found = {}

    def visit(k):
        found[k] = seconds(jobs, Settings("wine", seed=200 + k), f"v{k}")

    threads = [threading.Thread(target=visit, args=(k,)) for k in range(n_visitors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    firsts, wholes = zip(*found.values(), strict=True)
    print(
        f"{n_visitors} visitors at once: first tree {min(firsts):.2f} to {max(firsts):.2f} s, whole path "
        f"{min(wholes):.2f} to {max(wholes):.2f} s; one after the other {work:.2f} s, over {cores} cores "
        f"{work / cores:.2f} s: {max(wholes) / (work / cores):.2f} times"
    )


def faults(jobs, duration, every):
    """Run jobs while parts fail. Assert that every job ends, and that the app's memory does not grow."""
    rng, disaster = random.Random(0), Disaster(jobs, every)
    done, refused, failed, first, end = 0, 0, Counter(), None, time.monotonic() + duration
    next_word = time.monotonic()
    while time.monotonic() < end:
        batch = list(a_batch(rng))
        names = {submitted(jobs, settings, f"v{k}"): (settings, f"v{k}") for k, settings in enumerate(batch)}
        while names:
            time.sleep(LOOK)
            disaster.look(done)
            for name in [*names]:
                if not jobs.has_job(name):  # expired during a long pause; a page also submits it again
                    submitted(jobs, *names[name])
                status = jobs.status(name, "all")
                if status["state"] == "failed" and "cannot be kept" in status["message"]:
                    if not disaster.is_full:  # the app asks the visitor to wait for free space
                        refused += 1
                        jobs.submit(names[name][0], sample_data.load(names[name][0].data_set).fingerprint, again=True)
                elif status["state"] not in ("queued", "running"):
                    del names[name]
                    if status["state"] == "done" and len(jobs.points(name)) == status["total"]:
                        done += 1
                    else:
                        failed[status.get("message", status["state"])] += 1
        first = first or (held() if done >= 500 else None)
        if time.monotonic() > next_word:
            next_word = time.monotonic() + 60
            print(f"{done} jobs, {refused} refused, failed {dict(failed)}; {dict(disaster.done)}; {held()}", flush=True)
    disaster.over()
    print(
        f"{done} jobs done, {refused} of them first refused because the disk was full, failed {dict(failed)}; faults "
        f"{dict(disaster.done)}; the app after 500 jobs {first}, at the end {held()}"
    )


def a_batch(rng):
    """Return the settings of twenty new jobs of all kinds."""
    seeds = iter(rng.sample(range(10**6), 20))
    yield ComparisonSettings("iris", ("cart", "c50"), repeats=2, inner=2, seed=next(seeds))
    yield PhaseSettings("iris", n_lambdas=3, costs=(1.0, 1.5), seed=next(seeds))
    yield Settings("iris", split="univariate", init="cart", lambdas="critical", max_depth=3, seed=next(seeds))
    for seed in seeds:
        yield Settings("wine" if seed % 2 else "iris", n_lambdas=4, max_depth=3, seed=seed)


def held():
    """Return the memory, threads and files of this process, as text."""
    process = psutil.Process()
    return f"{process.memory_info().rss / 2**20:.0f} MB, {process.num_threads()} threads, {process.num_fds()} files"


class Disaster:
    """Faults that occur in turn. Each fault comes some seconds and some finished jobs after the previous one.

    done : number of occurrences of each fault; is_full : whether the disk is full. Only a small disk is filled.
    """

    FULL = 2.0  # seconds
    JOBS = 14  # number of jobs done between two faults

    def __init__(self, jobs, every):
        self._jobs, self._every, self._next, self._next_jobs = jobs, every, time.monotonic() + every, 0
        self._filling, self.done = jobs.folder.parent / "filling", Counter()
        small = shutil.disk_usage(jobs.folder.parent).total < 2**28
        self._kinds = cycle([self.worker, self.folder, self.worker, self.cluster, *[self.disk] * small])

    @property
    def is_full(self):
        return self._filling.exists()

    def look(self, n_jobs):
        """Cause the next fault if it is time.

        n_jobs : number of finished jobs.
        """
        now = time.monotonic()
        if self.is_full and now > self._full_until:
            self.over()
        elif now > self._next and n_jobs >= self._next_jobs:
            self._next, self._next_jobs = now + self._every, n_jobs + self.JOBS
            kind = next(self._kinds)
            kind()
            self.done[kind.__name__] += 1

    def over(self):
        """Free the disk space."""
        self._filling.unlink(missing_ok=True)

    def worker(self):
        """Kill one worker."""
        workers = psutil.Process(self._jobs.executor.process.pid).children()
        if workers:
            random.choice(workers).kill()

    def cluster(self):
        """Kill the scheduler and all nannies."""
        self._jobs.executor.process.kill()

    def folder(self):
        """Erase all results."""
        shutil.rmtree(self._jobs.folder, ignore_errors=True)

    def disk(self):
        """Fill the disk."""
        self._full_until = time.monotonic() + self.FULL
        with contextlib.suppress(OSError), self._filling.open("wb", buffering=0) as stream:
            while stream.write(bytes(4096)):
                pass


def submitted(jobs, settings, visitor):
    """Submit a job and return its name."""
    return jobs.submit(settings, sample_data.load(settings.data_set).fingerprint, visitor=visitor)


def seconds(jobs, settings, visitor):
    """Return the seconds until the first tree and until the whole path of a job."""
    began, first = time.monotonic(), None
    name = submitted(jobs, settings, visitor)
    while True:
        status = jobs.status(name, visitor)
        if first is None and status["done"]:
            first = time.monotonic() - began
        if status["state"] not in ("queued", "running"):
            assert status["state"] == "done", status
            return first, time.monotonic() - began
        time.sleep(LOOK)


if __name__ == "__main__":
    main()
