"""Draw a page with two files, one of which cannot be made, for the browser tests."""

import streamlit as st

from pages.ui.save.save_menu import SavedFile
from pages.ui.shell.address import page_listeners
from pages.ui.shell.save_button import failed_file


def _fail():
    raise ValueError("min() arg is an empty sequence")


page_listeners()
failed_file()
with st.popover("Save"):
    for file in (
        SavedFile("Figure (PDF)", _fail, "figure.pdf", "application/pdf"),
        SavedFile("Figure (SVG)", lambda: "<svg/>", "figure.svg", "image/svg+xml"),
    ):
        file.button()
