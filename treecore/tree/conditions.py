"""Conditions of rules in raw units: intervals of one feature, categories of a column, weighted sums of features.

Every condition has `covers(columns)`, bool[n]: where it holds (columns : `Columns`, or any object with `n` and with
``columns[feature]``, float64[n]); `rounded(precision)`: the same condition with numbers of that many significant
digits; and a text. As built by `side` and `joined` it is exact: it holds where the tree's own arithmetic says so.
"""

import re
import struct
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
import scipy.sparse

_BIDIRECTIONAL = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_UNSEEN = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}]")  # or that change how the rest is read
_AMBIGUOUS = re.compile(r'[<>={},;"\\*]|(^|\s)(and|or|in|is|if|then|else|[-+])(\s|$)|^[-+.\d]|^$', re.IGNORECASE)


class Columns:
    """The features of rows `X` (dense or CSR, [n, d], as `check_rows` returns it), each as float64[n]."""

    def __init__(self, X):
        self.n = X.shape[0]
        self._X = X.tocsc() if scipy.sparse.issparse(X) else X

    def __getitem__(self, feature):
        column = self._X[:, [feature]].toarray().ravel() if scipy.sparse.issparse(self._X) else self._X[:, feature]
        return column.astype(np.float64)


class _Categories(NamedTuple):
    """One row for each category of a column, then one with a category that the tree does not know."""

    features: range

    @property
    def n(self):
        return len(self.features) + 1

    def __getitem__(self, feature):
        return (np.arange(self.n) == feature - self.features.start).astype(np.float64)


@dataclass(frozen=True)
class Never:
    """A condition that no row meets: the other side of a decision that sends every row one way."""

    def covers(self, columns):
        """bool[n]: False."""
        return np.zeros(columns.n, np.bool_)

    def rounded(self, precision):
        """Itself."""
        return self

    def __str__(self):
        return "never"


@dataclass(frozen=True)
class Interval:
    """``low < x <= high``, each side strict or not.

    feature : int; name : str; low, high : float, in raw units, may be infinite; low_closed, high_closed : whether the
    limit itself is inside; missing : whether a missing value (NaN) meets it; None in a tree that refuses those.
    """

    feature: int
    name: str
    low: float = -np.inf
    high: float = np.inf
    low_closed: bool = False
    high_closed: bool = True
    missing: bool | None = None

    @property
    def is_empty(self):
        """Whether no number lies inside."""
        outside = self.low == np.inf or self.high == -np.inf or self.low > self.high
        return outside or (self.low == self.high and not (self.low_closed and self.high_closed))

    @property
    def is_whole(self):
        """Whether every number, and a missing value where one may be, lies inside."""
        return self.low == -np.inf and self.high == np.inf and self.missing is not False

    def covers(self, columns):
        """bool[n]: where the feature lies inside."""
        x = columns[self.feature]
        inside = (x >= self.low if self.low_closed else x > self.low) & (
            x <= self.high if self.high_closed else x < self.high
        )
        return inside | np.isnan(x) if self.missing else inside

    def rounded(self, precision):
        """The same with limits of `precision` significant digits."""
        return replace(self, low=significant(self.low, precision), high=significant(self.high, precision))

    def joined(self, other):
        """Both at once, `other` being of the same feature."""
        low, low_open = max((self.low, not self.low_closed), (other.low, not other.low_closed))
        high, high_closed = min((self.high, self.high_closed), (other.high, other.high_closed))
        missing = None if self.missing is None else self.missing and other.missing
        return replace(self, low=low, high=high, low_closed=not low_open, high_closed=high_closed, missing=missing)

    def __str__(self):
        name = quoted(self.name)
        if self.low == -np.inf and self.high == np.inf:
            return f"{name} is not missing" if self.missing is False else f"{name} is anything"
        if self.low == np.inf or self.high == -np.inf:
            return f"{name} is missing" if self.missing else "never"
        below, above = "<=" if self.low_closed else "<", "<=" if self.high_closed else "<"
        if self.low == self.high and self.low_closed and self.high_closed:
            text = f"{name} = {number(self.low)}"
        elif self.low == -np.inf:
            text = f"{name} {above} {number(self.high)}"
        elif self.high == np.inf:
            text = f"{name} {below.replace('<', '>')} {number(self.low)}"
        else:
            text = f"{number(self.low)} {below} {name} {above} {number(self.high)}"
        return text + _or_missing(self.missing)


@dataclass(frozen=True)
class Category:
    """``column in {red, blue}``, or ``not in``, which a category that the tree does not know meets too.

    name : str, the column's; values : tuple of str; negated : bool; missing : as of `Interval`; parts : tuple of
    Interval and Linear, what the decisions say of the 0/1 features: `covers` means those.
    """

    name: str
    values: tuple
    negated: bool
    missing: bool | None
    parts: tuple = field(repr=False)

    def covers(self, columns):
        """bool[n]: where all `parts` hold."""
        return np.logical_and.reduce([part.covers(columns) for part in self.parts])

    def rounded(self, precision):
        """Itself: it shows no numbers."""
        return self

    def __str__(self):
        if not self.values and not self.negated:
            return f"{quoted(self.name)} is missing" if self.missing else "never"
        if not self.values:
            return f"{quoted(self.name)} is anything" if self.missing is not False else f"{quoted(self.name)} is given"
        values = ", ".join(map(quoted, self.values))
        return f"{quoted(self.name)} {'not ' * self.negated}in {{{values}}}{_or_missing(self.missing)}"


@dataclass(frozen=True)
class Linear:
    """``offset + weights . x[features] >= bound``, the sum taken from left to right in float64.

    features, names, weights : tuples of int, str, float; relation : ">=" | "<" | "<=" | ">"; offset, bound : float;
    missing_side : bool, whether a sum that is NaN meets it; missing : as of `Interval`.
    """

    features: tuple
    names: tuple
    weights: tuple
    offset: float
    relation: str
    bound: float = 0.0
    missing_side: bool = False
    missing: bool | None = None

    def covers(self, columns):
        """bool[n]: where the sum is on this side."""
        total = np.full(columns.n, self.offset)
        with np.errstate(over="ignore", invalid="ignore"):
            for feature, weight in zip(self.features, self.weights, strict=True):
                total += weight * columns[feature]
            holds = _COMPARE[self.relation](total, self.bound)
        return holds | np.isnan(total) if self.missing_side else holds

    def rounded(self, precision):
        """The same with `precision` significant digits, divided by the weight of largest size, which becomes 1."""
        if precision not in self._shared:
            self._shared[precision] = self._rounded(precision)
        return self._shared[precision]

    def _rounded(self, precision):
        largest = max(self.weights, key=abs, default=0.0)
        weights = [weight / largest if largest else weight for weight in self.weights]
        bound = (self.bound - self.offset) / largest if largest else self.bound - self.offset
        if not largest or not np.isfinite([*weights, bound]).all():
            largest, weights, bound = 1.0, self.weights, self.bound - self.offset
        relation = self.relation if largest > 0 else self.relation.translate(_TURNED)
        weights = tuple(significant(weight, precision) for weight in weights)
        bound = significant(bound, precision)
        return replace(self, weights=weights, offset=0.0, relation=relation, bound=bound)

    def shortened(self, precision):
        """The same with `precision` significant digits, not divided: the sum minus the bound stays the margin."""
        weights = tuple(significant(weight, precision) for weight in self.weights)
        bound = significant(self.bound - self.offset, precision)
        return replace(self, weights=weights, offset=0.0, bound=bound)

    def text(self, most_terms=None, spread=None):
        """The condition in words; of more terms than `most_terms` (None: all) only the largest.

        spread : float[d], of the values of each feature, so that terms are compared whatever their units; None: weights
        are compared as they are.
        """
        sizes = np.abs(self.weights) if spread is None else np.abs(self.weights) * spread[list(self.features)]
        kept = np.argsort(-sizes, kind="stable")[:most_terms]
        parts = [number(self.offset)] if self.offset else []
        for i in np.sort(kept).tolist():
            weight = self.weights[i]
            size = "" if abs(weight) == 1.0 else f"{number(abs(weight))} * "
            sign = ("- " if weight < 0 else "+ ") if parts else "-" if weight < 0 else ""
            parts.append(f"{sign}{size}{quoted(self.names[i])}")
        if kept.size < len(self.weights):
            parts.append(f"+ {len(self.weights) - kept.size} more")
        return f"{' '.join(parts)} {self.relation} {number(self.bound)}{_or_missing(self.missing)}"

    def __str__(self):
        if "text" not in self._shared:
            self._shared["text"] = self.text()
        return self._shared["text"]

    @cached_property
    def _shared(self):
        """What the rules of all leaves below a node show of it: sums can be long."""
        return {}


_COMPARE = {">=": np.greater_equal, "<": np.less, "<=": np.less_equal, ">": np.greater}
_TURNED = str.maketrans("<>", "><")


def side(tree, node, right):
    """Condition that sends a row from `node` to its right (or left) child; None where it is always met."""
    features, weights, bias = tree.split(node)
    missing_right = tree.missing_right is not None and bool(tree.missing_right[node])
    if features.size == 0:
        return None if (bias >= 0) == right else Never()
    missing = None if tree.missing_right is None else missing_right == right
    names = tuple(map(tree.feature_name, features.tolist()))
    if features.size == 1:
        found = _half_line(int(features[0]), names[0], float(weights[0]), bias, right, missing)
        return None if found.is_whole else found
    relation = ">=" if right else "<"
    return Linear(
        tuple(features.tolist()), names, tuple(weights.tolist()), bias, relation, 0.0, missing_right == right, missing
    )


def joined(conditions, groups, names):
    """Tuple of conditions of one path, root first, with those of one feature or one column made one.

    conditions : of `side`; groups : ranges of features, as of `column_groups`; names : tuple of str or None.
    """
    of_feature = {feature: group for group in groups for feature in group}
    out = {}
    for place, condition in enumerate(conditions):
        if isinstance(condition, Never):
            return (condition,)
        group = _column_of(condition, of_feature)
        if group is not None:
            out.setdefault(group, []).append(condition)
        elif isinstance(condition, Interval):
            before = out.get(condition.feature)
            out[condition.feature] = condition if before is None else before.joined(condition)
        elif condition is not None:
            out[-1 - place] = condition
    for key, found in out.items():
        if isinstance(found, Interval) and found.is_empty:
            if not found.missing:
                return (Never(),)
            out[key] = replace(found, low=-np.inf, high=-np.inf)
    return tuple(
        _category(key, tuple(found), names) if isinstance(key, range) else found
        for key, found in out.items()
        if not isinstance(found, Interval) or not found.is_whole
    )


def conjunction(conditions, precision=None):
    """Conditions joined by "and"; "always" for none. precision : as for `texts`."""
    return " and ".join(texts(conditions, precision)) or "always"


def texts(conditions, precision=None, most_terms=None, spread=None):
    """List with the text of each condition.

    precision : significant digits of the numbers (None: all); most_terms : of a weighted sum only so many terms are
    written, the largest (None: all); spread : see `Linear.text`.
    """
    shown = conditions if precision is None else [condition.rounded(precision) for condition in conditions]
    if most_terms is None:
        return list(map(str, shown))
    return [one.text(most_terms, spread) if isinstance(one, Linear) else str(one) for one in shown]


def features_used(conditions):
    """dict: name of each feature (of categories: of their column) that conditions ask for -> tuple of feature numbers.

    In the order of the conditions, of a weighted sum the largest weights first.
    """
    found = {}
    for one in conditions:
        if isinstance(one, Category):
            found[one.name] = tuple(dict.fromkeys(j for part in one.parts for j in _features(part)))
        elif isinstance(one, Linear):
            for place in np.argsort(-np.abs(one.weights), kind="stable").tolist():
                found.setdefault(one.names[place], (one.features[place],))
        elif isinstance(one, Interval):
            found.setdefault(one.name, (one.feature,))
    return found


def column_groups(names):
    """List of the ranges of two or more features that are the categories of one column: ``colour = red``, ..."""
    groups, start = [], 0
    for column, members in groupby(names or (), lambda name: name.rpartition(" = ")[0]):
        stop = start + len(list(members))
        if column and stop - start > 1 and len(set(names[start:stop])) == stop - start:
            groups.append(range(start, stop))
        start = stop
    return groups


def limits(weight, bias):
    """(below, above): neighbouring floats; ``fl(bias + fl(weight x)) >= 0`` changes its truth between them.

    Infinite where it is the same for all numbers: (-inf, smallest) or (largest, inf). weight : float, not 0.
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


def significant(value, precision):
    """float: `value` with `precision` significant digits (None: all of them)."""
    return value if precision is None else float(f"{value:.{precision}g}")


def number(value):
    """Shortest text from which the float can be read back."""
    return repr(float(value) + 0.0).removesuffix(".0")


def visible(text):
    """Text on one line, with control characters and those that turn the reading direction written out."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))


def quoted(name):
    """A name as part of a condition: in quotes where it could be taken for more than a name."""
    text = visible(name)
    if not _AMBIGUOUS.search(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _half_line(feature, name, weight, bias, right, missing):
    if weight == 0.0:
        high = np.inf if (bias >= 0) == right else -np.inf
        return Interval(feature, name, high=high, missing=missing)
    below, above = limits(weight, bias)
    # the shorter of the two numbers is the one that somebody meant
    use_above = np.isinf(below) or (np.isfinite(above) and len(number(above)) < len(number(below)))
    if right == (weight > 0):
        if np.isinf(below):
            return Interval(feature, name, missing=missing)
        return Interval(feature, name, low=above if use_above else below, low_closed=bool(use_above), missing=missing)
    if np.isinf(above):
        return Interval(feature, name, missing=missing)
    if np.isinf(below):
        return Interval(feature, name, high=-np.inf, missing=missing)
    return Interval(feature, name, high=above if use_above else below, high_closed=not use_above, missing=missing)


def _features(condition):
    return getattr(condition, "features", (getattr(condition, "feature", None),))


def _column_of(condition, of_feature):
    """The group of features that a condition tells apart, or None."""
    features = _features(condition)
    group = of_feature.get(features[0])
    if group is None or any(feature not in group for feature in features):
        return None
    holds = condition.covers(_Categories(group))
    return group if holds.any() and not holds.all() else None


def _category(group, parts, names):
    holds = np.logical_and.reduce([part.covers(_Categories(group)) for part in parts])
    negated = bool(holds[-1])
    column = names[group.start].rpartition(" = ")[0]
    values = [
        names[feature].rpartition(" = ")[2] for feature, held in zip(group, holds, strict=False) if held != negated
    ]
    missing = None if parts[0].missing is None else all(part.missing for part in parts)
    return Category(column, tuple(values), negated, missing, parts)


def _or_missing(missing):
    return " (or missing)" if missing else ""


def _rank(value):
    """Finite floats numbered in order, 0 for zero: neighbours differ by one."""
    size = struct.unpack("<q", struct.pack("<d", abs(value)))[0]
    return -size if value < 0 else size


def _float(rank):
    size = struct.unpack("<d", struct.pack("<q", abs(rank)))[0]
    return -size if rank < 0 else size


_LARGEST = float(np.finfo(np.float64).max)
_LAST = _rank(_LARGEST)
