"""Propose a split by time or by groups for a table whose rows depend on each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas

from sample_data.data_set import TEST, TRAIN
from sample_data.user_data.grouping import propose_below
from sample_data.user_data.plan import plan
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.row_choice import likely_choice
from sample_data.user_data.subjects import Subjects, by_group, counted_subjects, find_subjects, is_coded
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from sample_data.user_data.time_order import RowEvidence, TimeOrder, find_order, is_clock, is_sorted
from treecore.errors import DataError

_MANY_UNITS, _UNITS_PER_TIME = (50, 5)  # fewest units of a panel that is split by unit, also relative to its times
_FEWEST_VALUES, _SMOOTH = 10, 0.5  # columns that are compared between units, and correlation of neighbouring units
_FEW_TIMES = 5  # number of times below which a panel is split by unit


class RowDependence(NamedTuple):
    """Dependence among the rows of a table.

    order : time order of the rows, or None; subjects : groups of rows, or None; by : proposed split, "time", "group" or
    "" for independent rows
    """

    order: TimeOrder | None = None
    subjects: Subjects | None = None
    by: str = ""


def find_dependence(
    frame: pandas.DataFrame, summaries: Sequence[ColumnSummary], target: str, by_model: bool = True
) -> RowDependence:
    """Return the dependence among the rows, as far as the columns show it.

    A panel has an order and units. It is split by units if they are many numbered units, such as the persons of a
    survey with a few waves, and else by time.

    by_model : whether a model decides from names and values, if no values prove a dependence
    """
    evidence = RowEvidence(frame, summaries)
    order = find_order(evidence, target)
    if order is not None and order.reason == "series":
        return RowDependence(order, None, "time")
    subjects = find_subjects(evidence, target)
    if order is None and subjects is None and by_model:
        return _likely_dependence(evidence, target)
    if order is None or subjects is None:
        return RowDependence(order, subjects, "time" if order else "group" if subjects else "")
    n_times = next(s.n_distinct for s in summaries if s.name == order.column)
    are_many = subjects.n_subjects >= max(_MANY_UNITS, _UNITS_PER_TIME * n_times) and is_coded(summaries, subjects)
    by = "group" if order.reason == "sorted" or n_times < _FEW_TIMES or are_many else "time"
    return RowDependence(order, subjects, by)


def _likely_dependence(evidence, target) -> RowDependence:
    """Return the dependence that names and values make likely."""
    found = likely_choice(evidence, target)
    if found is None:
        return RowDependence()
    column, by = found
    if by == "group":
        return RowDependence(None, counted_subjects(evidence, column), by)
    return RowDependence(TimeOrder(column, "sorted" if is_sorted(evidence.frame[column]) else "named"), None, by)


def with_split(table: Table, recipe: Recipe, summaries: Sequence[ColumnSummary]) -> Recipe:
    """Return the recipe with a split by time or by groups, if the rows depend on each other."""
    if recipe.split not in ("stratified", "random"):
        return recipe
    found = find_dependence(table.frame, summaries, recipe.target)
    if found.by == "time" and (by_time := split_by_order(table, recipe, found.order)):
        return _with_numbered_units(table.frame, by_time, summaries, found.order)
    by_group = split_by_subjects(table, recipe, found.subjects)
    return by_group or found.by == "group" and split_by_order(table, recipe, found.order) or recipe


def _with_numbered_units(frame, recipe, summaries, order) -> Recipe:
    """Return the recipe with the numbers of a panel's units as categories, because firm 2 is not between 1 and 3.

    Numbers along which other columns change smoothly, such as ages, stay numbers.
    """
    unit = next((s for s in summaries if s.name == order.unit and recipe.kinds[s.name] == "number"), None)
    if unit is None or is_clock(unit) or unit.name == recipe.target:
        return recipe
    numbers = [s.name for s in summaries if s.kind == "number" and s.n_distinct >= _FEWEST_VALUES and not s.rising
               and s.name not in (unit.name, order.column)]  # fmt: skip
    means = frame.groupby(unit.name, sort=True)[numbers].mean()
    smooth = [means[name].autocorr() for name in numbers if means[name].std() > 0]
    if not smooth or np.median(smooth) > _SMOOTH:
        return recipe
    below = {unit.name: propose_below(frame[unit.name])} if unit.n_distinct > recipe.most_categories else {}
    return replace(recipe, kinds={**recipe.kinds, unit.name: "category"}, group_below=recipe.group_below | below)


def split_by_order(table: Table, recipe: Recipe, order: TimeOrder | None) -> Recipe | None:
    """Return the recipe with a split by time, or None if the newest rows have other classes than the oldest."""
    if order is None:
        return None
    found = replace(recipe, split="time", split_column=order.column, split_values=None)
    try:
        planned = plan(table, found)
    except DataError:
        return None
    parts = planned.split
    if parts is None or not (parts == TEST).any():
        return None
    if recipe.numbers:
        return found
    learned = np.unique(planned.y[parts == TRAIN])
    is_known = np.isin(planned.y[parts == TEST], learned)
    return found if len(learned) > 1 and is_known.mean() > 0.5 else None


def split_by_subjects(table: Table, recipe: Recipe, subjects: Subjects | None) -> Recipe | None:
    """Return the recipe with a split by subjects, or None if no part of them could be the test set."""
    if subjects is None:
        return None
    found = by_group(recipe, subjects.column, subjects.within)
    try:
        plan(table, found)
    except DataError:
        return None
    return found
