"""`RowSource`: rows that are read in parts, from memory, files or a cluster, and `SubsetSource`: a random share."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np


class PartRows(NamedTuple):
    """Rows of one part.

    X : [n, d], an array of numbers, or a DataFrame if columns have text; y : [n], targets; weights : float64[n], or
    None.
    """

    X: Any
    y: np.ndarray
    weights: np.ndarray | None = None


class RowPart(Protocol):
    """Part of a source that fits in memory and can be read again and again, also in another process."""

    @property
    def name(self) -> str:
        """Name of the part in messages."""
        ...

    def read(self) -> PartRows:
        """Return the rows of the part."""
        ...


class RowSource(Protocol):
    """Rows in parts."""

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the columns of X, or None."""
        ...

    def parts(self) -> Sequence[RowPart]:
        """Return the parts."""
        ...


class ArrayPart(NamedTuple):
    """Rows of an array in memory."""

    name: str
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None = None

    def read(self) -> PartRows:
        """Return the rows of the part."""
        return PartRows(self.X, self.y, self.weights)


class ArraySource:
    """Rows in memory, in parts of `size` rows. X : [n, d]; y : [n]; weights : float64[n] or None."""

    def __init__(self, X: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None, size: int = 250_000) -> None:
        self.X, self.y, self.weights, self.size = X, y, weights, size
        self.feature_names = None

    def parts(self) -> list[ArrayPart]:
        """Return the parts."""
        n = len(self.y)
        ranges = [slice(low, min(low + self.size, n)) for low in range(0, n, self.size)]
        return [
            ArrayPart(
                f"rows {one.start} to {one.stop - 1}", self.X[one], self.y[one],
                None if self.weights is None else self.weights[one],
            )
            for one in ranges
        ]  # fmt: skip


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
