"""Find rows that depend on each other: rows in time order, and rows of one subject."""

from collections.abc import Sequence
from dataclasses import replace

from sample_data.user_data.checks.messages import MESSAGES
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.proposed_split import find_dependence, split_by_order, split_by_subjects
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import Subjects
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from sample_data.user_data.time_order import TimeOrder
from treecore.messages import Sentence


def subject_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the advice to split by time or by subjects, or a note that this split is in use, with the evidence."""
    if recipe.split == "column":
        return []
    found = find_dependence(table.frame, summaries, recipe.target)
    order, subjects = found.order, found.subjects
    if order is not None and recipe.split == "time" and recipe.split_column == order.column:
        return _in_use("order", MESSAGES("time.taken", why=_why_order(order)), order.column, recipe)
    if subjects is not None and recipe.split == "group" and recipe.split_column == subjects.column:
        return _in_use("subjects", MESSAGES("subjects.grouped", why=_why_subjects(subjects)), subjects.column, recipe)
    if recipe.split in ("time", "group"):
        return []
    by_group = split_by_subjects(table, recipe, subjects) if found.by == "group" or order is None else None
    if subjects is not None and by_group is not None:
        return _offered("subjects", MESSAGES("subjects", why=_why_subjects(subjects)), subjects.column, by_group)
    if order is not None and (by_time := split_by_order(table, recipe, order)) is not None:
        return _offered("order", MESSAGES("time.offered", why=_why_order(order)), order.column, by_time)
    return []


def _in_use(kind, text, column, recipe) -> list[Problem]:
    back = replace(recipe, split="stratified", split_column=None)
    return [Problem(kind, (column,), text, "info", ("Split at random", back))]


def _offered(kind, text, column, fixed) -> list[Problem]:
    return [Problem(kind, (column,), text, "warns", (f"Split by {column[:40]}", fixed))]


def _why_order(order: TimeOrder) -> Sentence:
    if order.reason == "panel":
        return MESSAGES("time.panel" if order.unit else "time.joint_panel", column=order.column, unit=order.unit or "")
    return MESSAGES(f"time.{order.reason}", column=order.column)


def _why_subjects(found: Subjects) -> Sentence:
    rows = f"{found.least:,} rows" if found.least == found.most else f"{found.least:,} to {found.most:,} rows"
    key = "subjects.within" if found.within else "subjects.counts"
    counts = MESSAGES(key, column=found.column, within=found.within or "", n=found.n_subjects, rows=rows)
    if found.occasion:
        return MESSAGES("subjects.crossed", counts=counts, occasion=found.occasion)
    if found.fixed:
        return MESSAGES("subjects.fixed", counts=counts, fixed=list(found.fixed), n=len(found.fixed))
    return MESSAGES("subjects.only_counts", counts=counts)
