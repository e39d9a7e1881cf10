"""Read the different texts of a column as numbers or dates, in any notation, if all or nearly all of them are such."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas

from sample_data.user_data.values import MISSING_AMONG_NUMBERS, NumberStyle, column_style, is_missing, is_number
from treecore.tables.iso_date import is_written_date
from treecore.tables.marked_numbers import marked_number, plain_signs, unit_of, unit_words
from treecore.tables.table_columns import category_text
from treecore.tables.table_dates import days

LEAST = 0.9  # smallest share of the cells that must be numbers for the others to be exceptions
_MICROSECONDS = 86_400_000_000  # per day
_SAMPLE = 300  # number of texts that are looked at first
_LIKELY = 0.6  # smallest share of numbers, or of dates, in a sample of the different texts
_LEAST_PLAIN = 0.5  # smallest share of the cells that must be numbers for them to be rewritten
_LEAST_NUMBERS = 3  # minimum number of different numbers
_MOST_EXACT = 2**53  # largest integer of an account number that floats represent exactly
_CODE = re.compile(r"[+-]?(0\d+|\d{17,})")  # an account number, not a quantity
_SHORT = re.compile(r"\d{1,2}([.-])\d{1,2}\1\d{1,2}")  # such as the version 1.2.10
_AMBIGUOUS = re.compile(r"[+-]?\d{1,3}[.,]\d{3}")


class Written(NamedTuple):
    """Values of the different texts of a column.

    values : number or date of each text, or None if some texts are neither; texts : the texts, with numbers in plain
    notation; marks : texts that mean a missing value; notes : sentences for the user; unit : unit of the numbers.
    """

    values: Any
    texts: list[str]
    marks: set[str]
    notes: list[str]
    unit: str = ""


def read_words(
    words: Sequence[str], counts: np.ndarray, style: NumberStyle, day_first: bool | None = None
) -> Written | None:
    """Return the values of the different texts of a column, or None if they are neither numbers nor dates.

    counts : number of cells with each text; style : notation of the numbers in the file.
    """
    if not _is_likely(words[:: max(len(words) // _SAMPLE, 1)]):
        return None
    marks = {word for word in words if _is_mark(word)}
    left = [k for k, word in enumerate(words) if word not in marks]
    plain = [" ".join(plain_signs(words[k]).split()) for k in left]
    unit = _unit(plain, counts[left])
    able = np.array([is_number(text) or unit is not None and marked_number(text, unit) is not None for text in plain])
    n_able, n_all = counts[left][able].sum(), counts[left].sum()
    if n_able >= LEAST * n_all and not any(map(_is_code, plain)) and able.sum() >= _LEAST_NUMBERS:
        found = _numbers([text for text, fits in zip(plain, able, strict=True) if fits], style, unit)
        if found is not None and not able.all():
            numbers, notes, unit = found
            texts = list(words)
            for k, number in zip(np.array(left)[able].tolist(), numbers, strict=True):
                texts[k] = category_text(number)
            return Written(None, texts, marks, notes, unit)
        if found is not None:
            numbers, notes, unit = found
            return Written(_at(left, numbers, len(words), np.nan), list(words), marks, notes, unit)
    dates = _dates(plain, day_first)
    if dates is None:
        return None
    return Written(_at(left, dates, len(words), np.datetime64("NaT", "us")), list(words), marks, [])


def _is_code(text):
    return _CODE.fullmatch(text) is not None or text.isdigit() and int(text) > _MOST_EXACT


def _is_mark(word):
    return not word or is_missing(word) or word.lower() in MISSING_AMONG_NUMBERS


def _is_likely(words):
    """Test whether some texts of a column suggest numbers, or dates."""
    texts = [" ".join(plain_signs(word).split()) for word in words if not _is_mark(word)]
    if not texts or not may_hold_values(texts):
        return False
    unit = _unit(texts, np.ones(len(texts)))
    n_like = sum(is_number(text) or unit is not None and marked_number(text, unit) is not None for text in texts)
    return max(n_like, sum(map(is_written_date, texts))) >= _LIKELY * len(texts)


def plain_words(words: list[str], counts: np.ndarray, style: NumberStyle) -> list[str]:
    """Return texts with numbers rewritten from a style (1.100,5) to a decimal point (1100.5), for later readers.

    The texts stay unchanged if the style has a decimal point, or if fewer than half of the cells are numbers.
    """
    if style.decimal == "." and not (style.grouped or style.sign):
        return words
    are_numbers = np.array([style.is_number(word.strip()) for word in words], bool)
    if counts[are_numbers].sum() < max(_LEAST_PLAIN * counts.sum(), 1):
        return words
    return [style.plain(word.strip()) if fits else word for word, fits in zip(words, are_numbers, strict=True)]


def _at(places, values, n, nothing):
    """Return an array of length n with the values at their places, and `nothing` elsewhere."""
    found = np.full(n, nothing)
    found[places] = values
    return found


def may_hold_values(words: Sequence[str]) -> bool:
    """Test whether most of some texts have digits, as numbers and dates do."""
    some = words[:: max(len(words) // _SAMPLE, 1)]
    return sum(any(map(str.isdecimal, word)) for word in some) >= 0.5 * max(len(some), 1)


def _unit(texts, counts):
    """Return the unit of most of the texts that are not plain numbers, or None."""
    others = [k for k, text in enumerate(texts) if any(map(str.isdigit, text)) and not is_number(text)]
    unit = unit_of([texts[k] for k in others])
    if unit is not None or not others:
        return unit
    shapes: Counter[str] = Counter()
    for k in others:
        shapes[_shape(texts[k])] += int(counts[k])
    usual = shapes.most_common(1)[0][0]
    return unit_of([texts[k] for k in others if _shape(texts[k]) == usual])


def _shape(text):
    return re.sub(r"\d+([.,' ]\d+)*", "0", text)


def _numbers(texts, style, unit):
    """Return (numbers, notes, unit) of texts all of which are numbers, or None if their notations contradict."""
    own = column_style(texts, style, "," if style.decimal == "." else ";")
    if unit is None and all(map(own.is_number, texts)):
        notes = list(own.notes) if own is not style else []
        return [float(own.plain(text)) for text in texts], notes, ""
    if unit is not None:
        numbers = [marked_number(text, unit) for text in texts]
        return None if None in numbers else (numbers, [unit_words(unit)], unit)
    if any(map(_AMBIGUOUS.fullmatch, texts)):
        return None
    return [float(_style_of(text).plain(text)) for text in texts], ["decimal comma and decimal point"], ""


def _style_of(text):
    last = max(text.rfind("."), text.rfind(","))
    decimal = "," if last >= 0 and text[last] == "," and text.count(",") == 1 else "."
    return NumberStyle(decimal, True)


def _dates(texts, day_first):
    """Return the dates of texts all of which are dates, in one or several notations, or None."""
    if not all(map(is_written_date, texts)) or any(map(_SHORT.fullmatch, texts)):
        return None
    found = days(pandas.Series(texts, dtype="str"), day_first)
    return None if np.isnan(found).any() else np.round(found * _MICROSECONDS).astype("datetime64[us]")
