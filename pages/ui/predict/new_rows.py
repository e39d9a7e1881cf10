"""New rows to predict: a file, pasted text, or rows of the tree's own data."""

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas
import streamlit as st

from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from sample_data.user_data import read
from sample_data.user_data.listing import counted
from sample_data.user_data.readers.formats import FORMATS, formats_in_words
from treecore.errors import TreecoreError
from treecore.tables.text_tables import frame_to_csv

FILE, PASTE, KNOWN = "file", "paste", "known"
KNOWN_CLASS = "class"


@dataclass(frozen=True, eq=False)
class NewRows:
    """A table to predict.

    key : equal for equal rows, so it can be part of a cache's key; name : for people and files; frame : pandas
    DataFrame; notes : how it was read; truth : column that is known to hold the classes, or None; number : column with
    row numbers, or None; are_features : the columns are features of the tree as they are, not yet to be encoded."""

    key: str
    name: str
    frame: pandas.DataFrame
    notes: tuple
    truth: str | None = None
    number: str | None = None
    are_features: bool = False


def choose(chosen, model):
    """Draw the ways to bring rows; return `NewRows`, or None while there are none (then the page says what to do)."""
    kinds = {FILE: "A file", PASTE: "Paste rows"} | ({KNOWN: _known_title(chosen)} if chosen.has_rows else {})
    kind = st.segmented_control(
        "New rows", list(kinds), default=FILE, format_func=kinds.get, required=True, key=f"rows-{len(kinds)}"
    )
    try:
        if kind == FILE:
            found = _of_file(model)
        elif kind == PASTE:
            found = _pasted(model)
        else:
            found = _known(chosen)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return None
    if kind != KNOWN:
        st.download_button(
            "Template (CSV)", lambda: frame_to_csv(pandas.DataFrame(columns=model.column_names)), "template.csv",
            "text/csv", on_click="ignore", icon=":material/download:", type="tertiary", key="template",
            help="An empty table with the columns that the tree was trained on. Their order does not matter, and "
            "columns that the tree does not use may be left out.",
        )  # fmt: skip
    return found


def _of_file(model):
    file = st.file_uploader(
        "Table with the columns of the data",
        type=[*(ending for one in FORMATS for ending in one.endings), "json", "gz"],
        key="new-rows-file",
        help=f"{formats_in_words()}. Columns are found by their names.",
    )
    if file is None:
        return None
    key = f"{file.file_id} {_day_first(model)}"
    return _as_rows(key, _table(key, file.name, file.getbuffer, _day_first(model)), file.name, model)


def _pasted(model):
    names = model.column_names
    text = st.text_area(
        "Rows, with a line of column names first",
        key="new-rows-text",
        height=150,
        max_chars=2_000_000,
        placeholder=",".join(names[:6]) + (",…" if len(names) > 6 else "") + "\n…",
        help="From a spreadsheet, or typed: commas, semicolons and tabs are understood. Ctrl+Enter to apply.",
    )
    if not text.strip():
        return None
    content = text.encode("utf-8", "replace")
    key = hashlib.sha256(content + repr(_day_first(model)).encode()).hexdigest()
    table = _table(key, "pasted rows.csv", lambda: content, _day_first(model))
    return _as_rows(key, table, "pasted rows", model)


@st.cache_resource(max_entries=4, show_spinner="Reading the table …")
def _table(key, name, _content, day_first):
    return read(bytes(_content()), name, day_first=dict(day_first))


def _day_first(model):
    """How the dates of training were written, part of the keys of what is read."""
    return () if model.columns is None else tuple(sorted(model.columns.day_first().items()))


def _as_rows(key, table, name, model):
    if not isinstance(table, DataSet):
        return NewRows(key, name, table.frame, tuple(table.notes))
    names = list(table.feature_names)
    if model.tree.n_features == len(names) and model.tree.feature_names is not None:
        names = list(model.tree.feature_names)  # pixels are called otherwise elsewhere
    frame = pandas.DataFrame(table.X, columns=names)
    truth = distinct_names([KNOWN_CLASS], frame.columns)[0]
    frame[truth] = table.labels()
    return NewRows(key, name, frame, (), truth, are_features=True)


def _known_title(chosen):
    if not chosen.has_data:
        return "Rows of the model file"
    return "Test rows of its data" if len(chosen.rows[2]) else "Rows of its data"


def _known(chosen):
    data, rows = chosen.data, chosen.rows[2] if len(chosen.rows[2]) else np.sort(np.concatenate(chosen.rows))
    frame = pandas.DataFrame(data.X[rows], columns=list(data.feature_names))
    truth, number = distinct_names([KNOWN_CLASS], frame.columns)[0], distinct_names(["row"], frame.columns)[0]
    frame.insert(0, number, rows)
    frame.insert(0, truth, data.labels()[rows])
    st.caption(counted(len(rows), "row") + (" that took no part in training." if len(chosen.rows[2]) else "."))
    return NewRows(f"{chosen.name}-known", data.name, frame, (), truth, number, are_features=True)
