"""Find the column that orders the rows of a table in time, such as the date of a series or the year of a panel."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import pandas
from scipy.special import gammainc

from sample_data.user_data.classes import quantities
from sample_data.user_data.crossing import are_crossed, joint_codes, value_codes
from sample_data.user_data.summary import ColumnSummary

_YEARS = (1500, 2200)
_CALENDAR = {"year", "years", "yr", "date", "jahr", "datum", "annee", "ano", "anno", "fecha", "data", "jaar", "rok"}
_CLOCK = {
    *("time", "t", "day", "days", "week", "weeks", "month", "months", "quarter", "hour", "hours", "minute", "minutes"),
    *("period", "wave", "visit", "occasion", "session", "trial", "round", "date", "tag", "tage", "woche", "monat"),
    *("zeit", "quartal", "welle", "besuch", "temps", "jour", "semaine", "mois", "tiempo", "dia", "semana", "mes"),
    *("visita", "tempo", "giorno", "settimana", "mese", "tijd", "dag", "maand", "timestamp", "datetime", "seconds"),
}  # fmt: skip
_BIRTHS = {
    "birth",
    "born",
    "dob",
    "birthday",
    "birthdate",
    "geburt",
    "geboren",
    "geburtsdatum",
    "naissance",
    "nacimiento",
}
_NUMBERS = {"id", "ids", "index", "rownames", "row", "no", "nr", "number", "num", "code", "key", "nummer", "obs"}
_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "é": "e", "è": "e", "ê": "e", "ñ": "n", "ó": "o", "í": "i"})
_FEWEST = 12  # smallest number of different times of a series
_FEWEST_OF_PANEL = 3  # smallest number of different times that several units share
_EVEN = 0.12  # largest deviation of a step from a multiple of the usual step; months have 28 to 31 days
_MOST_EVEN, _USUAL = (0.9, 0.6)  # smallest shares of steps that are multiples of the usual step, and equal to it
_STEP_SIZES, _ROWS_OF_STEPS = (5, 50)  # number of step sizes of a series whose resolution changes, and its fewest rows
_UNIQUE = 0.98  # smallest share of different values of a series
_SMOOTH = 0.9  # smallest rank correlation of neighbouring rows in some column, if no name or date shows a time
_ALIKE = 0.5  # smallest median rank correlation of neighbouring rows, if neither the file nor the steps show an order
_EQUAL_COUNTS = 1e-6  # probability that random counts per year are as equal as these
_MOST_UNITS = 12  # maximum number of columns to cross with a time
_FEW_UNITS = 0.05  # maximum number of different values, relative to the rows, of a column that describes units


class TimeOrder(NamedTuple):
    """Column that orders the rows in time.

    Parameters
    ----------
    column : str
    reason : str
        "series" (one row per time), "sorted" (the rows of the file are in this order), "panel" (each unit has one row
        per time), "repeated" (each time has the same number of rows) or "named" (its name means a time).
    unit : str, optional
        Column of the units of a panel, if a single column identifies them.
    """

    column: str
    reason: str
    unit: str | None = None


class RowEvidence:
    """Table whose columns are compared with each other, with the codes of each column computed once.

    Parameters
    ----------
    frame : pandas.DataFrame
    summaries : sequence of ColumnSummary
    """

    def __init__(self, frame: pandas.DataFrame, summaries: Sequence[ColumnSummary]):
        self.frame, self.summaries = frame, summaries
        self._codes: dict[str, np.ndarray] = {}

    def codes(self, name: str) -> np.ndarray:
        """Return int64[n], equal for equal values of a column and -1 for missing ones."""
        if name not in self._codes:
            self._codes[name] = value_codes(self.frame[name])
        return self._codes[name]

    @cached_property
    def units(self) -> list[ColumnSummary]:
        """Columns of categories, texts or integers whose values repeat, which may identify units."""
        return [s for s in self.summaries if is_discrete(s) and 2 <= s.n_distinct <= (s.n_rows - s.n_missing) / 1.5]


def find_order(evidence: RowEvidence, target: str) -> TimeOrder | None:
    """Return the column that orders the rows in time, or None.

    A date, a year or a counter is such an order, if it has one row per time, or if each unit has one row per time, or
    if each time has the same number of rows. A year that is only a feature, such as the model year of cars, has
    random numbers of rows, and several rows of the same kind.
    """
    able = [s for s in evidence.summaries if s.name != target and s.n_missing <= 0.02 * s.n_rows]
    times = [s for s in able if s.kind in ("date", "number") and s.n_distinct >= _FEWEST_OF_PANEL]
    times = sorted(times, key=lambda s: (s.kind != "date", not name_words(s.name) & _CALENDAR, not is_clock(s)))
    for summary in times:
        if reason := _series(evidence, summary):
            return TimeOrder(summary.name, reason)
    for summary in (s for s in times if is_calendar(s)):
        if found := _panel(evidence, summary, target):
            return found
    return None


def is_discrete(summary: ColumnSummary) -> bool:
    """Test whether a column contains categories, texts or integers."""
    return summary.kind in ("category", "text") or summary.kind == "number" and summary.whole


def is_calendar(summary: ColumnSummary) -> bool:
    """Test whether a column contains dates or years."""
    if summary.kind == "date":
        return True
    return summary.kind == "number" and _is_year(summary)


def is_clock(summary: ColumnSummary) -> bool:
    """Test whether a column is a date or is named after a time, such as "week", "visit" or "t"."""
    return is_calendar(summary) or bool(name_words(summary.name) & _CLOCK)


@lru_cache(4096)
def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in plain letters."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower().translate(_ASCII)
    return frozenset(re.findall("[a-z]+", apart))


def _is_year(summary):
    named = bool(name_words(summary.name) & _CALENDAR)
    if not _is_in_years(summary):
        return named and summary.whole and summary.low >= 0 and summary.high <= _YEARS[1]
    return named or summary.whole and summary.n_distinct >= _MOST_EVEN * (summary.high - summary.low + 1)


def _is_in_years(summary):
    return _YEARS[0] <= summary.low and summary.high <= _YEARS[1]


def _series(evidence, summary) -> str:
    """Return the reason why a column orders the rows as a series, or ""."""
    n_values = summary.n_rows - summary.n_missing
    if summary.n_distinct < _FEWEST or summary.distinct_is_capped and summary.kind != "date":
        return ""
    is_unique = summary.n_distinct >= _UNIQUE * n_values or summary.distinct_is_capped
    if summary.kind == "number" and not is_unique:
        return ""
    values = quantities(evidence.frame[summary.name])
    values = values[~np.isnan(values)]
    is_sorted = _is_sorted(values)
    if not (is_sorted or is_clock(summary) or _is_in_years(summary)):
        return ""
    if not is_unique:
        return "sorted" if is_sorted and not name_words(summary.name) & _BIRTHS else ""
    is_even = _is_even(np.unique(values)) or is_sorted and _has_few_steps(values)
    if summary.kind == "date":
        if is_even or is_sorted:
            return "series" if is_even else "sorted"
        return "series" if _alikeness(evidence, summary, np.median) >= _ALIKE else ""
    if not is_even:
        return ""
    if not name_words(summary.name) & _NUMBERS and (_is_in_years(summary) or is_calendar(summary)):
        return "series"
    if is_clock(summary):
        return "series" if is_sorted or _alikeness(evidence, summary, np.median) >= _ALIKE else ""
    # Row numbers of a file that is sorted by something else look like this, too.
    if not is_sorted or _counts_rows(summary) or len(values) < _ROWS_OF_STEPS or name_words(summary.name) & _NUMBERS:
        return ""
    return "series" if _alikeness(evidence, summary, np.max, follows=False) >= _SMOOTH else ""


def _counts_rows(summary):
    return summary.whole and summary.low in (0, 1) and summary.high - summary.low == summary.n_distinct - 1


def is_sorted(values: pandas.Series) -> bool:
    """Test whether known values never fall, or never rise, along the rows."""
    numbers = quantities(values)
    return _is_sorted(numbers[~np.isnan(numbers)])


def _is_sorted(values):
    steps = np.diff(values)
    return len(steps) > 0 and bool((steps >= 0).all() or (steps <= 0).all())


def _is_even(values):
    """Test whether nearly all steps between sorted values are multiples of the usual step."""
    steps = np.diff(values)
    ratio = steps / np.median(steps)
    is_usual = np.abs(ratio - 1) <= _EVEN
    is_multiple = np.abs(ratio - np.round(ratio)) <= _EVEN * np.maximum(np.round(ratio), 1)
    return bool(is_usual.mean() >= _USUAL and is_multiple.mean() >= _MOST_EVEN)


def _has_few_steps(values):
    """Test whether a series consists of parts with even steps, as if its resolution became coarser with age."""
    if len(values) < _ROWS_OF_STEPS:
        return False
    steps = np.diff(values)
    counts = np.unique(np.round(steps / np.abs(steps).max(), 6), return_counts=True)[1]
    return bool(np.sort(counts)[-_STEP_SIZES:].sum() >= 0.95 * len(steps))


def _alikeness(evidence, summary, middle, follows=True) -> float:
    """Return the rank correlation of neighbouring rows in an order: `middle` of all columns of numbers.

    follows : whether columns count that are sorted by the order, or mostly equal in neighbouring rows, as IDs are
    """
    order = evidence.frame[summary.name].argsort().to_numpy()
    found = []
    for other in evidence.summaries:
        if other.name == summary.name or other.kind != "number" or other.n_distinct < 10 or _counts_rows(other):
            continue
        ranks = evidence.frame[other.name].rank().to_numpy(np.float64, na_value=np.nan)[order]
        known = ~np.isnan(ranks[:-1]) & ~np.isnan(ranks[1:])
        if known.sum() >= _FEWEST and not other.rising:
            first, second = ranks[:-1][known], ranks[1:][known]
            if not (np.ptp(first) and np.ptp(second)):
                continue
            if not follows and (np.mean(first == second) > 0.5 or _follows(ranks)):
                continue
            found.append(np.corrcoef(first, second)[0, 1])
    return float(middle(found)) if found else 0.0


def _follows(ranks):
    """Test whether values in an order nearly always rise or nearly always fall."""
    steps = np.diff(ranks[~np.isnan(ranks)])
    return max((steps > 0).sum(), (steps < 0).sum()) >= _MOST_EVEN * max((steps != 0).sum(), 1)


def _panel(evidence, summary, target) -> TimeOrder | None:
    """Return the order by a date or year that units share, or None."""
    times = evidence.codes(summary.name)
    others = [s for s in evidence.units if s.name not in (summary.name, target) and not is_calendar(s)]
    others = sorted(others, key=lambda s: (s.kind == "number", -s.n_distinct))
    crossed = [s for s in others[:_MOST_UNITS] if are_crossed(evidence.codes(s.name), times)]
    if crossed:
        return TimeOrder(summary.name, "panel", crossed[0].name)
    if _have_equal_counts(times):
        return TimeOrder(summary.name, "repeated")
    few = [s for s in others if s.n_distinct <= max(2, _FEW_UNITS * s.n_rows)]
    for kinds in (("category", "text"), ("category", "text", "number")):
        joint = [s for s in few if s.kind in kinds][:_MOST_UNITS]
        if len(joint) >= 2:
            codes = evidence.codes(joint[0].name)
            for one in joint[1:]:
                codes = joint_codes(codes, evidence.codes(one.name))
            if are_crossed(codes, times):
                return TimeOrder(summary.name, "panel")
    return None


def _have_equal_counts(times):
    """Test whether the numbers of rows per time are far more equal than random numbers."""
    counts = np.bincount(times[times >= 0])
    counts = counts[counts > 0]
    if len(counts) < _FEWEST_OF_PANEL or counts.mean() < 2:
        return False
    spread = float(((counts - counts.mean()) ** 2).sum() / counts.mean())
    return gammainc((len(counts) - 1) / 2, spread / 2) < _EQUAL_COUNTS
