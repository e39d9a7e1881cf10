"""Find rows that depend on each other: rows in time order, and rows of one subject."""

from collections.abc import Sequence
from dataclasses import replace

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.proposed_split import find_dependence, split_by_order, split_by_subjects
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import Subjects
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from sample_data.user_data.time_order import TimeOrder
from treecore.messages import listed, plural


def subject_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the advice to split by time or by subjects, or a note that this split is in use, with the evidence."""
    if recipe.split == "column":
        return []
    summaries = [summary for summary in summaries if summary.name not in recipe.added()]  # they follow from others
    found = find_dependence(table.frame, summaries, recipe.target)
    order, subjects = found.order, found.subjects
    if order is not None and recipe.split == "time" and recipe.split_column == order.column:
        return _in_use(
            "order",
            f"{_why_order(order)} The oldest rows are for training and the newest for testing.",
            order.column,
            recipe,
        )
    if subjects is not None and recipe.split == "group" and recipe.split_column == subjects.column:
        return _in_use(
            "subjects",
            (
                f"{_why_subjects(subjects)} All rows of the same value are in the same set, and the column is not a "
                "feature."
            ),
            subjects.column,
            recipe,
        )
    if recipe.split in ("time", "group"):
        return []
    by_group = split_by_subjects(table, recipe, subjects) if found.by == "group" or order is None else None
    if subjects is not None and by_group is not None:
        return _offered(
            "subjects",
            (
                f"{_why_subjects(subjects)} If rows of the same value occur in both training and test rows, the test "
                "error is too low."
            ),
            subjects.column,
            by_group,
        )
    if order is not None and (by_time := split_by_order(table, recipe, order)) is not None:
        return _offered(
            "order",
            (
                f"{_why_order(order)} With a random split, a tree is tested on times between its training rows, so "
                "the test error of a forecast is too low."
            ),
            order.column,
            by_time,
        )
    return []


def _in_use(kind, text, column, recipe) -> list[Problem]:
    back = replace(recipe, split="stratified", split_column=None)
    return [Problem(kind, (column,), text, "info", ("Split at random", back))]


def _offered(kind, text, column, fixed) -> list[Problem]:
    return [Problem(kind, (column,), text, "warns", (f"Split by {column[:40]}", fixed))]


def _why_order(order: TimeOrder) -> str:
    if order.reason == "panel":
        return (
            (
                f"'{order.column:.60}' orders the rows, because each '{(order.unit or ''):.60}' has each value "
                "at most once."
            )
            if order.unit
            else f"'{order.column:.60}' orders the rows, because rows repeat at each of its values."
        )
    return {
        "series": f"'{order.column:.60}' has a different value in every row, as the time of a series does.",
        "named": f"'{order.column:.60}' orders the rows, as its name and its values show.",
        "sorted": f"The rows of the file are sorted by '{order.column:.60}'.",
        "repeated": f"'{order.column:.60}' orders the rows, because each of its values has the same number of rows.",
    }[order.reason]


def _why_subjects(found: Subjects) -> str:
    rows = f"{found.least:,} rows" if found.least == found.most else f"{found.least:,} to {found.most:,} rows"
    counts = (
        (
            f"'{found.column:.60}' and '{(found.within or ''):.60}' together have {found.n_subjects:,} values "
            f"with {rows} each"
        )
        if found.within
        else f"'{found.column:.60}' has {found.n_subjects:,} values with {rows} each"
    )
    if found.occasion:
        return f"{counts}, and each of them has each '{found.occasion:.60}' at most once."
    if found.fixed:
        return (
            f"{counts}, and {listed(list(found.fixed), 3)} "
            f"{plural(len(found.fixed), 'never changes', 'never change')} within them."
        )
    return f"{counts}."
