"""Counts and statistics of the rows of a node."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Figures(NamedTuple):
    """Rows of a node. n : int; n_all : rows of the tree; counts, right : int64[groups of the target], rows that reach
    it and that go right; loss : sum of their losses in the leaves below; leading : group of at least half of them, for
    numbers that of their mean, or None; statistics : {name: float} of the `treecore.statistics` that the node has, NaN
    without rows."""

    n: int
    n_all: int
    counts: np.ndarray
    right: np.ndarray
    loss: float
    leading: int | None
    statistics: Mapping[str, float]

    @property
    def share(self) -> float:
        """Share of all rows, in [0, 1]."""
        return self.n / max(self.n_all, 1)
