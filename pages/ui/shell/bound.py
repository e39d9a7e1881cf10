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
    """Return the `format_func` of options that have their labels in `words`, shown in sentence case."""
    return lambda option: sentence_case(words.get(option, ""))


def sentence_case(label: str) -> str:
    """Return a label with an initial capital; a Greek letter such as λ stays lower case."""
    return label[:1].upper() + label[1:] if label[:1].isascii() else label
