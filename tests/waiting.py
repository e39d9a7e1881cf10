"""Wait for the result of a thread or a process."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor


def wait_until(holds, seconds=240.0):
    """Wait until `holds()` is true. Raises AssertionError after a time that is enough on a busy machine."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"It did not come to pass within {seconds:g} s."
        time.sleep(0.01)


def awaited(coroutine):
    """Return the result of a coroutine run in a separate thread.

    The browser of earlier tests has an event loop in the current thread.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
