"""Count the connected browser tabs, in total and per network address, and refuse tabs for which there is no room."""

import contextlib
import gc
import os
import time
from collections import Counter
from collections.abc import Callable

from pages.serving.client_address import network
from pages.serving.seldom_log import SeldomLog

OF_TAB = 4  # file descriptors of a tab: its websocket, and the event loop that Streamlit makes for its session
SPARE = 80  # file descriptors that stay free for the workers, for files, and for requests of the connected tabs
COLLECT = 10.0  # shortest time in seconds between two collections of garbage that may hold descriptors
MAC = 10_240  # macOS supports no larger limit, although it reports one

_log = SeldomLog(__name__)


def raise_limit() -> None:
    """Raise the number of files that this process and its children may open to the most that the system permits."""
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for most in (hard, MAC):
            if soft != resource.RLIM_INFINITY and (most == resource.RLIM_INFINITY or most > soft):
                with contextlib.suppress(ValueError, OSError):
                    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                    return


def n_descriptors() -> tuple[int, float]:
    """Return the number of open file descriptors of this process, and how many it may open."""
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        n_open = len(os.listdir("/dev/fd")) - 1  # reading the folder opens one
    except ImportError:  # Windows
        return 0, float("inf")
    except OSError:  # not even this folder can be opened
        return int(most), most
    return n_open, float("inf") if most == resource.RLIM_INFINITY else most


class Places:
    """Count the connected tabs. Use it in the event loop of the server only.

    most : maximum number of tabs; of_address : maximum number per network address; descriptors : see `n_descriptors`.
    n_open : connected tabs; n_refused : refused tabs; n_waiting : connected tabs without a session so far.
    """

    def __init__(
        self,
        most: int = 300,
        of_address: int = 150,
        descriptors: Callable[[], tuple[int, float]] = n_descriptors,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most, self.of_address, self._descriptors, self._clock = most, of_address, descriptors, clock
        self.n_open = self.n_refused = self.n_waiting = 0
        self._by_address: Counter[str] = Counter()
        self._collected = -COLLECT

    def refusal(self, host: str | None) -> str | None:
        """Return and log the reason to refuse a tab, or return None. The log does not contain the address."""
        words = None
        if self.n_open >= self.most:
            words = f"All {self.most} sessions of this server are in use."
        elif self._by_address[network(host)] >= self.of_address:
            words = f"All {self.of_address} sessions for your network address are in use."
        elif not self._has_descriptors():
            words = f"This server has too few file descriptors for more than the {self.n_open} open sessions."
            _log.warning(
                f"The limit of {int(self._descriptors()[1]):,} open files (ulimit -n) is reached. Raise it for "
                "more visitors."
            )
        if words is not None:
            self.n_refused += 1
            _log.warning(f"Session refused. {words}")
        return words

    def take(self, host: str | None) -> None:
        """Count a new tab from an address."""
        self.n_open += 1
        self._by_address[network(host)] += 1

    def leave(self, host: str | None) -> None:
        """Count the end of a tab from an address."""
        self.n_open -= 1
        self._by_address[network(host)] -= 1
        self._by_address += Counter()  # removes zeros

    def _has_descriptors(self) -> bool:
        """Test whether the process can open enough files for another tab."""
        needed = SPARE + OF_TAB * (1 + self.n_waiting)
        for _ in range(2):
            n_open, most = self._descriptors()
            if n_open + needed <= most:
                return True
            if self._clock() - self._collected < COLLECT:
                break
            self._collected = self._clock()
            gc.collect()  # closes descriptors of unused objects
        return False
