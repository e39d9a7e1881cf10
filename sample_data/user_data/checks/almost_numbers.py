"""`almost_numbers`: a column of texts that are numbers but for a few."""

from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.limits import MAX_CLASSES
from sample_data.user_data.listing import listed
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.values import is_missing, is_number

_LEAST = 0.9  # share of the cells


def almost_numbers(values: pandas.Series, summary: ColumnSummary, recipe: Recipe) -> list[Problem]:
    """Return one question about a column, target or feature, that the recipe takes for texts, or none."""
    name, is_target = summary.name, summary.name == recipe.target
    is_known = (recipe.numbers or recipe.bins) if is_target else recipe.kinds.get(name, "ignore") == "number"
    others = {} if is_known else _others(values, summary)
    if not others:
        return []
    mended = recipe.with_kinds({name: "number"})
    text = f"Column '{name[:60]}' holds numbers, but {sum(others.values()):,} values are none: "
    text += f"{listed(list(others), 3)}. As numbers, "
    if is_target:
        severity = "stops" if summary.n_distinct > MAX_CLASSES else "warns"
        way = ("Predict the numbers", replace(mended, numbers=True))
        return [Problem("almost numbers", (name,), f"{text}their rows would be left out.", severity, way)]
    way = ("Take it as numbers", mended)
    return [Problem("almost numbers", (name,), f"{text}these would be missing.", "warns", way)]


def _others(values, summary) -> dict[str, int]:
    """{text: cells} of what is no number, where nearly all cells are."""
    if summary.kind not in ("category", "text") or summary.n_distinct < 5:
        return {}
    if not isinstance(values.dtype, pandas.CategoricalDtype):
        return {}
    words = [str(word) for word in values.cat.categories]
    some = words[:: max(len(words) // 1000, 1)]
    if sum(map(is_number, words[:50])) < 25 and sum(map(is_number, some)) < 0.8 * len(some):
        return {}
    are_numbers = pandas.to_numeric(pandas.Series(words), errors="coerce").notna().to_numpy()
    codes = values.cat.codes.to_numpy()
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    if counts[are_numbers].sum() < _LEAST * counts.sum():
        return {}
    told = zip(words, are_numbers, counts.tolist(), strict=True)
    return {word: n for word, is_one, n in told if n and not is_one and not is_missing(word)}
