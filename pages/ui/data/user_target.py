"""Choose the target and the title of a user data set."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.data import user_problems
from pages.ui.session import user_data
from pages.ui.session.user_data import Draft, Reading
from pages.ui.shell.bound import bound, label_by
from pages.ui.shell.markdown_text import plain
from sample_data.user_data.proposal import can_name_rows, needs_bins, propose_kind, propose_values, single_valued_target
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.target_choice import has_no_target
from treecore.errors import TreecoreError
from treecore.messages import counted

NUMBER = ""
NUMBERS, EACH = -1, 0  # Streamlit would show None as an empty choice
GROUPS = {NUMBERS: "regression (numbers)", EACH: "classification (each value a class)"} | {
    count: f"{count} groups of equal size" for count in (2, 3, 4, 5, 7, 10)
}
CHOOSE, REQUESTED = "", "own_requested"
OFFERED = 3
CLASSES_SHOWN, MOST_LABELLED = 6, 12
LABELS_HELP = "Readable labels for the classes, such as *died* for 0. All pages, rules, figures and code use them."


def target_section(draft: Draft, reading: Reading, explore: Callable[[], Any] | None) -> None:
    """Draw the choice of the target and the title.

    explore : function that draws the button for the next step, or None if the button is elsewhere.
    """
    recipe = draft.recipe
    summary = reading.summary(recipe.target)
    middle = summary.kind in ("number", "date") or recipe.bins is not None or recipe.numbers
    able = [found.name for found in reading.summaries if can_name_rows(found) or found.name == recipe.row_names]
    able = [name for name in able if name != recipe.target]
    widths = [3, *[2] * middle, *[2] * bool(able), 3]
    columns = st.columns([*widths, 2] if explore else widths, vertical_alignment="bottom")
    id_place, title_place = len(widths) - 2, len(widths) - 1
    names = [found.name for found in reading.summaries]
    columns[0].selectbox(
        "Target",
        names,
        help="Column that the tree predicts: classes or numbers.",
        **bound("own_target", recipe.target, lambda name: _choose(reading, name)),
    )
    if middle:
        now = NUMBERS if recipe.numbers else recipe.bins or EACH
        options = GROUPS if now in GROUPS else GROUPS | {now: f"{now} groups of equal size"}
        if summary.kind == "date":
            options = {choice: words for choice, words in options.items() if choice != NUMBERS}
        columns[1].selectbox("Task", list(options), format_func=label_by(options), **bound("own_bins", now, _decide))
    if able:
        columns[id_place].selectbox(
            "ID column",
            [NUMBER, *able],
            format_func=lambda name: "Row number" if name == NUMBER else name,
            help="Column that names the rows on the Explain and Predict pages. An ID column is never a feature.",
            **bound("own_row_names", recipe.row_names or NUMBER, lambda name: user_data.revise(_with_id_column, name)),
        )
    columns[title_place].text_input(
        "Title", max_chars=200, **bound("own_title", recipe.title, lambda title: user_data.decide(title=title.strip()))
    )
    if explore:
        with columns[-1]:
            explore()
    st.caption(_words(draft, summary))
    if (why := _why(draft, reading)) is not None:
        st.caption(why)
    _class_labels(draft)


def question_section(reading: Reading, waits: bool) -> None:
    """Ask for the target: the likeliest columns as buttons with reasons, all others in a list.

    waits : whether another file waits to be read.
    """
    st.markdown("**What do you want to predict?**")
    if (single := single_valued_target(reading.summaries)) is not None:
        st.markdown(
            f":orange[:material/warning:] Column {plain(single[:60])} has the same value in every row, so it "
            "cannot be predicted."
        )
    texts = {one.name for one in reading.summaries if one.kind == "text"}
    first = [candidate for candidate in reading.candidates if candidate.name not in texts][:OFFERED]
    if not first:
        st.caption(
            "All columns contain texts or IDs with another value in nearly every row, so no column can be "
            "predicted. Add a column of classes or numbers to the file."
        )
    elif has_no_target(reading.candidates):
        st.caption("No column looks like an outcome. Choose what you want to predict.")
    for place, (column, candidate) in enumerate(zip(st.columns(OFFERED), first, strict=False)):
        column.button(
            plain(f"Predict {candidate.name[:60]}"), key=f"own_predict_{place}", width="stretch",
            icon=":material/account_tree:", disabled=waits,
            on_click=_choose_and_explore, args=(reading, candidate.name),
        )  # fmt: skip
        column.caption(f"Proposed: {candidate.why}." if candidate.why else _shape(reading, candidate.name))
    offered = {candidate.name for candidate in first}
    others = [one.name for one in reading.summaries if one.name not in offered]
    if others:
        st.selectbox(
            "Another column", [CHOOSE, *others], format_func=lambda name: "Choose a column" if name == CHOOSE else name,
            **bound("own_other_target", CHOOSE, lambda name: _choose(reading, name) if name != CHOOSE else None),
        )  # fmt: skip


def _shape(reading: Reading, name: str) -> str:
    summary = reading.summary(name)
    return f"{summary.n_distinct:,} different values ({summary.kind})."


def _choose(reading: Reading, name: str) -> None:
    user_data.choose_target(name, lambda recipe, target: with_target(recipe, reading, target))


def _choose_and_explore(reading: Reading, name: str) -> None:
    """Choose the target, and open the tree unless a problem needs the visitor."""
    _choose(reading, name)
    now = user_data.draft()
    if not now.asks and not user_problems.urgent(now) and user_problems.stop(now) is None:
        st.session_state[REQUESTED] = True  # only the body of a page can open another page


def _why(draft: Draft, reading: Reading) -> str | None:
    """Return the reason for the proposed target, and the next candidates."""
    first = reading.candidates[:1]
    if not first or draft.recipe.target != first[0].name or not first[0].why:
        return None
    others = [plain(candidate.name[:60]) for candidate in reading.candidates[1:OFFERED]]
    return f"The target {plain(first[0].name[:60])} is proposed: {first[0].why}. Next candidates: {', '.join(others)}."


def _class_labels(draft: Draft) -> None:
    """Draw the fields for the displayed labels of the classes."""
    recipe, names = draft.recipe, _labelled(draft)
    if names is None:
        return
    with st.popover("Class labels", icon=":material/label:", help=LABELS_HELP):
        for place, name in enumerate(names):
            st.text_input(
                f"{recipe.target} = {name}",
                max_chars=80,
                placeholder=name,
                **bound(f"own_label_{place}", recipe.labels.get(name, ""), partial(_label, name, place)),
            )
    if fault := label_fault(draft):
        st.error(fault, icon=":material/block:")


def label_fault(draft: Draft) -> str | None:
    """Return why the class labels cannot be used, or None."""
    try:
        draft.recipe.labelled(_labelled(draft) or ())
    except TreecoreError as error:
        return plain(error)
    return None


def _labelled(draft: Draft) -> list[str] | None:
    """Return the classes that have fields for labels, or None."""
    if draft.recipe.numbers or draft.recipe.bins:
        return None
    try:
        names = list(user_data.counts(draft).groups)
    except TreecoreError:
        return None
    return names if len(names) <= MOST_LABELLED else None


def _label(name: str, place: int, label: str) -> None:
    words = " ".join(label.split())
    others = {one: word for one, word in user_data.draft().recipe.labels.items() if one != name}
    user_data.decide(labels=others | ({name: words} if words else {}))


def _decide(choice: int) -> None:
    user_data.decide(numbers=choice == NUMBERS, bins=choice if choice > 0 else None)


def _with_id_column(recipe: Recipe, name: str) -> Recipe:
    """Return the recipe with another ID column, which is not a feature."""
    kinds = recipe.kinds if name in (NUMBER, recipe.target) else recipe.kinds | {name: "ignore"}
    return replace(recipe, row_names=None if name in (NUMBER, recipe.target) else name, kinds=kinds)


def with_target(recipe: Recipe, reading: Reading, name: str) -> Recipe:
    """Return the recipe with another target. The previous target becomes a feature again."""
    before, summary = reading.summary(recipe.target), reading.summary(name)
    kinds = recipe.kinds | {before.name: propose_kind(before)}
    kinds[name] = "number" if summary.kind == "number" and needs_bins(summary) else "category"
    names = None if recipe.row_names == name else recipe.row_names
    return replace(
        recipe, target=name, kinds=kinds, rare=None, row_names=names, labels={}, spellings={}, **propose_values(summary)
    )


def _words(draft: Draft, summary: ColumnSummary) -> str:
    try:
        counts = user_data.counts(draft)
    except TreecoreError as error:
        # a problem that prevents training is in the list below
        return "" if user_problems.stop(draft) else f":material/block: {plain(error)}"
    order = [name for name, rows in counts.groups.items() if rows]
    if not draft.recipe.numbers:
        order.sort(key=lambda name: counts.groups[name], reverse=True)
    labels = draft.recipe.labels
    shown = " · ".join(
        f"{plain(labels.get(name, name)[:40])} ({counts.groups[name]:,})" for name in order[:CLASSES_SHOWN]
    )
    more = f" · and {len(order) - CLASSES_SHOWN:,} more" if len(order) > CLASSES_SHOWN else ""
    left_out = f" {counted(counts.left_out, 'row')} left out." if counts.left_out else ""
    what = "Rows per range" if draft.recipe.numbers else counted(len(order), "class")
    return f"{what}: {shown}{more}.{left_out}"
