"""Show notes about faulty parameters of a link, at the top of the page."""

from collections.abc import Callable
from typing import Any

import streamlit as st

NOTES, _PLACE, _PAGE = "link_notes", "_link_notes_place", "_link_notes_page"


def begin(page: str, faults: Callable[[], list[str]]) -> None:
    """Draw the notes about the link of a new tab, before the page is drawn.

    page : path of the page; faults : function without arguments that returns the sentences.
    """
    if st.session_state.get(_PAGE) != page:
        is_new = _PAGE not in st.session_state
        st.session_state[_PAGE] = page
        st.session_state[NOTES] = faults() if is_new else []
    st.session_state[_PLACE] = place = st.container()
    for sentence in st.session_state[NOTES]:
        _draw(place, sentence)


def add(sentence: str) -> None:
    """Show a note about the link until the visitor leaves the page."""
    if sentence not in (notes := st.session_state.setdefault(NOTES, [])):
        notes.append(sentence)
        _draw(st.session_state.get(_PLACE, st), sentence)


def _draw(place: Any, sentence: str) -> None:
    place.warning(sentence, icon=":material/link_off:")
