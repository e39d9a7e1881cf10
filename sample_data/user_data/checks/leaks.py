"""Find single columns that determine the class almost exactly, measured on held-out rows."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas
from sklearn.tree import DecisionTreeClassifier

from sample_data.user_data.checks.column_problems import ignore_columns
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.classes import quantities
from sample_data.user_data.proposal import is_id_like
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import listed
from treecore.tree.number_text import percent

_ROWS = 4000
_COLUMNS = 300  # maximum number of columns to test; a leak in further columns is not found
_FEWEST_ROWS = 30
_FEWEST_ROWS_PER_CLASS = 4
_MOST_QUESTIONS = 8
_JOINT_COLUMNS, _JOINT_VALUES, _MOST_LEAVES = 100, 10, 32  # limits of the tree on several columns
_MOST_DATES, _KNOWN = (12, 0.5)  # maximum number of dates whose pairs are tested, smallest share of known differences
_MOST_ERROR = 0.01  # largest share of misclassified rows
_MOST_OF_BASE = 0.05  # largest number of errors, as a share of the errors of the majority class


def leaks(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe, codes: np.ndarray) -> list[Problem]:
    """Return a question about each feature that separates the classes by a few splits or by its values alone."""
    rows = np.flatnonzero(codes >= 0)
    if len(rows) < _FEWEST_ROWS:
        return []
    rows = np.random.default_rng(0).permutation(rows)[:_ROWS]
    if len(rows) < _FEWEST_ROWS_PER_CLASS * len(np.unique(codes[rows])):
        return []
    first, second = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    base = 1 - np.bincount(codes[rows]).max() / len(rows)
    used = set(recipe.features())
    features = [s for s in summaries if s.name in used and s.n_distinct > 1 and not is_id_like(s)]
    errors = {}
    for summary in features[:_COLUMNS]:
        is_category = recipe.kinds[summary.name] in ("category", "ordered")
        values = _values(table.frame[summary.name], rows, is_category)
        halves = values[: len(first)], values[len(first) :]
        predict = _by_value if is_category else _by_cuts
        error = float((predict(halves[0], codes[first], halves[1], codes) != codes[second]).mean())
        if error <= _MOST_ERROR and error <= _MOST_OF_BASE * base:
            errors[summary.name] = error
    if len(errors) > _MOST_QUESTIONS:
        return [_question_of_many(list(errors), recipe, len(rows))]
    if not errors:
        dates = [summary.name for summary in features if recipe.kinds[summary.name] == "date"][:_MOST_DATES]
        return _date_pairs(table.frame, dates, recipe, codes, (first, second), base) or _joint(
            table.frame, features[:_JOINT_COLUMNS], recipe, codes, (first, second), base
        )
    return [_question(name, recipe, error, len(rows)) for name, error in errors.items()]


def _date_pairs(frame, names, recipe, codes, halves, base) -> list[Problem]:
    """Return the question about two dates whose difference separates the classes by a few splits."""
    rows = np.concatenate(halves)
    days = {name: quantities(frame[name].iloc[rows]) for name in names}
    n, errors = len(halves[0]), {}
    for one, other in combinations(names, 2):
        times = days[other] - days[one]
        known = ~np.isnan(times)
        if known.sum() <= _KNOWN * len(rows):
            continue
        values = np.where(known, times, np.nanmin(times) - 1.0)
        error = float((_by_cuts(values[:n], codes[halves[0]], values[n:], codes) != codes[halves[1]]).mean())
        if error <= _MOST_ERROR and error <= _MOST_OF_BASE * base:
            errors[(one, other) if np.nanmedian(times) >= 0 else (other, one)] = error
    if not errors:
        return []
    pair = min(errors, key=lambda pair: errors[pair])
    right = _leak_of_rows(1 - errors[pair]) if errors[pair] else "every row"
    text = (
        f"The days from '{pair[0]:.60}' to '{pair[1]:.60}' predict the class almost perfectly: a few splits on "
        f"them predict it correctly in {right} (checked on {len(rows):,}). Is '{pair[1]:.60}' known only after "
        "the class?"
    )
    fix = (f"Ignore '{pair[1]:.30}'", ignore_columns(recipe, pair[1:]))
    return [Problem("leak", pair, text, "warns", fix, ("Ignore 2 columns", ignore_columns(recipe, pair)))]


def _joint(frame, features, recipe, codes, halves, base) -> list[Problem]:
    """Return the question about several columns on which a small tree predicts nearly every held-out row.

    Examples are one-hot columns of the target, and a sum that is compared with a limit.
    """
    rows = np.concatenate(halves)
    found = {}
    for summary in features:
        if recipe.kinds[summary.name] in ("category", "ordered"):
            values = frame[summary.name].iloc[rows]
            for text in values.value_counts().index[:_JOINT_VALUES]:
                found[summary.name, text] = (values == text).to_numpy(bool, na_value=False).astype(np.float64)
        else:
            found[summary.name, ""] = np.nan_to_num(_values(frame[summary.name], rows, False), nan=-1.0)
    if len(found) < 2:
        return []
    X, y, n = np.stack(list(found.values()), axis=1), codes[rows], len(halves[0])
    tree = DecisionTreeClassifier(max_leaf_nodes=min(2 * len(np.unique(y)), _MOST_LEAVES), random_state=0)
    error = float((tree.fit(X[:n], y[:n]).predict(X[n:]) != y[n:]).mean())
    if error > _MOST_ERROR or error > _MOST_OF_BASE * base:
        return []
    keys = list(found)
    names = tuple(dict.fromkeys(keys[k][0] for k in tree.tree_.feature if k >= 0))
    text = (
        f"A tree with only {tree.get_n_leaves()} leaves on {listed(list(names), 6)} predicts "
        f"{percent(1 - error)} of new rows correctly. Do these columns repeat the target? Or are their values "
        "known only after it?"
    )
    return [Problem("leak", names, text, "warns", (f"Ignore {len(names)} columns", ignore_columns(recipe, names)))]


def _values(values, rows, is_category):
    part = values.iloc[rows]
    if is_category:
        return part.factorize(use_na_sentinel=True)[0] + 1
    numbers = quantities(part)
    present = numbers[~np.isnan(numbers)]
    low, high = (present.min(), present.max()) if len(present) else (0.0, 0.0)
    return (numbers - low) / (high - low or 1.0)  # scikit-learn splits in float32, where large numbers become equal


def _by_value(train, y, values, codes):
    """Predict the most frequent class of each value, and no class for new values."""
    table = pandas.crosstab(train, y)
    best = pandas.Series(table.columns.to_numpy()[table.to_numpy().argmax(axis=1)], index=table.index)
    return best.reindex(values).fillna(-1).to_numpy().astype(np.int64)


def _by_cuts(train, y, values, codes):
    """Predict with a tree on one feature with two splits, or with one split per class."""
    n_leaves = max(3, len(np.unique(y)))
    tree = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0)
    tree.fit(train[:, None], y)
    return tree.predict(values[:, None])


def _question_of_many(names, recipe, n_rows):
    text = (
        f"{len(names):,} columns each predict the class almost perfectly (checked on {n_rows:,} rows): "
        f"{listed(names)}. Are they copies of the target? Or are their values known only after the class?"
    )
    return Problem(
        "leak", tuple(names), text, "warns", (f"Ignore {len(names):,} columns", ignore_columns(recipe, names))
    )


def _question(name, recipe, error, n_rows):
    how = "its value predicts" if recipe.kinds[name] in ("category", "ordered") else "a few splits on it predict"
    right = _leak_of_rows(1 - error) if error else "every row"
    text = (
        f"Column '{name:.60}' predicts the class almost perfectly: {how} it correctly in {right} (checked on "
        f"{n_rows:,}). Does this column repeat the target? Or are its values known only after the class?"
    )
    return Problem("leak", (name,), text, "warns", ("Ignore column", ignore_columns(recipe, [name])))


def _leak_of_rows(share: Any) -> str:
    return f"{percent(share)} of the rows"
