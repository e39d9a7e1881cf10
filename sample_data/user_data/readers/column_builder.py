"""Convert the texts of one column to numbers, dates, categories or texts, block by block."""

import re
from typing import Any

import numpy as np
import pandas
import pyarrow
import pyarrow.compute as compute

from sample_data.user_data.readers.messages import MESSAGES
from sample_data.user_data.values import GROUPS, MISSING, MISSING_AMONG_NUMBERS, NumberStyle
from treecore.tables.iso_date import iso_date
from treecore.tables.marked_numbers import marked_numbers, unit_of, unit_words
from treecore.tables.table_dates import days

MOST_KEPT_CATEGORIES = 20_000  # maximum number of different texts in a category; a column with more is kept as texts
_MISSING = pyarrow.array(sorted(MISSING))
_MISSING_OF_CODES = pyarrow.array(sorted({*MISSING} - {"NA"}))
_MARKED = "marked "  # prefix of the kind of numbers with a unit; the unit follows
_WRITTEN = "written"  # kind of dates with the name of a month, with a quarter, or without a day
# Years of two digits need slashes, or day and month of two digits each, because 1.2.10 is a version.
_SHORT_FORMATS = {
    "%m/%d/%y": r"^\d{1,2}/\d{1,2}/\d{2}$", "%d/%m/%y": r"^\d{1,2}/\d{1,2}/\d{2}$",
    "%d.%m.%y": r"^\d{2}\.\d{2}\.\d{2}$", "%m-%d-%y": r"^\d{2}-\d{2}-\d{2}$", "%d-%m-%y": r"^\d{2}-\d{2}-\d{2}$",
}  # fmt: skip
_DATE_FORMATS = tuple(
    date + time
    for date in ("%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%Y/%m/%d", "%m-%d-%Y", "%d-%m-%Y", "%d %b %Y", "%b %d %Y")
    for time in ("", " %H:%M", " %H:%M:%S")
) + tuple(_SHORT_FORMATS)
_DATE_WORDS = {
    "%y": "year",
    "%d": "day",
    "%m": "month",
    "%Y": "year",
    "%b": "month",
    "%H": "hour",
    "%M": "minute",
    "%S": "second",
}
_ISO = r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$"
_ISO_ZONE = r"^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$"
# Digits after a leading zero, or more digits than a float64 holds, are an account number, not a quantity.
_MOST_EXACT = 2**53
_CODE = r"^[+-]?(0\d+|\d{17,})$"


class ColumnBuilder:
    """Builder of one column.

    Parameters
    ----------
    kinds : list of str
        Possible kinds, the narrowest first: "int", "float", a date format or "iso"; "text" comes last.
    declared : bool
        Whether the file declares the kind. If so, integers are numbers even if they look like codes.
    notes : list of str
        Notes for the table.
    """

    def __init__(self, name: str, kinds: list[str], style: NumberStyle, trimmed: bool, declared: bool = False) -> None:
        self.name, self.kinds, self.style, self.trimmed = name, kinds, style, trimmed
        self.declared = declared
        self.has_codes = False  # whether NA is a value
        self.notes: list[str] = []
        self._chunks: list = []
        self._places: dict[str, int] | None = {}
        self._n_taken_as_missing = 0
        self._example = ""

    @property
    def kind(self) -> str:
        return self.kinds[0]

    @property
    def unit(self) -> str:
        """Return the unit of the column's numbers, or ""."""
        return self.kind.removeprefix(_MARKED) if self.kind.startswith(_MARKED) else ""

    def restart(self) -> "ColumnBuilder":
        """Return an empty builder of the same column."""
        fresh = ColumnBuilder(self.name, self.kinds, self.style, self.trimmed, self.declared)
        fresh.has_codes = self.has_codes
        return fresh

    def add(self, texts: Any) -> bool:
        """Add a block of values. Return False if the column must be read again as the next kind."""
        if self.trimmed:
            texts = with_missing(compute.utf8_trim_whitespace(texts), self.has_codes)
        if self.kind == "text":
            self._add_texts(texts)
            return True
        if self.kind == "int" and not self.declared and self._are_codes(texts):
            self.kinds = ["text"]  # not decimals, which would lose the zeros and digits
            if any(len(chunk) - _n_missing(chunk) for chunk in self._chunks):
                self._chunks = []
                return False
        while self.kind != "text":
            values = self._convert(texts)
            if values is not None:
                self._chunks.append(values)
                return True
            was = self.kinds.pop(0)
            if was == "int" and self.kind == "float":
                continue  # the integers so far are also decimals
            if any(len(chunk) - _n_missing(chunk) for chunk in self._chunks):
                break
        else:
            if not self._chunks:
                self._add_texts(texts)
                return True
        self._chunks = []
        return False

    def finish(self) -> Any:
        """Return the values as a numpy array of numbers or dates, a pandas Categorical or a pandas array of texts."""
        if self._n_taken_as_missing and self.kind != "text":
            self.notes.append(
                MESSAGES("column.missing", name=self.name, n=self._n_taken_as_missing, example=self._example)
            )
        if self.kind == "text":
            return self._finish_texts()
        if self.unit:
            self.notes.append(f"column '{self.name[:60]}': {unit_words(self.unit)}")
        elif self.kind not in ("int", "float"):
            if self.kind == "iso zone":
                self.notes.append(MESSAGES("column.utc", name=self.name))
            elif self.kind not in ("iso", _WRITTEN) and self._chunks:
                self.notes.append(MESSAGES("column.dates", name=self.name, order=_format_words(self.kind)))
            return np.concatenate(self._chunks)
        chunks, self._chunks = self._chunks, []
        values = np.concatenate(chunks) if chunks else np.empty(0, np.float32)
        del chunks
        return smallest_numbers(values)

    def _convert(self, texts):
        if self.kind in ("int", "float"):
            return self._numbers(texts)
        if self.unit:
            return marked_numbers(texts.to_pylist(), self.unit)
        return _dates(texts, self.kind)

    def _numbers(self, texts):
        kind = pyarrow.int64() if self.kind == "int" else pyarrow.float64()
        plain = self.style.decimal == "." and not self.style.grouped and not self.style.sign
        if plain:
            values = _cast(texts, kind)
            if values is not None:
                return _numpy(values)
        try:
            texts = with_missing(compute.utf8_trim_whitespace(texts))
            values = _cast(self._normalise(texts), kind)
            if values is None and self.kind == "float":
                values = self._numbers_between_words(texts, kind)
        except pyarrow.ArrowInvalid:
            return None
        return None if values is None else _numpy(values)

    def _are_codes(self, texts):
        """Test whether any integer in the column is an account number."""
        bare = compute.utf8_trim_whitespace(texts)
        return bool(compute.any(compute.match_substring_regex(bare, _CODE)).as_py()) or is_beyond_floats(
            _cast(bare, pyarrow.int64())
        )

    def _normalise(self, texts):
        """Return numbers in a notation that can be cast; other texts stay unchanged."""
        decimal = self.style.decimal
        if self.style.sign:
            bare = compute.replace_substring(texts, self.style.sign, "", max_replacements=1)
            texts = compute.utf8_trim_whitespace(bare)
        if self.style.grouped:
            is_grouped = compute.match_substring_regex(texts, f"^{GROUPS[decimal]}$")
            bare = compute.replace_substring_regex(texts, "," if decimal == "." else "[. ']", "")
            texts = compute.if_else(is_grouped, bare, texts)
        if decimal == ",":
            has_point = compute.match_substring(texts, ".")
            texts = compute.if_else(has_point, compute.binary_join_element_wise("x", texts, ""), texts)
            texts = compute.replace_substring(texts, ",", ".")
        return texts

    def _numbers_between_words(self, texts, kind):
        """Return numbers among words that mean a missing value, or None if there are other words."""
        words = compute.is_in(compute.utf8_lower(texts), value_set=pyarrow.array(MISSING_AMONG_NUMBERS))
        n_words = compute.sum(words).as_py() or 0
        if not n_words:
            return None
        values = _cast(self._normalise(compute.if_else(words, pyarrow.scalar(None, texts.type), texts)), kind)
        if values is not None:
            self._n_taken_as_missing += n_words
            self._example = self._example or texts.filter(words)[0].as_py()
        return values

    def _add_texts(self, texts):
        if self._places is None:
            self._chunks.append(texts)
            return
        encoded = texts.dictionary_encode()
        places = self._places
        codes = np.array([places.setdefault(text, len(places)) for text in encoded.dictionary.to_pylist()], np.int32)
        indices = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        codes = np.append(codes, np.int32(-1))[indices]
        self._chunks.append(codes.astype(np.min_scalar_type(-max(len(places), 1))))
        if len(places) > MOST_KEPT_CATEGORIES:
            self._keep_texts()

    def _keep_texts(self):
        """Switch from categories to texts, because there are too many different texts."""
        words, self._places = pyarrow.array(list(self._places or ()), pyarrow.string()), None
        self._chunks = [words.take(pyarrow.array(codes, mask=codes < 0)) for codes in self._chunks]

    def _finish_texts(self):
        chunks, self._chunks = self._chunks, []
        if self._places is None:
            return pandas.array(pyarrow.chunked_array(chunks), dtype="str")
        words = list(self._places)
        codes = np.concatenate(chunks) if chunks else np.empty(0, np.int8)
        return pandas.Categorical.from_codes(codes, categories=pandas.Index(words, dtype="str"))


def day_first(kind: str) -> bool | None:
    """Test whether a date format has the day before the month, or return None if the two cannot be confused."""
    return {"%d": True, "%m": False}.get(kind[:2]) if "%m" in kind else None


def likely_kinds(fields: list[str], style: NumberStyle, requested: bool | None = None) -> list[str]:
    """Return the possible kinds of a column, the most likely first and "text" last, from some of its values.

    fields : values, none of them missing; requested : whether dates have the day first, or None to detect it.
    """
    texts = pyarrow.array(fields, pyarrow.string())
    if not fields:
        return ["int", "float", "text"]
    if compute.any(compute.match_substring_regex(texts, _CODE)).as_py():
        return ["text"]
    numbers = sum(style.is_number(field) or field.lower() in MISSING_AMONG_NUMBERS for field in fields)
    if numbers == len(fields) and any(style.is_number(field) for field in fields):
        return ["int", "float", "text"] if all(_is_whole(field) for field in fields) else ["float", "text"]
    if not any(character.isdigit() for field in fields for character in field):  # neither dates nor marked numbers
        return ["text"]
    if _dates(texts, _WRITTEN) is not None:
        return [_WRITTEN, "text"]
    formats = sorted(_DATE_FORMATS, key=lambda kind: kind.startswith("%m")) if style.decimal == "," else _DATE_FORMATS
    formats = [kind for kind in formats if requested is None or day_first(kind) in (None, requested)]
    dates = [kind for kind in ("iso", "iso zone", *formats) if _dates(texts, kind) is not None]
    unit = None if dates else unit_of(fields)
    return [*dates, "text"] if unit is None else [_MARKED + unit, "text"]


def _is_whole(field):
    return field.lstrip("+-").isdigit()


def _cast(texts, kind):
    try:
        return compute.cast(texts, kind)
    except pyarrow.ArrowInvalid:
        return None


def with_missing(texts: Any, has_codes: bool = False) -> Any:
    """Return an Arrow array of texts with null for texts that mean a missing value. Among codes, NA is a value."""
    missing = _MISSING_OF_CODES if has_codes else _MISSING
    return compute.if_else(compute.is_in(texts, value_set=missing), pyarrow.scalar(None, texts.type), texts)


def _numpy(values):
    """Return integers in their smallest type, or floats with NaN for missing and infinite values."""
    if pyarrow.types.is_integer(values.type) and not values.null_count:
        return _smallest_integers(values.to_numpy())
    return values.cast(pyarrow.float64(), safe=False).to_numpy(zero_copy_only=False)


def is_beyond_floats(values: Any) -> bool:
    """Test whether some integer in an Arrow array, which may be None, has no exact float64."""
    if values is None or not len(values):
        return False
    limits = compute.min_max(values)
    low, high = limits["min"].as_py(), limits["max"].as_py()
    return low is not None and (high > _MOST_EXACT or low < -_MOST_EXACT)


def _n_missing(chunk):
    if chunk.dtype.kind == "f":
        return int(np.isnan(chunk).sum())
    return int(np.isnat(chunk).sum()) if chunk.dtype.kind == "M" else 0


def _dates(texts, kind):
    """Return datetime64[us] with NaT for missing values, or None if a value is not a date of this kind."""
    try:
        if kind == _WRITTEN or kind in _SHORT_FORMATS:
            return _read_dates(texts, kind)
        if kind in ("iso", "iso zone"):
            if not compute.all(compute.match_substring_regex(texts, _ISO if kind == "iso" else _ISO_ZONE)).as_py():
                return None if texts.null_count < len(texts) else np.full(len(texts), "NaT", "datetime64[us]")
            zone = None if kind == "iso" else "UTC"
            values = compute.cast(texts, pyarrow.timestamp("us", zone))
        else:
            values = compute.strptime(texts, format=kind, unit="us", error_is_null=True)
            if values.null_count > texts.null_count or not _are_of_the_calendar(texts, values, kind):
                return None
    except pyarrow.ArrowInvalid:
        return None
    return values.cast(pyarrow.timestamp("us")).to_numpy(zero_copy_only=False)


def _read_dates(texts, kind):
    """Return the dates as they would be read in new rows, or None if a value is not a date."""
    words = pandas.Series(texts.to_pylist(), dtype="str")
    present = words.dropna().unique()
    if kind == _WRITTEN:
        fits = all(iso_date(word) for word in present)
    else:
        fits = all(re.match(_SHORT_FORMATS[kind], word.strip()) for word in present)
    found = days(words, day_first(kind)) if fits else None
    if found is None or (np.isnan(found) & words.notna().to_numpy()).any():
        return None
    minutes = np.nan_to_num(np.round(found * 86_400_000_000)).astype("datetime64[us]")
    return np.where(np.isnan(found), np.datetime64("NaT", "us"), minutes)


def _are_of_the_calendar(texts, values, kind):
    """Test whether each date has the day in its text, because strptime reads 31.02. as the 2nd of March."""
    pattern = "^\\s*" + kind.replace(".", "\\.").replace("%d", "(?P<day>\\d{1,2})")
    for code, digits in (("%Y", "\\d{4}"), ("%b", "[^\\d\\s]+")):
        pattern = pattern.replace(code, digits)
    pattern = re.sub("%[mHMS]", "\\\\d{1,2}", pattern)
    day_in_text = compute.struct_field(compute.extract_regex(texts, pattern), "day").cast(pyarrow.int64())
    same = compute.equal(day_in_text, compute.day(values))
    return same.null_count == texts.null_count and compute.all(same, min_count=0).as_py()


def _smallest_integers(values):
    if not len(values) or values.dtype == np.uint64 and int(values.max()) > np.iinfo(np.int64).max:
        return values.astype(np.int8) if not len(values) else values.astype(np.float64)
    low, high = int(values.min()), int(values.max())
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return values.astype(kind)
    return values.astype(np.int64)


def smallest_numbers(values: np.ndarray) -> np.ndarray:
    """Return integers or floats [n] in the smallest type that represents all of them exactly."""
    if values.dtype.kind in "iu":
        return _smallest_integers(values)
    step = 1 << 16
    for start in range(0, len(values), step):
        part = values[start : start + step]
        with np.errstate(over="ignore", invalid="ignore"):  # files can contain signalling NaN
            same = part.astype(np.float32).astype(np.float64) == part
        if not (same | np.isnan(part)).all():
            return values
    return values.astype(np.float32)


def _format_words(kind):
    words = kind
    for code, word in _DATE_WORDS.items():
        words = words.replace(code, word)
    return words.split(" hour")[0]
