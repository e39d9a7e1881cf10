"""Read the results of `reading_task` without importing it, because it runs in another process."""

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
    """Return the `ColumnSummary` of each column, as written by `read_file`."""
    from sample_data.user_data.summary import ColumnSummary  # slow import

    lists = [field.name for field in fields(ColumnSummary) if "tuple" in str(field.type)]
    return tuple(
        ColumnSummary(**one | {name: tuple(map(_frozen, one[name])) for name in lists}) for one in reading["summaries"]
    )


def questions_of(reading: dict[str, Any]) -> tuple[ReadingQuestion, ...]:
    """Return the `ReadingQuestion` objects written by `read_file`."""
    from sample_data.user_data.table import ReadingQuestion  # slow import

    return tuple(
        ReadingQuestion(one["text"], tuple((label, option, value) for label, option, value in one["readings"]))
        for one in reading.get("questions", ())
    )


def recipe_with(recipe: Recipe, changes: dict[str, Any]) -> Recipe:
    """Return a recipe with the changes of a fix, as returned by `look`."""
    kinds = recipe.kinds | changes.get("kinds", {})
    return replace(recipe, **changes | {"kinds": {name: kind for name, kind in kinds.items() if kind is not None}})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
