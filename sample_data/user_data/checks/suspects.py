"""Find columns that may be known only together with the target, and offer differences of two columns."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from sample_data.user_data.added_columns import difference_column
from sample_data.user_data.checks.column_problems import ignore_columns
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.classes import quantities
from sample_data.user_data.proposal import is_id_like
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from sample_data.user_data.time_order import is_calendar, is_clock, name_words
from treecore.messages import listed, plural
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


_ROWS, _COLUMNS = 2000, 300
_FEWEST_ROWS = 30
_STRONG = 0.9  # rank correlation with a numeric target; honest features of public tables stay below it
_STRONG_ALONE, _WEAK, _FEWEST_OTHERS = 0.8, 0.5, 3  # the same, if at least 3 other columns stay below 0.5
_SEPARATES = 0.93  # area under the ROC curve for two classes; honest features stay below it
_MOST_SEPARATING = 3
_FEWEST_VALUES = 5  # number of values below which a column has no order worth comparing
_ALWAYS = 0.999  # smallest share of rows with the same order of a column and the target
_LEAST_EXPECTED = 15  # fewest rows in the opposite order if the column were independent of the target
_STATUS = {
    *("status", "event", "dead", "death", "died", "deceased", "cens", "censor", "censored", "censoring", "relapse"),
    *("outcome", "fustat", "alive", "recurrence", "verstorben", "tod", "ereignis", "deces", "muerte", "estado"),
}
_DURATION = {
    *("time", "days", "months", "years", "weeks", "futime", "stime", "survtime", "obstime", "rectime", "duration"),
    *("os", "pfs", "dfs", "survival", "followup", "lifetime", "dauer", "zeit", "duree", "tiempo", "tage", "monate"),
}
_UNCERTAIN = {
    *(
        "error",
        "err",
        "se",
        "sem",
        "stderr",
        "sd",
        "std",
        "stdev",
        "ci",
        "cv",
        "rse",
        "moe",
        "lower",
        "upper",
        "lcl",
        "ucl",
    ),
    *("uncertainty", "fehler", "unsicherheit", "erreur", "errore", "incertitude", "lo", "hi"),
}
_MOST_STATES = 8  # maximum number of values of a status, such as the cause of death
_FEWEST_TIMES = 7  # minimum number of values of a duration
_STATUS_ENDS = ("s", "stat", "status", "event", "cens", "censor", "d")  # a status "relstat" belongs to the time "rel"


def suspects(
    table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe, named: Collection[str] = ()
) -> list[Problem]:
    """Return questions about columns that are almost as good as the target, or belong to it.

    A column with nearly the same order as a number, or that nearly separates two classes, is either measured at the
    same time or a very good feature. A column that is never above (or never below) the target is a part of it, or an
    earlier state. The time next to a status is known only with it. Columns that order the rows in time are excluded.

    named : columns that are pointed out already
    """
    known = {summary.name: summary for summary in summaries}
    used = set(recipe.features())
    features = [s for s in summaries if s.name in used - set(named) and s.n_distinct > 1 and not is_id_like(s)][
        :_COLUMNS
    ]
    found = _survival(known[recipe.target], features, recipe)
    found += _uncertainties(summaries, features, recipe) if recipe.numbers else []
    taken = {name for problem in found for name in problem.columns}
    y, rows = _numbers(table.frame, recipe)
    rows = np.random.default_rng(0).permutation(rows)[:_ROWS]
    if len(rows) < _FEWEST_ROWS or len(used) < 2:
        return found
    y = y[rows]
    strengths: dict[str, float] = {}
    bounds: dict[str, list[str]] = {"below": [], "above": []}
    for summary in features:
        if summary.kind != "number" or summary.n_distinct < _FEWEST_VALUES or summary.name in taken:
            continue
        if is_calendar(summary) or recipe.numbers and is_clock(summary):
            continue
        x = quantities(table.frame[summary.name])[rows]
        is_known = ~np.isnan(x)
        if is_known.sum() < _FEWEST_ROWS:
            continue
        strengths[summary.name] = _strength(x[is_known], y[is_known], recipe.numbers)
        if recipe.numbers and (bound := _bound(x[is_known], y[is_known])):
            bounds[bound].append(summary.name)
    strong = _strongest(strengths, recipe.numbers)
    if strong:
        least = min(strong.values())
        text = (
            (
                f"{plural(len(strong), 'Column', 'Columns')} {listed(list(strong), 12)} "
                f"{plural(len(strong), 'has', 'have')} nearly the same order as the target. The rank correlation "
                f"is at least {least:.2f} in {len(rows):,} rows. {plural(len(strong), 'Is it', 'Are they')} "
                "known before the target?"
            )
            if recipe.numbers
            else (
                f"{plural(len(strong), 'Column', 'Columns')} {listed(list(strong), 12)} nearly "
                f"{plural(len(strong), 'separates', 'separate')} the two classes. The area under the ROC curve "
                f"is at least {least:.2f} in {len(rows):,} rows. {plural(len(strong), 'Is it', 'Are they')} "
                "known before the class?"
            )
        )
        found.append(_question(tuple(strong), text, recipe))
    for side, names in bounds.items():
        if names := [name for name in names if name not in strong]:
            below = (
                f"{plural(len(names), 'Column', 'Columns')} {listed(names, 12)} "
                f"{plural(len(names), 'is', 'are')} never larger than '{recipe.target:.60}'. Such values may be "
                "parts of it. Are they known before the target?"
            )
            above = (
                f"{plural(len(names), 'Column', 'Columns')} {listed(names, 12)} "
                f"{plural(len(names), 'is', 'are')} never smaller than '{recipe.target:.60}'. Such values may be "
                "totals that contain it. Are they known before the target?"
            )
            found.append(_question(tuple(names), below if side == "below" else above, recipe))
    return found


def _numbers(frame, recipe):
    """Return (target as numbers, rows with a number), without rows if there are more than two classes."""
    values = frame[recipe.target]
    if recipe.numbers:
        y = quantities(values)
        return y, np.flatnonzero(~np.isnan(y))
    codes, found = values.factorize(use_na_sentinel=True)
    return codes.astype(np.float64), np.flatnonzero(codes >= 0) if len(found) == 2 else np.empty(0, np.int64)


def _strength(x, y, are_numbers) -> float:
    """Return the rank correlation with the target, or the area under the ROC curve."""
    from scipy.stats import rankdata  # slow import

    ranks = rankdata(x)
    if np.ptp(ranks) == 0 or np.ptp(y) == 0:
        return 0.0
    if are_numbers:
        return abs(float(np.corrcoef(ranks, rankdata(y))[0, 1]))
    n = int(y.sum())
    area = float((ranks[y == 1].sum() - n * (n + 1) / 2) / (n * (len(y) - n)))
    return max(area, 1 - area)


def _strongest(strengths, are_numbers) -> dict[str, float]:
    """Return the columns that are suspiciously strong, also compared with all other columns."""
    found = {name: value for name, value in strengths.items() if value >= (_STRONG if are_numbers else _SEPARATES)}
    if not are_numbers:  # many such columns measure the same thing, as the sizes of a tumour do
        return found if len(found) <= _MOST_SEPARATING else {}
    if found:
        return found
    alone = {name: value for name, value in strengths.items() if value >= _STRONG_ALONE}
    others = [value for name, value in strengths.items() if name not in alone]
    return alone if len(others) >= _FEWEST_OTHERS and max(others) < _WEAK else {}


def _bound(x, y) -> str:
    """Return "below" or "above" if a column is never above, or never below, the target, and chance does not explain it.

    Otherwise, return "".
    """
    others = np.sort(y)
    above = np.searchsorted(others, x, side="left").sum() / len(x)  # expected number of rows with y < x
    below = len(x) - np.searchsorted(others, x, side="right").sum() / len(x)
    if (x <= y).mean() >= _ALWAYS and above >= _LEAST_EXPECTED:
        return "below"
    return "above" if (x >= y).mean() >= _ALWAYS and below >= _LEAST_EXPECTED else ""


def _survival(target, features, recipe) -> list[Problem]:
    """Return the question about the time next to a status, or the status next to a time."""
    states, times = _is_status, _is_duration
    named = [s for s in features if _is_named_pair(s, target) or _is_named_pair(target, s)]
    if named:
        names = tuple(s.name for s in named)
        return [
            _question(
                names,
                _suspect_time(len(names), list(names), target.name)
                if _is_named_pair(named[0], target)
                else _suspect_status(len(names), list(names), target.name),
                recipe,
            )
        ]
    wanted = times if states(target) else states if times(target) else None
    if wanted is None:
        return []
    halves = [s.name for s in features if wanted(s) and _number_of(s.name) == _number_of(target.name)]
    if not halves:
        return []
    # Numbered pairs, such as T1 and D1 next to T2 and D2, describe the same course.
    stems = {_stem(name) for name in (target.name, *halves)} if _number_of(target.name) else set()
    names = tuple(
        dict.fromkeys([*halves, *(s.name for s in features if _number_of(s.name) and _stem(s.name) in stems)])
    )
    text = (
        _suspect_time(len(names), list(names), recipe.target)
        if states(target)
        else _suspect_status(len(names), list(names), recipe.target)
    )
    return [_question(names, text, recipe)]


def _uncertainties(summaries, features, recipe) -> list[Problem]:
    """Return the question about errors and limits of the target: they have its name, or follow it without another one.

    Examples are "yield_se" next to "yield", and "error" in the column after "delta".
    """
    names = [summary.name for summary in summaries]
    own, after = name_words(recipe.target), names[names.index(recipe.target) + 1 :]
    found = []
    for summary in features:
        words = name_words(summary.name)
        if summary.kind != "number" or not words & _UNCERTAIN or own & _UNCERTAIN:
            continue
        rest = words - _UNCERTAIN
        follows = [name for name in after if not name_words(name) <= _UNCERTAIN][:1]
        is_next = summary.name in after and (not follows or after.index(summary.name) < after.index(follows[0]))
        if rest and rest == own or not rest and is_next:
            found.append(summary.name)
    if not found:
        return []
    what = plural(len(found), "the error or a limit", "errors or limits")
    text = (
        f"{plural(len(found), 'Column', 'Columns')} {listed(found, 12)} may be {what} of '{recipe.target:.60}', "
        "known only with it."
    )
    return [_question(tuple(found), text, recipe)]


def _is_named_pair(time, status):
    """Test whether the name of a status is the name of a time and a word, such as "relstat" and "rel"."""
    if time.kind != "number" or time.n_distinct < _FEWEST_TIMES or time.low < 0 or status.n_distinct > _MOST_STATES:
        return False
    names = [re.sub(r"[\W_]", "", summary.name.lower()) for summary in (time, status)]
    return bool(names[0]) and any(names[1] == names[0] + end for end in _STATUS_ENDS)


def _is_status(summary):
    is_flag = summary.n_distinct <= _MOST_STATES and summary.kind != "date"
    return is_flag and bool(name_words(summary.name) & _STATUS or re.fullmatch(r"[dD]\d", summary.name))


def _is_duration(summary):
    if summary.kind != "number" or summary.n_distinct < _FEWEST_TIMES or summary.low < 0:
        return False
    return bool(name_words(summary.name) & _DURATION or re.fullmatch(r"[tT]\d", summary.name))


def _number_of(name):
    return re.sub(r"\D", "", name)


def _stem(name):
    return re.sub(r"\d", "", name)


def _question(names, text, recipe) -> Problem:
    label = "Ignore column" if len(names) == 1 else f"Ignore {len(names):,} columns"
    return Problem("suspect", names, text, "info", (label, ignore_columns(recipe, names)))


def _suspect_time(n: int, columns: Any, target: Any) -> str:
    return (
        f"{plural(n, 'Column', 'Columns')} {listed(columns, 12)} may be the time until '{target:.60}'. Such a time "
        "is known only with the event, so a tree for new rows cannot use it."
    )


def _suspect_status(n: int, columns: Any, target: Any) -> str:
    return (
        f"{plural(n, 'Column', 'Columns')} {listed(columns, 12)} may show how '{target:.60}' ended, which is known "
        "only with this time. The time of a row without the event is only a lower limit."
    )
