"""Add browser listeners to every page.

Tab moves the focus into and around an open menu, because Streamlit puts its content at the end of the page. A button
that is disabled while its file is made regains the focus. The page runs again if a file could not be made. On a phone,
the list of pages closes after a choice. *Present* enters full screen, if the browser allows it. The skip link of the
document leads to the stage, or to the first control.
"""

import json

import streamlit as st

from pages.ui.components.component import component
from pages.ui.shell.save_button import failed_file


def page_listeners(place: int, title: str = "") -> None:
    """Add the listeners, which take no space on the page.

    place : position of the menu that contains the page, or 0, for the style of the menu; title : title of the page,
    which its menu shows.
    """
    with st.container(key=f"page-listeners-{place}"):
        if place:
            st.html(f"<style>:root{{--page-name:{json.dumps(f': {title}')}}}</style>")
        component("page_listeners")(key="page-listener", on_failed_change=_run_again)
    failed_file()


def _run_again() -> None:
    """Do nothing, because Streamlit runs the page after any callback."""
