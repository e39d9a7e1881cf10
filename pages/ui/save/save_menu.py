"""The one button "Save" of a page, in its upper right corner: what is wanted most, and groups with the rest."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.save.saved_file import SavedFile
from pages.ui.save.shared_link import shared_link
from pages.ui.shell import address
from pages.ui.styles.sheet import sheet

KEY = "save-open"


def place() -> DeltaGenerator:
    """Container of the menu, which comes before what it is about and is filled when that is known."""
    found = st.container(key="save-menu")
    found.html(sheet("save_menu"))
    return found


def save_menu(wanted: Callable[[], Any], groups: dict[str, Callable[[], Any]], linked: bool = True) -> None:
    """Draw it in a `place`; what is in it is drawn, and asked for, once it is open.

    wanted : function that draws what stands on top; groups : dict of titles to functions that draw the rest, each once
    its title is open; linked : whether the address of the page leads back to what it shows.
    """
    st.fragment(_menu)(wanted, groups, linked)


def lines(files: Iterable[SavedFile]) -> Callable[[], None]:
    """Function that draws the lines of some `SavedFile`s."""

    def draw() -> None:
        for one in files:
            one.button()

    return draw


def _menu(wanted: Callable[[], Any], groups: dict[str, Callable[[], Any]], linked: bool) -> None:
    menu = st.popover("Save", icon=":material/download:", key=KEY, on_change="rerun")
    if not menu.open:
        return
    with menu, st.container(key="save-list"):
        wanted()
        if linked and (link := address.link()):
            st.caption("Link to this view")
            shared_link(link)
        if groups:
            st.divider()
        for title, draw in groups.items():
            group = st.expander(title, key=f"{KEY}-{title}", on_change="rerun")
            if group.open:
                with group:
                    draw()
