"""Threads over independent pieces of work; kernels release the GIL."""

import itertools
import numbers
import os
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from treecore.errors import ParameterError


def resolve_jobs(n_jobs: int | None) -> int:
    """Return the number of threads for a scikit-learn style `n_jobs` (None or -1: every usable core)."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None or n_jobs == -1:
        return cores
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs < 1:
        raise ParameterError(f"n_jobs={n_jobs!r}: use a whole number of threads >= 1, or None for every core.")
    return int(n_jobs)


@contextmanager
def thread_map(n_jobs: int | None) -> Generator:
    """Yield ``run(function, items) -> list`` on `n_jobs` threads, the calling one included."""
    threads = resolve_jobs(n_jobs)
    if threads == 1:
        yield lambda function, items: [function(item) for item in items]
        return
    with ThreadPoolExecutor(threads - 1) as pool:

        def run(function, items):
            results = [None] * len(items)
            places = itertools.count()  # one step of it is atomic

            def work():
                while (place := next(places)) < len(items):
                    results[place] = function(items[place])

            helpers = [pool.submit(work) for _ in range(min(threads, len(items)) - 1)]
            work()
            for helper in helpers:
                helper.result()
            return results

        yield run


def even_ranges(n: int, parts: int) -> list:
    """Cut ``range(n)`` into at most `parts` contiguous ranges of nearly equal length."""
    parts = max(1, min(parts, n))
    edges = [n * i // parts for i in range(parts + 1)]
    return list(zip(edges[:-1], edges[1:], strict=True))
