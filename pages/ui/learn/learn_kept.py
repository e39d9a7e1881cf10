"""Store painted points and drawn trees that are too large for an address in a file that the address names."""

from typing import Any

import streamlit as st

from pages.jobs import kept_files
from pages.ui.learn.learn_settings import LEARN, LearnSettings, is_large
from pages.ui.shell.owner import keep_by_hand
from sample_data import painted
from treecore.errors import DataError

_KEY, _LINK, _OWN = "learn_kept", "learn_kept_link", "learn_kept_own"


def load() -> dict[str, Any]:
    """Return the stored data as a dict.

    The keys are `painted` (text of many points) and `drawing` (see `learn_drawing`), if present.
    """
    if _KEY not in st.session_state:
        linked = st.query_params.get("kept")
        st.session_state[_KEY] = kept_files.read(linked)
        st.session_state[_LINK] = linked if st.session_state[_KEY] else None
    return st.session_state[_KEY]


def keep(**parts: Any) -> None:
    """Store changed parts in this visitor's own file. The file of a link belongs to another visitor."""
    record = load() | parts
    if record != load():
        st.session_state[_KEY] = record
        token = st.session_state.setdefault(_OWN, kept_files.new_token())
        keep_by_hand(token, record | {"name": "learn", "data_set": LEARN.current().data_set})


def keep_points() -> None:
    """Store the painted points, or restore those that were too many for the address."""
    now, before = LEARN.current(), load().get("painted", "")
    if now.data_set != painted.NAME:
        return
    if now.painted or not before:
        keep(painted=now.painted if is_large(now) else "")
    elif _is_painting(before):
        LEARN.change(painted=before)


def token(chosen: LearnSettings) -> str | None:
    """Return the token of the file for the address, or None if nothing is stored."""
    if not (is_large(chosen) or (chosen.init == "drawn" and load().get("drawing"))):
        return None
    return st.session_state.get(_OWN, st.session_state.get(_LINK))


def _is_painting(text: str) -> bool:
    try:
        return bool(painted.decode(text)[1].size)
    except DataError:
        return False
