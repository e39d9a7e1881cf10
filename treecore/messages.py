"""`Catalogue`: the sentences of one area, each under a code, with the values that it is about."""

from __future__ import annotations

import string
from collections.abc import KeysView, Mapping
from itertools import islice
from typing import Any

_MOST_CHARACTERS, _MOST_ENTRIES = 200, 1000  # of a value that a sentence keeps
_LARGEST_WHOLE = 10**60
_ENDLESS = 10**9  # characters
_LONG = "a number with very many digits"


class Sentence(str):
    """Text for people that keeps what it was made of.

    Parameters
    ----------
    text : str
    code : str, default=""
        Area and name of the sentence, such as "foreign.lightgbm.version".
    values : mapping of str to object, optional
        What the text contains, as JSON has it.
    """

    code: str
    values: dict[str, Any]

    def __new__(cls, text: str, code: str = "", values: Mapping[str, Any] | None = None) -> Sentence:
        made = super().__new__(cls, text)
        made.code, made.values = code, dict(values or {})
        return made

    def __reduce__(self) -> tuple:
        return Sentence, (str(self), self.code, self.values)

    def plain(self) -> dict[str, Any]:
        """Return text, code and values, to be stored; ``Sentence(**plain)`` is the sentence again."""
        return {"text": str(self), "code": self.code, "values": self.values}


class _Words(string.Formatter):
    """Fields of texts, with formats of our own: see `Catalogue`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        kind, _, rest = format_spec.partition(" ")
        if kind == "count":
            return counted(value, rest)
        if kind == "one":
            return rest.split("|")[value != 1]
        if kind == "list":
            return listed(value, int(rest)) if rest else listed(value)
        return _joined(value, kind, rest) if kind in _JOINED else super().format_field(value, format_spec)

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return value if (value := _short(value)) is _LONG else super().convert_field(value, conversion)


def _literal(value: Any) -> str:
    return repr(value[:60] if isinstance(value, str) else value)


_JOINED = {"comma": (str, ", "), "and": (str, " and "), "literals": (_literal, ", "), "or": (_literal, " or ")}


def _joined(values: Any, kind: str, limits: str) -> str:
    """Return "a, b and 3 more" with limits "2", and 80 characters with ".80"."""
    write, between = _JOINED[kind]
    values = list(values)
    most, _, characters = limits.partition(".")
    shown = between.join(map(write, values[: int(most or len(values))]))[: int(characters or _ENDLESS)]
    return shown + (f" and {len(values) - int(most):,} more" if most and len(values) > int(most) else "")


def _short(value: Any) -> Any:
    """Return a value, or words for a whole number with so many digits that Python does not write it."""
    is_long = isinstance(value, int) and abs(value) > _LARGEST_WHOLE
    return _LONG if is_long else value


class Catalogue:
    """Sentences of one area.

    Parameters
    ----------
    area : str
        First part of every code.
    texts : mapping of str to str
        Text of each sentence by the rest of its code. Its fields are those of `str.format`; ``{n:count row}`` writes
        "1 row" or "3 rows", ``{n:one is|are}`` "is" for 1 and "are" for any other number, ``{names:list}`` the
        first five names in quotation marks (``{names:list 3}`` the first three), ``{names:comma}`` and ``{names:and}``
        all of them with commas or "and" between, ``{names:literals}`` and ``{names:or}`` all of them as Python writes
        them; ``{names:comma 8}`` the first eight, ``{names:comma .80}`` 80 characters at most.

    Examples
    --------
    >>> messages = Catalogue("table", {"short_row": "Row {row} has {found:count value}: expected {expected}."})
    >>> sentence = messages("short_row", row=7, found=1, expected=3)
    >>> print(sentence)
    Row 7 has 1 value: expected 3.
    >>> sentence.code, sentence.values["row"]
    ('table.short_row', 7)
    """

    def __init__(self, area: str, texts: Mapping[str, str]) -> None:
        self.area = area
        self.texts = dict(texts)

    def __call__(self, name: str, /, **values: Any) -> Sentence:
        """Return the sentence `name` with its values; a KeyError for an unknown name or a value that is missing."""
        text = _Words().vformat(self.texts[name], (), values)
        return Sentence(text, f"{self.area}.{name}", {field: _plain(value) for field, value in values.items()})

    def require(self, condition: Any, kind: type[Exception], name: str, /, **values: Any) -> None:
        """Raise `kind` with the sentence `name` unless `condition`."""
        if not condition:
            raise kind(self(name, **values))

    def fields(self, name: str) -> set[str]:
        """Names of the values that the sentence `name` contains."""
        found = (field for _, field, _, _ in string.Formatter().parse(self.texts[name]) if field)
        return {field.partition(".")[0].partition("[")[0] for field in found}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it, so that a sentence can be stored and sent."""
    if hasattr(value, "tolist"):  # of numpy, which is slow to import
        value = value.tolist()
    value = _short(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple | set | frozenset | range | KeysView):
        return [_plain(one) for one in islice(value, _MOST_ENTRIES)]
    return str(value)[:_MOST_CHARACTERS]


def counted(number: int, noun: str) -> str:
    """Return "1 row", "1,200 rows", "2 classes", "3 leaves"."""
    if number == 1:
        return f"1 {noun}"
    several = noun[:-1] + "ves" if noun.endswith("f") else noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {several}"


def listed(names: Any, most: int = 5) -> str:
    """Return names in quotation marks, the first few of many."""
    names = list(names)
    shown = ", ".join(f"'{str(name)[:60]}'" for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


MESSAGES = Catalogue(
    "parameter",
    {
        "not_a_choice": "{name}={value!r}: use one of {choices:literals}.",
        "not_finite": "{name}={value!r}: use a finite number.",
        "too_small": "{name}={value!r}: use a finite number >= {least:g}.",
        "too_large": "{name}={value!r}: use a finite number <= {most:g}.",
        "not_between": "{name}={value!r}: use a finite number >= {least:g} and <= {most:g}.",
        "not_whole": "{name}={value!r}: use a whole number >= {least}.",
        "not_in_memory": "{name} is {what}: expected rows in memory. {verb} it first: {name}.{method}().",
        "missing_values": (
            "{said}contains NaN: fill or drop those values first, or have TAOClassifier or TAORegressor learn where "
            "they go (missing='learn', with split='univariate' or 'bivariate')."
        ),
        "path": (
            "{name} is the path {path!r}: expected rows in memory. Read the file first, such as with pandas.read_csv, "
            "and a folder file by file."
        ),
        "labels_of_rows": "y has shape {shape}, but X has {n_rows} rows; give one label for each.",
        "n_jobs": (
            "n_jobs={n_jobs!r}: use a whole number of threads >= 1, None or -1 for every core, -2 for all but one."
        ),
        "ordered_levels": (
            "Column {column!r} has the ordered levels {levels:literals .200}: give at least two, each once, without "
            "{between!r} and {opens!r} in them, or take the order away (Categorical.as_unordered)."
        ),
        "artifact.lacks": "{artifact} needs {lacking:and}.",
        "artifact.package": "{artifact}: install the package {package} (pip install {package}).",
    },
)
