"""One rule in full: its words, the classes of its rows, the rows themselves."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.ui.rules.messages import MESSAGES
from pages.ui.rules.rule_choices import PARTS
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import chart, file_names
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.save_button import save_button
from treecore.rules.linear_answer import LinearAnswer
from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleSet
from treecore.tables.text_tables import to_csv
from treecore.tree.condition_text import visible
from viz.images.image_sheet import row_sheet
from viz.palette import OTHER_CLASS, group_colors
from viz.words.row_words import row_name, row_number

FEW_TERMS = 12  # of a weighted sum, until all are asked for
MOST_ROWS = 1000  # on screen; the file has all
MOST_COLUMNS = 60
MOST_IMAGES = 30
OWN_COLUMNS = ("row", "true class", "true number", "too high by", "wrong")
MOST_CLASSES = 12  # in the bar; the others are one part


def rule_section(chosen: ChosenTree, found: RuleSet, index: int | None, part: str, is_selected: bool) -> None:
    """Draw the rule of this index of the `RuleSet` (None: no rule), whose figures are over the part.

    is_selected : whether a node without a rule of its own is selected.
    """
    if index is None:
        words = MESSAGES("detail.decision") if is_selected else MESSAGES("detail.click")
        st.info(words, icon=":material/touch_app:")
        return
    rule = found[index]
    st.markdown(f"##### Rule {index + 1}")
    if part == "stored":
        _rule(chosen, found, rule, None)
        st.caption(MESSAGES("detail.no_rows"))
        return
    rows = _rows(chosen, rule, part)
    words, listed = st.tabs(["Rule", f"Rows ({rows.size:,})"])
    with words:
        _rule(chosen, found, rule, rows)
    with listed:
        _list(chosen, rule, index, rows)


def _rule(chosen: ChosenTree, found: RuleSet, rule: Any, rows: Any) -> None:
    told = chosen.deviation, chosen.missed
    short, full = rule.texts(FEW_TERMS, *told), None
    if len(rule.features_used) > FEW_TERMS and (full := rule.texts(None, *told)) != short:
        longer = st.toggle(
            "All terms",
            key="rules_all_terms",
            help="If off, only the largest terms are shown (by weight times standard deviation).",
        )
        short = full if longer else short
    lines = [f"IF   {short[0]}" if short else "ALWAYS", *(f"AND  {text}" for text in short[1:])]
    then, target = rule.label_text, chosen.target
    if rule.deviation is not None and not isinstance(rule.label, LinearAnswer):
        then = f"{target.answer(rule.label)} ± {target.short_error(rule.deviation)}"
    st.code("\n".join([*lines, f"THEN {then}"]), language=None, wrap_lines=True)
    st.html(_figures(found, rule, target) + _bar(chosen, rule, rows))


def _figures(found: RuleSet, rule: Rule, target: Any) -> str:
    error = {"error_name": target.error_name, "error": target.error_text(rule.deviation)}
    phrases = rule.phrases("detail", found.statistics_in("detail"), target, **error)
    told = " · ".join(phrases) if rule.n_rows else f"{phrases[0]}: none of these rows."
    return f"<p style='margin:0 0 .5rem'>{_escaped(told)}</p>"


def _counts(chosen: ChosenTree, rule: Rule, rows: Any) -> list[tuple[int, float]]:
    """[(group, rows of the rule that it has)], the largest class first, or ranges from low to high."""
    target = chosen.target
    counts, codes = rule.class_counts, target.positions(chosen.tree)
    if counts is not None and codes is not None:
        order = sorted(range(len(codes)), key=lambda i: -counts[i])
        return [(int(codes[i]), counts[i]) for i in order if counts[i]]
    if rows is None and chosen.tree.linear is not None:
        return []
    if rows is None:
        leaf = np.flatnonzero(np.flatnonzero(chosen.tree.left < 0) == rule.leaf)[0]
        counts = target.leaf_counts(chosen.tree)[0][leaf]
    else:
        counts = np.bincount(target.group_of(chosen.data.y[rows]), minlength=len(target.groups))
    return [(group, n) for group, n in enumerate(counts.tolist()) if n]


def _bar(chosen: ChosenTree, rule: Rule, rows: Any) -> str:
    """The rows of each group as a bar with a legend, in HTML."""
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
        f'<i style="flex:{rows:.6g} 1 0;background:{color}" title="{_escaped(label)}: {rows:,.6g}"></i>'
        for label, rows, color in parts
    )
    legend = "".join(
        f'<span style="white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis">'
        f'<i style="display:inline-block;width:10px;height:10px;border-radius:2px;background:{color}"></i> '
        f"{_escaped(label)} {rows:,.6g}</span>"
        for label, rows, color in parts
    )
    return (
        f'<div role="img" aria-label="Rows of each group" style="display:flex;height:16px;gap:1px;border-radius:3px;'
        f'overflow:hidden">{pieces}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:2px 12px;font-size:.85rem;margin-top:5px">{legend}</div>'
    )


def _rows(chosen: ChosenTree, rule: Rule, part: str) -> np.ndarray:
    """Numbers of the rows of the part that the rule covers, those that it gets wrong first."""
    data = chosen.data
    sets = dict(zip(PARTS, chosen.rows, strict=False))
    rows = np.arange(data.n_rows) if part == "all" else np.asarray(sets[part])
    rows = rows[chosen.tree.apply(data.X[rows]) == rule.leaf]
    losses = chosen.target.losses(_told(chosen, rule, rows), data.y[rows])
    return rows[np.argsort(-losses, kind="stable")]


def _told(chosen: ChosenTree, rule: Rule, rows: np.ndarray) -> np.ndarray:
    """[n]: value of the target that the rule predicts of some of its rows."""
    return chosen.target.row_outputs(chosen.tree, chosen.data.X[rows], np.full(rows.size, rule.leaf))


def _list(chosen: ChosenTree, rule: Rule, index: int, rows: np.ndarray) -> None:
    if not rows.size:
        st.info(MESSAGES("detail.empty"), icon=":material/info:")
        return
    data = chosen.data
    first = list(dict.fromkeys(j for numbers in rule.features_used.values() for j in numbers))
    asked = set(first)
    features = [*first, *(j for j in range(data.n_features) if j not in asked)]
    target = chosen.target
    labels, told = data.labels()[rows], _told(chosen, rule, rows)
    is_wrong = target.is_wrong(told, data.y[rows])
    judged = {"wrong": np.where(is_wrong, "✗", "")} if target.values_are_groups else {"too high by": told - labels}
    if data.image_shape:
        _images(data, rows, is_wrong)
    names = distinct_names([visible(data.feature_names[j]) for j in features[:MOST_COLUMNS]], OWN_COLUMNS)
    frame = pandas.DataFrame(data.X[rows[:MOST_ROWS, None], features[:MOST_COLUMNS]], columns=pandas.Index(names))
    for place, (name, values) in enumerate(
        {**_called(data, rows), f"true {target.value_noun}": labels, **judged}.items()
    ):
        frame.insert(place, name, values[:MOST_ROWS])
    st.dataframe(frame, hide_index=True, height=250, width="stretch", key="rule-rows", alt=f"Rows of rule {index + 1}")
    limits = [f"the first {MOST_ROWS:,} rows"] * (rows.size > MOST_ROWS)
    limits += [f"{MOST_COLUMNS} of {data.n_features} features"] * (data.n_features > MOST_COLUMNS)
    if limits:
        st.caption(MESSAGES("detail.cut", limits=" and ".join(limits)))
    save_button(
        "Rows (CSV)", lambda: rows_csv(chosen, rows, features, labels, is_wrong),
        f"rule-{index + 1}-{file_names.of_data(data)}.csv", "text/csv",
        key="save-rule-rows",
    )  # fmt: skip


def _called(data: Any, rows: Iterable[int]) -> dict[str, list[Any]]:
    """{column: values}: the numbers of rows as people call them, and their names where they have some."""
    called = {"row": [row_number(data, row) for row in rows]}
    return (
        called if getattr(data, "row_names", None) is None else called | {"name": [row_name(data, row) for row in rows]}
    )


def _images(data: Any, rows: np.ndarray, is_wrong: np.ndarray) -> None:
    """The first rows as pictures, those that the rule gets wrong apart."""
    theme = chart.theme()
    for title, taken in (("Wrong", rows[is_wrong]), ("Right", rows[~is_wrong])):
        if taken.size:
            shown = taken[:MOST_IMAGES]
            rest = MESSAGES("detail.images", most=MOST_IMAGES) if taken.size > MOST_IMAGES else ""
            st.caption(f"{title}: {taken.size:,}{rest}")
            st.image(row_sheet(data, shown, theme), alt=f"{title}: images of {shown.size} rows")


def rows_csv(
    chosen: ChosenTree, rows: np.ndarray, features: Sequence[int], labels: np.ndarray, is_wrong: np.ndarray
) -> str:
    data, target, called = chosen.data, chosen.target, _called(chosen.data, rows)
    told = chosen.tree.predict(data.X[rows]).tolist()
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
            zip(*called.values(), strict=True), labels, told, is_wrong, values, strict=True
        )
    ]
    return to_csv(header, lines)


def _number(value: float) -> str:
    return "" if value != value else repr(value)


def _escaped(text: str) -> str:
    return html.escape(visible(text))
