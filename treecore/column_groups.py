"""Columns of categories among features, found by the names of the features."""

from collections.abc import Container, Sequence
from itertools import groupby


def column_groups(names: Sequence[str] | None) -> list[range]:
    """Return the ranges of two or more features that are categories of one column, such as ``colour = red``."""
    groups, start, names = [], 0, names or ()
    for column, members in groupby(names, lambda name: name.rpartition(" = ")[0]):
        stop = start + len(list(members))
        if column and stop - start > 1 and len(set(names[start:stop])) == stop - start:
            groups.append(range(start, stop))
        start = stop
    return groups


def others_name(n: int, categories: Container[str]) -> str:
    """Return a name such as "others (12 categories)" for n combined categories, which is none of `categories`."""
    name = f"others ({n:,} categories)"
    while name in categories:
        name += "_"
    return name
