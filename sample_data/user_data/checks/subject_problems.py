"""Find rows of one subject that could be in both the training and the test set."""

from collections.abc import Sequence
from dataclasses import replace

from sample_data.user_data.checks.messages import MESSAGES
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import find_subjects, split_by_subjects
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table


def subject_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the advice to split by the subjects of a table, or a note that this split is in use."""
    found = find_subjects(table.frame, summaries, recipe.target)
    if found is None or recipe.split in ("column", "time"):
        return []
    column = found.column
    rows = f"{found.n_rows / found.n_subjects:.1f}".removesuffix(".0")
    facts = {"column": column, "n": found.n_subjects, "rows": rows}
    if recipe.split == "group":
        if recipe.split_column != column:
            return []
        back = replace(recipe, split="stratified", split_column=None)
        text = MESSAGES("subjects.grouped", **facts)
        return [Problem("subjects", (column,), text, "info", ("Split at random", back))]
    by_group = split_by_subjects(table, recipe, column)
    if by_group is None:
        return []
    text = MESSAGES("subjects", **facts)
    fix = (f"Split by {column[:40]}", by_group)
    return [Problem("subjects", (column,), text, "warns" if found.is_named else "info", fix)]
