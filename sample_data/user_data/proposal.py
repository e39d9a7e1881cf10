"""`propose`: the best guess of a recipe."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

import pandas

from sample_data.user_data.column_levels import all_answers_ordered
from sample_data.user_data.grouping import propose_below
from sample_data.user_data.messages import MESSAGES
from sample_data.user_data.not_numbers import not_numbers
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import with_subjects
from sample_data.user_data.summary import ColumnSummary, summarise_column
from sample_data.user_data.table import Table
from sample_data.user_data.values import is_number, looks_like_date
from treecore.errors import DataError
from treecore.tables.table_columns import BLANK

# Words in the names of targets, in descending order of priority.
_TARGET_WORDS = (
    ("target", "class", "label", "labels", "klasse", "ziel", "zielvariable", "zielgroesse", "clase", "classe", "y"),
    ("outcome", "response", "result", "diagnosis", "diagnose", "species", "survived", "churn", "churned", "fraud",
     "default", "defaulted", "gekuendigt", "kuendigung", "abgewandert", "betrug", "ausfall", "ergebnis"),
    ("price", "saleprice", "preis", "kaufpreis", "medv"),
)  # fmt: skip
_CLASS, _ASKED = {"class", "klasse", "clase", "classe"}, set(_TARGET_WORDS[0] + _TARGET_WORDS[1])
_TARGET_NAMES = ("category", "income", "quality", "type", "group")  # complete names, if the last column is not a target
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_SPLIT_NAMES = ("split", "set", "partition", "fold", "subset", "part", "dataset")
_PART_WORDS = {
    **dict.fromkeys(("train", "training", "learn", "tr"), "train"),
    **dict.fromkeys(("validation", "valid", "val", "dev"), "validation"),
    **dict.fromkeys(("test", "testing", "holdout", "eval", "te"), "test"),
}
MOST_TARGET_VALUES = 50
_MANY, _EACH = 100, 20  # classes of a last column that is the target all the same, and rows of each
MAX_CODES = 200  # of a column that is called a class
_MOST_WHOLE = 20  # different whole numbers of any size that may be classes ...
_FEW_WHOLE = 7  # ... and so few need no even shares: of more, the rarest has a tenth of the mean, else they count
_COUNT_WORDS = {
    "count",
    "counts",
    "number",
    "num",
    "total",
    "sum",
    "quantity",
    "cnt",
    "hours",
    "days",
    "minutes",
    "rings",
    "times",
    "visits",
    "anzahl",
    "stunden",
    "tage",
    "menge",
    "nombre",
    "cantidad",
    "satellites",
    "accidents",
    "goals",
    "eggs",
    "births",
    "deaths",
    "claims",
    "items",
    "reports",
    "incidents",
    "crashes",
    "calls",
    "errors",
    "defects",
}
_LAST = 2.5  # what standing last adds: a category elsewhere (3) loses to a last number (1), wins over a rare mark
_THIN_TAIL = 0.1  # rows of the largest of a few counts, as a share of the mean of all values
_TIME_WORDS = {
    "year",
    "yr",
    "month",
    "week",
    "day",
    "date",
    "time",
    "quarter",
    "period",
    "hour",
    "t",
    "jahr",
    "monat",
    "woche",
    "tag",
    "zeit",
    "annee",
    "mois",
    "mes",
    "fecha",
    "datum",
}
_YEARS = (1500, 2200)  # whole numbers between them are years rather than numbers of rows
_MOST_EMPTY = 0.5  # share of the rows without a value of a target
_LEAST_OF_A_CODE = 5  # mean rows of each value, if there are more values: codes that count from 0 or 1
_RARE = 0.05  # share of the smaller of two values
_NAMING = {"name", "namen", "names", "kunde", "customer", "title", "titel", "bezeichnung", "id", "kennung"}
_ID_WORDS = {
    "id",
    "no",
    "nr",
    "number",
    "index",
    "row",
    "key",
    "uuid",
    "record",
    "unnamed",
    "kennung",
    "rownames",
    "rowname",
    "rownumber",
    "rowid",
    "obs",
    "observation",
}
_LARGEST_COUNT = 100  # of few different numbers; larger numbers may be codes such as 0, 1000, 2000
_LONGEST_TARGET = 5  # words in the name of a target
_LONGEST_NAME = 60  # characters of a row name; longer texts are descriptions
_LEAST_ID = 1000  # of a column without a name whose values differ
_LEAST_RISING, _WIDEST_GAPS = 30, 3  # rows whose whole numbers all rise, by at most so much on average: bibs, not doses
_OWN = 0.9  # share of the values of an id that differ


def propose(table: Table, summaries: list[ColumnSummary]) -> Recipe:
    """Return a recipe with target, kinds and a split. Raises DataError if no column has a value."""
    usable = [summary for summary in summaries if summary.kind != "empty"]
    if not usable:
        raise DataError(MESSAGES("table.no_value", name=table.name))
    split_column = next((s for s in usable if _plain(s.name) in _SPLIT_NAMES and _parts(s)), None)
    able = [summary for summary in usable if summary is not split_column] or usable
    target = _target([_as_numbers(table.frame[summary.name], summary) for summary in able])
    kinds = {summary.name: propose_kind(summary) for summary in summaries}
    kinds |= {s.name: "ordered" for s in summaries
              if kinds[s.name] == "category" and all_answers_ordered(table.frame[s.name], s)}  # fmt: skip
    kinds[target.name] = "number" if target.kind == "number" and needs_bins(target) else "category"
    split = {}
    if split_column is not None and split_column.name != target.name:
        kinds[split_column.name] = "ignore"
        split = {"split": "column", "split_column": split_column.name, "split_values": _parts(split_column)}
    title = PurePosixPath(table.name.replace("\\", "/")).stem.replace("_", " ").strip()[:200] or "Your data"
    split |= propose_values(target)
    kinds |= _keep_any(usable, kinds, target.name)
    recipe = Recipe(target.name, kinds, title=title, row_names=_row_names(summaries, kinds), **split)
    most, features = recipe.most_categories, set(recipe.features())
    many = [s.name for s in usable if kinds[s.name] == "category" and s.name in features and s.n_distinct > most]
    recipe = replace(recipe, group_below={name: propose_below(table.frame[name]) for name in many})
    return with_subjects(table, recipe, summaries)


def _keep_any(usable, kinds, target):
    """Return {name: kind} of uninformative columns that become features, because a tree needs at least one."""
    others = [summary for summary in usable if summary.name != target]
    if any(kinds[summary.name] != "ignore" for summary in others):
        return {}
    able = [summary for summary in others if summary.n_distinct > 1 and _plain(summary.name) not in _SPLIT_NAMES]
    numbers = [summary for summary in able if summary.kind in ("number", "date")]
    return {s.name: s.kind if s.kind in ("number", "date") else "category" for s in numbers or able or others}


def _as_numbers(values, summary):
    """Return the summary of a column as numbers, if nearly all of its texts are numbers."""
    if not not_numbers(values, summary):
        return summary
    return summarise_column(summary.name, pandas.to_numeric(values.astype(object), errors="coerce"))


def propose_values(summary: ColumnSummary) -> dict:
    """Return the recipe fields `bins` and `numbers` for a target."""
    are_quantities = needs_bins(summary)
    is_number = summary.kind == "number"
    return {"bins": 3 if are_quantities and not is_number else None, "numbers": are_quantities and is_number}


def needs_bins(summary: ColumnSummary) -> bool:
    """Test whether a target's values are quantities rather than classes."""
    if summary.kind == "date":
        return True
    return summary.kind == "number" and not _are_codes(summary)


def _are_codes(summary):
    """Test whether numbers are those of classes: few whole ones, or codes that count from 0 or 1 with few gaps."""
    if not summary.whole or summary.distinct_is_capped:
        return False
    if summary.n_distinct <= 2:
        return True
    is_called = _target_word(summary.name) in (0, len(_TARGET_WORDS))
    if not is_called and (_is_sparse(summary) or _is_called_count(summary.name) or _counts_events(summary)):
        return False
    if summary.n_distinct <= _FEW_WHOLE:
        return True
    if not (is_called or _has_even_shares(summary)):
        return False
    has_no_gaps = summary.high - summary.low < 1.25 * summary.n_distinct
    if summary.n_distinct <= _MOST_WHOLE:  # counts from 0 or 1 have gaps among the large ones, codes such as 10, 20 too
        return is_called or has_no_gaps or summary.low not in (0, 1) or summary.high >= _LARGEST_COUNT
    counts_up = summary.low in (0, 1) and has_no_gaps
    n_values = summary.n_rows - summary.n_missing
    most = MAX_CODES if is_called else MOST_TARGET_VALUES
    return counts_up and summary.n_distinct <= most and n_values >= _LEAST_OF_A_CODE * summary.n_distinct


def _is_called_count(name):
    """Test whether a name says that something is counted; a mere "num" may be the number of a class."""
    words = _words(name)
    return words != ["num"] and bool(_COUNT_WORDS.intersection(words))


def _counts_events(summary):
    """Test whether whole numbers from 0 get rarer after the most frequent one and end in a thin tail, as counts do."""
    counts = list(summary.counts)
    if summary.low != 0 or summary.n_distinct <= 3 or summary.high >= len(counts):  # one bar for each number
        return False
    tail = counts[counts.index(max(counts)) :]
    falls = all(later <= earlier for earlier, later in zip(tail[:-1], tail[1:], strict=True))
    return len(tail) > 2 and falls and tail[-1] < _THIN_TAIL * sum(counts) / len(counts)


def _is_sparse(summary):
    """Test whether there are only a few rows of each of several numbers."""
    n_values = summary.n_rows - summary.n_missing
    return summary.n_distinct > _FEW_WHOLE and n_values < _LEAST_OF_A_CODE * summary.n_distinct


def _has_even_shares(summary):
    """Test whether the rarest number has not much fewer rows than the mean: codes of classes do, counts do not."""
    counts = [count for count in summary.counts if count]
    return bool(counts) and min(counts) >= 0.1 * sum(counts) / len(counts)


def _is_time(summary):
    """Test whether whole numbers are those of years, months and so on, which rise from row to row as row numbers do."""
    if _is_called_id(summary.name):
        return False
    years = _YEARS[0] <= summary.low and summary.high <= _YEARS[1]
    return years or bool(_TIME_WORDS.intersection(_words(summary.name)))


def is_id_like(summary: ColumnSummary) -> bool:
    """Test whether every row has its own value, as names and numbers of rows do; a few rows may be there twice."""
    n_values = summary.n_rows - summary.n_missing
    if n_values < 10 or summary.n_distinct < _OWN * n_values and not summary.distinct_is_capped:
        return False
    if summary.kind in ("text", "category"):
        if summary.n_distinct < n_values and not summary.distinct_is_capped:
            return False
        return not summary.distinct_is_capped or summary.n_distinct > 0.99 * 20_000
    if summary.kind != "number" or not summary.whole:
        return False
    if _is_time(summary):
        return False
    span = summary.high - summary.low
    counts_rows = span == summary.n_distinct - 1
    counts_with_gaps = summary.rising and n_values >= _LEAST_RISING and span < _WIDEST_GAPS * n_values
    return counts_rows or counts_with_gaps or _is_called_id(summary.name) or _is_first_without_name(summary)


def _is_first_without_name(summary):
    """Test whether a first column that has no name holds numbers of rows with gaps, or large ones as ids are."""
    if summary.name != "column 1" or summary.distinct_is_capped:
        return False
    return summary.rising or summary.low >= _LEAST_ID


def propose_kind(summary: ColumnSummary) -> str:
    """Return the proposed kind of a column: "ignore" for texts, constants and ID columns."""
    if summary.kind in ("text", "empty") or summary.n_distinct < 2 or is_id_like(summary):
        return "ignore"
    return "ordered" if summary.ordered else summary.kind


def _plain(name):
    return re.sub(r"[^a-z]", "", name.lower())


def _words(name):
    """Return the words of a name: "Kunde_gekündigt" and "isChurn" have two."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower().translate(_UMLAUTS)
    return re.findall(r"[a-z]+", apart)


def _is_called_id(name):
    return any(word in _ID_WORDS or word.endswith(("nummer", "nr")) for word in _words(name))


def _target_word(name):
    """Return the index of the line of `_TARGET_WORDS` with a word of a name, or None.

    The "class" of something else, such as an energy class, comes after all lines.
    """
    if len(_words(name)) > _LONGEST_TARGET:  # a question: "outside of class"
        return None
    words = set(_words(name)) - ({"y"} if len(_words(name)) > 1 else set())  # one of x, y and z
    found = next((place for place, line in enumerate(_TARGET_WORDS) if words.intersection(line)), None)
    return len(_TARGET_WORDS) if found == 0 and words & _CLASS and not words <= _ASKED else found


def _target(usable):
    """Return the last column with the name of a target, or else the likeliest column by its values and its place."""
    able = [summary for summary in usable if _can_be_target(summary)]
    last = next((summary for summary in reversed(usable) if not _is_mostly_empty(summary)), usable[-1])
    has_no_names = all(re.fullmatch(r"column \d+", summary.name) for summary in usable)
    if has_no_names and last in able and last.kind != "text":
        return last
    # x and y are coordinates, unless y is the last column
    if any(summary.name.lower() == "x" for summary in usable if summary is not last):
        able = [summary for summary in able if summary.name.lower() != "y" or summary is last]
    for place in range(len(_TARGET_WORDS) + 1):
        found = [summary for summary in able if _target_word(summary.name) == place]
        if found:
            return max(found, key=lambda summary: (-len(_words(summary.name)), found.index(summary)))
    named = [s for name in _TARGET_NAMES for s in reversed(able) if _plain(s.name) == name]
    if named and _likeliness(last, True) <= _LAST:
        return named[0]
    places = {summary.name: place for place, summary in enumerate(usable)}
    return max(usable, key=lambda summary: (_likeliness(summary, summary is last), places[summary.name]))


def _likeliness(summary, is_last):
    if not _can_be_target(summary):
        return -1.0 if summary.n_distinct < 2 else -0.5 if _is_mostly_empty(summary) else 0.0
    if summary.kind in ("date", "text"):
        return 0.5 + is_last
    is_named = is_last and summary.kind == "category"  # such as "ok" and "fraud"
    if summary.n_distinct == 2 and _least_share(summary) < _RARE and not is_named:
        return 0.7 + is_last  # a mark that few rows have, such as a 0/1 column of a category
    if summary.kind == "category":
        is_many = is_last and summary.n_distinct <= _MANY and summary.n_rows >= _EACH * summary.n_distinct
        if summary.n_distinct > MOST_TARGET_VALUES and not is_many:
            return 0.6 + is_last
        kind = 3.0
    else:
        kind = 1.0 if needs_bins(summary) else 2.0
    return kind + _LAST * is_last


def _least_share(summary):
    """Return the share of the rarer of two values."""
    counts = [count for _, count in summary.top] or [count for count in summary.counts if count]
    return min(counts, default=0) / max(sum(counts), 1)


def _row_names(summaries, kinds):
    """Return the ID column or None: a column with such a name, else the first of texts, else the first of ids."""
    able = [s for s in summaries if kinds[s.name] == "ignore" and s.kind != "empty" and can_name_rows(s)]
    able = [s for s in able if s.kind != "number" or _is_called_id(s.name) or s.name == "column 1"]
    called = [s for s in able if set(_words(s.name)) & _NAMING and s.kind in ("text", "category")]
    texts = [s for s in able if s.kind in ("text", "category")]
    return next((s.name for s in (*called, *texts, *able)), None)


def can_name_rows(summary: ColumnSummary) -> bool:
    """Test whether nearly every row has its own short text or whole number in a column."""
    n_values = summary.n_rows - summary.n_missing
    if n_values < _OWN * summary.n_rows:
        return False
    short = all(len(text) <= _LONGEST_NAME for text in summary.examples)
    if summary.kind in ("text", "category"):
        differ = summary.n_distinct >= _OWN * n_values or summary.distinct_is_capped
        return short and differ and not _tells_values(summary)
    return is_id_like(summary)


def _tells_values(summary):
    """Test whether nearly all texts are numbers or dates, and not ids of digits."""
    texts = [text.strip() for text, _ in summary.top] or list(summary.examples)
    is_id = _is_called_id(summary.name)
    are_values = [looks_like_date(text) or is_number(text) and not (is_id and text.isdigit()) for text in texts]
    return 2 * sum(are_values) > len(are_values)


def _can_be_target(summary):
    is_text = summary.kind == "text" and not 2 <= summary.n_distinct <= MOST_TARGET_VALUES
    return summary.n_distinct >= 2 and not is_text and not is_id_like(summary) and not _is_mostly_empty(summary)


def _is_mostly_empty(summary):
    is_blank = sum(count for text, count in summary.top if text == BLANK)
    return bool(is_blank) or summary.n_missing > _MOST_EMPTY * summary.n_rows


def _parts(summary):
    """Return {value: part} where all values of a column are words for parts, else None."""
    words = {value: _PART_WORDS.get(_plain(value)) for value, _ in summary.top}
    if not words or None in words.values() or "train" not in words.values() or len(words) < summary.n_distinct:
        return None
    return words if len(set(words.values())) > 1 else None
