"""The address of the page: one entry of the browser's history for each choice, and the way back to what it says.

Streamlit adds an entry whenever the address changes. What a page writes when somebody comes to it is no choice of
theirs, so it takes the place of the entry that is there; that only the browser itself can do.
"""

import os
import uuid
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx

from pages.serving.class_address import outward
from pages.ui.components.component import component

_PAGE, _ASKED, _PLACE, _TURN = "_address_page", "_address_asked", "_address_place", "_address_turn"
_SAID, _WRITTEN, _NEXT = "_address_said", "_address_written", "_address_next"


def begin(page: str, names: Mapping[str, Any]) -> None:
    """Before a page is drawn. page : its path; names : {key of the session: names of the address that it is read
    from}. After Back or Forward the address gives the value of every key, after a link that of each key it names."""
    is_back = bool(getattr(get_script_run_ctx(), "is_history_navigation", False))
    arrives = is_back or st.session_state.get(_PAGE) != page
    if arrives:  # a run that is interrupted leaves the rest of them to the next one
        query, is_new = st.query_params.to_dict(), _PAGE not in st.session_state
        # on the way from another page the address may still be that page's, which is no link
        given = set() if query == st.session_state.get(_SAID) else query.keys()
        st.session_state[_ASKED] = asked = {key for key, its in names.items() if is_back or its & given}
        if asked and not is_new:
            st.session_state[_TURN] = turn() + 1
    st.session_state[_PAGE] = page
    place = st.container(key="address")
    st.session_state[_PLACE] = place if arrives else None
    if not arrives:
        _show(place)


def is_asked(key: str) -> bool:
    """Whether the address gives the value of a key of the session: in a new tab, after Back or Forward, and after a
    link that names it."""
    asked = st.session_state.get(_ASKED, set())
    is_new = key in asked or key not in st.session_state
    asked.discard(key)
    return is_new


def turn() -> int:
    """How often the address has given a value in this tab: reports that a stage made before are out of date."""
    return st.session_state.get(_TURN, 0)


def write(query: dict[str, str]) -> None:
    """Have the address say a dict of texts. Only the first words of a page that somebody comes to are no entry."""
    place, before = st.session_state.get(_PLACE), st.session_state.get(_SAID, st.query_params.to_dict())
    st.session_state[_PLACE], st.session_state[_SAID] = None, query
    if place is not None:
        st.session_state[_WRITTEN] = (urlencode(query), uuid.uuid4().hex)
        _show(place)
    elif before != query:
        st.query_params.from_dict(query)


def change(**texts: Any) -> None:
    """Have the address say some more texts; those that are None are left out."""
    said = st.session_state.get(_SAID, st.query_params.to_dict()) | texts
    write({name: text for name, text in said.items() if text is not None})


def go_to(page: str, query: dict[str, str] | None = None) -> NoReturn:
    """End the run and go to another page, as of a link: one entry of the history, of which `st.switch_page` makes two,
    the first a former page without its parameters. page : its file, "pages/rules.py"; query : dict of texts."""
    context = get_script_run_ctx()
    known = context.pages_manager.get_pages().values()
    found = next(one for one in known if one["script_path"].replace(os.sep, "/").endswith(f"/{page}"))
    raise RerunException(
        RerunData(
            query_string=urlencode(query or {}),
            page_script_hash=found["page_script_hash"],
            cached_message_hashes=context.cached_message_hashes,
            context_info=context.context_info,
        )
    )


def leave_for(page: str, query: dict[str, str] | None = None) -> None:
    """In a callback: go to another page, which can be done from the body of a page only; query : texts of its link."""
    st.session_state[_NEXT] = page, query


def leave() -> None:
    """In the body of a page: go where `leave_for` has said."""
    if _NEXT in st.session_state:
        go_to(*st.session_state.pop(_NEXT))


def link() -> str:
    """Text of the whole address of what is on screen."""
    return linked(st.context.url, st.session_state.get(_SAID, st.query_params.to_dict()))


def linked(page: str | None, query: dict[str, str]) -> str:
    """Text of a link that others can open; page : address of a page or None, whose own parameters a dict of texts
    replaces."""
    parts = urlsplit(outward(page or ""))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(query), ""))


def _show(place: DeltaGenerator) -> None:
    query, name = st.session_state.get(_WRITTEN, ("", None))
    with place:
        component("address")(key="address-bar", data={"query": query, "name": name})
