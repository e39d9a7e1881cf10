"""Limit log lines that a visitor could cause many times."""

import logging
import threading
import time
from collections.abc import Callable

EVERY = 60.0  # seconds between two log lines of the same kind


class SeldomLog:
    """Log each message at most once a minute, with the number of omitted lines. Thread-safe."""

    def __init__(self, name: str, every: float = EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._every, self._clock = logging.getLogger(name), every, clock
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._held_back: dict[str, int] = {}

    def warning(self, message: str, *values: object) -> None:
        """Log a message now, or count it for the next line of its kind."""
        with self._lock:
            now = self._clock()
            if now < self._next.get(message, now):
                self._held_back[message] = self._held_back.get(message, 0) + 1
                return
            self._next[message] = now + self._every
            held_back = self._held_back.pop(message, 0)
        self._log.warning(message, *values)
        if held_back:
            self._log.warning(f"{held_back} similar lines omitted.")
