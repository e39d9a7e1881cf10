"""`Catalogue`: the sentences of one area, each under a code, with the values that it is about."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any


class Sentence(str):
    """Text for people that keeps what it was made of.

    Parameters
    ----------
    text : str
    code : str, default=""
        Area and name of the sentence, such as "foreign.lightgbm.version".
    values : mapping of str to object, optional
        What the text contains.
    """

    code: str
    values: dict[str, Any]

    def __new__(cls, text: str, code: str = "", values: Mapping[str, Any] | None = None) -> Sentence:
        made = super().__new__(cls, text)
        made.code, made.values = code, dict(values or {})
        return made

    def __reduce__(self) -> tuple:
        return Sentence, (str(self), self.code, self.values)


class _Words(string.Formatter):
    """Fields of texts, with two formats of our own: ``{n:count row}`` and ``{names:list}``."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("count "):
            return counted(value, format_spec.removeprefix("count "))
        return listed(value) if format_spec == "list" else super().format_field(value, format_spec)


class Catalogue:
    """Sentences of one area.

    Parameters
    ----------
    area : str
        First part of every code.
    texts : mapping of str to str
        Text of each sentence by the rest of its code. Its fields are those of `str.format`; ``{n:count row}`` writes
        "1 row" or "3 rows" and ``{names:list}`` the first five names in quotation marks.

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
        return Sentence(_Words().vformat(self.texts[name], (), values), f"{self.area}.{name}", values)

    def fields(self, name: str) -> set[str]:
        """Names of the values that the sentence `name` contains."""
        found = (field for _, field, _, _ in string.Formatter().parse(self.texts[name]) if field)
        return {field.partition(".")[0].partition("[")[0] for field in found}


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
        "not_a_choice": "{name}={value!r}: use one of {choices}.",
        "not_whole": "{name}={value!r}: use a whole number >= {least}.",
    },
)
