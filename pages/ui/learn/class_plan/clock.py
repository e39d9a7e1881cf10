"""The clock of a class, which runs or stands, as a short text in an address."""

import re
from dataclasses import dataclass

DAY = 86_400  # seconds after which a clock in a link is no longer used
_TEXT = re.compile(r"(r)([0-9]{1,11})|(p)([0-9]{1,5})")


@dataclass(frozen=True)
class Clock:
    """A clock.

    since : time at which the running clock showed 0, in seconds, or None if it stands; kept : seconds on a clock that
    stands.
    """

    since: int | None = None
    kept: int = 0

    @classmethod
    def read(cls, text: str | None, now: float) -> "Clock":
        """Return the clock in a text. An unreadable text gives a clock that is at 0 and does not run."""
        found = _TEXT.fullmatch(text or "")
        if found is None:
            return cls()
        if found[1]:
            return cls(since=int(found[2])) if 0 <= now - int(found[2]) + 1 <= DAY else cls()
        return cls(kept=int(found[4]))

    @property
    def is_running(self) -> bool:
        """Test whether the clock runs."""
        return self.since is not None

    def seconds(self, now: float) -> int:
        """Return the seconds that the clock shows."""
        return self.kept if self.since is None else max(0, int(now) - self.since)

    def toggled(self, now: float) -> "Clock":
        """Return the clock after its button was clicked: it starts or stops."""
        if self.is_running:
            return Clock(kept=min(self.seconds(now), DAY))
        return Clock(since=int(now) - self.kept)

    def to_text(self) -> str:
        """Return the text for an address, "" for a clock that is at 0 and does not run."""
        if self.since is not None:
            return f"r{self.since}"
        return f"p{self.kept}" if self.kept else ""


def clock_words(seconds: int, total: int, starts: int, ends: int) -> str:
    """Return the elapsed minutes, and the minutes until a lesson ends as planned.

    seconds : elapsed; total : planned minutes of the class; starts, ends : planned minutes until this lesson starts and
    ends.
    """
    minutes = seconds // 60
    rest = f"{ends - minutes} min left for this lesson"
    if minutes < starts:
        rest = f"{starts - minutes} min ahead"
    elif minutes >= ends:
        rest = f"{minutes - ends} min late" if minutes > ends else "time for the next lesson"
    return f"{minutes} of {total} min, {rest}"
