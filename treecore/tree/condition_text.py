"""How conditions are written: one form in two renderings, for reading and for typing. viz/stage/model/condition.js is
the twin of what the stage writes.

A sum has its weights as the tree has them, the largest terms first where the features' deviations are known, and its
bound on the right: ``0.5 · a − 2 · b ≥ 3``. With every digit it begins with the bias and is compared with 0: so the
tree adds it up, and the text evaluated in float64 is the tree's own decision.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.number_text import number

_BIDIRECTIONAL = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_UNSEEN = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}]")  # or that change how the rest is read
_AMBIGUOUS = re.compile(
    r"[<>={},;:\"`\\*/·×÷≤≥≠→]|(^|\s)(and|or|in|is|if|then|else|go|goes|left|right|[-+−–])(\s|$)|^[-+−–.\d(]|^$",
    re.IGNORECASE,
)
# inches in a name are no quote: one opens at the start of a word, or where the text turns its direction
_IN_QUOTES = re.compile(r'(?<![^\s{\u2068])"(?:[^"]|"")*"')
_OPPOSITE = {"≥": "<", "≤": ">", ">": "≤", "<": "≥", "known": "missing", "missing": "known"}
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def visible(text: object) -> str:
    """Text on one line, with control characters and those that turn the reading direction written out."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(str(text).split()))


def quoted(name: str) -> str:
    """A name as part of a condition that is typed: in quotes, doubled inside, where it could be taken for more."""
    text = visible(name)
    return '"' + text.replace('"', '""') + '"' if _AMBIGUOUS.search(text) else text


def isolated(name: str) -> str:
    """A name as part of a condition that is read: shut off, if it runs from right to left, from the numbers beside."""
    text = visible(name)
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


def told_value(value: str) -> str:
    """Category or level as part of a condition that is read: in quotes where it could be taken for more, as typed."""
    return isolated(quoted(value))


class Style(NamedTuple):
    """A rendering. times : between weight and name; minus : sign; relations : of those that are not written in ASCII;
    name, value : functions of the name of a feature, and of a category or level."""

    times: str
    minus: str
    relations: dict
    name: Callable
    value: Callable

    def number(self, value: float, digits: int | None = None) -> str:
        """Text of a number with so many significant digits, None: all of them."""
        return number(value, digits, self.minus)

    def comparison(self, *parts) -> str:
        """The parts of a comparison, names or numbers between relations, as one text."""
        return " ".join(self.relations.get(part, part) for part in parts)

    def sum(self, terms: Sequence, offset: float = 0.0, n_more: int = 0) -> str:
        """A weighted sum. terms : (weight, name) each; offset : number that it begins with; n_more : terms left out."""
        text = self.number(offset) if offset else ""
        for weight, name in terms:
            text += f" {self.minus if weight < 0 else '+'} " if text else self.minus if weight < 0 else ""
            text += self.name(name) if abs(weight) == 1.0 else self.number(abs(weight)) + self.times + self.name(name)
        return f"{text} + {n_more} more" if n_more else text

    def days(self, terms: Sequence, n_more: int = 0) -> str:
        """What is added to a date: ``" + 0.57 days · sum"``; as of `sum`."""
        text = "".join(
            f" {self.minus if weight < 0 else '+'} {self.number(abs(weight), None)} days{self.times}{self.name(name)}"
            for weight, name in terms
        )
        return f"{text} + {n_more} more" if n_more else text


TYPESET = Style(" · ", "−", {"<=": "≤", ">=": "≥"}, isolated, told_value)
TYPED = Style(" * ", "-", {}, quoted, quoted)


def or_missing(missing: bool | None) -> str:
    """What is added to a condition that a missing value meets; missing : bool or None."""
    return " (or missing)" if missing else ""


def largest_terms(weights: np.ndarray, most_terms: int | None, sizes: np.ndarray | None = None) -> np.ndarray:
    """Places of the weights that are written, in order. sizes : float[k], of the features' deviations; None: unknown,
    so that weights are compared as they are, and what is written keeps the order of the tree."""
    if sizes is None:
        return np.sort(np.argsort(-np.abs(weights), kind="stable")[:most_terms])
    return np.argsort(-np.abs(weights) * sizes, kind="stable")[:most_terms]


def pixel_sum(n: int, bias: float, right: bool = True) -> str:
    """A decision on more pixels than can be read, by their number; right : whether it is met by what goes right."""
    return f"weighted sum of {n} pixels {'≥' if right else '<'} {number(0.0 if bias == 0 else -bias)}"


def branch_text(text: str, right: bool) -> str:
    """What a branch of a decision says: "≥ 16.8" or "< 16.8", "basic" or "not basic". text : of `decision_text`."""
    bare = _IN_QUOTES.sub(lambda found: "_" * len(found[0]), text)  # what stands in quotes is no part of the form
    if re.fullmatch(r".+: .+; .+: .+", bare):  # what each category must be
        return "met" if right else "not met"
    if date := re.fullmatch(r".*? ([≥≤<>]) \d{4}-\d\d-\d\d(?: \d\d:\d\d)? [+−] .*(?: days · | more).*", bare):
        return "later" if (date[1] in "≥>") == right else "earlier"
    if bound := re.fullmatch(r".* ([≥≤<>]) ([^ ]+(?: \d\d:\d\d)?)", bare):
        return f"{bound[1] if right else _OPPOSITE[bound[1]]} {text[bound.start(2) :]}"
    if values := re.fullmatch(r".*? (not )?in \{(.*)\}", bare):
        return f"{'' if (values[1] is None) == right else 'not '}{text[values.start(2) : -1]}"
    if level := re.fullmatch(r".*? ([≥≤]) (.+)", bare):
        return f"{level[1] if right else _OPPOSITE[level[1]]} {text[level.start(2) :]}"
    if told := re.fullmatch(r".* is (known|missing)", bare):
        return told[1] if right else _OPPOSITE[told[1]]
    return "all" if (text == "always right") == right else "none"


def margin_text(margin: float, right: bool, unit: str = " sd") -> str:
    """What a row measures at a decision and where it goes; margin : NaN where a value is missing; unit : " sd" where it
    is divided by `margin_units`, "" where it is ``w . x + b``."""
    measured = f"margin {'+' if margin >= 0 else ''}{number(margin)}{unit}"
    return f"{'a value is missing' if margin != margin else measured}, goes {'right' if right else 'left'}"
