"""Presentation mode: a page for the projector, with as little around its stage as can be."""

from typing import Any

import streamlit as st

from pages.ui.styles.sheet import sheet


def begin() -> None:
    """Take the bar at the top away and make the type larger; the page draws no side bar."""
    st.html(sheet("presentation"))


def leave(store: Any) -> None:
    """Button that ends it; store : `PageSettings` whose settings have `present`."""
    if st.button(
        "Exit presentation", icon=":material/close_fullscreen:", type="tertiary", key="leave",
        on_click=store.change, kwargs={"present": False},
    ):  # fmt: skip
        st.rerun(scope="app")
