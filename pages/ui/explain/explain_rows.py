"""Choose the row of the Explain page by number, by ID, or as the next row of a kind."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.jobs import settings_text
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, link_notes
from pages.ui.shell.bound import bound, sentence_case
from pages.ui.shell.markdown_text import plain
from treecore.tree.condition_text import visible
from treecore.tree.number_text import count
from treecore.tree.target import Target
from viz.words.row_words import row_name, row_text

KEY, KEPT, PART = "explain_row", "explain_kept_row", "explain_part"
_MISSED = "explain_no_name"  # (text, name of the data, row): an ID without a match, and the row where the search began
PARTS = {"test": 2, "validation": 1, "training": 0}
HELP_FILE = "Row number in your file. The header is row 1, so the first row is 2."
ALL, WRONG = "all", "misclassified"


def current_row() -> Any:
    """Return the number of the last viewed row or of the row in the link, or None without either."""
    if address.is_from_address(KEPT):
        if KEPT in st.session_state:
            st.session_state.pop(KEY, None)
        st.session_state[KEPT] = settings_text.natural(st.query_params.get("row"))
    return st.session_state.get(KEY, st.session_state[KEPT])


def choose(chosen: ChosenTree, predicted: np.ndarray) -> int:
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
    st.session_state[KEY] = st.session_state[KEPT] = now
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
    st.session_state[KEPT] = row
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
            "Row number", 0, data.n_rows - 1, step=1, key=KEY, help="Row number in the data; the first row is 0."
        )
    st.number_input(
        "Row number", int(numbers.min()), int(numbers.max()), step=1, help=HELP_FILE,
        **bound(f"{KEY}_number", int(numbers[st.session_state[KEY]]), lambda number: _go(numbers, number)),
    )  # fmt: skip
    return st.session_state[KEY]


def _go(numbers: np.ndarray, number: int) -> None:
    """Go to a row of the file. If the data do not contain it, go on in the same direction to the next row."""
    now = st.session_state[KEY]
    place = int(np.searchsorted(numbers, number, "left" if number >= numbers[now] else "right"))
    at = place if number >= numbers[now] else place - 1
    st.session_state[KEY] = min(max(at, 0), len(numbers) - 1)


def _by_name(data: Any, row: int, parts: Mapping[str, np.ndarray]) -> None:
    """Draw the field for the row ID.

    A new ID selects the first matching row and the part of the data that contains it.
    """
    st.text_input(
        "Find by ID",
        help="Complete ID of a row, as in your file.",
        **bound(f"{KEY}_name", row_name(data, row), lambda name: _find(data, row, parts, name.strip())),
    )


def _find(data: Any, row: int, parts: Mapping[str, np.ndarray], name: str) -> None:
    matches = (place for place, one in enumerate(data.row_names) if name in (one.strip(), visible(one).strip()))
    found = next(matches, None) if name else None
    st.session_state[_MISSED] = (name[:60], data.name, row) if name and found is None else ()
    if found is not None:
        st.session_state[KEY] = found
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
    now = st.session_state[KEY]
    place = bisect_right(rows, now) if step > 0 else bisect_left(rows, now) - 1
    st.session_state[KEY] = rows[place % len(rows)]


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
