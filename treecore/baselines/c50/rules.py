"""Rules of C5.0: what they say, how they are made from the leaves of a tree, and how they vote.

Quinlan, C4.5: Programs for Machine Learning (1993), chapter 5. That rules vote, each with its confidence, is C5.0's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.baselines.c50 import rule_kernels as kernels
from treecore.baselines.c50.attributes import attribute_names, attributes
from treecore.baselines.c50.growth import Cases
from treecore.baselines.c50.pruning import TIE, extra_errors
from treecore.baselines.c50.rule_selection import log2_factorial, select
from treecore.data.feature_encoder import FeatureEncoder
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Condition:
    """``low < x <= high`` for a column of numbers, ``x in values`` for one of categories; never true if x is missing.

    column : int, of the X that the estimator was fitted on; name : str, its name; low, high : float, in raw units, one
    of them infinite; values : tuple of str, the categories in order, None for numbers.
    """

    column: int
    name: str
    low: float = -np.inf
    high: float = np.inf
    values: tuple | None = None

    def __str__(self):
        if self.values is not None:
            return f"{self.name} in {{{', '.join(self.values)}}}"
        return f"{self.name} <= {self.high:.6g}" if np.isfinite(self.high) else f"{self.name} > {self.low:.6g}"


@dataclass(frozen=True)
class Rule:
    """If every one of the `conditions` holds, predict `label`.

    conditions : tuple of Condition; label : class label; cases : float, weight of the training rows that it covers;
    errors : float, of those with another class.
    """

    conditions: tuple
    label: object
    cases: float
    errors: float

    @property
    def confidence(self) -> float:
        """float in (0, 1): its vote, (cases - errors + 1) / (cases + 2)."""
        return (self.cases - self.errors + 1.0) / (self.cases + 2.0)

    def __str__(self):
        conditions = " and ".join(map(str, self.conditions))
        figures = f"{self.cases:g} cases, {self.errors:g} errors, confidence {self.confidence:.3f}"
        return f"if {conditions} then {self.label} ({figures})"


class _Flat(NamedTuple):
    """Conditions as the kernels take them."""

    column: np.ndarray
    low: np.ndarray
    high: np.ndarray
    offset: np.ndarray
    members: np.ndarray

    def only(self, kept):
        """Some of the conditions."""
        return self._replace(**{name: getattr(self, name)[kept] for name in ("column", "low", "high", "offset")})


def rules_of(tree: Tree, cases: Cases, encoder: FeatureEncoder, confidence: float, run: Callable) -> tuple:
    """(rules, default): tuple of `Rule`, by class and falling confidence, and the class label where none fires.

    tree : Tree of a C50Classifier; cases : Cases and encoder : FeatureEncoder that it was trained with; confidence :
    float in (0, 1], CF of the pessimistic errors; run : maps a function over a list (threads).
    """
    paths = [path for path in _paths(tree, cases.n_values, encoder) if path[1]]
    general = run(lambda path: _generalised(path[1], path[0], cases, encoder, confidence), paths)
    found = {}  # several leaves may come to the same rule
    for (label, _), (conditions, counts) in zip(paths, general, strict=True):
        if conditions:
            found[label, conditions] = counts.tolist()
    classes, labels = tree.classes.tolist(), [label for label, _ in found]
    rules = [Rule(conditions, classes[label], *counts) for (label, conditions), counts in found.items()]
    covers = run(lambda rule: kernels.covered(cases.columns, *_flat(rule.conditions, encoder)), rules)
    costs = {column: _bits(column, cases) for column in {part.column for rule in rules for part in rule.conditions}}
    bits = [
        sum(costs[part.column] for part in rule.conditions) - log2_factorial(len(rule.conditions)) for rule in rules
    ]
    confidences = [rule.confidence for rule in rules]
    kept, default = select(covers, np.array(labels, np.int64), bits, confidences, cases)
    kept = sorted(kept, key=lambda rule: (labels[rule], -confidences[rule], rule))
    return tuple(rules[rule] for rule in kept), classes[default]


def vote_shares(
    rules: Sequence, default: int | None, X: np.ndarray, classes: np.ndarray, encoder: FeatureEncoder
) -> np.ndarray:
    """float64[n, k]: shares of the classes in the votes of the rules that cover a row; `default` has 1 where none does.

    rules, default : of `rules_of`; X : [n, features], of `encoder`, array or CSR; classes : [k], labels of the tree.
    """
    dense = X.toarray() if hasattr(X, "toarray") else X
    columns, _ = attributes(np.ascontiguousarray(dense.T), encoder)
    first = np.cumsum([0, *(len(rule.conditions) for rule in rules)])
    codes = {label: code for code, label in enumerate(classes.tolist())}
    labels = np.array([codes[rule.label] for rule in rules], np.int64)
    confidences = np.array([rule.confidence for rule in rules], np.float64)
    out = np.empty((columns.shape[1], classes.size))
    flat = _flat([condition for rule in rules for condition in rule.conditions], encoder)
    kernels.votes(columns, first, labels, confidences, *flat, out)
    out[out.sum(axis=1) == 0.0, codes[default]] = 1.0
    return out / out.sum(axis=1, keepdims=True)


def _paths(tree, n_values, encoder):
    """(label, conditions) of every leaf that has training rows."""
    names, starts = attribute_names(encoder), [group.start for group in encoder.groups]
    above = {0: {}}
    for node in np.flatnonzero(tree.left >= 0):
        features, _, bias = tree.split(node)
        attribute = int(np.searchsorted(starts, features[0], side="right")) - 1
        if n_values[attribute]:
            inside = set((features - starts[attribute]).tolist())
            sides = [("values", set(range(n_values[attribute])) - inside), ("values", inside)]
        else:
            threshold = float(np.nextafter(-bias, -np.inf))
            sides = [("high", threshold), ("low", threshold)]
        for child, (kind, limit) in zip((tree.left[node], tree.right[node]), sides, strict=True):
            before = above[node].get((attribute, kind), limit)
            limit = before & limit if kind == "values" else min(before, limit) if kind == "high" else max(before, limit)
            above[int(child)] = above[node] | {(attribute, kind): limit}
    for leaf in np.flatnonzero((tree.left < 0) & (tree.n_samples > 0)):
        conditions = []
        for (attribute, kind), limit in above[int(leaf)].items():
            if kind == "values":
                limit = tuple(encoder.columns[attribute][code] for code in sorted(limit))
            conditions.append(Condition(attribute, names[attribute], **{kind: limit}))
        yield int(tree.labels[leaf]), sorted(conditions, key=lambda condition: (condition.column, -condition.low))


def _flat(conditions, encoder):
    """`_Flat` of a list of Condition."""
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


def _generalised(conditions, label, cases, encoder, confidence):
    """(conditions, [cases, errors]) once no condition can go without a higher share of pessimistic errors."""
    flat, kept = _flat(conditions, encoder), list(range(len(conditions)))
    while True:
        counts = kernels.counts_without(cases.columns, cases.y, cases.weights, label, *flat.only(kept))
        shares = [_pessimistic_share(*row, confidence) for row in counts.tolist()]
        if not kept or min(shares[1:]) > shares[0] + TIE:
            return tuple(conditions[place] for place in kept), counts[0]
        del kept[int(np.argmin(shares[1:]))]


def _pessimistic_share(cases, errors, confidence):
    return (errors + extra_errors(cases, errors, confidence)) / cases if cases > 0.0 else 1.0


def _bits(column, cases):
    """Bits that name a condition: its attribute, then its categories, or its side and threshold."""
    bits, n_values = np.log2(cases.n_values.size), cases.n_values[column]
    if n_values:
        return bits + n_values
    values = cases.columns[column]
    return bits + 1.0 + np.log2(max(np.unique(values[~np.isnan(values)]).size - 1, 1))
