"""Main area of the Data page: choose a data set and view it, and the stored data of this visitor."""

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.jobs import user_store
from pages.ui.session import choose_tree, data_sets, page_settings, user_data
from pages.ui.shell import address, chart, link_notes
from pages.ui.shell.arrow_table import arrow_table
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import owner
from sample_data import DataSet
from sample_data.data_folder.entries import data_folder
from sample_data.data_set import split_words
from treecore.errors import TreecoreError
from treecore.messages import counted
from treecore.tree.target import Target
from viz.charts.data_charts import Bars, bar_chart, plane_chart
from viz.images.image_sheet import image_sheet
from viz.palette import group_colors

_DONE, _ASKS = "own_deleted", "own_delete_asks"


def kept_data() -> None:
    """Draw the section."""
    menu = st.popover("Your data", icon=":material/folder_managed:", width="stretch", key="own-data", on_change="rerun")
    if menu.open:
        with menu:
            _menu()
    if (done := st.session_state.pop(_DONE, None)) is not None:
        st.success(done, icon=":material/delete:")


def _menu() -> None:
    names, n_uploads = user_store.names_of(owner()), user_store.n_uploads(owner())
    for name in names:
        st.markdown(f"- {plain(user_store.title(name) or name)} ({name[4:8]})")
    if n_uploads:
        st.markdown(f"- {counted(n_uploads, 'file')} that you opened")
    if not names and not n_uploads:
        st.markdown("The server stores no data of yours.")
    st.caption(
        f"The server deletes data that are unused for {user_store.hours():,} hours, and open files after "
        f"{min(user_store.hours(), user_store.UPLOAD_HOURS)} hours. It stores the newest "
        f"{user_store.KEPT_OF_ONE} data sets of each visitor."
    )
    if not st.session_state.get(_ASKS):
        st.button("Delete my data", icon=":material/delete:", key="own_delete", width="stretch", on_click=_ask,
                  args=(True,), help="Asks for confirmation first.")  # fmt: skip
    else:
        st.warning(_what_goes(names, n_uploads), icon=":material/delete_forever:")
        with st.container(horizontal=True):
            st.button("Delete everything", type="primary", key="own_delete_all", on_click=_delete)
            st.button("Cancel", key="own_keep", on_click=_ask, args=(False,))


def _ask(asks: bool) -> None:
    st.session_state[_ASKS] = asks


def _what_goes(names: Sequence[str], n_uploads: int) -> str:
    """Return a sentence that describes the data to be deleted.

    names : names of data sets.
    """
    held = [counted(len(names), "data set")] * bool(names) + [counted(n_uploads, "opened file")] * bool(n_uploads)
    own = " and ".join(held)
    what = own + ", their trees" if held else "The settings of this tab"
    return (
        f"This deletes {what}, edited trees and opened models immediately and in every tab. They cannot be "
        "restored, and links to them stop working."
    )


def _delete() -> None:
    user_data.stop_opening()
    named = {store.current().data_set for store in page_settings.SHARING} | set(user_data.entries())
    mine = {*user_store.names_of(owner()), *filter(user_store.is_own, named)}
    gone = user_store.delete(owner(), named)
    gone_for_all = [name for name in mine if not user_store.use(name)]
    manager().drop_data(gone_for_all)
    data_sets.forget(gone)
    for key in list(st.session_state):  # deletes settings, edited trees, models and values of widgets
        del st.session_state[key]
    st.query_params.clear()
    sets = f"{counted(len(gone), 'data set')} and all files" if gone else "All files"
    st.session_state[_DONE] = f"Deleted: {sets}, including trees and results."


KINDS = {"images": "Images", "table": "Tables", "2D": "Synthetic, two features"}
EXPLORE = "Explore this data set"
ROWS_SHOWN = 200
CLASSES_SHOWN = 30
COLUMNS_SHOWN = 200
SOURCES = {
    "list": ":material/list: Bundled data",
    "file": ":material/upload_file: Upload a file",
    "paste": ":material/content_paste: Paste a table",
    "tree": ":material/park: Import a tree",
    "project": ":material/inventory_2: Open a project",
}
FOLDER = {"folder": ":material/hard_drive: Folder of this machine"}  # if the app was started with a folder
_SOURCE, _SHOWN_SOURCE, _SHOWN_SET = "data_way", "_data_way", "_shown_data_set"


def choose_source() -> str:
    """Draw the choice of the source and return its key in `SOURCES`.

    The link parameter `?from=file` can preselect it.
    """
    sources = SOURCES if data_folder() is None else SOURCES | FOLDER
    linked = st.query_params.get("from")
    page_settings.EXPLORE.current()  # reads the link before the address changes
    if address.is_from_address(_SOURCE):
        if linked in sources:
            st.session_state[_SOURCE] = linked
        elif linked is not None:
            link_notes.add(f"Unsupported source '{plain(linked[:40])}'. Choose a source below.")
    now = st.session_state.setdefault(_SOURCE, _usual_source())
    if st.session_state.get(_SHOWN_SOURCE) != now:
        st.session_state[_SHOWN_SOURCE] = now
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.segmented_control(
        "Source", list(sources), format_func=label_by(sources), required=True, key=_SHOWN_SOURCE,
        label_visibility="collapsed", on_change=_keep_source,
    )  # fmt: skip
    with right:
        kept_data()
    return st.session_state[_SOURCE]


def _usual_source() -> str:
    draft = user_data.draft()
    return "list" if draft is None else "file" if draft.source is None else "folder"


def _keep_source() -> None:
    # Streamlit drops the value of a widget when the visitor leaves the page.
    st.session_state[_SOURCE] = st.session_state[_SHOWN_SOURCE] or st.session_state[_SOURCE]


def choose() -> str:
    """Draw the catalogue and return the name of the chosen data set."""
    linked, now = st.query_params.get("data_set"), page_settings.EXPLORE.current().data_set
    is_linked = address.is_from_address(_SHOWN_SET)
    if is_linked and linked is not None and user_store.is_own(linked):
        with contextlib.suppress(TreecoreError):
            data_sets.load(linked)  # adds the data set to this visitor's list, as on the other pages
    entries, label = data_sets.entries(), data_sets.labels()
    names = list(entries)
    if is_linked:
        st.session_state[_SHOWN_SET] = next((name for name in (linked, now) if name in names), names[0])
        if linked is not None and linked not in names:
            link_notes.add(f"Your list contains no data set '{plain(linked[:40])}'. Choose another data set.")
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    name = left.selectbox(
        "Data set",
        names,
        key=_SHOWN_SET,
        format_func=lambda name: f"{label(name)} · {KINDS.get(entries[name].kind, entries[name].kind)}",
    )
    if right.button(EXPLORE, type="primary", icon=":material/account_tree:", width="stretch"):
        page_settings.EXPLORE.change(data_set=name)
        address.go_to(*choose_tree.PATH_PAGE)
    return name


def share(source: str, name: str | None = None) -> None:
    """Write the source into the address.

    name : name of the chosen bundled data set.
    """
    address.write({"from": source} | ({} if name is None else {"data_set": name}))


def data_set_section(data: DataSet, rows: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """Draw the metrics, description and charts of a data set.

    rows : (training, validation, test) row numbers of the data set.
    """
    train, validation, test = rows
    target, n_groups = data.target, len(data.target.groups)
    figures = {
        "Rows": data.n_rows,
        "Pixels" if data.image_shape else "Features": data.n_features,
        **_extent(target, data.y),
        "Training rows": train.size,
        "Validation rows": validation.size,
        "Test rows": test.size,
    }
    for column, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(label, value if isinstance(value, str) else f"{value:,}")
    st.write(plain(data.description))
    if words := split_words(data, test):
        st.caption(plain(words))
    st.caption(
        f"Source: {plain(data.source)} · Licence: {plain(data.licence)} · Fingerprint: {user_store.fingerprint(data)}"
    )
    left, right = st.columns([2, 1])
    with left:
        _look(data)
    with right:
        st.markdown(f"**Rows per {target.noun}**")
        chart.show(_bars(data.fingerprint, chart.theme(), data), "classes")
        if n_groups > CLASSES_SHOWN:
            st.caption(f"The {CLASSES_SHOWN} most frequent of {n_groups:,} {target.nouns}.")


@computed(16)
def _bars(fingerprint: str, theme: str, _data: DataSet) -> chart.Drawn:
    """Return the chart of the number of rows in each class or range."""
    target = _data.target
    counts = np.bincount(target.group_of(_data.y), minlength=len(target.groups))
    shown = np.sort(np.argsort(-counts, kind="stable")[:CLASSES_SHOWN])
    every = group_colors(target, _data.y, theme)
    names, colors = zip(*((target.groups[code], every[code]) for code in shown), strict=True)
    return chart.drawn(bar_chart(Bars(names, tuple(counts[shown].tolist()), colors, "rows"), theme))


def _extent(target: Target, y: np.ndarray) -> dict[str, Any]:
    """Return {label: text} that describes the classes or the range of the target."""
    if target.values_are_groups:
        return {target.nouns.capitalize(): len(target.groups)}
    name = target.name or target.values_noun
    return {plain(name[:1].upper() + name[1:]): f"{target.text(y.min())} to {target.text(y.max())}"}


def _look(data: DataSet) -> None:
    if data.image_shape:
        st.markdown(f"**Sample rows and the mean image of each {data.target.noun}**")
        st.image(
            _sheet(data.fingerprint, chart.theme(), data),
            width="stretch",
            alt=f"Twelve images of each {data.target.noun} of {data.title}",
        )
        return
    if data.n_features == 2:
        st.markdown("**Rows**")
        chart.show(_plane(data.fingerprint, chart.theme(), data), "scatter")
        return
    st.markdown(f"**First {min(ROWS_SHOWN, data.n_rows)} rows**")
    st.dataframe(_first_rows(data.fingerprint, data), hide_index=True, width="stretch", height=420)


@computed(16)
def _plane(fingerprint: str, theme: str, _data: DataSet) -> chart.Drawn:
    return chart.drawn(plane_chart(_data, theme))


@computed(16)
def _first_rows(fingerprint: str, _data: DataSet) -> Any:
    """Return the table of the first rows."""
    names = pandas.Index(distinct_names(_data.feature_names[:COLUMNS_SHOWN], [_data.target.value_noun]))
    frame = pandas.DataFrame(_data.X[:ROWS_SHOWN, :COLUMNS_SHOWN], columns=names)
    frame.insert(0, _data.target.value_noun, [_data.target.text(value) for value in _data.y[:ROWS_SHOWN]])
    called = {"name": _data.row_names, "row": _data.row_numbers}
    for name, values in called.items():
        if values is not None:
            frame.insert(0, distinct_names([name], frame.columns)[0], values[:ROWS_SHOWN])
    return arrow_table(frame)


@computed(16)
def _sheet(fingerprint: str, theme: str, _data: DataSet) -> bytes:
    return image_sheet(_data, theme)
