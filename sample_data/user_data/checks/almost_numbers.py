"""Find a column of texts nearly all of which are numbers."""

from dataclasses import replace

import pandas

from sample_data.user_data.checks.messages import MESSAGES
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.limits import MAX_CLASSES
from sample_data.user_data.not_numbers import not_numbers
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary


def almost_numbers(values: pandas.Series, summary: ColumnSummary, recipe: Recipe) -> list[Problem]:
    """Return one question about a column of texts that are mostly numbers, or an empty list."""
    name, is_target = summary.name, summary.name == recipe.target
    is_known = (recipe.numbers or recipe.bins) if is_target else recipe.kinds.get(name, "ignore") == "number"
    others = {} if is_known else not_numbers(values, summary)
    if not others:
        return []
    changed = recipe.with_kinds({name: "number"})
    facts = {"name": name, "n": sum(others.values()), "others": list(others)}
    if is_target:
        severity = "stops" if summary.n_distinct > MAX_CLASSES else "warns"
        fix = ("Predict numbers", replace(changed, numbers=True))
        return [Problem("almost numbers", (name,), MESSAGES("almost_numbers.target", **facts), severity, fix)]
    fix = ("Use as number", changed)
    return [Problem("almost numbers", (name,), MESSAGES("almost_numbers", **facts), "warns", fix)]
