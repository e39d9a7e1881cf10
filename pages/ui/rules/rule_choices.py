"""Which rules are shown, in which order, and what their figures are about: the choices in the side bar."""

from dataclasses import dataclass

import streamlit as st

from pages.ui.rules import rule_list
from pages.ui.save.saving import PARTS
from treecore.tree.condition_text import visible
from treecore.tree.conditions import ENOUGH

ALL_DIGITS = "all"
PRECISIONS = (ENOUGH, 1, 2, 3, 4, 5, 6, ALL_DIGITS)
ORDERS = {
    "number": "order in the tree",
    "rows": "rows (support)",
    "confidence": "confidence",
    "errors": "errors",
    "then": "prediction",
    "conditions": "number of conditions",
}
FALLING = ("rows", "confidence", "errors")  # the largest first, until told otherwise
_FILTERS = ("classes", "features", "least_rows", "least_confidence", "search")


@dataclass(frozen=True)
class RuleChoices:
    """What the visitor has chosen.

    part : key of `PARTS`, or "stored" for the counts in the tree; precision : significant digits, "enough", None for
    all; classes, features : names, empty for any; least_rows : int; least_confidence : share; search : text; order :
    key of `ORDERS`; falls : whether the largest comes first.
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

    def shown(self, found, searchable):
        """The rules of the `RuleSet` that pass, in order, as a list of (index, Rule).

        searchable : function that returns a text for each rule, in lower case; called when there is a search.
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
        return sorted(kept, key=lambda one: _ORDER[self.order](*one), reverse=self.falls)


_ORDER = {
    "number": lambda i, rule: i,
    "rows": lambda i, rule: rule.n_rows,
    "confidence": lambda i, rule: (
        rule.deviation if rule.deviation is not None else -1.0 if rule.confidence is None else rule.confidence
    ),
    "errors": lambda i, rule: rule.n_errors or 0,
    "then": lambda i, rule: rule.label if isinstance(rule.label, float) else str(rule.label),
    "conditions": lambda i, rule: len(rule.conditions),
}


def figures(has_data, parts):
    """Controls of the figures and texts; returns (part, precision). parts : the sets that have rows."""
    st.session_state.setdefault("rules_precision", ENOUGH)
    options = [part for part in PARTS if part in (*parts, "all")]
    with st.sidebar:
        part = "stored"
        if has_data:
            part = st.selectbox(
                "Count over", options, format_func=PARTS.get, key="rules_part",
                help="The rows that support, confidence, errors and class counts are about.",
            )  # fmt: skip
        precision = st.select_slider(
            "Digits",
            PRECISIONS,
            key="rules_precision",
            help="Significant digits of thresholds and weights. *Enough*: as few as send every row where the tree does "
            "(3 in sums of more than 4 features), as on the stage. With all of them a rule is the tree's own decision.",
        )
    return part, None if precision == ALL_DIGITS else precision


def filters(part, precision, classes, features, target):
    """Controls of filters and order; returns the `RuleChoices`. classes, features : names to choose from; target :
    `Target` of the tree."""
    with st.sidebar:
        search = st.text_input("Search", key="rules_search", placeholder="feature, class, value", max_chars=200)
        has_shares = target.certainty == "confidence"
        chosen_classes = _several("Class", classes, "rules_classes") if has_shares else ()
        chosen_features = _several("Uses feature", features, "rules_features")
        least_rows = st.number_input("At least so many rows", 0, None, 0, key="rules_least_rows")
        least_confidence = 0
        if has_shares:
            least_confidence = st.slider(
                "Confidence of at least", 0, 100, 0, format="%d %%", key="rules_least_confidence"
            )
        orders = ORDERS if has_shares else {**ORDERS, "confidence": "root mean squared error"}
        order, falls = _order({name: words for name, words in orders.items() if has_shares or name != "errors"})
    return RuleChoices(
        part, precision, tuple(chosen_classes), tuple(chosen_features), least_rows, least_confidence / 100, search,
        order, falls,
    )  # fmt: skip


def _several(label, options, key):
    # a tree of other data has other names
    st.session_state[key] = [name for name in st.session_state.get(key, []) if name in options]
    return st.multiselect(label, options, key=key, placeholder="any", format_func=visible)


def _order(orders):
    clicked = rule_list.order(known=st.session_state.get("rules_ordered"))
    if clicked is not None:
        name, st.session_state["rules_ordered"] = clicked
        name = "rows" if name == "share" else name
        if name in orders:
            same = name == st.session_state.get("rules_order", "number")
            falls = not st.session_state.get("rules_falls", False) if same else name in FALLING
            st.session_state.update(rules_order=name, rules_falls=falls)
    if st.session_state.get("rules_order") not in orders:
        st.session_state.pop("rules_order", None)
    order = st.selectbox("Sort by", list(orders), format_func=orders.get, key="rules_order", on_change=_new_order)
    falls = st.toggle("Descending", key="rules_falls")
    return order, falls


def _new_order():
    st.session_state["rules_falls"] = st.session_state["rules_order"] in FALLING


def clear_filters():
    """Let every rule pass again."""
    for name in _FILTERS:
        st.session_state.pop(f"rules_{name}", None)
