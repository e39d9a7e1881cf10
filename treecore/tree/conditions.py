"""Conditions of rules in raw units: intervals of one feature and weighted sums of features.

Every condition has three methods. `covers(columns)` returns the rows that satisfy it, bool[n]. (columns : `Columns`, or
any object with `n` and ``columns[feature]``, float64[n].) `rounded(precision)` returns the condition with this number
of significant digits (`ENOUGH`: those of its splits, see `decision_digits`; None: all). `text(style)` returns its text,
and `str` returns the text that can be typed. Conditions from `side` are exact: they hold if and only if the arithmetic
of the tree gives this side. For categories see `treecore.tree.category_columns`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse

from treecore.ordered_levels import levels_of
from treecore.parameter_checks import LARGEST
from treecore.tree.condition_text import TYPED, TYPESET, Style, Words, largest_terms, or_missing
from treecore.tree.date_text import column_name, date_text, first_date, is_date, near_date
from treecore.tree.number_text import FEW_DIGITS, n_digits, n_whole, significant
from treecore.tree.tree_arrays import TreeArrays

MOST_TERMS = 4  # maximum number of terms in a sum that is displayed in full
_READABLE = 8  # maximum number of readable digits
DIFFERENCE = 32  # added to the number of digits of a sum that is written as a difference or a ratio
WHOLE_DIGITS = 6  # number of significant digits from which all whole digits of a limit are kept, for days and IDs
ENOUGH = "enough"  # precision with the fewest digits of each split that keep the side of every known row


class Columns:
    """Features of rows as float64[n] each. X : dense or CSR [n, d], from `check_rows`."""

    def __init__(self, X: np.ndarray | scipy.sparse.csr_matrix) -> None:
        self.n = X.shape[0]
        self._X = X.tocsc() if scipy.sparse.issparse(X) else X

    def __getitem__(self, feature):
        column = self._X[:, [feature]].toarray().ravel() if scipy.sparse.issparse(self._X) else self._X[:, feature]
        return column.astype(np.float64)


@dataclass(frozen=True)
class Never:
    """Condition that no row satisfies: the empty side of a split that sends every row to the other side."""

    def covers(self, columns: Columns) -> np.ndarray:
        """Return False for every row, bool[n]."""
        return np.zeros(columns.n, np.bool_)

    def rounded(self, precision: int | None) -> Self:
        """Return the condition itself."""
        return self

    def text(self, style: Style = TYPED, most_terms: int | None = None, deviation: np.ndarray | None = None) -> str:
        """Return the condition in words."""
        return "never"

    __str__ = text


@dataclass(frozen=True)
class Interval:
    """Condition ``low < x <= high``, each side strict or not.

    feature : int; name : str; low, high : float, in raw units, may be infinite; low_closed, high_closed : whether the
    limit itself is inside; missing : whether a missing value (NaN) satisfies it, None in a tree that does not support
    missing values; low_digits, high_digits : int, sufficient significant digits of each limit, None for all; of_counts
    : bool, whether limits are rounded to whole numbers.
    """

    feature: int
    name: str
    low: float = -np.inf
    high: float = np.inf
    low_closed: bool = False
    high_closed: bool = True
    missing: bool | None = None
    low_digits: int | None = field(default=None, compare=False, repr=False)
    high_digits: int | None = field(default=None, compare=False, repr=False)
    of_counts: bool = field(default=False, compare=False, repr=False)

    @property
    def column(self) -> str:
        """Column name, without the unit of dates."""
        return column_name(self.name)

    @property
    def is_empty(self) -> bool:
        """Whether no number is inside."""
        outside = self.low == np.inf or self.high == -np.inf or self.low > self.high
        return outside or (self.low == self.high and not (self.low_closed and self.high_closed))

    @property
    def is_whole_line(self) -> bool:
        """Whether every number is inside."""
        return self.low == -np.inf and self.high == np.inf

    @property
    def is_whole(self) -> bool:
        """Whether every number, and a missing value if supported, is inside."""
        return self.is_whole_line and self.missing is not False

    @property
    def in_reach(self) -> Self:
        """Interval in which limits that no value reaches are infinite, if missing values are supported.

        Such a limit separates missing values from all other values.
        """
        if self.missing is None:
            return self
        low, high = (np.copysign(np.inf, end) if abs(end) > LARGEST else end for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def covers(self, columns: Columns) -> np.ndarray:
        """Return whether the feature is inside, bool[n]."""
        x = columns[self.feature]
        inside = (x >= self.low if self.low_closed else x > self.low) & (
            x <= self.high if self.high_closed else x < self.high
        )
        return inside | np.isnan(x) if self.missing else inside

    def rounded(self, precision: int | None) -> Self:
        """Return the interval with limits of `precision` significant digits.

        A limit on a date is rounded to the next day or minute.
        """
        if levels_of(self.name):
            return self
        low, high = (_digits(precision, own) for own in (self.low_digits, self.high_digits))
        if is_date(self.name):
            return self._from_units(low, high)
        if self.of_counts:
            return self._from_units(*(digits and FEW_DIGITS for digits in (low, high)))
        if isinstance(precision, int) and precision >= WHOLE_DIGITS:
            low, high = (max(precision, n_whole(end) + 1) for end in (self.low, self.high))
        return replace(self, low=significant(self.low, low), high=significant(self.high, high))

    def _from_units(self, low, high):
        start, stop = first_date(self.low, self.low_closed, low), first_date(self.high, not self.high_closed, high)
        has_start, has_stop = start != self.low or self.low_closed, stop != self.high or not self.high_closed
        return replace(self, low=start, high=stop, low_closed=has_start, high_closed=not has_stop)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the intersection of intervals of the same feature."""
        first = parts[0]
        if len(parts) == 1:
            return first
        low = max(parts, key=lambda one: (one.low, not one.low_closed))
        high = min(parts, key=lambda one: (one.high, one.high_closed))
        missing = None if first.missing is None else all(one.missing for one in parts)
        return replace(
            first, low=low.low, high=high.high, low_closed=low.low_closed, high_closed=high.high_closed,
            missing=missing, low_digits=low.low_digits, high_digits=high.high_digits,
        )  # fmt: skip

    def text(self, style: Style = TYPED, most_terms: int | None = None, deviation: np.ndarray | None = None) -> str:
        """Return the condition in words."""
        return self.words(style).text

    def words(self, style: Style, most_terms: int | None = None, deviation: np.ndarray | None = None) -> Words:
        """Return the condition and its branches in `Words`."""
        if (near := self.in_reach) != self:
            return near.words(style)
        name = style.name(self.column)
        if self.is_whole_line:
            return (
                Words(f"{name} is known", "known", "missing") if self.missing is False else Words(f"{name} is anything")
            )
        if self.low == np.inf or self.high == -np.inf:
            return Words(f"{name} is missing", "missing", "known") if self.missing else Words("never")
        parts = self._between_levels(style) or self._between_numbers(style)
        if len(parts) == 3:
            return style.compared(*parts, missing=self.missing)
        return Words(style.comparison(*parts) + or_missing(self.missing))

    def _between_numbers(self, style):
        """Return the parts of a comparison with numbers or dates."""
        limits = [limit for limit in (self.low, self.high) if np.isfinite(limit)]
        written = date_text if is_date(self.name) and all(map(date_text, limits)) else style.number
        name = style.name(self.column) if written is date_text else style.term(self.name)
        low, high = written(self.low), written(self.high)
        below, above = "<=" if self.low_closed else "<", "<=" if self.high_closed else "<"
        if self.low == self.high and self.low_closed and self.high_closed:
            return name, "=", low
        if self.low == -np.inf:
            return name, above, high
        if self.high == np.inf:
            return name, below.replace("<", ">"), low
        return low, below, name, above, high

    def _between_levels(self, style):
        """Return the parts of a comparison with levels, or None without levels, or if all or none are inside."""
        levels = levels_of(self.name)
        places = Columns(np.arange(len(levels))[:, None])
        inside = np.flatnonzero(replace(self, feature=0, missing=None).covers(places))
        if not 0 < inside.size < len(levels):
            return None
        name, low, high = style.name(self.column), style.value(levels[inside[0]]), style.value(levels[inside[-1]])
        if inside[0] == 0:
            return name, "<=", high
        if inside[-1] == len(levels) - 1:
            return name, ">=", low
        return (name, "=", low) if inside.size == 1 else (low, "<=", name, "<=", high)

    __str__ = text


class NearDifference(NamedTuple):
    """Facts about two features of one kind whose weighted sum is nearly a difference.

    middle : middle of the range of the first feature; are_whole : whether all values of both are whole numbers.
    """

    middle: float
    are_whole: bool


class NearRatio(NamedTuple):
    """Facts about two features of one sign, for which the weighted sum is nearly zero at a line through the origin.

    over : index of the feature above the fraction bar; ratio : its ratio to the other feature on this line, at least 1;
    are_negative : whether the values of both features are negative.
    """

    over: int
    ratio: float
    are_negative: bool


@dataclass(frozen=True)
class Linear:
    """Condition ``offset + weights . x[features] >= bound``, summed from left to right in float64.

    features, names, weights : tuples of int, str, float; relation : ">=" | "<" | "<=" | ">"; offset, bound : float;
    missing_side : bool, whether a NaN sum satisfies it; missing : as in `Interval`; digits : int, sufficient
    significant digits, None for all; main : index of the feature with weight 1 for which the text is solved, or None;
    near : `NearDifference` or `NearRatio` if the sum is nearly a difference or a comparison of a ratio, or None; form :
    "difference" if the weights are 1 and -1, "ratio" if the bound is 0 and the text contains `near`, or "".
    """

    features: tuple
    names: tuple
    weights: tuple
    offset: float
    relation: str
    bound: float = 0.0
    missing_side: bool = False
    missing: bool | None = None
    digits: int | None = field(default=None, compare=False, repr=False)
    main: int | None = field(default=None, compare=False, repr=False)
    near: NearDifference | NearRatio | None = field(default=None, compare=False, repr=False)
    form: str = field(default="", compare=False, repr=False)

    def covers(self, columns: Columns) -> np.ndarray:
        """Return whether the sum is on this side, bool[n]."""
        total = np.full(columns.n, self.offset)
        with np.errstate(over="ignore", invalid="ignore"):
            for feature, weight in zip(self.features, self.weights, strict=True):
                total += weight * columns[feature]
            holds = _COMPARE[self.relation](total, self.bound)
        return holds | np.isnan(total) if self.missing_side else holds

    def shown_digits(self, precision: int | str | None) -> int | None:
        """Return the number of digits for a `precision`."""
        return _digits(precision, self.digits)

    def rounded(self, precision: int | None) -> Self:
        """Return the condition with `precision` significant digits.

        The sum minus the bound remains the margin of the tree.
        """
        digits = self.shown_digits(precision)
        if digits is None:
            return self
        if digits > DIFFERENCE:
            if isinstance(self.near, NearRatio):
                return self._ratio(self.near, digits - DIFFERENCE)
            if self.near is not None:
                return self._difference(self.near, digits - DIFFERENCE)
            digits = _READABLE
        if digits not in self._shared:
            self._shared[digits] = self._solved(digits)
        if self._shared[digits] is None:
            weights = tuple(significant(weight, digits) for weight in self.weights)
            bound = significant(self.bound - self.offset, digits)
            self._shared[digits] = replace(self, weights=weights, offset=0.0, bound=bound)
        return self._shared[digits]

    def _difference(self, near, digits):
        """Return the condition on the difference of the two features, with a bound that is not negative.

        The line is turned about the middle of the range of the first feature, to the slope 1.
        """
        own = float(self.weights[1])
        slope = float(self.weights[0]) / own
        bound = (self.bound - self.offset) / own - (slope + 1.0) * near.middle
        relation, weights = self.relation if own > 0 else _TURNED[self.relation], (-1.0, 1.0)
        if bound < 0:
            bound, relation, weights = -bound, _TURNED[relation], (1.0, -1.0)
        if near.are_whole:
            bound = math.ceil(bound) if relation in (">=", "<") else math.floor(bound)
        else:
            bound = significant(bound, digits)
        return replace(self, weights=weights, offset=0.0, relation=relation, bound=bound + 0.0, form="difference")

    def _ratio(self, near, digits):
        """Return the condition on the ratio of the two features, as a sum whose line contains the origin."""
        weights = [1.0, 1.0]
        weights[1 - near.over] = -significant(near.ratio, digits)
        relation = self.relation if self.weights[near.over] > 0 else _TURNED[self.relation]
        return replace(self, weights=tuple(weights), offset=0.0, relation=relation, bound=0.0, form="ratio")

    def _solved(self, digits):
        """Return the condition solved for its only date, or for the second of two features, or None.

        The second feature is the vertical axis in the plot of the node. More digits than a person reads show that the
        quotient is awkward, such as 1 / 3 for rows exactly on the line, so that the sum is kept.
        """
        dates = [place for place, name in enumerate(self.names) if is_date(name)]
        is_line = not dates and len(self.names) == 2 and digits <= _READABLE
        if not is_line and (len(dates) != 1 or len(self.names) > MOST_TERMS):
            return None
        main = 1 if is_line else dates[0]
        own = float(self.weights[main])
        if is_line and not all(self.weights):
            return None
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            bound, *weights = (np.array([self.bound - self.offset, *self.weights]) / own).tolist()
        bound = significant(bound, digits) if is_line else near_date(bound, digits)
        if bound is None or not np.isfinite([bound, *weights]).all():
            return None
        weights = tuple(significant(weight, digits) for weight in weights)
        relation = self.relation if own > 0 else _TURNED[self.relation]
        return replace(self, weights=weights, offset=0.0, relation=relation, bound=bound + 0.0, main=main)

    def text(self, style: Style = TYPED, most_terms: int | None = None, deviation: np.ndarray | None = None) -> str:
        """Return the condition in words, with the `most_terms` largest terms (None: all).

        deviation : float[d], standard deviation of each feature, which makes terms of different units comparable.
        """
        return self.words(style, most_terms, deviation).text

    def words(self, style: Style, most_terms: int | None = None, deviation: np.ndarray | None = None) -> Words:
        """Return the condition and its branches in `Words`. Parameters as in `text`."""
        if self.form == "difference":
            return self._difference_words(style)
        if isinstance(self.near, NearRatio) and self.form == "ratio":
            return style.compared(*self._ratio_parts(self.near, style), missing=self.missing)
        if self.main is not None:
            return self._solved_words(self.main, style, most_terms, deviation)
        sizes = None if deviation is None or self.offset else deviation[list(self.features)]
        kept = largest_terms(np.array(self.weights), most_terms, sizes).tolist()
        # A sum without a positive term is negated, which does not change its rounding.
        turns = self.offset == 0 and all(weight < 0 for weight in self.weights)
        sign, relation = (-1.0, _TURNED[self.relation]) if turns else (1.0, self.relation)
        terms = [(sign * self.weights[i], self.names[i]) for i in kept]
        total = style.sum(terms, self.offset, len(self.weights) - len(kept))
        return style.compared(total, relation, style.number(sign * self.bound + 0.0), self.missing)

    def _difference_words(self, style):
        names = self.names if self.weights[0] > 0 else self.names[::-1]
        unit, is_of_levels = "", bool(levels_of(names[0]))
        if is_of_levels or (style is TYPESET and is_date(names[0])):
            names = tuple(map(column_name, names))
            unit = " days" if not is_of_levels else " level" if self.bound == 1 else " levels"
        first, second = map(style.name, names)
        if self.bound == 0:
            return style.compared(first, self.relation, second, self.missing)
        bound = style.number(self.bound) + (unit if style is TYPESET else "")
        return style.compared(f"{first} {style.minus} {second}", self.relation, bound, self.missing)

    def _ratio_parts(self, near: NearRatio, style: Style) -> tuple[str, str, str]:
        """Return the parts of a comparison with a ratio, or with a product if it can be typed: rules do not divide."""
        first, second = (style.name(self.names[place]) for place in (near.over, 1 - near.over))
        ratio = -self.weights[1 - near.over]
        if ratio == 1:
            return first, self.relation, second
        if style is TYPED:
            return first, self.relation, f"{style.number(ratio)}{style.times}{second}"
        relation = _TURNED[self.relation] if near.are_negative else self.relation
        return f"{first} / {second}", relation, style.number(ratio)

    def _solved_words(self, main, style, most_terms, deviation):
        others = [place for place in range(len(self.names)) if place != main]
        sizes = None if deviation is None else deviation[[self.features[place] for place in others]]
        weights = np.array(self.weights)[others]
        kept = largest_terms(weights, most_terms and most_terms - 1, sizes).tolist()
        terms = [(-weights[i], self.names[others[i]]) for i in kept]
        name, n_more = self.names[main], len(others) - len(kept)
        if is_date(name):
            total, sides = (date_text(self.bound) or "") + style.days(terms, n_more), ("later", "earlier")
            return style.compared(style.term(column_name(name)), self.relation, total, self.missing, sides)
        is_feature = not self.bound and not n_more and [abs(weight) for weight, _ in terms] == [1.0]
        total, sides = style.sum(terms, self.bound, n_more), None if is_feature else ("above", "below")
        return style.compared(style.term(name), self.relation, total, self.missing, sides)

    def __str__(self):
        if "text" not in self._shared:
            self._shared["text"] = self.text()
        return self._shared["text"]

    @cached_property
    def _shared(self):
        """Parts of the text, cached because sums can be long and the rules of all leaves below a node use them."""
        return {}


_TURNED = {">=": "<=", "<": ">", "<=": ">=", ">": "<"}
_COMPARE = {">=": np.greater_equal, "<": np.less, "<=": np.less_equal, ">": np.greater}


def side(tree: TreeArrays, node: int, right: bool, digits: int | None = None) -> Any:
    """Return the condition for going from `node` to its right (or left) child, or None if it always holds.

    digits : int, sufficient significant digits of this split, see `decision_digits`.
    """
    split = tree.split(node)
    names = tuple(map(tree.feature_name, split[0].tolist()))
    missing_right = None if tree.missing_right is None else bool(tree.missing_right[node])
    return condition_of(split, names, right, missing_right, digits)


def condition_of(
    split: tuple, names: Sequence[str], right: bool = True, missing_right: bool | None = None, digits: int | None = None
) -> Any:
    """Return the condition of a split (features, weights, bias), or None if it always holds.

    names : feature names; missing_right : bool, None if missing values are not supported.
    """
    features, weights, bias = split
    if len(features) == 0:
        return None if (bias >= 0) == right else Never()
    missing = None if missing_right is None else missing_right == right
    if len(features) == 1:
        found = _half_line(int(features[0]), names[0], float(weights[0]), bias, right, missing, digits)
        return None if found.is_whole else found
    relation, missing_side = ">=" if right else "<", bool(missing_right) == right
    features, weights = tuple(np.asarray(features).tolist()), tuple(np.asarray(weights).tolist())
    return Linear(features, tuple(names), weights, bias, relation, 0.0, missing_side, missing, digits)


def conjunction(conditions: Sequence, precision: int | str | None = None) -> str:
    """Return the conditions joined by "and", in the syntax of typed rules, or "always" for none.

    precision : as in `texts`.
    """
    texts = list(map(str, _shown(conditions, precision)))
    apart = (" if ", " or ", "; ") if len(texts) > 1 else (" if ",)
    texts = [
        f"({text})" if hasattr(one, "is_open") and any(word in text for word in apart) else text
        for one, text in zip(conditions, texts, strict=True)
    ]
    return " and ".join(texts) or "always"


def texts(
    conditions: Sequence,
    precision: int | str | None = None,
    most_terms: int | None = None,
    deviation: np.ndarray | None = None,
    missed: np.ndarray | None = None,
) -> list[str]:
    """Return the readable texts of conditions as a list.

    precision : significant digits of the numbers, `ENOUGH`, or None for all; most_terms : maximum number of terms in a
    weighted sum, largest first (None: all); deviation : see `Linear.text`; missed : bool[d], features for which the
    text mentions missing values (None: all).
    """
    told = _shown(conditions, precision)
    if missed is not None:
        known = [hasattr(one, "missing") and not missed[_features_of(one)].any() for one in told]
        near = [one.in_reach if isinstance(one, Interval) else one for one in told]
        told = [replace(one, missing=None) if is_known else one for one, is_known in zip(near, known, strict=True)]
    return [one.text(TYPESET, most_terms, deviation) for one in told]


def _features_of(condition):
    return [int(j) for numbers in features_used([condition]).values() for j in np.atleast_1d(numbers)]


def _shown(conditions, precision):
    return conditions if precision is None else [condition.rounded(precision) for condition in conditions]


def _digits(precision, own):
    return own if precision == ENOUGH else precision


def features_used(conditions: Sequence) -> dict:
    """Return the feature numbers in conditions, {name of the feature or categorical column: tuple of int}.

    The order is that of the conditions, and by decreasing weight within a weighted sum.
    """
    found = {}
    for one in conditions:
        if hasattr(one, "features_used"):
            for name, features in one.features_used.items():
                found[name] = tuple(dict.fromkeys((*found.get(name, ()), *features)))
        elif isinstance(one, Linear):
            for place in np.argsort(-np.abs(one.weights), kind="stable").tolist():
                found.setdefault(column_name(one.names[place]), (one.features[place],))
        elif isinstance(one, Interval):
            found.setdefault(one.column, (one.feature,))
    return found


def limits(weight: float, bias: float) -> tuple:
    """Return the adjacent floats (below, above) between which the value of ``fl(bias + fl(weight x)) >= 0`` changes.

    If the value is the same for all numbers, the result is (-inf, smallest) or (largest, inf). weight : float, not 0.
    """

    def is_above(rank):
        value = bias + weight * _float(rank)
        return value >= 0.0 if weight > 0 else not value >= 0.0

    low = high = _rank(min(max(-bias / weight, -_LARGEST), _LARGEST))
    step = 1
    while low >= -_LAST and is_above(low):
        low, step = max(low - step, -_LAST - 1), 2 * step
    step = 1
    while high <= _LAST and not is_above(high):
        high, step = min(high + step, _LAST + 1), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return _float(low), _float(high)


def threshold(weight: float, bias: float) -> float:
    """Return the limit t of a univariate split: x goes right if x >= t (for a negative weight, if x <= t)."""
    below, above = limits(weight, bias)
    return above if weight > 0 else below


def _half_line(feature, name, weight, bias, right, missing, digits):
    own = {"missing": missing, "low_digits": digits, "high_digits": digits}
    if weight == 0.0:
        return Interval(feature, name, high=np.inf if (bias >= 0) == right else -np.inf, **own)
    below, above = limits(weight, bias)
    last, first = (above, below) if weight > 0 else (below, above)  # last float that goes right, and the next one
    # The right side includes its limit, unless only the next number has few digits.
    use_above = (weight > 0) != (math.isfinite(first) and n_digits(first) <= _READABLE < n_digits(last))
    use_above = math.isinf(below) or (math.isfinite(above) and use_above)
    if right == (weight > 0):
        if math.isinf(below):
            return Interval(feature, name, **own)
        return Interval(feature, name, low=above if use_above else below, low_closed=bool(use_above), **own)
    if math.isinf(above):
        return Interval(feature, name, **own)
    if math.isinf(below):
        return Interval(feature, name, high=-np.inf, **own)
    return Interval(feature, name, high=above if use_above else below, high_closed=not use_above, **own)


def _rank(value):
    """Return the rank of a finite float among all floats, 0 for zero. Ranks of adjacent floats differ by 1."""
    size = struct.unpack("<q", struct.pack("<d", abs(value)))[0]
    return -size if value < 0 else size


def _float(rank):
    size = struct.unpack("<d", struct.pack("<q", abs(rank)))[0]
    return -size if rank < 0 else size


_LARGEST = float(np.finfo(np.float64).max)
_LAST = _rank(_LARGEST)
