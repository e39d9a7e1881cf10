"""Store the formulas of the papers as plain structures, which the browser converts to MathML.

A structure is either a string (a name, number or sign; a string in single quotes is shown as plain text) or one of
these lists:

* ``["row", ...]``
* ``["sub", base, index]`` and ``["sup", base, power]``
* ``["sum", below, above]``
* ``["cases", [value, condition], ...]``
* ``["bar", base]``
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Formula:
    """A formula and the meaning of its signs, given as (structure, words) pairs."""

    formula: list
    signs: tuple

    def to_dict(self) -> dict[str, Any]:
        """Return the formula as a JSON-compatible dict."""
        return {"formula": self.formula, "signs": [list(pair) for pair in self.signs]}


def _row(*parts: Any) -> list:
    return ["row", *parts]


_LOSS = _row("L", "(", ["sub", "y", "n"], ",", "T", "(", ["sub", "x", "n"], ")", ")")
_PENALTY = _row("φ", "(", ["sub", "w", "i"], ")")

OBJECTIVE = Formula(
    _row("E", "=", ["sum", _row("n", "=", "1"), "N"], _LOSS, "+", "λ", ["sum", "i", ""], _PENALTY),
    (
        (_LOSS, "1 for a misclassified point, 0 for a correctly classified point"),
        (_PENALTY, "penalty of the split in node i"),
        ("λ", "weight of the penalty relative to the errors; CART calls it α"),
    ),
)
SQUARED = Formula(
    _row(_LOSS, "=", ["sup", _row("(", ["sub", "y", "n"], "−", "T", "(", ["sub", "x", "n"], ")", ")"), "2"]),
    (
        (["sub", "y", "n"], "the target value of point n"),
        (_row("T", "(", ["sub", "x", "n"], ")"), "prediction of the tree: the mean in the leaf that the point reaches"),
    ),
)
BIAS = Formula(
    _row(["sup", "E", "2"], "=", ["sup", "B", "2"], "+", ["sup", "S", "2"]),
    (
        ("E", "root mean squared error of trees that are trained on different draws"),
        ("B", "bias: error of the mean of their predictions"),
        ("S", "spread: standard deviation of their predictions; its square is the variance"),
    ),
)
COST = Formula(
    _row(_PENALTY, "=", ["cases", ["C", "'two features'"], ["1", "'one feature'"], ["0", "'none'"]]),
    (
        ("C", "penalty of a line, at least 1; a node without features costs nothing, because it is not needed"),
        (["sub", "w", "i"], "weights of the split in node i"),
    ),
)
THRESHOLD = Formula(
    _row(["sub", "x", "j"], "≥", "t"),
    (
        (["sub", "x", "j"], "value of feature j of a point"),
        ("t", "threshold of the node; points at or above it go right"),
    ),
)
LINE = Formula(
    _row(["sub", "w", "1"], ["sub", "x", "1"], "+", ["sub", "w", "2"], ["sub", "x", "2"], "+", "b", "≥", "0"),
    (
        (_row(["sub", "x", "1"], ",", ["sub", "x", "2"]), "the two features"),
        (_row(["sub", "w", "1"], ",", ["sub", "w", "2"], ",", "b"), "weights and bias of the line"),
    ),
)
REDUCED = Formula(
    _row(
        ["sub", "E", "i"],
        "=",
        ["sum", _row("n", "∈", ["sub", "R", "i"]), ""],
        "L",
        "(",
        ["sub", ["bar", "y"], "n"],
        ",",
        ["sub", "f", "i"],
        "(",
        ["sub", "x", "n"],
        ")",
        ")",
        "+",
        "λ",
        _PENALTY,
    ),
    (
        (["sub", "R", "i"], "reduced set: the points that reach node i"),
        (["sub", ["bar", "y"], "n"], "pseudolabel: the child that classifies point n correctly"),
        (_row(["sub", "f", "i"], "(", ["sub", "x", "n"], ")"), "child to which the split of node i sends the point"),
    ),
)
IMPURITY = Formula(
    _row("G", "=", "1", "−", ["sum", "k", ""], ["sup", ["sub", "p", "k"], "2"]),
    (
        (["sub", "p", "k"], "share of class k among the points of a node"),
        ("G", "Gini impurity, which a greedy tree lowers with each split (0: all points have the same class)"),
    ),
)
OBLIQUE = Formula(
    _row(["sub", "w", "i"], "·", "x", "+", ["sub", "b", "i"], "=", ["sum", "j", ""], ["sub", "w", "ij"],
         ["sub", "x", "j"], "+", ["sub", "b", "i"], "≥", "0"),
    ((["sub", "x", "j"], "amount of ink in pixel j"), (["sub", "w", "ij"], "weight of pixel j; most are exactly 0")),
)  # fmt: skip
SPARSE = Formula(
    _row("E", "=", ["sum", _row("n", "=", "1"), "N"], _LOSS, "+", "λ", ["sum", "i", ""],
         ["sub", _row("‖", ["sub", "w", "i"], "‖"), "1"]),
    (
        (["sub", _row("‖", ["sub", "w", "i"], "‖"), "1"], "sum of the absolute weights of node i"),
        ("λ", "large: few pixels and few nodes; small: many"),
    ),
)  # fmt: skip
