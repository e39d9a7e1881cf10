"""How many digits a decision is written with: few, but enough that every known row goes where the tree sends it."""

import numpy as np
import scipy.sparse

from treecore.tree.category_columns import Cases, CategoryColumns
from treecore.tree.conditions import Columns, Interval, condition_of
from treecore.tree.date_text import DATE_DIGITS, is_date
from treecore.tree.leaf_ranges import leaf_ranges
from treecore.tree.number_text import FEW_DIGITS, significant
from treecore.tree.tree import Tree

MOST_TERMS = 4  # sums of more are written in part, so that their digits send no row anywhere
ALL_DIGITS = 17


def decision_digits(
    tree: Tree, X: np.ndarray, most_terms: int | None = MOST_TERMS, columns: CategoryColumns | None = None
) -> np.ndarray:
    """uint8[m]: significant digits of the numbers of each decision, at least 3; 3 where no row is known.

    tree : Tree; X : array or CSR [n, d], the known rows; most_terms : sums of more features have 3, None for sums of
    any number; columns : of categories and dates, told as such. viz/stage/model/condition.js does it for edited trees.
    """
    found = np.full(tree.n_nodes, FEW_DIGITS, np.uint8)
    if X.shape[0] == 0:
        return found
    first, count = leaf_ranges(tree)
    place = first[tree.apply(X)]
    order = np.argsort(place, kind="stable")
    edges = np.searchsorted(place[order], np.stack([first, first + count]))
    names = None if columns is None else columns.names
    for node in np.flatnonzero(tree.left >= 0).tolist():
        features, weights, bias = tree.split(node)
        told = None
        if names is not None and features.size >= 1:
            told = columns.told(condition_of((features, weights, bias), tuple(names[j] for j in features.tolist())))
        if isinstance(told, Cases) or (isinstance(told, Interval) and is_date(told.name)):
            rows = order[edges[0, node] : edges[1, node]]
            found[node] = _of_words(told, X[rows])
        elif features.size >= 1 and (most_terms is None or features.size <= most_terms):
            rows = order[edges[0, node] : edges[1, node]]
            enough = _of_threshold if features.size == 1 else _of_sum
            found[node] = enough(weights, bias, _values(X, rows, features))
    return found


def _of_words(told, X):
    """Digits with which dates or the cases of categories hold where the tree goes right."""
    columns = Columns(X)
    holds = told.covers(columns)
    has_dates = any(isinstance(part, Interval) and is_date(part.name) for part in getattr(told, "parts", (told,)))
    for digits in DATE_DIGITS if has_dates else range(FEW_DIGITS, ALL_DIGITS):
        if np.array_equal(told.rounded(digits).covers(columns), holds):
            return digits
    return ALL_DIGITS


def _values(X, rows, features):
    """float64[k, n] of the rows that miss none of the features."""
    if scipy.sparse.issparse(X):
        values = X[rows][:, features].toarray().T
    else:
        values = np.stack([X[rows, feature] for feature in features.tolist()])
    values = values.astype(np.float64)
    return values[:, ~np.isnan(values).any(axis=0)]


def _of_threshold(weights, bias, values):
    """Digits with which the limit stays between the values on both sides."""
    condition = condition_of((np.zeros(1, np.int64), weights, bias), ("x",))
    if not isinstance(condition, Interval) or condition.is_empty or values.size == 0:
        return FEW_DIGITS
    is_low = np.isfinite(condition.low)
    limit, closed = (condition.low, condition.low_closed) if is_low else (condition.high, condition.high_closed)
    with_larger = closed == is_low  # whether the limit itself is on the side of the larger values
    larger = values[0] >= limit if with_larger else values[0] > limit
    low, high = values[0, ~larger].max(initial=-np.inf), values[0, larger].min(initial=np.inf)
    for digits in range(FEW_DIGITS, ALL_DIGITS):
        short = significant(limit, digits)
        if low < short <= high if with_larger else low <= short < high:
            return digits
    return ALL_DIGITS


def _of_sum(weights, bias, values):
    """Digits with which the rounded sum is on the side of the tree's own for every row."""
    right = _sum(weights, values, bias) >= 0
    for digits in range(FEW_DIGITS, ALL_DIGITS):
        short = [significant(weight, digits) for weight in weights.tolist()]
        if np.array_equal(_sum(short, values, 0.0) >= significant(-bias, digits), right):
            return digits
    return ALL_DIGITS


def _sum(weights, values, start):
    total = np.full(values.shape[1], start)
    with np.errstate(over="ignore", invalid="ignore"):
        for weight, column in zip(weights, values, strict=True):
            total += weight * column
    return total
