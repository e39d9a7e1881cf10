"""Replay the last re-optimisation of an edited tree step by step."""

import hashlib
import json

import streamlit as st

from pages.ui.edit import edit_rows, edit_training
from pages.ui.edit.edit_rows import EditRows
from pages.ui.edit.edit_state import Edit
from pages.ui.edit.messages import MESSAGES
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError
from treecore.node_solvers import SPLITS
from treecore.training.recording import record
from treecore.training.reoptimise import repairing
from treecore.tree.editing import tree_document
from treecore.tree.tree import Tree
from viz.payload.recording_payload import MAX_TRAINING_ROWS, recording_payload

SLOT = "edit-repair"


def repair_section(chosen: ChosenTree, rows: EditRows, edit: Edit) -> None:
    """Draw a switch for the replay, and the replay if the switch is on.

    Draws nothing before the first re-optimisation.
    """
    if edit.repair is None:
        return
    many = len(rows.y) > MAX_TRAINING_ROWS
    is_shown = st.toggle(
        "Replay step by step",
        key="edit-watch",
        disabled=many,
        help=MESSAGES("repair.too_many_rows", most=MAX_TRAINING_ROWS) if many else MESSAGES("repair.steps"),
    )
    if not is_shown or many:
        return
    before, locked = edit.repair
    document = json.dumps([chosen.name, tree_document(before, locked)])
    name = "repair-" + hashlib.sha256(document.encode()).hexdigest()[:16]
    try:
        content = _payload(name, chosen, rows, before, locked)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    if edit.stopped:
        st.caption(MESSAGES("repair.stopped_early"))
    stage.mount(name, content, stage.View(0), SLOT, stage.Options(title="Re-optimisation"))


@computed(4, show_spinner="Recording the run …")
def _payload(name: str, _chosen: ChosenTree, _rows: EditRows, _tree: Tree, _locked: tuple[int, ...]) -> bytes:
    unfitted = edit_training.estimator(_chosen, is_constrained=True)
    run, X, _ = repairing(_tree, _locked, _rows.X, _rows.y, unfitted)
    cost = unfitted.bivariate_cost if "bivariate_cost" in SPLITS[unfitted.split].parameters else None
    return recording_payload(record(run, X, _rows.y), _chosen.data, edit_rows.parts_of(_chosen), "Repair", cost)
