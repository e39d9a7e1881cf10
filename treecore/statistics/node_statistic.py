"""`NodeStatistic`: the declaration of a number of a node, and the places of the program that show it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treecore.tree.number_text import count, number, percent
from treecore.tree.target import Target

# Quantities from which statistics are computed, of every node or of the whole tree.
QUANTITIES = {
    "rows": "rows that reach the node",
    "all_rows": "rows that reach the root, at least 1",
    "loss": "sum of the losses of the rows, see `Target`",
    "error": "error of the rows, see `Target`",
    "training_rows": "training rows that reach the node",
    "all_training_rows": "training rows that reach the root",
    "depth": "decisions above the node",
    "conditions": "conditions of the rule of a leaf",
}


class Face(NamedTuple):
    """A place that shows statistics.

    lacks : quantities that are not available there; is_column : whether the words of a statistic are the name of a
    column (else a phrase with ``{value}``).
    """

    lacks: frozenset
    is_column: bool = False


_OF_RULES = frozenset({"depth"})
_OF_NODES = frozenset({"conditions"})
_OF_TREE = frozenset({"rows", "all_rows", "loss", "error", "conditions"})
FACES = {
    "rules": Face(_OF_RULES, is_column=True),  # the list of rules on the page
    "detail": Face(_OF_RULES),  # a rule in full on the page
    "files": Face(_OF_RULES, is_column=True),  # rules as CSV, Markdown and LaTeX
    "text": Face(_OF_RULES),  # rules as text
    "table": Face(_OF_NODES, is_column=True),  # the tree as a table on the stage
    "inspector": Face(_OF_NODES),  # a node on the stage, and as a figure
    "leaf": Face(_OF_NODES),  # the second line of a leaf on the stage and in figures
    "outline": Face(_OF_NODES),  # a node as read aloud
    "card": Face(_OF_NODES),  # the leaf of the row below the pointer
    "predict": Face(_OF_TREE, is_column=True),  # the leaf of a predicted row
}
STAGE_FACES = ("table", "inspector", "leaf", "outline", "card")


class Format(NamedTuple):
    """Format of a finite value.

    text : on pages, on the stage and in figures, function of the value and the `Target`; file : in Markdown and LaTeX,
    function of the value; csv, scale : format and unit of the number in CSV.
    """

    text: Callable[[float, Any], str]
    file: Callable[[float], str]
    csv: str = ".6g"
    scale: float = 1.0


FORMATS = {  # viz/stage/model/node_statistics.js has the same formats
    "count": Format(lambda value, target: count(round(value)), "{:.0f}".format, ".0f"),
    "percent": Format(lambda value, target: percent(value), lambda value: f"{100 * value:.1f}", scale=100.0),
    "share": Format(lambda value, target: percent(value), "{:.3f}".format),
    "error": Format(lambda value, target: target.error_text(value), lambda value: number(value, 4, "-")),
    "deviation": Format(lambda value, target: target.short_error(value), lambda value: number(value, 4, "-")),
    "loss": Format(
        lambda value, target: count(round(value)) if value == round(value) else number(value, 4),
        lambda value: number(value, 4, "-"),
    ),
}
BARS = ("", "share", "largest")
PER = ("node", "leaf")
_BINARY: dict[str, Callable] = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_UNARY: dict[str, Callable] = {"negative": np.negative, "sqrt": np.sqrt, "log": np.log}
_SIGNS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


class ListColumn(NamedTuple):
    """Column of the list of rules on the page.

    widths : in em, in a wide and in a narrow list, 0 if it is not shown there; bar : below the number, "share" of 1,
    "largest" of all rules, or ""; order : label in the list of orders, "" for none; sorts_by : the statistic by which a
    click on its heading sorts, "" for itself; falls : whether the largest comes first.
    """

    widths: tuple[float, float]
    bar: str = ""
    order: str = ""
    sorts_by: str = ""
    falls: bool = True


@dataclass(frozen=True)
class NodeStatistic:
    """A number of the nodes of a tree.

    name : unique, for programs; per : "node", or "leaf" if decision nodes do not have it; help : definition, a sentence
    without full stop; formula : of `QUANTITIES` and numbers, with + - * / ( ) sqrt log; form : a key of `FORMATS`;
    faces : {key of `FACES`: its words there}, the name of a column or a phrase with ``{value}``, see `Face`; certainty
    : `Target.certainty` of the trees that have it, "" for all; same_as : name of a statistic; a face that shows both
    omits this one if it is equal; column : in the list of rules.

    Raises ValueError for a declaration that contradicts itself.
    """

    name: str
    help: str
    formula: str
    form: str
    faces: Mapping[str, str]
    per: str = "node"
    certainty: str = ""
    same_as: str = ""
    column: ListColumn = field(default_factory=lambda: ListColumn((6.0, 4.4)))

    def __post_init__(self) -> None:
        self._check(self.name.isidentifier(), "a name is letters, digits and underscores")
        self._check_known("per", self.per, PER)
        self._check_known("form", self.form, FORMATS)
        self._check_known("bar", self.column.bar, BARS)
        for face, words in self.faces.items():
            self._check_known("face", face, FACES)
            lacking = FACES[face].lacks & self.quantities
            self._check(not lacking, f"the face {face!r} does not have {', '.join(map(repr, sorted(lacking)))}")
            self._check(bool(words), f"the face {face!r} needs words")
            is_phrase = any(place in words for place in ("{value}", "{number}", "{error}"))
            self._check(FACES[face].is_column != is_phrase, f"the words of {face!r} " + (
                "are the name of a column, without {value}" if is_phrase else "are a phrase and need {value}"
            ))  # fmt: skip

    @cached_property
    def operations(self) -> tuple[str | float, ...]:
        """The formula in postfix order: numbers, quantities and operations."""
        try:
            return tuple(self._operations(ast.parse(self.formula, mode="eval").body))
        except SyntaxError:
            return self._check(False, f"the formula {self.formula!r} cannot be read")

    @property
    def quantities(self) -> set[str]:
        """Names of the quantities in the formula."""
        return QUANTITIES.keys() & set(self.operations)

    def values(self, quantities: Mapping[str, Any]) -> np.ndarray:
        """Return the statistic, float64[m] or float64[], from arrays [m] or numbers by name; NaN if undefined."""
        stack: list[Any] = []
        with np.errstate(all="ignore"):
            for part in self.operations:
                if not isinstance(part, str):
                    stack.append(part)
                elif part in _BINARY:
                    right, left = stack.pop(), stack.pop()
                    stack.append(_BINARY[part](left, right))
                elif part in _UNARY:
                    stack.append(_UNARY[part](stack.pop()))
                else:
                    stack.append(np.asarray(quantities[part], np.float64))
        return np.asarray(stack.pop(), np.float64)

    def text(self, value: float, target: Any) -> str:
        """Return the value for people; a dash for an undefined one."""
        return FORMATS[self.form].text(float(value), target) if np.isfinite(value) else "–"

    def file_text(self, value: float, is_csv: bool = False) -> str:
        """Return the value in a file of rules; empty for an undefined one."""
        form = FORMATS[self.form]
        if not np.isfinite(value):
            return ""
        return format(form.scale * float(value), form.csv) if is_csv else form.file(float(value))

    def phrase(self, face: str, value: float, target: Any, **words: str) -> str:
        """Return the value in the words of a face: with ``{value}``, ``{number}`` (as in files) and the `words`."""
        template = self.faces[face]
        text = self.text(value, target) if "{value}" in template else ""
        return template.format_map(
            words | {"value": text, "number": self.file_text(value), "s": "" if value == 1 else "s"}
        )

    def title(self, face: str, **words: str) -> str:
        """Return the name of its column in a face; words : values of its fields."""
        return self.faces[face].format_map(words)

    def applies_to(self, target: Target | type[Target]) -> bool:
        """Return whether trees of such a target have it."""
        return self.certainty in ("", target.certainty)

    def _operations(self, node: ast.AST) -> Iterable[str | float]:
        if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
            yield from (*self._operations(node.left), *self._operations(node.right), _SIGNS[type(node.op)])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield from (*self._operations(node.operand), "negative")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            self._check_known("function", node.func.id, ("sqrt", "log"))
            yield from (*self._operations(node.args[0]), node.func.id)
        elif isinstance(node, ast.Name):
            self._check_known("quantity", node.id, QUANTITIES)
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield float(node.value)
        else:
            self._check(False, f"the formula {self.formula!r} has {ast.unparse(node)!r}; use + - * / ( ) sqrt log")

    def _check_known(self, what: str, given: str, known: Iterable[str]) -> None:
        self._check(given in known, f"unknown {what} {given!r}; known are {', '.join(map(repr, known))}")

    def _check(self, is_right: bool, words: str) -> Any:
        if not is_right:
            raise ValueError(f"Statistic {self.name!r}: {words}.")


def declared(statistics: Iterable[NodeStatistic]) -> dict[str, NodeStatistic]:
    """Return {name: statistic}, in order. Raise ValueError for duplicate names, and for unknown references."""
    found: dict[str, NodeStatistic] = {}
    for one in statistics:
        if one.name in found:
            raise ValueError(f"Statistic {one.name!r} is declared twice.")
        found[one.name] = one
    for one in found.values():
        for other in (one.same_as, one.column.sorts_by):
            if other and other not in found:
                raise ValueError(f"Statistic {one.name!r} refers to {other!r}, which is not declared.")
    return found


def in_face(
    statistics: Iterable[NodeStatistic],
    face: str,
    target: Target | type[Target],
    values: Mapping[str, Any] | None = None,
) -> list[NodeStatistic]:
    """Return the statistics that a face shows of trees with this target, in order.

    values : {name: values of all nodes that are shown}, so that a statistic is left out that is equal to its `same_as`
    wherever it has a value.
    """
    shown = {one.name: one for one in statistics if face in one.faces and one.applies_to(target)}
    return [one for one in shown.values() if values is None or one.same_as not in shown or _adds(one, values)]


def statistic_facts(statistics: Iterable[NodeStatistic], target: Target | type[Target]) -> list[dict]:
    """Return a list of dicts for JSON of the statistics on the stage, for viz/stage/model/node_statistics.js."""
    return [
        {
            "name": one.name,
            "help": one.help,
            "operations": list(one.operations),
            "form": one.form,
            "per": one.per,
            "same_as": one.same_as,
            "faces": faces,
        }
        for one in statistics
        if one.applies_to(target)
        and (faces := {face: words for face, words in one.faces.items() if face in STAGE_FACES})
    ]


def _adds(statistic, values):
    own, other = (np.asarray(values[name]) for name in (statistic.name, statistic.same_as))
    known = np.isfinite(own)
    return not np.array_equal(own[known], other[known])
