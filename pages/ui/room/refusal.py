"""Send requests of students to their room, and show the message of a refused request for some seconds."""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.rooms.room_store import RoomError
from pages.ui.shell.markdown_text import plain

LASTING = 8.0  # seconds for which a message stays, although the page refreshes more often
_FAULT = "room_fault"


def attempt(request: Callable[..., Any], *values: Any) -> Any:
    """Return `request(*values)`. If the room refuses it, keep the message and return None."""
    try:
        found = request(*values)
    except RoomError as error:
        st.session_state[_FAULT] = str(error), time.monotonic()
        return None
    st.session_state.pop(_FAULT, None)
    return found


def show_refusal() -> None:
    """Draw the latest message."""
    text, when = st.session_state.get(_FAULT, ("", 0.0))
    if text and time.monotonic() - when < LASTING:
        st.warning(plain(text))
