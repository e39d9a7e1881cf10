"""Ask about texts such as "NA" that were read as missing, and may be values of a column."""

from dataclasses import replace

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.read_as_missing import cells_read_as_missing
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table import Table
from treecore.messages import counted, listed, plural
from treecore.tree.number_text import percent

_LARGE = 0.2  # share of rows without a class, above which the question is a warning


def marked_target(table: Table, recipe: Recipe) -> tuple[list[Problem], int]:
    """Return (the question about such texts in the target, number of rows without a class because of them)."""
    cells = cells_read_as_missing(table, recipe.target)
    if not cells:
        return [], 0
    n = sum(cells.values())
    share = n / table.n_rows
    text = (
        f"{counted(n, 'row')} ({percent(share)}) with {listed(list(cells))} in '{recipe.target:.60}' "
        f"{plural(n, 'is', 'are')} excluded, because this usually means a missing value. Is it a class?"
    )
    label = "Use as class" if len(cells) == 1 else "Use as classes"
    fix = (label, _with_values(recipe, {recipe.target: cells}))
    return [Problem("marked", (recipe.target,), text, "warns" if share > _LARGE else "info", fix)], n


def marked_features(table: Table, recipe: Recipe) -> list[Problem]:
    """Return one question about all features of categories with such texts, or an empty list."""
    used = [name for name in recipe.features() if recipe.kinds[name] == "category"]
    found = {name: cells for name in used if (cells := cells_read_as_missing(table, name))}
    if not found:
        return []
    texts = list(dict.fromkeys(text for cells in found.values() for text in cells))
    n = sum(sum(cells.values()) for cells in found.values())
    text = (
        f"{counted(n, 'cell')} {listed(texts, 3)} of {listed(list(found))} {plural(n, 'was', 'were')} read as "
        "missing. Does this text mean a value?"
    )
    label = "Use as value" if len(texts) == 1 else "Use as values"
    return [Problem("marked", tuple(found), text, "info", (label, _with_values(recipe, found)))]


def _with_values(recipe, found):
    """Return the recipe with {column: texts} as values."""
    values = {name: (*recipe.values.get(name, ()), *texts) for name, texts in found.items()}
    missing = {
        name: [text for text in recipe.missing.get(name, ()) if text not in texts] for name, texts in found.items()
    }
    return replace(recipe, values=recipe.values | values, missing=recipe.missing | missing)
