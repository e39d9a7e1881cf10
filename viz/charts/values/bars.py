"""Counts as bars: rows of each class, or a histogram of a column."""

from typing import NamedTuple


class Bars(NamedTuple):
    """names : full texts of the bars; counts : int each; colors : hex each; title : what is counted."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    colors: tuple[str, ...]
    title: str

    @property
    def description(self):
        """The largest in words."""
        if not self.counts:
            return f"{self.title}: none"
        most = max(range(len(self.counts)), key=self.counts.__getitem__)
        return f"{self.title} as {len(self.counts)} bars; most: {self.counts[most]:,} at {self.names[most]}"
