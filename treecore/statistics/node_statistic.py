"""`NodeStatistic`: the declaration of a node statistic and of the places that show it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treecore.syntax import syntax_tree
from treecore.tree.number_text import count, number, percent
from treecore.tree.target import Target

# Quantities of a node or of the whole tree from which statistics are computed.
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

    lacks : quantities that are not available there; is_column : whether the words of a statistic are a column name, not
    a phrase with ``{value}``.
    """

    lacks: frozenset
    is_column: bool = False


_OF_RULES = frozenset({"depth"})
_OF_NODES = frozenset({"conditions"})
_OF_TREE = frozenset({"rows", "all_rows", "loss", "error", "conditions"})
FACES = {
    "rules": Face(_OF_RULES, is_column=True),  # list of rules on the page
    "detail": Face(_OF_RULES),  # details of a rule on the page
    "files": Face(_OF_RULES, is_column=True),  # rules as CSV, Markdown and LaTeX
    "text": Face(_OF_RULES),  # rules as text
    "table": Face(_OF_NODES, is_column=True),  # tree as a table on the stage
    "inspector": Face(_OF_NODES),  # details of a node on the stage and in figures
    "leaf": Face(_OF_NODES),  # second line of a leaf on the stage and in figures
    "outline": Face(_OF_NODES),  # description of a node for screen readers
    "card": Face(_OF_NODES),  # leaf of the row under the pointer
    "predict": Face(_OF_TREE, is_column=True),  # leaf of a predicted row
}
STAGE_FACES = ("table", "inspector", "leaf", "outline", "card")


class Format(NamedTuple):
    """Format of a finite value.

    text : function of the value and the `Target`, for pages, the stage and figures; file : function of the value, for
    Markdown and LaTeX; csv, scale : format and factor of the number in CSV.
    """

    text: Callable[[float, Any], str]
    file: Callable[[float], str]
    csv: str = ".6g"
    scale: float = 1.0


FORMATS = {  # viz/stage/model/node_statistics.js implements the same formats
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
    """Column in the list of rules on the page.

    widths : widths in em in a wide and a narrow list, 0 if not shown; bar : scale of the bar below the number, "share"
    (1), "largest" (largest value of all rules) or "" (no bar); order : label in the list of sort orders, "" for none;
    sorts_by : statistic by which a click on the heading sorts, "" for this one; falls : whether the largest value comes
    first.
    """

    widths: tuple[float, float]
    bar: str = ""
    order: str = ""
    sorts_by: str = ""
    falls: bool = True


@dataclass(frozen=True)
class NodeStatistic:
    """Statistic of the nodes of a tree.

    name : unique identifier; per : "node", or "leaf" if decision nodes do not have it; help : definition, without full
    stop; formula : expression of `QUANTITIES` and numbers, with + - * / ( ) sqrt log; form : key of `FORMATS`; faces :
    {key of `FACES`: words}, a column name or a phrase with ``{value}``, see `Face`; certainty : `Target.certainty` of
    the trees that have it, "" for all; same_as : name of another statistic; a face that shows both omits this one if
    their values are equal; column : column in the list of rules.

    An inconsistent declaration raises ValueError.
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
        """Formula in postfix order: numbers, quantities and operations."""
        try:
            return tuple(self._operations(syntax_tree(self.formula, "eval").body))
        except SyntaxError:
            return self._check(False, f"the formula {self.formula!r} cannot be read")

    @property
    def quantities(self) -> set[str]:
        """Names of the quantities in the formula."""
        return QUANTITIES.keys() & set(self.operations)

    def values(self, quantities: Mapping[str, Any]) -> np.ndarray:
        """Compute the statistic from quantities (arrays [m] or numbers) by name. The result is NaN if undefined."""
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
        """Return the displayed value, or a dash if it is undefined."""
        return FORMATS[self.form].text(float(value), target) if np.isfinite(value) else "–"

    def file_text(self, value: float, is_csv: bool = False) -> str:
        """Return the value for a file of rules, or "" if it is undefined."""
        form = FORMATS[self.form]
        if not np.isfinite(value):
            return ""
        return format(form.scale * float(value), form.csv) if is_csv else form.file(float(value))

    def phrase(self, face: str, value: float, target: Any, **words: str) -> str:
        """Return the phrase of a face with ``{value}``, ``{number}`` (as in files) and `words` filled in."""
        template = self.faces[face]
        text = self.text(value, target) if "{value}" in template else ""
        return template.format_map(
            words | {"value": text, "number": self.file_text(value), "s": "" if value == 1 else "s"}
        )

    def title(self, face: str, **words: str) -> str:
        """Return the column name in a face. words : values for its fields."""
        return self.faces[face].format_map(words)

    def applies_to(self, target: Target | type[Target]) -> bool:
        """Return whether trees with this target have the statistic."""
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
    """Return statistics by name, in order. Raise ValueError for duplicate names and unknown references."""
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
    """Return the statistics that a face shows for trees with this target, in order.

    values : {name: values of all shown nodes}. If given, a statistic is omitted if all its values equal those of its
    `same_as`.
    """
    shown = {one.name: one for one in statistics if face in one.faces and one.applies_to(target)}
    return [one for one in shown.values() if values is None or one.same_as not in shown or _adds(one, values)]


def statistic_facts(statistics: Iterable[NodeStatistic], target: Target | type[Target]) -> list[dict]:
    """Return the statistics on the stage as JSON values for viz/stage/model/node_statistics.js."""
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
