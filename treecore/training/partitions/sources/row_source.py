"""`RowSource`: rows that are read in parts, from memory, files or a cluster."""

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
