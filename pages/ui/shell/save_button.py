"""Draw a button that makes a file when it is clicked, and a notice if that fails."""

import functools
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError

_FAILED = "failed-file"


def save_button(
    label: str, make: Callable[[], str | bytes], name: str, mime: str, place: Any = st, **looks: Any
) -> None:
    """Draw a download button.

    label : its text; make : function without parameters that returns str or bytes, called outside the script when the
    button is clicked; name, mime : name and media type of the file; looks : more arguments of `st.download_button`. If
    `make` raises an error, the page runs again and `failed_file` reports the error.
    """
    failed = st.session_state.setdefault(_FAILED, {})
    looks = {"icon": ":material/download:"} | looks
    place.download_button(
        label, functools.partial(_make_file, make, label, failed), name, mime, on_click="ignore", **looks
    )


def _make_file(make: Callable[[], str | bytes], label: str, failed: dict[str, str]) -> str | bytes:
    words = (
        "unexpected error. Your data and your tree are unchanged. Choose another format, or save "
        "the project and send it to the administrator of this server."
    )
    try:
        content = make()
        words = None
    except TreecoreError as error:
        words = str(error)
        raise
    finally:  # Streamlit only logs the error, so the visitor needs this message
        if words:
            failed[label] = f"**{plain(label)}** could not be created: {plain(words)}"
    return content


def failed_file() -> None:
    """Report the files that could not be made since the last run of the page."""
    failed = st.session_state.get(_FAILED, {})
    while failed:
        st.error(failed.popitem()[1], icon=":material/error:")
