"""Close the sessions of tabs that have gone."""

import time
from collections import Counter
from collections.abc import Callable

MOST = 100  # sessions without a tab; Streamlit stores at most 128, and forgets the oldest ones without closing them
SHARE = 0.8  # share of Streamlit's time to reconnect after which a session is closed


class Sessions:
    """Close a session some time after its last tab has gone. Use it in the event loop of the server only.

    Streamlit forgets such sessions without closing their event loops. Each of them holds three file descriptors until
    the garbage collector finds it, and the memory of its page until another visitor arrives.

    close : function that closes a session by its name; kept : seconds during which a tab can reconnect; most : maximum
    number of sessions without a tab.
    """

    def __init__(
        self, close: Callable[[str], None], kept: float, most: int = MOST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._close, self._kept, self._most, self._clock = close, kept, most, clock
        self._open: Counter[str] = Counter()
        self._left: dict[str, float] = {}  # time at which the last tab left, the longest ago first

    def is_known(self, session: str) -> bool:
        """Test whether a tab can use a session."""
        return session in self._open or session in self._left

    def enter(self, session: str) -> None:
        """Count a tab of a session."""
        self._left.pop(session, None)
        self._open[session] += 1

    def leave(self, session: str) -> None:
        """Count the end of a tab. Call it before Streamlit stores the session."""
        self._open[session] -= 1
        if not self._open[session]:
            del self._open[session]
            self._left[session] = self._clock()
        self.sweep()

    def sweep(self) -> None:
        """Close the sessions whose tabs cannot reconnect any more."""
        for session, since in list(self._left.items()):
            if self._clock() - since < self._kept and len(self._left) <= self._most:
                break
            del self._left[session]
            self._close(session)
