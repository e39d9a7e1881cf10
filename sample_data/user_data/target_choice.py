"""Rank the columns of a table as targets, by a small model whose weights can be read.

`target_model.json` contains the words and the weights. `python -m benchmarks.fit_target_choice` fits the weights to
tables with known targets: the probability of a column is the softmax of its score over the columns of the table.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

import numpy as np
import pandas

from sample_data.user_data.recipe import Candidate
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table

MODEL = Path(__file__).with_name("target_model.json")
SURE = 0.65  # smallest probability at which about nine of ten proposed targets are right, see `benchmarks`
NONE = "no target"
_ROWS, _MOST_COLUMNS, _MOST_RELATED = (1500, 500, 30)  # limits of the rows and columns that are compared
_MANY, _FEW = (10, 12)  # number of values above which numbers are measured; maximum number of values of a few classes
_FEW_CODES = 7  # maximum number of integers that are probably classes
_STRETCH = 5  # shortest word that may be a part of another word
_ROW_NUMBERS = {"rownames", "column 1", "Unnamed: 0"}  # first column of tables written by R and pandas
_NO_NAME = re.compile(r"column \d+")
_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ñ": "n", "ç": "c"} | dict(
    zip("éèêàáâãíóôõú", "eeeaaaaiooou", strict=True)))  # fmt: skip
_DURATION = {
    "time",
    "futime",
    "days",
    "months",
    "weeks",
    "survtime",
    "stime",
    "t",
    "duration",
    "stop",
    "tstop",
    "ftime",
}
_STATUS = {"status", "event", "death", "dead", "died", "cens", "censor", "censored", "delta", "fustat", "relapse",
           "alive", "fail", "failure", "recurrence", "d"}  # fmt: skip
_DESCRIBING = ("person", "place", "time", "unit")  # words of columns that only describe, also in a title
_LEAST_REASON = 0.3  # smallest part of a score that is shown as a reason
_SURVIVAL = "time and status belong together"
_REASONS = {
    "word target": "its name means a target",
    "word event": "its name means an outcome",
    "word quantity": "its name means a measured quantity",
    "word kind": "its name means a kind or grade",
    "first": "first column",
    "last": "last column",
    "only classes": "only column of classes",
    "only number": "only column of numbers",
    "in title": "named in the title",
    "survival time": _SURVIVAL,
    "survival status": _SURVIVAL,
    "mean correlation": "related to the other columns",
}


def rank_targets(
    table: Table, summaries: Sequence[ColumnSummary], able: Collection[str], row_ids: Collection[str]
) -> tuple[Candidate, ...]:
    """Return the candidates, best first. The scores sum to the probability that any column is sensible.

    able : names of the columns that could be a target; row_ids : names of the columns that only name the rows.
    """
    rows = features(table, summaries, row_ids)
    weights = stored_model(MODEL)["weights"]
    scores = {name: sum(weights.get(key, 0.0) * value for key, value in row.items()) for name, row in rows.items()}
    scores = {name: score for name, score in scores.items() if name in able or name == NONE}
    most = max(scores.values())
    parts = {name: float(np.exp(score - most)) for name, score in scores.items()}
    total = sum(parts.values())
    del parts[NONE]
    last = summaries[-1].name
    if last in parts and all(_NO_NAME.fullmatch(summary.name) for summary in summaries):
        parts[last], total = total, 2 * total  # without names, the last column is customary, but not certain
    order = sorted(parts, key=lambda name: -parts[name])
    return tuple(Candidate(name, parts[name] / total, _why(rows[name], weights)) for name in order)


def is_sure(candidates: Sequence[Candidate]) -> bool:
    """Test whether the first candidate is so likely that the visitor need not be asked."""
    return bool(candidates) and candidates[0].score >= SURE


def has_no_target(candidates: Sequence[Candidate]) -> bool:
    """Test whether probably no column is a sensible target."""
    return sum(candidate.score for candidate in candidates) < 0.5


def _why(row, weights):
    parts = {key: weights.get(key, 0.0) * row[key] for key in _REASONS}
    found = sorted((key for key, part in parts.items() if part > _LEAST_REASON), key=lambda key: -parts[key])
    one_name = next((key for key in found if key.startswith("word ")), None)  # two meanings of a name contradict
    found = [key for key in found if key == one_name or not key.startswith("word ")]
    return ", ".join(_REASONS[key] for key in found[:2])


@cache
def stored_model(path: Path) -> dict:
    """Return a fitted model of column names, with "weights" and "words"."""
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def stored_words(path: Path) -> dict[str, frozenset[str]]:
    """Return the words of a model, {group: words}."""
    return {group: frozenset(words.split()) for group, words in stored_model(path)["words"].items()}


@cache
def _long_words(words):
    return tuple(word for word in words if len(word) >= _STRETCH)


def parts_of(name: str) -> list[str]:
    """Return the words of a name in ASCII: "isChurn" and "Kunde_gekündigt" have two words each."""
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", re.sub(r"([a-z])([A-Z])", r"\1 \2", name))
    return re.findall(r"[a-z]+", apart.lower().translate(_ASCII))


def features(table: Table, summaries: Sequence[ColumnSummary], row_ids: Collection[str]) -> dict[str, dict[str, float]]:
    """Return {column: {feature: value}}, and the features of `NONE`, the choice of no column."""
    summaries = summaries[:_MOST_COLUMNS]
    block = {s.name: _values(table.frame[s.name].iloc[:_ROWS], s) for s in summaries}
    names = {summary.name: parts_of(summary.name) for summary in summaries}
    codes = {name: pandas.factorize(block[name])[0] for name in names}
    ranks = {s.name: _ranks(block[s.name], codes[s.name], s) for s in summaries[: 2 * _MOST_RELATED]}
    correlations = _correlations({name: found for name, found in ranks.items() if found is not None})
    real = [s for s in summaries if s.name not in row_ids]
    numbers = [s.name for s in real if s.kind == "number" and s.n_distinct > 2]
    numbers = [name for name in numbers if not stored_words(MODEL)["time"] & set(names[name])]
    measured = [s.name for s in real if s.kind == "number" and s.n_distinct > _MANY]
    few = [s for s in real if 2 <= s.n_distinct <= _FEW]
    classes = [s.name for s in few if s.kind == "category" or s.whole and s.n_distinct <= _FEW_CODES]
    classes = [name for name in classes if not stored_words(MODEL)["time"] & set(names[name])]
    about = {
        "title": {part.removesuffix("s") for part in parts_of(PurePosixPath(table.name.replace("\\", "/")).stem)},
        "starts": Counter(re.sub(r"[\W_]*\d+$", "", name.lower()) for name in names),
        "first words": Counter(parts[0] for parts in names.values() if parts),
        "determined": _determined([s for s in real if s.kind != "number" or s.whole][:_MOST_RELATED], codes),
        "status": any(s.n_distinct <= 4 and _STATUS & set(names[s.name]) for s in real),
        "duration": any(s.name in measured and _DURATION & set(names[s.name]) for s in real),
        "x": any(parts == ["x"] for parts in names.values()),
    }
    places = {s.name: place for place, s in enumerate(real)}
    is_numbered = len(real) < len(summaries) and summaries[0].name in _ROW_NUMBERS
    rows = {}
    for s in summaries:
        name, values = s.name, codes[s.name]
        mean, most = correlations.get(name, (0.0, 0.0))
        rows[name] = {
            **_of_name(name, names[name], about),
            **_of_values(s, name in measured),
            **_of_order(values, ranks.get(name), block[name], s),
            "row id": float(name in row_ids),
            "first": float(places.get(name) == 0),
            "second": float(places.get(name) == 1),
            "last": float(places.get(name) == len(real) - 1),
            "first after row numbers": float(is_numbered and places.get(name) == 0),
            "last after row numbers": float(is_numbered and places.get(name) == len(real) - 1),
            "last classes": float(places.get(name) == len(real) - 1 and name in classes),
            "only number": float(numbers == [name]),
            "only classes": float(classes == [name] and len(measured) >= 3),
            "survival time": float(about["status"] and name in measured and bool(_DURATION & set(names[name]))),
            "survival status": float(about["duration"] and s.n_distinct == 2 and bool(_STATUS & set(names[name]))),
            "determined": float(name in about["determined"]),
            "mean correlation": mean,
            "largest correlation": most,
        }
    zeros = dict.fromkeys(next(iter(rows.values())), 0.0)
    rows[NONE] = zeros | {NONE: 1.0, "nothing measured": float(not measured), "no classes": float(not classes)}
    return rows


def _values(values, s):
    is_text = s.kind == "number" and not pandas.api.types.is_numeric_dtype(values)
    return pandas.to_numeric(values.astype(object), errors="coerce") if is_text else values


def _of_name(name, parts, about):
    found = {}
    for group, words in stored_words(MODEL).items():
        found[f"word {group}"] = max((_likeness(part, words) for part in parts), default=0.0)
        found[f"last word {group}"] = float(bool(parts) and parts[-1] in words)
    long = {part.removesuffix("s") for part in parts if len(part) > 2}
    describes = any(stored_words(MODEL)[group] & set(parts) for group in _DESCRIBING)
    return found | {
        "called target": float(len(parts) == 1 and parts[0] in stored_words(MODEL)["target"]),
        "called x": float(parts == ["x"]),
        "called y with x": float(parts == ["y"] and about["x"]),
        "one letter": float(len(parts) == 1 and len(parts[0]) == 1 and parts[0] not in "xy"),
        "many words": float(len(parts) > 3),
        "numbered": float(about["starts"][re.sub(r"[\W_]*\d+$", "", name.lower())] > 2),
        "shares first word": float(len(parts) > 1 and about["first words"][parts[0]] > 2),
        "in title": float(bool(long & about["title"]) and not describes),
    }


def _likeness(part, words):
    if part in words or part.removesuffix("s") in words:
        return 1.0
    long = _long_words(words)
    return 0.6 * (part.startswith(long) or part.endswith(long))


def _of_values(s, is_measured):
    n_values = max(s.n_rows - s.n_missing, 1)
    is_number, is_binary = s.kind == "number", s.n_distinct == 2
    counts = [count for _, count in s.top] or [count for count in s.counts if count]
    is_even = len(counts) == s.n_distinct >= 2 and max(counts) - min(counts) <= 1 + 0.02 * max(counts)
    return {
        "real": float(is_number and not s.whole),
        "whole many": float(is_measured and s.whole),
        "whole few": float(is_number and s.whole and 2 < s.n_distinct <= _MANY),
        "binary number": float(is_number and is_binary),
        "binary text": float(s.kind == "category" and is_binary),
        "few classes": float(s.kind == "category" and 2 < s.n_distinct <= _FEW),
        "many classes": float(s.kind == "category" and s.n_distinct > _FEW),
        "date": float(s.kind == "date"),
        "share distinct": min(s.n_distinct / n_values, 1.0) * is_number,
        "missing": s.n_missing / max(s.n_rows, 1),
        "rare": float(is_binary and min(counts, default=0) < 0.05 * sum(counts)),
        "even": float(is_even),
        "years": float(is_number and s.n_distinct > 1 and s.low >= 1500 and s.high <= 2200),
        "skewed": float(is_measured and s.low >= 0 and s.mean - s.low < 0.2 * (s.high - s.low)),
    }


def _of_order(codes, ranks, values, s):
    """Return how the values follow each other: in runs, in cycles or rising, as in a design or in time."""
    same = float(np.mean(codes[1:] == codes[:-1])) if len(codes) > 1 else 1.0
    counts = np.bincount(codes[codes >= 0])
    chance = float(((counts / max(counts.sum(), 1)) ** 2).sum()) if len(counts) else 1.0
    trend = 0.0
    if ranks is not None:
        known = np.isfinite(ranks)
        if known.sum() > 5 and np.ptp(ranks[known]) > 0:
            trend = abs(float(np.corrcoef(np.flatnonzero(known), ranks[known])[0, 1]))
    return {
        "runs": max((same - chance) / max(1 - chance, 1e-9), 0.0) if s.n_distinct > 1 else 0.0,
        "cycles": float(same < 0.25 * chance and s.n_distinct < 0.5 * s.n_rows and chance < 0.6),
        "trend": trend,
        "monotone": float(trend > 0.98),
        "axis": float(s.kind == "date" or s.kind == "number" and _is_axis(values)),
    }


def _is_axis(values):
    """Test whether most rows are one step further than the row before, as with a time or a dose."""
    values = values.dropna().to_numpy(dtype=float)
    if len(np.unique(values)) < 4:
        return False
    steps, counts = np.unique(np.round(np.diff(values), 9), return_counts=True)
    return bool(steps[counts.argmax()] != 0 and counts.max() > 0.6 * counts.sum())


def _ranks(values, codes, s):
    if s.kind in ("number", "date"):
        return values.rank().to_numpy(dtype=float)
    return np.where(codes >= 0, codes, np.nan).astype(float) if s.n_distinct == 2 else None


def _correlations(ranks):
    """Return {name: (mean, largest) absolute rank correlation with the other columns}."""
    if len(ranks) < 2:
        return {}
    matrix = np.array(list(ranks.values()))
    known = np.isfinite(matrix)
    means = np.where(known, matrix, 0).sum(1) / np.maximum(known.sum(1), 1)
    matrix = np.where(known, matrix - means[:, None], 0)
    lengths = np.sqrt((matrix**2).sum(1))
    matrix /= np.where(lengths > 0, lengths, 1)[:, None]
    found = np.abs(matrix @ matrix.T)
    np.fill_diagonal(found, 0)
    return {name: (float(found[k].sum() / (len(ranks) - 1)), float(found[k].max())) for k, name in enumerate(ranks)}


def _determined(summaries, codes):
    """Return the columns whose value follows from another column with repeated values, such as region from country."""
    sizes = {s.name: int(codes[s.name].max(initial=-1)) + 2 for s in summaries if s.n_distinct >= 2}
    found = set()
    for name, size in sizes.items():
        for other, n_other in sizes.items():
            if other == name or not size <= n_other <= len(codes[name]) / 3 or (size == n_other and name > other):
                continue
            pairs = np.bincount((codes[other] + 1) * size + codes[name] + 1, minlength=n_other * size)
            if np.count_nonzero(pairs) == len(np.unique(codes[other])):
                found.add(name)
                break
    return found
