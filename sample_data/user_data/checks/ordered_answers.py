"""Find columns whose values have a natural order, with fixes that set or remove the order."""

from collections.abc import Sequence
from dataclasses import replace

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.column_levels import answer_levels, is_ordered
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import plural

_SHOWN = 3
_LONGEST = 120  # maximum number of characters for the shown levels of a column


def ordered_answers(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return a note about columns that are ordered by the words in their values, and an offer to order others."""
    used, taken, offered = set(recipe.features()), {}, {}
    for summary in summaries:
        kind = recipe.kinds.get(summary.name)
        if summary.name not in used or kind not in ("ordered", "category") or is_ordered(table.frame[summary.name]):
            continue
        levels = answer_levels(table.frame[summary.name], summary)
        if not levels:
            continue
        if kind == "category":
            offered[summary.name] = levels
        elif recipe.levels.get(summary.name, levels) == levels:
            taken[summary.name] = levels
    found = []
    if taken:
        text = f"{_columns(taken)}. {plural(len(taken), 'It is an ordered feature', 'They are ordered features')}."
        back = replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(taken, "category")})
        label = "Use as category" if len(taken) == 1 else "Use as categories"
        found.append(Problem("ordered answers", tuple(taken), text, "info", (label, back)))
    if offered:
        text = f"{_columns(offered)}. A tree can split an ordered column between two adjacent levels."
        kinds = {**recipe.kinds, **dict.fromkeys(offered, "ordered")}
        ordered = replace(recipe, kinds=kinds, levels=recipe.levels | offered)
        found.append(Problem("order", tuple(offered), text, "info", ("Use as ordered", ordered)))
    return found


def _columns(found):
    shown = [f"'{name[:60]}' ({_levels(levels)})" for name, levels in list(found.items())[:_SHOWN]]
    if len(found) == 1:
        return f"Column {shown[0]} has an order"
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return f"{len(found):,} columns have an order: {', '.join(shown) + more}"


def _levels(levels):
    text = " < ".join(levels)
    return text if len(text) <= _LONGEST else f"{levels[0][:40]} < … < {levels[-1][:40]}"
