"""Widgets that show a value which lives elsewhere, since what is bound to a widget is lost on a change of page."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st


def bound(key: str, value: Any, changed: Callable[[Any], Any]) -> dict[str, Any]:
    """Arguments of a widget that shows `value`, and calls `changed(new value)` when the visitor changes it."""
    st.session_state[key] = value  # in every run: a browser that hears of two at once shows what the second one says
    return {"key": key, "on_change": lambda: changed(st.session_state[key])}


def label_by(words: Mapping[Any, str]) -> Callable[[Any], str]:
    """Return the `format_func` of options that have their labels in `words`."""
    return lambda option: words.get(option, "")
