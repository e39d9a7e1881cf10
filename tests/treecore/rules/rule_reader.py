"""Read the text of rules without using the tree, and evaluate it."""

import operator
import re

import numpy as np

from treecore.column_groups import column_groups
from treecore.tree.condition_text import quoted

_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
_NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf)"
_BETWEEN = re.compile(rf"({_NUMBER}) (<=?) @(\d+) (<=?) ({_NUMBER})")
_TERM = re.compile(rf"([-+] |-)?(?:({_NUMBER}) \* )?(?:@(\d+)|({_NUMBER}))")


class RuleReader:
    """A reader that evaluates text for the rows of X ([n, d]), whose features have these names."""

    def __init__(self, names, X):
        self.X = np.asarray(X, np.float64)
        self.groups = {names[group[0]].rpartition(" = ")[0]: group for group in column_groups(names)}
        self.values = [name.rpartition(" = ")[2] for name in names]
        marks = {quoted(name): f"@{feature}" for feature, name in enumerate(names)}
        alternatives = "|".join(re.escape(name) for name in sorted(marks, key=len, reverse=True))
        self._names, self._marks = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)"), marks

    def holds(self, text):
        """Return whether a conjunction is true for each row, bool[n]."""
        marked = self._names.sub(lambda found: self._marks[found[0]], text)
        parts = re.split(r" and (?![^{]*\})", marked)
        return np.logical_and.reduce([self._part(part) for part in parts])

    def _part(self, text):
        n = len(self.X)
        if text in ("always", "never"):
            return np.full(n, text == "always")
        category = re.fullmatch(r"(\S+) (not )?in \{(.*)\}( \(or missing\))?", text)
        one = re.fullmatch(r"(\S+) (!?)= (.+?)( \(or missing\))?", text)
        if one and one[1] in self.groups:
            return self._category(*one.groups())
        word = re.fullmatch(r"(\S+) is (known|missing|anything|given)", text)
        if category:
            return self._category(*category.groups())
        if word:
            missing = np.isnan(self._missing_marker(word[1]))
            return {"missing": missing, "anything": np.full(n, True)}.get(word[2], ~missing)
        text, _, missing = text.partition(" (or missing)")
        assert missing == ""
        both = _BETWEEN.fullmatch(text)
        with np.errstate(all="ignore"):
            if both:
                x = self.X[:, int(both[3])]
                inside = _COMPARE[both[2]](float(both[1]), x) & _COMPARE[both[4]](x, float(both[5]))
            else:
                total, relation, bound, terms = re.fullmatch(
                    rf"(.*) (<=?|>=?|=) ({_NUMBER}(?= [-+] |$))? ?(.*)", text
                ).groups()
                x = self._sum(total) - self._sum(terms) if terms else self._sum(total)
                inside = _COMPARE[relation](x, float(bound or 0))
        return inside | np.isnan(x) if _ else inside

    def _sum(self, text):
        total, end = None, 0
        while end < len(text):
            term = _TERM.match(text, end)
            assert term, text[end:]
            sign, factor, feature, alone = term.groups()
            value = float(alone) if alone else self.X[:, int(feature)] * float(factor or 1)
            value = -value if sign and "-" in sign else value
            total = value if total is None else total + value
            end = term.end() + (text[term.end() : term.end() + 1] == " ")
        return total

    def _missing_marker(self, column):
        return self.X[:, int(column[1:]) if column.startswith("@") else self.groups[column][0]]

    def _category(self, column, negated, values, or_missing):
        group = self.groups[column]
        listed = re.findall(r'"(?:[^"]|"")*"|[^ ,"][^,]*', values)
        inside = np.zeros(len(self.X), bool)
        for feature in group:
            if quoted(self.values[feature]) in listed:
                inside |= self.X[:, feature] == 1
        missing = np.isnan(self.X[:, group[0]])
        return np.where(missing, bool(or_missing), inside != bool(negated))


def else_if(text):
    """Return [(condition or None, label)] of the lines of `RuleSet.to_else_if`."""
    lines = text.splitlines()
    found = []
    for place, line in enumerate(lines):
        words = line.removeprefix("ELSE ") if place else line
        condition, _, label = words.removeprefix("IF ").rpartition(" THEN ")
        assert bool(condition) == words.startswith("IF ") == (place < len(lines) - 1)
        found.append((condition or None, label))
    return found
