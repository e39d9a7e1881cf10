"""The one button "Save" of a page, in its upper right corner: what is wanted most, and groups with the rest."""

import streamlit as st

from pages.ui.save.shared_link import shared_link
from pages.ui.shell import address

KEY = "save-open"
STYLE = """<style>
.st-key-save-menu { position: fixed; top: 0.6rem; right: 2rem; z-index: 999991; width: auto; }
[data-testid="stLayoutWrapper"]:has(> .st-key-save-menu) { position: absolute; }
/* what says that the page runs stands beside it */
[data-testid="stToolbar"] { padding-right: 7rem; }
[data-testid="stPopoverBody"]:has(.st-key-save-list) { width: min(23rem, calc(100vw - 1rem)); padding: 0.75rem; }
.st-key-save-list { gap: 0.1rem; }
.st-key-save-list button[kind="tertiary"] { justify-content: flex-start; min-height: 2.5rem; padding: 0 0.6rem;
    text-align: left; }
.st-key-save-list button[kind="tertiary"] > * { justify-content: flex-start; }
.st-key-save-list button[kind="tertiary"]:is(:hover, :focus-visible) {
    background: color-mix(in srgb, currentColor 8%, transparent); }
.st-key-save-list [data-testid="stExpander"] details { border: none; }
.st-key-save-list [data-testid="stExpander"] summary { min-height: 2.5rem; padding: 0 0.6rem; }
.st-key-save-list [data-testid="stExpanderDetails"] { padding: 0 0 0.5rem 1rem; }
.st-key-save-list [data-testid="stExpanderDetails"] > [data-testid="stVerticalBlock"] { gap: 0.25rem; }
.st-key-save-list [data-testid="stCaptionContainer"] { padding: 0.3rem 0.6rem 0; }
.st-key-save-list hr { margin: 0.5rem 0; }
@media (max-width: 768px) {
    .st-key-save-menu { right: 1rem; }
    .st-key-save-list :is(button[kind="tertiary"], summary) { min-height: 2.75rem; }
}
</style>"""


def place():
    """Container of the menu, which comes before what it is about and is filled when that is known."""
    found = st.container(key="save-menu")
    found.html(STYLE)
    return found


def save_menu(wanted, groups, linked=True):
    """Draw it in a `place`; what is in it is drawn, and asked for, once it is open.

    wanted : function that draws what stands on top; groups : dict of titles to functions that draw the rest, each once
    its title is open; linked : whether the address of the page leads back to what it shows.
    """
    st.fragment(_menu)(wanted, groups, linked)


def lines(files):
    """Function that draws the lines of some `SavedFile`s."""

    def draw():
        for one in files:
            one.button()

    return draw


def _menu(wanted, groups, linked):
    menu = st.popover("Save", icon=":material/download:", key=KEY, on_change="rerun")
    if not menu.open:
        return
    with menu, st.container(key="save-list"):
        wanted()
        if linked and (link := address.link()):
            st.caption("Link to what is on screen")
            shared_link(link)
        if groups:
            st.divider()
        for title, draw in groups.items():
            group = st.expander(title, key=f"{KEY}-{title}", on_change="rerun")
            if group.open:
                with group:
                    draw()
