"""Bind widgets to values stored elsewhere, because Streamlit drops widget values when the page changes."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st


def bound(key: str, value: Any, changed: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the arguments of a widget that shows `value`. A change by the visitor calls `changed(new value)`."""
    # Set the value in every run, because a browser that receives two runs at once shows the values of the second one.
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: changed(st.session_state[key])}


def label_by(words: Mapping[Any, str]) -> Callable[[Any], str]:
    """Return a `format_func` that looks up the label of an option in `words`."""
    return lambda option: words.get(option, "")
