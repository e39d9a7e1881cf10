"""The formulas of the papers as plain structures, which the browser makes MathML of.

A structure is a text (a name, number or sign; words in quotes stay words) or a list: ``["row", ...]``,
``["sub", base, index]``, ``["sup", base, power]``, ``["sum", below, above]``, ``["cases", [value, condition], ...]``,
``["bar", base]``.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Formula:
    """A formula, and what its signs mean: pairs of a structure and words."""

    formula: list
    signs: tuple

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"formula": self.formula, "signs": [list(pair) for pair in self.signs]}


def _row(*parts: Any) -> list:
    return ["row", *parts]


_LOSS = _row("L", "(", ["sub", "y", "n"], ",", "T", "(", ["sub", "x", "n"], ")", ")")
_PENALTY = _row("φ", "(", ["sub", "w", "i"], ")")

OBJECTIVE = Formula(
    _row("E", "=", ["sum", _row("n", "=", "1"), "N"], _LOSS, "+", "λ", ["sum", "i", ""], _PENALTY),
    (
        (_LOSS, "1 for a point that the tree gets wrong, 0 for one that it gets right"),
        (_PENALTY, "price of the question in node i"),
        ("λ", "how much the price counts against the errors"),
    ),
)
SQUARED = Formula(
    _row(_LOSS, "=", ["sup", _row("(", ["sub", "y", "n"], "−", "T", "(", ["sub", "x", "n"], ")", ")"), "2"]),
    (
        (["sub", "y", "n"], "the number of point n"),
        (_row("T", "(", ["sub", "x", "n"], ")"), "what the tree predicts: the mean of the leaf that the point reaches"),
    ),
)
COST = Formula(
    _row(_PENALTY, "=", ["cases", ["C", "'two features'"], ["1", "'one feature'"], ["0", "'none'"]]),
    (
        ("C", "price of a line, at least 1; a node that uses no feature is not needed and costs nothing"),
        (["sub", "w", "i"], "weights of the question in node i"),
    ),
)
THRESHOLD = Formula(
    _row(["sub", "x", "j"], "≥", "t"),
    (
        (["sub", "x", "j"], "value of feature j of a point"),
        ("t", "threshold of the node; from there on points go right"),
    ),
)
LINE = Formula(
    _row(["sub", "w", "1"], ["sub", "x", "1"], "+", ["sub", "w", "2"], ["sub", "x", "2"], "+", "b", "≥", "0"),
    (
        (_row(["sub", "x", "1"], ",", ["sub", "x", "2"]), "the two features"),
        (_row(["sub", "w", "1"], ",", ["sub", "w", "2"], ",", "b"), "weights and bias: where the line runs"),
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
        (["sub", ["bar", "y"], "n"], "the child that point n wants: the one that gets it right"),
        (_row(["sub", "f", "i"], "(", ["sub", "x", "n"], ")"), "the child that the question of node i gives it"),
    ),
)
IMPURITY = Formula(
    _row("G", "=", "1", "−", ["sum", "k", ""], ["sup", ["sub", "p", "k"], "2"]),
    (
        (["sub", "p", "k"], "share of class k among the points of a node"),
        ("G", "Gini impurity, which a greedy tree lowers with each split: 0 when all points are of one class"),
    ),
)
OBLIQUE = Formula(
    _row(["sub", "w", "i"], "·", "x", "+", ["sub", "b", "i"], "=", ["sum", "j", ""], ["sub", "w", "ij"],
         ["sub", "x", "j"], "+", ["sub", "b", "i"], "≥", "0"),
    ((["sub", "x", "j"], "how much ink is in pixel j"), (["sub", "w", "ij"], "weight of pixel j; most are exactly 0")),
)  # fmt: skip
SPARSE = Formula(
    _row("E", "=", ["sum", _row("n", "=", "1"), "N"], _LOSS, "+", "λ", ["sum", "i", ""],
         ["sub", _row("‖", ["sub", "w", "i"], "‖"), "1"]),
    (
        (["sub", _row("‖", ["sub", "w", "i"], "‖"), "1"], "sum of the sizes of all weights of node i"),
        ("λ", "large: few pixels and few nodes; small: many"),
    ),
)  # fmt: skip
