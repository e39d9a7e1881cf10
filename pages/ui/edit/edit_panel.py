"""Draw the main area of the Edit page: the tree with its editor, the effect of the edits, and how to save them.

An expert can also type a rule as the split of a node, and replay the last re-optimisation step by step.
"""

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.edit import edit_numbers, edit_state, edit_training
from pages.ui.edit.edit_numbers import broken_constraints
from pages.ui.edit.edit_state import Edit, EditRows
from pages.ui.edit.other_splits import other_splits_section
from pages.ui.save import project_file, saving
from pages.ui.save.save_menu import place
from pages.ui.session import choose_tree, loaded_models
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of, node_in_address, origin_of
from pages.ui.shell import address, edit_messages, link_notes, stage
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError
from treecore.model.model import Model
from treecore.node_solvers import SPLITS
from treecore.training.recording import record
from treecore.training.reoptimise import repairing
from treecore.tree.editing import tree_document
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from treecore.tree.tree_changes import node_changes
from viz.payload.edit_payload import edit_payload
from viz.payload.recording_payload import MAX_TRAINING_ROWS, recording_payload

SLOT = "edit"
PENDING, SELECTED = "edit_pending", "edit_selected"
HELP = (
    "Drag a line or a threshold, paint weights, change the prediction of a leaf, or prune or split a node. The "
    "stage updates immediately. Lock the nodes that you want to keep, then let TAO re-optimise the rest."
)
RULE_NODE, RULE_SEEN, RULE_TEXT, RULE_LOCK = "edit_rule_node", "edit_rule_seen", "edit_rule_text", "edit_rule_lock"
RULE_HELP = (
    "New split for the node: a condition and the side of the rows that meet it. Examples: age < 18 go left · 2*a "
    '- 0.5*b > 3, right · colour = red go left. Put names with special characters in "quotes".'
)
REPAIR_SLOT = "edit-repair"
KEPT = "edit_kept"
LINEAR = (
    "Trees with linear leaves cannot be edited, because a linear leaf has no single prediction. Set Leaves to "
    f"'{settings.LEAVES['constant']}' on the Tree page, or choose another tree."
)


def choose() -> ChosenTree:
    """Return the `ChosenTree`, and write the token of the edits into the address."""
    token, known = st.query_params.get("edit"), edit_state.address_token()
    if token is not None and known is None:
        link_notes.add("The server no longer stores the changes in this link. Showing the tree as trained.")
    return choose_tree.choose_tree("Edit", opens_files=True, edit=known, node=selected_node()[2])


def selected_node() -> tuple[int | str | None, int, int | str | None]:
    """Return (selected node, None for the root; turn; node for the address) from the address or the stage."""
    if address.is_from_address(SELECTED):
        turn = st.session_state.get(SELECTED, (None, -1))[1]
        st.session_state[SELECTED] = node_in_address(), turn + 1, node_in_address()
    return st.session_state[SELECTED]


def _selection(chosen: ChosenTree, edit: Edit, key: str) -> tuple[Any, int]:
    """Return the selected node and the turn after the last report of the stage.

    If an edit removed the selected node, the root replaces it.
    """
    (given, turn, text), root = st.session_state[SELECTED], int(edit.tree.origin[0])
    node = origin_of(edit.tree, given)
    seen = stage.latest_view(key, SLOT)
    if seen is not None and seen.turn == turn:
        selected = None if seen.node == root else seen.node
        if selected != node or (node is None and given is not None):
            text = name_of(edit.tree, selected)
            if chosen.loaded is None:
                address.change(node=text)
        node = selected
    st.session_state[SELECTED] = node, turn, text
    return (node if node in edit.tree.origin.tolist() else root), turn


def edit_page(chosen: ChosenTree) -> None:
    """Draw the page. Reports of the stage redraw only this part."""
    if "edit" in chosen.tree.leaf_model.refusals:
        st.info(LINEAR, icon=":material/edit_off:")
        return
    node, nodes = selected_node()[0], chosen.tree.origin.tolist()
    if edit_state.token(chosen) is None and node is not None and origin_of(chosen.tree, node) not in nodes:
        link_notes.add("The node in this link does not exist in this tree. The root is selected.")
    if edit_state.is_link_to_another(chosen):
        link_notes.add("The changes in this link belong to another tree. Showing the tree as trained.")
    st.fragment(_page)(chosen)


def _page(chosen: ChosenTree) -> None:
    try:
        rows = edit_state.rows_of(chosen)
        edit = edit_state.current(chosen, rows)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        st.info(
            "Choose another tree. This tree remains available on the Rules and Explain pages.",
            icon=":material/arrow_back:",
        )
        return
    key, menu = f"{chosen.name}-edit", place()
    st.caption(HELP)
    edit = _apply_pending(chosen, rows, edit, key, st.empty())
    _share(chosen)
    content, whole = _payload(chosen)
    header = edit_messages.header(edit.turn, edit.seen, edit.document, edit.ask, edit.fault or edit.note)
    selection = _selection(chosen, edit, key)
    stage.mount(key, content, stage.View(0, *selection), SLOT, stage.Options(alone=True, edit=header))
    edit_training.warm(chosen, rows)
    _remarks(chosen, edit, whole)
    seen = stage.latest_view(key, SLOT)
    rule_form(chosen, edit, None if seen is None else seen.node, ask)
    if chosen.has_data:
        other_splits_section(chosen, rows, edit, selection[0], ask)
    figures = edit_numbers.numbers_section(chosen, rows, edit, whole)
    repair_section(chosen, rows, edit)
    with menu:
        save_menu(chosen, edit, figures)
    if edit.tree != chosen.tree:
        _side_by_side(chosen, edit)
        keeping_section(chosen, edit, figures)


def _share(chosen: ChosenTree) -> None:
    """Write the token of the edits into the address. Edits of an imported tree have no token."""
    token = edit_state.token(chosen) if chosen.loaded is None else None
    address.change(edit=token)


def _apply_pending(chosen: ChosenTree, rows: EditRows, edit: Edit, key: str, place: Any) -> Edit:
    """Return the `Edit` after the last report of the stage and the last request on the page."""

    def on_wait(share: float) -> None:
        place.progress(share, text="TAO is re-optimising the tree … Any change stops it.")

    before = edit
    edit = edit_training.apply_report(chosen, rows, edit, stage.editor_report(SLOT), key, on_wait)
    pending = st.session_state.get(PENDING)
    if pending is not None:
        try:
            edit = pending(chosen, rows, edit, on_wait)
        except TreecoreError as error:
            edit = replace(edit, note=None, caution=None, fault=f"The change was not applied. {error}")
    # Remove the request only here, before drawing, so that an interrupted run starts again.
    st.session_state.pop(PENDING, None)
    if edit is not before:
        edit_state.keep(edit, edit.document != before.document)
    place.empty()
    return edit


def ask(what: Any) -> None:
    """Set the change of the next run, a function of (chosen, rows, edit, on_wait) that returns the new `Edit`."""
    st.session_state[PENDING] = what


def _payload(chosen: ChosenTree) -> Any:
    unfitted = edit_training.estimator(chosen)
    are_grouped = not isinstance(unfitted.categories, str)
    return _content(chosen.name, chosen, unfitted.split, unfitted.bivariate_cost, unfitted.scale, are_grouped)


@computed(6)
def _content(name: str, _chosen: ChosenTree, split: str, cost: float, scale: str, are_grouped: bool) -> Any:
    point = Point(0, _chosen.point.lam, _chosen.tree, {})
    parts, signs = edit_state.parts_of(_chosen), _chosen.monotone
    return edit_payload(
        point, _chosen.data, parts, split=split, cost=cost, scale=scale, are_grouped=are_grouped, monotone=signs
    )


def _remarks(chosen: ChosenTree, edit: Edit, whole: bool) -> None:
    if edit.fault:
        st.error(plain(edit.fault), icon=":material/error:")
    if edit.caution:
        st.warning(plain(edit.caution), icon=":material/warning:")
    if edit.tree != chosen.tree:
        for text in broken_constraints(chosen, edit.tree):
            st.warning(plain(text), icon=":material/warning:")
    if not whole:
        st.info(
            (
                "The data are too large for the browser, so the stage counts a sample of the rows. The metrics below "
                "use all rows."
            ),
            icon=":material/filter_alt:",
        )
    if chosen.n_all_rows:
        words = (
            f"The tree was trained on {chosen.n_all_rows:,} rows. Counts, errors and re-optimisation on this "
            f"page use the {len(chosen.rows[0]):,} training rows of the sample."
        )
        st.info(words, icon=":material/filter_alt:")
    if not chosen.has_data:
        st.info(
            (
                "The data of this model are not available. All counts use the few rows in the model file, and TAO "
                "would optimise the tree for these rows only."
            ),
            icon=":material/table_rows:",
        )


def _side_by_side(chosen: ChosenTree, edit: Edit) -> None:
    """Draw the tree before and after the edits on linked stages."""
    if not st.toggle("Compare before and after", key="edit-sides"):
        return
    digest = hashlib.sha256(json.dumps(edit.document).encode()).hexdigest()[:16]
    trees = {"Before": chosen.tree, "After": edit.tree}
    stage.stage_pair(f"{chosen.name}-{digest}", trees, chosen.data, edit_state.parts_of(chosen), "edit")


def rule_form(chosen: ChosenTree, edit: Edit, selected: int | None, ask: Callable[[Any], Any]) -> None:
    """Draw a form with a node, a rule and a switch that locks the node.

    selected : origin id of the node selected on the stage, or None; ask : see `ask`.
    """
    origins = edit.tree.origin.tolist()
    if selected in origins and st.session_state.get(RULE_SEEN) != selected:
        st.session_state[RULE_NODE] = selected  # a new selection on the stage selects the node in the form
    st.session_state[RULE_SEEN] = selected
    if st.session_state.get(RULE_NODE) not in origins:
        st.session_state[RULE_NODE] = origins[0]
    names = dict(zip(origins, node_names(edit.tree), strict=True))
    # The browser returns names, which change with the tree.
    key = f"{RULE_NODE}-{edit.turn}-{zlib.crc32(repr(names).encode())}"
    if key not in st.session_state or st.session_state[key] != st.session_state[RULE_NODE]:
        st.session_state[key] = st.session_state[RULE_NODE]
    with st.form("edit_rule", border=False, enter_to_submit=True):
        where, what, lock, go = st.columns([1.2, 7, 1.3, 2], vertical_alignment="bottom")
        where.selectbox("Node", origins, key=key, format_func=label_by(names),
                        help="Node to change. Default: the node selected on the stage.")  # fmt: skip
        what.text_input("Rule", placeholder=_example(chosen), key=RULE_TEXT, max_chars=2000, help=RULE_HELP)
        lock.checkbox("Lock", value=True, key=RULE_LOCK, help="TAO leaves locked nodes unchanged.")
        go.form_submit_button("Apply rule", icon=":material/gavel:", on_click=_submit, args=(ask, key), width="stretch")


def _submit(ask: Callable[[Any], Any], key: str) -> None:
    state = st.session_state
    state[RULE_NODE] = state[key]
    ask(partial(apply_rule, node=state[RULE_NODE], text=state[RULE_TEXT], lock=state[RULE_LOCK]))


def apply_rule(
    chosen: ChosenTree, rows: EditRows, edit: Edit, on_wait: Callable[[float], Any], node: int, text: str, lock: bool
) -> Edit:
    """Return the `Edit` with the rule, or with the reason for its refusal."""
    try:
        return edit_training.apply_rule(chosen, rows, edit, node, text, lock)
    except TreecoreError as error:
        return replace(edit, note=None, caution=None, fault=f"The rule was not applied. {error}")


def _example(chosen: ChosenTree) -> str:
    name = chosen.tree.feature_name(int(chosen.tree.features[0]) if chosen.tree.features.size else 0)
    middle = float(np.nanmedian(chosen.data.X[:, chosen.tree.feature_names.index(name)].astype(np.float64)))
    text = " ".join(name.split())[:60]
    return f"{text} go left" if " = " in text else f"{text} < {middle:.3g} go left"


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
        help=f"Available for up to {MAX_TRAINING_ROWS:,} training rows."
        if many
        else "Replays this run one depth level at a time, with the care points of each node.",
    )
    if not is_shown or many:
        return
    before, locked = edit.repair
    document = json.dumps([chosen.name, tree_document(before, locked)])
    name = "repair-" + hashlib.sha256(document.encode()).hexdigest()[:16]
    try:
        content = _repair_payload(name, chosen, rows, before, locked)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    if edit.stopped:
        st.caption("The run above stopped early. This replay continues to the end, so the last tree can differ.")
    stage.mount(name, content, stage.View(0), REPAIR_SLOT, stage.Options(title="Re-optimisation"))


@computed(4, show_spinner="Recording the run …")
def _repair_payload(name: str, _chosen: ChosenTree, _rows: EditRows, _tree: Tree, _locked: tuple[int, ...]) -> bytes:
    unfitted = edit_training.estimator(_chosen, is_constrained=True)
    run, X, _ = repairing(_tree, _locked, _rows.X, _rows.y, unfitted)
    cost = unfitted.bivariate_cost if "bivariate_cost" in SPLITS[unfitted.split].parameters else None
    return recording_payload(record(run, X, _rows.y), _chosen.data, edit_state.parts_of(_chosen), "Repair", cost)


def save_menu(chosen: ChosenTree, edit: Edit, figures: dict[str, Any]) -> None:
    """Draw the Save menu of the page, which contains the edited tree.

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
    """Draw the section that saves an edited tree as a model of this visitor.

    figures : see `save_menu`.
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
    st.session_state[KEPT] = (
        True,
        (
            f"Saved as {name}. Choose this tree under Tree on other pages, or add it to a comparison on the Compare "
            "page."
        ),
    )


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
    train = edit_state.parts_of(chosen)
    rows = None if train is None else train[0]
    return Model.of(edit.tree, chosen.data, chosen.parameters | own, (), figures, rows)
