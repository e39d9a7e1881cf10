"""Sign visitors in with OpenID Connect, if `[auth]` in `.streamlit/secrets.toml` configures it."""

from collections.abc import Mapping

import streamlit as st

from pages.ui.components.component import component
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import has_sign_in, is_signed_in

DEFAULT = "default"


def is_needed() -> bool:
    """Test whether this server requires a sign-in and this visitor has not signed in."""
    return has_sign_in() and not is_signed_in()


def page() -> None:
    """Draw the sign-in page."""
    st.title("TAO tree explorer")
    st.markdown("Sign in to continue. Your data are stored under your account, and only you see them in your list.")
    for name in _providers():
        label = "Sign in" if name == DEFAULT else f"Sign in with {name}"
        if st.button(label, icon=":material/login:", type="primary", key=f"sign-in-{name}"):
            st.login(None if name == DEFAULT else name)
    _link_keeper(keep=True)


def show_who() -> None:
    """Draw the user and a Sign out button in the sidebar. After a sign-in, continue to the opened link."""
    if not is_signed_in():
        return
    if not st.session_state.get("came_in"):
        st.session_state["came_in"] = True
        _link_keeper(keep=False)
    with st.sidebar:
        st.caption(plain(st.user.get("name") or st.user.get("email") or "Signed in")[:80])
        st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=st.logout, key="sign-out")


def _providers() -> list[str]:
    known = st.secrets["auth"]
    named = [name for name, value in known.items() if isinstance(value, Mapping) and name != "client_kwargs"]
    return ([DEFAULT] if "client_id" in known else []) + named


def _link_keeper(keep: bool) -> None:
    component("link_keeper")(key="link-keeper", data={"keep": keep})
