"""Rules as text, Markdown, LaTeX and CSV. Names are escaped, because they can contain any characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from treecore.statistics.node_statistic import NodeStatistic
from treecore.tables import text_tables
from treecore.tree.condition_text import visible
from treecore.tree.conditions import conjunction

_LATEX_SIGNS = {
    r"\textless{}=": r"$\leq$",
    r"\textgreater{}=": r"$\geq$",
    r"\textless{}": "$<$",
    r"\textgreater{}": "$>$",
}


class RuleTable(Protocol):
    """Interface of a `RuleSet` for its text formats."""

    rules: Sequence[Any]
    classes: Sequence[Any]
    chain: Sequence[tuple] | None
    precision: int | str | None
    warning: str | None
    rows_name: str

    def statistics_in(self, face: str) -> list[NodeStatistic]:
        """Return the list of statistics that a place shows."""


def to_text(found: RuleTable) -> str:
    """Return one line per rule, then the warning, if any."""
    shown = found.statistics_in("text")
    return "".join(f"{line}\n" for line in (*(rule.to_text(shown) for rule in found.rules), *_warning(found)))


def to_else_if(found: RuleTable) -> str:
    """Return the IF, ELSE IF, ..., ELSE form of a `RuleSet`."""
    lines = [
        f"IF {conjunction(conditions, found.precision)} THEN {rule.label_text}" for conditions, rule in found.chain
    ]
    lines[-1] = found.chain[-1][1].label_text
    return "\nELSE ".join(lines) + "\n" + "".join(f"{line}\n" for line in _warning(found))


def to_markdown(found: RuleTable) -> str:
    """Return a GitHub Markdown table, followed by the warning, if any."""
    warning = "".join(f"\n{line}\n" for line in _warning(found))
    return text_tables.to_markdown(_header(found), _rows(found)) + warning


def to_latex(found: RuleTable) -> str:
    """Return a ``tabular`` environment for the package booktabs, with the warning, if any, as a comment."""
    text = text_tables.to_latex(_header(found), _rows(found))
    for escaped, sign in _LATEX_SIGNS.items():
        text = text.replace(escaped, sign)
    return text + "".join(f"% {line}\n" for line in _warning(found))


def to_csv(found: RuleTable) -> str:
    """Return CSV with the leaf name, conditions, prediction, statistics of the leaf, and count of every class."""
    header = ("leaf", *_header(found), *(f"count of {visible(label)}" for label in found.classes))
    shown, rows = found.statistics_in("files"), []
    for rule in found.rules:
        figures = (one.file_text(rule.statistics[one.name], is_csv=True) for one in shown)
        counts = [f"{count:.17g}" for count in rule.class_counts or ()]
        rows.append(tuple(map(visible, (rule.name, rule.condition_text, rule.label, *figures, *counts))))
    return text_tables.to_csv(header, rows)


def _header(found):
    return ("if", "then", *(one.title("files", rows=found.rows_name) for one in found.statistics_in("files")))


def _rows(found):
    shown = found.statistics_in("files")
    for rule in found.rules:
        figures = (one.file_text(rule.statistics[one.name]) for one in shown)
        yield rule.condition_text, rule.label_text, *figures


def _warning(found):
    return [found.warning] if found.warning else []
