"""`wait_until` and `awaited`: what a thread or a process does in its own time, waited for."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor


def wait_until(holds, seconds=240.0):
    """Wait until `holds()` says so. Raises AssertionError after a time that no busy machine needs."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"It did not come to pass within {seconds:g} s."
        time.sleep(0.01)


def awaited(coroutine):
    """What it returns; in a thread of its own, since the browser of earlier tests has a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
