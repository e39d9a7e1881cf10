"""Find the few values that prevent a column from being numbers or dates, such as "Varies" among percentages."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas

from sample_data.user_data.recipe import MOST_MARKERS, Recipe
from sample_data.user_data.remove_markers import remove_markers
from sample_data.user_data.summary import ColumnSummary, is_ordered, summarise_column
from sample_data.user_data.table import Table
from sample_data.user_data.values import is_missing, is_number
from treecore.tables.iso_date import is_written_date
from treecore.tables.table_columns import BLANK, category_text, marker_text

_LEAST = 0.9  # smallest share of cells that must be numbers for a question
_SURE = {"numbers": 0.95, "dates": 0.8}  # the same for the other cells to be treated as missing
_LEAST_KNOWN = 0.5  # the same if all other texts are known to mean a missing value
_LEAST_DISTINCT = 5  # minimum number of different numbers or dates
_LONGEST = 40
_SAMPLE = 1000  # number of values that show whether a column may contain numbers or dates
_KNOWN = frozenset((
    *("", "k a", "ka", "keine angabe", "ohne angabe", "o a", "unbekannt", "nicht bekannt", "fehlt", "fehlend", "leer"),
    *("n v", "nv", "nicht vorhanden", "nicht verfuegbar", "weiss nicht", "n a", "na", "n d", "nd", "nan", "not known"),
    *("not available", "unknown", "missing", "none", "nil", "null", "undefined", "no answer", "no data", "s d"),
    *("non disponible", "inconnu", "manquant", "desconocido", "sin dato", "sin datos", "no disponible", "non noto"),
    *("onbekend", "desconhecido", "sem dados", "not applicable", "not recorded", "not reported", "tbd", "pending"),
))  # fmt: skip
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class Exceptions(NamedTuple):
    """Values of a column most of which are numbers or dates.

    what : "numbers" or "dates"; texts : {other text: number of cells}; share : share of numbers or dates.
    """

    what: str
    texts: dict[str, int]
    share: float

    @property
    def are_sure(self) -> bool:
        """Whether the column is numbers or dates, and the other cells have no value."""
        if not 0 < len(self.texts) <= MOST_MARKERS or any(len(text) > _LONGEST for text in self.texts):
            return False
        return self.share >= _SURE[self.what] or self.share >= _LEAST_KNOWN and all(map(means_missing, self.texts))


def means_missing(text: str) -> bool:
    """Test whether a text such as "k.A." or "not known" means a missing value in one of several languages."""
    plain = re.sub(r"[^a-z0-9]+", " ", text.lower().translate(_UMLAUTS)).strip()
    return len(text) <= _LONGEST and plain in _KNOWN


def exceptions(values: pandas.Series, summary: ColumnSummary) -> Exceptions | None:
    """Return the values that are not numbers, or not dates, if most values are such, else None."""
    if summary.kind not in ("category", "text") or summary.n_distinct <= _LEAST_DISTINCT or is_ordered(values):
        return None
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uifbM":
        return None
    if isinstance(values.dtype, pandas.CategoricalDtype):
        some = values.cat.categories[:: max(len(values.cat.categories) // _SAMPLE, 1)]
    else:
        some = values.iloc[:: max(len(values) // _SAMPLE, 1)].dropna().unique()
    some = [category_text(word).strip() for word in some]
    for what, fits in (("numbers", is_number), ("dates", is_written_date)):
        if sum(map(bool, map(fits, some))) < _LEAST_KNOWN * len(some) - 3:
            continue
        codes, uniques = values.factorize(use_na_sentinel=True)
        words = [category_text(word).strip() for word in uniques]
        counts = np.bincount(codes[codes >= 0], minlength=len(words))
        able = np.array([bool(fits(word)) for word in words])
        if np.count_nonzero(counts[able]) < _LEAST_DISTINCT:
            continue
        if what == "numbers" and any(re.fullmatch(r"0\d+|\d{17,}", word) for word in words):
            return None
        share = counts[able].sum() / counts.sum()
        counted = zip(words, able, counts.tolist(), strict=True)
        others = {
            word: n for word, fit, n in counted if n and not fit and word and word != BLANK and not is_missing(word)
        }
        if share >= _LEAST_KNOWN and others:
            return Exceptions(what, others, float(share))
    return None


def not_numbers(values: pandas.Series, summary: ColumnSummary) -> dict[str, int]:
    """Return {text: number of cells} of the values that are not numbers, if nearly all cells are numbers, else {}."""
    found = exceptions(values, summary)
    return found.texts if found is not None and found.what == "numbers" and found.share >= _LEAST else {}


def sure_exceptions(table: Table, summaries: Iterable[ColumnSummary]) -> dict[str, tuple[str, ...]]:
    """Return {column: texts that are treated as missing, because all other values are numbers or dates}."""
    found = {summary.name: exceptions(table.frame[summary.name], summary) for summary in summaries}
    return {name: tuple(one.texts) for name, one in found.items() if one is not None and one.are_sure}


def columns_with(table: Table, texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return {column: those of the texts that it contains}."""
    wanted, found = {text.strip() for text in texts}, {}
    for name, values in table.frame.items():
        there = {marker_text(value) for value in values.dropna().unique()} & wanted
        if there:
            found[str(name)] = tuple(sorted(there))
    return found


def without_exceptions(
    table: Table, summaries: list[ColumnSummary], missing: dict[str, tuple[str, ...]]
) -> tuple[Table, list[ColumnSummary]]:
    """Return the table without the texts `missing` of its columns, and its summaries."""
    if not missing:
        return table, summaries
    recipe = Recipe(next(iter(missing)), {}, missing=missing)
    frame = table.frame[list(missing)]
    clean = remove_markers(replace(table, frame=frame), recipe)
    table = replace(
        table,
        frame=table.frame.assign(**{str(name): values for name, values in clean.frame.items()}),
        day_first=clean.day_first,
    )
    return table, [summarise_column(s.name, table.frame[s.name]) if s.name in missing else s for s in summaries]
