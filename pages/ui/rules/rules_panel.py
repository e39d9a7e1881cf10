"""Draw the main area of the Rules page: the tree with the path of one rule, that rule in full, the list, files."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.ui.rules import rule_detail
from pages.ui.rules.rule_detail import PARTS
from pages.ui.save import project_file, saving
from pages.ui.save.save_menu import SavedFile, place
from pages.ui.session import loaded_models, shown_path
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of, node_in_address, origin_of
from pages.ui.shell import address, chart, link_notes, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.rules.linear_answer import LinearAnswer
from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleSet, rules
from treecore.tree.condition_text import visible
from viz.palette import OTHER_CLASS, group_colors
from viz.tree.bare_data import BareData
from viz.words.text_fit import short_names, with_short_names

MOST_CHARACTERS = 20_000  # maximum length of the chain on the page


def rule_files(chosen: ChosenTree, found: RuleSet, shown: RuleSet) -> list[SavedFile]:
    """Return the files of the rules, with all terms, the chosen digits, and the warning if there is one.

    found, shown : the whole `RuleSet`, and its filtered and sorted part.
    """
    stem = f"rules-{project_file.name_of(chosen)}"
    files = saving.rule_files_of(lambda: found, stem)
    if shown.rules and shown.rules != found.rules:
        some = saving.rule_files_of(lambda: shown, f"{stem}-{len(shown)}")
        files += [one._replace(label=f"{one.label}, {len(shown)} shown") for one in some]
    if found.is_lopsided:
        files += saving.rule_files_of(lambda: found, f"{stem}-else-if", "chain")
    return files


def chain(found: RuleSet) -> None:
    """Draw the rules as one chain, collapsed."""
    folded = st.expander(
        "IF / ELSE IF / ELSE", icon=":material/format_list_numbered:", key="rules-chain", on_change="rerun"
    )
    if not folded.open:
        return
    with folded:
        if not found.is_lopsided:
            st.caption(
                "A decision list requires that every decision node has a leaf as a child. This tree has a "
                "decision node without one. Use the rules instead."
            )
            return
        text = found.to_else_if()
        st.caption("Each line applies only to rows that no earlier line matches, so each condition is a single split.")
        st.code(text[:MOST_CHARACTERS], language=None, wrap_lines=True)
        if len(text) > MOST_CHARACTERS:
            st.caption("Only the first lines are shown. The file under Save contains all lines.")


SELECTED = "rules_selected"
MOST_TERMS = 2  # number of terms of a weighted sum that the list shows
HEIGHT = 440  # height in pixels of the details and the stage, see rules.css
TEXTS = [
    {"name": "number", "title": "#", "help": "Position of the leaf in the tree, from left to right"},
    {"name": "if", "title": "If", "help": "Conditions of the rule; all must hold"},
    {"name": "then", "title": "Then", "help": "Prediction of the rule"},
]


def node_for_address() -> Any:
    """Return the selected node for the address, or None."""
    if address.is_from_address(SELECTED):
        kept = st.session_state.get(SELECTED, {"turn": 0, "time": None})
        node_in_link = node_in_address()
        st.session_state[SELECTED] = kept | {"name": None, "node": node_in_link, "reported": node_in_link}
    return st.session_state[SELECTED]["reported"]


def rules_page(chosen: ChosenTree) -> None:
    """Draw the page of a `ChosenTree`."""
    tree, menu = chosen.tree, place()
    if chosen.data is None:
        loaded_models.explain_no_rows(chosen.loaded)
        return
    sets = dict(zip(PARTS, chosen.rows, strict=False))
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="rule-choices"):
        row = st.container(horizontal=True, vertical_alignment="bottom")
        more = st.popover("More", icon=":material/tune:", key=rule_detail.MENU, on_change="rerun")
    part, precision = rule_detail.figures(chosen.has_data, [name for name, rows in sets.items() if len(rows)], more)
    found = _rules(chosen.name, part, precision, chosen)
    columns = found.statistics_in("rules")
    choices = rule_detail.filters(part, precision, *_names(chosen.name, chosen), chosen.target, columns, row, more)
    shown = choices.apply(found, lambda: _searchable(chosen.name, precision, found))
    node, turn = _selection(chosen, int(tree.origin[found.rules[0].leaf]))
    index = next((i for i, rule in enumerate(found.rules) if tree.origin[rule.leaf] == node), None)

    with top:
        if found.warning:
            st.warning(plain(found.warning), icon=":material/warning:")
        left, right = st.columns((3, 2))
        with left:
            _stage(chosen, node, turn)
        with right, st.container(height=HEIGHT + 2, key="rule-detail"):
            rule_detail.rule_section(chosen, found, index, part, precision, node is not None)
    st.text(_words(found, shown))
    _list(chosen, found, columns, shown, node, turn, choices)
    taken = replace(found, rules=tuple(rule for _, rule in shown))
    chain(found)
    with menu:
        saving.tree_menu(chosen, node, rule_files=lambda: rule_files(chosen, found, taken))


def _words(found: RuleSet, shown: Sequence[Any]) -> str:
    """Return how many rules the list shows."""
    shown_of = f"{len(found)} rule{'s' * (len(found) != 1)}"
    if len(shown) < len(found):
        shown_of = f"{len(shown)} of {shown_of}"
    return shown_of + (" · the tree is a single leaf, with one prediction for all rows" if len(found) == 1 else "")


def _stage(chosen: ChosenTree, node: int | None, turn: int) -> None:
    name = f"rules-{chosen.name}"
    data, rows = chosen.data, chosen.rows
    if not chosen.has_data:
        data, rows = BareData.of(chosen.tree, chosen.data), None
    content = stage.payload(
        name, False, [chosen.point], data, rows, _monotone=chosen.monotone, whole=bool(chosen.n_all_rows)
    )
    with st.container(key="rules-stage"):
        stage.mount(
            name, content, stage.View(0, node, turn), "rules", stage.Options(compact=True, alone=True, path=True)
        )


def _selection(chosen: ChosenTree, first: int) -> tuple[int | None, int]:
    """Return (origin id of the selected node or None, turn) for the latest selection in the list or on the stage.

    A selection in the list begins a new turn, and the page sends it to the stage. A selection on the stage counts only
    if it has the current turn; otherwise it is outdated.

    first : node of the first rule, which is selected when the page opens.
    """
    name, node_in_link = chosen.name, node_for_address()
    kept = st.session_state[SELECTED]
    if kept["name"] != name:
        # A turn begins when the visitor switches to another tree. Along a path, nodes keep their ids.
        node = origin_of(chosen.tree, kept["node"])
        node = node if node in chosen.tree.origin.tolist() else None
        if node is None and kept["name"] is None and kept["node"] is not None:
            link_notes.add(shown_path.NO_SUCH_NODE)
        kept = kept | {"name": name, "node": first if node is None else node, "turn": kept["turn"] + 1}
    before = kept["node"]
    picked = rule_detail.latest_selection(name, known=kept["time"])
    seen = stage.latest_view(f"rules-{name}", slot="rules")
    if picked is not None:
        kept = kept | {"node": picked[0], "turn": kept["turn"] + 1, "time": picked[1]}
    elif seen is not None and seen.turn == kept["turn"]:
        kept = kept | {"node": seen.node}
    if kept["node"] != before and chosen.loaded is None:
        node_in_link = name_of(chosen.tree, kept["node"])
        address.change(node=node_in_link)
    st.session_state[SELECTED] = kept | {"reported": node_in_link}
    return kept["node"], kept["turn"]


def _list(
    chosen: ChosenTree,
    found: RuleSet,
    columns: Any,
    shown: Sequence[tuple[int, Rule]],
    node: int | None,
    turn: int,
    choices: rule_detail.RuleChoices,
) -> None:
    if not shown:
        st.info(f"None of the {len(found)} rules matches the filters.", icon=":material/filter_alt_off:")
        st.button("Clear filters", on_click=rule_detail.clear_filters, icon=":material/filter_alt_off:")
        return
    rows, titles = _rows(chosen.name, choices.part, choices.precision, chart.theme(), chosen, found, columns)
    rule_detail.mount_rule_list(
        chosen.name, [rows[i] for i, _ in shown], titles, node, turn, choices.order, choices.falls
    )


def _title(statistic: Any, rows_name: str) -> dict[str, Any]:
    title = statistic.title("rules", Rows=rows_name.capitalize())
    return {"name": statistic.name, "title": title, "help": statistic.help, "widths": statistic.column.widths}


@computed(8, show_spinner="Extracting the rules …")
def _rules(name: str, part: str, precision: Any, _chosen: ChosenTree) -> RuleSet:
    """Return the `RuleSet` of the tree. Statistics use the part, and effects of rounding use all rows."""
    return saving.rules_of(_chosen, part, precision)


@computed(8)
def _rows(
    name: str, part: str, precision: Any, theme: str, _chosen: ChosenTree, _found: RuleSet, _columns: Any
) -> tuple[list[str], str]:
    """Return (JSON of every rule in the list, JSON of the columns), see `mount_rule_list`."""
    tree, deviation = _chosen.tree, _chosen.deviation
    target = _chosen.target
    outputs = target.usual_outputs(tree)
    cells = {one.name: _cells(one, _found, target) for one in _found.statistics_in("rules")}
    colors = group_colors(target, _chosen.data.y if _chosen.has_data else None, theme)
    groups = target.group_of(outputs)
    short = short_names(visible(name) for rule in _found.rules for name in rule.features_used)
    rows = []
    for i, rule in enumerate(_found.rules):
        texts = rule.texts(MOST_TERMS, deviation, _chosen.features_with_missing) or ["always"]
        cut = [with_short_names(text, short) for text in texts]
        is_linear = isinstance(rule.label, LinearAnswer)
        rows.append(
            {
                "node": int(tree.origin[rule.leaf]),
                "number": i + 1,
                "texts": cut,
                "whole": " and ".join(texts) if cut != texts else "",
                "label": rule.label.name if is_linear else visible(target.answer(outputs[rule.leaf])),
                "color": OTHER_CLASS if is_linear else colors[groups[rule.leaf]],
                **{name: of_rules[i] for name, of_rules in cells.items()},
            }
        )
    titles = [*TEXTS, *(_title(one, _found.rows_name) for one in _columns)]
    return [json.dumps(row) for row in rows], json.dumps(titles)


def _cells(statistic: Any, found: RuleSet, target: Any) -> list[dict[str, Any]]:
    """Return [{text, optional bar}] of a statistic for each rule."""
    values = [rule.statistics[statistic.name] for rule in found.rules]
    cells = [{"text": statistic.text(value, target)} for value in values]
    if not statistic.column.bar:
        return cells
    most = 1.0 if statistic.column.bar == "share" else max((value for value in values if value > 0), default=1.0)
    bars = [value / most if value > 0 else 0.0 for value in values]
    return [cell | {"bar": bar} for cell, bar in zip(cells, bars, strict=True)]


@computed(2)
def _searchable(name: str, precision: Any, _found: RuleSet) -> list[str]:
    return [" ".join([rule.condition_text, *rule.texts(), visible(rule.label_text)]).lower() for rule in _found.rules]


@computed(4)
def _names(name: str, _chosen: ChosenTree) -> tuple[list[str], list[str]]:
    """Return the (classes, features) that occur in rules, ordered as in the data."""
    found = rules(_chosen.tree, groups=_chosen.columns)
    labels = {rule.label_name for rule in found}
    first: dict[str, int] = {}
    for rule in found:
        for feature, numbers in rule.features_used.items():
            first[feature] = min(numbers)
    return sorted(labels, key=_place(_chosen.target.groups)), sorted(first, key=lambda feature: first[feature])


def _place(names: Iterable[str]) -> Callable[[str], int]:
    place = {name: i for i, name in enumerate(names)}
    return lambda name: place.get(name, len(place))
