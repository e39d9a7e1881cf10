"""Let an expert type a rule as the split of a node."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.edit import edit_work
from pages.ui.edit.edit_rows import EditRows
from pages.ui.edit.edit_state import Edit
from pages.ui.edit.messages import MESSAGES
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.bound import label_by
from treecore.errors import TreecoreError
from treecore.tree.text_tree import node_names

NODE, SEEN, TEXT, LOCK = "edit_rule_node", "edit_rule_seen", "edit_rule_text", "edit_rule_lock"
HELP = MESSAGES("rule.how")


def rule_form(chosen: ChosenTree, edit: Edit, selected: int | None, ask: Callable[[Any], Any]) -> None:
    """Draw a form with a node, a rule and a switch that locks the node.

    selected : origin id of the node selected on the stage, or None; ask : function that sets the task of the next run,
    (node, rule, lock).
    """
    origins = edit.tree.origin.tolist()
    if selected in origins and st.session_state.get(SEEN) != selected:
        st.session_state[NODE] = selected  # a new selection on the stage selects the node in the form
    st.session_state[SEEN] = selected
    if st.session_state.get(NODE) not in origins:
        st.session_state[NODE] = origins[0]
    names = dict(zip(origins, node_names(edit.tree), strict=True))
    # The browser returns names, which change with the tree.
    key = f"{NODE}-{edit.turn}-{zlib.crc32(repr(names).encode())}"
    if key not in st.session_state or st.session_state[key] != st.session_state[NODE]:
        st.session_state[key] = st.session_state[NODE]
    with st.form("edit_rule", border=False, enter_to_submit=True):
        where, what, lock, go = st.columns([1.2, 7, 1.3, 2], vertical_alignment="bottom")
        where.selectbox("Node", origins, key=key, format_func=label_by(names),
                        help="Node to change. Default: the node selected on the stage.")  # fmt: skip
        what.text_input("Rule", placeholder=_example(chosen), key=TEXT, max_chars=2000, help=HELP)
        lock.checkbox("Lock", value=True, key=LOCK, help="TAO leaves locked nodes unchanged.")
        go.form_submit_button("Apply rule", icon=":material/gavel:", on_click=_submit, args=(ask, key), width="stretch")


def _submit(ask: Callable[[Any], Any], key: str) -> None:
    state = st.session_state
    state[NODE] = state[key]
    ask((state[NODE], state[TEXT], state[LOCK]))


def apply_rule(chosen: ChosenTree, rows: EditRows, edit: Edit, node: int, text: str, lock: bool) -> Edit:
    """Return the `Edit` with the rule, or with the reason for its refusal."""
    try:
        return edit_work.apply_rule(chosen, rows, edit, node, text, lock)
    except TreecoreError as error:
        return replace(edit, note=None, caution=None, fault=MESSAGES("rule.not_taken", why=str(error)))


def _example(chosen: ChosenTree) -> str:
    name = chosen.tree.feature_name(int(chosen.tree.features[0]) if chosen.tree.features.size else 0)
    middle = float(np.nanmedian(chosen.data.X[:, chosen.tree.feature_names.index(name)].astype(np.float64)))
    text = " ".join(name.split())[:60]
    return f"{text} go left" if " = " in text else f"{text} < {middle:.3g} go left"
