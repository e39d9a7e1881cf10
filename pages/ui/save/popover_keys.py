"""Tab goes into an open menu, whose contents Streamlit puts at the end of the page, and round in it."""

import streamlit as st

_KEYS = """
export default function () {
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
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
}
"""


def popover_keys():
    """Have the page listen; it takes no room."""
    with st.container(key="popover-keys"):
        _component()(key="popover-keys-listener")


@st.cache_resource(show_spinner=False)
def _component():
    return st.components.v2.component("popover_keys", js=_KEYS)
