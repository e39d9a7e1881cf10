"""Draw the banner for a visitor without a link: a sentence, three links and a hint."""

import streamlit as st

from pages.ui.session import page_settings
from pages.ui.styles.sheet import sheet

SENTENCE = "**Drag the slider to trade accuracy for simplicity**"
HINT = "Press ▶ to play the path · Click a node for details · Choose another data set in the sidebar"
DOORS = (
    ("pages/data.py", "Upload a file", "upload_file", {"from": "file"}),
    ("pages/data.py", "Choose an example", "table_chart", {"from": "list"}),
    ("pages/learn.py", "5-minute introduction", "school", {"lesson": "what-a-tree-is"}),
)
_GONE = "landing_gone"


def landing() -> None:
    """Draw the banner until the visitor closes it or changes a setting."""
    if not is_shown():
        return
    st.html(sheet("landing"))
    with st.container(key="landing"):
        columns = st.columns([3.2, 1, 1.1, 1.3, 0.35], vertical_alignment="center")
        columns[0].markdown(SENTENCE)
        for column, (page, label, icon, query) in zip(columns[1:4], DOORS, strict=True):
            column.page_link(page, label=label, icon=f":material/{icon}:", query_params=query)
        columns[4].button(":material/close:", key="landing_close", type="tertiary", on_click=_close, help="Dismiss")
        st.caption(HINT)


def is_shown() -> bool:
    """Test whether the banner is visible, which makes the stage lower."""
    return page_settings.EXPLORE.is_first() and not st.session_state.get(_GONE)


def _close() -> None:
    st.session_state[_GONE] = True
