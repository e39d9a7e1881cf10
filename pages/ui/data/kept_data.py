"""Show the stored data of this visitor and how long they are kept. A button deletes them after a confirmation."""

from collections.abc import Sequence

import streamlit as st

from pages.jobs import user_store
from pages.ui.session import data_sets, page_settings, user_data
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import owner
from treecore.messages import counted

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
