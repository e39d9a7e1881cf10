"""Show the prediction of one row, its decision path in sentences, and its values."""

from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.ui.explain import explain_change
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of
from pages.ui.shell import address, chart
from pages.ui.shell.bound import label_by, sentence_case
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.explain.explanation import Explanation, explain
from treecore.tree.category_columns import MOST_PIXELS
from treecore.tree.decision_digits import MOST_TERMS
from treecore.tree.feature_statistics import MARGIN_WORDS
from treecore.tree.number_text import count as count_text
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.charts.explanation_charts import row_way, row_way_chart
from viz.images.pixel_image import ink_image
from viz.page.explanation_html import shares_html, values_text, verdict_html, way_html
from viz.words.row_words import row_text, row_values

DIGITS = {"enough": "Digits as needed", 2: "2 digits", 3: "3 digits", 4: "4 digits", 6: "6 digits", None: "All digits"}


def row_section(chosen: ChosenTree, row: int, x: np.ndarray) -> None:
    """Draw the section.

    x : float64[d], values of the row.
    """
    data, tree = chosen.data, chosen.tree
    left, right = st.columns([2, 3], gap="large")
    with right:
        title, choice = st.columns([3, 2], vertical_alignment="center")
        title.markdown("**Decision path**")
        digits = choice.selectbox(
            "Digits", list(DIGITS), format_func=label_by(DIGITS), key="explain_digits", label_visibility="collapsed"
        )
        precision = chosen.digits if digits == "enough" else digits
        explanation = explain(tree, x, precision, MOST_TERMS, chosen.deviation, chosen.columns)
        values = [] if data.image_shape else row_values(data, x)
        st.html(way_html(explanation, tree, MOST_PIXELS if data.image_shape else None, values))
        what = "Shares" if chosen.target.values_are_groups else "Means"
        margins = MARGIN_WORDS if any(value.kind != "category" for value in values) or not values else ""
        st.caption(f"{margins} {what} refer to the training rows of the node.".strip())
        if explanation.steps:
            target, place = chosen.target, int(tree.labels[explanation.leaf])
            if tree.linear is not None and target.values_are_groups:
                place = int(np.argmax(explanation.shares))
            group = target.parts(tree)[place]
            part = target.part_words.format(part=plain(named_group(target, group)))
            st.markdown(f"**{part[:1].upper()}{part[1:]} along the path**")
            way = row_way(explanation, place, target, group, node_names(tree) if data.image_shape else None)
            chart.show(row_way_chart(way, chart.theme()), "way")
    with left:
        if data.image_shape:
            theme = chart.theme()
            st.image(
                ink_image(x, data.image_shape, theme, _largest(data.fingerprint, data.X)),
                width=168,
                alt=sentence_case(row_text(data, row)),
            )
        _verdict(chosen, row, x, explanation)
        node = {"node": str(name_of(tree, int(tree.origin[explanation.leaf])))}
        st.button("Rule", icon=":material/rule:", key="explain_rule", on_click=address.leave_for,
                  args=("pages/rules.py", node), help="Shows the rule of this leaf.")  # fmt: skip
        if not data.image_shape:
            _values(data, tree, explanation, x)


@computed(20)
def _largest(fingerprint: str, _X: np.ndarray) -> float:
    return float(_X.max())


def _verdict(chosen: ChosenTree, row: int, x: np.ndarray, explanation: Explanation) -> None:
    data, tree = chosen.data, chosen.tree
    target = chosen.target
    truth = target.text(data.y[row]) if chosen.has_data else None
    count = int(tree.n_samples[explanation.leaf])
    name = sentence_case(row_text(data, row))
    rows = f"{count_text(count)} training rows" + ", whose model predicts" * (tree.linear is not None)
    words = f"{name} ends in {node_names(tree)[explanation.leaf]}, with {rows}:"
    told = "" if data.image_shape else values_text(row_values(data, x), _used(tree, explanation))
    y, theme = data.y if chosen.has_data else None, chart.theme()
    named = f"{target.leaf_name} = " if target.leaf_name else ""
    change = explain_change.fewest_changes(chosen, row, x)
    if target.values_are_groups:
        predicted = str(explanation.prediction)
        outcome = "" if truth is None else "✓ correct" if truth == predicted else f"✗ it is {named}{truth}"
        otherwise = f"{named}{change.prediction}"
        st.html(verdict_html(told or name, f"{named}{predicted}", words, outcome, change.changes, otherwise))
        st.html(shares_html(explanation.shares, target.positions(tree), target, y, theme))
        return
    variance = tree.values[explanation.leaf, 2]
    if tree.linear is not None:
        variance = tree.linear.losses[explanation.leaf] / tree.values[explanation.leaf, 0]
    error = target.short_error(float(np.sqrt(variance)))
    outcome = target.difference(explanation.prediction, float(data.y[row])) if truth else ""
    answer = f"{named}{target.answer(explanation.prediction)} ± {error}"
    st.html(verdict_html(told or name, answer, words, outcome))
    if chosen.has_data:
        train = chosen.rows[0][tree.apply(data.X[chosen.rows[0]]) == explanation.leaf]
        counts = np.bincount(target.group_of(data.y[train]), minlength=len(target.groups))
    elif tree.linear is None:
        counts = target.leaf_counts(tree)[0][np.flatnonzero(np.flatnonzero(tree.left < 0) == explanation.leaf)[0]]
    else:
        return
    st.html(shares_html((counts / max(counts.sum(), 1)).tolist(), range(counts.size), target, y, theme))


def named_group(target: Target, group: str) -> str:
    """Return a class with the name of the target, if the class alone is unclear."""
    return f"{target.leaf_name} = {group}" if target.leaf_name and target.values_are_groups else group


def _used(tree: Tree, explanation: Explanation) -> set[int]:
    """Return the features that determine the prediction."""
    used = {int(feature) for step in explanation.steps for feature in tree.split(step.node)[0]}
    if tree.linear is not None:
        used.update(tree.linear.model(explanation.leaf).features.tolist())
    return used


def _values(data: Any, tree: Tree, explanation: Explanation, x: np.ndarray) -> None:
    used = _used(tree, explanation)
    values = sorted(row_values(data, x), key=lambda value: used.isdisjoint(value.features))
    frame = pandas.DataFrame(
        {
            "feature": [value.name for value in values],
            "value": [value.text for value in values],
            "on its path": [not used.isdisjoint(value.features) for value in values],
        }
    )
    with st.expander(f"Values ({len(values)})"):
        st.dataframe(frame, hide_index=True, width="stretch", height=min(36 * len(values) + 38, 320))
