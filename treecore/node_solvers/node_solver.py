"""`NodeSolver`: what a solver of the reduced problem of one decision node has."""

from typing import Protocol

import numpy as np

from treecore.tree.split import Split


class NodeSolver(Protocol):
    """monotone : whether its solutions never raise the objective of the tree (any feature then costs at least 1).

    Monotone ones also have ``next_lambda(start, stop, signed, lam, current) -> float``: lambda above `lam` up to which
    `current`, the best split at `lam`, stays the best.
    """

    monotone: bool

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Cost of a split in raw units, before lambda."""

    def solve(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> Split:
        """Best split for the rows [start, stop) of the training data.

        signed : float64[stop - start], what the weighted loss of a point is lower by on the right than on the left:
        negative when the left child is better, 0 for don't care; current : the node's split so far, the warm start.
        """
