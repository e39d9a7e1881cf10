"""Choose a rule by filters, order and list, and show it in full: its text, the classes of its rows, and the rows."""

import html
import json
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
import pandas
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.components.component import component
from pages.ui.save.saving import PARTS
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import chart, file_names
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.save_button import save_button
from treecore.rules.linear_answer import LinearAnswer
from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleSet
from treecore.tables.text_tables import to_csv
from treecore.tree.condition_text import quoted, visible
from treecore.tree.conditions import ENOUGH
from treecore.tree.target import Target
from viz.images.image_sheet import row_sheet
from viz.palette import OTHER_CLASS, group_colors
from viz.words.row_words import row_name, row_number

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
    clicked = order(known=st.session_state.get("rules_ordered"))
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


FEW_TERMS = 12  # number of terms of a weighted sum that are shown unless the visitor requests all
MOST_ROWS = 1000  # maximum number of rows on the page; the file has all
MOST_COLUMNS = 60
MOST_IMAGES = 30
OWN_COLUMNS = ("row", "true class", "true number", "too high by", "wrong")
_TAB = "rule-tab"  # key of the tabs of a rule
MOST_CLASSES = 12  # maximum number of classes in the bar; the remaining ones share one segment


def rule_section(
    chosen: ChosenTree, found: RuleSet, index: int | None, part: str, precision: Any, is_selected: bool
) -> None:
    """Draw a rule of the `RuleSet` with its statistics on a part of the data.

    index : index of the rule, or None; precision : digits of its numbers; is_selected : whether a node without a rule
    is selected.
    """
    if index is None:
        words = (
            (
                "A decision node is selected, so the list shows the rules of the leaves below this node. Click a "
                "leaf, or a rule in the list."
            )
            if is_selected
            else "Click a rule in the list or a leaf in the tree to see the decision path, conditions and rows."
        )
        st.info(words, icon=":material/touch_app:")
        return
    rule = found[index]
    st.markdown(f"## Rule {index + 1}")
    if part == "stored":
        _rule(chosen, found, rule, None, precision)
        st.caption("The training rows of this tree are not available. The counts come from the tree itself.")
        return
    rows = _rows(chosen.name, part, rule.leaf, chosen, rule)
    of_sample = " of the sample" if chosen.n_all_rows else ""
    labels = ["Rule", f"Rows ({rows.size:,}{of_sample})"]
    # The same tab stays open for another rule, whose label differs.
    st.session_state[_TAB] = labels[st.session_state.get(_TAB, labels[0]) != labels[0]]
    words, listed = st.tabs(labels, key=_TAB, on_change="rerun")
    if words.open:
        with words:
            _rule(chosen, found, rule, rows, precision)
    else:
        with listed:
            _list(chosen, rule, index, rows)


def _rule(chosen: ChosenTree, found: RuleSet, rule: Any, rows: Any, precision: Any) -> None:
    short, full = _texts(chosen.name, precision, rule.leaf, chosen, rule)
    if full != short:
        longer = st.toggle(
            "All terms",
            key="rules_all_terms",
            help="If off, only the largest terms are shown, ranked by weight times standard deviation.",
        )
        short = full if longer else short
    lines = [f"IF   {short[0]}" if short else "ALWAYS", *(f"AND  {text}" for text in short[1:])]
    then, target = rule.label_text, chosen.target
    if rule.deviation is not None and not isinstance(rule.label, LinearAnswer):
        name = f"{quoted(rule.target_name)} = " if rule.target_name else ""
        then = f"{name}{target.answer(rule.label)} ± {target.short_error(rule.deviation)}"
    st.code("\n".join([*lines, f"THEN {then}"]), language=None, wrap_lines=True)
    st.html(_figures(found, rule, target) + _bar(chosen, rule, rows))


@computed(64)
def _texts(name: str, precision: Any, leaf: int, _chosen: ChosenTree, _rule: Rule) -> tuple[list[str], list[str]]:
    """Return the conditions of a rule, with the largest terms of each sum and with all terms."""
    outputs = _chosen.deviation, _chosen.features_with_missing
    short = _rule.texts(FEW_TERMS, *outputs)
    return short, _rule.texts(None, *outputs) if len(_rule.features_used) > FEW_TERMS else short


def _figures(found: RuleSet, rule: Rule, target: Any) -> str:
    error = {"error_name": target.error_name, "error": target.error_text(rule.deviation)}
    phrases = rule.phrases("detail", found.statistics_in("detail"), target, **error)
    outputs = " · ".join(phrases) if rule.n_rows else f"{phrases[0]}: no rows."
    return f"<p style='margin:0 0 .5rem'>{_escape(outputs)}</p>"


def _counts(chosen: ChosenTree, rule: Rule, rows: Any) -> list[tuple[int, float]]:
    """Return [(group, number of rows)] of a rule: classes by size, largest first, or ranges in ascending order."""
    target = chosen.target
    counts, codes = rule.class_counts, target.positions(chosen.tree)
    if counts is not None and codes is not None:
        order = sorted(range(len(codes)), key=lambda i: -counts[i])
        return [(int(codes[i]), counts[i]) for i in order if counts[i]]
    if rows is None and not chosen.tree.leaf_model.is_constant:
        return []
    if rows is None:
        leaf = np.flatnonzero(np.flatnonzero(chosen.tree.left < 0) == rule.leaf)[0]
        counts = target.leaf_counts(chosen.tree)[0][leaf]
    else:
        counts = np.bincount(target.group_of(chosen.data.y[rows]), minlength=len(target.groups))
    return [(group, n) for group, n in enumerate(counts.tolist()) if n]


def _bar(chosen: ChosenTree, rule: Rule, rows: Any) -> str:
    """Return an HTML bar of the number of rows in each group, with a legend."""
    target = chosen.target
    colors = group_colors(target, chosen.data.y if chosen.has_data else None, chart.theme())
    parts = [(target.groups[group], n, colors[group]) for group, n in _counts(chosen, rule, rows)]
    total = sum(n for _, n, _ in parts)
    if not total:
        return ""
    if len(parts) > MOST_CLASSES:
        rest = parts[MOST_CLASSES - 1 :]
        parts = [*parts[: MOST_CLASSES - 1], (f"{len(rest)} other classes", sum(one[1] for one in rest), OTHER_CLASS)]
    pieces = "".join(
        f'<i style="flex:{rows:.6g} 1 0;background:{color}" title="{_escape(label)}: {rows:,.6g}"></i>'
        for label, rows, color in parts
    )
    legend = "".join(
        f'<span style="white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis">'
        f'<i style="display:inline-block;width:10px;height:10px;border-radius:2px;background:{color}"></i> '
        f"{_escape(label)} {rows:,.6g}</span>"
        for label, rows, color in parts
    )
    return (
        f'<div role="img" aria-label="Rows of each group" style="display:flex;height:16px;gap:1px;border-radius:3px;'
        f'overflow:hidden">{pieces}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:2px 12px;font-size:.85rem;margin-top:5px">{legend}</div>'
    )


@computed(64)
def _rows(name: str, part: str, leaf: int, _chosen: ChosenTree, _rule: Rule) -> np.ndarray:
    """Return the row numbers of the part that the rule covers, largest errors first."""
    data = _chosen.data
    sets = dict(zip(PARTS, _chosen.rows, strict=False))
    rows = np.arange(data.n_rows) if part == "all" else np.asarray(sets[part])
    rows = rows[_chosen.tree.apply(data.X[rows]) == leaf]
    losses = _chosen.target.losses(_outputs(_chosen, _rule, rows), data.y[rows])
    return rows[np.argsort(-losses, kind="stable")]


def _outputs(chosen: ChosenTree, rule: Rule, rows: np.ndarray) -> np.ndarray:
    """Return the predictions of a rule for some of the rows that it covers, [n]."""
    return chosen.target.row_outputs(chosen.tree, chosen.data.X[rows], np.full(rows.size, rule.leaf))


def _list(chosen: ChosenTree, rule: Rule, index: int, rows: np.ndarray) -> None:
    if not rows.size:
        st.info("None of these rows reaches this rule.", icon=":material/info:")
        return
    data = chosen.data
    first = list(dict.fromkeys(j for numbers in rule.features_used.values() for j in numbers))
    used = set(first)
    features = [*first, *(j for j in range(data.n_features) if j not in used)]
    target = chosen.target
    labels, outputs = data.labels()[rows], _outputs(chosen, rule, rows)
    is_wrong = target.is_wrong(outputs, data.y[rows])
    judged = {"wrong": np.where(is_wrong, "✗", "")} if target.values_are_groups else {"too high by": outputs - labels}
    if data.image_shape:
        _images(data, rows, is_wrong)
    names = distinct_names([visible(data.feature_names[j]) for j in features[:MOST_COLUMNS]], OWN_COLUMNS)
    frame = pandas.DataFrame(data.X[rows[:MOST_ROWS, None], features[:MOST_COLUMNS]], columns=pandas.Index(names))
    for place, (name, values) in enumerate(
        {**_row_columns(data, rows), f"true {target.value_noun}": labels, **judged}.items()
    ):
        frame.insert(place, name, values[:MOST_ROWS])
    st.dataframe(frame, hide_index=True, height=250, width="stretch", key="rule-rows", alt=f"Rows of rule {index + 1}")
    limits = [f"the first {MOST_ROWS:,} rows"] * (rows.size > MOST_ROWS)
    limits += [f"{MOST_COLUMNS} of {data.n_features:,} features"] * (data.n_features > MOST_COLUMNS)
    if limits:
        st.caption(f"Showing {' and '.join(limits)}. The file contains all of them.")
    save_button(
        "Rows (CSV)", lambda: rows_csv(chosen, rows, features, labels, is_wrong),
        f"rule-{index + 1}-{file_names.of_data(data)}.csv", "text/csv",
        key="save-rule-rows",
    )  # fmt: skip


def _row_columns(data: Any, rows: Iterable[int]) -> dict[str, list[Any]]:
    """Return {column: values} with the row numbers of the visitor's file, and IDs if the data have them."""
    called = {"row": [row_number(data, row) for row in rows]}
    return (
        called if getattr(data, "row_names", None) is None else called | {"name": [row_name(data, row) for row in rows]}
    )


def _images(data: Any, rows: np.ndarray, is_wrong: np.ndarray) -> None:
    """Draw the first rows as images, misclassified and correct ones separately."""
    theme = chart.theme()
    for title, taken in (("Wrong", rows[is_wrong]), ("Correct", rows[~is_wrong])):
        if taken.size:
            shown = taken[:MOST_IMAGES]
            rest = f", {MOST_IMAGES} shown" if taken.size > MOST_IMAGES else ""
            st.caption(f"{title}: {taken.size:,}{rest}")
            st.image(row_sheet(data, shown, theme), alt=f"{title}: images of {shown.size} rows")


def rows_csv(
    chosen: ChosenTree, rows: np.ndarray, features: Sequence[int], labels: np.ndarray, is_wrong: np.ndarray
) -> str:
    data, target, called = chosen.data, chosen.target, _row_columns(chosen.data, rows)
    outputs = chosen.tree.predict(data.X[rows]).tolist()
    header = [
        *called,
        f"true {target.value_noun}",
        "predicted",
        "wrong",
        *(visible(data.feature_names[j]) for j in features),
    ]
    values = data.X[rows[:, None], features].tolist()
    lines = [
        [*map(str, row), visible(label), visible(predicted), str(int(wrong)), *map(_number, line)]
        for row, label, predicted, wrong, line in zip(
            zip(*called.values(), strict=True), labels, outputs, is_wrong, values, strict=True
        )
    ]
    return to_csv(header, lines)


def _number(value: float) -> str:
    return "" if value != value else repr(value)


def _escape(text: str) -> str:
    return html.escape(visible(text))
