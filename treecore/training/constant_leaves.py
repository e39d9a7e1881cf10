"""`ConstantLeaves`: the leaf step of trees whose leaves predict one value each."""

from collections.abc import Callable

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.tree.working_tree import WorkingTree


class ConstantLeaves:
    """What TAO asks of the leaves. `LinearLeafStep` has the same members.

    What the rows get ("current") is an array whose last axis are the rows: here the predictions [n].
    """

    def __init__(self, data: TrainingData, tree: WorkingTree, frozen: np.ndarray) -> None:
        self.data, self.tree = data, tree

    def begin(self, leaf: np.ndarray) -> None:
        """Before the first pass, with the leaf int64[n] of each row."""

    def arrange(self, leaf: np.ndarray, lam: float, run: Callable) -> None:
        """Before each pass, with the leaf of each row in the order of the tree."""
        data = self.data
        self._best = data.loss.leaf_labels(leaf, data.y, data.weights, self.tree.labels)

    def at(self, leaf: np.ndarray, run: Callable) -> np.ndarray:
        """[..., n]: what each row gets in its `leaf` int64[n] (-1: not asked for). `run` maps a function over a list
        (threads)."""
        return self.tree.labels[leaf]

    def solve(
        self, leaves: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        """Give each of the `leaves` what is best for its rows [start, stop), and write what they get then."""
        changed = leaves[self.tree.labels[leaves] != self._best[leaves]]
        self.tree.labels[changed] = self._best[changed]
        for node in changed:
            current[starts[node] : stops[node]] = self.tree.labels[node]

    def share(
        self, nodes: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        """Better what the leaves below each of the decision `nodes` share."""

    def compared(self, current: np.ndarray) -> tuple[np.ndarray, int]:
        """What `signed_losses` compares of it: ([n], its form)."""
        return current, self.data.loss.form

    def loss(self, current: np.ndarray) -> float:
        """Sum of the losses of the objective."""
        return self.data.loss.total(current, self.data.y, self.data.weights)

    error_loss = loss  # sum of the losses that errors are told by

    def keep_losses(self, leaf: np.ndarray, current: np.ndarray) -> None:
        """Keep in the tree what it cannot work out from the values of its nodes."""
