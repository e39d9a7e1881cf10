"""`owner`: whose own data these are, so that a visitor who comes back can still delete them."""

from typing import Any

import streamlit as st

from pages.jobs import kept_files, user_store
from pages.serving.browser import browser
from pages.ui.shell.visitor import visitor
from treecore.errors import DataError


def owner() -> str:
    """32 hex digits: of who is signed in, else of this browser, else (where it takes no cookies) of this tab."""
    if st.user.get("is_logged_in"):
        return visitor()
    return browser(st.context.cookies) or visitor()


def is_known() -> bool:
    """Whether this visitor has the same owner after a reload."""
    return bool(st.user.get("is_logged_in") or browser(st.context.cookies))


def host() -> str | None:
    """Address that this visitor comes from, None for this machine."""
    return st.context.ip_address


def keep_upload(content: Any) -> str:
    """Keep an upload of this visitor, see `user_store.keep_upload`. Raises DataError."""
    return user_store.keep_upload(content, owner(), host())


def keep_by_hand(token: str, record: Any) -> None:
    """Keep what this visitor made by hand, see `kept_files.write`, or show why that is not possible."""
    try:
        kept_files.write(token, record, owner(), host())
    except DataError as error:
        st.toast(str(error), icon=":material/warning:")
