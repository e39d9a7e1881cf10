"""Counts as bars: rows of each class, or a histogram of a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.number_text import number
from viz.palette import CLASS_COLORS


class Bars(NamedTuple):
    """Bars of counts.

    names : full text of each bar
    counts : int each
    colors : hex each
    title : label of the counted rows
    ends : texts of the edges if the bars are ranges of numbers, otherwise empty
    """

    names: tuple[str, ...]
    counts: tuple[int, ...]
    colors: tuple[str, ...]
    title: str
    ends: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """Describe the largest bar."""
        if not self.counts:
            return f"{self.title}: none"
        most = max(range(len(self.counts)), key=self.counts.__getitem__)
        return f"{self.title} as {len(self.counts)} bars; most: {self.counts[most]:,} at {self.names[most]}"


def column_bars(counts: Sequence, edges: Sequence, top: Sequence, is_date: bool) -> Bars:
    """Return `Bars` of a column of a table: its histogram if it has edges, otherwise its most frequent values.

    counts, edges : int[k] and k + 1 edges (for dates in days since 1970), or both empty
    top : (value, count) pairs
    """
    ends = ()
    if counts and not is_date and all(edge % 1 == 0.5 for edge in edges) and edges[-1] - edges[0] == len(counts):
        names = tuple(number(edge + 0.5) for edge in edges[:-1])  # one bar for each whole number
    elif counts:
        ends = tuple(str(np.datetime64(round(edge), "D")) if is_date else number(edge, 4) for edge in edges)
        names = tuple(f"{low} to {high}" for low, high in zip(ends[:-1], ends[1:], strict=True))
    else:
        names, counts = tuple(value for value, _ in top), tuple(count for _, count in top)
    return Bars(names, tuple(counts), (CLASS_COLORS["light"][0],) * len(names), "rows", ends)
