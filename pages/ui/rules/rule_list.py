"""Draw the list of rules as a component whose state is the visitor's last selection."""

import json
from typing import Any

import streamlit as st

from pages.ui.components.component import component

KEY = "rule-list"


def mount_rule_list(
    name: str, rows: list[str], titles: str, selected: int | None, turn: int, order: str, falls: bool
) -> None:
    """Draw the list.

    Parameters
    ----------
    name : str
        Name of the tree.
    rows : list of str
        JSON of each rule: node (origin id of its leaf), number, texts (of its conditions), whole (all conditions with
        full names, "" if none is shortened), label and color. Each statistic is an object of text and optional bar in
        [0, 1].
    titles : str
        JSON of the columns: name, title, help, and for a statistic widths (in em, of a wide and of a narrow list).
    selected : int or None
        Selected node.
    turn : int
        Raise it to override the selection of the list.
    order : str
        Sorted column.
    falls : bool
        Whether the order is descending.
    """
    content = f'{{"name":{json.dumps(name)},"rules":[{",".join(rows)}],"titles":{titles}}}'
    component("rule_list")(
        key=KEY, data={"content": content, "selected": selected, "turn": turn, "order": order, "falls": falls},
        on_picked_change=_nothing, on_order_change=_nothing,
    )  # fmt: skip


def latest_selection(name: str, known: Any) -> tuple[int | None, Any] | None:
    """Return (node or None, timestamp) of the latest selection in this tree's list.

    Returns None if there is no selection or its timestamp is `known`.
    """
    seen = _latest("picked", known)
    return (seen["node"], seen["time"]) if seen and seen["key"] == name else None


def order(known: Any) -> tuple[str, Any] | None:
    """Return (column, timestamp) of the latest click on a heading.

    Returns None if there is no click or its timestamp is `known`.
    """
    seen = _latest("order", known)
    return (seen["name"], seen["time"]) if seen else None


def _latest(what: str, known: Any) -> Any:
    seen = (st.session_state.get(KEY) or {}).get(what)
    return seen if seen and seen["time"] != known else None


def _nothing() -> None:
    """Do nothing, because the state is read at the start of the run."""
