"""Identify the visitor of the app, and the owner of user data, so that a returning visitor can delete them."""

import hashlib
import uuid
from functools import cache
from typing import Any

import streamlit as st

from pages.jobs import kept_files, user_store
from pages.serving.browser import browser
from treecore.errors import DataError


def owner() -> str:
    """Return 32 hexadecimal digits for the signed-in user, else for the browser, else (without cookies) for the tab."""
    if is_signed_in():
        return visitor()
    return browser(st.context.cookies) or visitor()


def device() -> str:
    """Return 64 hexadecimal digits for this browser and the signed-in user, or "" without cookies.

    Students who share an account have several devices.
    """
    key = browser(st.context.cookies)
    user = visitor() if is_signed_in() else ""
    return hashlib.sha256(f"{user} {key}".encode()).hexdigest() if key else ""


def is_known() -> bool:
    """Test whether this visitor will have the same owner after a reload."""
    return is_signed_in() or bool(browser(st.context.cookies))


def host() -> str | None:
    """Return the network address of this visitor, or None for this machine."""
    return st.context.ip_address


def keep_upload(content: Any) -> str:
    """Store an upload of this visitor, see `user_store.keep_upload`. Raises DataError."""
    return user_store.keep_upload(content, owner(), host())


def keep_by_hand(token: str, record: Any) -> None:
    """Store an edit of this visitor, see `kept_files.write`. After a failure, show its reason."""
    try:
        kept_files.write(token, record, owner(), host())
    except DataError as error:
        st.toast(str(error), icon=":material/warning:")


def visitor() -> str:
    """Return 32 hexadecimal digits for the signed-in user, else for this browser tab."""
    if is_signed_in():
        # OpenID Connect Core 1.0, section 2, guarantees that this pair is never reassigned to another person.
        return hashlib.sha256(f"{st.user.get('iss')} {st.user.get('sub')}".encode()).hexdigest()[:32]
    return tab()


def is_signed_in() -> bool:
    """Test whether the visitor has signed in."""
    return has_sign_in() and bool(st.user.get("is_logged_in"))


@cache
def has_sign_in() -> bool:
    """Test whether this server has a sign-in. `st.user` would read the configuration again at each access."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def tab() -> str:
    """Return 32 hexadecimal digits that identify this browser tab while it is open."""
    return st.session_state.setdefault("session", uuid.uuid4().hex)
