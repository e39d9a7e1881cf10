"""Split the rows of the visitor's table into training, validation and test rows."""

from collections.abc import Sequence
from dataclasses import replace

import pandas
import streamlit as st

from pages.ui.session import user_data
from pages.ui.session.user_data import Draft, Reading
from pages.ui.shell.bound import bound, label_by
from pages.ui.shell.markdown_text import plain
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import by_group, group_columns
from sample_data.user_data.summary import ColumnSummary
from treecore.errors import TreecoreError

SPLITS = {
    "stratified": "random, stratified by class",
    "random": "random",
    "column": "by a column",
    "time": "by time (newest rows for testing)",
    "group": "by group (rows of a group stay together)",
}
PARTS = {"train": "training", "validation": "validation", "test": "test", None: "left out"}
MOST_VALUES = 50


def split_section(draft: Draft, reading: Reading) -> None:
    """Draw the choice of the split and the resulting counts."""
    recipe = draft.recipe
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.radio(
            "Data split",
            list(SPLITS),
            format_func=label_by(SPLITS),
            **bound("own_split", recipe.split, lambda split: user_data.revise(_with_split, reading, split)),
        )
    with right:
        if recipe.split in ("column", "time", "group"):
            names = [summary.name for summary in _candidates(reading, recipe, recipe.split)]
            names += [recipe.split_column] * (recipe.split_column not in names)
            st.selectbox("Column", names, **bound(
                "own_split_column", recipe.split_column,
                lambda name: user_data.revise(_with_column, reading, recipe.split, name)))  # fmt: skip
        if recipe.split == "column":
            _values(draft, reading)
        elif recipe.split in ("random", "time"):
            _shares(recipe)
        _counts(draft)
    if recipe.split == "group":
        st.caption(
            "About 60 % of the groups are for training, 20 % for validation and 20 % for testing. The random "
            "seed on each page selects the groups. Folds keep groups together too. The group column is not a "
            "feature."
        )
    if recipe.split == "stratified":
        st.caption("60 % training, 20 % validation and 20 % test rows. The random seed on each page selects the rows.")


def _shares(recipe: Recipe) -> None:
    train, validation = (round(100 * share) for share in recipe.shares[:2])
    st.slider(
        "Shares of training, validation and test rows (%)", 5, 100, step=5,
        **bound("own_shares", (train, train + validation), lambda ends: user_data.decide(
            shares=(ends[0] / 100, (ends[1] - ends[0]) / 100, (100 - ends[1]) / 100))),
    )  # fmt: skip
    if recipe.split == "random":
        st.number_input(
            "Random seed", 0, 10**6, **bound("own_seed", recipe.seed, lambda seed: user_data.decide(seed=int(seed)))
        )


def _values(draft: Draft, reading: Reading) -> None:
    """Draw the choice of a part for each value of the column."""
    recipe = draft.recipe
    values = user_data.column_values(recipe.split_column)
    table = pandas.DataFrame(
        {"Value": values, "Rows are for": [PARTS[(recipe.split_values or {}).get(value)] for value in values]}
    )
    key = f"own_split_values_{draft.version}"
    st.data_editor(
        table, key=key, hide_index=True, width="stretch", disabled=["Value"], num_rows="fixed",
        height=min(38 + 35 * len(values), 300), on_change=_values_changed, args=(key, values),
        column_config={"Rows are for": st.column_config.SelectboxColumn(options=list(PARTS.values()), required=True)},
    )  # fmt: skip


def _values_changed(key: str, values: Sequence[str]) -> None:
    recipe = user_data.draft().recipe
    names = {words: part for part, words in PARTS.items()}
    parts = dict(recipe.split_values or {})
    for row, edited in st.session_state[key]["edited_rows"].items():
        part = names[edited["Rows are for"]]
        parts.pop(values[row], None)
        if part is not None:
            parts[values[row]] = part
    user_data.change(replace(recipe, split_values=parts))


def _counts(draft: Draft) -> None:
    try:
        counts = user_data.counts(draft)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/block:")
        return
    figures = {"Training rows": counts.train, "Validation rows": counts.validation, "Test rows": counts.test}
    for column, (label, value) in zip(st.columns(4), (figures | {"Left out": counts.left_out}).items(), strict=True):
        column.metric(label, f"{value:,}")


def _with_split(recipe: Recipe, reading: Reading, split: str) -> Recipe:
    if split in ("stratified", "random"):
        return replace(recipe, split=split, split_column=None, split_values=None)
    found = _candidates(reading, recipe, split)
    if not found:
        what = {"column": f"two to {MOST_VALUES} values", "time": "dates or numbers", "group": "values that repeat"}[
            split
        ]
        st.toast(f"The table has no column of {what} except the target.", icon=":material/info:")
        return recipe
    return _with_column(recipe, reading, split, found[0].name)


def _with_column(recipe: Recipe, reading: Reading, split: str, name: str) -> Recipe:
    if split == "time":
        return replace(recipe, split=split, split_column=name, split_values=None)
    if split == "group":
        return by_group(recipe, name)
    values = user_data.column_values(name)
    last = len(values) - 1
    parts = {
        value: "test" if i == last else "validation" if i == last - 1 and last > 1 else "train"
        for i, value in enumerate(values)
    }
    for value in values:
        plainly = value.strip().lower()
        for part, begins in (("train", "train"), ("validation", "val"), ("test", "test")):
            if plainly.startswith(begins):
                parts[value] = part
    return replace(recipe, split=split, split_column=name, split_values=parts)


def _candidates(reading: Reading, recipe: Recipe, split: str) -> Sequence[ColumnSummary]:
    """Return the summaries of the columns that can split the rows, the most likely ones first."""
    others = [summary for summary in reading.summaries if summary.name != recipe.target]
    if split == "group":
        return group_columns(others)
    if split == "time":
        return sorted((s for s in others if s.kind in ("date", "number")), key=lambda summary: summary.kind != "date")
    return [summary for summary in others if 2 <= summary.n_distinct <= MOST_VALUES]
