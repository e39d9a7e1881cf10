"""`computed`: keeps what is computed from data, for all visitors, until newer values or a deletion push it out."""

import streamlit as st

_KEPT = []


def computed(max_entries, show_spinner=False, **more):
    """Decorator of a function that pages call again and again; its parameters are those of `st.cache_resource`."""

    def kept(function):
        found = st.cache_resource(function, max_entries=max_entries, show_spinner=show_spinner, **more)
        _KEPT.append(found)
        return found

    return kept


def forget_computed():
    """Let go of all of it: the values of some data cannot be told from those of others."""
    for one in _KEPT:
        one.clear()
