"""Data sets as the pages use them: loaded once for all sessions, errors shown in place."""

import contextlib
from collections.abc import Collection

import numpy as np
import streamlit as st

import sample_data
from pages.jobs import row_split, settings, user_store
from pages.jobs.task_data import task_data
from pages.ui.session import user_data
from pages.ui.session.messages import MESSAGES
from pages.ui.shell.computed import computed, forget_computed
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.served_files import served_files
from sample_data import DataSet, Entry
from treecore.errors import DataSetNotFound, TreecoreError
from treecore.messages import Sentence


def load(name: str) -> DataSet:
    """DataSet by name (read-only, shared by all sessions). Raises DataSetNotFound or DataError.

    Somebody's own data open by their name alone, as it is in links, and are in this visitor's lists from then on.
    """
    data = shared(name)
    if user_store.is_own(name) and name not in user_data.entries():
        user_data.remember(data)
    return data


def shared(name: str) -> DataSet:
    """As `load`, without a word to the visitor's lists."""
    try:
        with contextlib.nullcontext() if name in task_data else st.spinner("Loading the data …"):
            return task_data(name)
    except DataSetNotFound as error:
        if user_store.is_own(name) or name in catalogue():
            raise
        # the library's words are for those who set up the server
        raise DataSetNotFound(MESSAGES("no_data_set", name=name)) from error


def forget(names: Collection[str]) -> None:
    """Let go of data sets that are deleted, and of everything that was made of them."""
    task_data.clear(names)
    forget_computed()
    served_files().forget_data()


@computed(6)
def rows(name: str, seed: int, rows: str = "standard") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(train, validation, test) row numbers of a data set; rows : a name in `settings.ROWS`."""
    return row_split.split_rows(shared(name), seed, rows)


def entries() -> dict[str, Entry]:
    """What this visitor can choose, by name: own data first, then the catalogue."""
    return user_data.entries() | catalogue()


@st.cache_resource(ttl=60, show_spinner=False)
def catalogue() -> dict[str, Entry]:
    """What everybody can choose, by name."""
    return {entry.name: entry for entry in sample_data.catalogue()}


def usual_split(name: str) -> str:
    """Kind of split that the trees of a data set have until the visitor chooses another one."""
    entry = entries().get(name)
    return settings.SPLIT_OF_KIND.get(entry.kind if entry else None, settings.FIRST.split)


def label(name: str) -> str:
    """Title of a data set for a list of choices; its name goes with it, since two sets may have one title."""
    if user_store.is_own(name):
        return f"{_own_title(name) or 'Somebody’s own data'} (yours, {name[4:8]})"
    entry = catalogue().get(name)
    return f"{entry.title} ({name})" if entry else name


@computed(100, ttl=60)
def _own_title(name: str) -> str | None:
    return user_store.title(name)


def why_no_lines(data: DataSet) -> Sentence | None:
    """Why no tree can have a line in it, in a sentence; None when one can."""
    title = plain(data.title)
    if data.n_features < 2:
        return MESSAGES("one_feature", title=title)
    if (data.y == data.y[0]).all():
        one = data.target.value_noun
        return MESSAGES("one_class", title=title, noun=one)
    return None


def load_or_stop(name: str) -> DataSet:
    """DataSet by name; when it cannot be had, say why and end the page's run."""
    try:
        return load(name)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        st.info(MESSAGES("choose_another"), icon=":material/arrow_back:")
        st.stop()
