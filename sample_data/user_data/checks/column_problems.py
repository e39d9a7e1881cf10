"""`column_problems`: columns that tell nothing, too much of each row, or are not what they seem."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sample_data.user_data.checks.almost_numbers import almost_numbers
from sample_data.user_data.checks.missing_markers import missing_markers
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.grouping import group, group_text, proposed_below
from sample_data.user_data.proposal import is_id_like
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import counted, listed
from treecore.parameter_checks import LARGEST

_MOST_MISSING = 0.5
_MOST_FEATURES = 5000
_MOST_SHOWN = 5  # columns whose rare values are told of, one by one
DEFAULT_MOST = Recipe.most_categories


def column_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the findings about single columns, one for all columns of the same kind."""
    features = set(recipe.features())
    marked = missing_markers(table, summaries, recipe)
    found = list(marked)
    spoilt = {name for one in marked if one.severity == "warns" for name in one.columns}  # texts for a marker's sake
    for kind, applies, words, severity in _KINDS:
        columns = [s.name for s in summaries if s.name != recipe.target and applies(s)]
        columns = [name for name in columns if kind != "text" or name not in spoilt]
        used = [name for name in columns if name in features and (kind != "text" or recipe.kinds[name] != "number")]
        if used:
            found.append(Problem(kind, tuple(used), _text(used, words), severity, _ignoring(recipe, used)))
        left = [name for name in columns if recipe.kinds.get(name, "ignore") == "ignore" and kind != "missing"]
        left = [name for name in left if name != recipe.row_names]
        if left:
            found.append(Problem(kind, tuple(left), _text(left, words) + _left(left), "info"))
    found += _out_of_reach(table)
    asked = {recipe.target, *(name for one in marked for name in one.columns)}
    for summary in summaries:
        found += [] if summary.name in asked else almost_numbers(table.frame[summary.name], summary, recipe)
    found += _many_values(table, summaries, recipe, features)
    found += _formulas(table)
    return found


def ignoring(recipe: Recipe, columns: Sequence[str]) -> Recipe:
    """Return the recipe without these columns."""
    return replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(columns, "ignore")})


def _ignoring(recipe, columns):
    label = "Ignore it" if len(columns) == 1 else f"Ignore these {len(columns):,}"
    return label, ignoring(recipe, columns)


def _is_constant(summary):
    return summary.n_distinct == 1 and not summary.distinct_is_capped


def _is_text(summary):
    return summary.kind == "text" and not is_id_like(summary)


def _is_mostly_missing(summary):
    return _MOST_MISSING * summary.n_rows < summary.n_missing < summary.n_rows


_KINDS = (
    ("empty", lambda s: s.kind == "empty", ("has no value", "have no value"), "info"),
    ("constant", _is_constant, ("has the same value in every row", "have one value each"), "warns"),
    ("id", is_id_like, ("has another value in (nearly) every row, like a number or name of it; a tree would learn rows "
            "by heart", "have another value in (nearly) every row, like numbers or names of the rows"), "warns"),
    ("text", _is_text, ("is free text of many different values", "are free texts of many different values"), "warns"),
    ("missing", _is_mostly_missing, ("has no value in more than half of the rows",
                                     "have no value in more than half of the rows"), "warns"),
)  # fmt: skip


def _text(columns, words):
    if len(columns) == 1:
        return f"Column {listed(columns)} {words[0]}."
    return f"{len(columns):,} columns {words[1]}: {listed(columns)}."


def _left(columns):
    return " It is not used." if len(columns) == 1 else " They are not used."


def _out_of_reach(table) -> list[Problem]:
    """Columns with infinite numbers, or larger ones than training takes."""
    floats = table.frame.select_dtypes("floating")
    cells = {name: int((np.abs(values.to_numpy()) > LARGEST).sum()) for name, values in floats.items()}
    found = {name: n for name, n in cells.items() if n}
    if not found:
        return []
    text = (
        f"Infinite, or beyond {LARGEST:g} in size: {counted(sum(found.values()), 'value')} of {listed(list(found))}. "
        "They count as missing; rescale the column where they are meant."
    )
    return [Problem("out of reach", tuple(found), text, "warns")]


def _many_values(table, summaries, recipe, features) -> list[Problem]:
    many = [s for s in summaries if s.name in features and recipe.kinds[s.name] == "category"
            and s.n_distinct > recipe.most_categories and not is_id_like(s) and s.kind != "text"]  # fmt: skip
    grouped = [s for s in many if s.name in recipe.group_below]
    found = [one for summary in grouped[:_MOST_SHOWN] for one in _grouped(table, summary, recipe)]
    if many := [s for s in many if s not in grouped]:
        names = tuple(s.name for s in many)
        most, one = max(s.n_distinct for s in many), len(names) == 1
        text = (
            f"{'Column' if one else 'Columns'} {listed(names)} {'has' if one else 'have'} up to "
            f"{most:,} different values; the {recipe.most_categories} most frequent of a column become features, the "
            "others are 'none of these'."
        )
        more = min(200, most)
        fix = (f"Keep {more} values", replace(recipe, most_categories=more)) if more > recipe.most_categories else None
        if recipe.most_categories == DEFAULT_MOST:
            below = {s.name: proposed_below(table.frame[s.name]) for s in many}
            fix = ("Group the rare ones", replace(recipe, group_below=recipe.group_below | below))
        found.append(Problem("many values", names, text, "info", fix))
    n_features = sum(min(s.n_distinct, recipe.most_categories) if recipe.kinds[s.name] == "category" else 1
                     for s in summaries if s.name in features)  # fmt: skip
    if n_features > _MOST_FEATURES:
        text = (
            f"The table makes {n_features:,} features. Bivariate trees look at all pairs of them: expect long training."
        )
        found.append(Problem("many features", (), text, "warns"))
    return found


def _grouped(table, summary, recipe):
    """What becomes of the rare values of a column, and the way to keep them: a list of one, or of none."""
    name, below = summary.name, recipe.group_below[summary.name]
    found = group(table.frame[name], recipe.most_categories, below)
    if not found.name:
        return []
    text = (
        f"Column '{name[:60]}' has {summary.n_distinct:,} different values. {len(found.kept):,} are features; the rare "
        f"ones count as one: {group_text(found)}."
    )
    others = {column: rows for column, rows in recipe.group_below.items() if column != name}
    more = min(200, max(summary.n_distinct, recipe.most_categories))
    fix = (f"Keep {more} values", replace(recipe, group_below=others, most_categories=more))
    return [Problem("rare values", (name,), text, "info", fix)]


def _formulas(table) -> list[Problem]:
    names = tuple(name for name in table.frame.columns if name[0] in "=+-@")
    if not names:
        return []
    text = (
        f"Column name{'s' * (len(names) > 1)} {listed(names)} would run as a formula in a spreadsheet. Here a name is "
        "text and nothing else."
    )
    return [Problem("formula", names, text, "info")]
