"""Draw the plane with one threshold, and the slider with which a student moves it."""

from functools import lru_cache
from typing import Any

import streamlit as st

from pages.rooms.contest import Contest, Entry
from pages.ui.room import contest_view
from pages.ui.room.refusal import attempt
from pages.ui.room.rooms import rooms
from pages.ui.shell import chart
from treecore.messages import counted
from viz.page.contest_html import lines_html, points_html

STEPS = 100  # number of steps of the slider
FIRST = 0.15  # initial position, as on the stage (dragged_threshold.js): far from any good threshold


def threshold_field(code: str, token: str, view: Any) -> None:
    """Draw the plane and the slider. Each move is a drawing of the student.

    view : `StudentView` of the student.
    """
    screen, contest = view.screen, view.screen.contest
    key, (low, high) = f"room-threshold-{code}-{screen.lesson}-{screen.moment}", contest.thresholds
    step = (high - low) / STEPS
    if key not in st.session_state:
        at = low + FIRST * (high - low) if view.drawn is None else -view.drawn.last.document["nodes"][0]["bias"]
        st.session_state[key] = min(max(low + round((at - low) / step) * step, low), high)
    place, is_closed = st.container(), view.left == 0
    st.slider(
        f"Threshold on {contest.data.feature_names[contest.feature]}", low, high, step=step, key=key, format="%.2f",
        disabled=is_closed, on_change=_move, args=(code, token, screen, key),
    )  # fmt: skip
    at = st.session_state[key]
    entry, theme = _entry(contest, at), chart.theme()
    words = f"{len(contest.rows)} points and a line at {at:.2f}"
    positions = contest.target.positions(contest.tao_tree)
    with place:
        contest_view.layers(
            lines_html(contest.X, [], entry.tree, None, positions, theme),
            points_html(contest.X, contest.data.y[contest.rows], words, theme),
        )
    st.html(f'<div class="room-words" role="status">{counted(entry.errors, "misclassified point")}</div>')


@lru_cache(maxsize=500)
def _entry(contest: Contest, at: float) -> Entry:
    return contest.entry(contest.threshold_document(at))


def _move(code: str, token: str, screen: Any, key: str) -> None:
    attempt(rooms().draw, code, token, screen.name, screen.contest.threshold_document(st.session_state[key]))
