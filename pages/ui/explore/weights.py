"""Choose class weights: none, balanced, or one number per class."""

import numpy as np
import streamlit as st

from pages.jobs import class_weights as jobs_weights
from pages.jobs.class_weights import CLASS_WEIGHTS
from pages.ui.session import data_sets
from pages.ui.session.controls import Controls
from pages.ui.session.page_settings import PageSettings
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError

BY_HAND = "custom"
FEW, HIGH = 6, 300  # maximum number of classes without a scroll bar, and the height in pixels with a scroll bar
_FAULT = "weights_fault"


def class_weights(bound: Controls) -> None:
    """Draw the choice for the `Controls` of a page."""
    now = bound.store.current()
    numbers = jobs_weights.parse_weights(now.class_weight)
    names, proposed = _classes(now.data_set)
    if not names:
        return
    hand = now.class_weight if numbers is not None else proposed
    options = CLASS_WEIGHTS if hand is None else CLASS_WEIGHTS | {hand: BY_HAND}
    bound.setting("class_weight", options=options)
    if numbers is None or len(numbers) != len(names):
        return
    with st.container(height=HIGH if len(names) > FEW else "content", border=False):
        for place, (name, number) in enumerate(zip(names, numbers, strict=True)):
            key = f"class-weight-{place}"
            st.session_state[key] = number  # set in every run, as `bound` does for other widgets
            st.number_input(
                plain(name), step=1.0, format="%g", key=key, on_change=_weigh, args=(bound.store, place, name)
            )
    fault, among = st.session_state.get(_FAULT, (None, None))
    if fault is not None and among == now.class_weight:  # the error must stay visible when the page is redrawn
        st.error(fault, icon=":material/error:")


def _classes(data_set: str) -> tuple[tuple[str, ...], str | None]:
    """Return (class names of a data set, its balanced weights as text or None)."""
    try:
        data = data_sets.load(data_set)
    except TreecoreError:  # the page reports the error
        return (), None
    names = data.class_names
    if not 2 <= len(names) <= jobs_weights.MOST_CLASSES:
        return names, None
    return names, jobs_weights.balanced_weights(np.bincount(data.y, minlength=len(names)))


def _weigh(store: PageSettings, place: int, name: str) -> None:
    text = store.current().class_weight
    number, now = st.session_state[f"class-weight-{place}"], list(jobs_weights.parse_weights(text) or ())
    if (fault := jobs_weights.weight_fault(number)) is not None:
        st.session_state[_FAULT] = (f"{fault} The weight of {plain(name)} stays {now[place]:g}.", text)
        return
    st.session_state.pop(_FAULT, None)
    now[place] = number
    store.change(class_weight=jobs_weights.format_weights(now))
