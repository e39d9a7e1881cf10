"""Names of columns that can stand in one table."""

from collections.abc import Iterable
from typing import Any


def distinct_names(names: Iterable[Any], taken: Iterable[str] = ()) -> list[str]:
    """The same names, numbered where one comes twice or is one of `taken`: list of str."""
    taken, out = set(taken), []
    for name in map(str, names):
        free, count = name, 1
        while free in taken:
            count += 1
            free = f"{name} ({count})"
        taken.add(free)
        out.append(free)
    return out
