"""Widgets that show a value which lives elsewhere, since what is bound to a widget is lost on a change of page."""

import streamlit as st


def bound(key, value, changed):
    """Arguments of a widget that shows `value`, and calls `changed(new value)` when the visitor changes it."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, "on_change": lambda: changed(st.session_state[key])}
