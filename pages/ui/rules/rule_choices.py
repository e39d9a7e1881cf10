"""Draw the controls above the list of rules: filters, order, and the rows that the statistics use."""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.rules import rule_list
from pages.ui.save.saving import PARTS
from pages.ui.shell.bound import label_by
from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleSet
from treecore.tree.condition_text import visible
from treecore.tree.conditions import ENOUGH
from treecore.tree.target import Target

ALL_DIGITS = "all"
PRECISIONS = (ENOUGH, 1, 2, 3, 4, 5, 6, ALL_DIGITS)
DIGITS = {ENOUGH: "As needed", ALL_DIGITS: "All"}
ORDERS = {"number": "order in the tree"}  # the statistics are added to these
THEN = "prediction"
MENU = "rules-more"  # key of the menu with the rare controls
_FILTERS = ("classes", "features", "least_rows", "least_confidence", "search")


@dataclass(frozen=True)
class RuleChoices:
    """The choices of the visitor.

    part : key of `PARTS`, or "stored" for the counts in the tree; precision : significant digits, "enough", or None for
    all; classes, features : names, empty for any; least_rows : int; least_confidence : share; search : searched text;
    order : "number", "then" or the name of a statistic; falls : whether the order is descending.
    """

    part: str
    precision: int | str | None
    classes: tuple = ()
    features: tuple = ()
    least_rows: int = 0
    least_confidence: float = 0.0
    search: str = ""
    order: str = "number"
    falls: bool = False

    def apply(self, found: RuleSet, searchable: Callable[[], Sequence[str]]) -> list[tuple[int, Rule]]:
        """Return the rules that pass the filters as sorted (index, Rule) pairs.

        searchable : function that returns one lower-case text per rule, called only for a search.
        """
        words = self.search.lower().split()
        texts = searchable() if words else None
        kept = [
            (i, rule)
            for i, rule in enumerate(found.rules)
            if rule.n_rows >= self.least_rows
            and (rule.confidence or 0.0) >= self.least_confidence - 1e-12
            and (not self.classes or rule.label_name in self.classes)
            and (not self.features or not rule.features_used.keys().isdisjoint(self.features))
            and (texts is None or all(word in texts[i] for word in words))
        ]
        return sorted(kept, key=lambda one: _place(self.order, *one), reverse=self.falls)


def _place(order: str, index: int, rule: Rule) -> Any:
    """Return the sort key of a rule. An undefined statistic comes first."""
    if order == "number":
        return index
    if order == "then":
        return rule.label if isinstance(rule.label, float) else str(rule.label)
    value = rule.statistics[order]
    return -1.0 if isnan(value) else value


def _kept(key: str, usual: Any, allowed: Sequence[Any] | None = None) -> Any:
    """Return the value of a control that is not drawn. Streamlit would drop it unless it is stored in each run."""
    value = st.session_state.get(key, usual)
    st.session_state[key] = value = usual if allowed is not None and value not in allowed else value
    return value


def figures(has_data: bool, parts: Iterable[str], menu: DeltaGenerator) -> tuple[str, Any]:
    """Draw the controls of rows and digits, and return (part, precision).

    parts : parts of the data that contain rows; menu : menu in which they are if it is open.
    """
    options = [part for part in PARTS if part in (*parts, "all")]
    part = _kept("rules_part", options[0], options) if has_data else "stored"
    precision = _kept("rules_precision", ENOUGH)
    if not menu.open:
        return part, None if precision == ALL_DIGITS else precision
    with menu:
        if has_data:
            part = st.selectbox(
                "Rows", options, format_func=label_by(PARTS), key="rules_part",
                help="Rows used for support, confidence, errors and class counts.",
            )  # fmt: skip
        precision = st.select_slider(
            "Digits",
            PRECISIONS,
            format_func=lambda precision: DIGITS.get(precision, str(precision)),
            key="rules_precision",
            help=(
                "Significant digits of thresholds and weights. *As needed*: the fewest digits that keep every row in "
                "its leaf (3 in sums of more than 4 features). *All*: the exact splits of the tree."
            ),
        )
    return part, None if precision == ALL_DIGITS else precision


def filters(
    part: str, precision: Any, classes: Iterable[str], features: Iterable[str], target: Target, columns: Any,
    row: DeltaGenerator, menu: DeltaGenerator,
) -> RuleChoices:  # fmt: skip
    """Draw the filters and the order, and return the `RuleChoices`.

    classes, features : names to choose from; target : `Target` of the tree; columns : list of the `NodeStatistic` in
    the list; row : container of the usual controls; menu : menu of the rare ones, which are there if it is open.
    """
    with row:
        search = st.text_input(
            "Search", key="rules_search", placeholder="Feature, class, value", max_chars=200, width=200
        )
        has_shares = target.certainty == "confidence"
        chosen_classes = _several("Class", classes, "rules_classes") if has_shares else ()
        chosen_features = _several("Uses feature", features, "rules_features")
        order = _order(columns)
    falls, least_rows = _kept("rules_falls", False), _kept("rules_least_rows", 0)
    least_confidence = _kept("rules_least_confidence", 0) if has_shares else 0
    if menu.open:
        with menu:
            falls = st.toggle("Descending", key="rules_falls")
            least_rows = st.number_input("Minimum rows", 0, None, key="rules_least_rows")
            if has_shares:
                least_confidence = st.slider("Minimum confidence", 0, 100, format="%d %%", key="rules_least_confidence")
    return RuleChoices(
        part, precision, tuple(chosen_classes), tuple(chosen_features), least_rows, least_confidence / 100, search,
        order, falls,
    )  # fmt: skip


def _several(label: str, options: Any, key: str) -> list[Any]:
    # Remove the names of another data set.
    st.session_state[key] = [name for name in st.session_state.get(key, []) if name in options]
    return st.multiselect(label, options, key=key, placeholder="Any", format_func=visible, width=200)


def _order(columns: Any) -> str:
    orders = ORDERS | {one.name: one.column.order for one in columns if one.column.order} | {"then": THEN}
    falling = {one.name for one in columns if one.column.falls}
    clicked = rule_list.order(known=st.session_state.get("rules_ordered"))
    if clicked is not None:
        name, st.session_state["rules_ordered"] = clicked
        name = next((one.column.sorts_by for one in columns if one.name == name and one.column.sorts_by), name)
        if name in orders:
            same = name == st.session_state.get("rules_order", "number")
            falls = not st.session_state.get("rules_falls", False) if same else name in falling
            st.session_state.update(rules_order=name, rules_falls=falls)
    if st.session_state.get("rules_order") not in orders:
        st.session_state.pop("rules_order", None)
    return st.selectbox(
        "Sort by", list(orders), format_func=label_by(orders), key="rules_order", on_change=_new_order,
        args=(falling,), width=200,
    )  # fmt: skip


def _new_order(falling: Container[str]) -> None:
    st.session_state["rules_falls"] = st.session_state["rules_order"] in falling


def clear_filters() -> None:
    """Clear all filters."""
    for name in _FILTERS:
        st.session_state.pop(f"rules_{name}", None)
