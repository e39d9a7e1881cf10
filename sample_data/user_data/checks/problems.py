"""Find possible problems of a table and its recipe. Each problem has a text, and most have a fix."""

from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.added_columns import summarise_with_added, with_added_columns
from sample_data.user_data.checks.column_problems import (
    cell_contents,
    column_problems,
    exceptions_as_missing,
    ignore_columns,
    marked_features,
)
from sample_data.user_data.checks.leaks import leaks, number_leaks
from sample_data.user_data.checks.problem import SEVERITIES, Problem
from sample_data.user_data.checks.suspects import offered_differences, suspects
from sample_data.user_data.checks.target_problems import ordered_answers, subject_problems, target_problems
from sample_data.user_data.crossing import count_equal, value_codes
from sample_data.user_data.plan import plan, row_hashes
from sample_data.user_data.proposal import propose_kind
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.remove_markers import remove_markers, summarise_without_markers
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.errors import DataError
from treecore.messages import counted, listed, plural
from treecore.tables.table_columns import category_text
from treecore.tree.number_text import percent

_FEW_ROWS = 30
_MANY_DUPLICATES = 0.05
_MORE_THAN_CHANCE = 10  # number of equal rows, relative to chance, that are duplicates of the same observation
_FINEST, _ROWS_OF_DUPLICATES = 6, 20_000  # maximum numbers of columns and rows of this comparison
_POSITIVE = np.int64(2**63 - 1)
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
        text = (
            f"The table lacks these columns of the recipe: {listed(sorted(absent))}. The recipe may belong to "
            "another file."
        )
        return [Problem("columns", (), text, "stops")]
    excepted = exceptions_as_missing(table, recipe)
    table = remove_markers(table, recipe)
    try:
        table = with_added_columns(table, recipe)
    except DataError as fault:
        return [Problem("recipe", (), str(fault), "stops")]
    summaries = summarise_without_markers(table, summaries, recipe)
    summaries = summarise_with_added(table, summaries, recipe)
    found, codes = target_problems(table, summaries, recipe)
    found += excepted
    found += _unusable(table, summaries, recipe)
    found += column_problems(table, summaries, recipe)
    found += marked_features(table, recipe)
    found += cell_contents(table, summaries, recipe)
    found += ordered_answers(table, summaries, recipe)
    found += subject_problems(table, summaries, recipe)
    found += offered_differences(table, summaries, recipe)
    if codes is not None and recipe.features():
        found += number_leaks(table, summaries, recipe) if recipe.numbers else leaks(table, summaries, recipe, codes)
        named = {name for problem in found if problem.kind == "leak" for name in problem.columns}
        found += suspects(table, summaries, recipe, named)
        found += _row_problems(table, summaries, recipe, codes)
    if table.n_rows < _FEW_ROWS:
        text = f"The table has only {counted(table.n_rows, 'row')}, so the measured errors are unreliable."
        found.append(Problem("few rows", (), text, "warns"))
    if not any(problem.severity == "stops" for problem in found):
        try:
            plan(table, recipe)
        except DataError as fault:
            found.append(Problem("recipe", (), str(fault), "stops"))
    found = [_without_dead_end(problem, recipe) for problem in found]
    return sorted(found, key=lambda problem: SEVERITIES.index(problem.severity))


def _without_dead_end(problem, recipe):
    """Return the problem without fixes that would leave no feature."""
    ways = {name: way for name in ("fix", "wider") if (way := getattr(problem, name)) is not None}
    dead = [name for name, (_, fixed) in ways.items() if recipe.features() and not fixed.features()]
    return replace(problem, **dict.fromkeys(dead)) if dead else problem


def _unusable(table, summaries, recipe) -> list[Problem]:
    found = []
    if not recipe.features():
        others = [s.name for s in summaries if s.name != recipe.target]
        unfit = all(propose_kind(s) == "ignore" for s in summaries if s.name != recipe.target)
        text = (
            (
                f"Apart from the target, the table contains only texts, ID columns and constants: {listed(others)}. "
                "A tree needs numbers, categories or dates. Add columns computed from the texts, such as the number "
                "of words, or select another kind for a column."
            )
            if unfit
            else "All columns are ignored. Use at least one as a number, a category or a date."
        )
        if len(table.frame.columns) == 1:
            text = (
                "The table has a target but no feature, because it has only one column. If each line contains "
                "several values, change the delimiter in the reading options."
            )
        found.append(Problem("no feature", (), text, "stops"))
    for name in recipe.features():
        if recipe.kinds[name] != "date":
            continue
        values = table.frame[name]
        if pandas.api.types.is_numeric_dtype(values):
            kinds = {**recipe.kinds, name: "number"}
            text = f"Column '{name:.60}' contains numbers, not dates."
            found.append(Problem("no date", (name,), text, "stops", ("Use as number", replace(recipe, kinds=kinds))))
    return found + _split(table, recipe)


def _split(table, recipe) -> list[Problem]:
    name = recipe.split_column
    if recipe.split not in ("column", "time", "group"):
        return []
    at_random = ("Split at random", replace(recipe, split="stratified"))
    if not {name, recipe.split_within or name} <= set(table.frame.columns):
        return [
            Problem(
                "split", (), f"The table has no split column '{name!s:.60}'. Choose another column.", "stops", at_random
            )
        ]
    if recipe.target in (name, recipe.split_within):
        return [
            Problem(
                "split",
                (name,),
                f"The rows are split by the target '{recipe.target:.60}', which is unknown for new rows.",
                "warns",
                at_random,
            )
        ]
    if recipe.split == "group":
        return []
    if recipe.split == "time":
        if name in recipe.features():
            text = (
                f"The rows are split by '{name:.60}', which is also a feature. In test rows, this feature has "
                "values that never occur in training."
            )
            fix = ("Ignore column", ignore_columns(recipe, [name]))
            return [Problem("split", (name,), text, "info", fix)]
        return []
    counts = table.frame[name].value_counts()
    known = recipe.split_values or {}
    parts = {known.get(category_text(value)) for value in counts.index if counts[value]}
    if "train" not in parts:
        text = f"No value of '{name:.60}' is assigned to training. Assign at least one."
        return [Problem("split", (name,), text, "stops", at_random)]
    lost = [category_text(value) for value in counts.index if counts[value] and category_text(value) not in known]
    n_lost = int(sum(counts[value] for value in counts.index if category_text(value) not in known))
    n_lost += int(table.frame[name].isna().sum())
    found = [
        Problem(
            "marker",
            (name,),
            f"'{name:.60}' assigns the rows to training, validation and testing, and is not a feature.",
            "info",
            at_random,
        )
    ]
    if n_lost:
        text = (
            (
                f"{counted(n_lost, 'row')} {plural(n_lost, 'is', 'are')} excluded, because these values belong "
                f"to no set: {listed(lost)}."
            )
            if lost
            else (
                f"{counted(n_lost, 'row')} {plural(n_lost, 'is', 'are')} excluded, because no set is assigned to "
                f"{plural(n_lost, 'it', 'them')}."
            )
        )
        found.append(Problem("split", (name,), text, "warns"))
    if "test" not in parts:
        text = f"No value of '{name:.60}' is assigned to testing, so no test error can be measured."
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
    if set(recipe.group_columns()) & set(table.frame.columns):  # the split keeps groups together
        own = row_hashes(table.frame, [*recipe.features(), recipe.target, *recipe.group_columns()])[codes >= 0]
        n_again = len(own) - len(np.unique(own))
    owners = np.bincount(pairs // np.int64(classes.max() + 1), minlength=len(same))
    n_torn = int(np.bincount(firsts, minlength=len(same))[owners > 1].sum())
    share = n_again / len(features)
    if n_again and recipe.drop_duplicates:
        fix = ("Keep duplicates", replace(recipe, drop_duplicates=False))
        found.append(
            Problem(
                "no duplicates",
                (),
                (
                    f"{counted(n_again, 'row')} ({percent(share)}) {plural(n_again, 'repeats', 'repeat')} another "
                    f"row in all columns in use, and {plural(n_again, 'is', 'are')} removed."
                ),
                "info",
                fix,
            )
        )
    elif n_again and _are_unlike(table, summaries, recipe, codes):
        text = (
            f"{counted(n_again, 'row')} ({percent(share)}) {plural(n_again, 'repeats', 'repeat')} another row in "
            "all columns in use. If these rows repeat one observation, that observation can be in both the "
            "training set and the test set."
        )
        fix = (f"Remove duplicates ({len(features) - n_again:,} rows left)", replace(recipe, drop_duplicates=True))
        found.append(Problem("duplicates", (), text, "warns" if share > _MANY_DUPLICATES else "info", fix))
    elif n_again:
        found.append(
            Problem(
                "duplicates",
                (),
                (
                    f"{counted(n_again, 'row')} ({percent(share)}) {plural(n_again, 'repeats', 'repeat')} another "
                    "row in all columns in use. The values are so few that different observations can be equal, so "
                    "all rows are kept."
                ),
                "info",
            )
        )
    if n_torn:
        text = (
            (
                f"{counted(n_torn, 'row')} {plural(n_torn, 'has', 'have')} the same features as a row with "
                "another number. No tree can predict all these rows correctly."
            )
            if recipe.numbers
            else (
                f"{counted(n_torn, 'row')} {plural(n_torn, 'has', 'have')} the same features as a row of another "
                "class. No tree can predict all these rows correctly."
            )
        )
        found.append(Problem("contradictions", (), text, "info"))
    return found


def _are_unlike(table, summaries, recipe, codes):
    """Test whether equal rows are probably duplicates of one observation.

    They are, if far more rows are equal than rows that are equal in all columns but one predict, for some column with
    many different values. Passengers of the same class, age and fare are equal by chance.
    """
    if recipe.row_names is not None and not table.frame[recipe.row_names].duplicated().any():
        return False
    known = {summary.name: summary for summary in summaries}
    measured = [name for name in recipe.features() if recipe.kinds[name] in ("number", "date")]
    fine = [name for name in measured if known[name].n_distinct >= max(_FEW_VALUES, _FINE * table.n_rows)]
    fine = sorted(fine, key=lambda name: -known[name].n_distinct)[:_FINEST]
    rows = np.flatnonzero(codes >= 0)[:_ROWS_OF_DUPLICATES]
    frame = table.frame.iloc[rows]
    used = [*recipe.features(), recipe.target]
    n_equal = count_equal(row_hashes(frame, used).view(np.int64) & _POSITIVE)
    for name in fine:
        rest = [other for other in used if other != name]
        n_rest = count_equal(row_hashes(frame, rest).view(np.int64) & _POSITIVE)
        n_same = max(count_equal(value_codes(frame[name]) + 1) - n_equal, 1)  # empty cells are equal, too
        if n_equal > _MORE_THAN_CHANCE * n_rest * n_same / (len(rows) * (len(rows) - 1) / 2):
            return True
    return False
