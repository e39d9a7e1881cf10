"""What every page listens to. Tab goes into an open menu, whose contents Streamlit puts at the end of the page, and
round in it; a button that is switched off while its file is made has the focus again afterwards, and the page runs
again if the file could not be made; on a phone the list of pages goes once one is chosen."""

import streamlit as st

from pages.ui.shell.save_button import failed_file

_LISTENERS = """
export default function ({ setTriggerValue }) {
    const listen = (event) => {
        const menu = document.querySelector('[data-testid="stPopoverBody"]');
        if (event.key !== "Tab" || !menu) return;
        const button = document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]');
        const stops = [...menu.querySelectorAll("button, a[href], input, textarea, summary, [tabindex]")];
        // what an open menu has stopped for Tab, since the focus is outside, keeps in mind what it was
        const isStop = (one) => ("tabindex" in one.dataset ? one.dataset.tabindex !== "-1" : one.tabIndex >= 0);
        const inside = stops.filter((one) => isStop(one) && !one.disabled && one.offsetParent);
        const end = event.shiftKey ? inside[0] : inside[inside.length - 1];
        const isEntering = document.activeElement === button && !event.shiftKey;
        const next = isEntering ? inside[0] : document.activeElement === end ? button : null;
        if (!next) return;
        event.preventDefault();
        next.focus();
    };
    const ready = new MutationObserver(([{ target }]) => {
        if (target.disabled) return;
        if (document.activeElement === document.body) target.focus();
        const failed = target.closest('[data-testid="stDownloadButton"]')
            ?.querySelector('[data-testid="stDownloadButtonError"]');
        if (failed) setTriggerValue("failed", target.textContent);
    });
    const focused = ({ target }) => {
        ready.disconnect();
        if (target.matches("button")) ready.observe(target, { attributeFilter: ["disabled"] });
    };
    const chosen = ({ target }) => {
        const link = target.closest('[data-testid="stSidebarNavLink"]');
        // once the link has been followed
        if (link && matchMedia("(max-width: 768px)").matches) setTimeout(() =>
            document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click());
    };
    document.addEventListener("click", chosen);
    document.addEventListener("keydown", listen);
    document.addEventListener("focusin", focused);
    return () => {
        document.removeEventListener("click", chosen);
        document.removeEventListener("keydown", listen);
        document.removeEventListener("focusin", focused);
        ready.disconnect();
    };
}
"""


def page_listeners():
    """Have the page listen; it takes no room."""
    with st.container(key="page-listeners"):
        _component()(key="page-listener", on_failed_change=_run_again)
    failed_file()


def _run_again():
    """Streamlit runs the page after a callback; there is nothing else to do."""


@st.cache_resource(show_spinner=False)
def _component():
    return st.components.v2.component("page_listeners", js=_LISTENERS)
