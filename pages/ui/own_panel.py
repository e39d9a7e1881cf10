"""Main area of the data page for the visitor's own data: open a file, decide what it means, explore it."""

import streamlit as st

from pages.ui import (
    data_panel,
    own_columns,
    own_data,
    own_problems,
    own_reading,
    own_split,
    own_target,
    settings,
    suited,
)
from pages.ui.words import plain
from sample_data import split_rows
from treecore import TreecoreError

ROWS_SHOWN, COLUMNS_SHOWN = 100, 200
_ASKED = "own_asked"


def show(way):
    """Draw the page; way : "file" or "paste"."""
    own_reading.show(way)
    draft = own_data.draft()
    if draft is None:
        own_reading.explain(way)
        return
    try:
        reading = own_data.reading(draft)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    with st.container(border=True):
        own_reading.head(draft, reading)
        if reading.table is None:
            with st.columns([1, 3])[0]:
                _explore()
        else:
            own_target.show(draft, reading, _explore)
    if reading.table is None:
        data_panel.show(reading.data_set, split_rows(reading.data_set, settings.EXPLORE.current().seed))
        return
    own_problems.show(draft)
    columns, rows, split = st.tabs(
        [f"Columns ({reading.table.n_columns:,})", "First rows", "Training, validation and test rows"]
    )
    with columns:
        own_columns.show(draft, reading)
    with rows:
        _first_rows(reading.table.frame)
    with split:
        own_split.show(draft, reading)


def _explore():
    st.button("Explore this data", type="primary", icon=":material/account_tree:", width="stretch", on_click=_ask_for)
    if not st.session_state.pop(_ASKED, False):
        return
    with st.spinner("Making the data set …"):
        data = own_data.finish()
    if data is None:
        st.rerun()
    for store in (settings.EXPLORE, settings.BIVARIATE, settings.PHASE, settings.COMPARE):
        store.change(data_set=data.name)
    suited.suit(data)
    st.switch_page("pages/explore.py")


def _ask_for():
    st.session_state[_ASKED] = True  # a page can be left from its body only


def _first_rows(frame):
    st.dataframe(frame.iloc[:ROWS_SHOWN, :COLUMNS_SHOWN], hide_index=True, width="stretch", height=420)
    shown = f"The first {min(ROWS_SHOWN, len(frame)):,} of {len(frame):,} rows"
    if frame.shape[1] > COLUMNS_SHOWN:
        shown += f", the first {COLUMNS_SHOWN} of {frame.shape[1]:,} columns"
    st.caption(f"{shown}, as they were read. Empty cells are missing values.")
