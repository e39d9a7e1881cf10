"""Make column names of a table distinct."""

from collections.abc import Iterable
from typing import Any


def distinct_names(names: Iterable[Any], taken: Iterable[str] = ()) -> list[str]:
    """Return the names, with a number added to each one that is repeated or in `taken`."""
    taken, out = set(taken), []
    for name in map(str, names):
        free, count = name, 1
        while free in taken:
            count += 1
            free = f"{name} ({count})"
        taken.add(free)
        out.append(free)
    return out
