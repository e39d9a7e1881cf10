"""Draw a page with two files, one of which cannot be made, for the browser tests."""

import streamlit as st

from pages.ui.save.saved_file import SavedFile
from pages.ui.shell.page_listeners import page_listeners


def _fail():
    raise ValueError("min() arg is an empty sequence")


page_listeners(0)
with st.popover("Save"):
    for file in (
        SavedFile("Figure (PDF)", _fail, "figure.pdf", "application/pdf"),
        SavedFile("Figure (SVG)", lambda: "<svg/>", "figure.svg", "image/svg+xml"),
    ):
        file.button()
