"""Main area of the Data page for user data: open a file, check how it is read, and explore it."""

from collections.abc import Sequence
from typing import Any

import pandas
import streamlit as st

from pages.ui.data import data_panel, user_choices, user_reading
from pages.ui.session import choose_tree, data_sets, page_settings, settings_for_data, user_data
from pages.ui.session.user_data import Draft, Reading
from pages.ui.shell import address
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.markdown_text import plain
from sample_data import split_rows
from sample_data.user_data.checks.problem import Problem
from treecore.errors import TreecoreError
from treecore.messages import counted, listed

ICONS = {"stops": ":red[:material/block:]", "warns": ":orange[:material/warning:]", "info": ":blue[:material/info:]"}
SHOWN = 6
MOST_FIXES = 40


def problems_section(draft: Draft) -> None:
    """Draw the list."""
    try:
        found = user_data.list_problems(draft)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    if not found:
        st.success("No problems found.", icon=":material/check_circle:")
        return
    with st.container(border=True):
        left, right = st.columns([6, 2], vertical_alignment="center")
        left.markdown(f"**{_count(found)}**")
        if len(urgent(draft)) > 1:
            right.button("Fix all", icon=":material/build:", key="ownfix_all", width="stretch", on_click=fix_all,
                         help="Applies every proposed fix. Remarks without a fix remain.")  # fmt: skip
        for i, problem in enumerate(found[:SHOWN]):
            _row(i, problem)
        if len(found) > SHOWN:
            with st.expander(f"{len(found) - SHOWN} more"):
                for i, problem in enumerate(found[SHOWN:], SHOWN):
                    _row(i, problem)


def _row(i: int, problem: Problem) -> None:
    text = f"{ICONS[problem.severity]} {plain(problem.text)}"
    if problem.fix is None:
        st.markdown(text)
        return
    left, right = st.columns([6, 2] if problem.wider is None else [5, 3], vertical_alignment="center")
    left.markdown(text)
    right = right.container(horizontal=True)
    for name, change in (("fix", problem.fix), ("wider", problem.wider)):
        if change is not None:
            right.button(
                plain(change[0]), key=f"own_{name}_{i}", width="stretch", on_click=user_data.fix, args=(change[1],)
            )


def urgent(draft: Draft) -> list[Problem]:
    """Return the problems of an open file that have a fix and are more severe than information.

    The list is empty while the problems are unknown.
    """
    return list(filter(_is_urgent, _problems(draft)))


def stop(draft: Draft) -> Problem | None:
    """Return the first problem that makes it impossible to create a data set, or None if no such problem is known."""
    return next((problem for problem in _problems(draft) if problem.severity == "stops"), None)


def _problems(draft: Draft) -> tuple[Problem, ...]:
    try:
        return user_data.list_problems(draft)
    except TreecoreError:
        return ()


def _is_urgent(problem: Problem) -> bool:
    return problem.fix is not None and problem.severity != "info"


def fix_all() -> None:
    """Apply every proposed fix of an urgent problem, one after another."""
    for _ in range(MOST_FIXES):
        before = user_data.draft().recipe
        fix = next((problem.fix for problem in urgent(user_data.draft())), None)
        if fix is None:
            return
        user_data.fix(fix[1])
        if user_data.draft().recipe == before:
            return


def fixes_in_words(draft: Draft) -> str:
    """Return which columns "Fix all" ignores, and its other fixes, or "" without a fix."""
    columns, others = [], []
    for label, fixed in (problem.fix for problem in urgent(draft) if problem.fix is not None):
        ignored = [name for name, kind in fixed.kinds.items() if kind == "ignore" != draft.recipe.kinds.get(name)]
        columns += [name for name in ignored if name not in columns]
        others += [] if ignored else [label]
    words = (
        [f"*Fix all* ignores {counted(len(columns), 'column')}: {listed([*map(plain, columns)])}."] if columns else []
    )
    words += [f"*Fix all* also applies: {plain(', '.join(dict.fromkeys(others)))}."] if others else []
    return " ".join(words)


def _count(found: Sequence[Problem]) -> str:
    stops = sum(problem.severity == "stops" for problem in found)
    words = f"{counted(len(found), 'thing')} to review"
    return f"{words}; correct {stops} before training" if stops else words


def user_data_page(source: str) -> None:
    """Draw the page.

    source : "file", "paste" or "folder".
    """
    user_reading.settle()
    progress = user_reading.reading_section(source)
    _open_file(source)
    user_reading.wait(progress)


def _open_file(source: str) -> None:
    draft = user_data.draft()
    if draft is None:
        user_reading.explain(source)
        return
    try:
        reading = user_data.reading(draft)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    with st.container(border=True):
        user_reading.head(draft, reading)
        user_reading.questions(draft, reading)
        if reading.data_set is not None:
            with st.columns([1, 3])[0]:
                _explore()
            _open_requested()
        else:
            if draft.asks:
                user_choices.question_section(reading, _waits())
            else:
                has_warning = bool(urgent(draft)) or stop(draft) is not None
                user_choices.target_section(draft, reading, None if has_warning else lambda: _explore(draft))
                if has_warning:
                    _draw_urgent(draft)
            _open_requested()
    if reading.data_set is not None:
        data_panel.data_set_section(
            reading.data_set, split_rows(reading.data_set, page_settings.EXPLORE.current().seed)
        )
        return
    if draft.asks:
        _first_rows(reading)
        return
    problems_section(draft)
    columns, rows, split = st.tabs(
        [f"Columns ({reading.n_columns:,})", "First rows", "Training, validation and test rows"]
    )
    with columns:
        user_choices.columns_section(draft, reading)
    with rows:
        _first_rows(reading)
    with split:
        user_choices.split_section(draft, reading)


def _draw_urgent(draft: Draft) -> None:
    """Draw the most urgent problem, and then the buttons of the next step, which is also the order on a phone."""
    found, stops = urgent(draft), stop(draft)
    left, right = st.columns([5, 2], vertical_alignment="center")
    if stops is not None:
        left.markdown(f"{ICONS['stops']} These data cannot be used for training yet. Correct the problem listed below.")
    else:
        what = "One fix below changes" if len(found) == 1 else f"{len(found)} fixes below change"
        left.markdown(f":orange[:material/warning:] {what} the training data: {plain(found[0].text)}")
    if words := fixes_in_words(draft):
        left.caption(words)
    if stops is None or stops.fix is not None:
        right.button("Fix all and explore", icon=":material/build:", width="stretch", on_click=_fix_and_explore,
                     key="own_fix_and_explore", type="secondary" if _waits() else "primary",
                     help="Applies every proposed fix.")  # fmt: skip
    with right:
        _explore(draft)


def _explore(draft: Draft | None = None) -> None:
    stops = None if draft is None else stop(draft)
    why = (
        "Another file is waiting above. Read it or discard it."
        if _waits()
        else None
        if stops is None
        else plain(stops.text)
    )
    why = why or (None if draft is None else user_choices.label_fault(draft))
    is_best = why is None and not (draft and urgent(draft))
    st.button(
        data_panel.EXPLORE, type="primary" if is_best else "secondary", icon=":material/account_tree:",
        width="stretch", on_click=_ask_for, disabled=why is not None, help=why,
    )  # fmt: skip


def _open_requested() -> None:
    """Make the data set and open its tree, if the visitor has asked for it."""
    if not st.session_state.pop(user_choices.REQUESTED, False):
        return
    with st.spinner("Creating the data set …"):
        name = user_data.finish()
    if name is None:
        st.rerun()
    data = data_sets.load(name)
    page_settings.EXPLORE.change(data_set=name)
    settings_for_data.suit(data)
    address.go_to(*choose_tree.PATH_PAGE)


def _waits() -> bool:
    """Test whether another file waits to be read."""
    return user_reading.PENDING in st.session_state or user_data.opening() is not None


def _fix_and_explore() -> None:
    fix_all()
    _ask_for()


def _ask_for() -> None:
    st.session_state[user_choices.REQUESTED] = True  # only the body of a page can open another page


def _first_rows(reading: Reading) -> None:
    frame: Any = reading.first_rows
    numbers = pandas.Series(reading.first_numbers, name=distinct_names(["row"], frame.columns)[0])
    frame = pandas.concat([numbers, frame], axis=1)
    st.dataframe(frame, hide_index=True, width="stretch", height=420)
    shown = f"First {len(frame):,} of {reading.n_rows:,} rows"
    if frame.shape[1] < reading.n_columns:
        shown += f", the first {frame.shape[1]} of {reading.n_columns:,} columns"
    st.caption(f"{shown}, as read. Empty cells are missing values. Row numbers count the lines of the file from 1.")
