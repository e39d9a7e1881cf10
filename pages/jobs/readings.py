"""What the app knows of `reading_task`, which it need not load: another process does."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sample_data.user_data.recipe import Recipe
    from sample_data.user_data.summary import ColumnSummary
    from sample_data.user_data.table import ReadingQuestion

TASK = "pages.jobs.reading_task"
MODULES = (TASK, "sklearn.tree", "openpyxl", "PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin")
READING, TABLE, FIRST = "reading.json", "table.arrow", "first.arrow"


def summaries_of(reading: dict[str, Any]) -> tuple[ColumnSummary, ...]:
    """Tuple of the `ColumnSummary`s of what `read_file` has written."""
    from sample_data.user_data.summary import ColumnSummary  # slow import

    lists = [field.name for field in fields(ColumnSummary) if "tuple" in str(field.type)]
    return tuple(
        ColumnSummary(**one | {name: tuple(map(_frozen, one[name])) for name in lists}) for one in reading["summaries"]
    )


def questions_of(reading: dict[str, Any]) -> tuple[ReadingQuestion, ...]:
    """Tuple of the `ReadingQuestion`s of what `read_file` has written."""
    from sample_data.user_data.table import ReadingQuestion  # slow import

    return tuple(
        ReadingQuestion(one["text"], tuple((label, option, value) for label, option, value in one["readings"]))
        for one in reading.get("questions", ())
    )


def recipe_with(recipe: Recipe, changes: dict[str, Any]) -> Recipe:
    """The recipe with what `look` says of a fix."""
    return replace(recipe, **changes | {"kinds": recipe.kinds | changes.get("kinds", {})})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
