"""Choose new rows to predict: a file, pasted text, or rows of the tree's own data."""

import hashlib
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.jobs import readings, user_store
from pages.jobs.limited_process import LimitReached
from pages.ui.session import user_data
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, call_progress, link_notes, reader
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.markdown_text import file_size, plain
from pages.ui.shell.owner import keep_upload, owner
from pages.ui.shell.save_button import save_button
from sample_data import DataSet
from sample_data.user_data import estimate, store
from sample_data.user_data.readers.formats import formats_in_words
from sample_data.user_data.table_file import load_table
from treecore.errors import TreecoreError
from treecore.messages import counted
from treecore.model.model import Model
from treecore.tables.text_tables import frame_to_csv
from viz.words.row_words import row_name, row_number

FILE, PASTE, KNOWN = "file", "paste", "known"
KEPT = "predict_kept_from"
ROW, NAME = "row", "name"
_COUNT, _FILE, _PASTED = "new-rows-count", "new-rows-kept", "new-rows-pasted"


@dataclass(frozen=True, eq=False)
class NewRows:
    """A table to predict.

    Parameters
    ----------
    key : str
        Cache key, which is equal for equal rows.
    name : str
        Name of the table in sentences and file names.
    frame : DataFrame
    notes : tuple of str
        Notes on how the table was read.
    truth : str, optional
        Column with the true values.
    number, names : str, optional
        Columns with row numbers and IDs.
    are_features : bool, default=False
        Whether the columns are features of the tree that need no encoding.
    numbers : int[n], optional
        Row numbers in the tree's own data.
    """

    key: str
    name: str
    frame: pandas.DataFrame
    notes: tuple
    truth: str | None = None
    number: str | None = None
    names: str | None = None
    are_features: bool = False
    numbers: np.ndarray | None = None


def source() -> Any:
    """Return the source of rows that the visitor or a link has chosen, or None for the default."""
    if address.is_from_address(KEPT):
        source = st.query_params.get("from")
        usual = KNOWN if st.query_params.get("part") == "good" else None  # metrics need rows with true values
        st.session_state[KEPT] = source if source in (FILE, PASTE, KNOWN) else usual
        if source not in (None, FILE, PASTE, KNOWN):
            link_notes.add(f"Unsupported source of new rows: '{plain(source[:40])}'. Choose a source below.")
    return st.session_state[KEPT]


def _keep(key: str) -> None:
    st.session_state[KEPT] = st.session_state[key]


def choose(chosen: ChosenTree, model: Model) -> NewRows | None:
    """Draw the choice of a source. Return the `NewRows`, or None if there are no rows yet."""
    reader.reader()  # starts the process before the first file arrives
    kinds = {FILE: "Upload a file", PASTE: "Paste rows"} | ({KNOWN: _own_rows_title(chosen)} if chosen.has_rows else {})
    key = f"rows-{len(kinds)}"
    st.session_state[key] = kept if (kept := source()) in kinds else list(kinds)[-1]
    kind = st.segmented_control(
        "New rows", list(kinds), format_func=label_by(kinds), required=True, key=key, on_change=_keep, args=(key,)
    )
    try:
        if kind == FILE:
            found = _of_file(chosen, model)
        elif kind == PASTE:
            found = _paste(chosen, model)
        else:
            found = _own_rows(chosen)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return None
    if kind != KNOWN:
        save_button(
            "Template (CSV)",
            lambda: frame_to_csv(pandas.DataFrame(columns=model.column_names)),
            "template.csv",
            "text/csv",
            type="tertiary",
            key="template",
            help=(
                "Empty table with the columns of the training data. Columns can be in any order. Columns that the "
                "tree does not use are optional."
            ),
        )
    return found


def _of_file(chosen: ChosenTree, model: Model) -> NewRows | None:
    count = st.session_state.setdefault(_COUNT, 0)
    file = st.file_uploader(
        "Table", key=f"new-rows-file-{count}", help=f"{formats_in_words()}. Columns are matched by name."
    )
    if file is not None:
        # A new key empties the uploader and frees its memory, because the file is now stored.
        st.session_state[_COUNT] = count + 1
        _close(_FILE)
        with file.getbuffer() as content:
            st.session_state[_FILE] = (keep_upload(content), file.name, len(content))
        user_data.release(file)
        st.rerun()
    if _FILE not in st.session_state:
        return None
    token, name, n_bytes = st.session_state[_FILE]
    left, right = st.columns([2, 1], vertical_alignment="center")
    left.markdown(f"**{plain(name)}** · {file_size(n_bytes)}")
    right.button("Close", icon=":material/close:", key="new-rows-close", on_click=_close, args=(_FILE,))
    table = _table(_FILE, token, name, n_bytes, model)
    return _as_rows(f"{token} {_reading_key(model)}", table, name, model, chosen)


def _paste(chosen: ChosenTree, model: Model) -> NewRows | None:
    names = model.column_names
    text = st.text_area(
        "Rows (column names in the first line)",
        key="new-rows-text",
        height=150,
        max_chars=2_000_000,
        placeholder=",".join(names[:6]) + (",…" if len(names) > 6 else "") + "\n…",
        help=(
            "Paste from a spreadsheet or type rows. Commas, semicolons and tabs separate columns. Press Ctrl+Enter "
            "to apply."
        ),
    )
    if not text.strip():
        return None
    content = text.encode("utf-8", "replace")
    digest = hashlib.sha256(content).hexdigest()
    if st.session_state.get(_PASTED, ("", ""))[1] != digest:
        _close(_PASTED)
        st.session_state[_PASTED] = (keep_upload(content), digest)
    token = st.session_state[_PASTED][0]
    table = _table(_PASTED, token, "pasted rows.csv", len(content), model)
    return _as_rows(f"{digest} {_reading_key(model)}", table, "pasted rows", model, chosen)


def _close(kind: str) -> None:
    """Close the rows of a source and stop reading them."""
    kept, read = st.session_state.pop(kind, None), st.session_state.pop(f"{kind}-read", None)
    if read is not None:
        read[1].cancel()
    if kept is not None:
        user_store.drop_upload(kept[0])


def _table(kind: str, token: str, name: str, n_bytes: int, model: Model) -> Any:
    """Read an upload in a separate process and return its `Table` or `DataSet`. Raises TreecoreError."""
    order = _reading_key(model)
    read = st.session_state.get(f"{kind}-read")
    if read is None or read[0] != (token, order) or read[1].is_abandoned:
        path = user_store.upload(token)
        if path is None:
            raise TreecoreError(f"The server no longer stores {name}. Upload it again.")
        if read is not None:
            read[1].cancel()
        folder = str(path.parent / "rows")
        call = reader.start("read_rows", owner(), path=str(path), name=name, options=_reading(model), folder=folder)
        read = st.session_state[f"{kind}-read"] = ((token, order), call)
    call = read[1]
    if not call_progress.is_quick(call):
        expected = estimate(n_bytes, PurePath(name).suffix).seconds
        call_progress.show(call, f"Reading {plain(name)}", expected, call.cancel, f"{kind}-cancel")
        st.rerun()  # removes the progress bar
    try:
        data_set = call.result()
    except LimitReached as error:
        raise TreecoreError(f"{name} {error}. Upload fewer rows or columns at a time.") from error
    return _load(token, order, data_set)


@computed(4, ttl=3600)
def _load(token: str, order: tuple[tuple[str, str], ...], data_set: str | None) -> Any:
    folder = user_store.place_of_upload(token) / "rows"
    try:
        user_store.trim_uploads(token)
        return load_table(folder / readings.TABLE) if data_set is None else store.load(data_set, folder)
    except OSError as fault:
        raise TreecoreError("The server no longer stores these rows. Upload them again.") from fault


def _reading_key(model: Model) -> tuple[tuple[str, str], ...]:
    """Return the reading options that follow from the training data, for cache keys."""
    return tuple((name, repr(sorted(value.items()))) for name, value in _reading(model).items())


def _reading(model: Model) -> dict[str, Any]:
    """Return the reading options that follow from the columns of the training data."""
    columns = model.columns
    return {} if columns is None else {"day_first": columns.day_first(), "values": columns.marker_values()}


def _as_rows(key: str, table: Any, name: str, model: Model, chosen: ChosenTree) -> NewRows:
    if not isinstance(table, DataSet):
        number = distinct_names([ROW], table.frame.columns)[0]
        frame = pandas.concat([pandas.Series(table.row_numbers, name=number), table.frame], axis=1)
        named = None if chosen.data is None else user_store.row_names(chosen.data.name)
        return NewRows(key, name, frame, tuple(table.notes), None, number, named if named in frame else None)
    names = list(table.feature_names)
    if model.tree.n_features == len(names) and model.tree.feature_names is not None:
        names = list(model.tree.feature_names)  # other data sets may name their pixels differently
    frame = pandas.DataFrame(table.X, columns=names)
    truth = distinct_names([_truth(table)], frame.columns)[0]
    frame[truth] = table.labels()
    return NewRows(key, name, frame, (), truth, are_features=True)


def _truth(data: Any) -> str:
    """Return the name of the column with true values."""
    return data.target.name or data.target.value_noun


def _own_rows_title(chosen: ChosenTree) -> str:
    if not chosen.has_data:
        return "Rows in the model file"
    return "Test rows" if len(chosen.rows[2]) else "All rows of the data"


def _own_rows(chosen: ChosenTree) -> NewRows:
    found = _known_rows(f"{chosen.base}-known", chosen)
    st.caption(counted(len(found.frame), "row") + (" not used for training." if len(chosen.rows[2]) else "."))
    return found


@computed(4, ttl=3600)
def _known_rows(key: str, _chosen: ChosenTree) -> NewRows:
    data, rows = _chosen.data, _chosen.rows[2] if len(_chosen.rows[2]) else np.sort(np.concatenate(_chosen.rows))
    frame = pandas.DataFrame(data.X[rows], columns=list(data.feature_names))
    truth, number = distinct_names([_truth(data)], frame.columns)[0], distinct_names([ROW], frame.columns)[0]
    names = None
    if getattr(data, "row_names", None) is not None:
        names = distinct_names([NAME], frame.columns)[0]
        frame.insert(0, names, [row_name(data, row) for row in rows])
    frame.insert(0, number, [row_number(data, row) for row in rows])
    frame.insert(0, truth, data.labels()[rows])
    return NewRows(key, data.name, frame, (), truth, number, names, are_features=True, numbers=rows)
