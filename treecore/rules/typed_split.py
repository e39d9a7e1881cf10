"""Conversion of typed rules to splits.

Examples of rules:

    if age < 18 go left            petal width >= 0.8, right           2*a - 0.5*b > 3 go left
    colour = red go left           if `odd "name"` <= 1e-3 or missing then go right

A name is written without quotes (its first words suffice if they are unique), or in double quotes or backticks, which
are doubled inside the name. If several names start at a position, the longest is used. A number means the nearest
float64, as in a data file.

A rule on one feature decides every float64 exactly, even on the boundary. If ``X`` is float32, a limit is rounded to
float32, so that x <= 0.1 sends a value of 0.1 left. A sum of several features is evaluated in float64, like all sums in
a tree. On the rows of ``X``, it decides as exact arithmetic does if a bias exists for which this is possible. Other
rows whose sum is within the rounding error of the boundary may go to either side.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treecore.rules.rule_reader import RuleReader
from treecore.tables.table_columns import TableColumns
from treecore.tree.split import Split

LARGEST = 1e200  # maximum weight or bias
NEAR = 1e-9  # upper bound on the relative rounding error of a sum
MOST_NEAR = 2000  # maximum number of rows that are evaluated exactly
MOST_MULTIPLIED = 2**20  # maximum multiplier for removing divisions from a rule
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class _Condition(NamedTuple):
    """Condition ``sum of coefficients * features  comparison  limit`` with exact numbers."""

    coefficients: dict  # {feature: nonzero Fraction}
    comparison: str
    limit: Fraction
    is_category: bool = False  # whether the feature is 0 or 1


def typed_split(
    text: str, names: Sequence, columns: TableColumns | None = None, X: np.ndarray | None = None, missing: bool = False
) -> Split | None:
    """Return the `Split` of a rule.

    text : str, "[if] CONDITION [or missing] [then|,] [go] left|right"; names : all feature names; columns :
    TableColumns of the features, or None; X : [n, d] rows or None, see above; missing : whether rows may have missing
    values. A condition compares two weighted sums of features by <, <=, > or >=, or a categorical column with one value
    by = or !=, or with several values by "in {a, b}" or "not in {a, b}". With "or missing", missing values go to the
    side of the condition, else to the other side.

    Raise RuleError, whose `place` is the index of the first invalid character.
    """
    reader = RuleReader(text, tuple(str(name) for name in names), _usable(columns, names))
    reader.skip_if()
    condition = _condition(reader)
    bracketed = reader.skip_sign("(")
    absent_too = reader.skip_words("or", "missing") or reader.skip_words("or", "is", "missing")
    if bracketed and not (absent_too and reader.skip_sign(")")):
        reader.fail("Use parentheses around 'or missing' only.")
    if absent_too and not missing:
        reader.fail("The tree was trained without missing values. Remove 'or missing'.")
    side = _side(reader)
    comparison = condition.comparison if side == "right" else _OPPOSITE[condition.comparison]
    if condition.is_category:
        comparison = comparison[0] + "="  # equivalent, because no 0/1 value is on the boundary
    missing_right = missing and ((side == "right") == absent_too)
    features, weights, bias = _hyperplane(reader, condition._replace(comparison=comparison), X)
    return Split(features, weights, bias, float(features.size), bool(missing_right))


def _usable(columns, names):
    return columns if isinstance(columns, TableColumns) and columns.feature_names() == tuple(names) else None


def _side(reader):
    for word in ("then", "goes", "go", "send", "to"):
        reader.skip_word(word)
    found = next((side for side in ("left", "right") if reader.skip_word(side)), None)
    if found is None:
        reader.fail("Expected 'go left' or 'go right' at the end.")
    reader.skip_sign(".")
    if not reader.at_end():
        reader.fail(f"Unexpected text after the rule. Remove {reader.rest()}.")
    return found


def _condition(reader):
    start = reader.place
    category = reader.category()
    if category is not None:
        features, wanted = category
        return _Condition(dict.fromkeys(features, Fraction(1)), ">=" if wanted else "<=", Fraction(1, 2), True)
    sums, constants = _sum(reader)
    at = reader.place
    comparison = reader.comparison()
    if comparison is None:
        reader.fail("Expected <, <=, > or >=.")
    if comparison in ("=", "!="):
        reader.fail(f"'{comparison}' applies to columns of categories. Compare numbers with <, <=, > or >=.", at)
    other, other_constants = _sum(reader)
    if reader.peek_comparison():
        reader.fail("A node supports one comparison. Use two nodes for two comparisons.")
    for feature, value in other.items():
        sums[feature] = sums.get(feature, Fraction(0)) - value
    sums = {feature: value for feature, value in sums.items() if value != 0}
    if not sums:
        reader.fail("The rule has no feature. Example: if age < 18 go left.", start)
    return _Condition(sums, comparison, other_constants - constants)


def _sum(reader):
    """Read ``term + term - term`` and return ({feature: Fraction}, constant Fraction)."""
    total, constant = {}, Fraction(0)
    sign = reader.sign()
    sign = 1 if sign is None else sign
    while sign is not None:
        factor, feature = _term(reader)
        if feature is None:
            constant += sign * factor
        else:
            total[feature] = total.get(feature, Fraction(0)) + sign * factor
        sign = reader.sign()
    return total, constant


def _term(reader):
    """Read ``number * feature / number ...`` and return (Fraction, feature or None)."""
    factor, feature, divide = Fraction(1), None, False
    while True:
        while (sign := reader.sign()) is not None:
            factor *= sign
        start = reader.place
        number, found = reader.number_or_feature()
        if found is not None:
            if divide:
                reader.fail("Division by a feature is not supported. Multiply both sides first: a >= 2 * b.", start)
            if feature is not None:
                reader.fail("Products of features are not supported. Use a weighted sum of features.", start)
            feature = found
        elif divide:
            if number == 0:
                reader.fail("Division by 0.", start)
            factor /= number
        else:
            factor *= number
        if found is None:
            reader.skip_word("days")  # optional word after a number that is added to a date
        operator = reader.factor_sign()
        if operator is None:
            return factor, feature
        divide = operator == "/"


def _hyperplane(reader, condition, X):
    """Return (features, weights, bias) for sending rows right if the condition holds."""
    if len(condition.coefficients) == 1:
        return _threshold(reader, condition, X)
    coefficients, comparison, limit = condition[:3]
    if comparison in ("<", "<="):
        coefficients, limit = {feature: -value for feature, value in coefficients.items()}, -limit
        comparison = _MIRRORED[comparison]
    features = np.array(sorted(coefficients), np.int32)
    exact = _without_division([coefficients[feature] for feature in features.tolist()] + [-limit])
    *weights, bias = (_float(reader, value) for value in exact)
    bias = _fitting_bias(features, np.array(weights), bias, exact, comparison == ">", X)
    return features, np.array(weights), bias


def _without_division(numbers):
    """Multiply all numbers to remove odd denominators, which float64 cannot represent: a/3 + b/3 becomes a + b."""
    factor = math.lcm(*(value.denominator // (value.denominator & -value.denominator) for value in numbers))
    return [value * factor for value in numbers] if factor <= MOST_MULTIPLIED else numbers


def _threshold(reader, condition, X):
    """Return the split on one feature.

    The split is exact for every float64. If rows are float32, the limit is rounded to float32.
    """
    ((feature, coefficient),) = condition.coefficients.items()
    comparison = condition.comparison if coefficient > 0 else _MIRRORED[condition.comparison]
    limit = condition.limit / coefficient
    near = _float(reader, limit)
    if X is not None and X.dtype == np.float32:
        with np.errstate(over="ignore"):
            rounded = float(np.float32(near))
        if np.isfinite(rounded) and (rounded or not near):
            near, limit = rounded, Fraction(rounded)
    exact = Fraction(near)
    if comparison in (">", ">="):
        if exact < limit or (exact == limit and comparison == ">"):
            near = float(np.nextafter(near, np.inf))
        return np.array([feature], np.int32), np.array([1.0]), -near
    if exact > limit or (exact == limit and comparison == "<"):
        near = float(np.nextafter(near, -np.inf))
    return np.array([feature], np.int32), np.array([-1.0]), near


def _fitting_bias(features, weights, bias, exact_numbers, strict, X):
    """Return the bias for which float64 sums decide like exact sums on the rows near the boundary.

    exact_numbers : typed weights and bias as Fractions.
    """
    start = float(np.nextafter(bias, -np.inf)) if strict else bias
    if X is None or not len(X):
        return start
    values = np.asarray(X[:, features], np.float64)
    values = values[np.isfinite(values).all(axis=1)]
    sums = _sums(values, weights, bias)
    size = np.abs(values) @ np.abs(weights) + abs(bias)
    near = np.flatnonzero(np.abs(sums) <= NEAR * size)
    if not near.size:
        return start
    values = np.unique(values[near], axis=0)[:MOST_NEAR]
    *exact_weights, exact_bias = exact_numbers
    exact = [
        sum((w * Fraction(x) for w, x in zip(exact_weights, row, strict=True)), exact_bias) for row in values.tolist()
    ]
    right = np.array([value > 0 or (value == 0 and not strict) for value in exact])

    def wrong(candidate):
        return int(np.count_nonzero((_sums(values, weights, candidate) >= 0) != right))

    # One candidate puts the boundary midway between the nearest rows of both sides.
    away = np.abs(sums[np.abs(sums) > NEAR * size])
    room = float(away.min(initial=np.inf))
    room = room if np.isfinite(room) else 2 * NEAR * float(size.max())
    low = max((value for value, goes in zip(exact, right, strict=True) if not goes), default=Fraction(-room))
    high = min((value for value, goes in zip(exact, right, strict=True) if goes), default=Fraction(room))
    candidates = [start, bias, float(Fraction(bias) - (low + high) / 2)]
    return min(candidates, key=wrong)


def _sums(values, weights, bias):
    """Return the sums, float64[n], added in the order of the tree."""
    sums = np.full(len(values), bias)
    with np.errstate(over="ignore", invalid="ignore"):
        for j, weight in enumerate(weights):
            sums += weight * values[:, j]
    return sums


def _float(reader, value):
    try:
        found = float(value)
    except OverflowError:
        found = float("inf")
    if abs(found) > LARGEST:
        reader.fail(f"A number in the rule exceeds {LARGEST:g}. Use smaller numbers.", 0)
    if found == 0.0 and value != 0:
        reader.fail("A number in the rule is too small and would become 0. Use larger numbers.", 0)
    return found
