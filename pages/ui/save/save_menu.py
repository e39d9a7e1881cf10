"""Draw the Save menu in the upper right corner of a page: the most used files, then all others in groups."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.save.saved_file import SavedFile
from pages.ui.save.shared_link import shared_link
from pages.ui.shell import address

KEY = "save-open"


def place() -> DeltaGenerator:
    """Return the container of the menu, which is at the top of the page and filled later."""
    return st.container(key="save-menu")


def save_menu(draw_top: Callable[[], Any], groups: dict[str, Callable[[], Any]], linked: bool = True) -> None:
    """Draw the menu in a container from `place`. The content is made only when the menu is open.

    draw_top : function that draws the top entries; groups : {title: function that draws the group when the visitor
    opens it}; linked : whether the address of the page leads back to its content.
    """
    st.fragment(_menu)(draw_top, groups, linked)


def lines(files: Iterable[SavedFile]) -> Callable[[], None]:
    """Return a function that draws the menu entries of some `SavedFile` objects."""

    def draw() -> None:
        for one in files:
            one.button()

    return draw


def _menu(draw_top: Callable[[], Any], groups: dict[str, Callable[[], Any]], linked: bool) -> None:
    menu = st.popover("Save", icon=":material/download:", key=KEY, on_change="rerun")
    if not menu.open:
        return
    with menu, st.container(key="save-list"):
        draw_top()
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
