"""Counts and statistics for the rows in a node."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Figures(NamedTuple):
    """Counts and statistics of a node.

    n : number of rows
    n_all : rows in the tree
    counts, right : int64[groups of the target], rows that reach the node, and rows that go right
    loss : sum of the losses of these rows in the leaves below
    leading : group that holds at least half of the rows, in regression the group of their mean, or None
    statistics : {name: float} of the `treecore.statistics` that apply to the node, NaN without rows
    """

    n: int
    n_all: int
    counts: np.ndarray
    right: np.ndarray
    loss: float
    leading: int | None
    statistics: Mapping[str, float]

    @property
    def share(self) -> float:
        """Return the share of all rows, in [0, 1]."""
        return self.n / max(self.n_all, 1)
