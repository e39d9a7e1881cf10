"""Choose an entry of the folder of the machine, of which the app reads a random sample."""

from collections.abc import Iterable

import pandas
import streamlit as st

from pages.ui.session import user_data
from pages.ui.shell.markdown_text import file_size, plain
from sample_data.data_folder.entries import FolderEntry, data_folder, list_entries
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
