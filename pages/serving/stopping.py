"""`stop_in_time`: the server ends soon after it is told to, whatever still runs."""

import logging
import os
import signal
import threading

PATIENCE = 6.0  # seconds for connections to close and pages to be drawn

log = logging.getLogger(__name__)


def stop_in_time():
    """Let SIGINT and SIGTERM do what they do now, and end this process when that takes too long.

    Results are written as soon as they are there, each file whole; the processes that this one has started end when it
    does. Call it in the main thread.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _with_deadline(signal.getsignal(number)))


def _with_deadline(handler):
    def handle(number, frame):
        deadline = threading.Timer(PATIENCE, _end)
        deadline.daemon = True
        deadline.start()
        handler(number, frame)

    return handle


def _end():
    log.warning("The server did not end by itself within %g s, and is ended now.", PATIENCE)
    os._exit(0)
