"""Find columns that determine the target: single columns for classes, on held-out rows; formulas for numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
from treecore.messages import listed, plural
from treecore.tree.number_text import percent

_NUMBER_ROWS = 2000
_COLUMNS = 300  # maximum number of columns to compare with the target; a leak in further columns is not found
_PAIR_COLUMNS = 60
_FEWEST_ROWS = 30
_FEWEST_OF_EXACT = 15  # smallest number of rows that an exact sum or product of other columns needs
_MOST_QUESTIONS = 8
_MOST_PAIRS = 2
_POWERS, _WEIGHTED_SUM = "give the target as a product of powers", "give the target as a weighted sum"
_UNEXPLAINED = 1e-5  # share of the variance that a line leaves unexplained; rounded copies are found by their order
_UNEXPLAINED_BY_PAIR = 1e-4
_UNEXPLAINED_BY_SUM = 1e-7
_OF_ODDS = 0.02  # largest distance of the weights of log numbers from 1 and -1 in the log odds of a rounded share
_MOST_CHAINS = 8
_DISORDER = 1e-3  # largest share of row pairs whose order a copy changes
_FEW_VALUES = 10  # a column with fewer values counts as a copy only if it changes the order of no pair
_FEWEST_PAIRS = 0.15  # smallest share of row pairs whose values differ in both columns
_PRESENT = 0.8  # smallest share of known values in a column that is one of a pair
_EVEN = 0.05  # largest standard deviation of the steps of a column that counts time, relative to their mean
_TIMES = {"year", "month", "week", "day", "date", "time", "jahr", "monat", "tag", "datum", "zeit", "annee", "ano"}
_UNIT = 1e-3  # largest relative distance from 1 of the weights in a sum


@dataclass(frozen=True)
class _Sample:
    """Rows on which features are compared with the target.

    target : name of the target; y : float64[n], its values; numbers : {column: float64[n], NaN if missing}.
    """

    target: str
    y: np.ndarray
    numbers: dict[str, np.ndarray]


def number_leaks(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return a question about each feature that is another form of the target, and about pairs that determine it.

    Other forms are the target in another unit (a line), any function that keeps the order (a logarithm, rounded
    numbers, ranges), and texts that stand for one number each. Pairs are weighted sums and products of powers. Dates
    and columns that count time are excluded, because a growing sum naturally follows them.
    """
    y = quantities(table.frame[recipe.target])
    rows = np.flatnonzero(~np.isnan(y))
    used = set(recipe.features())
    features = [s for s in summaries if s.name in used and s.n_distinct > 1 and not is_id_like(s)]
    features = [s for s in features if recipe.kinds[s.name] != "date" and not _counts_time(table.frame[s.name], s)]
    if len(rows) < _FEWEST_OF_EXACT or len(used) < 2:  # ignoring the only feature would leave none
        return []
    rows = np.random.default_rng(0).permutation(rows)[:_NUMBER_ROWS]
    y = y[rows]
    numbers, found = {}, {}
    for summary in features[:_COLUMNS]:
        part = table.frame[summary.name].iloc[rows]
        if recipe.kinds[summary.name] == "number":
            numbers[summary.name] = quantities(part)
            words = _describe_copy(numbers[summary.name], y, summary.name, recipe.target)
        else:
            words = _by_text(part, y)
        if words:
            found[summary.name] = words
    if len(found) > _MOST_QUESTIONS:
        return [_number_question_of_many(list(found), recipe, len(rows))]
    questions = [_number_question((name,), words, recipe, len(rows)) for name, words in found.items()]
    others = {name: values for name, values in numbers.items() if name not in found}
    questions += _pairs(_Sample(recipe.target, y, others), recipe)
    questions = questions or _joint_sum(_Sample(recipe.target, y, others), recipe)
    taken = {name for question in questions for name in question.columns}
    return questions + _chains(taken, numbers, recipe, len(rows))


def _counts_time(values, summary) -> bool:
    """Test whether the numbers of a column count time, by its name or because they rise evenly from row to row."""
    if summary.kind != "number":
        return False
    if set(re.findall("[a-z]+", summary.name.lower())) & _TIMES:
        return True
    steps = np.diff(quantities(values))
    return steps.size > 0 and bool(np.ptp(steps) <= _EVEN * abs(steps.mean()) and steps.any())


def _describe_copy(x, y, name, target) -> str:
    """Return a phrase that describes a column as a function of the target, or ""."""
    known = ~np.isnan(x)
    x, y = x[known], y[known]
    if len(x) < _FEWEST_ROWS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return ""
    if 1 - np.corrcoef(x, y)[0, 1] ** 2 <= _UNEXPLAINED:
        slope, start = np.polyfit(x, y, 1)
        shown = "" if abs(start) <= 1e-3 * np.abs(y).max() else f" {'-' if start < 0 else '+'} {abs(start):.4g}"
        return f"is the target in another unit: {target:.60} = {slope:.4g} × {name:.60}{shown}"
    if _keeps_order(x, y):
        return "has the same order as the target in all rows, like a logarithm, a rounded value or a range"
    return ""


def _is_line(x, y):
    """Test whether a column is another one in another unit. In a series, many columns only have the same order."""
    known = ~np.isnan(x)
    if known.sum() < _FEWEST_ROWS or np.ptp(x[known]) == 0 or np.ptp(y[known]) == 0:
        return False
    return bool(1 - np.corrcoef(x[known], y[known])[0, 1] ** 2 <= _UNEXPLAINED)


def _keeps_order(x, y) -> bool:
    from scipy.stats import kendalltau  # slow import

    n_pairs = len(x) * (len(x) - 1) / 2
    tied_x, tied_y = _count_ties(x), _count_ties(y)
    tied_both = _count_ties(pandas.factorize(x)[0] * np.int64(len(y)) + pandas.factorize(y)[0])
    differ = n_pairs - tied_x - tied_y + tied_both
    if differ < _FEWEST_PAIRS * n_pairs:
        return False
    balance = abs(kendalltau(x, y, method="asymptotic").statistic) * np.sqrt((n_pairs - tied_x) * (n_pairs - tied_y))
    changed = (differ - balance) / 2
    return changed < 0.5 if len(np.unique(x)) < _FEW_VALUES else changed <= _DISORDER * differ


def _count_ties(values):
    """Return the number of pairs of equal values."""
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1)).sum() / 2)


def _by_text(part, y) -> str:
    """Return the phrase of `_describe_copy` for texts.

    The texts on half of the rows must determine the target of the other half.
    """
    codes = part.factorize(use_na_sentinel=True)[0] + 1
    half = len(y) // 2
    sizes = np.bincount(codes[:half], minlength=codes.max() + 1)
    means = np.bincount(codes[:half], y[:half], codes.max() + 1) / np.where(sizes > 0, sizes, np.nan)
    rest = y[half:] - means[codes[half:]]
    known = ~np.isnan(rest)
    if known.sum() < _FEWEST_ROWS / 2 or known.mean() < 0.5:
        return ""
    if np.mean(rest[known] ** 2) <= _UNEXPLAINED * np.var(y[half:][known]) > 0:
        return "determines the target: each value always occurs with the same target value"
    return ""


def _pairs(sample, recipe, known=frozenset()) -> list[Problem]:
    """Return questions about pairs of columns whose weighted sum, or product of powers, equals the target.

    known : columns of which only one may be in a pair, because the other one must be new
    """
    names = [name for name, x in sample.numbers.items() if np.mean(~np.isnan(x)) >= _PRESENT][:_PAIR_COLUMNS]
    if len(names) < 2:
        return []
    X = np.stack([sample.numbers[name] for name in names], axis=1)
    is_known = ~np.isnan(X).any(axis=1)
    X, y = X[is_known], sample.y[is_known]
    if len(y) < _FEWEST_OF_EXACT:
        return []
    found, taken = [] if known else _odds(X, y, names, recipe), set()
    if found:
        return found
    positive = (X > 0).all(axis=0) if y.min() > 0 else np.zeros(len(names), bool)
    ways = [(False, np.arange(len(names))), (True, np.flatnonzero(positive))]
    for is_product, columns in ways:
        if len(columns) < 2:
            continue
        values, response = (np.log(X[:, columns]), np.log(y)) if is_product else (X, y)
        for first, second in _exact_pairs(values, response):
            pair = names[columns[first]], names[columns[second]]
            if len(found) < _MOST_PAIRS and not taken.intersection(pair) and not known.issuperset(pair):
                design = np.column_stack([np.ones(len(y)), values[:, first], values[:, second]])
                weights = np.linalg.lstsq(design, response)[0][1:]
                operation = _operation(weights, is_product)
                if len(y) < _FEWEST_ROWS and operation in (_POWERS, _WEIGHTED_SUM):
                    continue
                taken.update(set(pair) - known)
                found.append(_number_question(pair, operation, recipe, len(y)))
    return found if found or known else _shares(X, y, names, recipe)


def _odds(X, y, names, recipe) -> list[Problem]:
    """Return the question about a share and a number that give the target, such as losses and the share of wins.

    The odds of wins / (wins + losses), times the losses, are the wins.
    """
    if y.min() < 0:
        return []
    for k, name in enumerate(names):
        share = X[:, k]
        whole = 1 if share.max() <= 1 else 100
        inner = (share > 0) & (share < whole)
        if share.min() < 0 or share.max() > whole or np.unique(share).size < _FEW_VALUES:
            continue
        others = [j for j in np.flatnonzero((X >= 0).all(axis=0)) if j != k]
        rows = inner & (y > 0) & (X[:, others] > 0).all(axis=1)
        if not others or rows.sum() < max(_FEWEST_ROWS, len(y) / 2):
            continue
        odds = np.log(share[rows] / (whole - share[rows]))
        for j in others:
            rest = np.log(y[rows]) - np.log(X[rows, j])
            left = min(np.var(rest - odds), np.var(rest + odds))
            if np.ptp(rest) and left <= _UNEXPLAINED_BY_PAIR * np.var(rest):
                words = "give the target, because one of them is the share of the target in its sum with the other one"
                return [_number_question((name, names[j]), words, recipe, int(rows.sum()))]
    return []


def _shares(X, y, names, recipe) -> list[Problem]:
    """Return the question about two columns whose share is the target, such as wins / (wins + losses) or percents."""
    whole = 1 if y.max() <= 1 else 100
    if y.min() < 0 or y.max() > whole:
        return []
    columns = np.flatnonzero((X >= 0).all(axis=0) & ((X > 0).mean(axis=0) >= _PRESENT))
    rows = (X[:, columns] > 0).all(axis=1) & (y > 0) & (y < whole)
    if len(columns) < 2 or rows.sum() < max(_FEWEST_ROWS, len(y) / 2):
        return []
    values, response = np.log(X[np.ix_(rows, columns)]), np.log(y[rows] / (whole - y[rows]))
    for first, second in _exact_pairs(values, response):  # the odds of a share are the quotient of its two numbers
        design = np.column_stack([np.ones(rows.sum()), values[:, first], values[:, second]])
        weights = np.linalg.lstsq(design, response)[0][1:]
        if np.allclose(sorted(weights), (-1, 1), atol=_OF_ODDS):
            pair = names[columns[first]], names[columns[second]]
            return [
                _number_question(
                    pair,
                    "give the target as a share: one of them, divided by their weighted sum",
                    recipe,
                    int(rows.sum()),
                )
            ]
    return []


def _joint_sum(sample, recipe) -> list[Problem]:
    """Return the question about three or more columns whose weighted sum is exactly the target."""
    names = [name for name, x in sample.numbers.items() if np.mean(~np.isnan(x)) >= _PRESENT][:_PAIR_COLUMNS]
    X = np.stack([sample.numbers[name] for name in names], axis=1) if names else np.empty((len(sample.y), 0))
    known = ~np.isnan(X).any(axis=1)
    kept = exact_sum(X[known], sample.y[known])
    if len(kept) < 3:
        return []
    columns = tuple(names[k] for k in kept)
    text = (
        f"{len(columns):,} columns together give the target as a weighted sum: {listed(list(columns), 12)} "
        f"(checked on {int(known.sum()):,} rows). Ignore these columns unless their values are known before the "
        "target."
    )
    return [
        Problem("leak", columns, text, "warns", (f"Ignore {len(columns)} columns", ignore_columns(recipe, columns)))
    ]


def exact_sum(X: np.ndarray, y: np.ndarray) -> list[int]:
    """Return the fewest columns of float64[n, k] whose weighted sum is exactly y, or an empty list."""
    columns = [k for k in range(X.shape[1]) if np.ptp(X[:, k])] if len(X) else []
    if len(columns) < 2 or len(X) < max(_FEWEST_OF_EXACT, 3 * len(columns) + 5) or np.ptp(y) == 0:
        return []
    Z = (X - X.mean(axis=0)) / np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 1)
    z = (y - y.mean()) / y.std()

    def is_exact(chosen):
        rest = z - Z[:, chosen] @ np.linalg.lstsq(Z[:, chosen], z)[0]
        return np.mean(rest**2) <= _UNEXPLAINED_BY_SUM

    if not is_exact(columns):
        return []
    weights = np.abs(np.linalg.lstsq(Z[:, columns], z)[0])
    for k in [columns[place] for place in np.argsort(weights)]:
        fewer = [other for other in columns if other != k]
        if fewer and is_exact(fewer):
            columns = fewer
    return columns


def _chains(taken, numbers, recipe, n_rows) -> list[Problem]:
    """Return questions about columns that give a column in `taken`, from which the target was computed."""
    found, queue = [], sorted(taken)
    while queue and len(found) < _MOST_CHAINS:
        source = queue.pop(0)
        if source not in numbers:
            continue
        y = numbers[source]
        known = ~np.isnan(y)
        rest = {name: x[known] for name, x in numbers.items() if name != source}
        copies = [name for name, x in rest.items() if name not in taken and _is_line(x, y[known])]
        others = _Sample(source, y[known], {name: x for name, x in rest.items() if name not in copies})
        pairs = _pairs(others, recipe, frozenset(taken))
        names = list(dict.fromkeys([*copies, *(name for one in pairs for name in one.columns if name not in taken)]))
        if names:
            text = (
                f"{plural(len(names), 'Column', 'Columns')} {listed(names, 12)} "
                f"{plural(len(names), 'gives', 'give')} {listed([source], 3)}, which contains the target "
                f"(checked on {n_rows:,} rows). Ignore {plural(len(names), 'it', 'them')} unless "
                f"{plural(len(names), 'its', 'their')} values are known before the target."
            )
            label = "Ignore column" if len(names) == 1 else f"Ignore {len(names)} columns"
            found.append(Problem("leak", tuple(names), text, "warns", (label, ignore_columns(recipe, names))))
            taken = {*taken, *names}
            queue += [*names, source]  # further pairs may give the same column
    return found


def _exact_pairs(X, y):
    """Return (first, second) columns that together explain nearly all of the variance of y, the best pair first."""
    if np.ptp(y) == 0:
        return []
    deviations = X.std(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        Z = (X - X.mean(axis=0)) / deviations
        z = (y - y.mean()) / y.std()
        between, own = Z.T @ Z / len(y), Z.T @ z / len(y)
        independent = 1 - between**2
        left = 1 - (own[:, None] ** 2 + own**2 - 2 * np.outer(own, own) * between) / independent
    usable = np.isfinite(left) & (independent > 1e-3) & (left <= _UNEXPLAINED_BY_PAIR)
    # Both columns of a pair are needed, because the caller has removed columns that suffice alone.
    first, second = np.nonzero(np.triu(usable, 1))
    order = np.argsort(left[first, second], kind="stable")
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


def _operation(weights, is_product) -> str:
    """Return the words for the operation that computes the target from a pair of columns."""
    signs = tuple(np.sign(weights).tolist())
    if (np.abs(np.abs(weights) - 1) <= _UNIT).all():
        are_equal = signs in ((1.0, 1.0), (-1.0, -1.0))
        if is_product:
            return "give the target as their product" if are_equal else "give the target as their quotient"
        return "give the target as their sum" if are_equal else "give the target as their difference"
    return _POWERS if is_product else _WEIGHTED_SUM


def _number_question(names, words, recipe, n_rows) -> Problem:
    if len(names) == 1:
        label, text = (
            "Ignore column",
            (
                f"Column '{names[0]:.60}' {words} (checked on {n_rows:,} rows). Ignore this column unless its values "
                "are known before the target."
            ),
        )
    else:
        first, second = names
        label = "Ignore both"
        text = (
            f"Columns '{first:.60}' and '{second:.60}' {words} (checked on {n_rows:,} rows). Ignore both columns "
            "unless their values are known before the target."
        )
    return Problem("leak", tuple(names), text, "warns", (label, ignore_columns(recipe, names)))


def _number_question_of_many(names, recipe, n_rows) -> Problem:
    text = (
        f"{len(names):,} columns are each a function of the target (checked on {n_rows:,} rows): "
        f"{listed(names)}. Ignore these columns unless their values are known before the target."
    )
    return Problem(
        "leak", tuple(names), text, "warns", (f"Ignore {len(names):,} columns", ignore_columns(recipe, names))
    )


_ROWS = 4000
_FEWEST_ROWS_PER_CLASS = 4
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
        f"{percent(1 - error)} of new rows correctly. Are these columns copies of the target? Or are their "
        "values known only after the target?"
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
