"""`problems`: what may be wrong with a table for the tree that its recipe asks for, in words, each with a fix."""

from dataclasses import dataclass

from sample_data.own_data.recipe import Recipe


@dataclass(frozen=True)
class Problem:
    """One finding.

    kind      a word for tests and icons
    columns   whose names it is about
    severity  "stops" (no data set can be made), "warns" or "info"
    fix       (label of a button, the recipe with the fix applied), or None
    """

    kind: str
    columns: tuple[str, ...]
    text: str
    severity: str
    fix: tuple[str, Recipe] | None = None


def problems(table, summaries, recipe) -> list[Problem]:
    """Return the findings, those that stop first."""
    return []
