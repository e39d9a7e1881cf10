"""Find the number of digits for a split: as few as possible, so that every known row stays on its side."""

import math

import numpy as np
import scipy.sparse

from treecore.tree.category_columns import Cases, CategoryColumns
from treecore.tree.conditions import DIFFERENCE, MOST_TERMS, Interval, NearRatio, condition_of
from treecore.tree.date_text import DATE_DIGITS, is_date
from treecore.tree.number_text import FEW_DIGITS, significant
from treecore.tree.tree import Tree

ALL_DIGITS = 17
MOST_IN_DIFFERENCE, FEWEST_IN_RATIO = 5, 2


def decision_digits(
    tree: Tree, X: np.ndarray, most_terms: int | None = MOST_TERMS, columns: CategoryColumns | None = None
) -> np.ndarray:
    """Return the number of significant digits for each split, uint8[m], at least 3 (3 without known rows).

    tree : Tree; X : array or CSR [n, d], known rows; most_terms : sums with more features have 3 digits, None for no
    limit; columns : CategoryColumns, for conditions on categories, differences and ratios. The number for a sum that is
    written as a difference or a ratio is larger by `DIFFERENCE`. viz/stage/model/condition.js applies the same rule to
    edited trees.
    """
    found = np.full(tree.n_nodes, FEW_DIGITS, np.uint8)
    if X.shape[0] == 0:
        return found
    first, count = tree.leaf_ranges
    place = first[tree.apply(X)]
    order = np.argsort(place, kind="stable")
    edges = np.searchsorted(place[order], np.stack([first, first + count]))
    for node in np.flatnonzero(np.diff(tree.indptr)).tolist():
        rows = order[edges[0, node] : edges[1, node]]
        found[node] = SplitDigits(tree.split(node), most_terms, columns).of(X, rows)
    return found


class SplitDigits:
    """Condition of one split, for which `of` returns the number of digits.

    split : (features, weights, bias); the others as in `decision_digits`.
    """

    def __init__(self, split: tuple, most_terms: int | None, columns: CategoryColumns | None) -> None:
        self.features = split[0]
        names = None if columns is None else columns.names
        asked = condition_of(split, [names[j] if names else "" for j in self.features.tolist()])
        told = columns.combine(asked) if names else asked
        is_date_alone = isinstance(told, Interval) and is_date(told.name)
        self.is_threshold = self.features.size == 1 and not is_date_alone
        self.is_long = not isinstance(told, Cases) and self.features.size > (most_terms or self.features.size)
        self.condition = told if isinstance(told, Cases) or getattr(told, "near", None) is not None else asked

    def of(self, X: np.ndarray, rows: np.ndarray) -> int:
        """Return the number of digits for the rows that reach the split. rows : int[n], row numbers."""
        if self.is_long:
            return FEW_DIGITS
        if self.is_threshold:
            return _of_threshold(self.condition, _known_values(X, rows, int(self.features[0])))
        return _of_words(self.condition, _Known(X, rows, self.features))


def _known_values(X, rows, feature):
    """Return the values of one feature that are not missing, float64[n]."""
    column = X[rows][:, [feature]].toarray().ravel() if scipy.sparse.issparse(X) else X[:, feature][rows]
    values = column.astype(np.float64)
    return values[~np.isnan(values)]


class _Known(dict):
    """Values of the rows without missing features, {feature: float64[n]}."""

    def __init__(self, X, rows, features):
        known = X[rows][:, features].toarray() if scipy.sparse.issparse(X) else X[rows[:, None], features]
        values = known.T.astype(np.float64)
        values = values[:, ~np.isnan(values).any(axis=0)]
        super().__init__(zip(features.tolist(), values, strict=True))
        self.n = values.shape[1]


def _of_words(told, known):
    """Return the number of digits with which a date, cases of categories or a sum give the same sides as the tree."""
    holds = told.covers(known)
    if getattr(told, "near", None) is not None:
        least = FEWEST_IN_RATIO if isinstance(told.near, NearRatio) else 1
        for digits in range(DIFFERENCE + least, DIFFERENCE + MOST_IN_DIFFERENCE + 1):
            if np.array_equal(told.rounded(digits).covers(known), holds):
                return digits
    has_dates = any(isinstance(part, Interval) and is_date(part.name) for part in getattr(told, "parts", (told,)))
    for digits in DATE_DIGITS if has_dates else range(FEW_DIGITS, ALL_DIGITS):
        if np.array_equal(told.rounded(digits).covers(known), holds):
            return digits
    return ALL_DIGITS


def _of_threshold(condition, values):
    """Return the number of digits for which the limit stays between the values on both sides."""
    if not isinstance(condition, Interval) or condition.is_empty or not values.size:
        return FEW_DIGITS
    is_low = math.isfinite(condition.low)
    limit, closed = (condition.low, condition.low_closed) if is_low else (condition.high, condition.high_closed)
    with_larger = closed == is_low  # whether the limit itself belongs to the side of the larger values
    larger = values >= limit if with_larger else values > limit
    low = np.maximum.reduce(values[~larger], initial=-np.inf)
    high = np.minimum.reduce(values[larger], initial=np.inf)
    for digits in range(FEW_DIGITS, ALL_DIGITS):
        short = significant(limit, digits)
        if low < short <= high if with_larger else low <= short < high:
            return digits
    return ALL_DIGITS
