"""Conditions on the 0/1 features of a categorical column, expressed by that column.

``colour = red >= 0.5`` becomes ``colour = red``. A weighted sum of categories and one other column becomes a
condition for each category: ``tariff = basic and since >= 2020-01-01``, or ``age >= 67 if heart = moderate, else age >=
61``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from treecore.column_groups import column_groups
from treecore.ordered_levels import levels_of
from treecore.tree.condition_text import TYPED, TYPESET, Style, Words, or_missing, pixel_sum
from treecore.tree.conditions import Columns, Interval, Linear, NearDifference, NearRatio, Never, condition_of
from treecore.tree.date_text import is_date
from treecore.tree.feature_statistics import whole_features
from treecore.tree.tree_arrays import TreeArrays

MOST_PIXELS = 2  # maximum number of pixels that the text of a split names
MOST_CASES = 4  # maximum number of categories for which a sum is split into cases
MOST_NAMED = 4  # maximum number of categories that a branch names; more are only counted
STEEPEST = 1.25  # maximum ratio of the weights of a difference
FARTHEST = 0.05  # maximum error of a line through the origin, as a share of the range of the first feature
LEAST_SPREAD = 2.0  # minimum ratio of the ends of a feature in a ratio; years and temperatures are closer together
_UNIT = re.compile(r" \(([^()]+)\)$")
MOST_INSTEAD = 3  # maximum number of categories that a readable condition names instead of "≠" or "not in" the others
MOST_LISTED = 8  # maximum number of categories in a condition whose terms are limited; more are only counted


@dataclass(frozen=True)
class Category:
    """Condition ``column in {red, blue}`` or ``not in``. An unknown category satisfies ``not in``.

    name : str, column name; values : tuple of str; negated : bool; missing : as in `Interval`; n_values : int, number
    of categories that are features; others : tuple of str, all other categories, sorted, or None if they are not known;
    parts : tuple of Interval and Linear, the splits on the 0/1 features, which `covers` evaluates.
    """

    name: str
    values: tuple
    negated: bool
    missing: bool | None
    n_values: int
    others: tuple | None
    parts: tuple = field(repr=False)

    def covers(self, columns: Columns) -> np.ndarray:
        """Return the rows for which all `parts` hold, bool[n]."""
        return np.logical_and.reduce([part.covers(columns) for part in self.parts])

    def rounded(self, precision: int | None) -> Self:
        """Return the condition itself, which contains no numbers."""
        return self

    @property
    def features_used(self) -> dict:
        """{column name: tuple of the features in its splits}."""
        return {self.name: tuple(dict.fromkeys(j for part in self.parts for j in _features(part)))}

    def text(self, style: Style = TYPED, most_terms: int | None = None, deviation: np.ndarray | None = None) -> str:
        """Return the condition in words. A readable condition names the other categories if they are not more."""
        name = style.name(self.name)
        if not self.values and not self.negated:
            return f"{name} is missing" if self.missing else "never"
        if not self.values:
            return f"{name} is anything" if self.missing is not False else f"{name} is known"
        n_rest = len(self.others or ()) + len(self.values) - self.n_values
        values, negated = _named(self.values, self.others, self.negated, style, n_rest)
        if most_terms is not None and len(values) > MOST_LISTED:
            words = f"{name} {'not ' * negated}in {len(values)} of {self.n_values} values"
        else:
            words = _set_text(self.name, values, negated, style)
        return words + or_missing(self.missing)

    __str__ = text

    def words(self, style: Style, most_terms: int | None = None, deviation: np.ndarray | None = None) -> Words:
        """Return the condition and its branches, such as "red, blue" and "95 of 200 values of city"."""
        return Words(self.text(style, most_terms, deviation), self._branch(True), self._branch(False))

    def _branch(self, met):
        is_named, column = met != self.negated, TYPESET.name(self.name)
        values = self.values if is_named else self.others
        if values and len(values) <= MOST_NAMED:
            return ", ".join(map(TYPESET.value, values))
        return f"{len(self.values)} of {self.n_values} values of {column}" if is_named else f"other values of {column}"


@dataclass(frozen=True)
class Cases:
    """Condition ``x >= 3 if column = basic, else x >= 4`` for a sum of the categories of a column and another column.

    name : str, name of the categorical column; values, features : tuples of str and int, its categories and their
    features; parts : tuple, condition on the other column for each of the values, then for all other values: Interval,
    Category, Never, or None (always); is_open : whether other values exist; others : tuple of str, the other values, or
    None if they are not known; missing : as in `Interval`; missing_side : as in `Linear`; exact : Linear for `covers`,
    None after rounding, where `covers` uses the parts.
    """

    name: str
    values: tuple
    features: tuple
    parts: tuple
    is_open: bool
    others: tuple | None
    missing: bool | None
    missing_side: bool
    exact: Linear | None = field(repr=False)

    @property
    def features_used(self) -> dict:
        """{column name: tuple of its features} for both columns."""
        found = {self.name: self.features}
        for part in self.parts:
            if isinstance(part, Interval):
                found[part.column] = (part.feature,)
            elif isinstance(part, Category):
                found |= part.features_used
        return found

    def covers(self, columns: Columns) -> np.ndarray:
        """Return the rows that satisfy the condition of their category, bool[n]."""
        if self.exact is not None:
            return self.exact.covers(columns)
        place, lost = np.full(columns.n, len(self.values)), np.zeros(columns.n, np.bool_)
        for i, feature in enumerate(self.features):
            place[columns[feature] == 1] = i
        for feature in (j for features in self.features_used.values() for j in features):
            lost |= np.isnan(columns[feature])
        held = [np.full(columns.n, True) if part is None else part.covers(columns) for part in self.parts]
        return np.where(lost, self.missing_side, np.choose(place, held))

    def rounded(self, precision: int | str | None) -> Self:
        """Return the condition by category, with limits of `precision` significant digits."""
        if self.exact is None or self.exact.shown_digits(precision) is None:
            return self
        parts = tuple(part and part.rounded(precision) for part in self.parts)
        return replace(self, parts=parts, exact=None)

    def text(self, style: Style = TYPED, most_terms: int | None = None, deviation: np.ndarray | None = None) -> str:
        """Return the condition in words. With all digits, this is the sum, which is exactly the split."""
        if self.exact is not None:
            return self.exact.text(style, most_terms, deviation)
        said = {}  # categories for each condition text; the category None stands for all other values
        for value, part in zip((*self.values, None)[: len(self.values) + self.is_open], self.parts, strict=False):
            said.setdefault("always" if part is None else part.text(style), []).append(value)
        said = dict(sorted(said.items(), key=lambda item: None in item[1]))
        if len(said) == 1:
            words = next(iter(said))
        elif said.keys() == {"always", "never"}:
            is_not = None in said["always"]
            words = self._set_text(said["never" if is_not else "always"], is_not, style)
        elif len(said) == 2:
            (first, values), (second, _) = said.items()
            inside, outside = (self._set_text(values, negated, style) for negated in (False, True))
            words = _either(inside, outside, first, second)
        else:
            cases = [
                f"{'others' if None in values else ', '.join(map(style.value, values))}: {what}"
                for what, values in said.items()
            ]
            words = f"{style.name(self.name)} {'; '.join(cases)}"
        return words + or_missing(self.missing)

    def words(self, style: Style, most_terms: int | None = None, deviation: np.ndarray | None = None) -> Words:
        """Return the condition in `Words`."""
        return Words(self.text(style, most_terms, deviation))

    def _set_text(self, values, negated, style):
        others = self.others
        if others is not None:
            others = tuple(sorted((*(value for value in self.values if value not in values), *others)))
        return _set_text(self.name, *_named(values, others, negated, style, 0), style)

    __str__ = text


class CategoryColumns(NamedTuple):
    """Categorical columns among the features, and the values of the other features.

    names : feature names, or None; group_of : {feature: range of the features of its column} for categorical columns;
    rest : {range: tuple of the categories without a feature} where they are known; low, high : float64[d], smallest and
    largest known values, or None; whole : bool[d], whether the known values are whole numbers, or None.
    """

    names: Sequence[str] | None
    group_of: dict[int, range]
    rest: Mapping[range, tuple] = {}
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    whole: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        names: Sequence[str] | None,
        groups: Iterable[range],
        X: np.ndarray | None = None,
        rest: Mapping[range, tuple] | None = None,
    ) -> Self:
        """Return the columns for these feature groups. X : array [n, d] of known rows, or None."""
        group_of = {feature: group for group in groups for feature in group}
        if not isinstance(X, np.ndarray) or not len(X):
            return cls(names, group_of, rest or {})
        ends = (np.nan_to_num(end.reduce(X, axis=0).astype(np.float64)) for end in (np.fmin, np.fmax))
        needs_whole = group_of or _has_two_of_one_kind(names or ())
        return cls(names, group_of, rest or {}, *ends, whole_features(X) if needs_whole else None)

    def combine(self, condition: Any) -> Any:
        """Convert the condition to `Category` or `Cases` if possible, else return it unchanged."""
        group = _column_of(condition, self.group_of)
        if group is not None:
            return _category(group, (condition,), self)
        found = self._by_category(condition)
        if found is not None or not isinstance(condition, Linear) or len(condition.features) != 2 or condition.bound:
            return found or condition
        near = self._difference(condition) or self._ratio(condition)
        return condition if near is None else replace(condition, near=near)

    def _difference(self, condition):
        """Return the facts for a text as a difference of two columns of one kind, or None."""
        (first, second), kinds = condition.weights, [*map(kind_of, condition.names)]
        if self.low is None or self.high is None or self.whole is None:
            return None
        if any(j in self.group_of for j in condition.features):
            return None
        if not kinds[0] or kinds[0] != kinds[1] or not second or not 1 / STEEPEST <= -first / second <= STEEPEST:
            return None
        j = condition.features[0]
        middle = float(self.low[j] / 2 + self.high[j] / 2)
        return NearDifference(middle, bool(self.whole[list(condition.features)].all()))

    def _ratio(self, condition):
        """Return the facts for a text as a ratio of two columns of one sign, or None.

        The line is turned about its point at the middle of the second column, until it contains the origin.
        """
        places = list(condition.features)
        if self.low is None or self.high is None or any(j in self.group_of for j in places):
            return None
        if any(is_date(name) or levels_of(name) for name in condition.names):
            return None
        (low, low2), (high, high2) = self.low[places].tolist(), self.high[places].tolist()
        if not (min(low, low2) > 0 or max(high, high2) < 0):
            return None
        near, far = min(abs(low), abs(high)), max(abs(low), abs(high))
        near2, far2 = min(abs(low2), abs(high2)), max(abs(low2), abs(high2))
        if far < LEAST_SPREAD * near or far2 < LEAST_SPREAD * near2 or not all(condition.weights):
            return None
        middle, own = low2 / 2 + high2 / 2, float(condition.weights[0])
        shift = -condition.offset / own
        slope = shift / middle - condition.weights[1] / own
        error = abs(shift / middle) * (high2 - low2) / 2
        if not (0 < slope < np.inf and 1 / slope < np.inf) or not error <= FARTHEST * (high - low):
            return None
        return NearRatio(0, slope, high < 0) if slope >= 1 else NearRatio(1, 1 / slope, high < 0)

    def _by_category(self, condition):
        if not isinstance(condition, Linear) or condition.relation not in (">=", "<") or condition.bound:
            return None
        of_column = {}
        for i, feature in enumerate(condition.features):
            of_column.setdefault(self.group_of.get(feature, feature), []).append(i)
        told = [key for key, own in of_column.items() if isinstance(key, range) and len(own) <= MOST_CASES]
        if len(of_column) != 2 or not told:
            return None
        own, other = of_column.pop(told[0]), next(iter(of_column.values()))
        features, names = (tuple(np.array(values, object)[other]) for values in (condition.features, condition.names))
        weights = np.array(condition.weights)
        parts = tuple(
            self._within(condition_of((features, weights[other], bias), names, condition.relation == ">=",
                                      digits=condition.digits))
            for bias in (*(condition.offset + weights[own]).tolist(), condition.offset)
        )  # fmt: skip
        if all(part is None for part in parts) or all(isinstance(part, Never) for part in parts):
            return None
        asked = tuple(condition.features[i] for i in own)
        values = tuple(condition.names[i].rpartition(" = ")[2] for i in own)
        is_open = len(asked) < len(told[0]) or self.rest.get(told[0]) != ()
        name = condition.names[own[0]].rpartition(" = ")[0]
        rest = self.rest.get(told[0])
        unasked = (self.names[j].rpartition(" = ")[2] for j in told[0] if j not in asked) if self.names else ()
        others = None if rest is None else (*unasked, *rest)
        return Cases(name, values, asked, parts, is_open, others, condition.missing, condition.missing_side, condition)

    def _within(self, part):
        """Return a condition on one column, or None or Never if all or none of its known values satisfy it."""
        if part is None or isinstance(part, Never):
            return part
        group = self.group_of.get(_features(part)[0])
        if group is not None:
            holds = part.covers(_Categories(group))
            told = _category(group, (part,), self)
        elif self.low is None or self.high is None or self.whole is None:
            return Never() if part.is_empty else part
        else:
            told, ends = (
                replace(part, of_counts=bool(self.whole[part.feature])),
                (self.low[part.feature], self.high[part.feature]),
            )
            holds = part.covers(_Values(np.array(ends)))
        return told if holds.any() and not holds.all() else None if holds.all() else Never()


def decision_words(
    split: tuple,
    names: Sequence[str],
    digits: int,
    deviation: np.ndarray | None = None,
    most_terms: int | None = 4,
    pixels: bool = False,
    columns: "CategoryColumns | None" = None,
    missing_right: bool | None = None,
) -> Words:
    """Return the words of a split on the stage: the condition for going right, and its branches.

    split : (features, weights, bias); names : feature names; digits : int, see `decision_digits`; deviation :
    float64[d], see `Linear.text`; most_terms : maximum number of terms in a sum; pixels : whether the features are
    pixels; columns : CategoryColumns, for conditions as in rules; missing_right : whether a missing value goes right,
    None if it is not supported. The text mentions missing values only if the split separates them from all other
    values.
    """
    if pixels and len(split[0]) > MOST_PIXELS:
        return pixel_sum(len(split[0]), split[2])
    found = condition_of(split, names, missing_right=missing_right)
    found = found.in_reach if isinstance(found, Interval) else found
    if isinstance(found, Interval) and found.is_whole:
        found = None
    if isinstance(found, Interval) and (found.missing if found.is_empty else found.is_whole_line):
        return found.words(TYPESET)  # the split separates missing values from all other values
    if found is None:
        return Words("always right", "all", "none")
    if isinstance(found, Never) or (isinstance(found, Interval) and found.is_empty):
        return Words("always left", "none", "all")
    found = condition_of(split, names, digits=digits)
    return (found if columns is None else columns.combine(found)).rounded(digits).words(TYPESET, most_terms, deviation)


def joined(conditions: Iterable, columns: "CategoryColumns") -> tuple:
    """Combine the conditions of a path that concern the same feature or column. Return a tuple.

    conditions : results of `side`, root first.
    """
    out: dict[Any, Any] = {}
    for place, condition in enumerate(conditions):
        if isinstance(condition, Never):
            return (condition,)
        group = _column_of(condition, columns.group_of) if columns.group_of else None
        if group is not None:
            out.setdefault(group, []).append(condition)
        elif isinstance(condition, Interval):
            out.setdefault(condition.feature, []).append(condition)
        elif condition is not None:
            out[-1 - place] = columns.combine(condition)
    for key, parts in out.items():
        if isinstance(parts, list) and not isinstance(key, range):
            out[key] = found = Interval.joined(parts)
            if found.is_empty and not found.missing:
                return (Never(),)
            if found.is_empty:
                out[key] = replace(found, low=-np.inf, high=-np.inf)
    return tuple(
        _category(key, tuple(found), columns) if isinstance(key, range) else found
        for key, found in out.items()
        if not isinstance(found, Interval) or not found.is_whole
    )


def shown_columns(tree: TreeArrays) -> CategoryColumns:
    """Return the columns that the feature names and the splits of a tree show.

    A single feature such as ``sex = male`` counts as a column if every univariate split on it is at 0.5.
    """
    groups = column_groups(tree.feature_names)
    single = {j for j, name in enumerate(tree.feature_names or ()) if name.rpartition(" = ")[0]}
    single -= {j for group in groups for j in group}
    if single:
        own = tree.indptr[:-1][np.diff(tree.indptr) == 1]
        halves = tree.bias[np.diff(tree.indptr) == 1] == -0.5 * tree.weights[own]
        at_half = {j: halves[tree.features[own] == j] for j in single}
        groups = sorted([*groups, *(range(j, j + 1) for j, held in at_half.items() if held.size and held.all())],
                        key=lambda group: group.start)  # fmt: skip
    return CategoryColumns.of(tree.feature_names, groups)


def one_hot_groups(names: Sequence[str] | None, columns: Columns | None = None) -> list[range]:
    """Return the `column_groups` whose values in `columns` (as in `covers`, or None) are one-hot."""
    return [group for group in column_groups(names) if columns is None or is_one_hot(columns, group)]


def is_one_hot(columns: Columns, group: Iterable[int]) -> bool:
    """Return whether the features of a group are 0 or 1, at most one of them 1 in each row, or all missing."""
    flags = np.array([columns[feature] for feature in group])
    present = flags[:, ~np.isnan(flags).all(axis=0)]
    return bool(((present == 0) | (present == 1)).all() and (present.sum(axis=0) <= 1).all())


class _Categories(NamedTuple):
    """Rows with one category each, then a row with an unknown category."""

    features: range

    @property
    def n(self):
        return len(self.features) + 1

    def __getitem__(self, feature):
        return (np.arange(self.n) == feature - self.features.start).astype(np.float64)


class _Values(NamedTuple):
    """Rows in which all features have the same value."""

    values: np.ndarray

    @property
    def n(self):
        return len(self.values)

    def __getitem__(self, feature):
        return self.values


def _features(condition):
    return getattr(condition, "features", (getattr(condition, "feature", None),))


def _column_of(condition, of_feature):
    """Return the feature group that a condition concerns, or None."""
    features = _features(condition)
    group = of_feature.get(features[0])
    if group is None or any(feature not in group for feature in features):
        return None
    holds = condition.covers(_Categories(group))
    return group if holds.any() and not holds.all() else None


def _category(group, parts, columns):
    holds = np.logical_and.reduce([part.covers(_Categories(group)) for part in parts])
    negated = bool(holds[-1])
    column = columns.names[group.start].rpartition(" = ")[0]
    named, others = [], []
    for feature, held in zip(group, holds, strict=False):
        (named if held != negated else others).append(columns.names[feature].rpartition(" = ")[2])
    missing = None if parts[0].missing is None else all(part.missing for part in parts)
    rest = columns.rest.get(group)
    known = None if rest is None else tuple(sorted((*others, *rest)))
    return Category(column, tuple(named), negated, missing, len(group), known, parts)


def kind_of(name: str) -> str:
    """Return the levels of a feature, or the unit at the end of its name, such as "cm" in "length (cm)", or ""."""
    if levels := levels_of(name):
        return " < ".join(levels)
    found = _UNIT.search(name)
    return found[1] if found else ""


def _has_two_of_one_kind(names):
    kinds = [kind for kind in map(kind_of, names) if kind]
    return len(set(kinds)) < len(kinds)


def _either(inside, outside, first, second):
    """Return the text of a condition that is `first` for some categories and `second` for the others.

    inside, outside : conditions that a row has one of these categories, and that it has none.
    """
    if first == "never":
        return f"{outside} and {second}"
    if first == "always":
        return f"{inside} or {second}"
    if second == "never":
        return f"{inside} and {first}"
    if second == "always":
        return f"{outside} or {first}"
    return f"{first} if {inside}, else {second}"


def _named(values, others, negated, style, n_rest):
    """Return (values, negated) of a condition that names the other values, if known and not more.

    n_rest : number of the other values without a feature, of which a rule can name one.
    """
    if negated and others and len(others) <= min(len(values), MOST_INSTEAD) and (style is TYPESET or n_rest < 2):
        return others, False
    return values, negated


def _set_text(name, values, negated, style):
    """Return the text of ``name in {values}`` or ``not in``, with one value ``name = value``."""
    if len(values) == 1:
        return style.comparison(style.name(name), "!=" if negated else "=", style.value(values[0]))
    return f"{style.name(name)} {'not ' * negated}in {{{', '.join(map(style.value, values))}}}"
