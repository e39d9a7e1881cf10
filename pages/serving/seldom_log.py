"""`SeldomLog`: log lines that a visitor could cause a thousand times."""

import logging
import threading
import time

from pages.serving.messages import MESSAGES

EVERY = 60.0  # seconds between two lines of one kind


class SeldomLog:
    """Logs an event of one kind at most once a minute, with the number of those before it; for any thread."""

    def __init__(self, name, every=EVERY, clock=time.monotonic):
        self._log, self._every, self._clock = logging.getLogger(name), every, clock
        self._lock = threading.Lock()
        self._next, self._held_back = {}, {}

    def warning(self, message, *values):
        """Log it now, or count it for the next line of the same message."""
        with self._lock:
            now = self._clock()
            if now < self._next.get(message, now):
                self._held_back[message] = self._held_back.get(message, 0) + 1
                return
            self._next[message] = now + self._every
            held_back = self._held_back.pop(message, 0)
        self._log.warning(message, *values)
        if held_back:
            self._log.warning(MESSAGES("left_out", n=held_back))
