"""Present a page on a projector, with few elements around its stage."""

from typing import Any

import streamlit as st

from pages.ui.styles.sheet import sheet


def begin() -> None:
    """Hide the navigation and enlarge the text. The page must not draw a sidebar."""
    st.html(sheet("presentation"))


def leave(store: Any) -> None:
    """Draw the button that ends the presentation.

    store : `PageSettings` with the setting `present`.
    """
    if st.button(
        "Exit presentation", icon=":material/close_fullscreen:", type="tertiary", key="leave",
        on_click=store.change, kwargs={"present": False},
    ):  # fmt: skip
        st.rerun(scope="app")
