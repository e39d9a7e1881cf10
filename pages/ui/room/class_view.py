"""Show a class: remaining time, score, students, the lines of all on the plane, and the ranking.

The page contains the style sheets "class" and "contest".
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.rooms.room import Drawing, Rank, Seat
from pages.ui.shell import chart
from treecore.messages import counted
from viz.page.contest_html import board_html, lines_html, points_html


def plane(contest: Any, board: Sequence[Drawing], is_shown: bool, own: Drawing | None = None) -> None:
    """Draw the points and the lines of a ranking.

    board : sequence of `Drawing`; is_shown : whether TAO's lines are visible; own : `Drawing` of the viewer, drawn
    instead of the best one.
    """
    best, theme = own if own is not None else board[0] if board else None, chart.theme()
    words = f"{len(contest.rows)} points from {contest.data.title}, to separate with lines"
    tao_tree = contest.tao_entry.tree if is_shown else None
    positions = contest.target.positions(contest.tao_tree)
    trees = [one.entry.tree for one in board]
    layers(
        lines_html(contest.X, trees, None if best is None else best.entry.tree, tao_tree, positions, theme),
        points_html(contest.X, contest.data.y[contest.rows], words, theme),
    )


def layers(*found: str) -> None:
    """Draw images of one size on each other, the lowest first."""
    with st.container(key="contest-plane", gap=None):
        for image in found:
            st.html(image)


def table(contest: Any, board: Sequence[Drawing], is_shown: bool, own: Drawing | None = None) -> None:
    """Draw the ranking.

    is_shown : whether the answer is visible. Until then, TAO's row has no errors and lines, which are a hint. It is
    missing if TAO's objective is the question.
    """
    rows: list[tuple] = [(one.who, one.entry.errors, one.entry.n_lines, one.entry.objective, False) for one in board]
    place, tao = sum(row[3] < contest.tao_entry.objective for row in rows), contest.tao_entry  # in a tie, TAO is first
    at = next((k for k, one in enumerate(board) if one is own), None)
    if is_shown or not contest.is_question:
        rows.insert(place, ("TAO", *((tao.errors, tao.n_lines) if is_shown else (None, None)), tao.objective, True))
        at = at + (at >= place) if at is not None else None
    if rows:
        st.html(board_html(rows, at, contest.is_question))


def result(contest: Any, drawn: Drawing, is_shown: bool) -> str:
    """Return a sentence about the objective of a drawing, and about that of TAO's tree if it is not a secret."""
    best, goal = drawn.entry.objective, contest.tao_entry.objective
    if contest.is_question and not is_shown:
        return f"Your fewest misclassified points so far: {best:g}."
    if best < goal:
        return f"You beat TAO with an objective of {best:g} against {goal:g}."
    return (
        f"Your objective is as low as the objective of TAO: {best:g}."
        if best == goal
        else f"Your best objective is {best:g}. TAO reaches {goal:g}."
    )


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
