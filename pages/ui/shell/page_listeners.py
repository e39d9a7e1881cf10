"""What every page listens to. Tab goes into an open menu, whose contents Streamlit puts at the end of the page, and
round in it; a button that is switched off while its file is made has the focus again afterwards, and the page runs
again if the file could not be made; on a phone the list of pages goes once one is chosen."""

import streamlit as st

from pages.ui.components.component import component
from pages.ui.shell.save_button import failed_file


def page_listeners(place: int) -> None:
    """Have the page listen; it takes no room. place : that of the menu in the bar that holds the page, or 0, for its
    style."""
    with st.container(key=f"page-listeners-{place}"):
        component("page_listeners")(key="page-listener", on_failed_change=_run_again)
    failed_file()


def _run_again() -> None:
    """Streamlit runs the page after a callback; there is nothing else to do."""
