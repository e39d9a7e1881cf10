"""Draw the plane on which a student draws lines, and the replies of the server."""

from typing import Any

import streamlit as st

from pages.ui.room.rooms import rooms
from pages.ui.shell import edit_messages, stage
from treecore.errors import TreecoreError

SLOT, HIDDEN = "room", ("figures", "tools", "inspector", "legend")
_TURNS = "room_turns"  # {key of a stage: (turn, seen, fault)}, see `edit_messages`


def drawing_stage(code: str, token: str, view: Any) -> Any:
    """Draw the plane and return the `StudentView` after the student's last drawing.

    view : `StudentView` of the student.
    """
    screen = view.screen
    key = f"room-{code}-{screen.lesson}-{screen.moment}"
    turn, received, fault = st.session_state.setdefault(_TURNS, {}).get(key, (1, 0, None))
    report = edit_messages.report(stage.editor_report(SLOT), key, received)
    if report is not None:
        received, fault = report.turn, None
        try:
            rooms().draw(code, token, screen.name, report.document)
        except TreecoreError as error:  # the browser then restores the previous tree
            turn, fault = turn + 1, str(error)
        view = rooms().look(code, token)
        st.session_state[_TURNS][key] = turn, received, fault
    last = screen.contest.leaf if view.drawn is None else view.drawn.last
    header = edit_messages.header(turn, received, last.document, None, fault)
    options = stage.Options(alone=True, edit=header, hide=HIDDEN)
    stage.mount(key, screen.contest.content, stage.View(0), SLOT, options)
    return view
