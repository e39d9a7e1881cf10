"""How many digits a decision is written with: few, but enough that every known row goes where the tree sends it."""

import numpy as np
import scipy.sparse

from treecore.tree.category_columns import Cases, CategoryColumns
from treecore.tree.conditions import MOST_TERMS, Interval, condition_of
from treecore.tree.date_text import DATE_DIGITS, is_date
from treecore.tree.leaf_ranges import leaf_ranges
from treecore.tree.number_text import FEW_DIGITS, significant
from treecore.tree.tree import Tree

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
        if not features.size:
            continue
        asked = condition_of((features, weights, bias), [names[j] if names else "" for j in features.tolist()])
        told = columns.told(asked) if names else asked
        is_date_alone = isinstance(told, Interval) and is_date(told.name)
        if not isinstance(told, Cases) and features.size > (most_terms or features.size):
            continue
        known = _Known(X, order[edges[0, node] : edges[1, node]], features)
        by_threshold = features.size == 1 and not is_date_alone
        found[node] = (
            _of_threshold(weights, bias, known[features[0]])
            if by_threshold
            else _of_words(told if isinstance(told, Cases) else asked, known)
        )
    return found


class _Known(dict):
    """{feature: float64[n]} of the rows that miss none of the features."""

    def __init__(self, X, rows, features):
        if scipy.sparse.issparse(X):
            values = X[rows][:, features].toarray().T
        else:
            values = np.stack([X[rows, feature] for feature in features.tolist()])
        values = values.astype(np.float64)
        values = values[:, ~np.isnan(values).any(axis=0)]
        super().__init__(zip(features.tolist(), values, strict=True))
        self.n = values.shape[1]


def _of_words(told, known):
    """Digits with which a date, the cases of categories or a sum hold where the tree goes right."""
    holds = told.covers(known)
    has_dates = any(isinstance(part, Interval) and is_date(part.name) for part in getattr(told, "parts", (told,)))
    for digits in DATE_DIGITS if has_dates else range(FEW_DIGITS, ALL_DIGITS):
        if np.array_equal(told.rounded(digits).covers(known), holds):
            return digits
    return ALL_DIGITS


def _of_threshold(weights, bias, values):
    """Digits with which the limit stays between the values on both sides."""
    condition = condition_of((np.zeros(1, np.int64), weights, bias), ("x",))
    if not isinstance(condition, Interval) or condition.is_empty or not values.size:
        return FEW_DIGITS
    is_low = np.isfinite(condition.low)
    limit, closed = (condition.low, condition.low_closed) if is_low else (condition.high, condition.high_closed)
    with_larger = closed == is_low  # whether the limit itself is on the side of the larger values
    larger = values >= limit if with_larger else values > limit
    low, high = values[~larger].max(initial=-np.inf), values[larger].min(initial=np.inf)
    for digits in range(FEW_DIGITS, ALL_DIGITS):
        short = significant(limit, digits)
        if low < short <= high if with_larger else low <= short < high:
            return digits
    return ALL_DIGITS
