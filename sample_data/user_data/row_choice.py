"""Rank the columns by which dependent rows could be kept together or put in order, by a small model.

`row_model.json` contains the words and the weights. `python -m benchmarks.fit_row_choice` fits the weights to tables
with known groups and times: the probability of a choice is the softmax of its score over all choices of the table.
"""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np

from sample_data.user_data.classes import quantities
from sample_data.user_data.crossing import are_crossed
from sample_data.user_data.subjects import FEWEST_SUBJECTS, is_called_id, is_called_subject
from sample_data.user_data.target_choice import parts_of
from sample_data.user_data.time_order import RowEvidence, is_calendar, is_clock, is_discrete

MODEL = Path(__file__).with_name("row_model.json")
NONE = ("", "")
SURE = 0.65  # smallest probability of a choice, at which about 2 % of tables of independent rows get one
_ROWS, _PAIRS, _MOST_COLUMNS = (4000, 300, 40)  # limits of the rows, pairs of rows and columns that are compared
_MOST_OWN = 0.95  # largest number of values of groups, relative to the rows
_FEWEST_PAIRS, _LEAST_EXPECTED, _MOST_CHANGES = (8, 6, 0.03)  # as in `subjects`, but for small tables
_FEWEST_TIMES, _EVEN = (12, 0.12)  # as in `time_order`
_END = re.compile("(?:id|ids|nr|no|num|name|code|nummer|s)$")  # ends of names such as "familyid"


@cache
def _model():
    return json.loads(MODEL.read_text(encoding="utf-8"))


@cache
def _words():
    return {group: frozenset(words.split()) for group, words in _model()["words"].items()}


def likely_choice(evidence: RowEvidence, target: str) -> tuple[str, str] | None:
    """Return (column, "group" or "time"), if the rows probably depend on each other, or None."""
    rows = features(evidence, target)
    weights = _model()["weights"]
    scores = {key: sum(weights.get(name, 0.0) * value for name, value in row.items()) for key, row in rows.items()}
    parts = {key: float(np.exp(score - max(scores.values()))) for key, score in scores.items()}
    if parts[NONE] > (1 - SURE) * sum(parts.values()):
        return None
    return max(parts, key=lambda key: -1.0 if key == NONE else parts[key])


def features(evidence: RowEvidence, target: str) -> dict[tuple[str, str], dict[str, float]]:
    """Return {(column, "group" or "time"): {feature: value}}, and the features of `NONE`."""
    compared = [s for s in evidence.summaries if s.n_distinct >= 2 and s.name != target][:_MOST_COLUMNS]
    codes = {s.name: evidence.codes(s.name)[:_ROWS] for s in compared}
    rows = {}
    for place, s in enumerate(compared):
        if _can_group(s):
            rows[s.name, "group"] = _of_name("group", s, place) | _of_group(s, compared, codes)
        if _can_order(s):
            rows[s.name, "time"] = _of_name("time", s, place) | _of_time(evidence, s)
    rows[NONE] = {"none": 1.0, "none: many rows": np.log10(len(evidence.frame) + 1) - 2}
    return rows


def _can_group(s):
    n_values = s.n_rows - s.n_missing
    if not is_discrete(s) or is_calendar(s) or _words()["amount"] & set(parts_of(s.name)) or s.distinct_is_capped:
        return False
    return FEWEST_SUBJECTS <= s.n_distinct <= _MOST_OWN * n_values and n_values > 0.5 * s.n_rows


def _can_order(s):
    if _words()["span"] & set(parts_of(s.name)):  # such as the year of birth
        return False
    return s.kind in ("date", "number") and s.n_distinct >= 3 and s.n_missing <= 0.02 * s.n_rows


def _of_name(role, s, place):
    parts = parts_of(s.name)
    plain = {*parts, *(_END.sub("", part) for part in parts)}
    found = {f"{role}: word {group}": float(bool(words & plain)) for group, words in _words().items()}
    return found | {
        role: 1.0,
        f"{role}: place": min(place, 10) / 10,
        f"{role}: many words": float(len(parts) > 2),
        f"{role}: text": float(s.kind in ("category", "text")),
    }


def _of_group(s, compared, codes):
    own = codes[s.name]
    counts = np.unique(own[own >= 0], return_counts=True)[1]
    repeats = float(np.mean(own[1:] == own[:-1]))
    chance = float(((counts / max(counts.sum(), 1)) ** 2).sum())
    clocks = [o for o in compared if o is not s and is_clock(o)]
    return {
        "group: subject": float(is_called_subject(s.name)),
        "group: id": float(is_called_id(s.name)),
        "group: many values": min(np.log10(s.n_distinct), 3),
        "group: rows each": min(np.log2((s.n_rows - s.n_missing) / s.n_distinct), 6),
        "group: equal": float(len(counts) > 1 and counts.max() == counts.min()),
        "group: fixed": _share_fixed(s, compared, codes),
        "group: clock once": float(any(are_crossed(own, codes[o.name]) for o in clocks)),
        "group: runs": max((repeats - chance) / max(1 - chance, 1e-9), 0.0),
        "group: in blocks": float(1 + (own[1:] != own[:-1]).sum() <= 1.02 * len(counts) + 1),
        "group: cycles": float(repeats < 0.25 * chance),
        "group: counts from one": float(s.kind == "number" and s.low in (0, 1) and s.high - s.low == s.n_distinct - 1),
    }


def _share_fixed(s, compared, codes):
    """Return the share of the other columns that hardly change within the values of a column."""
    own = codes[s.name]
    order = np.argsort(own, kind="stable")
    same = np.flatnonzero((own[order][1:] == own[order][:-1]) & (own[order][1:] >= 0))
    if len(same) < _FEWEST_PAIRS:
        return 0.0
    same = same[np.linspace(0, len(same) - 1, min(_PAIRS, len(same))).astype(int)]
    one, two = np.random.default_rng(0).integers(0, len(own), (2, _PAIRS))
    found = []
    for values in (codes[other.name] for other in compared if other is not s and not other.rising):
        chance = float((values[one] != values[two]).mean())
        if chance * len(same) >= _LEAST_EXPECTED:
            changes = float((values[order[same]] != values[order[same + 1]]).mean())
            is_coarser = len(np.unique(values)) < len(np.unique(own))
            found.append(is_coarser and changes <= _MOST_CHANGES * chance)
    return float(np.mean(found)) if found else 0.0


def _of_time(evidence, s):
    values = quantities(evidence.frame[s.name].iloc[:_ROWS])
    steps = np.diff(values[~np.isnan(values)])
    is_sorted = len(steps) > 0 and bool((steps >= 0).all() or (steps <= 0).all())
    is_unique = s.distinct_is_capped or s.n_distinct >= 0.98 * (s.n_rows - s.n_missing)
    is_named, is_long = is_clock(s), s.n_distinct >= _FEWEST_TIMES
    alike = _alike(evidence, s) if is_long and (is_sorted or is_named) else []
    usual = float(np.median(steps)) if len(steps) else 0.0
    is_usual = np.abs(steps - usual) <= _EVEN * abs(usual)
    return {
        "time: clock": float(is_named),
        "time: calendar": float(is_calendar(s)),
        "time: sorted": float(is_sorted),
        "time: clock sorted": float(is_sorted and is_named),
        "time: sorted unique": float(is_unique and is_sorted),
        "time: sorted repeats": float(not is_unique and is_sorted),
        "time: row numbers": float(s.name == "column 1"),
        "time: even": float(is_usual.mean()) if is_sorted and is_unique else 0.0,
        "time: some alike": max(alike, default=0.0),
        "time: many alike": float(np.mean([one > 0.5 for one in alike])) if len(alike) > 1 else 0.0,
        "time: few values": float(not is_long),
    }


def _alike(evidence, s):
    """Return the rank correlations of neighbouring rows in the order of a column, for each other column of numbers."""
    part = evidence.frame.iloc[:_ROWS]
    order = part[s.name].argsort(kind="stable").to_numpy()
    found = []
    for other in evidence.summaries[:_MOST_COLUMNS]:
        if other is s or other.kind != "number" or other.n_distinct < 6 or other.rising:
            continue
        ranks = part[other.name].rank().to_numpy(np.float64, na_value=np.nan)[order]
        known = ~np.isnan(ranks[:-1]) & ~np.isnan(ranks[1:])
        first, second = ranks[:-1][known], ranks[1:][known]
        if len(first) >= 8 and np.ptp(first) and np.ptp(second):
            found.append(float(np.corrcoef(first, second)[0, 1]))
    return found
