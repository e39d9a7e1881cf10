"""`PmmlPredicate`: the values of a column for which the predicate of a PMML node is true."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from treecore.errors import TreeFormatError
from treecore.foreign.pmml_fields import PmmlFields, set_values
from treecore.messages import joined

KINDS = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
_COMPARED = {
    "equal": np.equal, "notEqual": np.not_equal, "lessThan": np.less, "lessOrEqual": np.less_equal,
    "greaterThan": np.greater, "greaterOrEqual": np.greater_equal,
}  # fmt: skip
_UNKNOWN = 0.5  # between false (0) and true (1), as in Kleene's logic


class PmmlPredicate:
    """Predicate of a node. field : the tested field, None if the predicate has the same value for all rows.

    For a surrogate, only the first predicate is used. The others apply to missing values, and has_surrogates is True.
    """

    def __init__(self, element: Element) -> None:
        self.element, self.has_surrogates = element, False
        fields = set()
        stack = [element]
        while stack:
            one = stack.pop()
            if one.tag == "CompoundPredicate":
                parts = [part for part in one if part.tag in KINDS]
                is_surrogate = one.get("booleanOperator") == "surrogate"
                self.has_surrogates |= is_surrogate
                stack += parts[:1] if is_surrogate else parts
            elif one.tag not in ("True", "False"):
                fields.add(one.get("field"))
        if len(fields) > 1:
            raise TreeFormatError(
                f"A predicate uses several fields ({joined(sorted(map(str, fields)))[:80]}). Only one field per "
                "predicate is supported."
            )
        self.field = next(iter(fields), None)

    def numbers(self, fields: PmmlFields) -> list[float]:
        """Numbers in the comparisons."""
        found = []
        for one in self.element.iter():
            if one.get("field") != self.field:  # part of a surrogate
                continue
            values = set_values(one) if one.tag == "SimpleSetPredicate" else [one.get("value")]
            found += [fields.number(value, self.field) for value in values if value is not None]
        if not np.isfinite(found).all():
            raise TreeFormatError(
                f"Invalid PMML: the predicate on field {self.field!r:.60} compares with a non-finite value."
            )
        return found

    def truth(self, fields: PmmlFields, known: np.ndarray | tuple) -> np.ndarray:
        """Return the truth value in each cell, then for a missing value: 0, 1 or 0.5 (unknown), float64[cells + 1].

        known : sorted numbers float64[m], which define 2 m + 1 cells (below the first number, the first number, between
        the first and the second, ...); or the categories, with one cell each, None for all other categories.
        """
        return _truth(self.element, fields, known, _UNKNOWN)

    def is_ambiguous(self, fields: PmmlFields, known: np.ndarray | tuple) -> bool:
        """Return whether the predicate is unknown for a missing value, but true if comparisons with it are false.

        The standard has both readings, for the strategy "none". They only differ for xor.
        """
        truth = (_truth(self.element, fields, known, unknown)[-1] for unknown in (_UNKNOWN, 0.0))
        return tuple(truth) == (_UNKNOWN, 1.0)


def _truth(element, fields, known, unknown):
    n_cells = len(known) if isinstance(known, tuple) else 2 * len(known) + 1
    if element.tag in ("True", "False"):
        return np.full(n_cells + 1, float(element.tag == "True"))
    if element.tag == "CompoundPredicate":
        parts = [part for part in element if part.tag in KINDS]
        operator = element.get("booleanOperator")
        if operator == "surrogate":
            return _truth(parts[0], fields, known, unknown)
        found = np.array([_truth(part, fields, known, unknown) for part in parts])
        if operator in ("and", "or"):
            return found.min(axis=0) if operator == "and" else found.max(axis=0)
        if operator != "xor":
            raise TreeFormatError(
                f"Unsupported operator {operator!r:.40} in a compound predicate. Supported: and, or, xor, surrogate."
            )
        return np.where((found == _UNKNOWN).any(axis=0), _UNKNOWN, found.sum(axis=0) % 2)
    operator = element.get("operator") if element.tag == "SimplePredicate" else element.get("booleanOperator")
    if operator in ("isMissing", "isNotMissing"):
        is_missing = np.arange(n_cells + 1) == n_cells
        return (is_missing == (operator == "isMissing")).astype(np.float64)
    return np.append(_compared(element, operator, fields, known, n_cells), unknown)


def _compared(element, operator, fields, known, n_cells):
    """Return the truth value of a comparison or set predicate in each cell, float64[cells]."""
    field = element.get("field")
    if element.tag == "SimpleSetPredicate":
        values = set_values(element)
        if operator not in ("isIn", "isNotIn"):
            raise TreeFormatError(
                f"Unsupported operator {operator!r:.40} in a set predicate. Supported: isIn, isNotIn."
            )
        is_in = np.isin(np.arange(n_cells), [fields.cell(value, field, known) for value in values])
        return (is_in == (operator == "isIn")).astype(np.float64)
    if operator not in _COMPARED or isinstance(known, tuple) and operator not in ("equal", "notEqual"):
        raise TreeFormatError(
            f"Unsupported operator {operator!r:.40} on field {field!r:.60}. Supported: {joined(_COMPARED)} for "
            "numbers, equal and notEqual for categories."
        )
    return _COMPARED[operator](np.arange(n_cells), fields.cell(element.get("value"), field, known)).astype(np.float64)
