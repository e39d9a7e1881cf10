"""Presentation mode: a page for the projector, with as little around its stage as can be."""

import streamlit as st

_STYLE = """
<style>
[data-testid="stHeader"], [data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"] { display: none; }
.block-container { padding: 0.6rem 1.2rem 0.4rem 1.2rem; }
html { font-size: 125%; }
:root { --stage-height: max(480px, calc(100vh - 3.5rem)); }
.st-key-leave .stButton { display: flex; justify-content: flex-end; }
.st-key-leave button { min-height: 0; height: 1.4rem; padding: 0 0.3rem; opacity: 0.75; }
.st-key-leave button :is(p, span) { font-size: 1.1rem; }
</style>
"""


def begin():
    """Take the bar at the top away and make the type larger; the page draws no side bar."""
    st.html(_STYLE)


def leave(store):
    """Button that ends it; store : `PageSettings` whose settings have `present`."""
    if st.button(
        "Leave the presentation", icon=":material/close_fullscreen:", type="tertiary", key="leave",
        on_click=store.change, kwargs={"present": False},
    ):  # fmt: skip
        st.rerun(scope="app")
