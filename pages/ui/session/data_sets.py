"""Load the data sets of the pages once for all sessions, and show errors on the page."""

import contextlib
import difflib
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import streamlit as st

import sample_data
from pages.jobs import row_split, settings, user_store
from pages.jobs.task_data import task_data
from pages.ui.session import user_data
from pages.ui.shell.computed import computed, forget_computed
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.served_files import served_files
from sample_data import DataSet, Entry
from treecore.errors import DataSetNotFound, TreecoreError
from viz.nodes.category_columns import grouped_columns


def load(name: str) -> DataSet:
    """Return a DataSet by name (read-only, shared by all sessions). Raises DataSetNotFound or DataError.

    User data can be opened by name, for example in a link. From then on, they are in this visitor's lists.
    """
    data = load_shared(name)
    if user_store.is_own(name) and name not in user_data.entries():
        user_data.remember(data)
    return data


def load_shared(name: str) -> DataSet:
    """Return a DataSet like `load`, without adding it to the visitor's lists."""
    try:
        with contextlib.nullcontext() if name in task_data else st.spinner("Loading the data …"):
            return task_data(name)
    except DataSetNotFound as error:
        if user_store.is_own(name) or name in catalogue():
            raise
        # The library's own message addresses administrators.
        near = difflib.get_close_matches(name.replace("_", "-"), catalogue(), n=1)
        hint = f" The most similar name is '{near[0]}'." if near else ""
        raise DataSetNotFound(
            f"The data set '{name:.60}' does not exist.{hint} Choose one on the Data page."
        ) from error


def forget(names: Collection[str]) -> None:
    """Release deleted data sets, and everything computed from them."""
    task_data.clear(names)
    forget_computed()
    served_files().forget_data()


@computed(6)
def rows(name: str, seed: int, rows: str = "standard") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the (training, validation, test) row numbers of a data set.

    rows : a name in `settings.ROWS`.
    """
    return row_split.split_rows(load_shared(name), seed, rows)


def entries() -> dict[str, Entry]:
    """Return the data sets that this visitor can choose, by name: user data first, then the catalogue."""
    return user_data.entries() | catalogue()


@st.cache_resource(ttl=60, show_spinner=False)
def catalogue() -> dict[str, Entry]:
    """Return the data sets of the catalogue by name."""
    return {entry.name: entry for entry in sample_data.catalogue()}


def opening(name: str) -> dict[str, Any]:
    """Return the initial settings for a data set. Categories form groups, which `benchmarks.categories` supports."""
    entry = entries().get(name)
    return settings.opening(name, entry.kind if entry else None) | of_categories(name)


def of_categories(name: str) -> dict[str, Any]:
    """Return the settings for the categories of a data set, of which nothing else depends on the data."""
    with contextlib.suppress(TreecoreError):  # the page reports the error
        if grouped_columns(task_data(name)):
            return {"categories": "groups"}
    return {}


def labels() -> Callable[[str], str]:
    """Return a function that labels data sets in a list by title and name, because titles need not be unique."""
    known = catalogue()

    def label(name: str) -> str:
        if user_store.is_own(name):
            return f"{_own_title(name) or 'User data'} (yours, {name[4:8]})"
        return f"{known[name].title} ({name})" if name in known else name

    return label


@computed(100, ttl=60)
def _own_title(name: str) -> str | None:
    return user_store.title(name)


def why_no_lines(data: DataSet) -> str | None:
    """Return why the data do not support bivariate splits, or None if they do."""
    title = plain(data.title)
    if data.n_features < 2:
        return f"{title} has one feature, but bivariate splits need two."
    if (data.y == data.y[0]).all():
        one = data.target.value_noun
        return f"All rows of {title} have the same {one}, so every tree is a single leaf."
    return None


def load_or_stop(name: str) -> DataSet:
    """Return a DataSet by name. After an error, show it and end the run of the page."""
    try:
        return load(name)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        st.page_link("pages/data.py", label="Choose another data set on the Data page", icon=":material/table_chart:")
        st.stop()
