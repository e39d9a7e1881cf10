"""`Catalogue`: the sentences of one area, by code."""

from __future__ import annotations

import string
from collections.abc import KeysView, Mapping
from itertools import islice
from typing import Any

_MOST_CHARACTERS, _MOST_ENTRIES = 200, 1000  # limits for a value in a stored sentence
_LARGEST_WHOLE = 10**60
_ENDLESS = 10**9  # number of characters that means no limit
_LONG = "a number with very many digits"


class Sentence(str):
    """Displayed text with its code and values.

    Parameters
    ----------
    text : str
        The text.
    code : str, default=""
        Area and name of the sentence, such as "foreign.lightgbm.version".
    values : mapping of str to object, optional
        Values in the text, as JSON values.
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
        """Return text, code and values for storage. ``Sentence(**plain)`` restores the sentence."""
        return {"text": str(self), "code": self.code, "values": self.values}


class _Words(string.Formatter):
    """Formatter with the additional formats of `Catalogue`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        kind, _, rest = format_spec.partition(" ")
        if kind == "count":
            return counted(value, rest)
        if kind == "one":
            return rest.split("|")[value != 1]
        if kind == "list":
            return listed(value, int(rest)) if rest else listed(value)
        if kind.endswith("%"):
            return super().format_field(value, kind).replace("%", " %")
        return _joined(value, kind, rest) if kind in _JOINED else super().format_field(value, format_spec)

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return value if (value := _short(value)) is _LONG else super().convert_field(value, conversion)


def _literal(value: Any) -> str:
    return repr(value[:60] if isinstance(value, str) else value)


_JOINED = {"comma": (str, ", "), "and": (str, " and "), "literals": (_literal, ", "), "or": (_literal, " or ")}


def _joined(values: Any, kind: str, limits: str) -> str:
    """Join values, such as "a, b and 3 more" with the limits "2", or at most 80 characters with ".80"."""
    write, between = _JOINED[kind]
    values = list(values)
    most, _, characters = limits.partition(".")
    shown = between.join(map(write, values[: int(most or len(values))]))[: int(characters or _ENDLESS)]
    return shown + (f" and {len(values) - int(most):,} more" if most and len(values) > int(most) else "")


def _short(value: Any) -> Any:
    """Return a value, or a text for a whole number with more digits than Python can format."""
    is_long = isinstance(value, int) and abs(value) > _LARGEST_WHOLE
    return _LONG if is_long else value


class Catalogue:
    """Sentences of one area.

    Parameters
    ----------
    area : str
        First part of every code.
    texts : mapping of str to str
        Text of each sentence by the rest of its code. Fields are those of `str.format`, with additional formats.
        ``{n:count row}`` gives "1 row" or "3 rows". ``{n:one is|are}`` gives "is" for 1 and "are" for any other number.
        ``{names:list}`` gives the first five names in quotation marks, and ``{names:list 3}`` the first three.
        ``{names:comma}`` and ``{names:and}`` join all names with commas or "and". ``{names:literals}`` and
        ``{names:or}`` join their Python literals. ``{names:comma 8}`` gives the first eight, and ``{names:comma .80}``
        at most 80 characters. ``{share:.1%}`` gives "12.3 %".

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
        """Return the sentence `name` with its values. Raise KeyError for an unknown name or a missing value."""
        text = _Words().vformat(self.texts[name], (), values)
        return Sentence(text, f"{self.area}.{name}", {field: _plain(value) for field, value in values.items()})

    def require(self, condition: Any, kind: type[Exception], name: str, /, **values: Any) -> None:
        """Raise `kind` with the sentence `name` unless `condition` is true."""
        if not condition:
            raise kind(self(name, **values))

    def fields(self, name: str) -> set[str]:
        """Return the names of the values in the sentence `name`."""
        found = (field for _, field, _, _ in string.Formatter().parse(self.texts[name]) if field)
        return {field.partition(".")[0].partition("[")[0] for field in found}


def _plain(value: Any) -> Any:
    """Convert a value to a JSON value, so that sentences can be stored and sent."""
    if hasattr(value, "tolist"):  # a numpy value, detected without the slow import of numpy
        value = value.tolist()
    value = _short(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple | set | frozenset | range | KeysView):
        return [_plain(one) for one in islice(value, _MOST_ENTRIES)]
    return str(value)[:_MOST_CHARACTERS]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 row", "1,200 rows", "2 classes" or "3 leaves"."""
    if number == 1:
        return f"1 {noun}"
    several = noun[:-1] + "ves" if noun.endswith("f") else noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {several}"


def listed(names: Any, most: int = 5) -> str:
    """Return the first `most` names in quotation marks and the number of remaining names."""
    names = list(names)
    shown = ", ".join(f"'{str(name)[:60]}'" for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


MESSAGES = Catalogue(
    "parameter",
    {
        "not_a_choice": "{name}={value!r}: expected one of {choices:literals}.",
        "not_finite": "{name}={value!r}: expected a finite number.",
        "too_small": "{name}={value!r}: expected a finite number >= {least:g}.",
        "too_large": "{name}={value!r}: expected a finite number <= {most:g}.",
        "not_between": "{name}={value!r}: expected a finite number >= {least:g} and <= {most:g}.",
        "not_whole": "{name}={value!r}: expected a whole number >= {least}.",
        "not_in_memory": "{name} is {what}: expected rows in memory. {verb} it first with {name}.{method}().",
        "missing_values": (
            "{said}contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with "
            "missing='learn' and split='univariate' or 'bivariate'."
        ),
        "masked": (
            "{name} has {n_masked:count masked value}. Leave out these rows, or pass X.filled(numpy.nan) with "
            "missing='learn'."
        ),
        "path": (
            "{name} is the path {path!r}: expected rows in memory. Read the file first, for example with "
            "pandas.read_csv. Read a folder file by file."
        ),
        "labels_of_rows": "y has shape {shape}, but X has {n_rows} rows. Pass one label for each row.",
        "n_jobs": (
            "n_jobs={n_jobs!r}: expected a number of threads >= 1, None or -1 (every core), or -2 (all but one)."
        ),
        "ordered_levels": (
            "Column {column!r} has the ordered levels {levels:literals .200}: expected at least two "
            "different levels, none of which contains {between!r} or {opens!r}. Rename the levels, or remove the order "
            "with Categorical.as_unordered."
        ),
        "artifact.lacks": "{artifact} needs {lacking:and}.",
        "artifact.package": (
            "{artifact} needs the package {package}, which is not installed. Run pip install {package}."
        ),
    },
)
