"""Draw the main area of the Edit page: the tree with its editor, the effect of the edits, and how to save them."""

import hashlib
import json
from typing import Any

import streamlit as st

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.edit import (
    edit_keeping,
    edit_numbers,
    edit_repair,
    edit_rows,
    edit_rule,
    edit_state,
    edit_training,
    edit_work,
)
from pages.ui.edit.broken_constraints import broken_constraints
from pages.ui.edit.edit_rows import EditRows
from pages.ui.edit.edit_state import Edit
from pages.ui.edit.messages import MESSAGES
from pages.ui.save.save_menu import place
from pages.ui.session import choose_tree
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of, node_in_address, origin_of
from pages.ui.shell import address, edit_messages, link_notes, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError
from viz.payload.edit_payload import edit_payload

SLOT = "edit"
PENDING, SELECTED = "edit_pending", "edit_selected"
HELP = MESSAGES("what")

LINEAR = MESSAGES("linear_leaves", constant=settings.LEAVES["constant"])


def choose() -> ChosenTree:
    """Return the `ChosenTree`, and write the token of the edits into the address."""
    token, known = st.query_params.get("edit"), edit_state.address_token()
    if token is not None and known is None:
        link_notes.add(MESSAGES("changes.not_kept"))
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
    if chosen.tree.linear is not None:
        st.info(LINEAR, icon=":material/edit_off:")
        return
    node, nodes = selected_node()[0], chosen.tree.origin.tolist()
    if edit_state.token(chosen) is None and node is not None and origin_of(chosen.tree, node) not in nodes:
        link_notes.add(MESSAGES("node_not_here"))
    if edit_state.is_link_to_another(chosen):
        link_notes.add(MESSAGES("changes.of_another"))
    st.fragment(_page)(chosen)


def _page(chosen: ChosenTree) -> None:
    try:
        rows = edit_rows.rows_of(chosen)
        edit = edit_state.current(chosen, rows)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        st.info(MESSAGES("choose_another"), icon=":material/arrow_back:")
        return
    key, menu = f"{chosen.name}-edit", place()
    st.caption(HELP)
    edit = _apply_pending(chosen, rows, edit, key, st.empty())
    _share(chosen)
    content, whole = _payload(chosen)
    header = edit_messages.header(edit.turn, edit.seen, edit.document, edit.ask, edit.fault or edit.note)
    stage.mount(
        key, content, stage.View(0, *_selection(chosen, edit, key)), SLOT, stage.Options(alone=True, edit=header)
    )
    edit_training.warm(chosen, rows)
    _remarks(chosen, edit, whole)
    seen = stage.latest_view(key, SLOT)
    edit_rule.rule_form(chosen, edit, None if seen is None else seen.node, ask)
    figures = edit_numbers.numbers_section(chosen, rows, edit, whole)
    edit_repair.repair_section(chosen, rows, edit)
    with menu:
        edit_keeping.menu(chosen, edit, figures)
    if edit.tree != chosen.tree:
        _side_by_side(chosen, edit)
        edit_keeping.keeping_section(chosen, edit, figures)


def _share(chosen: ChosenTree) -> None:
    """Write the token of the edits into the address. Edits of an imported tree have no token."""
    token = edit_state.token(chosen) if chosen.loaded is None else None
    address.change(edit=token)


def _apply_pending(chosen: ChosenTree, rows: EditRows, edit: Edit, key: str, place: Any) -> Edit:
    """Return the `Edit` after the last report of the stage and the last request on the page."""

    def on_wait(share: float) -> None:
        place.progress(share, text=MESSAGES("repair.works"))

    before = edit
    edit = edit_work.apply_report(chosen, rows, edit, stage.editor_report(SLOT), key, on_wait)
    pending = st.session_state.get(PENDING)
    if pending is not None:
        edit = edit_rule.apply_rule(chosen, rows, edit, *pending)
    # Remove the request only here, before drawing, so that an interrupted run starts again.
    st.session_state.pop(PENDING, None)
    if edit is not before:
        edit_state.keep(edit, edit.document != before.document)
    place.empty()
    return edit


def ask(what: Any) -> None:
    """Set the rule of the next run: (node, rule, lock)."""
    st.session_state[PENDING] = what


def _payload(chosen: ChosenTree) -> Any:
    unfitted = edit_training.estimator(chosen)
    are_grouped = not isinstance(unfitted.categories, str)
    return _content(chosen.name, chosen, unfitted.split, unfitted.bivariate_cost, unfitted.scale, are_grouped)


@computed(6)
def _content(name: str, _chosen: ChosenTree, split: str, cost: float, scale: str, are_grouped: bool) -> Any:
    point = Point(0, _chosen.point.lam, _chosen.tree, {})
    parts, signs = edit_rows.parts_of(_chosen), _chosen.monotone
    return edit_payload(point, _chosen.data, parts, split, cost, scale, are_grouped=are_grouped, monotone=signs)


def _remarks(chosen: ChosenTree, edit: Edit, whole: bool) -> None:
    if edit.fault:
        st.error(plain(edit.fault), icon=":material/error:")
    if edit.caution:
        st.warning(plain(edit.caution), icon=":material/warning:")
    if edit.tree != chosen.tree:
        for text in broken_constraints(chosen, edit.tree):
            st.warning(plain(text), icon=":material/warning:")
    if not whole:
        st.info(MESSAGES("sample"), icon=":material/filter_alt:")
    if chosen.n_all_rows:
        words = MESSAGES("all_rows", n_rows=chosen.n_all_rows, n=len(chosen.rows[0]))
        st.info(words, icon=":material/filter_alt:")
    if not chosen.has_data:
        st.info(MESSAGES("few_rows"), icon=":material/table_rows:")


def _side_by_side(chosen: ChosenTree, edit: Edit) -> None:
    """Draw the tree before and after the edits on linked stages."""
    if not st.toggle("Compare before and after", key="edit-sides"):
        return
    digest = hashlib.sha256(json.dumps(edit.document).encode()).hexdigest()[:16]
    trees = {"Before": chosen.tree, "After": edit.tree}
    stage.stage_pair(f"{chosen.name}-{digest}", trees, chosen.data, edit_rows.parts_of(chosen), "edit")
