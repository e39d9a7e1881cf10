"""Save an edited tree, either as a model of this visitor or with the Save menu of the page."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.jobs.point import Point
from pages.ui.edit import edit_rows
from pages.ui.edit.edit_state import Edit
from pages.ui.edit.messages import MESSAGES
from pages.ui.save import project_file, saving
from pages.ui.session import loaded_models
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError
from treecore.model.model import Model
from treecore.tree.tree_changes import node_changes

KEPT = "edit_kept"


def menu(chosen: ChosenTree, edit: Edit, figures: dict[str, Any]) -> None:
    """Draw the Save menu of the page.

    figures : metrics of the current tree, see `edit_numbers.figures`.
    """
    now = replace(chosen, point=Point(0, chosen.point.lam, edit.tree, figures))

    def model(with_rows: bool) -> Model:
        found = _model(chosen, edit, figures)
        return found if with_rows else replace(found, sample=None)

    changed = None if edit.tree == chosen.tree else model
    project_file.note_edited(chosen, changed)
    saving.tree_menu(now, model=changed)


def keeping_section(chosen: ChosenTree, edit: Edit, figures: dict[str, Any]) -> None:
    """Draw the section.

    figures : see `menu`.
    """
    model = _model(chosen, edit, figures)
    name, keep = st.columns([3, 2], vertical_alignment="bottom")
    title = name.text_input("Name", value=_default_title(chosen), max_chars=60, key=f"edit-name-{chosen.name}")
    keep.button(
        "Save tree", icon=":material/bookmark_add:", key="edit-keep", on_click=_save, args=(model, title),
        width="stretch", help="Adds the tree to the Rules, Explain, Predict, Compare and Edit pages.",
    )  # fmt: skip
    if outcome := st.session_state.pop(KEPT, None):
        (st.success if outcome[0] else st.error)(plain(outcome[1]))


def _default_title(chosen: ChosenTree) -> str:
    title = chosen.loaded.data.title if chosen.loaded and chosen.loaded.data else getattr(chosen.data, "title", "tree")
    return f"{' '.join(title.split())[:40]} edited"


def _save(model: Model, title: str) -> None:
    try:
        name = loaded_models.add_model(model, title)
    except TreecoreError as error:
        st.session_state[KEPT] = False, str(error)
        return
    st.session_state[KEPT] = (True, MESSAGES("kept", name=name))


def _model(chosen: ChosenTree, edit: Edit, figures: dict[str, Any]) -> Model:
    """Return the `Model` of the current tree. The parameters of the model describe the changes."""
    found = node_changes(chosen.tree, edit.tree)
    changed = len(found.decided) + len(found.labelled)
    words = f"nodes: {changed} changed, {len(found.added)} new, {len(found.removed)} removed"
    own = {"edited": words, "locked": list(edit.locked), "lam": chosen.point.lam}
    figures = {name: value for name, value in figures.items() if value is not None}
    if chosen.loaded is not None:
        tree = edit.tree.with_names(chosen.loaded.tree.feature_names)
        return replace(chosen.loaded, tree=tree, parameters=chosen.loaded.parameters | own, figures=figures, trace=())
    train = edit_rows.parts_of(chosen)
    rows = None if train is None else train[0]
    return Model.of(edit.tree, chosen.data, chosen.parameters | own, (), figures, rows)
