"""Parts of messages: numbers with nouns, lists of names, and shortened values."""

from collections.abc import Iterable
from typing import Any

import numpy as np

_LARGEST_WHOLE = 10**60
_MOST_CHARACTERS = 60  # of a text in a list


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 row", "1,200 rows", "2 classes" or "3 leaves"."""
    if number == 1:
        return f"1 {noun}"
    several = noun[:-1] + "ves" if noun.endswith("f") else noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {several}"


def plural(number: int, one: str, several: str) -> str:
    """Return `one` for the number 1, and `several` for any other number."""
    return one if number == 1 else several


def literal(value: Any, most: int | None = None) -> str:
    """Return the Python literal of a value, cut after `most` characters.

    Numbers of NumPy are written as those of Python. Whole numbers with more digits than Python can format are described
    in words.
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, int) and abs(value) > _LARGEST_WHOLE:
        return "a number with very many digits"
    return repr(value)[:most]


def literals(values: Iterable, most: int | None = None, between: str = ", ") -> str:
    """Return the Python literals of the first `most` values, and the number of remaining values."""
    return joined([literal(one[:_MOST_CHARACTERS] if isinstance(one, str) else one) for one in values], most, between)


def joined(values: Iterable, most: int | None = None, between: str = ", ") -> str:
    """Return the first `most` values and the number of remaining values, such as "a, b and 3 more"."""
    values = list(values)
    shown = between.join(map(str, values[:most]))
    return shown + (f" and {len(values) - most:,} more" if most is not None and len(values) > most else "")


def listed(names: Iterable, most: int = 5) -> str:
    """Return the first `most` names in quotation marks, and the number of remaining names."""
    return joined([f"'{str(name)[:_MOST_CHARACTERS]}'" for name in names], most)
