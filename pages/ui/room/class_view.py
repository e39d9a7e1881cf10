"""Return the remaining time, the running score and the students of a room as HTML.

The page contains the style sheet "class".
"""

import math
from collections.abc import Sequence
from html import escape

from pages.rooms.room_views import Rank, Seat
from treecore.messages import counted

MOST_RANKS = 8
_OWN = ' class="own"'


def time_html(left: float | None) -> str:
    """Return the seconds that are left for a guess, which the browser counts down; "" without a limit.

    left : seconds, 0 if guessing is closed, or None without a limit.
    """
    if left is None:
        return ""
    if left == 0:
        return f'<div class="room-time" role="status">{escape("Guessing is closed.")}</div>'
    seconds = math.ceil(left)
    return (
        f'<div class="room-time" role="timer" aria-label="{counted(seconds, "second")} left" '
        f'style="--seconds:{seconds};--lasting:{left:.2f}s"><b></b> s left</div>'
    )


def score_html(score: Sequence[Rank]) -> str:
    """Return the first lines of the running score and the line of the viewer as a table; "" without a score."""
    rows = [
        f"<tr{_OWN * rank.is_own}><td>{rank.place}</td><td>{escape(rank.who)}{' (you)' * rank.is_own}</td>"
        f"<td>{rank.points}</td></tr>"
        for k, rank in enumerate(score)
        if k < MOST_RANKS or rank.is_own
    ]
    head = "<tr><th></th><th>Score</th><th>points</th></tr>"
    return f'<table class="room-score">{head}{"".join(rows)}</table>' if rows else ""


def seats_html(seats: Sequence[Seat], answered: str) -> str:
    """Return the numbers of students, and a dot for each of them.

    answered : verb in the past tense, "answered" or "drew". Those who left are counted separately, with the answers
    that they left behind.
    """
    here = sum(one.is_here for one in seats)
    done = sum(one.has_answered for one in seats)
    gone = [one.has_answered for one in seats if not one.is_here]
    words = f"{here} present, {done} {answered}"
    more = f"{len(gone)} left ({sum(gone)} of them answered)" if gone else ""
    dots = "".join(map(_dot, seats, [answered] * len(seats)))
    return (
        f'<div class="room-count">{words}</div>'
        + (f'<div class="room-left">{escape(more)}</div>' if more else "")
        + (f'<div class="room-seats" aria-hidden="true">{dots}</div>' if dots else "")
    )


def _dot(seat: Seat, answered: str) -> str:
    kind = "done" if seat.has_answered else "open"
    words = f"{seat.who}: {answered if seat.has_answered else 'no answer yet'}"
    if not seat.is_here:
        kind, words = f"{kind} gone", f"{words}, left"
    return f'<i class="{kind}" title="{escape(words)}"></i>'
