"""Show possible problems of the visitor's data, each with a button that fixes it."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.session import user_data
from pages.ui.session.user_data import Draft
from pages.ui.shell.markdown_text import plain
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
