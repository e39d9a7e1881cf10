"""Functions that affect their process as a file could affect its reader, run by `limited_process` in the tests."""

import os
import re
import signal
import time

import numpy as np

from pages.jobs import limited_host
from treecore.errors import DataError


def add(report, a, b):
    return {"sum": a + b, "process": os.getpid(), "parent": os.getppid()}


def count(report, total):
    for done in range(total):
        report(done, total, "step")
        time.sleep(0.15)
    return total


def hold_the_lock(report):
    """Call C code that never returns and never releases the interpreter lock."""
    re.fullmatch(r"(\d+\.?\d*)+", "1" * 100 + "x")


def sleep_deaf(report, place):
    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    with open(place, "w") as stream:
        stream.write(str(os.getpid()))
    time.sleep(600)


def take_memory(report, megabytes, in_steps):
    kept = (
        [np.ones(1_000_000, np.uint8) for _ in range(megabytes)]
        if in_steps
        else np.ones(megabytes * 1_000_000, np.uint8)
    )
    time.sleep(3 * limited_host.WATCH)  # other systems than Linux check the memory so often
    return len(kept)


def take_memory_in_words(report):
    try:
        np.ones(10**12, np.uint8)
    except MemoryError as fault:
        raise DataError("The file needs too much.") from fault


def fail(report):
    raise DataError("The file is a picture.")


def break_down(report):
    raise KeyError("secret value of a visitor")


def abort(report):
    os.abort()


def unwritable(report):
    return {"value": object()}
