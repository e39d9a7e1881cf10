"""The visitor's own data: the file that is open on the Data page, and the data sets made from such files."""

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.jobs import user_store
from pages.ui.data import user_counts
from sample_data import DataSet, Entry
from sample_data.user_data import ColumnSummary, Recipe, Table, make_data_set, problems, propose, read, summarise
from treecore.errors import TreecoreError

SETS, DRAFT, FAULT = "own_sets", "own_draft", "own_fault"
LARGE = 50_000_000  # bytes of a table that is not kept in memory once its data set is made


@dataclass(frozen=True)
class Draft:
    """The open file: its kept upload, how to read it (arguments of `read`), what was decided.

    version counts the decisions.
    """

    upload: str
    name: str
    n_bytes: int
    options: tuple[tuple[str, object], ...] = ()
    recipe: Recipe | None = None
    version: int = 0


@dataclass(frozen=True)
class Reading:
    """What `read` made of a file: a `Table` with its summaries and the proposed recipe, or a `DataSet`."""

    table: Table | None
    summaries: tuple[ColumnSummary, ...]
    proposed: Recipe | None
    data_set: DataSet | None

    def summary(self, name):
        """Summary of a column."""
        return next(summary for summary in self.summaries if summary.name == name)


def take(name, content, options=()):
    """Keep what was uploaded or pasted (bytes) and open it; a fault is told and leaves what was open before."""
    open_upload(user_store.keep_upload(content), name, len(content), options)


def release(uploaded):
    """Let go of the bytes of an `UploadedFile`: they are in a file now, and may be 200 MB."""
    context = get_script_run_ctx()
    # as st.chat_input does; without it the bytes stay in memory until the visitor leaves
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=uploaded.file_id)


def open_upload(token, name, n_bytes, options=()):
    """Open a kept upload; a fault is told and leaves what was open before."""
    before = draft()
    try:
        reading = _reading(token, name, options)
    except TreecoreError as error:
        st.session_state[FAULT] = str(error)
        if before is None or before.upload != token:
            user_store.drop_upload(token)
        return
    st.session_state.pop(FAULT, None)
    version = 0 if before is None else before.version + 1
    st.session_state[DRAFT] = Draft(token, name, n_bytes, options, reading.proposed, version)
    if before is not None and before.upload != token:
        _forget(before)


def draft():
    """The `Draft` of this visitor, or None."""
    return st.session_state.get(DRAFT)


def reading(draft):
    """`Reading` of a draft; from memory, or from its file again. Raises TreecoreError."""
    return _reading(draft.upload, draft.name, draft.options)


def change(recipe):
    """Decide something else about the open file."""
    st.session_state[DRAFT] = replace(draft(), recipe=recipe, version=draft().version + 1)
    st.session_state.pop(FAULT, None)


def decide(**values):
    """Change some fields of the recipe of the open file."""
    change(replace(draft().recipe, **values))


def revise(changed, *others):
    """Decide something else: the recipe becomes `changed(recipe, *others)`."""
    change(changed(draft().recipe, *others))


def close():
    """Close the open file."""
    _forget(st.session_state.pop(DRAFT))
    st.session_state.pop(FAULT, None)


def fault():
    """What went wrong with the last thing the visitor asked for, or None."""
    return st.session_state.get(FAULT)


def found_problems(draft):
    """Problems of the draft's recipe, those that stop first."""
    return _problems(draft.upload, draft.name, draft.options, draft.recipe)


def counts(draft):
    """`Counts` of the draft's recipe. Raises TreecoreError."""
    return _counts(draft.upload, draft.name, draft.options, draft.recipe)


def fix(recipe):
    """Take a proposed recipe, all but its title."""
    revise(lambda now: replace(recipe, title=now.title))


def finish():
    """Make the data set of the open file and keep it; returns it, or None where that is not possible (see `fault`)."""
    now = draft()
    try:
        read_now = reading(now)
        data = read_now.data_set or make_data_set(read_now.table, now.recipe)
        user_store.save(data, now.recipe)
    except TreecoreError as error:
        st.session_state[FAULT] = str(error)
        return None
    st.session_state.pop(FAULT, None)
    remember(data)
    if read_now.table is not None and read_now.table.frame.memory_usage(index=False).sum() > LARGE:
        _reading.clear(now.upload, now.name, now.options)
    return data


def remember(data):
    """Offer a data set in all lists of this visitor."""
    kind = "images" if data.image_shape else "2D" if data.n_features == 2 else "table"
    st.session_state.setdefault(SETS, {})[data.name] = Entry(
        data.name, data.title, kind, data.n_rows, data.n_features, data.n_classes, data.source
    )


def entries():
    """Entries of the data sets that this visitor has made or opened by a link, by name."""
    return st.session_state.get(SETS, {})


def _forget(draft):
    _reading.clear(draft.upload, draft.name, draft.options)
    user_store.drop_upload(draft.upload)


@st.cache_resource(max_entries=3, show_spinner="Reading the file …")
def _reading(token, name, options):
    path = user_store.upload(token)
    if path is None:
        raise TreecoreError(f"{name} was open, but is not kept any more. Open it again.")
    content = read(path, name, **dict(options))
    if isinstance(content, DataSet):
        return Reading(None, (), None, content)
    summaries = tuple(summarise(content))
    return Reading(content, summaries, propose(content, list(summaries)), None)


def _key(recipe):
    return repr(replace(recipe, title=""))  # another title changes nothing


@st.cache_resource(max_entries=30, show_spinner="Looking for problems …", hash_funcs={Recipe: _key})
def _problems(token, name, options, recipe):
    found = _reading(token, name, options)
    return tuple(problems(found.table, list(found.summaries), recipe))


@st.cache_resource(max_entries=30, show_spinner=False, hash_funcs={Recipe: _key})
def _counts(token, name, options, recipe):
    return user_counts.counts(_reading(token, name, options).table, recipe)
