"""`computed`: keeps what is computed from data, for all visitors, until newer values or a deletion push it out."""

from collections.abc import Callable
from typing import Any

import streamlit as st

_KEPT = []


def computed(max_entries: int, show_spinner: bool | str = False, **more: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of a function that pages call again and again; its parameters are those of `st.cache_resource`."""

    def kept(function: Any) -> Any:
        cache: Any = st.cache_resource
        found = cache(function, max_entries=max_entries, show_spinner=show_spinner, **more)
        _KEPT.append(found)
        return found

    return kept


def forget_computed() -> None:
    """Let go of all of it: the values of some data cannot be told from those of others."""
    for one in _KEPT:
        one.clear()
