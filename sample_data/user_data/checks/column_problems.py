"""Find columns without information, ID columns, and columns whose kind is misleading."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sample_data.user_data.checks.almost_numbers import almost_numbers
from sample_data.user_data.checks.missing_markers import missing_markers
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.grouping import group, group_text, propose_below
from sample_data.user_data.proposal import counters_within, is_id_like, single_valued_target
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import counted, listed, plural
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
                text = (
                    f"{text} A target needs at least two values, so '{recipe.target:.60}' is the target instead "
                    f"of '{expected:.60}'. Choose another target if necessary."
                )
            found.append(Problem(kind, tuple(left), text, "info"))
    found += _counters(table, summaries, recipe)
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
    n = len(columns)
    one, several = {
        "empty": (f"Column {listed(columns)} has no values.", f"{n:,} columns have no values: {listed(columns)}."),
        "constant": (
            f"Column {listed(columns)} has the same value in every row.",
            f"{n:,} columns have the same value in every row: {listed(columns)}.",
        ),
        "id": (
            (
                f"Column {listed(columns)} has a different value in (nearly) every row, like an ID column. A tree "
                "could use this column to memorise rows."
            ),
            f"{n:,} columns have a different value in (nearly) every row, like ID columns: {listed(columns)}.",
        ),
        "text": (
            f"Column {listed(columns)} contains free text with many different values.",
            f"{n:,} columns contain free text with many different values: {listed(columns)}.",
        ),
        "missing": (
            f"Column {listed(columns)} has missing values in more than half of the rows.",
            f"{n:,} columns have missing values in more than half of the rows: {listed(columns)}.",
        ),
    }[kind]
    return one if n == 1 else several


def _unused(kind, columns):
    return f"{_sentence(kind, columns)} {plural(len(columns), 'It is', 'They are')} not used."


def _counters(table, summaries, recipe) -> list[Problem]:
    names = [name for name in counters_within(table.frame, summaries) if recipe.kinds.get(name) == "ignore"]
    names = [name for name in names if name not in (recipe.target, recipe.row_names, *recipe.group_columns())]
    if not names:
        return []
    text = (
        f"{plural(len(names), 'Column', 'Columns')} {listed(names)} {plural(len(names), 'numbers', 'number')} the rows "
        f"within groups. {plural(len(names), 'It is', 'They are')} not used."
    )
    back = replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(names, "number")})
    label = "Use as number" if len(names) == 1 else "Use as numbers"
    return [Problem("counter", tuple(names), text, "info", (label, back))]


def _out_of_reach(table) -> list[Problem]:
    """Return the problem of columns with infinite numbers, or numbers too large for training."""
    floats = table.frame.select_dtypes("floating")
    cells = {name: int((np.abs(values.to_numpy()) > LARGEST).sum()) for name, values in floats.items()}
    found = {name: n for name, n in cells.items() if n}
    if not found:
        return []
    text = (
        f"{counted(sum(found.values()), 'value')} of {listed(list(found))} "
        f"{plural(sum(found.values()), 'is', 'are')} infinite or larger than {LARGEST:g} in absolute value, and "
        f"{plural(sum(found.values()), 'is', 'are')} treated as missing. To keep these values, rescale the "
        "column."
    )
    return [Problem("out of reach", tuple(found), text, "warns")]


def _many_values(table, summaries, recipe, features) -> list[Problem]:
    many = [s for s in summaries if s.name in features and recipe.kinds[s.name] == "category"
            and s.n_distinct > recipe.most_categories and not is_id_like(s) and s.kind != "text"]  # fmt: skip
    grouped = [s for s in many if s.name in recipe.group_below]
    found = [one for summary in grouped[:_MOST_SHOWN] for one in _group_problems(table, summary, recipe)]
    if many := [s for s in many if s not in grouped]:
        names = tuple(s.name for s in many)
        most = max(s.n_distinct for s in many)
        text = (
            f"{plural(len(names), 'Column', 'Columns')} {listed(names)} "
            f"{plural(len(names), 'has', 'have up to')} {most:,} different values. The {recipe.most_categories} "
            "most frequent values in a column become features. All other values become 'none of these'."
        )
        more = min(200, most)
        fix = (f"Keep {more} values", replace(recipe, most_categories=more)) if more > recipe.most_categories else None
        if recipe.most_categories == DEFAULT_MOST:
            below = {s.name: propose_below(table.frame[s.name]) for s in many}
            fix = ("Combine rare values", replace(recipe, group_below=recipe.group_below | below))
        found.append(Problem("many values", names, text, "info", fix))
    n_features = sum(min(s.n_distinct, recipe.most_categories) if recipe.kinds[s.name] == "category" else 1
                     for s in summaries if s.name in features)  # fmt: skip
    if n_features > _MOST_FEATURES:
        text = (
            f"The table has {n_features:,} features. Bivariate trees test all pairs of features, so training can "
            "take a long time."
        )
        found.append(Problem("many features", (), text, "warns"))
    return found


def _group_problems(table, summary, recipe):
    """Return the problem of a column's combined rare values, with a fix that keeps them separate, or an empty list."""
    name, below = summary.name, recipe.group_below[summary.name]
    found = group(table.frame[name], recipe.most_categories, below)
    if not found.name:
        return []
    text = (
        f"Column '{name:.60}' has {summary.n_distinct:,} different values. {len(found.kept):,} of them are "
        f"features. The rare values are combined as {group_text(found)}."
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
        f"Column {plural(len(names), 'name', 'names')} {listed(names)} would run as a formula in a spreadsheet. "
        "This app treats names as text."
    )
    return [Problem("formula", names, text, "info")]
