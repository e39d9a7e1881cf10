"""Which rules of C5.0 stay: for each class those of least description length, then those that do no harm together.

Quinlan, C4.5: Programs for Machine Learning (1993), chapter 5.
"""

import math

import numpy as np

from treecore.baselines.c50.growth import Cases

# The bits of rules count less, for they can be named in many ways. Quinlan has 0.5; on segment, digits and pendigits
# that leaves 23 to 39 % fewer rules, which err on 0.4 to 1.9 % of the test rows more.
THEORY_WEIGHT = 0.1
TIE = 1e-9


def select(covers: list, labels: np.ndarray, bits: list, confidences: list, cases: Cases) -> tuple:
    """(kept, default): the rules that stay, list of int, and the class code where none fires.

    covers : list of int64 arrays, the cases that each rule covers; labels : int64[r], class codes; bits : list of
    float, what it costs to name a rule; confidences : list of float, its vote; cases : Cases.
    """
    kept = []
    for label in range(cases.n_classes):
        rules = np.flatnonzero(labels == label).tolist()
        kept += _shortest(rules, covers, bits, cases.y == label, cases.weights)
    default = _default(kept, covers, cases)
    while True:
        harmless = _without_harm(kept, covers, labels, confidences, default, cases)
        if len(harmless) == len(kept):
            return kept, default
        kept, default = harmless, _default(harmless, covers, cases)


def exception_bits(covered: float, false: float, total: float, positive: float) -> float:
    """Bits that name the errors of a set of rules for one class.

    covered : float, cases that it covers, `false` of which are of another class; total : float, all cases, `positive`
    of which are of the class.
    """
    missed = positive - (covered - false)
    return _choice_bits(covered, false) + _choice_bits(total - covered, missed)


def log2_factorial(count: float) -> float:
    """Bits of the order of so many things; count : float >= 0."""
    return math.lgamma(count + 1.0) / math.log(2.0)


def _choice_bits(total, chosen):
    total, chosen = max(total, 0.0), min(max(chosen, 0.0), max(total, 0.0))
    return log2_factorial(total) - log2_factorial(chosen) - log2_factorial(total - chosen)


def _shortest(rules, covers, bits, positive, weights):
    """Drop, one by one, the rule whose absence shortens rules and exceptions most; returns those that stay."""
    rules = list(rules)
    times = np.zeros(positive.size, np.int64)  # rules that cover a case, and the sum of their numbers: its only one
    numbers = np.zeros(positive.size, np.int64)
    for rule in rules:
        times[covers[rule]] += 1
        numbers[covers[rule]] += rule
    alone = {rule: np.zeros(2) for rule in rules}  # weight of what only this rule covers: of other classes, of its own
    single = np.flatnonzero(times == 1)
    for row in single:
        alone[numbers[row]][int(positive[row])] += weights[row]
    total, wanted = weights.sum(), weights[positive].sum()
    covered, false = weights[times > 0].sum(), weights[(times > 0) & ~positive].sum()
    while rules:
        # n rules are a set: their order, log2(n!) bits, says nothing
        now = exception_bits(covered, false, total, wanted)
        changes = [
            exception_bits(covered - alone[rule].sum(), false - alone[rule][0], total, wanted)
            - now
            - THEORY_WEIGHT * (bits[rule] - np.log2(len(rules)))
            for rule in rules
        ]
        place = int(np.argmin(changes))
        if changes[place] > TIE:
            break
        rule = rules.pop(place)
        covered, false = covered - alone[rule].sum(), false - alone[rule][0]
        rows = covers[rule]
        times[rows] -= 1
        numbers[rows] -= rule
        for row in rows[times[rows] == 1]:
            alone[numbers[row]][int(positive[row])] += weights[row]
    return rules


def _default(rules, covers, cases):
    """Class with the greatest weight among the cases that no rule covers; of all cases when there are none."""
    rest = np.ones(cases.y.size, bool)
    for rule in rules:
        rest[covers[rule]] = False
    counts = np.bincount(cases.y[rest], cases.weights[rest], cases.n_classes)
    totals = np.bincount(cases.y, cases.weights, cases.n_classes)
    return int(np.lexsort((totals, counts))[-1])


def _without_harm(rules, covers, labels, confidences, default, cases):
    """One pass over the rules, which drops each without which the vote errs less on the training cases."""
    votes = np.zeros((cases.y.size, cases.n_classes))
    times = np.zeros(cases.y.size, np.int64)
    for rule in rules:
        votes[covers[rule], labels[rule]] += confidences[rule]
        times[covers[rule]] += 1
    kept = []
    for rule in rules:
        rows = covers[rule]
        before = np.where(times[rows] > 0, votes[rows].argmax(axis=1), default)
        fewer = votes[rows]
        fewer[:, labels[rule]] -= confidences[rule]
        after = np.where(times[rows] > 1, fewer.argmax(axis=1), default)
        change = (after != cases.y[rows]).astype(float) - (before != cases.y[rows])
        if (change * cases.weights[rows]).sum() < -TIE:
            votes[rows] = fewer
            times[rows] -= 1
        else:
            kept.append(rule)
    return kept
