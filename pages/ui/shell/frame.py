"""The frame around every page: navigation, style, warm kernels."""

import contextlib
import threading
import time

import streamlit as st

from pages.jobs import kept_files, user_store
from pages.ui.save.page_listeners import page_listeners
from pages.ui.shell import address, former_links, link_notes, sign_in
from pages.ui.shell.manager import manager
from pages.ui.styles.sheet import COLORS, sheet

# doors of the navigation: a page each of the first group, then groups that open; (name of the file and of the path in
# an address, title, icon). Those without an icon are opened from another page, or by old links.
PAGES = {
    "": (
        ("data", "Data", "table_chart"),
        ("explore", "Tree", "account_tree"),
        ("compare", "Compare", "balance"),
        ("phase", "Tree", ""),
        ("bivariate", "Tree", ""),
    ),
    "Use the tree": (
        ("rules", "Rules", "rule"),
        ("explain", "Explain", "lightbulb"),
        ("predict", "Predict", "online_prediction"),
        ("edit", "Edit", "edit"),
    ),
    "Learn": (
        ("learn", "Lessons and laboratory", "school"),
        ("about", "How to read this", "menu_book"),
        ("room", "Room", ""),
    ),
}
HOME = "explore"
SWEEP = 600.0  # seconds between two looks for own data that nobody has used
_IN_FRAME, _NEXT = "_in_frame", "_next_page"


def run():
    """What app.py does: the page that the visitor has chosen, once it is known who that is where that is asked."""
    former_links.translate()
    page = _navigation()
    if sign_in.is_needed():
        sign_in.page()
    else:
        st.session_state[_IN_FRAME] = _place(page.url_path)
        link_notes.begin(page.url_path)
        page.run()


def _place(path):
    """Place in the bar of the menu that holds a page, by its path; 0 of a page that stands there itself."""
    places = (place for place, group in enumerate(PAGES.values()) if path in {one[0] for one in group})
    return next(places, 0)


def _navigation():
    """Page settings and the pages, in a bar at the top; the side bar is left to the page."""
    st.set_page_config(page_title="TAO tree explorer", page_icon="🌳", layout="wide", initial_sidebar_state="auto")
    return st.navigation(
        {group: [_page(*one) for one in pages] for group, pages in PAGES.items()},
        position="hidden" if sign_in.is_needed() else "top",
    )


def _page(name, title, icon):
    looks = {"icon": f":material/{icon}:"} if icon else {"visibility": "hidden"}
    return st.Page(f"pages/{name}.py", title=title, url_path=name, default=name == HOME, **looks)


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
    if _NEXT in st.session_state:
        page, query = st.session_state.pop(_NEXT)
        address.go_to(page, query)


def leave_for(page, query=None):
    """In a callback: go to another page, which can be done from the body of a page only; query : texts of its link."""
    st.session_state[_NEXT] = page, query


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
