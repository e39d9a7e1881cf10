"""`propose`: the best guess of a recipe."""

import re
from pathlib import PurePosixPath

from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.errors import DataError

_TARGET_NAMES = (
    *("class", "target", "label", "labels", "y", "species", "outcome", "diagnosis", "category", "response", "result"),
    *("survived", "churn", "default", "income", "quality", "type", "group", "klasse", "ziel", "clase", "classe"),
)
_SPLIT_NAMES = ("split", "set", "partition", "fold", "subset", "part", "dataset")
_PART_WORDS = {
    **dict.fromkeys(("train", "training", "learn", "tr"), "train"),
    **dict.fromkeys(("validation", "valid", "val", "dev"), "validation"),
    **dict.fromkeys(("test", "testing", "holdout", "eval", "te"), "test"),
}
MOST_TARGET_VALUES = 50
_OWN = 0.9  # share of the values of an id that differ


def propose(table: Table, summaries: list[ColumnSummary]) -> Recipe:
    """Return a recipe with target, kinds and a split. Raises DataError where no column has a value."""
    usable = [summary for summary in summaries if summary.kind != "empty"]
    if not usable:
        raise DataError(f"{table.name} has no value in any column.")
    split_column = next((s for s in usable if _plain(s.name) in _SPLIT_NAMES and _parts(s)), None)
    target = _target([summary for summary in usable if summary is not split_column] or usable)
    kinds = {summary.name: _kind(summary) for summary in summaries}
    kinds[target.name] = "number" if target.kind == "number" and needs_bins(target) else "category"
    split = {}
    if split_column is not None and split_column is not target:
        kinds[split_column.name] = "ignore"
        split = {"split": "column", "split_column": split_column.name, "split_values": _parts(split_column)}
    title = PurePosixPath(table.name.replace("\\", "/")).stem.replace("_", " ").strip()[:200] or "Your data"
    bins = 3 if needs_bins(target) else None
    return Recipe(target.name, kinds, bins=bins, title=title, **split)


def needs_bins(summary: ColumnSummary) -> bool:
    """Say whether a target's values are quantities rather than classes."""
    if summary.kind == "date":
        return True
    return summary.kind == "number" and (summary.n_distinct > 20 or not summary.whole)


def is_id_like(summary: ColumnSummary) -> bool:
    """Say whether every row has its own value, as names and numbers of rows do; a few rows may be there twice."""
    n_values = summary.n_rows - summary.n_missing
    if n_values < 10 or summary.n_distinct < _OWN * n_values and not summary.distinct_is_capped:
        return False
    if summary.kind in ("text", "category"):
        if summary.n_distinct < n_values and not summary.distinct_is_capped:
            return False
        return not summary.distinct_is_capped or summary.n_distinct > 0.99 * 20_000
    named = re.search(
        r"(^|[^a-z])(id|no|nr|number|index|row|key|uuid|record|unnamed: 0)($|[^a-z])", summary.name.lower()
    )
    if summary.kind != "number" or not summary.whole:
        return False
    counts_rows = summary.high - summary.low == summary.n_distinct - 1
    return counts_rows or bool(named)


def _plain(name):
    return re.sub(r"[^a-z]", "", name.lower())


def _target(usable):
    for name in _TARGET_NAMES:
        found = [summary for summary in usable if _plain(summary.name) == name and _can_be_target(summary)]
        if found:
            return found[-1]
    few = [s for s in usable if s.kind == "category" and 2 <= s.n_distinct <= MOST_TARGET_VALUES]
    whole = [s for s in usable if s.kind == "number" and s.whole and 2 <= s.n_distinct <= 20]
    several = [s for s in usable if s.n_distinct > 1 and not is_id_like(s)]
    if few and whole and whole[-1] is usable[-1]:
        return whole[-1]
    return (few or whole or several or usable)[-1]


def _can_be_target(summary):
    return summary.n_distinct >= 2 and summary.kind != "text" and not is_id_like(summary)


def _kind(summary):
    if summary.kind in ("text", "empty") or summary.n_distinct < 2 or is_id_like(summary):
        return "ignore"
    return summary.kind


def _parts(summary):
    """Return {value: part} where all values of a column are words for parts, else None."""
    words = {value: _PART_WORDS.get(_plain(value)) for value, _ in summary.top}
    if not words or None in words.values() or "train" not in words.values() or len(words) < summary.n_distinct:
        return None
    return words if len(set(words.values())) > 1 else None
