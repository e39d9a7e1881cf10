"""The frame around every page: navigation, style, warm kernels."""

import contextlib
import threading
import time

import streamlit as st

from pages.jobs import kept_files, user_store
from pages.ui import pages
from pages.ui.shell import address, link_notes, sign_in
from pages.ui.shell.manager import manager
from pages.ui.shell.page_listeners import page_listeners
from pages.ui.styles.sheet import COLORS, sheet

SWEEP = 600.0  # seconds between two looks for own data that nobody has used
_IN_FRAME = "_in_frame"


def run():
    """What app.py does: the page that the visitor has chosen, once it is known who that is where that is asked."""
    page = _navigation()
    if sign_in.is_needed():
        sign_in.page()
    else:
        st.session_state[_IN_FRAME] = _place(page.url_path)
        begin_page(page.url_path)
        page.run()


def _place(path):
    """Place in the bar of the menu that holds a page, by its path; 0 of a page that stands there itself."""
    menus = [group for name, group in _groups().items() if name]
    return next((place for place, group in enumerate(menus, 1) if path in {one.path for one in group}), 0)


def begin_page(path):
    """Before a page is drawn: what its address gives, and what there is to say of it; path : of the page."""
    address.begin(path, pages.session_keys(path))
    link_notes.begin(path, lambda: pages.faults(path, st.query_params.to_dict()))


def _navigation():
    """Page settings and the pages, in a bar at the top; the side bar is left to the page."""
    st.set_page_config(page_title="TAO tree explorer", page_icon="🌳", layout="wide", initial_sidebar_state="auto")
    return st.navigation(
        {group: [_page(one) for one in its] for group, its in _groups().items()},
        position="hidden" if sign_in.is_needed() else "top",
    )


def _groups():
    """{menu of the navigation: its pages}, those without a menu first."""
    return {
        group: [page for page in pages.PAGES if page.group == group]
        for group in dict.fromkeys(page.group for page in pages.PAGES)
    }


def _page(one):
    looks = {"icon": f":material/{one.icon}:"} if one.icon else {"visibility": "hidden"}
    return st.Page(f"pages/{one.name}.py", title=one.title, url_path=one.name, default=one.name == pages.HOME, **looks)


def begin():
    """First line of every page: make sure that the page runs inside app.py, and set up what all pages share.

    On a cold server Streamlit runs a deep-linked file of `pages/` by itself, without app.py; declaring the navigation
    and running again puts the frame back.
    """
    place = st.session_state.pop(_IN_FRAME, None)
    if place is None:
        _navigation()
        st.rerun()
    st.html(COLORS + sheet("streamlit"))
    page_listeners(place)
    manager()
    _drop_unused_data()
    sign_in.show_who()
    address.leave()


@st.cache_resource(show_spinner=False)
def _drop_unused_data():
    def drop():
        while True:
            with contextlib.suppress(OSError):  # of a disk that is full or gone
                user_store.drop_unused()
                kept_files.drop_unused()
            time.sleep(SWEEP)

    threading.Thread(target=drop, name="unused data", daemon=True).start()
    return True
