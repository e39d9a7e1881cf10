"""`NodeSolver`: interface of solvers for the reduced problem of a decision node."""

from typing import Protocol

import numpy as np

from treecore.node_solvers.permitted import Permitted
from treecore.tree.split import Split


class NodeSolver(Protocol):
    """Interface of a node solver.

    monotone : whether its solutions never increase the objective of the tree. A monotone solver also has
    `least_penalty`, the smallest penalty of a split with features, and ``next_lambda(start, stop, signed, lam, current,
    permitted) -> float``, which returns the lambda above `lam` up to which `current`, the best split at `lam`, remains
    the best.
    """

    monotone: bool

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split in raw units, not multiplied by lambda."""

    def solve(
        self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split, permitted: Permitted | None = None
    ) -> Split:
        """Return the best split for the rows [start, stop) of the training data.

        signed : float64[stop - start], weighted loss of each point on the left minus that on the right (negative if the
        left child is better, 0 for don't-care points); current : current split of the node, used as a warm start;
        permitted : features that the new split may use, None for all. Only monotone solvers support it.
        """
