"""`wait_until`: what a thread or a process does in its own time, waited for."""

import time


def wait_until(holds, seconds=240.0):
    """Wait until `holds()` says so. Raises AssertionError after a time that no busy machine needs."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"It did not come to pass within {seconds:g} s."
        time.sleep(0.01)
