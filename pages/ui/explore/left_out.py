"""Choose the features that no split may use, and show them above the tree."""

import streamlit as st

from pages.jobs.kinds.alternative_paths import column_name, groups
from pages.jobs.setting import settings_of
from pages.ui.session import data_sets
from pages.ui.session.controls import Controls
from pages.ui.session.page_settings import PageSettings
from pages.ui.session.shown_path import PathView
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError

_KEY = "left-out-columns"


def control(bound: Controls) -> None:
    """Draw the choice for the `Controls` of a page, except for images, which have too many features."""
    now = bound.store.current()
    try:
        data = data_sets.load(now.data_set)
    except TreecoreError:  # the page reports the error
        return
    if data.image_shape is not None or data.n_features < 2:
        return
    one, columns = settings_of(type(now))["left_out"], groups(data)
    st.session_state[_KEY] = [i for i, group in enumerate(columns) if set(group) & set(now.left_out)]
    st.multiselect(
        one.words, range(len(columns)), format_func=lambda i: column_name(data, columns[i]), key=_KEY, help=one.help,
        placeholder="none", max_selections=len(columns) - 1, on_change=_leave_out, args=(bound.store, columns),
    )  # fmt: skip


def _leave_out(store: PageSettings, columns: list[tuple[int, ...]]) -> None:
    store.change(left_out=tuple(sorted(feature for i in st.session_state[_KEY] for feature in columns[i])))


def left_out_words(shown: PathView) -> None:
    """Draw the names of the features left out, with a button that uses all features again."""
    names = left_out_names(shown.data, shown.path_settings.left_out)
    if not names:
        return
    left, right = st.columns([5, 1.4], vertical_alignment="center")
    left.caption(f"Trained without {plain(', '.join(names))}.")
    right.button(
        "Use all features", key="use-all-features", width="stretch", on_click=shown.store.change,
        kwargs={"left_out": ()},
    )  # fmt: skip


def left_out_names(data: DataSet, left_out: tuple[int, ...]) -> list[str]:
    """Return the names of the table columns with features left out."""
    return [column_name(data, group) for group in groups(data) if set(group) & set(left_out)]
