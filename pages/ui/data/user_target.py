"""What is predicted, and the title of the data set."""

from dataclasses import replace

import streamlit as st

from pages.ui.data import user_data
from pages.ui.shell.bound import bound
from pages.ui.shell.markdown_text import plain
from sample_data.user_data.listing import counted
from sample_data.user_data.propose import can_name_rows, needs_bins
from treecore.errors import TreecoreError

NUMBER = ""
EACH = 0  # None would be shown as no choice
GROUPS = {EACH: "each value is a class"} | {count: f"{count} groups of equal size" for count in (2, 3, 4, 5, 7, 10)}
CLASSES_SHOWN = 6


def target_section(draft, reading, explore):
    """Draw the choice of the target and the title; `explore()` draws the button that goes on."""
    recipe = draft.recipe
    summary = reading.summary(recipe.target)
    middle = summary.kind in ("number", "date") or recipe.bins is not None
    able = [found.name for found in reading.summaries if can_name_rows(found) or found.name == recipe.row_names]
    able = [name for name in able if name != recipe.target]
    widths = [3, *[2] * middle, *[2] * bool(able), 3, 2]
    columns = st.columns(widths, vertical_alignment="bottom")
    names = [found.name for found in reading.summaries]
    columns[0].selectbox(
        "What is to be predicted",
        names,
        help="The column whose classes the tree tells apart.",
        **bound("own_target", recipe.target, lambda name: user_data.revise(with_target, reading, name)),
    )
    if middle:
        options = (
            GROUPS if (recipe.bins or EACH) in GROUPS else GROUPS | {recipe.bins: f"{recipe.bins} groups of equal size"}
        )
        columns[1].selectbox(
            "Its numbers",
            list(options),
            format_func=options.get,
            **bound("own_bins", recipe.bins or EACH, lambda bins: user_data.decide(bins=bins or None)),
        )
    if able:
        columns[-3].selectbox(
            "Rows are named by",
            [NUMBER, *able],
            format_func=lambda name: "their number" if name == NUMBER else name,
            help="Shown wherever a row is followed, explained or predicted; never a feature.",
            **bound("own_row_names", recipe.row_names or NUMBER, lambda name: user_data.revise(_named_by, name)),
        )
    columns[-2].text_input(
        "Title", max_chars=200, **bound("own_title", recipe.title, lambda title: user_data.decide(title=title.strip()))
    )
    with columns[-1]:
        explore()
    st.caption(_words(draft, summary))
    if summary.kind == "number" and recipe.bins is not None:
        st.caption("Trees that predict the number itself: `python -m treecore fit FILE --regression`.")


def _named_by(recipe, name):
    """The recipe with another column that names the rows, which is no feature."""
    kinds = recipe.kinds if name in (NUMBER, recipe.target) else recipe.kinds | {name: "ignore"}
    return replace(recipe, row_names=None if name in (NUMBER, recipe.target) else name, kinds=kinds)


def with_target(recipe, reading, name):
    """The recipe with another target; the one before becomes a feature again."""
    before, summary = reading.summary(recipe.target), reading.summary(name)
    kinds = recipe.kinds | {before.name: before.kind if before.kind in ("number", "category", "date") else "ignore"}
    kinds[name] = "number" if summary.kind == "number" and needs_bins(summary) else "category"
    names = None if recipe.row_names == name else recipe.row_names
    bins = 3 if needs_bins(summary) else None
    return replace(recipe, target=name, kinds=kinds, bins=bins, rare=None, row_names=names)


def _words(draft, summary):
    try:
        counts = user_data.counts(draft)
    except TreecoreError as error:
        return f":material/block: {plain(error)}"
    order = sorted(counts.groups, key=counts.groups.get, reverse=True)
    shown = " · ".join(f"{plain(name[:40])} ({counts.groups[name]:,})" for name in order[:CLASSES_SHOWN])
    more = f" · and {len(order) - CLASSES_SHOWN:,} more" if len(order) > CLASSES_SHOWN else ""
    left_out = f" {counted(counts.left_out, 'row')} left out." if counts.left_out else ""
    return f"{counted(len(order), 'class')}: {shown}{more}.{left_out}"
