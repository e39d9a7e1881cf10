"""Convert the texts of one column to numbers, dates, categories or texts, block by block."""

import re
from collections import Counter
from collections.abc import Collection
from typing import Any

import numpy as np
import pandas
import pyarrow
import pyarrow.compute as compute

from sample_data.user_data.limits import MAX_CLASSES
from sample_data.user_data.readers.written_values import may_hold_values, plain_words, read_words
from sample_data.user_data.values import (
    GROUPS,
    MISSING,
    MISSING_AMONG_NUMBERS,
    WEAK,
    NumberStyle,
    column_decimal_point,
    column_thousands,
    missing_words,
)
from treecore.messages import counted, listed
from treecore.tables.iso_date import TURN, iso_date
from treecore.tables.marked_numbers import marked_numbers, unit_of, unit_words
from treecore.tables.table_columns import category_text
from treecore.tables.table_dates import days

MOST_KEPT_CATEGORIES = 20_000  # maximum number of different texts in a category; a column with more is kept as texts
_MISSING = pyarrow.array(sorted(MISSING))
_AMONG_NUMBERS = pyarrow.array(sorted({*MISSING_AMONG_NUMBERS}))
_SAMPLE = 300  # number of texts that show whether a column of texts may contain numbers or dates
_THREE_DECIMALS = re.compile(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?!\d)")
_COMMA = re.compile(r"(\d),(\d)")
_LEAST_CELLS = 10  # smallest number of cells of a column with one number and one text
_MOST_NAMED = 4  # maximum number of columns with a note each on missing values
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
    values : collection of str
        Texts that are values among texts, although they usually mark a missing value.
    day_first : bool, optional
        Whether dates have the day first, or None to detect it.
    notes : list of str
        Notes for the table.
    marked : Counter
        Number of cells of each text that was read as missing.
    marks : Categorical, optional
        These texts in their cells, for a column of at most `MAX_CLASSES` categories.
    """

    def __init__(
        self,
        name: str,
        kinds: list[str],
        style: NumberStyle,
        trimmed: bool,
        declared: bool = False,
        values: Collection[str] = (),
        day_first: bool | None = None,
    ) -> None:
        self.name, self.kinds, self.style, self.trimmed = name, kinds, style, trimmed
        self.declared, self.values, self.day_first = declared, values, day_first
        self.notes: list[str] = []
        self.marked: Counter[str] = Counter()
        self.marks: pandas.Categorical | None = None
        self._found: Counter[str] = Counter()  # markers of the block that is converted
        self._unit = ""
        self._doubts: list[str] = []  # values such as "7.698 kr", whose point may separate thousands
        self._chunks: list = []
        self._places: dict[str, int] | None = {}

    @property
    def kind(self) -> str:
        return self.kinds[0]

    @property
    def unit(self) -> str:
        """Return the unit of the column's numbers, or ""."""
        return self.kind.removeprefix(_MARKED) if self.kind.startswith(_MARKED) else self._unit

    def restart(self) -> "ColumnBuilder":
        """Return an empty builder of the same column."""
        return ColumnBuilder(
            self.name, self.kinds, self.style, self.trimmed, self.declared, self.values, self.day_first
        )

    def add(self, texts: Any) -> bool:
        """Add a block of values. Return False if the column must be read again as the next kind."""
        if self.trimmed:
            texts = without_blanks(compute.utf8_trim_whitespace(texts))
        if self.kind == "text":
            self._add_texts(texts)
            return True
        if self.kind == "int" and not self.declared and self._are_codes(texts):
            self.kinds = ["text"]  # not decimals, which would lose the zeros and digits
            if any(len(chunk) - _n_missing(chunk) for chunk in self._chunks):
                self._chunks = []
                self.marked.clear()
                return False
        while self.kind != "text":
            self._found.clear()
            values = self._convert(texts)
            if values is not None:
                self._chunks.append(values)
                self.marked += self._found
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
        self.marked.clear()
        return False

    def finish(self) -> Any:
        """Return the values as a numpy array of numbers or dates, a pandas Categorical or a pandas array of texts."""
        if self.kind == "text":
            return self._finish_texts()
        if self.unit:
            self.notes.append(f"column '{self.name[:60]}': {unit_words(self.unit)}")
            if self._doubts and all(map(_THREE_DECIMALS.search, self._doubts)):
                example = self._doubts[0]
                if self.style.decimal == ",":
                    value = _THREE_DECIMALS.sub(r"\1\2", example)
                    self.notes.append(column_thousands(example, value, "point"))
                else:
                    self.notes.append(column_decimal_point(example))
        elif self.kind not in ("int", "float"):
            if self.kind == "iso zone":
                self.notes.append(f"times of '{self.name:.60}' converted to UTC")
            elif self.kind not in ("iso", _WRITTEN) and self._chunks:
                self.notes.append(f"dates of '{self.name:.60}' read as {_format_words(self.kind)}")
                if "%y" in self.kind:
                    self.notes.append(
                        f"years of two digits in '{self.name:.60}' read as {1900 + TURN} to {1999 + TURN}"
                    )
            return np.concatenate(self._chunks)
        chunks, self._chunks = self._chunks, []
        values = np.concatenate(chunks) if chunks else np.empty(0, np.float32)
        del chunks
        boxes = self._two_values(values)
        return smallest_numbers(values) if boxes is None else boxes

    def _two_values(self, numbers):
        """Return the column as a category if it has only one number and one text, such as 1 and "-", else None."""
        mark = next(iter(self.marked), "")
        if len(self.marked) != 1 or mark not in WEAK or self.declared or numbers.dtype.kind != "f":
            return None
        is_mark = np.isnan(numbers)
        present = numbers[~is_mark]
        if len(numbers) < _LEAST_CELLS or not len(present) or present.min() != present.max():
            return None
        if is_mark.sum() != self.marked[mark]:
            return None
        self.marked.clear()
        words = pandas.Index([category_text(present[0]), mark], dtype="str")
        return pandas.Categorical.from_codes(is_mark.astype(np.int8), words)

    def _convert(self, texts):
        if self.kind in ("int", "float"):
            return self._numbers(texts)
        texts = self._without_markers(texts)
        if self.unit:
            fields = texts.to_pylist()
            if any(field and _THREE_DECIMALS.search(field) for field in fields[:_SAMPLE]):
                self._doubts += [field for field in fields[:_SAMPLE] if field]
            return marked_numbers(_with_points(fields) if self.style.decimal == "," else fields, self.unit)
        return _dates(texts, self.kind)

    def _numbers(self, texts):
        kind = pyarrow.int64() if self.kind == "int" else pyarrow.float64()
        plain = self.style.decimal == "." and not self.style.grouped and not self.style.sign
        if plain:
            values = _cast(texts, kind)
            if values is not None:
                return _numpy(values)
        try:
            texts = self._without_markers(without_blanks(compute.utf8_trim_whitespace(texts)), _AMONG_NUMBERS)
            values = _cast(self._normalise(texts), kind)
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
            bare = compute.replace_substring_regex(texts, "[, ']" if decimal == "." else "[. ']", "")
            texts = compute.if_else(is_grouped, bare, texts)
        if decimal == ",":
            has_point = compute.match_substring(texts, ".")
            texts = compute.if_else(has_point, compute.binary_join_element_wise("x", texts, ""), texts)
            texts = compute.replace_substring(texts, ",", ".")
        return texts

    def _without_markers(self, texts, more=None):
        """Return the texts with null for markers of missing values, which are counted; more : in lower case."""
        marked = compute.is_in(texts, value_set=_MISSING)
        if more is not None:
            marked = compute.or_(marked, compute.is_in(compute.utf8_lower(texts), value_set=more))
        if not compute.any(marked, min_count=0).as_py():
            return texts
        if self.values:
            kept = pyarrow.array(list(self.values), pyarrow.string())
            marked = compute.and_not(marked, compute.is_in(texts, value_set=kept))
        found = compute.value_counts(texts.filter(marked))
        self._found.update({text: n for text, n in zip(*map(_list, found.flatten()), strict=True) if text})
        return compute.if_else(marked, pyarrow.scalar(None, texts.type), texts)

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
            texts = pyarrow.chunked_array(chunks)
            if self.declared or not may_hold_values(texts.slice(0, 10 * _SAMPLE).unique().drop_null().to_pylist()):
                self._found.clear()
                texts = pyarrow.chunked_array([self._without_markers(chunk) for chunk in texts.chunks], texts.type)
                self.marked += self._found
                return pandas.array(texts, dtype="str")
            codes, words = pandas.factorize(texts.to_pandas(), use_na_sentinel=True)
            words = list(words)
        else:
            words = list(self._places)
            codes = np.concatenate(chunks) if chunks else np.empty(0, np.int8)
        found = self._of_words(words, codes)
        if self._places is None and isinstance(found, pandas.Categorical):
            return pandas.array(found.astype("str"), dtype="str")
        return found

    def _of_words(self, words, codes):
        """Return the column whose different texts are `words`: numbers or dates if they all are, else categories."""
        counts = np.bincount(codes[codes >= 0], minlength=len(words))
        read = None if self.declared else read_words(words, counts, self.style, self.day_first)
        marks = missing_words(words, counts.sum()).difference(self.values) if read is None else read.marks
        if marks:
            self.marked.update({word: int(n) for word, n in zip(words, counts, strict=True) if word in marks and n})
        if read is None:
            words = plain_words(words, counts, self.style)
        else:
            self.notes += [f"column '{self.name[:60]}': {note}" for note in read.notes]
            self._unit = read.unit
            if read.values is not None:
                nothing = np.datetime64("NaT") if read.values.dtype.kind == "M" else np.nan
                values = np.append(read.values, nothing)[codes]
                return values if values.dtype.kind == "M" else smallest_numbers(_whole_if_possible(values))
            words = read.texts
        if read is None and not marks:
            return pandas.Categorical.from_codes(codes, categories=pandas.Index(words, dtype="str"))
        if marks and read is None and len(words) - len(marks) <= MAX_CLASSES:
            known = sorted(marks - {""})
            own = [known.index(word) if word in known else -1 for word in words]
            self.marks = pandas.Categorical.from_codes(np.append(own, -1).astype(np.int8)[codes], known)
        places: dict[str, int] = {}
        new = [-1 if word in marks or not word else places.setdefault(word, len(places)) for word in words]
        codes = np.append(new, -1).astype(np.min_scalar_type(-max(len(places), 1)))[codes]
        return pandas.Categorical.from_codes(codes, categories=pandas.Index(list(places), dtype="str"))


def _whole_if_possible(values):
    whole = len(values) > 0 and bool((np.abs(values) < _MOST_EXACT).all()) and bool((np.floor(values) == values).all())
    return values.astype(np.int64) if whole else values


def missing_notes(marked: dict[str, Counter]) -> list[str]:
    """Return notes on the texts that were read as missing values; marked : {column: cells of each text}."""
    marked = {name: cells for name, cells in marked.items() if cells}
    if len(marked) <= _MOST_NAMED:
        return [
            (f"column '{name:.60}': {counted(sum(cells.values()), 'cell')} {listed(list(cells), 3)} read as missing")
            for name, cells in marked.items()
        ]
    whole = sum(marked.values(), Counter())
    columns = Counter(text for cells in marked.values() for text in cells)
    return [
        f"{text!r} read as missing ({counted(n, 'cell')} in {counted(columns[text], 'column')})"
        for text, n in whole.most_common(5)
    ]


def _list(column):
    return column.to_pylist()


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
    unit = None if dates else unit_of(_with_points(fields) if style.decimal == "," else fields)
    return [*dates, "text"] if unit is None else [_MARKED + unit, "text"]


def _with_points(fields):
    """Return numbers of a file with decimal commas (1.234,5 kg) with decimal points (1234.5 kg)."""
    return [field and _COMMA.sub(r"\1.\2", _THREE_DECIMALS.sub(r"\1\2", field)) for field in fields]


def _is_whole(field):
    return field.lstrip("+-").isdigit()


def _cast(texts, kind):
    try:
        return compute.cast(texts, kind)
    except pyarrow.ArrowInvalid:
        return None


def without_blanks(texts: Any) -> Any:
    """Return an Arrow array of texts with null for empty texts."""
    return compute.if_else(compute.equal(texts, ""), pyarrow.scalar(None, texts.type), texts)


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
