"""`SubsetSource`: a random share of the rows of a source, such as the training rows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.training.partitions.sources.row_source import PartRows, RowPart, RowSource

_STREAM = 1  # of the random numbers, which are independent of those of the survey


class SubsetPart(NamedTuple):
    """Rows of a part whose random number is in one of `ranges`. number : index of the part; seed : int >= 0."""

    part: RowPart
    number: int
    seed: int
    ranges: tuple[tuple[float, float], ...]

    @property
    def name(self) -> str:
        """Name of the part."""
        return self.part.name

    @property
    def n_rows(self) -> int:
        """Approximate number of rows."""
        return int(self.part.n_rows * sum(high - low for low, high in self.ranges))

    def read(self) -> PartRows:
        """Return the rows."""
        X, y, weights = self.part.read()
        chance = np.random.default_rng([self.seed, self.number, _STREAM]).random(len(X))
        keep = np.zeros(len(X), np.bool_)
        for low, high in self.ranges:
            keep |= (chance >= low) & (chance < high)
        X = X[keep].reset_index(drop=True) if hasattr(X, "iloc") else X[keep]
        return PartRows(X, None if y is None else y[keep], None if weights is None else weights[keep])


class SubsetSource:
    """Rows of a source whose random number in [0, 1) is in one of `ranges`, which are the same in every reading.

    seed : int >= 0; ranges : pairs (low, high).
    """

    def __init__(self, source: RowSource, seed: int, ranges: Sequence[tuple[float, float]]) -> None:
        self.source, self.seed, self.ranges = source, seed, tuple(ranges)
        self.feature_names = source.feature_names
        self.memory = getattr(source, "memory", None)

    def parts(self) -> list[SubsetPart]:
        """Return the parts."""
        return [SubsetPart(part, i, self.seed, self.ranges) for i, part in enumerate(self.source.parts())]
