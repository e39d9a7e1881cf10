"""Rule selection of C5.0: hill climbing for the shortest description of the training cases.

The method is that of Quinlan, C4.5: Programs for Machine Learning (1993), chapter 5. Two differences follow the
published source of C5.0: the initial rules cover each class, and the cost counts errors of the vote, not exceptions of
each class.
"""

import math

import numpy as np

from treecore.baselines.c50 import rule_kernels as kernels
from treecore.baselines.c50.growth import Cases

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
