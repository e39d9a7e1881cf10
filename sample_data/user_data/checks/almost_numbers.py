"""Find a column of texts nearly all of which are numbers."""

from dataclasses import replace

import pandas

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.limits import MAX_CLASSES
from sample_data.user_data.not_numbers import not_numbers
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import counted, listed, plural


def exceptions_as_missing(table: Table, recipe: Recipe) -> list[Problem]:
    """Return notes about cells that are treated as missing because the other cells are numbers or dates."""
    found = []
    for name, texts in recipe.missing.items():
        values = table.frame[name] if name in table.frame.columns else None
        if values is None or not isinstance(values.dtype, pandas.CategoricalDtype | pandas.StringDtype):
            continue
        counts = values.value_counts()
        there = [text for text in texts if counts.get(text, 0)]
        is_target = name == recipe.target
        kind = "number" if is_target and (recipe.numbers or recipe.bins) else recipe.kinds.get(name)
        if not there or kind not in ("number", "date"):
            continue
        n = int(sum(counts[text] for text in there))
        text = (
            (
                f"{counted(n, 'cell')} of '{name:.60}' {plural(n, f'is not a {kind}', f'are not {kind}s')}: "
                f"{listed(there, 3)}. {plural(n, 'This row is', 'These rows are')} excluded."
            )
            if is_target
            else (
                f"{counted(n, 'cell')} of '{name:.60}' {plural(n, f'is not a {kind}', f'are not {kind}s')}: "
                f"{listed(there, 3)}. {plural(n, 'It is', 'They are')} treated as missing."
            )
        )
        back = replace(recipe, missing={one: marks for one, marks in recipe.missing.items() if one != name})
        back = replace(back.with_kinds({name: "category"}), **({"numbers": False, "bins": None} if is_target else {}))
        found.append(Problem("exceptions", (name,), text, "info", ("Use as category", back)))
    return found


def almost_numbers(values: pandas.Series, summary: ColumnSummary, recipe: Recipe) -> list[Problem]:
    """Return one question about a column of texts that are mostly numbers, or an empty list."""
    name, is_target = summary.name, summary.name == recipe.target
    is_known = (recipe.numbers or recipe.bins) if is_target else recipe.kinds.get(name, "ignore") == "number"
    others = {} if is_known else not_numbers(values, summary)
    if not others:
        return []
    changed = recipe.with_kinds({name: "number"})
    n = sum(others.values())
    if is_target:
        severity = "stops" if summary.n_distinct > MAX_CLASSES else "warns"
        fix = ("Predict numbers", replace(changed, numbers=True))
        text = (
            f"Column '{name:.60}' contains numbers, but {counted(n, 'value')} "
            f"{plural(n, 'is not a number', 'are not numbers')}: {listed(others, 3)}. If the column is used as "
            "numbers, these rows are excluded."
        )
        return [Problem("almost numbers", (name,), text, severity, fix)]
    text = (
        f"Column '{name:.60}' contains numbers, but {counted(n, 'value')} "
        f"{plural(n, 'is not a number', 'are not numbers')}: {listed(others, 3)}. If the column is used as "
        "numbers, these values are missing."
    )
    return [Problem("almost numbers", (name,), text, "warns", ("Use as number", changed))]
