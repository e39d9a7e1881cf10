"""Draw the frame around every page: navigation, styles and background work."""

import contextlib
import threading
import time
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.jobs import kept_files, user_store
from pages.ui import pages
from pages.ui.shell import address, link_notes, sign_in
from pages.ui.shell.manager import manager
from pages.ui.shell.page_listeners import page_listeners
from pages.ui.styles.sheet import COLORS, sheet

APP = "TAO tree explorer"
SWEEP = 600.0  # seconds between two deletions of unused user data
_IN_FRAME = "_in_frame"


def run() -> None:
    """Run the page that the visitor has chosen, after a sign-in if the server requires one."""
    page = _navigation()
    if sign_in.is_needed():
        sign_in.page()
    else:
        _set_tab_title(page)
        st.session_state[_IN_FRAME] = _place(page.url_path), _title(page)
        begin_page(page.url_path)
        page.run()


def _title(page: StreamlitPage) -> str:
    """Return the title of a page. The page of the laboratory also shows the lessons."""
    return pages.LESSONS if page.url_path == "learn" and "lesson" in st.query_params else page.title


def _place(path: str) -> int:
    """Return the position of the menu that contains a page, or 0 for a page with its own entry."""
    menus = [group for name, group in _groups().items() if name]
    return next((place for place, group in enumerate(menus, 1) if path in {one.path for one in group}), 0)


def _set_tab_title(page: StreamlitPage) -> None:
    """Name the browser tab after the page; the home page has the name of the app."""
    st.set_page_config(page_title=APP if page.url_path == "" else f"{_title(page)} · {APP}")


def begin_page(path: str) -> None:
    """Read the address of a page and show notes about its faulty parameters, before the page is drawn."""
    address.begin(path, pages.session_keys(path))
    link_notes.begin(path, lambda: pages.faults(path, st.query_params.to_dict()))


def _navigation() -> StreamlitPage:
    """Set the page options and draw the navigation at the top."""
    st.set_page_config(page_title=APP, page_icon="🌳", layout="wide", initial_sidebar_state="auto")
    return st.navigation(
        {group: [_page(one) for one in its] for group, its in _groups().items()},
        position="hidden" if sign_in.is_needed() else "top",
    )


def _groups() -> dict[str, list[pages.Page]]:
    """Return {menu of the navigation: its pages}; pages without a menu come first."""
    return {
        group: [page for page in pages.PAGES if page.group == group]
        for group in dict.fromkeys(page.group for page in pages.PAGES)
    }


def _page(one: pages.Page) -> StreamlitPage:
    looks: dict[str, Any] = {"icon": f":material/{one.icon}:"} if one.icon else {"visibility": "hidden"}
    return st.Page(f"pages/{one.name}.py", title=one.title, url_path=one.name, default=one.name == pages.HOME, **looks)


def begin() -> None:
    """Make sure that the page runs inside app.py, and draw the parts that all pages share.

    Every page calls this function first. On a cold server, Streamlit runs a deep-linked file of `pages/` without
    app.py. Declaring the navigation and running again restores the frame.
    """
    place = st.session_state.pop(_IN_FRAME, None)
    if place is None:
        _navigation()
        st.rerun()
    st.html(COLORS + sheet("streamlit"))
    page_listeners(*place)
    manager()
    _drop_unused_data()
    sign_in.show_who()
    address.leave()


@st.cache_resource(show_spinner=False)
def _drop_unused_data() -> bool:
    def drop() -> None:
        while True:
            with contextlib.suppress(OSError):  # the disk may be full or unavailable
                user_store.drop_unused()
                kept_files.drop_unused()
            time.sleep(SWEEP)

    threading.Thread(target=drop, name="unused data", daemon=True).start()
    return True
