"""Draw the frame around every page: navigation, styles and background work."""

import contextlib
import threading
import time
from copy import copy
from functools import cache
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.jobs import kept_files, user_store
from pages.ui import pages
from pages.ui.shell import address, link_notes, sign_in
from pages.ui.shell.computed import once
from pages.ui.shell.manager import manager
from pages.ui.shell.save_button import failed_file

APP = "TAO tree explorer"
SWEEP = 600.0  # seconds between two deletions of unused user data
_IN_FRAME = "_in_frame"


def run() -> None:
    """Run the page that the visitor has chosen, after a sign-in if the server requires one."""
    page = _navigation()
    if sign_in.is_needed():
        sign_in.page()
        return
    path, title = page.url_path, _title(page)
    if path:  # the home page has the name of the app
        st.set_page_config(page_title=f"{title} · {APP}")
    st.session_state[_IN_FRAME] = True
    begin_page(path, title)
    try:
        page.run()
    finally:  # a page may end early
        address.end()


def _title(page: StreamlitPage) -> str:
    """Return the title of a page. The page of the laboratory also shows the lessons."""
    return pages.LESSONS if page.url_path == "learn" and "lesson" in st.query_params else page.title


def begin_page(path: str, title: str = "") -> None:
    """Read the address of a page and show notes about its faulty parameters, before the page is drawn."""
    address.begin(path, pages.session_keys(path), _key(path, title))
    link_notes.begin(path, lambda: pages.faults(path, st.query_params.to_dict()))


@cache
def _key(path: str, title: str) -> str:
    """Return a key with the menu that contains a page, or 0, and the name of the page, for the style of the menu."""
    menus = [group for name, group in _groups().items() if name]
    place = next((place for place, group in enumerate(menus, 1) if path in {one.path for one in group}), 0)
    return f"address-{place}-{'lessons' if title == pages.LESSONS else path or pages.HOME}"


def _navigation() -> StreamlitPage:
    """Set the page options and draw the navigation at the top."""
    # Without an icon here, the navigation would request that of the page from another server.
    st.set_page_config(page_title=APP, page_icon="🌳", layout="wide", initial_sidebar_state="auto")
    # A page can run only once, so each run needs its own objects.
    declared = {group: [copy(one) for one in its] for group, its in _pages().items()}
    return st.navigation(declared, position="hidden" if sign_in.is_needed() else "top")


@cache
def _pages() -> dict[str, list[StreamlitPage]]:
    """Return {menu of the navigation: its pages} for Streamlit."""
    return {group: [_page(one) for one in its] for group, its in _groups().items()}


@cache
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
    if not st.session_state.pop(_IN_FRAME, False):
        _navigation()
        st.rerun()
    failed_file()
    manager()
    _drop_unused_data()
    sign_in.show_who()
    address.leave()


@once
def _drop_unused_data() -> bool:
    def drop() -> None:
        while True:
            with contextlib.suppress(OSError):  # the disk may be full or unavailable
                user_store.drop_unused()
                kept_files.drop_unused()
            time.sleep(SWEEP)

    threading.Thread(target=drop, name="unused data", daemon=True).start()
    return True
