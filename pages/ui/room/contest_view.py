"""Show the drawings of a class: all lines on the plane, and the ranking with TAO's tree."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.rooms.room_store import Drawing
from pages.ui.room.messages import MESSAGES
from pages.ui.shell import chart
from pages.ui.styles.sheet import sheet
from viz.page.contest_html import board_html, lines_html, points_html


def plane(contest: Any, board: Sequence[Drawing], is_shown: bool, own: Drawing | None = None) -> None:
    """Draw the points and the lines of a ranking.

    board : sequence of `Drawing`; is_shown : whether TAO's lines are visible; own : `Drawing` of the viewer, drawn
    instead of the best one.
    """
    best, theme = own if own is not None else board[0] if board else None, chart.theme()
    words = f"{len(contest.rows)} points from {contest.data.title}, to separate with lines"
    with st.container(key="contest-plane", gap=None):
        st.html(
            lines_html(
                contest.X,
                [one.entry.tree for one in board],
                None if best is None else best.entry.tree,
                contest.tao_entry.tree if is_shown else None,
                contest.target.positions(contest.tao_tree),
                theme,
            )
        )
        st.html(sheet("contest") + points_html(contest.X, contest.data.y[contest.rows], words, theme))


def table(contest: Any, board: Sequence[Drawing], own: Drawing | None = None) -> None:
    """Draw the ranking."""
    rows = [(one.who, one.entry, False) for one in board]
    place = sum(one.entry.objective < contest.tao_entry.objective for one in board)  # in a tie, TAO comes first
    rows.insert(place, ("TAO", contest.tao_entry, True))
    at = next((k for k, one in enumerate(board) if one is own), None)
    if at is not None:
        at += at >= place
    st.html(board_html([(who, e.errors, e.n_lines, e.objective, is_tao) for who, e, is_tao in rows], at))


def result(contest: Any, drawn: Drawing) -> str:
    """Return a sentence that compares the objectives of a tree and of TAO's tree."""
    best, goal = drawn.entry.objective, contest.tao_entry.objective
    if best < goal:
        return MESSAGES("contest.beaten", best=best, goal=goal)
    return MESSAGES("contest.as_good", best=best) if best == goal else MESSAGES("contest.not_yet", best=best, goal=goal)
