"""Find possible problems of a table and its recipe. Each problem has a text, and most have a fix."""

from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.checks.column_problems import column_problems, ignore_columns
from sample_data.user_data.checks.leaks import leaks
from sample_data.user_data.checks.messages import MESSAGES
from sample_data.user_data.checks.number_leaks import number_leaks
from sample_data.user_data.checks.offered_differences import offered_differences
from sample_data.user_data.checks.ordered_answers import ordered_answers
from sample_data.user_data.checks.problem import SEVERITIES, Problem
from sample_data.user_data.checks.subject_problems import subject_problems
from sample_data.user_data.checks.target_problems import target_problems
from sample_data.user_data.differences import summarise_with_differences, with_differences
from sample_data.user_data.plan import plan
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.remove_markers import remove_markers, summarise_without_markers
from sample_data.user_data.row_hashes import row_hashes
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.errors import DataError
from treecore.tables.table_columns import category_text

_FEW_ROWS = 30
_MANY_DUPLICATES = 0.05
_FEW_VALUES, _FINE = (20, 0.1)  # minimum number of different values of a measured feature, also as a share of the rows


def problems(table: Table, summaries: list[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the problems. Those that stop the data set come first.

    Without a problem that stops, `make_data_set` succeeds.
    """
    names = set(table.frame.columns)
    recipe = recipe.for_columns(table.frame.columns)
    required = {recipe.target, *recipe.kinds, *recipe.missing, recipe.row_names or recipe.target}
    absent = recipe.sources(required) - names
    if absent:
        text = MESSAGES("no_such_column", columns=sorted(absent))
        return [Problem("columns", (), text, "stops")]
    table = remove_markers(table, recipe)
    try:
        table = with_differences(table, recipe)
    except DataError as fault:
        return [Problem("recipe", (), fault.sentence, "stops")]
    summaries = summarise_without_markers(table, summaries, recipe)
    summaries = summarise_with_differences(table, summaries, recipe)
    found, codes = target_problems(table, summaries, recipe)
    found += _unusable(table, recipe)
    found += column_problems(table, summaries, recipe)
    found += ordered_answers(table, summaries, recipe)
    found += subject_problems(table, summaries, recipe)
    found += offered_differences(table, summaries, recipe)
    if codes is not None and recipe.features():
        found += number_leaks(table, summaries, recipe) if recipe.numbers else leaks(table, summaries, recipe, codes)
        found += _row_problems(table, summaries, recipe, codes)
    if table.n_rows < _FEW_ROWS:
        text = MESSAGES("few_rows", n=table.n_rows)
        found.append(Problem("few rows", (), text, "warns"))
    if not any(problem.severity == "stops" for problem in found):
        try:
            plan(table, recipe)
        except DataError as fault:
            found.append(Problem("recipe", (), fault.sentence, "stops"))
    found = [_without_dead_end(problem, recipe) for problem in found]
    return sorted(found, key=lambda problem: SEVERITIES.index(problem.severity))


def _without_dead_end(problem, recipe):
    """Return the problem without fixes that would leave no feature."""
    ways = {name: way for name in ("fix", "wider") if (way := getattr(problem, name)) is not None}
    dead = [name for name, (_, fixed) in ways.items() if recipe.features() and not fixed.features()]
    return replace(problem, **dict.fromkeys(dead)) if dead else problem


def _unusable(table, recipe) -> list[Problem]:
    found = []
    if not recipe.features():
        text = MESSAGES("no_feature")
        if len(table.frame.columns) == 1:
            text = MESSAGES("one_column")
        found.append(Problem("no feature", (), text, "stops"))
    for name in recipe.features():
        if recipe.kinds[name] != "date":
            continue
        values = table.frame[name]
        if pandas.api.types.is_numeric_dtype(values):
            kinds = {**recipe.kinds, name: "number"}
            text = MESSAGES("no_dates", name=name)
            found.append(Problem("no date", (name,), text, "stops", ("Use as number", replace(recipe, kinds=kinds))))
    return found + _split(table, recipe)


def _split(table, recipe) -> list[Problem]:
    name = recipe.split_column
    if recipe.split not in ("column", "time", "group"):
        return []
    at_random = ("Split at random", replace(recipe, split="stratified"))
    if name not in table.frame.columns:
        return [Problem("split", (), MESSAGES("split.no_column", name=name), "stops", at_random)]
    if recipe.split == "group":
        return []
    if recipe.split == "time":
        if name in recipe.features():
            text = MESSAGES("split.feature", name=name)
            fix = ("Ignore column", ignore_columns(recipe, [name]))
            return [Problem("split", (name,), text, "info", fix)]
        return []
    counts = table.frame[name].value_counts()
    known = recipe.split_values or {}
    parts = {known.get(category_text(value)) for value in counts.index if counts[value]}
    if "train" not in parts:
        text = MESSAGES("split.no_training", name=name)
        return [Problem("split", (name,), text, "stops", at_random)]
    lost = [category_text(value) for value in counts.index if counts[value] and category_text(value) not in known]
    n_lost = int(sum(counts[value] for value in counts.index if category_text(value) not in known))
    n_lost += int(table.frame[name].isna().sum())
    found = []
    if n_lost:
        text = MESSAGES("split.no_part" if lost else "split.missing", values=lost, n=n_lost)
        found.append(Problem("split", (name,), text, "warns"))
    if "test" not in parts:
        text = MESSAGES("split.no_test", name=name)
        found.append(Problem("split", (name,), text, "warns"))
    return found


def _row_problems(table, summaries, recipe, codes) -> list[Problem]:
    """Return the problems of duplicate rows, and of rows that differ only in the class."""
    features = row_hashes(table.frame, recipe.features())[codes >= 0]
    classes = codes[codes >= 0]
    found = []
    same, firsts = np.unique(features, return_inverse=True)
    if len(same) == len(features):
        return []
    pairs = np.unique(firsts * np.int64(classes.max() + 1) + classes)
    n_again = len(features) - len(pairs)
    if recipe.split == "group" and recipe.split_column in table.frame.columns:  # the split keeps groups together
        own = row_hashes(table.frame, [*recipe.features(), recipe.target, recipe.split_column])[codes >= 0]
        n_again = len(own) - len(np.unique(own))
    owners = np.bincount(pairs // np.int64(classes.max() + 1), minlength=len(same))
    n_torn = int(np.bincount(firsts, minlength=len(same))[owners > 1].sum())
    if n_again and not recipe.drop_duplicates:
        share = n_again / len(features)
        text = MESSAGES("duplicates", n=n_again, share=share)
        fix = (f"Remove duplicates ({len(features) - n_again:,} rows left)", replace(recipe, drop_duplicates=True))
        is_strange = share > _MANY_DUPLICATES and _are_unlike(table, summaries, recipe)
        found.append(Problem("duplicates", (), text, "warns" if is_strange else "info", fix))
    if n_torn:
        text = MESSAGES("contradictions.numbers" if recipe.numbers else "contradictions", n=n_torn)
        found.append(Problem("contradictions", (), text, "info"))
    return found


def _are_unlike(table, summaries, recipe):
    """Test whether equal rows are probably duplicates of one observation.

    Equal rows are duplicates if no column has unique names and some feature has many different values.
    """
    if recipe.row_names is not None and not table.frame[recipe.row_names].duplicated().any():
        return False
    known = {summary.name: summary for summary in summaries}
    measured = [name for name in recipe.features() if recipe.kinds[name] in ("number", "date")]
    return any(known[name].n_distinct >= max(_FEW_VALUES, _FINE * table.n_rows) for name in measured)
