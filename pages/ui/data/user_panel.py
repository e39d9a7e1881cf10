"""Main area of the Data page for user data: open a file, check its problems, and choose columns, target and rows."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas
import streamlit as st

from pages.ui.data import data_panel, user_reading
from pages.ui.session import choose_tree, data_sets, page_settings, settings_for_data, user_data
from pages.ui.session.user_data import Draft, Reading
from pages.ui.shell import address, chart
from pages.ui.shell.bound import bound, label_by
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.markdown_text import plain
from sample_data import split_rows
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.known_orders import MOST_LEVELS
from sample_data.user_data.proposal import can_name_rows, needs_bins, propose_kind, propose_values, single_valued_target
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import by_group, group_columns
from sample_data.user_data.summary import ColumnSummary, number_text
from sample_data.user_data.target_choice import has_no_target
from treecore.errors import TreecoreError
from treecore.messages import counted, listed
from viz.charts.data_charts import column_bars, histogram_chart

ICONS = {"stops": ":red[:material/block:]", "warns": ":orange[:material/warning:]", "info": ":blue[:material/info:]"}
SHOWN_PROBLEMS = 6
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
        for i, problem in enumerate(found[:SHOWN_PROBLEMS]):
            _row(i, problem)
        if len(found) > SHOWN_PROBLEMS:
            with st.expander(f"{len(found) - SHOWN_PROBLEMS} more"):
                for i, problem in enumerate(found[SHOWN_PROBLEMS:], SHOWN_PROBLEMS):
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
                question_section(reading, _waits())
            else:
                has_warning = bool(urgent(draft)) or stop(draft) is not None
                target_section(draft, reading, None if has_warning else lambda: _explore(draft))
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
        columns_section(draft, reading)
    with rows:
        _first_rows(reading)
    with split:
        split_section(draft, reading)


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
    why = why or (None if draft is None else label_fault(draft))
    is_best = why is None and not (draft and urgent(draft))
    st.button(
        data_panel.EXPLORE, type="primary" if is_best else "secondary", icon=":material/account_tree:",
        width="stretch", on_click=_ask_for, disabled=why is not None, help=why,
    )  # fmt: skip


def _open_requested() -> None:
    """Make the data set and open its tree, if the visitor has asked for it."""
    if not st.session_state.pop(REQUESTED, False):
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
    return user_data.files().pending is not None or user_data.files().opening is not None


def _fix_and_explore() -> None:
    fix_all()
    _ask_for()


def _ask_for() -> None:
    st.session_state[REQUESTED] = True  # only the body of a page can open another page


def _first_rows(reading: Reading) -> None:
    frame: Any = reading.first_rows
    numbers = pandas.Series(reading.first_numbers, name=distinct_names(["row"], frame.columns)[0])
    frame = pandas.concat([numbers, frame], axis=1)
    st.dataframe(frame, hide_index=True, width="stretch", height=420)
    shown = f"First {len(frame):,} of {reading.n_rows:,} rows"
    if frame.shape[1] < reading.n_columns:
        shown += f", the first {frame.shape[1]} of {reading.n_columns:,} columns"
    st.caption(f"{shown}, as read. Empty cells are missing values. Row numbers count the lines of the file from 1.")


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
            "that are not listed count as missing. If you list fewer than two values, the order is that of the file."),
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
    others = (draft.file, *roles, tuple(names))
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
    if not now.asks and not urgent(now) and stop(now) is None:
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
        return "" if stop(draft) else f":material/block: {plain(error)}"
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
            "seed, a setting of each page, decides to which set each group belongs. Folds keep groups together too. "
            "The group column is not a feature."
        )
    if recipe.split == "stratified":
        st.caption(
            "60 % training, 20 % validation and 20 % test rows. The random seed, a setting of each page, decides to "
            "which set each row belongs."
        )


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
