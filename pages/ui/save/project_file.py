"""Save the project of this tab: the tree on the screen, the tab's other trees, and the origin of their data.

The other trees are those that the visitor has saved, opened or edited.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.jobs import user_store
from pages.jobs.setting import values_of
from pages.ui.save import save_model
from pages.ui.save.saved_file import SavedFile
from pages.ui.session import loaded_models, page_settings
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError
from treecore.model.model import Model
from treecore.model.model_files import MODEL_FILES
from treecore.model.project import Project
from treecore.model.project_parts import DataSource, ProjectTree

# session keys: {name: (title, function that returns a Model)}; {fingerprint: `DataSource`} of opened projects
EDITED, SOURCES, _NOTE = "edited_trees", "project_sources", "project_note"


def lines(chosen: ChosenTree, model: Callable[[bool], Model]) -> None:
    """Draw the menu entries of the project.

    model : function that returns the `Model` on the screen, given whether to include sample rows.
    """
    others, with_rows = _others(chosen), save_model.takes_rows()
    sources, settings = dict(st.session_state.get(SOURCES, {})), _settings(chosen)
    trees = [(_title(chosen), model, settings), *others]
    count = len(trees)
    if count > loaded_models.MOST:
        st.caption(
            f"Projects can have up to {loaded_models.MOST} trees, but this tab has {count}. "
            "Close some trees on the Predict page."
        )
        return

    def write() -> str:
        return MODEL_FILES["project"](project_file(trees, sources, with_rows))

    name = f"Project ({count} tree{'s' * (count > 1)})"
    if fault := save_model.too_large([make(with_rows) for _, make, _ in trees], write):
        st.caption(f"{name}: {fault}")
    else:
        stem = f"project-{save_model.name_of(chosen)}"
        file = SavedFile.of(MODEL_FILES["project"], dict, stem, "inventory_2")._replace(label=name, make=write)
        words = "Contains the tree on screen and all saved, opened and edited trees."
        file._replace(help=f"{file.help} {words}").button()
    st.button("Add to project", key="save-keep", icon=":material/bookmark_add:", type="tertiary",
              width="stretch", on_click=_keep, args=(chosen, model))  # fmt: skip
    if fault := st.session_state.pop(_NOTE, None):
        st.caption(fault)


def note_edited(chosen: ChosenTree, model: Callable[[bool], Model] | None) -> None:
    """Add an edited tree to the project.

    model : function that returns a `Model`, or None to remove the tree.
    """
    edited = st.session_state.setdefault(EDITED, {})
    edited.pop(chosen.name, None)
    if model is not None:
        edited[chosen.name] = f"{chosen.title}, edited", model


def project_file(
    trees: Sequence[tuple[str, Callable[[bool], Model], Any]], sources: Mapping[str, DataSource], with_rows: bool
) -> Project:
    """Return the `Project` with these trees. It does not use the session, because files are made outside it.

    trees : (title, function of `with_rows` that returns a `Model`, settings or None) of each tree; sources :
    {fingerprint: known `DataSource`}.
    """
    found = {}
    for title, make, settings in trees:
        names = (title, *(f"{title[:290]} ({i})" for i in range(2, len(trees) + 2)))
        title = next(name for name in names if name not in found)
        found[title] = ProjectTree(title, make(with_rows), settings)
    data = {one.model.data.fingerprint: one.model.data for one in found.values() if one.model.data is not None}
    return Project(tuple(found.values()), tuple(sources.get(name) or _source(one) for name, one in data.items()))


def _others(chosen: ChosenTree) -> list[tuple[str, Callable[[bool], Model], Any]]:
    """Return the other trees in this tab, see `project_file`."""
    kept = [(name, partial(_with_rows, model), None) for name, model in loaded_models.models()
            if model is not chosen.loaded and not _is_same(model, chosen)]  # fmt: skip
    edited = st.session_state.get(EDITED, {}).items()
    return kept + [(title[:300], make, None) for name, (title, make) in edited if name != chosen.name]


def _with_rows(model: Model, with_rows: bool) -> Model:
    return model if with_rows else replace(model, sample=None)


def _is_same(model: Model, chosen: ChosenTree) -> bool:
    known = getattr(chosen.data, "fingerprint", None)
    return model.data is not None and model.data.fingerprint == known and model.tree == chosen.tree


def _title(chosen: ChosenTree) -> str:
    if chosen.loaded is None:
        return chosen.title[:300]
    return next((name for name, model in loaded_models.models() if model is chosen.loaded), chosen.title[:300])


def _settings(chosen: ChosenTree) -> dict[str, str] | None:
    """Return the URL parameters of a tree on this tab's path, or None for other trees."""
    now = page_settings.EXPLORE.current()
    is_other = chosen.loaded is not None or chosen.threshold is not None
    if is_other or chosen.parameters != values_of(now.path()):
        return None
    place = ("leaves", chosen.point.tree.n_leaves) if now.path().has_sizes else ("tree", chosen.point.index)
    return page_settings.EXPLORE.text.write(now) | {"data_set": now.data_set, place[0]: str(place[1])}


def _source(data: Any) -> DataSource:
    """Return the `DataSource` of a `ModelData`."""
    return DataSource(data.name, data.title, data.fingerprint, **user_store.origin(data.name))


def _keep(chosen: ChosenTree, model: Callable[[bool], Model]) -> None:
    try:
        name = loaded_models.add_model(model(save_model.takes_rows()), _title(chosen))
    except TreecoreError as error:
        st.session_state[_NOTE] = plain(error)
    else:
        st.session_state[_NOTE] = f"Saved as {plain(name)}. Choose it under Tree on any other page."
