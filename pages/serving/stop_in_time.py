"""Stop the server soon after SIGINT or SIGTERM."""

import atexit
import gc
import logging
import os
import signal
import threading

from uvicorn import Server

CLOSING = 1  # seconds for connections to close
PATIENCE = 6.0  # seconds for connections to close, and for the exit handlers

log = logging.getLogger(__name__)


def stop_in_time() -> None:
    """Make both signals stop this process. The process runs its exit handlers and ends with code 0.

    Call this function in the main thread while uvicorn serves. By default, uvicorn waits for every connection and then
    repeats the signal, and SIGTERM skips the exit handlers. After `PATIENCE`, the process ends without them. Results
    are safe, because each file is written in one step. Child processes end with this one.
    """
    server = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    if isinstance(server, Server):
        atexit.register(gc.freeze)  # otherwise the last collection visits every object of all libraries
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: _stop(server))


def _stop(server: Server) -> None:
    server.config.timeout_graceful_shutdown = CLOSING
    server.force_exit = server.should_exit  # the second signal sets it to True
    server.should_exit = True
    deadline = threading.Timer(PATIENCE, _end)
    deadline.daemon = True
    deadline.start()


def _end() -> None:
    log.warning("The server did not stop within %g s and is terminated now.", PATIENCE)
    os._exit(0)
