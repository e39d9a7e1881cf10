"""Save the tree on the screen as a model file, or the project of this tab.

A project contains the tree on the screen, the tab's other trees, and the origin of their data. The other trees are
those that the visitor has saved, opened or edited.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.jobs import user_store
from pages.jobs.setting import values_of
from pages.ui.save.save_menu import SavedFile
from pages.ui.session import data_sets, loaded_models, page_settings
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.loaded_models import MOST_BYTES
from pages.ui.shell import file_names
from pages.ui.shell.markdown_text import file_size, plain
from treecore.errors import TreecoreError
from treecore.model.model import Model
from treecore.model.model_files import MODEL_FILES
from treecore.model.project import Project
from treecore.model.project_parts import DataSource, ProjectTree

_ROWS = "save_rows"
ROWS_HELP = (
    "Includes up to 300 training rows for each tree, so that the app can draw and explain the tree without the data. "
    "If off, the file contains only counts."
)


def model_lines(chosen: ChosenTree, model: Callable[[bool], Model]) -> None:
    """Draw the menu entries of the model.

    model : function that returns the `Model`, given whether to include sample rows.
    """
    st.checkbox("Include sample rows", takes_rows(), key=f"{_ROWS}_box", on_change=_keep_rows, help=ROWS_HELP)
    with_rows = takes_rows()  # read here, because files are made outside the session
    if fault := too_large([model(with_rows)], lambda: model(with_rows).to_json()):
        st.caption(f"The model cannot be saved: {fault}")
        return
    stem = f"model-{name_of(chosen)}"
    SavedFile.of(MODEL_FILES["model"], lambda: {"model": model(with_rows)}, stem, "deployed_code").button()


def too_large(models: Iterable[Model], write: Callable[[], str]) -> str | None:
    """Return a sentence if a file would be too large to open again, else None.

    models : list of the models in the file; write : function that returns its text, called only for large models.
    """
    if sum(map(most_bytes, models)) <= MOST_BYTES or (n_bytes := len(write().encode())) <= MOST_BYTES:
        return None
    return (
        f"The file would have {file_size(n_bytes)}; the maximum is {file_size(MOST_BYTES)}. Turn off *Include sample "
        "rows* (under Model), or close some trees on the Predict page."
    )


def most_bytes(model: Model) -> int:
    """Return an upper limit for the file size, assuming numbers of up to 24 characters."""
    tree, sample = model.tree, model.sample
    n_numbers = 2 * tree.weights.size + tree.n_nodes * (8 + tree.values.shape[1])
    n_numbers += 0 if sample is None else sample.X.size + sample.y.size
    return 26 * n_numbers + 20_000 + 400 * (tree.n_features if tree.feature_names else 0)


def takes_rows() -> bool:
    """Return whether models and projects include sample rows."""
    return st.session_state.get(_ROWS, True)


def _keep_rows() -> None:
    # Streamlit drops the value of a widget when the visitor closes the menu.
    st.session_state[_ROWS] = st.session_state[f"{_ROWS}_box"]


def name_of(chosen: ChosenTree) -> str:
    """Return the part of a file name that identifies the tree and its data."""
    data = f"{file_names.of_data(chosen.data)}-" if hasattr(chosen.data, "fingerprint") else ""
    threshold = "" if chosen.threshold is None else f"-threshold-{chosen.threshold.share:.3g}"
    size = f"{chosen.tree.n_leaves}-leaves" if chosen.point.lam == 0 else f"lambda-{chosen.point.lam:.3g}"
    return f"{data}{size}{threshold}"


def model_of(chosen: Any, with_rows: bool = False) -> Model:
    """Return the `Model` of a `ChosenTree`, with a sample of its training rows on request."""
    if chosen.loaded is not None:
        return chosen.loaded if with_rows else replace(chosen.loaded, sample=None)
    point, data, parameters, rows = chosen.point, chosen.data, chosen.parameters, None
    if with_rows:
        rows = np.arange(data.n_rows)
        if "seed" in parameters:
            rows = data_sets.rows(data.name, parameters["seed"], parameters.get("rows", "standard"))[0]
    figures = {name: value for name, value in point.figures.items() if name not in ("index", "total", "is_simplified")}
    return Model.of(point.tree, data, parameters | {"lam": point.lam}, point.trace, figures, rows)


# session keys: {name: (title, function that returns a Model)}; {fingerprint: `DataSource`} of opened projects
EDITED, SOURCES, _NOTE = "edited_trees", "project_sources", "project_note"


def lines(chosen: ChosenTree, model: Callable[[bool], Model]) -> None:
    """Draw the menu entries of the project.

    model : function that returns the `Model` on the screen, given whether to include sample rows.
    """
    others, with_rows = _others(chosen), takes_rows()
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
    if fault := too_large([make(with_rows) for _, make, _ in trees], write):
        st.caption(f"{name}: {fault}")
    else:
        stem = f"project-{name_of(chosen)}"
        file = SavedFile.of(MODEL_FILES["project"], dict, stem, "inventory_2")._replace(label=name, make=write)
        words = "Contains the tree on screen and all saved, opened and edited trees."
        file._replace(help=f"{file.help} {words}").button()
    st.button("Add to project", key="save-keep", icon=":material/bookmark_add:", type="tertiary",
              width="stretch", on_click=_keep_tree, args=(chosen, model))  # fmt: skip
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


def _keep_tree(chosen: ChosenTree, model: Callable[[bool], Model]) -> None:
    try:
        name = loaded_models.add_model(model(takes_rows()), _title(chosen))
    except TreecoreError as error:
        st.session_state[_NOTE] = plain(error)
    else:
        st.session_state[_NOTE] = f"Saved as {plain(name)}. Choose it under Tree on any other page."
