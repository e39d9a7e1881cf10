"""Cache values computed from data, for all visitors."""

from collections.abc import Callable
from typing import Any

import streamlit as st

_KEPT = []


def computed(max_entries: int, show_spinner: bool | str = False, **more: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that caches a function. The parameters are those of `st.cache_resource`."""

    def cache(function: Any) -> Any:
        cache: Any = st.cache_resource
        found = cache(function, max_entries=max_entries, show_spinner=show_spinner, **more)
        _KEPT.append(found)
        return found

    return cache


def forget_computed() -> None:
    """Clear all caches, because it is unknown which values use a deleted data set."""
    for one in _KEPT:
        one.clear()
