"""Collect notes about parameters of a link that the Learn page cannot use."""

from dataclasses import asdict
from typing import Any

import streamlit as st

from pages.ui.session import data_sets
from pages.ui.session.page_settings import PageSettings
from sample_data import painted
from treecore.errors import TreecoreError

KEY = "learn_notes"
PAINTING = (
    "The painted points in this link are not readable, so the plane is empty. Paint points, or ask for a new link."
)


def notes(store: PageSettings) -> tuple[str, ...]:
    """Return notes about parameters that the page could not use, until the visitor changes a setting.

    The default data set replaces one that is not available.
    """
    linked = store.current().data_set
    misread = set(st.session_state.pop(f"{store.key}_misread", ()))
    notes_now: list[str] = [PAINTING] if "painted" in misread and linked == painted.NAME else []
    notes_now += _without_data(store)
    now = _settings(store)
    if notes_now:
        st.session_state[KEY] = (tuple(notes_now), now)
    kept, then = st.session_state.get(KEY, ((), None))
    return kept if then == now else ()


def add(store: PageSettings, sentence: str) -> None:
    """Add a sentence to `notes` for the current settings."""
    kept, then = st.session_state.get(KEY, ((), None))
    now = _settings(store)
    st.session_state[KEY] = ((*(kept if then == now else ()), sentence), now)


def _settings(store: PageSettings) -> dict[str, Any]:
    # If a link names no columns, they are chosen automatically.
    return asdict(store.current()) | dict.fromkeys(("x", "y", "present"))


def _without_data(store: PageSettings) -> list[str]:
    linked = store.current().data_set
    if linked == painted.NAME:
        return []
    try:
        data_sets.load(linked)
    except TreecoreError:
        default = store.default.data_set
        store.change(data_set=default, x="", y="", rows="drawn")
        shown = data_sets.labels()(default)
        return [
            f"The data set '{linked[:60]}' in this link is not available. Showing {shown}."
            if linked
            else f"The data set in this link is not available. Showing {shown}."
        ]
    return []
