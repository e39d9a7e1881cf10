"""Open a file: drop zone, text area or folder of the machine, expected time, result, and options of reading."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import pandas
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.jobs import user_store
from pages.ui.session import file_button, user_data
from pages.ui.session.user_data import Draft, File, Reading
from pages.ui.shell import call_progress, reader
from pages.ui.shell.bound import label_by
from pages.ui.shell.markdown_text import file_size, plain
from sample_data.data_folder.entries import MOST_ROWS, FolderEntry, data_folder, list_entries
from sample_data.user_data import Estimate, estimate
from sample_data.user_data.limits import MAX_BYTES
from sample_data.user_data.readers.formats import format_of, formats_in_words
from treecore.errors import TreecoreError
from treecore.messages import counted

_CHOSEN = "folder_entry"
_COLUMNS = {
    "Rows": st.column_config.NumberColumn(format="localized"),
    "Columns": st.column_config.NumberColumn(format="localized"),
    "Size": st.column_config.TextColumn(alignment="right"),
    "Problem": st.column_config.TextColumn(width="large"),
}


def folder_section() -> None:
    """Draw the list of entries and the button that reads a sample."""
    folder = data_folder()
    if folder is None:
        st.info("This server has no folder of data. Upload a file.", icon=":material/folder_off:")
        return
    try:
        found = list_entries(folder)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    entries = {entry.name: entry for entry in found.entries}
    if entries:
        _choose(entries)
    else:
        st.info(
            "The folder of this machine contains no Parquet files. Add files, or upload a file.",
            icon=":material/folder_open:",
        )
    if found.notes:
        st.caption(plain(" ".join(found.notes)))


def _choose(entries: dict[str, FolderEntry]) -> None:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    name = left.selectbox(
        "File or folder",
        sorted(entries, key=lambda name: bool(entries[name].fault)),
        key=_CHOSEN,
        format_func=lambda name: f"{entries[name].title} · {_size(entries[name])}",
    )
    fault = entries[name].fault
    right.button(
        "Read sample", type="primary" if user_data.draft() is None else "secondary", icon=":material/play_arrow:",
        width="stretch", key="folder_read", on_click=user_data.open_entry, args=(name,), disabled=bool(fault),
    )  # fmt: skip
    if fault:
        st.error(plain(fault), icon=":material/error:")
    if len(entries) > 1 and user_data.draft() is None:
        st.dataframe(
            _table(entries.values()), column_config=_COLUMNS, hide_index=True, width="stretch", placeholder="–"
        )


def _size(entry: FolderEntry) -> str:
    if entry.fault:
        return "cannot be used"
    return f"{counted(entry.n_rows, 'row')} · {counted(entry.n_columns, 'column')} · {file_size(entry.n_bytes)}"


def _table(entries: Iterable[FolderEntry]) -> pandas.DataFrame:
    table = pandas.DataFrame(
        [
            {
                "Name": entry.title,
                "Files": len(entry.files),
                "Rows": None if entry.fault else entry.n_rows,
                "Columns": None if entry.fault else entry.n_columns,
                "Size": file_size(entry.n_bytes),
                "Problem": entry.fault,
            }
            for entry in entries
        ]
    ).astype({"Rows": "Int64", "Columns": "Int64"})
    return table if table["Problem"].any() else table.drop(columns="Problem")


_TEXT = "own_text"
SAMPLE_SECONDS = 5.0  # usual seconds for a sample of the folder
FOUND = ""  # Streamlit would show None as an empty choice
DELIMITERS = {FOUND: "detect", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |", " ": "space"}
DECIMALS = {FOUND: "detect", ".": "point: 3.14", ",": "comma: 3,14"}
ENCODINGS = {FOUND: "detect", "utf-8": "UTF-8", "windows-1252": "Windows-1252 (Western)", "latin-1": "Latin-1",
             "windows-1250": "Windows-1250 (Central European)", "windows-1251": "Windows-1251 (Cyrillic)",
             "koi8_r": "KOI8-R (Cyrillic)", "windows-1253": "Windows-1253 (Greek)",
             "windows-1255": "Windows-1255 (Hebrew)", "windows-1256": "Windows-1256 (Arabic)",
             "shift_jis": "Shift JIS", "euc_jp": "EUC-JP", "gb18030": "GB 18030", "big5": "Big5", "euc_kr": "EUC-KR",
             "utf-16": "UTF-16"}  # fmt: skip
HEADERS = {FOUND: "detect", True: "column names", False: "data (no names)",
           "two lines": "two lines of names"}  # fmt: skip
SHORT = {FOUND: "detect (fill if they are few)", True: "fill with missing values", False: "reject the file"}
LINES = (("header_line", "Header line"), ("skip_below", "Footer lines"))
SELECTIONS = (
    ("delimiter", "Delimiter", DELIMITERS),
    ("decimal", "Decimal sign", DECIMALS),
    ("encoding", "Encoding", ENCODINGS),
    ("header", "First line", HEADERS),
    ("fill_short", "Short rows", SHORT),
)
OPTIONS = ("delimiter", "decimal", "encoding", "sheet", "header", "header_line", "skip_below", "fill_short")


def settle() -> None:
    """Wait until a short reading ends, before the page is drawn."""
    reader.reader()  # starts the process before the first file arrives
    opening = user_data.files().opening
    if opening is not None and call_progress.is_quick(opening.call):
        user_data.finish_opening()


def reading_section(source: str) -> DeltaGenerator:
    """Draw the drop zone or text area, and any fault. An open file stays open.

    source : "file", "paste" or "folder". Returns the container in which `wait` draws.
    """
    sources = {"file": _drop_zone, "paste": _paste, "folder": folder_section}
    sources[source]()
    progress = st.container()
    if (fault := user_data.files().fault) is not None:
        kept = user_data.draft()
        also = "" if kept is None else "  \n" + f"{plain(kept.file.name)} is still open below."
        st.error(f"{plain(fault)}{also}", icon=":material/error:")
    return progress


def wait(progress: DeltaGenerator) -> None:
    """Draw the progress of the reading until it ends, after the rest of the page."""
    opening = user_data.files().opening
    if opening is None:
        return
    with progress, st.container(border=True):
        expected = SAMPLE_SECONDS if opening.entry else _cost(opening.file).seconds
        words = f"Reading {plain(opening.file.name)}"
        call_progress.show(opening.call, words, expected, user_data.stop_opening, "own_cancel")
    user_data.finish_opening()
    st.rerun()


def explain(source: str) -> None:
    """Draw the next steps for a visitor who has not opened anything."""
    if source == "folder":
        st.caption(
            "Parquet file, or folder of Parquet files with the same columns. The app reads a random sample of up "
            f"to {MOST_ROWS:,} rows. On the Tree page, you can then train on all rows."
        )
        return
    if source == "file" and user_data.files().pending is not None or user_data.files().opening is not None:
        return
    first, second, third = st.columns(3)
    with first.container(border=True, height="stretch"):
        st.markdown("**:material/table_view: One row per observation**")
        st.caption(
            "A table has one row for each observation, one column for each feature and one column for the "
            "target. The first line contains the column names. The app detects delimiter, encoding and decimal "
            "comma, and supports missing values (empty cells)."
        )
    with second.container(border=True, height="stretch"):
        st.markdown("**:material/rule: Checked before training**")
        st.caption(
            "The app shows the type of each column, and you can change it. It reports ID columns, constant "
            "columns, duplicate rows and columns that reveal the target, and offers a fix for each."
        )
    with third.container(border=True, height="stretch"):
        st.markdown("**:material/lock: Stays on this server**")
        st.caption(
            f"Your data stay on this server. Files can have up to {MAX_BYTES / 1000000.0:.0f} MB and two million "
            "rows. Only you see your data in your list, but anyone with a link to one of your trees can open its "
            f"data. The server deletes data that are unused for {user_store.hours():,} hours."
        )


def _drop_zone() -> None:
    count = st.session_state.setdefault(file_button.COUNT, 0)
    uploaded = st.file_uploader(f"Drop a file here: {formats_in_words()}", key=f"own_upload_{count}")
    if uploaded is not None:
        file_button.take_file(uploaded)
        st.rerun()
    if (pending := user_data.files().pending) is not None:
        _ask(pending)


def _cost(file: File) -> Estimate:
    return estimate(file.n_bytes, PurePath(file.name).suffix)


def _ask(file: File) -> None:
    """Draw the estimated time for a large file, before the app reads it."""
    with st.container(border=True):
        st.markdown(f"**{plain(file.name)}**  \n{plain(_cost(file).text)}, waiting to be read.")
        left, right, _ = st.columns([1, 1, 3])
        left.button(
            "Read file", type="primary", icon=":material/play_arrow:", width="stretch", on_click=user_data.confirm
        )
        right.button("Discard", icon=":material/close:", width="stretch", on_click=user_data.drop_pending)


def _paste() -> None:
    with st.form("own_paste", border=False):
        st.text_area(
            "Paste a table from a spreadsheet or a CSV file",
            height=170,
            key=_TEXT,
            placeholder="length;width;species\n5,1;3,5;setosa\n7,0;3,2;versicolor",
        )
        st.form_submit_button("Read pasted table", icon=":material/play_arrow:", on_click=_take_pasted)


def _take_pasted() -> None:
    user_data.take("pasted table", st.session_state[_TEXT].encode("utf-8", "replace"))


def head(draft: Draft, reading: Reading) -> None:
    """Draw the name and size of the file, how it was read, and a button to read it differently."""
    left, right = st.columns([3, 2], vertical_alignment="center")
    right = right.container(horizontal=True, horizontal_alignment="right")
    if reading.data_set is not None:
        data = reading.data_set
        kind = "images" if data.image_shape else "arrays"
        facts = [
            kind,
            *map(
                counted, (data.n_rows, data.n_features, len(data.target.groups)), ("row", "feature", data.target.noun)
            ),
        ]
        notes = ()
    else:
        facts = [reading.format, counted(reading.n_rows, "row"), counted(reading.n_columns, "column")]
        notes = reading.notes
    left.markdown(f"**{plain(draft.file.name)}** · {' · '.join([*facts, file_size(draft.file.n_bytes)])}")
    if notes:
        left.caption(f"Read with {plain('; '.join(notes))}.")
    if reading.data_set is None and "header" in format_of(reading.format).choices:
        with right.popover("Reading options", icon=":material/tune:"):
            _read_differently(draft, format_of(reading.format).choices)
    right.button("Close", icon=":material/close:", key="own_close", on_click=user_data.close)


def questions(draft: Draft, reading: Reading) -> None:
    """Draw the open questions about how to read the file, with a button for each answer."""
    for i, question in enumerate(reading.questions):
        left, right = st.columns([5, 3], vertical_alignment="center")
        left.markdown(f":orange[:material/help:] {plain(question.text)}")
        right = right.container(horizontal=True)
        for label, option, value in question.readings:
            right.button(label, key=f"own_question_{i}_{value}", width="stretch", on_click=_read_with,
                         args=(draft, option, value))  # fmt: skip


def _read_with(draft: Draft, option: str, value: object) -> None:
    """Read the open file again with one option added."""
    options = tuple({**dict(draft.file.options), option: value}.items())
    user_data.open_file(replace(draft.file, options=options))


def _read_differently(draft: Draft, choices: Collection[str]) -> None:
    with st.form(f"own_read_{draft.file.token}", border=False):
        if "sheet" in choices:
            st.text_input("Sheet", dict(draft.file.options).get("sheet", ""), placeholder="First with a table",
                          key="own_read_sheet")  # fmt: skip
        for name, label, options in SELECTIONS:
            if name not in choices:
                continue
            now: Any = dict(draft.file.options).get(name, FOUND)
            st.selectbox(
                label,
                list(options),
                index=list(options).index(now),
                format_func=label_by(options),
                key=f"own_read_{name}",
            )
        for name, label in LINES:
            if name in choices:
                now = dict(draft.file.options).get(name, "")
                st.text_input(label, now, placeholder="Detect", max_chars=6, key=f"own_read_{name}")
        st.form_submit_button("Read again", type="primary", on_click=_read_again)


def _read_again() -> None:
    selected = {name: st.session_state.get(f"own_read_{name}") for name in OPTIONS}
    options = tuple((name, value) for name, value in selected.items() if value not in (None, FOUND, ""))
    user_data.open_file(replace(user_data.draft().file, options=options))
