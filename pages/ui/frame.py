"""The frame around every page: navigation, style, warm kernels."""

import contextlib
import threading
import time

import streamlit as st

from pages.jobs import kept_files, user_store
from pages.ui import pages
from pages.ui.shell import address, link_notes, sign_in
from pages.ui.shell.manager import manager
from pages.ui.shell.page_listeners import page_listeners
from viz.palette import STAGE_THEMES

SWEEP = 600.0  # seconds between two looks for own data that nobody has used
_IN_FRAME = "_in_frame"

_STYLE = """
<style>
.st-key-page-listeners, [data-testid="stLayoutWrapper"]:has(> .st-key-page-listeners) { position: absolute; }
.block-container { padding: 4.2rem 2rem 2rem 2rem; }
[data-testid="stMetricValue"] { font-size: 1.45rem; }
[data-testid="stMetricLabel"] p { white-space: normal; overflow: visible; line-height: 1.15; }
@media (max-width: 1200px) {
    [data-testid="stMetricLabel"] p { font-size: 0.7rem; overflow-wrap: normal; word-break: normal; }
    [data-testid="stMetricValue"] { font-size: 1.2rem; }
}
[data-testid="stMetricLabel"] { font-size: 0.85rem; }
@media (max-width: 768px) {
    /* what is chosen there is seen above it */
    [data-testid="stSidebar"][data-collapsed="false"] { position: fixed !important; inset: auto 0 0 0 !important;
        width: 100% !important; max-width: 100%; height: 50dvh !important; border-radius: 14px 14px 0 0;
        box-shadow: 0 -8px 28px rgba(0, 0, 0, 0.3); }
    [data-testid="stSidebarContent"] { height: 100%; overflow-y: auto; }
    [data-testid="stSidebarHeader"] { height: 2.6rem; margin: 0; position: sticky; top: 0; z-index: 1; }
    .block-container { padding: 4.1rem 1rem 2rem 1rem; }
    [data-testid="stColumn"]:has(> [data-testid="stVerticalBlock"] >
        [data-testid="stElementContainer"]:only-child > [data-testid="stMetric"]) {
        min-width: 28% !important; flex: 1 1 28% !important; }
}
@media (hover: none) {
    /* the buttons of a chart are always there: above what they would cover */
    [data-testid="stElementContainer"]:has(> div > .stPlotlyChart) { margin-top: 1.6rem; overflow: visible !important; }
    .js-plotly-plot { overflow: visible !important; }
    .stPlotlyChart .modebar-container { top: -1.9rem !important; }
    [data-testid="stElementContainer"]:has(> div > .stDataFrame) { margin-top: 2.4rem; overflow: visible; }
    [data-testid="stElementToolbar"] { top: auto; bottom: 100%; padding: 0; }
}
@media (pointer: coarse) {
    /* what a finger aims at: Streamlit's are 16 to 40 pixels high */
    :is([data-testid="stMain"], [data-testid="stSidebar"], [data-testid="stPopoverBody"], [data-testid="stDialog"]) :is(
        [data-testid^="stBaseButton"]:not([data-testid$="Toolbar"]), [data-testid="stPopoverButton"], [role="tab"],
        .stButtonGroup button, summary, [data-testid="stPageLink"] a, [data-testid="stSidebarNavLink"],
        .react-aria-ComboBox > div,
        [data-testid="stNumberInputContainer"], [data-testid="stTextInputRootElement"],
        [data-testid="stCheckbox"] label, [role="radiogroup"] > label) {
        min-height: 2.75rem; }
    :is([data-testid="stExpandSidebarButton"], [data-testid="stSidebarCollapseButton"] button,
        .stButtonGroup button, [data-testid^="stBaseButton"]:not([data-testid$="Toolbar"])) {
        min-width: 2.75rem; min-height: 2.75rem; justify-content: center; }
    .react-aria-ComboBox > div > button, [data-testid="stNumberInputContainer"] button { min-width: 2.75rem; }
    [data-testid="stPageLink"] a { align-items: center; }
    [data-testid="stElementContainer"]:has(> div > .stPlotlyChart) { margin-top: 2.5rem; }
    .stPlotlyChart .modebar-container { top: -2.9rem !important; }
    [data-testid="stTooltipIcon"] button { position: relative; }
    [data-testid="stTooltipIcon"] button::after { content: ""; position: absolute; inset: -14px; }
    [data-testid="stElementToolbarButton"] button, .stPlotlyChart .modebar-btn {
        min-width: 2.75rem; min-height: 2.75rem; justify-content: center; }
}
/* Streamlit's own is a shade that is hardly seen */
[data-testid="stPageLink"] a:focus-visible, [data-testid="stTopNavLink"]:focus-visible {
    outline: 2px solid currentColor; outline-offset: 1px; }
/* Streamlit's own are below 4.5 : 1 on a light page */
[data-testid="stCaptionContainer"] { opacity: 0.72; }
.stButtonGroup button[aria-checked="true"] *, .stButtonGroup button[aria-pressed="true"] * {
    color: light-dark(#2b55ad, #a8c3ff); }
/* Streamlit writes white on every accent */
[data-testid^="stBaseButton-primary"], [data-tag] * { color: light-dark(LIGHT, DARK) !important; }
</style>
""".replace("LIGHT", STAGE_THEMES["light"]["onAccent"]).replace("DARK", STAGE_THEMES["dark"]["onAccent"])
# Streamlit marks the page in the bar, but not the menu that holds it
_MARKED = """<style>
.rc-overflow-item:nth-child({place} of :has(> [data-testid="stTopNavSection"])) > button {{
    background: color-mix(in srgb, currentColor 9%, transparent); font-weight: 600; }}
</style>"""


def run():
    """What app.py does: the page that the visitor has chosen, once it is known who that is where that is asked."""
    page = _navigation()
    if sign_in.is_needed():
        sign_in.page()
    else:
        st.session_state[_IN_FRAME] = True
        begin_page(page.url_path)
        menus = [group for group in _groups() if group]
        for place, group in enumerate(menus):
            if page.url_path in {one.path for one in _groups()[group]}:
                st.html(_MARKED.format(place=place + 1))
        page.run()


def begin_page(path):
    """Before a page is drawn: what its address gives, and what there is to say of it; path : of the page."""
    address.begin(path, pages.session_keys(path))
    link_notes.begin(path, lambda: pages.faults(path, st.query_params.to_dict()))


def _navigation():
    """Page settings and the pages, in a bar at the top; the side bar is left to the page."""
    st.set_page_config(page_title="TAO tree explorer", page_icon="🌳", layout="wide", initial_sidebar_state="auto")
    return st.navigation(
        {group: [_page(one) for one in its] for group, its in _groups().items()},
        position="hidden" if sign_in.is_needed() else "top",
    )


def _groups():
    """{menu of the navigation: its pages}, those without a menu first."""
    return {
        group: [page for page in pages.PAGES if page.group == group]
        for group in dict.fromkeys(page.group for page in pages.PAGES)
    }


def _page(one):
    looks = {"icon": f":material/{one.icon}:"} if one.icon else {"visibility": "hidden"}
    return st.Page(f"pages/{one.name}.py", title=one.title, url_path=one.name, default=one.name == pages.HOME, **looks)


def begin():
    """First line of every page: make sure that the page runs inside app.py, and set up what all pages share.

    On a cold server Streamlit runs a deep-linked file of `pages/` by itself, without app.py; declaring the navigation
    and running again puts the frame back.
    """
    if not st.session_state.pop(_IN_FRAME, False):
        _navigation()
        st.rerun()
    st.html(_STYLE)
    page_listeners()
    manager()
    _drop_unused_data()
    sign_in.show_who()
    address.leave()


@st.cache_resource(show_spinner=False)
def _drop_unused_data():
    def drop():
        while True:
            with contextlib.suppress(OSError):  # of a disk that is full or gone
                user_store.drop_unused()
                kept_files.drop_unused()
            time.sleep(SWEEP)

    threading.Thread(target=drop, name="unused data", daemon=True).start()
    return True
