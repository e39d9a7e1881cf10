"""Offer the difference of two dates, or of two columns with the same unit, as a column."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sample_data.user_data.added_columns import difference_column
from sample_data.user_data.checks.column_problems import ignore_columns
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import listed
from treecore.tables.table_columns import TableColumns

_MOST_COLUMNS = 12  # maximum number of columns of one kind whose pairs are compared
_MOST_ROWS = 20_000  # maximum number of rows that are compared
_MOST_OFFERED = 3
_LONGEST_NAME = 80  # characters
DAYS = " (days)"
_MOST_VARIANCE = 0.5  # largest variance of a difference of numbers, as a share of the variances of both
_LEAST_COMMON = 0.5  # smallest common part of two ranges, as a share of both, without a unit
_UNIT = re.compile(r"^(.*\S)\s*[(\[]([^()\[\]]+)[)\]]$")
_SUFFIXES = {
    "eur", "euro", "usd", "gbp", "chf", "cents", "mm", "cm", "dm", "m", "km", "inch", "ft", "mg", "g", "kg", "lb",
    "lbs", "ml", "l", "kwh", "kw", "watt", "bar", "psi", "pct", "percent", "celsius", "fahrenheit", "sec", "secs",
    "seconds", "min", "mins", "minutes", "h", "hours", "days", "weeks", "months", "years",
}  # fmt: skip
_ENDS = (
    ("start", "end"), ("begin", "end"), ("start", "stop"), ("before", "after"), ("pre", "post"), ("first", "last"),
    ("min", "max"), ("low", "high"), ("lower", "upper"), ("open", "close"), ("from", "to"), ("in", "out"),
    ("old", "new"), ("planned", "actual"), ("expected", "actual"), ("left", "right"), ("initial", "final"),
    ("home", "away"),
)  # fmt: skip


class _Offer(NamedTuple):
    name: str
    parts: tuple[str, str]
    rank: tuple[bool, float]
    why: str


def offered_differences(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the remark about pairs of columns whose difference can be added, and about the added columns."""
    features = set(recipe.features())
    found = [_remark(name, parts, recipe) for name, parts in recipe.differences.items() if name in features]
    offers = sorted(_offers(table, summaries, recipe), key=lambda offer: offer.rank)[:_MOST_OFFERED]
    if not offers:
        return found
    first = offers[0]
    fix = (f"Add column: {first.name}", _added(recipe, offers[:1]))
    wider = (f"Add {len(offers)} columns", _added(recipe, offers)) if len(offers) > 1 else None
    names = [offer.name for offer in offers]
    text = (
        f"Columns '{first.parts[0]:.60}' and '{first.parts[1]:.60}' {first.why}. Their difference can be a "
        "column of its own, which a tree can split."
    )
    if wider is not None:
        text = f"{text} This is possible for {len(names)} pairs: {listed(names)}."
    return [*found, Problem("difference", first.parts, text, "info", fix, wider)]


def _remark(name, parts, recipe):
    text = (
        f"Column '{name:.60}' is '{parts[0]:.60}' minus '{parts[1]:.60}', and is missing if one of them is "
        "missing. New rows need both columns."
    )
    return Problem("difference added", (name,), text, "info", ("Ignore column", ignore_columns(recipe, [name])))


def _added(recipe, offers: Iterable[_Offer]) -> Recipe:
    differences = {offer.name: offer.parts for offer in offers}
    kinds = dict.fromkeys(differences, "number")
    return replace(recipe, differences=recipe.differences | differences, kinds=recipe.kinds | kinds)


def _offers(table, summaries, recipe) -> list[_Offer]:
    features = [name for name in recipe.features() if name not in recipe.differences]
    dates = [name for name in features if recipe.kinds[name] == "date"]
    known = {summary.name: summary for summary in summaries}
    numbers = [known[name] for name in features if recipe.kinds[name] == "number" and known[name].kind == "number"]
    pairs = [(*pair, DAYS, "are dates") for pair in combinations(dates[:_MOST_COLUMNS], 2)]
    pairs += _with_units(numbers) + _with_ends(numbers)
    taken, made = set(table.frame.columns), {frozenset(parts) for parts in recipe.differences.values()}
    found = {}
    for first, second, unit, why in pairs:
        if frozenset((first, second)) not in made and (offer := _offer(table, recipe, first, second, unit, why)):
            found.setdefault(frozenset(offer.parts), offer)
    return [offer for offer in found.values() if offer.name not in taken and len(offer.name) <= _LONGEST_NAME]


def _offer(table, recipe, first, second, unit, why) -> _Offer | None:
    """Return the offer of the usually larger column minus the smaller one, or None if the difference says nothing.

    Numbers must vary together; dates need not, because the time between two independent dates is an age.
    """
    part = replace(table, frame=table.frame[[first, second]].iloc[:_MOST_ROWS])
    one = difference_column(part, recipe, "difference", (second, first))
    X = TableColumns(one.of).encode(part.frame).X
    X = X[~np.isnan(X).any(axis=1)]
    if not len(X) or not X.var(axis=0).all():
        return None
    values, whole = X[:, 0] - X[:, 1], float(X.var(axis=0).sum())
    share = float(values.var()) / whole
    if not share or unit != DAYS and share > _MOST_VARIANCE:
        return None
    if np.median(values) < 0:
        first, second = second, first
    stems = (name.removesuffix(unit) for name in (second, first))
    return _Offer(" - ".join(stems) + unit, (second, first), (unit != DAYS, share), why)


def _with_units(numbers):
    """Return (first, second, unit, why) for columns with the same unit in parentheses or after an underscore."""
    of_unit = {}
    for summary in numbers:
        found = _UNIT.match(summary.name)
        words = re.split(r"[_\s]+", summary.name.lower())
        if found:
            of_unit.setdefault((found[2], summary.name[len(found[1]) :]), []).append(summary)
        elif len(words) > 1 and words[-1] in _SUFFIXES:
            of_unit.setdefault((words[-1], ""), []).append(summary)
    return [
        (first.name, second.name, end, f"have the same unit ({unit:.20})")
        for (unit, end), columns in of_unit.items()
        for first, second in combinations(columns[:_MOST_COLUMNS], 2)
    ]


def _with_ends(numbers):
    """Return (first, second, "", why) for columns such as start_x and end_x, with ranges that are nearly equal."""
    by_name = {summary.name.lower(): summary for summary in numbers}
    found = []
    for summary in numbers:
        words = re.split(r"([^A-Za-z]+)", summary.name.lower())
        for first, second in _ENDS:
            other = (
                by_name.get("".join(second if word == first else word for word in words)) if first in words else None
            )
            if other is not None and _have_one_range(summary, other):
                found.append((summary.name, other.name, "", "have similar names and values"))
    return found


def _have_one_range(first, second):
    common = min(first.high, second.high) - max(first.low, second.low)
    return common >= _LEAST_COMMON * (max(first.high, second.high) - min(first.low, second.low))
