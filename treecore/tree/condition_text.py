"""Text of conditions in two styles, for reading and for typing.

The condition of a bivariate split is solved for its second feature, the vertical axis in plots: ``b ≥ 3 + 0.5 · a``.
The condition of an oblique split contains the weights of the tree, and the bound is on the right: ``0.5 · a − 2 · b + c
≥ 3``. If the standard deviations of the features are known, the largest terms come first. With all digits, the sum
starts with the bias, keeps the order of the tree, and is compared with 0. This text, evaluated in float64, is exactly
the split.

viz/stage/model/condition.js implements the same functions for the stage.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.date_text import term_name
from treecore.tree.number_text import number

_BIDIRECTIONAL = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_UNSEEN = re.compile(
    f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}]"
)  # control characters, and characters that change the reading direction
_AMBIGUOUS = re.compile(
    r"[<>={},;:\"`\\*/·×÷≤≥≠→]|(^|\s)(and|or|in|is|if|then|else|go|goes|left|right|[-+−–])(\s|$)|^[-+−–.\d(]|^$",
    re.IGNORECASE,
)
OPPOSITE = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "=": "!=", "!=": "="}
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def visible(text: object) -> str:
    """Return text on one line, with control characters and direction marks escaped."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))


def quoted(name: str) -> str:
    """Format a name for a typed condition. Ambiguous names are put in quotes, which are doubled inside the name."""
    text = visible(name)
    return '"' + text.replace('"', '""') + '"' if _AMBIGUOUS.search(text) else text


def isolated(name: str) -> str:
    """Format a name for a readable condition. Right-to-left names are isolated from adjacent numbers."""
    text = visible(name)
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


def readable_value(value: str) -> str:
    """Format a category or level for a readable condition. Ambiguous values are put in quotes."""
    return isolated(quoted(value))


class Words(NamedTuple):
    """Condition in words, and the labels of its true branch, such as "≥ 16.8", and of its false branch."""

    text: str
    yes: str = "true"
    no: str = "false"


class Style(NamedTuple):
    """Style of conditions.

    times : text between weight and name; minus : minus sign; relations : symbols for relations that are not written in
    ASCII; name, value : functions that format a feature name, and a category or level.
    """

    times: str
    minus: str
    relations: dict
    name: Callable
    value: Callable

    def number(self, value: float, digits: int | None = None) -> str:
        """Format a number with this number of significant digits (None: all)."""
        return number(value, digits, self.minus)

    def term(self, name: str) -> str:
        """Format the name of a feature in a weighted sum."""
        return self.name(term_name(name))

    def comparison(self, *parts) -> str:
        """Join the parts of a comparison: names and numbers, with relations in between."""
        return " ".join(self.relations.get(part, part) for part in parts)

    def compared(
        self, name: str, relation: str, bound: str, missing: bool | None = None, sides: tuple[str, str] | None = None
    ) -> Words:
        """Return the words of a comparison.

        missing : as in `or_missing`; sides : labels of the rows above and below the bound, if they are not this bound.
        """
        text = self.comparison(name, relation, bound) + or_missing(missing)
        if relation in ("=", "!="):
            return Words(text, *(bound, "others")[:: 1 if relation == "=" else -1])
        if sides is not None:
            return Words(text, *sides[:: 1 if relation in (">=", ">") else -1])
        return Words(text, self.comparison(relation, bound), self.comparison(OPPOSITE[relation], bound))

    def sum(self, terms: Sequence, offset: float = 0.0, n_more: int = 0) -> str:
        """Return the text of a weighted sum. terms : (weight, name); offset : first number; n_more : omitted terms."""
        text = "" if terms and not offset else self.number(offset)
        for weight, name in terms:
            text += f" {self.minus if weight < 0 else '+'} " if text else self.minus if weight < 0 else ""
            text += self.term(name) if abs(weight) == 1.0 else self.number(abs(weight)) + self.times + self.term(name)
        return f"{text} + {n_more} more" if n_more else text

    def days(self, terms: Sequence, n_more: int = 0) -> str:
        """Return the text of a sum that is added to a date, ``" + 0.57 days · sum"``. Parameters as in `sum`."""
        text = "".join(
            f" {self.minus if weight < 0 else '+'} {self.number(abs(weight), None)} days{self.times}{self.term(name)}"
            for weight, name in terms
        )
        return f"{text} + {n_more} more" if n_more else text


TYPESET = Style(" · ", "−", {"<=": "≤", ">=": "≥", "!=": "≠"}, isolated, readable_value)
TYPED = Style(" * ", "-", {}, quoted, quoted)


def or_missing(missing: bool | None) -> str:
    """Return " (or missing)" if a missing value satisfies the condition. missing : bool or None."""
    return " (or missing)" if missing else ""


def largest_terms(weights: np.ndarray, most_terms: int | None, sizes: np.ndarray | None = None) -> np.ndarray:
    """Return the indices of the weights to display, in order.

    sizes : float[k], standard deviations of the features. If None, the weights themselves are compared, and the order
    of the tree is kept.
    """
    if sizes is None:
        return np.sort(np.argsort(-np.abs(weights), kind="stable")[:most_terms])
    return np.argsort(-np.abs(weights) * sizes, kind="stable")[:most_terms]


def pixel_sum(n: int, bias: float, right: bool = True) -> Words:
    """Return the words of a split on n pixels. right : whether they are for going right."""
    return TYPESET.compared(f"weighted sum of {n} pixels", ">=" if right else "<", number(0.0 if bias == 0 else -bias))


def margin_text(margin: float, right: bool, unit: str = " sd") -> str:
    """Return the text of a row's margin and side. margin : NaN for a missing value.

    unit : " sd" for a margin in `margin_units`, "" for ``w . x + b``.
    """
    measured = f"margin {'+' if margin >= 0 else ''}{number(margin)}{unit}"
    return f"{'a value is missing' if margin != margin else measured}, goes {'right' if right else 'left'}"
