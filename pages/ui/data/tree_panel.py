"""Open a tree on the Data page, from a model file of this or another program, with its data."""

from typing import Any, NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.jobs import user_store
from pages.jobs.limited_process import LimitReached
from pages.ui.session import data_sets, loaded_models, page_settings, user_data
from pages.ui.session.loaded_models import not_opened
from pages.ui.shell import address, call_progress, chart, reader, tree_strip
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import keep_upload, owner
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.foreign.sources import SOURCES
from treecore.foreign.tree_of_data import tree_of_data
from treecore.messages import counted
from treecore.model.model import Model
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree

FILE, FAULT, _FOUND, _COUNT = "tree_file", "tree_fault", "tree_found", "tree_uploads"
PARTS = ("train", "validation", "test")
USUAL_SECONDS = 3.0
DEEPEST = 400  # largest depth of a tree that pages can draw and list as rules
ENDINGS = ["json", *sorted({ending for source in SOURCES.values() for ending in source.endings} - {"json"})]
EXPLAINED = (
    "A tree from scikit-learn (`skops.io.dump`), XGBoost (`save_model` to JSON), LightGBM (`save_model` to "
    "text), another program (ONNX, PMML) or this app. First open the training data, as a file or from the list. "
    "Columns are matched by name. All pages then show the tree, and TAO can simplify it. The app never executes "
    "the content of a file, so pickle files are not supported."
)


class _File(NamedTuple):
    """The open file, given by the token of its upload and by its name."""

    upload: str
    name: str


def tree_page() -> None:
    """Draw the page."""
    reader.reader()  # starts the process before the first file arrives
    count = st.session_state.setdefault(_COUNT, 0)
    uploaded = st.file_uploader(
        "Drop a model file here: Model (JSON), skops, XGBoost (JSON), LightGBM (text), ONNX, PMML",
        type=ENDINGS,
        key=f"tree_upload_{count}",
        max_upload_size=loaded_models.MOST_BYTES // 1_000_000,
    )
    if uploaded is not None:
        # A new key empties the uploader and frees its memory, because the file is now stored.
        st.session_state[_COUNT] = count + 1
        _take(uploaded)
        user_data.release(uploaded)
        st.rerun()
    if fault := st.session_state.get(FAULT):
        st.error(fault, icon=":material/error:")
    file = st.session_state.get(FILE)
    if file is None:
        st.caption(EXPLAINED)
        return
    with st.container(border=True):
        st.markdown(f"**{plain(file.name)}**")
        _choices(file)


def _take(uploaded: UploadedFile) -> None:
    _forget()
    try:
        if uploaded.size > loaded_models.MOST_BYTES:
            raise TreecoreError(f"Tree files can have up to {loaded_models.MOST_BYTES // 1000000} MB.")
        with uploaded.getbuffer() as content:
            st.session_state[FILE] = _File(keep_upload(content), uploaded.name)
    except TreecoreError as error:
        st.session_state[FAULT] = _fault_text(uploaded.name, error)


def _forget() -> None:
    """Close the open file."""
    st.session_state.pop(FAULT, None)
    st.session_state.pop(_FOUND, None)
    st.session_state.pop("tree_number", None)
    if (file := st.session_state.pop(FILE, None)) is not None:
        user_store.drop_upload(file.upload)


def _choices(file: _File) -> None:
    """Draw the choice of a tree in the file, the choice of its data, and the button that opens the tree."""
    found = _call(file, "read_tree", number=st.session_state.get("tree_number", 0))
    if found["program"] is None:
        _open_ours(file)
        return
    if found["n_trees"] > 1:
        first = tree_strip.tree_number("tree_number", found["n_trees"]) // tree_strip.MOST * tree_strip.MOST
        strip = _call(file, "read_strip", first=first, most=tree_strip.MOST, theme=chart.theme())
        tree_strip.tree_strip("tree_number", first, strip)
    tree = Tree.from_json(found["tree"])
    kind = f"{tree.classes.size} classes" if tree.target.values_are_groups else "regression"
    leaves = counted(tree.n_leaves, "leaf")
    st.caption(f"{found['program']} · {counted(found['n_trees'], 'tree')} · {leaves}, depth {tree.depth} · {kind}")
    if found["alone"]:
        st.warning(
            f"{plain(found['alone'])} The predictions of a single tree differ from those of the model.",
            icon=":material/warning:",
        )
    for doubt in found["doubts"]:
        st.warning(plain(doubt), icon=":material/warning:")
    names = list(data_sets.entries())
    now = page_settings.EXPLORE.current().data_set
    name = st.selectbox(
        "Training data",
        names,
        names.index(now) if now in names else 0,
        format_func=data_sets.labels(),
        key="tree_data",
        help="This list contains the files that you opened.",
    )
    try:
        if tree.depth > DEEPEST:
            raise TreecoreError(
                f"The tree has depth {tree.depth:,}; the maximum is {DEEPEST}. Train it with a smaller max_depth."
            )
        data = data_sets.load(name)
        placed = tree_of_data(tree, data)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    for note in placed.notes:
        st.caption(plain(note))
    st.button(
        "Open this tree", type="primary", icon=":material/account_tree:", key="tree_open", on_click=_open,
        args=(file, found, placed.tree, data),
    )  # fmt: skip


def _call(file: _File, name: str, **arguments: Any) -> Any:
    """Call a function of `reading_task` for the file and return its result. If it fails, show why and end the run."""
    known, values = st.session_state.setdefault(_FOUND, {}), tuple(arguments.values())
    if name in known and known[name][0] == values:
        return known[name][1]
    try:
        path = user_store.upload(file.upload)
        if path is None:
            raise TreecoreError("The server no longer stores this tree. Open its file again.")
        call = reader.start(name, owner(), path=str(path), **arguments)
        if not (is_quick := call_progress.is_quick(call)):
            call_progress.show(call, f"Reading {plain(file.name)}", USUAL_SECONDS, _forget, "tree_cancel")
        found = call.result()
    except TreecoreError as error:
        words = f"The file {error}." if isinstance(error, LimitReached) else error
        _forget()
        st.session_state[FAULT] = _fault_text(file.name, words)
        st.rerun()
    known[name] = values, found
    if not is_quick:
        st.rerun()  # removes the progress bar
    return found


def _open_ours(file: _File) -> None:
    """Open a model file of this program. The file names the source of its data."""
    try:
        name = loaded_models.add(user_store.upload(file.upload).read_bytes(), file.name)
    except (TreecoreError, OSError) as error:
        st.session_state[FAULT] = _fault_text(file.name, error)
    else:
        _show(name)
    st.rerun()


def _open(file: _File, found: dict[str, Any], tree: Tree, data: DataSet) -> None:
    chosen = page_settings.EXPLORE.current()
    rows = data_sets.rows(data.name, chosen.seed, chosen.rows)
    labels = data.labels()
    figures = {"n_decision": tree.n_decision, "n_leaves": tree.n_leaves, "depth": tree.depth} | {
        f"{part}_error": error_of(tree, data.X[of], labels[of]) for part, of in zip(PARTS, rows, strict=True) if of.size
    }
    facts = {"program": found["program"], "file": file.name, "seed": chosen.seed, "rows": chosen.rows}
    if found["n_trees"] > 1:
        facts |= {"tree number": st.session_state["tree_number"], "trees of the model": found["n_trees"]}
    model = Model.of(tree, data, facts, (), figures, rows[0])
    try:
        name = loaded_models.add_model(model, file.name.rpartition(".")[0] or file.name)
    except TreecoreError as error:
        st.session_state[FAULT] = _fault_text(file.name, error)
        return
    page_settings.EXPLORE.change(data_set=data.name)
    _show(name)


def _show(name: str) -> None:
    _forget()
    address.leave_for("pages/explore.py", {"source": f"model-{name}"})


def _fault_text(name: str, words: Any) -> str:
    return not_opened(plain(name[:80]), plain(words))
