"""`stop_in_time`: the server ends soon after SIGINT or SIGTERM, whatever still runs."""

import logging
import os
import signal
import threading

from uvicorn import Server

PATIENCE = 6.0  # seconds for connections to close and pages to be drawn

log = logging.getLogger(__name__)


def stop_in_time() -> None:
    """Have both signals end this process well (0), with what runs at its exit, or at once when that takes too long.

    Call it in the main thread while uvicorn serves. By itself uvicorn waits for every connection, then gives itself
    the signal again, which for SIGTERM leaves out what runs at the exit. Results are written as soon as they are there,
    each file whole; the processes that this one has started end when it does.
    """
    server = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    if isinstance(server, Server):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: _stop(server))


def _stop(server: Server) -> None:
    server.force_exit = server.should_exit  # the second time
    server.should_exit = True
    deadline = threading.Timer(PATIENCE, _end)
    deadline.daemon = True
    deadline.start()


def _end() -> None:
    log.warning("The server did not stop within %g s and is terminated now.", PATIENCE)
    os._exit(0)
