"""Draw the Explain page: the row, its decision path, its counterfactual, feature importance, and the tree."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.jobs import settings_text
from pages.ui.explain import explain_change
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.session import choose_tree, thresholds
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of
from pages.ui.shell import address, chart, link_notes, stage
from pages.ui.shell.bound import bound, label_by, sentence_case
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.explain.explanation import Explanation, explain
from treecore.explain.permutation_importance import PermutationImportance, permutation_importance
from treecore.tables.text_tables import to_csv
from treecore.tree.category_columns import MOST_PIXELS
from treecore.tree.condition_text import visible
from treecore.tree.decision_digits import MOST_TERMS
from treecore.tree.feature_statistics import MARGIN_WORDS
from treecore.tree.number_text import count
from treecore.tree.number_text import count as count_text
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.charts.explanation_charts import (
    FeatureImportance,
    feature_effect_chart,
    feature_effects,
    importance_chart,
    row_way,
    row_way_chart,
)
from viz.images.pixel_image import ink_image
from viz.page.explanation_html import shares_html, values_text, verdict_html, way_html
from viz.words.row_words import category_features, column_names, row_name, row_text, row_values

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
            if not tree.leaf_model.is_constant and target.values_are_groups:
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
    rows = f"{count_text(count)} training rows" + ", whose model predicts" * (not tree.leaf_model.is_constant)
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
    weight = target.weights(tree.values)[explanation.leaf]
    variance = tree.leaf_model.node_losses(tree, target)[explanation.leaf] / weight
    error = target.short_error(float(np.sqrt(variance)))
    outcome = target.difference(explanation.prediction, float(data.y[row])) if truth else ""
    answer = f"{named}{target.answer(explanation.prediction)} ± {error}"
    st.html(verdict_html(told or name, answer, words, outcome))
    if chosen.has_data:
        train = chosen.rows[0][tree.apply(data.X[chosen.rows[0]]) == explanation.leaf]
        counts = np.bincount(target.group_of(data.y[train]), minlength=len(target.groups))
    elif tree.leaf_model.is_constant:
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
    return used.union(tree.leaf_model.features_of(explanation.leaf).tolist())


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


ROW, KEPT_ROW, PART = "explain_row", "explain_kept_row", "explain_part"
_MISSED = "explain_no_name"  # (text, name of the data, row): an ID without a match, and the row where the search began
PARTS = {"test": 2, "validation": 1, "training": 0}
HELP_FILE = "Row number in your file. The header is row 1, so the first row is 2."
ALL, WRONG = "all", "misclassified"


def current_row() -> Any:
    """Return the number of the last viewed row or of the row in the link, or None without either."""
    if address.is_from_address(KEPT_ROW):
        if KEPT_ROW in st.session_state:
            st.session_state.pop(ROW, None)
        st.session_state[KEPT_ROW] = settings_text.natural(st.query_params.get("row"))
    return st.session_state.get(ROW, st.session_state[KEPT_ROW])


def choose_row(chosen: ChosenTree, predicted: np.ndarray) -> int:
    """Draw the choice and return a row number in ``chosen.data``.

    predicted : predicted target value of each row.
    """
    data = chosen.data
    parts = {name: chosen.rows[place] for name, place in PARTS.items() if len(chosen.rows[place])}
    parts["all"] = np.arange(data.n_rows)
    named = getattr(data, "row_names", None) is not None
    with st.container(key="explain-rows"):
        columns = st.columns([2, 3, 2, *[2] * named, 2, 3], vertical_alignment="bottom")
    part = columns[0].selectbox("Rows", list(parts), format_func=sentence_case, key=PART, disabled=not chosen.has_data)
    kinds = [ALL, WRONG, *chosen.target.groups] if chosen.has_data else [ALL]
    kind = columns[1].selectbox(
        "Filter",
        range(len(kinds)),
        format_func=lambda place: sentence_case(_kind(kinds, place, chosen.target)),
        key=f"explain_kind_{data.name}",
        help="Rows that the arrow buttons step through.",
    )
    rows = np.sort(_of_kind(parts[part if part in parts else "all"], kind, chosen, predicted)).tolist()
    now = current_row()
    if now is not None and now >= data.n_rows:
        link_notes.add(f"Row {now:,} does not exist (the data have {data.n_rows:,} rows). Showing another row.")
    if now is None or now >= data.n_rows:
        now = rows[0] if rows else 0
    st.session_state[ROW] = st.session_state[KEPT_ROW] = now
    with columns[2]:
        row = _number(data)
    if named:
        with columns[3]:
            _by_name(data, row, parts)
    arrows = columns[-2].container(horizontal=True)
    for icon, words, step in (("chevron_left", "Previous row", -1), ("chevron_right", "Next row", 1)):
        arrows.button(
            "", icon=f":material/{icon}:", key=f"explain_{words[:4]}", help=words, disabled=not rows, width="stretch",
            on_click=_step, args=(rows, step),
        )  # fmt: skip
    st.session_state[KEPT_ROW] = row
    name, missed = row_name(data, row), st.session_state.get(_MISSED, ())
    if missed[1:] == (data.name, row):
        st.info(_no_row(missed[0], data, row), icon=":material/search_off:")
    of = next((f"one of the {part} rows" for part, its in parts.items() if part != "all" and np.isin(row, its)), None)
    columns[-1].caption((f"**{plain(name)}** · " if name else "") + _place(rows, row, of))
    return int(row)


def _number(data: Any) -> int:
    """Draw the field for the row number in the visitor's file, and return the position of the row in the data."""
    numbers = getattr(data, "row_numbers", None)
    if numbers is None:
        return st.number_input(
            "Row number", 0, data.n_rows - 1, step=1, key=ROW, help="Row number in the data; the first row is 0."
        )
    st.number_input(
        "Row number", int(numbers.min()), int(numbers.max()), step=1, help=HELP_FILE,
        **bound(f"{ROW}_number", int(numbers[st.session_state[ROW]]), lambda number: _go(numbers, number)),
    )  # fmt: skip
    return st.session_state[ROW]


def _go(numbers: np.ndarray, number: int) -> None:
    """Go to a row of the file. If the data do not contain it, go on in the same direction to the next row."""
    now = st.session_state[ROW]
    place = int(np.searchsorted(numbers, number, "left" if number >= numbers[now] else "right"))
    at = place if number >= numbers[now] else place - 1
    st.session_state[ROW] = min(max(at, 0), len(numbers) - 1)


def _by_name(data: Any, row: int, parts: Mapping[str, np.ndarray]) -> None:
    """Draw the field for the row ID.

    A new ID selects the first matching row and the part of the data that contains it.
    """
    st.text_input(
        "Find by ID",
        help="Complete ID of a row, as in your file.",
        **bound(f"{ROW}_name", row_name(data, row), lambda name: _find(data, row, parts, name.strip())),
    )


def _find(data: Any, row: int, parts: Mapping[str, np.ndarray], name: str) -> None:
    matches = (place for place, one in enumerate(data.row_names) if name in (one.strip(), visible(one).strip()))
    found = next(matches, None) if name else None
    st.session_state[_MISSED] = (name[:60], data.name, row) if name and found is None else ()
    if found is not None:
        st.session_state[ROW] = found
        part = st.session_state.get(PART)
        if part in PARTS and not np.isin(found, parts.get(part, ())):
            st.session_state[PART] = next(one for one, rows in parts.items() if np.isin(found, rows))


def _no_row(matches: str, data: Any, row: int) -> str:
    """Return the message for an unknown ID: similar IDs, and the row that is still shown."""
    close = [one for one in data.row_names if matches.casefold() in one.casefold()]
    verb = "name contains" if len(close) == 1 else "names contain"
    hint = f" {count(len(close))} {verb} this text, such as {plain(visible(close[0])[:60])}." if close else ""
    return f"No row is named {plain(matches)}.{hint} The page still shows {plain(row_text(data, row))}."


def _kind(kinds: Sequence[str], place: int, target: Target) -> str:
    if place >= len(kinds):
        return kinds[0]
    if place == 1 and not target.values_are_groups:
        return target.wrong_noun
    noun = f"{target.value_noun} " if target.values_are_groups else ""
    return kinds[place] if place < 2 else f"{noun}{kinds[place]}"


def _of_kind(rows: np.ndarray, kind: int, chosen: ChosenTree, predicted: np.ndarray) -> np.ndarray:
    y = chosen.data.y[rows]
    if kind == 1:
        return rows[chosen.target.is_wrong(predicted[rows], y)]
    return rows[chosen.target.group_of(y) == kind - 2] if kind > 1 else rows


def _step(rows: Sequence[int], step: int) -> None:
    """Go to the next or previous row in the list. At an end of the list, go to the other end."""
    now = st.session_state[ROW]
    place = bisect_right(rows, now) if step > 0 else bisect_left(rows, now) - 1
    st.session_state[ROW] = rows[place % len(rows)]


def _place(rows: Sequence[int], row: int, of: str | None) -> str:
    """Return the position of a row in the list.

    of : words for the part of the data that contains the row, or None.
    """
    if not rows:
        return "This row does not exist."
    place = bisect_left(rows, row)
    if place < len(rows) and rows[place] == row:
        return f"{place + 1:,} of {len(rows):,}"
    return f"{of or 'it is'}, not of these {len(rows):,}"


MOST_ROWS, MANY_COLUMNS = 5000, 100
REPEATS, FEW_REPEATS = 20, 5
HEADER = ("feature", "increase in {what}", "standard deviation", "decision nodes")


def features_section(chosen: ChosenTree) -> None:
    """Draw the section for the test rows."""
    data = chosen.data
    part, rows = _rows(chosen)
    if not chosen.has_data or not len(rows):
        st.info("This section needs the training data of the tree. Load these data first.", icon=":material/info:")
        return
    found = _importance(chosen.name, chosen.tree, data, rows)
    used, target = np.flatnonzero(found.n_nodes), chosen.target
    error = target.error_text(target.error(found.loss))
    what = "pixels" if data.image_shape else "features" if data.columns is None else "columns"
    st.markdown(
        f"**{target.error_sentence.format(error=error, rows=f'{len(rows):,} {part}rows')} How much does the error "
        f"rise when the values of one {what[:-1]} are shuffled among the rows?**  \nThe tree uses {used.size} of "
        f"{len(found.columns)} {what}"
        + ("; all other features have importance 0." if used.size < len(found.columns) else ".")
    )
    if not used.size:
        return
    names, header = _names(data, found.columns), list(HEADER)
    unit = "percentage points" if target.unit == "%" else target.unit
    header[1] = f"{HEADER[1].format(what=target.error_name)} {f'({unit})' * bool(unit)}".rstrip()
    rises = target.error_rises(found.loss, found.increases)
    mean, deviation = rises.mean(axis=1), rises.std(axis=1)
    if not chosen.tree.leaf_model.is_constant:
        header[3] = "nodes"  # linear leaves use features too, so the column is not about splits
    order = used[np.argsort(-mean[used], kind="stable")]
    table = pandas.DataFrame(
        {
            header[0]: [names[i] for i in order],
            header[1]: mean[order],
            header[2]: deviation[order],
            header[3]: found.n_nodes[order],
        }
    )
    if data.image_shape:
        _images(data, found)
    else:
        importance = FeatureImportance(
            tuple(names[i] for i in order), mean[order], deviation[order], found.n_nodes[order], header[1]
        )
        chart.show(importance_chart(importance, chart.theme()), "importance")
        _effect(chosen, rows, [(names[i], found.columns[i]) for i in order])
    places = 0 if mean.max() >= 1000 else 3
    st.dataframe(
        table, hide_index=True, width="stretch", height=min(36 * len(table) + 38, 330), key="explain_importance",
        column_config={name: st.column_config.NumberColumn(format=f"%.{places}f") for name in header[1:3]},
    )  # fmt: skip
    st.download_button(
        "CSV", to_csv(header, list(table.itertuples(index=False))), f"importance-{data.name}.csv", "text/csv",
        on_click="ignore", icon=":material/download:", key="save-importance",
    )  # fmt: skip
    st.caption(
        f"Mean over {found.increases.shape[1]} permutations with fixed seeds. Lines show one standard deviation. "
        "The 0/1 features of one column are permuted together. Features with the same information can replace "
        "each other, so each can appear less important than it is."
    )


def _effect(chosen: ChosenTree, rows: np.ndarray, columns: Sequence[tuple[str, Any]]) -> None:
    """Draw the effect of one column on the prediction.

    columns : list of (name, features); the first one is preselected.
    """
    tree, target, data = chosen.tree, chosen.target, chosen.data
    names = target.parts(tree)
    st.markdown("**Effect of one feature on the prediction**")
    one, other = st.columns(2)
    feature = one.selectbox(
        "Feature", range(len(columns)), format_func=lambda i: columns[i][0], key=f"explain_effect_{data.name}"
    )
    place = 0
    if target.values_are_groups:
        place = other.selectbox("Class", range(len(names)), index=len(names) - 1, format_func=names.__getitem__,
                                key=f"explain_effect_class_{data.name}")  # fmt: skip
    words = target.part_words.format(part=names[place])
    found = feature_effects(tree, data, rows, *columns[feature], place, words)
    if found is None:
        st.caption("No row has a value of this feature.")
        return
    chart.show(feature_effect_chart(found, chart.theme()), "effect")
    what = "share of the class in" if target.values_are_groups else "prediction of"
    st.caption(
        f"Mean (partial dependence) and single rows. The chart shows the {what} the leaf that a row reaches. If "
        "columns depend on each other, some changed rows are unrealistic."
    )


def _rows(chosen: ChosenTree) -> tuple[str, np.ndarray]:
    """Return (adjective, row numbers) of the rows to evaluate: the test rows, else all rows.

    If there are many rows, return only some, evenly spaced.
    """
    test = chosen.rows[2]
    part, rows = ("test ", test) if len(test) else ("", np.arange(chosen.data.n_rows))
    return part, rows[:: -(-len(rows) // MOST_ROWS)] if len(rows) > MOST_ROWS else rows


@computed(8, show_spinner="Permuting the values of each feature …")
def _importance(name: str, _tree: Tree, _data: Any, _rows: Any) -> PermutationImportance:
    groups = category_features(_data)
    repeats = REPEATS if _data.n_features <= MANY_COLUMNS else FEW_REPEATS
    return permutation_importance(_tree, _data.X[_rows], _data.labels()[_rows], groups, repeats)


def _names(data: Any, columns: Iterable[Any]) -> list[str]:
    """Return the distinct names of the data columns in the result."""
    by_features = {features: name for name, features in column_names(data)}
    return [by_features[features] for features in columns]


def _images(data: Any, found: PermutationImportance) -> None:
    pictures = (
        (np.maximum(found.mean, 0.0), f"increase in error (darkest: {100 * max(found.mean.max(), 0.0):.2g} points)"),
        (found.n_nodes.astype(np.float64), f"nodes that use the pixel (darkest: {found.n_nodes.max()})"),
    )
    for column, (values, words) in zip(st.columns([2, 2, 1]), pictures, strict=False):
        column.image(ink_image(values, data.image_shape, chart.theme()), caption=words, width="stretch", alt=words)


SECTIONS = {"row": "This row", "change": "What would change it", "features": "Which features matter"}
SECTION, KEPT_SECTION = "explain_section", "explain_kept_section"


def choose() -> ChosenTree:
    """Return the `ChosenTree`, and write the row and the section into the address."""
    linked: dict[str, Any] = {"row": current_row(), "part": asked_section()} | thresholds.texts()
    return thresholds.apply(choose_tree.choose_tree("Explain", **linked))


def asked_section() -> str:
    if address.is_from_address(KEPT_SECTION):
        if KEPT_SECTION in st.session_state:
            st.session_state.pop(SECTION, None)
        st.session_state[KEPT_SECTION] = linked = st.query_params.get("part")
        if linked is not None and linked not in SECTIONS:
            link_notes.add(
                f"This link contains an unsupported section: '{plain(linked[:40])}'. Showing '{SECTIONS['row']}'."
            )
    name = st.session_state.get(SECTION) or st.session_state[KEPT_SECTION]
    return name if name in SECTIONS else "row"


def explain_page(chosen: ChosenTree) -> None:
    """Draw the page."""
    with place():
        saving.tree_menu(chosen)
    st.session_state[SECTION] = asked_section()
    st.session_state[KEPT_SECTION] = section = st.segmented_control(
        "Question",
        list(SECTIONS),
        format_func=label_by(SECTIONS),
        required=True,
        key=SECTION,
        label_visibility="collapsed",
    )
    # The stage stays mounted only if every section has the same containers.
    top, bottom = st.container(), st.container()
    if section == "features":
        with top:
            features_section(chosen)
        return
    data = chosen.data
    outputs = _outputs(chosen.name, chosen)
    with top:
        row = choose_row(chosen, outputs)
        x = data.X[row].astype(np.float64)
        if section == "row":
            row_section(chosen, row, x)
        else:
            explain_change.change_section(chosen, row, x)
    with bottom:
        _stage(chosen, row, x)


@computed(8)
def _outputs(name: str, _chosen: ChosenTree) -> np.ndarray:
    """Return the predicted target value of each row of the data, [n]."""
    tree, X = _chosen.tree, _chosen.data.X
    return _chosen.target.row_outputs(tree, X, tree.apply(X))


def _stage(chosen: ChosenTree, row: int, x: np.ndarray) -> None:
    rows = chosen.rows if any(len(part) for part in chosen.rows) else None
    content = stage.payload(
        f"{chosen.name}-alone", False, [chosen.point], chosen.data, rows, _monotone=chosen.monotone,
        whole=bool(chosen.n_all_rows),
    )  # fmt: skip
    changed, turn = explain_change.input_on_stage(chosen.name, row)
    label = chosen.data.y[row].item() if chosen.has_data else None
    followed = stage.FollowedRow(tuple(x.tolist()), row_text(chosen.data, row), label, changed, turn)
    stage.mount(f"{chosen.name}-alone", content, stage.View(0), "explain", stage.Options(alone=True, follow=followed))
