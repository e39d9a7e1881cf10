"""Cache values for all visitors: those computed from data, and the objects of the server."""

import threading
from collections.abc import Callable
from functools import cache, wraps
from inspect import signature
from typing import Any, TypeVar

import streamlit as st

_KEPT = []
Made = TypeVar("Made")


def computed(max_entries: int, show_spinner: bool | str = False, **more: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that caches a function. The parameters are those of `st.cache_resource`."""

    def decorate(function: Any) -> Any:
        cache_resource: Any = st.cache_resource
        found = cache_resource(function, max_entries=max_entries, show_spinner=show_spinner, **more)
        names = [*signature(function).parameters]

        @wraps(function)
        def get(*arguments: Any, **named: Any) -> Any:
            # Streamlit would inspect the signature for each argument without a name, in every call.
            return found(**dict(zip(names, arguments, strict=False)), **named)

        get.clear = found.clear  # as of any cached function
        _KEPT.append(found)
        return get

    return decorate


def forget_computed() -> None:
    """Clear all caches, because it is unknown which values use a deleted data set."""
    for one in _KEPT:
        one.clear()


def once(make: Callable[[], Made]) -> Callable[[], Made]:
    """Return a function that calls `make` at its first call, and then returns the same object.

    Decorator for the objects of the server. `st.cache_resource` takes 0.1 ms for each call, and pages make many.
    """
    lock, made = threading.RLock(), cache(make)

    @wraps(make)
    def get() -> Made:
        with lock:
            return made()

    return get
