"""Rows of a node in numbers."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Figures(NamedTuple):
    """Rows of a node. n : int; n_all : rows of the tree; counts, right : int64[groups of the target], rows that
    reach it and that go right; loss : sum of their losses in the leaves below; leading : group that at least half of
    them have, of numbers that of their mean, or None; statistics : {name: float} of those of `treecore.statistics` that
    the node has, NaN if there are no rows."""

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
