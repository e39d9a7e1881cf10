"""Threads for independent tasks. Kernels release the GIL."""

import contextlib
import itertools
import numbers
import os
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from treecore.errors import ParameterError
from treecore.messages import literal


def resolve_jobs(n_jobs: int | None) -> int:
    """Return the number of threads for `n_jobs` in the sense of scikit-learn.

    None means 1, -1 means all usable cores, and -2 means all but one. Raise ParameterError for other values.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs={literal(n_jobs)}: expected a number of threads >= 1, None (1), -1 (every core) or -2 (all "
            "but one)."
        )
    return int(n_jobs) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))


@contextmanager
def thread_map(n_jobs: int | None) -> Generator:
    """Yield ``run(function, items) -> list`` on `n_jobs` threads, including the calling one."""
    threads = resolve_jobs(n_jobs)
    if threads == 1:
        yield lambda function, items: [function(item) for item in items]
        return
    with ThreadPoolExecutor(threads - 1) as pool:

        def run(function, items):
            results = [None] * len(items)
            places = itertools.count()  # next() is atomic
            over = threading.Event()

            def work():
                try:
                    while not over.is_set() and (place := next(places)) < len(items):
                        results[place] = function(items[place])
                finally:  # no item is left, or this thread failed, so no thread starts another item
                    over.set()

            helpers = []
            with contextlib.suppress(RuntimeError):  # at interpreter shutdown, the calling thread runs all items
                helpers += [pool.submit(work) for _ in range(min(threads, len(items)) - 1)]
            work()
            for helper in helpers:
                helper.result()
            return results

        yield run


def even_ranges(n: int, parts: int) -> list:
    """Split ``range(n)`` into at most `parts` contiguous ranges of nearly equal length."""
    parts = max(1, min(parts, n))
    edges = [n * i // parts for i in range(parts + 1)]
    return list(zip(edges[:-1], edges[1:], strict=True))
