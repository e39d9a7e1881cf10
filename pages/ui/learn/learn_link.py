"""What a link to the Learn page asked for and could not have, in plain words."""

from dataclasses import asdict

import streamlit as st

from pages.ui.learn.messages import MESSAGES
from pages.ui.session import data_sets
from sample_data import painted
from treecore.errors import TreecoreError

KEY = "learn_notes"
PAINTING = MESSAGES("link.painting")


def notes(store):
    """Sentences on what `store`'s settings are not as the link has them, until the visitor changes something; a data
    set that cannot be had becomes the default one."""
    asked = store.current().data_set
    misread = set(st.session_state.pop(f"{store.key}_misread", ()))
    told = [PAINTING] if "painted" in misread and asked == painted.NAME else []
    told += _without_data(store)
    now = _settings(store)
    if told:
        st.session_state[KEY] = (tuple(told), now)
    kept, then = st.session_state.get(KEY, ((), None))
    return kept if then == now else ()


def say(store, sentence):
    """Have `notes` say a sentence of the settings as they are now."""
    kept, then = st.session_state.get(KEY, ((), None))
    now = _settings(store)
    st.session_state[KEY] = ((*(kept if then == now else ()), sentence), now)


def _settings(store):
    # the columns are chosen for the visitor when a link names none
    return asdict(store.current()) | dict.fromkeys(("x", "y", "present"))


def _without_data(store):
    asked = store.current().data_set
    if asked == painted.NAME:
        return []
    try:
        data_sets.load(asked)
    except TreecoreError:
        default = store.default.data_set
        store.change(data_set=default, x="", y="", rows="drawn")
        shown = data_sets.label(default)
        return [
            MESSAGES("link.data_set", name=asked[:60], shown=shown) if asked else MESSAGES("link.no_name", shown=shown)
        ]
    return []
