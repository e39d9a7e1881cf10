"""Rules of C5.0: conditions, construction from the nodes of a tree, selection by hill climbing, and votes.

The method is that of Quinlan, C4.5: Programs for Machine Learning (1993), chapter 5. Six details follow the published
source of C5.0. Inner nodes also give rules, conditions are dropped by its measure, and a rule has a smallest
confidence. Votes are weighted by confidence, and the initial rules cover each class. Costs count errors of the vote,
not exceptions of each class.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.baselines.c50 import rule_kernels as kernels
from treecore.baselines.c50.growth import Cases, attribute_names, attributes
from treecore.data.feature_encoder import FeatureEncoder
from treecore.tree.condition_text import quoted
from treecore.tree.metrics import training_error
from treecore.tree.tree import Tree

LIFT = 0.95  # smallest confidence of a rule, as a multiple of the share of its class
VOTES = 1000  # votes of a rule with confidence 1
EPSILON = 1e-4
FEWEST = 0.99  # smallest weight of the cases of a rule


@dataclass(frozen=True)
class Condition:
    """Condition ``low < x <= high`` for numbers or ``x in values`` for categories. It is false if x is missing.

    column : int, index in the X of `fit`; name : str, name of the column; low, high : float, in raw units, one of them
    infinite; values : tuple of str, the categories in order, None for numbers.
    """

    column: int
    name: str
    low: float = -np.inf
    high: float = np.inf
    values: tuple | None = None

    def __str__(self):
        name = quoted(self.name)
        if self.values is not None:
            return f"{name} in {{{', '.join(map(quoted, self.values))}}}"
        return f"{name} <= {self.high:.6g}" if np.isfinite(self.high) else f"{name} > {self.low:.6g}"


@dataclass(frozen=True)
class Rule:
    """Rule that predicts `label` if all `conditions` hold.

    conditions : tuple of Condition; label : class label; cases : float, weight of the covered training rows; errors :
    float, weight of the covered rows of other classes.
    """

    conditions: tuple
    label: object
    cases: float
    errors: float

    @property
    def confidence(self) -> float:
        """Estimated confidence in (0, 1): (cases - errors + 1) / (cases + 2)."""
        return (self.cases - self.errors + 1.0) / (self.cases + 2.0)

    @property
    def vote(self) -> int:
        """Weight of the vote, an int in [1, 1000]: thousandths of the confidence."""
        return int(VOTES * self.confidence + 0.5)

    def __str__(self):
        conditions = " and ".join(map(str, self.conditions))
        figures = f"{self.cases:g} cases, {self.errors:g} errors, confidence {self.confidence:.3f}"
        return f"if {conditions} then {self.label} ({figures})"


class _Flat(NamedTuple):
    """Conditions in flat arrays for the kernels."""

    column: np.ndarray
    low: np.ndarray
    high: np.ndarray
    offset: np.ndarray
    members: np.ndarray

    def only(self, kept):
        """Return the conditions at the indices `kept`."""
        return self._replace(**{name: getattr(self, name)[kept] for name in ("column", "low", "high", "offset")})


def rules_of(tree: Tree, cases: Cases, encoder: FeatureEncoder, min_cases: float, run: Callable) -> tuple:
    """Return the rules, sorted by class and decreasing confidence, and the class label of uncovered rows.

    tree : Tree of a C50Classifier; cases, encoder : Cases and FeatureEncoder of its training; min_cases : float, as in
    `grow`; run : maps a function over a list (threads).
    """
    bits = _Bits(cases, encoder)
    made = run(lambda path: _generalised(path[1], path[0], cases, encoder, bits), _paths(tree, cases.n_values, encoder))
    classes, found = tree.classes.tolist(), {}  # several nodes can give the same rule
    for one in filter(None, made):
        label, conditions, counts = one
        found.setdefault((label, conditions), Rule(conditions, classes[label], *counts))
    rules, labels = list(found.values()), np.array([label for label, _ in found], np.int64)
    covers = run(lambda rule: kernels.covered(cases.columns, *_flat(rule.conditions, encoder)), rules)
    lengths = np.array([bits.of(rule.conditions) + np.log2(len(rule.conditions)) for rule in rules])
    votes = np.array([rule.vote for rule in rules], np.int64)
    total, n_classes = cases.weights.sum(), cases.n_classes
    error = (training_error(tree) * total + n_classes - 1) / (total + n_classes)
    kept, default = select(covers, labels, lengths, votes, cases, error, min_cases)
    kept = sorted(kept, key=lambda rule: (labels[rule], -votes[rule], rule))
    return tuple(rules[rule] for rule in kept), classes[default]


def vote_shares(
    rules: Sequence, default: int | None, X: np.ndarray, classes: np.ndarray, encoder: FeatureEncoder
) -> np.ndarray:
    """Return the class shares of the votes for each row, float64[n, k]. If no rule covers a row, `default` has share 1.

    rules, default : result of `rules_of`; X : [n, features], encoded array or CSR; classes : [k], labels of the tree.
    """
    dense = X.toarray() if hasattr(X, "toarray") else X
    columns, _ = attributes(np.ascontiguousarray(dense.T), encoder)
    first = np.cumsum([0, *(len(rule.conditions) for rule in rules)])
    codes = {label: code for code, label in enumerate(classes.tolist())}
    labels = np.array([codes[rule.label] for rule in rules], np.int64)
    amounts = np.array([rule.vote for rule in rules], np.float64)
    out = np.empty((columns.shape[1], classes.size))
    flat = _flat([condition for rule in rules for condition in rule.conditions], encoder)
    kernels.votes(columns, first, labels, amounts, *flat, out)
    out[out.sum(axis=1) == 0.0, codes[default]] = 1.0
    return out / out.sum(axis=1, keepdims=True)


def _paths(tree, n_values, encoder):
    """Return (label, conditions) of each node with training rows, except the root.

    Children come before their parents. Conditions are in the order of the path from the root.
    """
    names, starts = attribute_names(encoder), [group.start for group in encoder.groups]
    found, stack = [], [(0, [])]
    while stack:
        node, conditions = stack.pop()
        if conditions and tree.n_samples[node] > 0:
            found.append((int(tree.labels[node]), conditions))
        if tree.left[node] < 0:
            continue
        features, _, bias = tree.split(node)
        attribute = int(np.searchsorted(starts, features[0], side="right")) - 1
        name, before = names[attribute], conditions
        if n_values[attribute]:
            known = next((one for one in conditions if one.column == attribute), None)
            before = [one for one in conditions if one is not known]
            inside = {encoder.columns[attribute][code] for code in features - starts[attribute]}
            able = encoder.columns[attribute] if known is None else known.values
            sides = [
                Condition(attribute, name, values=tuple(value for value in able if (value in inside) == is_in))
                for is_in in (False, True)
            ]
        else:
            threshold = float(np.nextafter(-bias, -np.inf))
            sides = [Condition(attribute, name, high=threshold), Condition(attribute, name, low=threshold)]
        stack += [(int(tree.left[node]), [*before, sides[0]]), (int(tree.right[node]), [*before, sides[1]])]
    return found[::-1]


def _flat(conditions, encoder):
    """Convert a list of Condition to `_Flat`."""
    offset, members = np.full(len(conditions), -1, np.int64), []
    for i, condition in enumerate(conditions):
        if condition.values is not None:
            offset[i] = len(members)
            chosen = set(condition.values)
            members += [category in chosen for category in encoder.columns[condition.column]]
    return _Flat(
        np.array([condition.column for condition in conditions], np.int64),
        np.array([condition.low for condition in conditions], np.float64),
        np.array([condition.high for condition in conditions], np.float64),
        offset,
        np.array(members, np.bool_),
    )


def _generalised(conditions, label, cases, encoder, bits):
    """Drop conditions until removing another would raise the error rate and the rule pays for its description length.

    Return (label, conditions, [covered, errors]), or None if the rule is no better than the class prior.
    """
    flat, kept = _flat(conditions, encoder), list(range(len(conditions)))
    total, frequent = cases.weights.sum(), cases.weights[cases.y == label].sum()
    while True:
        counts = kernels.counts_without(cases.columns, cases.y, cases.weights, label, *flat.only(kept))
        covered, errors = counts[0].tolist()
        gain = _bits_of_parts(frequent, total - frequent) - _bits_of_parts(covered - errors, errors)
        gain -= _bits_of_parts(frequent - covered + errors, total - frequent - errors)
        pays = THEORY_WEIGHT * bits.of([conditions[place] for place in kept]) <= gain
        shares = [(wrong + 1.0) / (weight + 2.0) if weight >= EPSILON else 0.5 for weight, wrong in counts.tolist()]
        least = min(shares[1:])
        if len(kept) == 1 or (pays and least > shares[0]):
            break
        del kept[len(kept) - 1 - shares[:0:-1].index(least)]  # the last one in a tie
    rule = Rule((), label, covered, errors)
    if covered <= FEWEST or not pays or rule.confidence < LIFT * frequent / total:
        return None
    left = sorted((conditions[place] for place in kept), key=lambda one: (one.column, -one.low, one.high))
    return label, tuple(left), (covered, errors)


def _bits_of_parts(one, other):
    """Return the number of bits that separate two sets of cases with these weights."""
    parts = [part * np.log2(part) for part in (one + other, one, other) if part > 0]
    return parts[0] - sum(parts[1:]) if parts else 0.0


class _Bits:
    """Cost of encoding conditions."""

    def __init__(self, cases, encoder):
        self.cases, self.encoder, self.of_column = cases, encoder, {}
        self.attribute = float(np.log2(cases.n_values.size))

    def of(self, conditions):
        """Return the number of bits that encode a set of conditions in any order."""
        return sum(map(self._one, conditions)) - log2_factorial(len(conditions))

    def _one(self, condition):
        cuts, shares = self._column(condition.column)
        if condition.values is None:
            return self.attribute + cuts
        present = shares.size
        if len(condition.values) == 1:
            return self.attribute - float(shares @ np.log2(shares))
        count = min(len(condition.values), max(present - 1, 0))
        orders = log2_factorial(present) - log2_factorial(count) - log2_factorial(present - count)
        return self.attribute + orders

    def _column(self, column):
        """Return the bits that encode a threshold and its side, and the share of each value."""
        if column not in self.of_column:
            values = self.cases.columns[column]
            _, counts = np.unique(values[~np.isnan(values)], return_counts=True)
            cuts = counts.size - 1
            self.of_column[column] = 1.0 + 0.5 * np.log2(cuts) if cuts > 1 else 0.0, counts / max(counts.sum(), 1)
        return self.of_column[column]


THEORY_WEIGHT = 0.23  # weight of the description length of rules, below 1 because a rule can be encoded in many ways
LARGEST_ERROR = 0.45
SLACK = 1e-4
UNCOVERED = 1e-3


def select(
    covers: list, labels: np.ndarray, bits: np.ndarray, votes: np.ndarray, cases: Cases, error: float, min_cases: float
) -> tuple:
    """Return the indices of the selected rules and the class code for cases without a rule.

    covers : list of int64 arrays, the cases that each rule covers; labels : int64[r], class codes; bits : float64[r],
    cost of encoding each rule; votes : int64[r]; cases : Cases; error : float, error of the tree on the cases;
    min_cases : float, as in `grow`.
    """
    inside = np.zeros(labels.size, np.bool_)
    for label in range(cases.n_classes):
        inside[_covering(label, covers, labels, votes, cases, min_cases)] = True
    inside = _shortest(inside, covers, labels, bits, votes, cases, error) if covers else inside
    kept = np.flatnonzero(inside).tolist()
    return kept, _default(kept, covers, cases)


def log2_factorial(count: float) -> float:
    """Return the number of bits that encode an order of `count` items. count : float >= 0."""
    return math.lgamma(count + 1.0) / math.log(2.0)


def _covering(label, covers, labels, votes, cases, min_cases):
    """Return the rules of a class that each cover enough new cases of it, by decreasing votes.

    The list ends when the covered cases of other classes outweigh the uncovered cases of the class.
    """
    found, seen = [], np.zeros(cases.y.size, np.bool_)
    is_right = cases.y == label
    left, false = cases.weights[is_right].sum(), 0.0
    own = np.flatnonzero(labels == label)
    for rule in own[np.argsort(-votes[own], kind="stable")]:
        if left <= false:
            break
        if cases.weights[covers[rule]][is_right[covers[rule]]].sum() < min_cases:
            continue
        rows = covers[rule][~seen[covers[rule]]]
        right = cases.weights[rows][is_right[rows]].sum()
        wrong = cases.weights[rows].sum() - right
        if right - wrong > min_cases + SLACK:
            found.append(rule)
            seen[rows] = True
            left, false = left - right, false + wrong
    return found


def _shortest(inside, covers, labels, bits, votes, cases, error):
    """Add or drop the rule that shortens the description most until no rule does, and return the included rules."""
    total = cases.weights.sum()
    error = LARGEST_ERROR if error > 0.5 else error
    of_error = -math.log2(error) + math.log2(max(cases.n_classes - 1, 1))
    of_rest = -math.log2(1.0 - error)
    first = np.cumsum([0, *map(len, covers)])
    rows = np.concatenate([*covers, np.empty(0, np.int64)]).astype(np.int64)
    totals = np.zeros((cases.y.size, cases.n_classes), np.int64)
    for rule in np.flatnonzero(inside):
        totals[covers[rule], labels[rule]] += votes[rule]
    best, second = np.full(cases.y.size, -1, np.int64), np.full(cases.y.size, -1, np.int64)
    kernels.rank(totals, np.arange(cases.y.size), best, second)
    errors = cases.weights[best != cases.y].sum()
    changes, last = np.empty(labels.size), -1
    orders = np.array([log2_factorial(count) for count in range(labels.size + 2)])

    def length(count, theory, errors):  # in hundredths of a bit
        theory = np.maximum(theory - orders[count], 0.0)
        return np.rint(100.0 * (THEORY_WEIGHT * theory + errors * of_error + (total - errors) * of_rest))

    while True:
        kernels.changes(rows, first, inside, labels, votes, totals, best, second, cases.y, cases.weights, changes)
        sign, count, theory = np.where(inside, -1, 1), int(inside.sum()), bits[inside].sum()
        lengths = length(count + sign, theory + sign * bits, errors + changes)
        if errors < UNCOVERED:
            lengths[~inside] = np.inf
        if last >= 0:
            lengths[last] = np.inf
        now = length(count, theory, errors)
        least = lengths.min()
        equal = np.flatnonzero(lengths == least)
        rule = int(equal[inside[equal]][-1]) if inside[equal].any() else int(equal[0])
        if least > now or (least == now and not inside[rule]):
            break
        errors += changes[rule]
        totals[covers[rule], labels[rule]] += sign[rule] * votes[rule]
        inside[rule] = not inside[rule]
        kernels.rank(totals, covers[rule], best, second)
        last = rule
    return inside


def _default(rules, covers, cases):
    """Return a class that is frequent both among the uncovered cases and among all cases."""
    rest = np.ones(cases.y.size, bool)
    for rule in rules:
        rest[covers[rule]] = False
    counts = np.bincount(cases.y[rest], cases.weights[rest], cases.n_classes)
    shares = np.bincount(cases.y, cases.weights, cases.n_classes) / cases.weights.sum()
    return int(((counts + 1.0) / (counts.sum() + UNCOVERED + 2.0) + shares).argmax())
