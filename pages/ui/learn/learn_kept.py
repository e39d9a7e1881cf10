"""What was painted and drawn on the Learn page and is too large for an address: in a file that the address names."""

from typing import Any

import streamlit as st

from pages.jobs import kept_files
from pages.ui.learn.learn_settings import LEARN, LearnSettings, is_large
from pages.ui.shell.owner import keep_by_hand
from sample_data import painted
from treecore.errors import DataError

_KEY, _LINK, _OWN = "learn_kept", "learn_kept_link", "learn_kept_own"


def kept() -> dict[str, Any]:
    """dict: `painted`, the text of many points, and `drawing`, what `learn_drawing` keeps, where there are such."""
    if _KEY not in st.session_state:
        linked = st.query_params.get("kept")
        st.session_state[_KEY] = kept_files.read(linked)
        st.session_state[_LINK] = linked if st.session_state[_KEY] else None
    return st.session_state[_KEY]


def keep(**parts: Any) -> None:
    """Keep some of it, where it is another than before; never in the file of a link, which is another visitor's."""
    record = kept() | parts
    if record != kept():
        st.session_state[_KEY] = record
        token = st.session_state.setdefault(_OWN, kept_files.new_token())
        keep_by_hand(token, record | {"name": "learn", "data_set": LEARN.current().data_set})


def keep_points() -> None:
    """Keep the painting of now, or take over the one that was kept where the address could not hold it."""
    now, before = LEARN.current(), kept().get("painted", "")
    if now.data_set != painted.NAME:
        return
    if now.painted or not before:
        keep(painted=now.painted if is_large(now) else "")
    elif _is_painting(before):
        LEARN.change(painted=before)


def token(chosen: LearnSettings) -> str | None:
    """What the address says of it, None where there is nothing to say."""
    if not (is_large(chosen) or (chosen.init == "drawn" and kept().get("drawing"))):
        return None
    return st.session_state.get(_OWN, st.session_state.get(_LINK))


def _is_painting(text: str) -> bool:
    try:
        return bool(painted.decode(text)[1].size)
    except DataError:
        return False
