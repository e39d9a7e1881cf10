"""The list of rules inside a page: a keyed component; what the visitor picks in it is its state."""

from typing import Any

import streamlit as st

from pages.ui.components.component import component

KEY = "rule-list"


def mount_rule_list(
    name: str,
    rows: list[dict[str, Any]],
    titles: list[dict[str, Any]],
    selected: int | None,
    turn: int,
    order: str,
    falls: bool,
) -> None:
    """Draw the list.

    name : of the tree; rows : list of dicts, a rule each: node (origin id of its leaf), number, texts (of its
    conditions), whole (all of them with whole names, "" where none is cut), label, color, and for each statistic a
    dict of text and maybe bar in [0, 1]; titles : list of dicts, a column each: name, title, help, and of a statistic
    widths (in em, of a wide and of a narrow list); selected : node or None; turn : raise it when a selection is not to
    be undone by what the list itself says; order, falls : column that the rows are sorted by, and which way.
    """
    content = {"name": name, "rules": rows, "titles": titles, "selected": selected, "turn": turn}
    component("rule_list")(
        key=KEY, data=content | {"order": order, "falls": falls}, on_picked_change=_nothing, on_order_change=_nothing
    )


def picked(name: str, known: Any) -> tuple[int | None, Any] | None:
    """(node or None, its time) of the last pick in the list of this tree; None without, or when its time is `known`."""
    seen = _reported("picked", known)
    return (seen["node"], seen["time"]) if seen and seen["key"] == name else None


def order(known: Any) -> tuple[str, Any] | None:
    """(column, its time) of the last click on a heading; None without, or when its time is `known`."""
    seen = _reported("order", known)
    return (seen["name"], seen["time"]) if seen else None


def _reported(what: str, known: Any) -> Any:
    seen = (st.session_state.get(KEY) or {}).get(what)
    return seen if seen and seen["time"] != known else None


def _nothing() -> None:
    """The state is read at the begin of the run."""
