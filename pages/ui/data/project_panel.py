"""Open a project on the Data page: show its trees and data sets, and ask for uploads of the missing ones."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.jobs import user_store
from pages.jobs.settings_text import PATH_TEXT
from pages.ui.data import user_reading
from pages.ui.save import project_file
from pages.ui.session import choose_tree, data_sets, loaded_models, page_settings, user_data
from pages.ui.session.loaded_models import not_opened
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from sample_data.data_folder.entries import data_folder
from sample_data.user_data import Recipe
from treecore.errors import TreecoreError
from treecore.messages import counted
from treecore.model.project import Project
from treecore.model.project_parts import DataSource, ProjectTree

OPENED, FAULT, NAMES, _COUNT = "project", "project_fault", "project_names", "project_uploads"
_WHY = "project_sample_fault"  # reason why a sample cannot be read again, or "" after an attempt
HERE, OTHER, NEEDED, GONE, FOLDER = range(5)
WORDS = {
    HERE: ":green[:material/check_circle:] available",
    OTHER: ":orange[:material/warning:] available in another version: trees are shown without data",
    NEEDED: ":orange[:material/upload_file:] not available: choose its file",
    FOLDER: ":orange[:material/hard_drive:] not available: read its sample again",
    GONE: ":orange[:material/warning:] not available: trees are shown without data",
}
EXPLAINED = (
    "A project is one file with several trees and a reference to their data. To create a project, press *Save* "
    "in the upper right corner of a tree. The project contains the tree on screen and the trees that you saved, "
    "opened or edited. It contains no data, except a few rows for each tree if you include sample rows. To open "
    "a project on your own data, you need the data file again, or an app that was started with the same data "
    "folder."
)


def project_page() -> None:
    """Draw the page."""
    count = st.session_state.setdefault(_COUNT, 0)
    file = st.file_uploader(
        "Drop a project file here",
        type="json",
        key=f"project_upload_{count}",
        max_upload_size=loaded_models.MOST_BYTES // 1_000_000,
    )
    if file is not None:
        st.session_state[_COUNT] = count + 1
        _open(file)
        user_data.release(file)
        st.rerun()
    if fault := st.session_state.get(FAULT):
        st.error(fault, icon=":material/error:")
    project = st.session_state.get(OPENED)
    if project is None:
        st.caption(EXPLAINED)
        return
    states = {source.fingerprint: _state(source) for source in project.data}
    _read_samples([source for source in project.data if states[source.fingerprint] == FOLDER])
    for source in project.data:
        _data_line(source, states[source.fingerprint], _renamed_groups(project, source))
    _trees(project, states)


def _open(file: UploadedFile) -> None:
    """Import all trees of a project, or none of them. After a fault, show it and keep the open project."""
    try:
        if file.size > loaded_models.MOST_BYTES:
            raise TreecoreError(f"Projects can have up to {loaded_models.MOST_BYTES // 1000000} MB.")
        project = Project.from_json(file.getvalue())
        for source in project.data:
            if source.recipe is not None:
                Recipe.from_dict(source.recipe)
            if odd := [name for name, value in source.options.items() if not _is_option(name, value)]:
                raise TreecoreError(
                    f"The data set {source.title} in this project has an unsupported option: {odd[0]:.40}."
                )
        for tree in project.trees:
            if wrong := PATH_TEXT.invalid_names(tree.settings or {}):
                raise TreecoreError(f"The tree {tree.title} in this project has unsupported settings: {wrong[0]}.")
        names = loaded_models.add_models([(tree.title, tree.model) for tree in project.trees])
    except TreecoreError as error:
        st.session_state[FAULT] = not_opened(plain(file.name[:80]), plain(error))
        return
    st.session_state.pop(FAULT, None)
    _try_again()
    st.session_state[OPENED], st.session_state[NAMES] = project, names
    st.session_state.setdefault(project_file.SOURCES, {}).update({one.fingerprint: one for one in project.data})


def _is_option(name: str, value: object) -> bool:
    return name in user_reading.OPTIONS and isinstance(value, str | bool)


def _state(source: DataSource) -> int:
    entry = data_sets.entries().get(source.name)
    if not user_store.is_own(source.name) and (entry is None or not entry.available):
        return GONE
    try:
        data = data_sets.load(source.name)
    except TreecoreError:
        is_own = user_store.is_own(source.name)
        return FOLDER if is_own and source.entry else NEEDED if is_own and source.file else GONE
    return HERE if data.fingerprint == source.fingerprint else OTHER


def _renamed_groups(project: Project, source: DataSource) -> list[str]:
    """Return the columns whose group of rare values is named as in a previous version, "other (12 categories)".

    Reading the file again would give features with different names.
    """
    models = [tree.model for tree in project.trees if tree.model.columns and project.source(tree) is source]
    columns = [column for model in models for column in model.columns.columns]
    return list(dict.fromkeys(one.name for one in columns if one.grouped and one.categories[-1].startswith("other (")))


def _data_line(source: DataSource, state: int, renamed: Sequence[str]) -> None:
    words = f", made from {plain(source.file)}" if source.file else ""
    words_of_state = WORDS[GONE if renamed and state in (NEEDED, FOLDER) else state]
    st.markdown(f"**{plain(source.title)}**{words}, fingerprint {user_store.fingerprint(source)} · {words_of_state}")
    if state not in (NEEDED, FOLDER):
        return
    if renamed:
        names = ", ".join(plain(name[:60]) for name in renamed)
        st.warning(
            (
                f"These trees come from an earlier version of the app, which named rare values of {names} 'other "
                f"(…)' instead of 'others (…)'. The columns of {plain(source.file)} now have different names, so "
                "they do not match the trees. You can still use the trees for rules and predictions. To train "
                "further, open the file as your own data on this page and save a new project."
            ),
            icon=":material/history:",
        )
        return
    if state == FOLDER:
        why = (
            (
                f"The trees were trained on a sample of {source.entry} in a data folder. Restart the app with this "
                "folder to open the data."
            )
            if data_folder() is None
            else st.session_state.get(_WHY)
        )
        if why:
            st.warning(plain(why), icon=":material/hard_drive:")
        st.button("Read sample", key=f"project_sample_{source.fingerprint[:12]}", icon=":material/play_arrow:",
                  on_click=_try_again, disabled=data_folder() is None)  # fmt: skip
        return
    key = f"project_data_{st.session_state[_COUNT]}_{source.fingerprint[:12]}"
    file = st.file_uploader(f"{plain(source.file)}, the data file of these trees", key=key)
    if file is None:
        return
    # A new key empties the uploader and frees its memory, because the file is now stored.
    st.session_state[_COUNT] += 1
    st.session_state.pop(FAULT, None)
    try:
        with st.spinner(f"Reading {plain(file.name)} …"), file.getbuffer() as content:
            options = tuple(source.options.items())
            user_data.remake(file.name, content, options, source.recipe, source.name)
    except TreecoreError as error:
        st.session_state[FAULT] = f"{plain(error)} The trees are unchanged. Choose another file."
    user_data.release(file)
    st.rerun()


def _read_samples(sources: Sequence[DataSource]) -> None:
    """Make the samples of a project again, once, if the app has the folder of their rows."""
    if not sources or data_folder() is None or _WHY in st.session_state:
        return
    st.session_state[_WHY] = ""
    for source in sources:
        try:
            with st.spinner(f"Reading {plain(source.title)} …"):
                user_data.remake_sample(source.entry or "", source.digest, source.recipe, source.name)
        except TreecoreError as error:
            st.session_state[_WHY] = str(error)
    st.rerun()


def _try_again() -> None:
    st.session_state.pop(_WHY, None)


def _trees(project: Project, states: Mapping[str, int]) -> None:
    st.markdown(f"## {len(project.trees)} tree{'s' * (len(project.trees) > 1)}")
    for place, tree in enumerate(project.trees):
        source, model = project.source(tree), tree.model
        is_path = tree.settings is not None and source is not None and states[source.fingerprint] == HERE
        size = counted(model.tree.n_leaves, "leaf")
        with st.container(border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**{plain(tree.title)}**  \n{size}{'' if source is None else f' · {plain(source.title)}'}")
            icon, help = (
                ("account_tree", "Shows this tree on its path.")
                if is_path
                else ("rule", "Shows the rules of this tree.")
            )
            kind = "primary" if place == project.opened else "secondary"
            st.button(
                "Open", key=f"project-open-{place}", type=kind, icon=f":material/{icon}:", help=help, on_click=_show,
                args=(tree, st.session_state[NAMES][place], is_path),
            )  # fmt: skip


def _show(tree: ProjectTree, name: str, is_path: bool) -> None:
    """Open a tree: on its path if the data are available, else as a model."""
    if not is_path:
        address.leave_for("pages/rules.py", {"source": f"model-{name}"})
        return
    store = page_settings.EXPLORE
    settings = tree.settings or {}
    store.change(**asdict(PATH_TEXT.read(settings)))
    st.session_state.pop(f"{store.key}_view", None)
    page, query = choose_tree.PATH_PAGE
    address.leave_for(page, query | settings)
