"""Show the use and the values of each column in the visitor's table."""

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas
import streamlit as st

from pages.ui.session import user_data
from pages.ui.session.user_data import Draft, Reading
from pages.ui.shell import chart
from pages.ui.shell.bound import bound
from sample_data.user_data.column_levels import MOST_LEVELS
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary, number_text
from treecore.errors import TreecoreError
from treecore.messages import counted
from viz.charts.data_charts import column_bars, histogram_chart

USES = ("number", "category", "ordered", "date", "ignore")
SHOWN = 200
BARS = 12
_BASE, _SEARCH = "own_columns_base", "own_search"


def columns_section(draft: Draft, reading: Reading) -> None:
    """Draw the table of columns. A change of a column's use changes the recipe."""
    found = sorted(_matching(reading.summaries), key=lambda summary: summary.name != draft.recipe.target)
    names = [summary.name for summary in found[:SHOWN]]
    key, uses = _base(draft, names)
    config = st.column_config
    st.data_editor(
        _table(found[:SHOWN], uses, draft.recipe),
        key=key,
        hide_index=True,
        width="stretch",
        height=min(38 + 35 * len(names), 560),
        num_rows="fixed",
        disabled=_FIXED,
        on_change=_apply_uses,
        args=(key, names, uses),
        column_config={
            "Column": config.TextColumn(width="medium", pinned=True),
            "Use as": config.SelectboxColumn(
                options=USES,
                required=True,
                width="small",
                help=(
                    "*number*: compared by < and ≥. *category*: one 0/1 feature per value. *ordered*: values from low "
                    "to high, such as sizes or grades. *date*: number of days. *ignore*: not used."
                ),
            ),
            "Missing": config.ProgressColumn(format="percent", min_value=0.0, max_value=1.0, width="small"),
            "Different": config.TextColumn(
                width="small", alignment="right", help="Number of different values (+: at least)"
            ),
            "Distribution": config.BarChartColumn(
                y_min=0, width=130, help="Histogram of numbers or dates, or most frequent categories"
            ),
            "From": config.TextColumn(width="small"),
            "To": config.TextColumn(width="small"),
            "Values": config.TextColumn(width="large"),
        },
    )
    shown = f"First {SHOWN} of {len(found):,} columns. " if len(found) > SHOWN else ""
    st.caption(f"{shown}{_features(draft, len(reading.summaries))}")
    _closer(draft, found)


def _closer(draft: Draft, summaries: Iterable[ColumnSummary]) -> None:
    """Draw one column in detail: its values, and which of them count as missing, rare or ordered."""
    offered = {summary.name: summary for summary in summaries if summary.kind != "empty"}
    if not offered:
        return
    left, right = st.columns([2, 3], gap="large")
    with left:
        one = offered[st.selectbox("Inspect column", list(offered), key="own_distribution")]
        if one.name not in draft.recipe.added():  # its values are missing where those of its columns are
            _missing(draft.recipe, one)
        if draft.recipe.kinds.get(one.name) == "category" and one.name in draft.recipe.features():
            _rare(draft, one)
        if draft.recipe.kinds.get(one.name) == "ordered" and one.name in draft.recipe.features():
            _levels(draft, one)
    with right:
        bars = column_bars(one.counts, one.edges, one.top, one.kind == "date")
        chart.show(histogram_chart(bars, chart.theme()), "distribution")


def _missing(recipe: Recipe, summary: ColumnSummary) -> None:
    """Draw the control for texts that mean a missing value."""
    now = list(recipe.missing.get(summary.name, ()))
    values = [text for text, _ in summary.top] or list(summary.examples)
    offered = list(dict.fromkeys([*now, *(text.strip() for text in values if 0 < len(text.strip()) <= 100)]))
    st.multiselect(
        "Treat as missing", offered, accept_new_options=True, max_selections=20, placeholder="such as k.A. or -999",
        help="Values that count as missing, in these data and in new rows. Type to add another value.",
        **bound(f"own_missing_{summary.name}", now, lambda texts: user_data.revise(_with_missing, summary.name, texts)),
    )  # fmt: skip


def _with_missing(recipe: Recipe, name: str, texts: Iterable[str]) -> Recipe:
    texts = tuple(text.strip()[:100] for text in texts if text.strip())
    return replace(recipe, missing={**recipe.missing, name: texts})


def _rare(draft: Draft, summary: ColumnSummary) -> None:
    """Draw the control for rare values: a category with fewer rows than this number joins a group."""
    now = draft.recipe.group_below.get(summary.name, 0)
    st.number_input(
        "Combine rare values",
        0,
        10**9,
        step=1,
        help=(
            "Values with fewer rows than this are combined into one category, together with values that occur only "
            f"in new rows. 0 keeps each value, up to {draft.recipe.most_categories} values."
        ),
        **bound(f"own_rare_{summary.name}", now, lambda rows: user_data.revise(_with_rare, summary.name, rows)),
    )
    with contextlib.suppress(TreecoreError):  # the error is shown above the table
        if (words := user_data.counts(draft).grouped.get(summary.name)) is not None:
            st.caption(f"Now: {words}.")


def _with_rare(recipe: Recipe, name: str, rows: float) -> Recipe:
    others = {column: below for column, below in recipe.group_below.items() if column != name}
    return replace(recipe, group_below=others | ({name: int(rows)} if rows >= 2 else {}))


def _levels(draft: Draft, summary: ColumnSummary) -> None:
    """Draw the control for the order of the values of an ordered column."""
    with contextlib.suppress(TreecoreError):  # the error is shown above the table
        now = list(user_data.counts(draft).levels.get(summary.name, ()))
        offered = list(dict.fromkeys([*now, *user_data.column_values(summary.name)]))
        st.multiselect(
            "Order", offered, max_selections=MOST_LEVELS, placeholder="Lowest value first",
            help=("Values from lowest to highest. To move a value to the end, remove it and choose it again. Values "
            "that are not listed count as missing. With fewer than two values, the order in the file is used."),
            **bound(
                f"own_levels_{summary.name}", now,
                lambda texts: user_data.revise(_with_levels, summary.name, texts),
            ),
        )  # fmt: skip


def _with_levels(recipe: Recipe, name: str, texts: Collection[str]) -> Recipe:
    others = {column: levels for column, levels in recipe.levels.items() if column != name}
    return replace(recipe, levels=others | ({name: tuple(texts)} if len(texts) > 1 else {}))


def _features(draft: Draft, n_columns: int) -> str:
    n_used = len(draft.recipe.features())
    try:
        return f"{n_used:,} of {n_columns:,} columns in use; {counted(user_data.counts(draft).n_features, 'feature')}."
    except TreecoreError:  # the error is shown above the table
        return f"{n_used:,} of {n_columns:,} columns in use."


_FIXED = ["Column", "Role", "Missing", "Different", "Distribution", "From", "To", "Values"]


def _matching(summaries: Sequence[ColumnSummary]) -> Sequence[ColumnSummary]:
    """Return the summaries of the columns whose names match the search. Tables with few columns have no search."""
    if len(summaries) <= 30:
        return summaries
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    part = left.text_input("Find columns", key=_SEARCH, placeholder="Part of a name", icon=":material/search:")
    found = [summary for summary in summaries if part.lower() in summary.name.lower()]
    names = [summary.name for summary in found]
    with right.popover(f"Use all {len(names):,} as …", icon=":material/done_all:", width="stretch"):
        for use in USES:
            st.button(use, key=f"own_all_{use}", width="stretch", on_click=_use_all, args=(names, use))
    return found


def _use_all(names: Iterable[str], use: str) -> None:
    recipe = user_data.draft().recipe
    user_data.change(replace(recipe, kinds=recipe.kinds | {n: use for n in names if n != recipe.target}))


def _base(draft: Draft, names: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return (key, initial uses) for the editor. The visitor's changes in the editor do not affect them.

    The editor stores its changes relative to its initial value, and resets when that value changes.
    """
    kinds = draft.recipe.kinds
    now = {name: kinds.get(name, "ignore") for name in names}
    recipe = draft.recipe
    roles = (recipe.target, recipe.split_column, recipe.row_names, repr(recipe.missing))
    others = (draft.upload, draft.options, *roles, tuple(names))
    saved = st.session_state.get(_BASE)
    if saved is not None and saved["of"] == others and saved["key"] in st.session_state and saved["now"] == now:
        return saved["key"], saved["uses"]
    key = f"own_columns_{draft.version}"
    st.session_state[_BASE] = {"of": others, "key": key, "uses": now, "now": now}
    return key, now


def _apply_uses(key: str, names: Sequence[str], uses: dict[str, str]) -> None:
    edited = st.session_state[key]["edited_rows"]
    new = uses | {names[row]: values["Use as"] for row, values in edited.items() if values.get("Use as")}
    st.session_state[_BASE] |= {"now": new}
    recipe = user_data.draft().recipe
    user_data.change(recipe.with_kinds(new))


def _table(summaries: Iterable[ColumnSummary], uses: Mapping[str, str], recipe: Recipe) -> pandas.DataFrame:
    rows = [
        {
            "Column": summary.name,
            "Role": _role(summary.name, recipe),
            "Use as": uses[summary.name],
            "Missing": round(summary.n_missing / max(summary.n_rows, 1), 3),
            "Different": f"{summary.n_distinct:,}{'+' * summary.distinct_is_capped}",
            "Distribution": list(summary.counts) or _bars(summary.top),
            "From": _text(summary.low),
            "To": _text(summary.high),
            "Values": ", ".join(summary.examples),
        }
        for summary in summaries
    ]
    return pandas.DataFrame(rows, columns=["Column", "Role", "Use as", *_FIXED[2:]])


def _bars(top: Collection[tuple[str, int]]) -> list[int]:
    # Zeros pad the chart, so that a few values do not fill the whole width.
    return [count for _, count in top] + [0] * (BARS - len(top))


def _role(name: str, recipe: Recipe) -> str:
    if name == recipe.target:
        return "target"
    if name == recipe.row_names:
        return "ID"
    return "split" if name == recipe.split_column and recipe.split in ("column", "time", "group") else ""


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else number_text(value)
