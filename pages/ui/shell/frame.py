"""The frame around every page: navigation, style, warm kernels."""

import contextlib
import gc
import threading
import time

import streamlit as st

from pages.jobs import user_store
from pages.ui.shell import link_notes, sign_in
from pages.ui.shell.manager import manager

SWEEP = 600.0  # seconds between two looks for own data that nobody has used
_IN_FRAME = "_in_frame"

_STYLE = """
<style>
.block-container { padding: 4.2rem 2rem 2rem 2rem; }
[data-testid="stMetricValue"] { font-size: 1.45rem; }
[data-testid="stMetricLabel"] p { white-space: normal; overflow: visible; line-height: 1.15; }
@media (max-width: 1200px) {
    [data-testid="stMetricLabel"] p { font-size: 0.62rem; overflow-wrap: normal; word-break: normal; }
    [data-testid="stMetricValue"] { font-size: 1.2rem; }
}
[data-testid="stMetricLabel"] { font-size: 0.85rem; }
</style>
"""


def run():
    """What app.py does: the page that the visitor has chosen, once it is known who that is where that is asked."""
    page = _navigation()
    if sign_in.is_needed():
        sign_in.page()
    else:
        st.session_state[_IN_FRAME] = True
        link_notes.begin(page.url_path)
        page.run()


def _navigation():
    """Page settings and the pages, in a bar at the top; the side bar is left to the page."""
    st.set_page_config(page_title="TAO tree explorer", page_icon="🌳", layout="wide", initial_sidebar_state="expanded")
    return st.navigation(
        [
            st.Page("pages/explore.py", title="Explore", icon=":material/account_tree:", default=True),
            st.Page("pages/learn.py", title="Learn", icon=":material/school:", url_path="learn"),
            st.Page("pages/bivariate.py", title="Bivariate", icon=":material/scatter_plot:", url_path="bivariate"),
            st.Page("pages/phase.py", title="Phase diagram", icon=":material/grid_on:", url_path="phase"),
            st.Page("pages/compare.py", title="Compare", icon=":material/balance:", url_path="compare"),
            st.Page("pages/edit.py", title="Edit", icon=":material/edit:", url_path="edit"),
            st.Page("pages/rules.py", title="Rules", icon=":material/rule:", url_path="rules"),
            st.Page("pages/explain.py", title="Explain", icon=":material/lightbulb:", url_path="explain"),
            st.Page("pages/predict.py", title="Predict", icon=":material/online_prediction:", url_path="predict"),
            st.Page("pages/data.py", title="Data", icon=":material/table_chart:", url_path="data"),
            st.Page("pages/about.py", title="About", icon=":material/menu_book:", url_path="about"),
        ],
        position="hidden" if sign_in.is_needed() else "top",
    )


def begin():
    """First line of every page: make sure that the page runs inside app.py, and set up what all pages share.

    On a cold server Streamlit runs a deep-linked file of `pages/` by itself, without app.py; declaring the navigation
    and running again puts the frame back.
    """
    if not st.session_state.pop(_IN_FRAME, False):
        _navigation()
        st.rerun()
    st.html(_STYLE)
    manager()
    _freeze()
    _drop_unused_data()
    sign_in.show_who()


@st.cache_resource(show_spinner=False)
def _freeze():
    # objects of the imports never die: keep the collector from walking them after every rerun
    gc.collect()
    gc.freeze()
    return True


@st.cache_resource(show_spinner=False)
def _drop_unused_data():
    def drop():
        while True:
            with contextlib.suppress(OSError):  # of a disk that is full or gone
                user_store.drop_unused()
            time.sleep(SWEEP)

    threading.Thread(target=drop, name="unused data", daemon=True).start()
    return True
