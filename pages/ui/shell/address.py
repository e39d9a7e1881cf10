"""Manage the address of the page, with one history entry for each choice of the visitor.

Streamlit adds an entry whenever the address changes. The first address that a page writes is not a choice of the
visitor, so it must replace the current entry. Only the browser can do so.
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

_PAGE, _DETERMINED, _PLACE, _TURN = "_address_page", "_address_determined", "_address_place", "_address_turn"
_QUERY, _WRITTEN, _NEXT = "_address_said", "_address_written", "_address_next"


def begin(page: str, names: Mapping[str, Any], key: str = "address") -> None:
    """Read the address before a page is drawn.

    page : path of the page; names : {session key: parameters that determine it}. After Back or Forward, the address
    determines every key. After a link, it determines each key whose parameters it contains. key : key of the container
    of the listeners, for the style of the navigation.
    """
    is_back = bool(getattr(get_script_run_ctx(), "is_history_navigation", False))
    arrives = is_back or st.session_state.get(_PAGE) != page
    if arrives:  # if a run is interrupted, the next one reads the remaining keys
        query, is_new = st.query_params.to_dict(), _PAGE not in st.session_state
        # While the visitor changes pages, the address may still belong to the previous page.
        named = set() if query == st.session_state.get(_QUERY) else query.keys()
        st.session_state[_DETERMINED] = determined = {key for key, its in names.items() if is_back or its & named}
        if determined and not is_new:
            begin_turn()
    st.session_state[_PAGE] = page
    st.session_state[_PLACE] = st.container(key=key)
    if not arrives:
        _show()


def end() -> None:
    """Add the listeners to a page that has not written its address. Call it after a page is drawn."""
    if st.session_state.get(_PLACE) is not None:
        _show()


def is_from_address(key: str) -> bool:
    """Test whether the address determines a session key: in a new tab, and after Back, Forward or a link."""
    determined = st.session_state.get(_DETERMINED)
    if determined and key in determined:
        determined.discard(key)
        return True
    return key not in st.session_state


def turn() -> int:
    """Return the number of changes of stages by the page in this tab. Older reports of stages are outdated."""
    return st.session_state.get(_TURN, 0)


def begin_turn() -> None:
    """Make the next run change the trees that stages show, as after Back or a link."""
    st.session_state[_TURN] = turn() + 1


def write(query: dict[str, str]) -> None:
    """Write parameters into the address. The first parameters of a page replace its history entry."""
    before = st.session_state[_QUERY] if _QUERY in st.session_state else st.query_params.to_dict()
    st.session_state[_QUERY] = query
    if st.session_state.get(_PLACE) is not None:
        st.session_state[_WRITTEN] = (urlencode(query), uuid.uuid4().hex)
        _show()
    elif before != query:
        st.query_params.from_dict(query)


def change(**texts: Any) -> None:
    """Change parameters of the address; None removes one."""
    query = st.session_state.get(_QUERY, st.query_params.to_dict()) | texts
    write({name: text for name, text in query.items() if text is not None})


def go_to(page: str, query: dict[str, str] | None = None) -> NoReturn:
    """End the run and open another page with a single history entry.

    `st.switch_page` would add two entries; the first is the previous page without its parameters. page : file of the
    page, such as "pages/rules.py"; query : parameters of the page.
    """
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
    """Request another page in a callback. The body of the page then opens it, because a callback cannot.

    query : parameters of that page.
    """
    st.session_state[_NEXT] = page, query


def leave() -> None:
    """Open the page that `leave_for` has requested. Call it in the body of a page."""
    if _NEXT in st.session_state:
        go_to(*st.session_state.pop(_NEXT))


def link() -> str:
    """Return the complete address of the current view."""
    return link_to(st.context.url, st.session_state.get(_QUERY, st.query_params.to_dict()))


def link_to(page: str | None, query: dict[str, str]) -> str:
    """Return a link for other devices.

    page : address of a page, or None for the current one; query : parameters that replace those of the address.
    """
    parts = urlsplit(outward(page or ""))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(query), ""))


def _show() -> None:
    place: DeltaGenerator = st.session_state[_PLACE]
    st.session_state[_PLACE] = None
    query, name = st.session_state.get(_WRITTEN, ("", None))
    with place:
        page_listeners(query, name)


def page_listeners(query: str = "", name: str | None = None) -> None:
    """Add browser listeners to the page, which take no space, and write its address.

    Tab moves the focus into and around an open menu, because Streamlit puts its content at the end of the page. A
    button that is disabled while its file is made regains the focus. The page runs again if a file could not be made.
    On a phone, the list of pages closes after a choice. *Present* enters full screen, if the browser allows it. The
    skip link of the document leads to the stage, or to the first control.

    query : parameters that replace those of the address, without a new entry in the history; name : unique name of this
    replacement, which the browser makes once, or None.
    """
    component("page_listeners")(key="page-listeners", data={"query": query, "name": name}, on_failed_change=_run_again)


def _run_again() -> None:
    """Do nothing, because Streamlit runs the page after any callback."""
