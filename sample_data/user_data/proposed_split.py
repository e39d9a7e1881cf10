"""Propose a split by time or by groups for a table whose rows depend on each other.

`row_model.json` contains the words and the weights. `python -m benchmarks.fit_row_choice` fits the weights to tables
with known groups and times: the probability of a choice is the softmax of its score over all choices of the table.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas

from sample_data.data_set import TEST, TRAIN
from sample_data.user_data.classes import quantities
from sample_data.user_data.crossing import are_crossed, value_counts
from sample_data.user_data.grouping import propose_below
from sample_data.user_data.plan import plan
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import (
    FEWEST_SUBJECTS,
    Subjects,
    by_group,
    counted_subjects,
    counts_within,
    find_subjects,
    is_called_id,
    is_coded,
    is_of_something,
)
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from sample_data.user_data.target_choice import parts_of, stored_model, stored_words
from sample_data.user_data.time_order import (
    RowEvidence,
    TimeOrder,
    find_order,
    is_calendar,
    is_clock,
    is_discrete,
    is_sorted,
)
from treecore.errors import DataError

MODEL = Path(__file__).with_name("row_model.json")
NONE = ("", "")
SURE = 0.75  # smallest probability of a choice, at which about 2 % of tables of independent rows get one
_ROWS, _PAIRS, _MOST_COLUMNS = (2000, 300, 40)  # limits of the rows, pairs of rows and columns that are compared
_ROWS_OF_GROUPS = 20_000  # limit of the rows among which the values of a group must repeat
_MOST_OWN = 0.95  # largest number of values of groups, relative to the rows
_FEWEST_PAIRS, _LEAST_EXPECTED, _MOST_CHANGES = (8, 6, 0.03)  # as in `subjects`, but for small tables
_FEWEST_TIMES, _EVEN = (12, 0.12)  # as in `time_order`
_LEAST_EACH = 1.2  # smallest mean number of rows per value, among the rows that are compared
# Names alone do not make groups. One of these features must be larger than the number next to it.
_EVIDENCE = {
    **{"group: clock once": 0.0, "group: runs": 0.2, "group: in blocks": 0.0, "group: fixed": 0.0, "group: equal": 0.0},
    "group: word unit": 0.0,
}
_EXCLUDED = {"group": ("span", "amount"), "time": ("span",)}  # words that exclude a role
_END = re.compile("(?:id|ids|nr|no|num|name|code|nummer|s)$")  # ends of names such as "familyid"


def likely_choice(evidence: RowEvidence, target: str) -> tuple[str, str] | None:
    """Return (column, "group" or "time"), if the rows probably depend on each other, or None."""
    rows = features(evidence, target)
    weights = stored_model(MODEL)["weights"]
    scores = {key: sum(weights.get(name, 0.0) * value for name, value in row.items()) for key, row in rows.items()}
    parts = {key: float(np.exp(score - max(scores.values()))) for key, score in scores.items()}
    if parts[NONE] > (1 - SURE) * sum(parts.values()):
        return None
    return max(parts, key=lambda key: -1.0 if key == NONE else parts[key])


def features(evidence: RowEvidence, target: str) -> dict[tuple[str, str], dict[str, float]]:
    """Return {(column, "group" or "time"): {feature: value}}, and the features of `NONE`."""
    compared = [s for s in evidence.summaries if s.n_distinct >= 2 and s.name != target][:_MOST_COLUMNS]
    none = {"none": 1.0, "none: many rows": np.log10(len(evidence.frame) + 1) - 2}
    if not compared:
        return {NONE: none}
    part = evidence.frame.iloc[:_ROWS]
    codes = np.array([evidence.codes(s.name)[:_ROWS_OF_GROUPS] for s in compared])
    one, two = np.random.default_rng(0).integers(0, codes.shape[1], (2, _PAIRS))
    chance = (codes[:, one] != codes[:, two]).mean(axis=1)
    counts = [value_counts(row) for row in codes]
    n_values = np.array([len(one) for one in counts])
    clocks = [k for k, s in enumerate(compared) if is_clock(s)]
    falls = np.array([not s.rising for s in compared])
    rows = {}
    for k, s in enumerate(compared):
        if _can_group(s) and counts[k].sum() > _LEAST_EACH * len(counts[k]) and not counts_within(part[s.name], s):
            others = [codes[clock] for clock in clocks if clock != k]
            row = _of_name("group", s, k) | _of_group(s, codes[k], counts[k], others)
            row["group: fixed"] = _share_fixed(k, codes, chance, n_values, falls)
            if any(row[name] > least for name, least in _EVIDENCE.items()):
                rows[s.name, "group"] = row
        if _can_order(s, part):
            rows[s.name, "time"] = _of_name("time", s, k) | _of_time(part, s, evidence.summaries[:_MOST_COLUMNS])
    return {**rows, NONE: none}


def _can_group(s):
    n_values = s.n_rows - s.n_missing
    if not is_discrete(s) or is_calendar(s) or s.distinct_is_capped or _is_excluded(s, "group"):
        return False
    return FEWEST_SUBJECTS <= s.n_distinct <= _MOST_OWN * n_values and n_values > 0.5 * s.n_rows


def _can_order(s, part):
    if s.kind not in ("date", "number") or s.n_distinct < 3 or s.n_missing > 0.02 * s.n_rows:
        return False
    return not _is_excluded(s, "time") and (is_clock(s) or is_sorted(part[s.name]))


def _is_excluded(s, role):
    """Test whether a name means an amount or a span, such as the age, the year of birth or "visits per month"."""
    if role == "group" and is_of_something(s.name):
        return True
    return any(stored_words(MODEL)[group] & set(parts_of(s.name)) for group in _EXCLUDED[role])


def _of_name(role, s, place):
    parts = parts_of(s.name)
    plain = {*parts, *(_END.sub("", part) for part in parts)}
    found = {
        f"{role}: word {group}": float(bool(words & plain))
        for group, words in stored_words(MODEL).items()
        if group not in _EXCLUDED[role]
    }
    return found | {role: 1.0, f"{role}: place": min(place, 10) / 10}


def _of_group(s, own, counts, clocks):
    repeats = float(np.mean(own[1:] == own[:-1]))
    chance = float(((counts / max(counts.sum(), 1)) ** 2).sum())
    return {
        "group: id": float(is_called_id(s.name)),
        "group: many values": min(np.log10(s.n_distinct), 3),
        "group: rows each": min(np.log2((s.n_rows - s.n_missing) / s.n_distinct), 6),
        "group: equal": float(len(counts) > 1 and counts.max() == counts.min()),
        "group: clock once": float(any(are_crossed(own, clock) for clock in clocks)),
        "group: runs": max((repeats - chance) / max(1 - chance, 1e-9), 0.0),
        "group: in blocks": float(1 + (own[1:] != own[:-1]).sum() <= 1.02 * len(counts) + 1),
        "group: cycles": float(repeats < 0.25 * chance),
        "group: counts from one": float(s.kind == "number" and s.low in (0, 1) and s.high - s.low == s.n_distinct - 1),
    }


def _share_fixed(k, codes, chance, n_values, falls):
    """Return the share of the other columns that hardly change within the values of column `k`."""
    left, right = _pairs(codes[k])
    others = np.flatnonzero(falls & (chance * len(left) >= _LEAST_EXPECTED))
    others = others[others != k]
    if not others.size:
        return 0.0
    changes = (codes[others][:, left] != codes[others][:, right]).mean(axis=1)
    return float(((changes <= _MOST_CHANGES * chance[others]) & (n_values[others] < n_values[k])).mean())


def _pairs(own):
    """Return (int64[n], int64[n]) a few pairs of rows with the same value."""
    order = np.argsort(own, kind="stable")
    same = np.flatnonzero((own[order][1:] == own[order][:-1]) & (own[order][1:] >= 0))
    if len(same) < _FEWEST_PAIRS:
        return same[:0], same[:0]
    same = same[np.linspace(0, len(same) - 1, min(_PAIRS, len(same))).astype(int)]
    return order[same], order[same + 1]


def _of_time(part, s, others):
    values = quantities(part[s.name])
    steps = np.diff(values[~np.isnan(values)])
    in_order = is_sorted(part[s.name])
    is_unique = s.distinct_is_capped or s.n_distinct >= 0.98 * (s.n_rows - s.n_missing)
    is_named, is_long = is_clock(s), s.n_distinct >= _FEWEST_TIMES
    alike = _alike(part, s, others) if is_long else []
    usual = float(np.median(steps)) if len(steps) else 0.0
    is_usual = np.abs(steps - usual) <= _EVEN * abs(usual)
    return {
        "time: clock": float(is_named),
        "time: calendar": float(is_calendar(s)),
        "time: sorted": float(in_order),
        "time: clock sorted": float(in_order and is_named),
        "time: sorted unique": float(is_unique and in_order),
        "time: sorted repeats": float(not is_unique and in_order),
        "time: row numbers": float(s.name == "column 1"),
        "time: even": float(is_usual.mean()) if in_order and is_unique else 0.0,
        "time: some alike": max(alike, default=0.0),
        "time: clock alike": max(alike, default=0.0)
        * (in_order and bool(stored_words(MODEL)["clock"] & set(parts_of(s.name)))),
        "time: few values": float(not is_long),
    }


def _alike(part, s, others):
    """Return the rank correlations of neighbouring rows in the order of a column, for each other column of numbers."""
    order = part[s.name].argsort(kind="stable").to_numpy()
    found = []
    for other in others:
        if other is s or other.kind != "number" or other.n_distinct < 6 or other.rising:
            continue
        ranks = part[other.name].rank().to_numpy(np.float64, na_value=np.nan)[order]
        known = ~np.isnan(ranks[:-1]) & ~np.isnan(ranks[1:])
        first, second = ranks[:-1][known], ranks[1:][known]
        if len(first) >= 8 and np.ptp(first) and np.ptp(second):
            found.append(float(np.corrcoef(first, second)[0, 1]))
    return found


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
