"""Waiting for trees: a first tree beside somebody's long comparison; a class that opens the same page at once.

    python -m benchmarks.work [--visitors 20] [--faults SECONDS]

Everything runs on the workers that the app would start (pages/jobs), in one run, after a warm-up: first what is needed
alone, then the same beside other work. `--faults` : instead, jobs on and off for so many seconds, while every few
seconds a worker or the whole cluster is killed or the folder of results erased; nothing may be lost.
"""

import argparse
import os
import random
import shutil
import signal
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import psutil

import sample_data
from pages.jobs.dask_executor import DaskExecutor
from pages.jobs.job_queue import JobQueue
from pages.jobs.settings import ComparisonSettings, Settings
from treecore.comparison.methods import METHODS

LOOK = 0.02  # seconds


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--faults", type=float, default=0.0, metavar="SECONDS")
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="work-"))
    os.environ["TAO_JOBS"] = str(folder)
    jobs = JobQueue(DaskExecutor(folder / "cluster.log"), folder)
    try:
        for seed in range(3):  # kernels of every worker
            seconds(jobs, Settings("wine", seed=900 + seed), f"warm {seed}")
            seconds(jobs, Settings(seed=900 + seed, n_lambdas=4), f"warm {seed}")
        if chosen.faults:
            faults(jobs, chosen.faults)
        else:
            beside_a_comparison(jobs)
            a_class(jobs, chosen.visitors)
    finally:
        jobs.close()
        shutil.rmtree(folder, ignore_errors=True)


def beside_a_comparison(jobs):
    """The default first path of visitor B, alone and while A compares all methods."""
    alone = [seconds(jobs, Settings(seed=seed), "b") for seed in (1, 2, 3)]
    long = ComparisonSettings("digits", tuple(METHODS), repeats=10)
    name = jobs.submit(long, sample_data.load("digits").fingerprint, visitor="a")
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
        print(f"{what}: alone {one:.2f} s, beside a comparison of {len(METHODS)} methods ({state}) {other:.2f} s: "
              f"{other / one:.2f} times")  # fmt: skip


def a_class(jobs, n_visitors):
    """Visitors who open a path of 30 lambdas of wine at once, each with a seed of their own."""
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
    print(f"{n_visitors} visitors at once: first tree {min(firsts):.2f} to {max(firsts):.2f} s, whole path "
          f"{min(wholes):.2f} to {max(wholes):.2f} s; one after the other {work:.2f} s, over {cores} cores "
          f"{work / cores:.2f} s: {max(wholes) / (work / cores):.2f} times")  # fmt: skip


def faults(jobs, duration):
    """Jobs on and off while things die; at the end every job is done, and memory is where it was."""
    process, rng = psutil.Process(), random.Random(0)
    end, next_fault = time.monotonic() + duration, time.monotonic() + 5
    done, failed, killed = 0, {}, {"worker": 0, "cluster": 0, "folder": 0}
    memory = None
    while time.monotonic() < end:
        names = [
            jobs.submit(replace(Settings("wine", n_lambdas=5, max_depth=3), seed=rng.randrange(10**6)),
                        sample_data.load("wine").fingerprint, visitor=f"v{k}") for k in range(20)
        ]  # fmt: skip
        while any(jobs.status(name, "all")["state"] in ("queued", "running") for name in names):
            time.sleep(LOOK)
            if time.monotonic() > next_fault:
                next_fault = time.monotonic() + rng.uniform(5, 15)
                killed[fault(jobs, rng)] += 1
        for name in names:
            status = jobs.status(name)
            if status["state"] == "done" and len(jobs.points(name)) == 5:
                done += 1
            else:
                failed[status.get("message", status["state"])] = failed.get(status.get("message"), 0) + 1
        memory = memory or (process.memory_info().rss if done >= 200 else None)
    grown = (process.memory_info().rss - memory) / 2**20 if memory else float("nan")
    print(f"{done} jobs done, {sum(failed.values())} failed {failed}; killed {killed}; "
          f"memory of the app after 200 jobs and at the end: {grown:+.1f} MB")  # fmt: skip


def fault(jobs, rng):
    """Do one thing that should not happen; returns what."""
    what = rng.choice(["worker", "worker", "worker", "cluster", "folder"])
    workers = psutil.Process(jobs._executor._process.pid).children()
    if what == "worker" and workers:
        rng.choice(workers).send_signal(signal.SIGKILL)
    elif what == "cluster":
        jobs._executor._process.kill()
    else:
        shutil.rmtree(jobs.folder, ignore_errors=True)
    return what


def seconds(jobs, settings, visitor):
    """(to the first tree, to the whole path) of a job."""
    began, first = time.monotonic(), None
    name = jobs.submit(settings, sample_data.load(settings.data_set).fingerprint, visitor=visitor)
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
