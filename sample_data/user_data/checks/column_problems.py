"""Find columns without information, ID columns, and columns whose kind is misleading."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sample_data.user_data.checks.almost_numbers import almost_numbers
from sample_data.user_data.checks.messages import MESSAGES
from sample_data.user_data.checks.missing_markers import missing_markers
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.grouping import group, group_text, propose_below
from sample_data.user_data.proposal import is_id_like, single_valued_target
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.parameter_checks import LARGEST

_MOST_MISSING = 0.5
_MOST_FEATURES = 5000
_MOST_SHOWN = 5  # maximum number of columns whose rare values are listed one by one
DEFAULT_MOST = Recipe.most_categories


def column_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the problems of single columns, with one problem for all columns of the same kind."""
    features = set(recipe.features())
    marked = missing_markers(table, summaries, recipe)
    found = list(marked)
    # These columns are texts only because of a marker.
    marked_names = {name for one in marked if one.severity == "warns" for name in one.columns}
    for kind, applies, severity in _KINDS:
        columns = [s.name for s in summaries if s.name != recipe.target and applies(s)]
        columns = [name for name in columns if kind != "text" or name not in marked_names]
        used = [name for name in columns if name in features and (kind != "text" or recipe.kinds[name] != "number")]
        if used:
            found.append(Problem(kind, tuple(used), _sentence(kind, used), severity, _ignore_fix(recipe, used)))
        left = [name for name in columns if recipe.kinds.get(name, "ignore") == "ignore" and kind != "missing"]
        left = [name for name in left if name != recipe.row_names]
        if left:
            text = _unused(kind, left)
            if kind == "constant" and (expected := single_valued_target(summaries)) in left:
                text = MESSAGES("unused.expected", what=text, expected=expected, target=recipe.target)
            found.append(Problem(kind, tuple(left), text, "info"))
    found += _out_of_reach(table)
    handled = {recipe.target, *(name for one in marked for name in one.columns)}
    for summary in summaries:
        found += [] if summary.name in handled else almost_numbers(table.frame[summary.name], summary, recipe)
    found += _many_values(table, summaries, recipe, features)
    found += _formulas(table)
    return found


def ignore_columns(recipe: Recipe, columns: Sequence[str]) -> Recipe:
    """Return the recipe with these columns ignored."""
    return replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(columns, "ignore")})


def _ignore_fix(recipe, columns):
    label = "Ignore column" if len(columns) == 1 else f"Ignore {len(columns):,} columns"
    return label, ignore_columns(recipe, columns)


def _is_constant(summary):
    return summary.n_distinct == 1 and not summary.distinct_is_capped


def _is_text(summary):
    return summary.kind == "text" and not is_id_like(summary)


def _is_mostly_missing(summary):
    return _MOST_MISSING * summary.n_rows < summary.n_missing < summary.n_rows


_KINDS = (
    ("empty", lambda s: s.kind == "empty", "info"),
    ("constant", _is_constant, "warns"),
    ("id", is_id_like, "warns"),
    ("text", _is_text, "warns"),
    ("missing", _is_mostly_missing, "warns"),
)


def _sentence(kind, columns):
    return MESSAGES(f"{kind}.column" if len(columns) == 1 else f"{kind}.columns", n=len(columns), columns=columns)


def _unused(kind, columns):
    return MESSAGES("unused", what=_sentence(kind, columns), n=len(columns))


def _out_of_reach(table) -> list[Problem]:
    """Return the problem of columns with infinite numbers, or numbers too large for training."""
    floats = table.frame.select_dtypes("floating")
    cells = {name: int((np.abs(values.to_numpy()) > LARGEST).sum()) for name, values in floats.items()}
    found = {name: n for name, n in cells.items() if n}
    if not found:
        return []
    text = MESSAGES("out_of_reach", largest=LARGEST, n=sum(found.values()), columns=list(found))
    return [Problem("out of reach", tuple(found), text, "warns")]


def _many_values(table, summaries, recipe, features) -> list[Problem]:
    many = [s for s in summaries if s.name in features and recipe.kinds[s.name] == "category"
            and s.n_distinct > recipe.most_categories and not is_id_like(s) and s.kind != "text"]  # fmt: skip
    grouped = [s for s in many if s.name in recipe.group_below]
    found = [one for summary in grouped[:_MOST_SHOWN] for one in _group_problems(table, summary, recipe)]
    if many := [s for s in many if s not in grouped]:
        names = tuple(s.name for s in many)
        most = max(s.n_distinct for s in many)
        text = MESSAGES("many_values", n=len(names), columns=names, most=most, most_categories=recipe.most_categories)
        more = min(200, most)
        fix = (f"Keep {more} values", replace(recipe, most_categories=more)) if more > recipe.most_categories else None
        if recipe.most_categories == DEFAULT_MOST:
            below = {s.name: propose_below(table.frame[s.name]) for s in many}
            fix = ("Combine rare values", replace(recipe, group_below=recipe.group_below | below))
        found.append(Problem("many values", names, text, "info", fix))
    n_features = sum(min(s.n_distinct, recipe.most_categories) if recipe.kinds[s.name] == "category" else 1
                     for s in summaries if s.name in features)  # fmt: skip
    if n_features > _MOST_FEATURES:
        text = MESSAGES("many_features", n=n_features)
        found.append(Problem("many features", (), text, "warns"))
    return found


def _group_problems(table, summary, recipe):
    """Return the problem of a column's combined rare values, with a fix that keeps them separate, or an empty list."""
    name, below = summary.name, recipe.group_below[summary.name]
    found = group(table.frame[name], recipe.most_categories, below)
    if not found.name:
        return []
    text = MESSAGES("rare_values", name=name, n=summary.n_distinct, kept=len(found.kept), group=group_text(found))
    others = {column: rows for column, rows in recipe.group_below.items() if column != name}
    more = min(200, max(summary.n_distinct, recipe.most_categories))
    fix = (f"Keep {more} values", replace(recipe, group_below=others, most_categories=more))
    return [Problem("rare values", (name,), text, "info", fix)]


def _formulas(table) -> list[Problem]:
    names = tuple(name for name in table.frame.columns if name[0] in "=+-@")
    if not names:
        return []
    text = MESSAGES("formula", n=len(names), columns=names)
    return [Problem("formula", names, text, "info")]
