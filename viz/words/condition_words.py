"""The rule of a decision node in words, as the browser's stage writes it (viz/stage/model/condition.js).

A condition says when a row goes right ("yes"), with few digits, but enough that every given row goes where the tree
sends it.
"""

import numpy as np

from treecore.tree.conditions import limits
from viz.words.number_words import number

FEW_DIGITS = 8  # of a number that can be read
MOST_ROWS = 1500  # that the digits are tried on


def condition(split, names, deviation, values, terms=4):
    """Text of one decision.

    split : (features, weights, bias) of the node; names : str of all features; deviation : float64[all features];
    values : float64[rows, features of the node], rows that reach it; terms : most terms of a sum.
    """
    features, weights, bias = split
    if features.size == 0:
        return "always yes" if bias >= 0 else "always no"
    values = values[:: max(1, -(-len(values) // MOST_ROWS))]
    values = values[~np.isnan(values).any(axis=1)]
    if features.size == 1:
        return _one(names[features[0]], float(weights[0]), bias, values[:, 0])
    digits = _digits_of_sum(weights, bias, values) if features.size <= terms else 3
    text = ""
    order = np.argsort(-np.abs(weights) * deviation[features], kind="stable")
    for i in order[:terms]:
        minus = weights[i] < 0
        text += (" − " if minus else " + ") if text else ("−" if minus else "")
        text += f"{number(abs(weights[i]), digits)} · {names[features[i]]}"
    if features.size > terms:
        text += f" + {features.size - terms} more"
    return f"{text} ≥ {number(0.0 if bias == 0 else -bias, digits)}"


def threshold(weight, bias):
    """Exact bound of a node with one feature: the row goes right iff x >= it (x <= it when the weight is negative)."""
    below, above = limits(weight, bias)
    return above if weight > 0 else below


def _one(name, weight, bias, values):
    below, above = limits(weight, bias)
    bound, beyond = (above, below) if weight > 0 else (below, above)
    right = values >= bound if weight > 0 else values <= bound
    for digits in range(3, 18):
        short = float(f"{bound:.{digits}g}")
        if np.array_equal(values >= short if weight > 0 else values <= short, right):
            break
    if digits > FEW_DIGITS:
        # "more than" says with few digits what "at least" needs many for: a bound just above a value
        for few in range(3, FEW_DIGITS + 1):
            short = float(f"{beyond:.{few}g}")
            if np.array_equal(values > short if weight > 0 else values < short, right):
                return f"{name} {'>' if weight > 0 else '<'} {number(beyond, few)}"
    return f"{name} {'≥' if weight > 0 else '≤'} {number(bound, digits)}"


def _digits_of_sum(weights, bias, values):
    right = bias + values @ weights >= 0
    for digits in range(3, 17):
        short = np.array([float(f"{weight:.{digits}g}") for weight in weights])
        if np.array_equal(values @ short >= float(f"{-bias:.{digits}g}"), right):
            return digits
    return 17
