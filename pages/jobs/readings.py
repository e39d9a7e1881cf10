"""What the app knows of `reading_task`, which it need not load: another process does."""

from dataclasses import fields, replace

TASK = "pages.jobs.reading_task"
MODULES = (TASK, "sklearn.tree", "openpyxl", "PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin")
READING, TABLE, FIRST = "reading.json", "table.arrow", "first.arrow"


def summaries_of(reading):
    """Tuple of the `ColumnSummary`s of what `read_file` has written."""
    from sample_data.user_data.summary import ColumnSummary  # slow import

    lists = [field.name for field in fields(ColumnSummary) if "tuple" in str(field.type)]
    return tuple(
        ColumnSummary(**one | {name: tuple(map(_frozen, one[name])) for name in lists}) for one in reading["summaries"]
    )


def questions_of(reading):
    """Tuple of the `ReadingQuestion`s of what `read_file` has written."""
    from sample_data.user_data.table import ReadingQuestion  # slow import

    return tuple(
        ReadingQuestion(one["text"], tuple(map(tuple, one["readings"]))) for one in reading.get("questions", ())
    )


def recipe_with(recipe, changes):
    """The recipe with what `look` says of a fix."""
    return replace(recipe, **changes | {"kinds": recipe.kinds | changes.get("kinds", {})})


def _frozen(value):
    return tuple(value) if isinstance(value, list) else value
