"""`LEAF_STEPS`: the leaf step of each kind of leaves, and those of trees with one prediction per leaf."""

from collections.abc import Callable, Mapping

import numpy as np

from treecore.constraints.monotone import Monotone
from treecore.data.training_data import TrainingData
from treecore.training.linear_leaf_step import LinearLeafStep
from treecore.tree.leaf_model import ConstantLeaves
from treecore.tree.working_tree import WorkingTree


class ConstantLeafStep:
    """Leaf step of TAO. `LinearLeafStep` has the same members.

    `current` contains the present values of the rows, with the rows on the last axis. Here these are predictions [n].
    """

    def __init__(self, data: TrainingData, tree: WorkingTree, frozen: np.ndarray) -> None:
        self.data, self.tree = data, tree
        tree.leaf_kind = ConstantLeaves

    def begin(self, leaf: np.ndarray) -> None:
        """Prepare the first pass. leaf : int64[n], leaf of each row."""

    def arrange(self, leaf: np.ndarray, lam: float, run: Callable) -> None:
        """Prepare a pass. leaf : leaf of each row, in the order of the tree."""
        data = self.data
        self._best = data.loss.leaf_labels(leaf, data.y, data.weights, self.tree.labels)

    def at(self, leaf: np.ndarray, run: Callable) -> np.ndarray:
        """Return the values of each row in its leaf, [..., n].

        leaf : int64[n], -1 for none; run : maps a function over a list (threads).
        """
        return self.tree.labels[leaf]

    def solve(
        self, leaves: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        """Optimise `leaves` on their rows [start, stop) and write the new values of the rows."""
        changed = leaves[self.tree.labels[leaves] != self._best[leaves]]
        self.tree.labels[changed] = self._best[changed]
        for node in changed:
            current[starts[node] : stops[node]] = self.tree.labels[node]

    def share(
        self, nodes: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        """Improve the shared weights of the leaves below each of the decision `nodes`."""

    def compared(self, current: np.ndarray) -> tuple[np.ndarray, int]:
        """Return the values [n] that `signed_losses` compares, and their form."""
        return self.data.loss.compared(current, self.data.y), self.data.loss.form

    def loss(self, current: np.ndarray) -> float:
        """Return the total loss in the objective."""
        return self.data.loss.total(current, self.data.y, self.data.weights)

    error_loss = loss  # total loss from which errors are computed

    def keep_losses(self, leaf: np.ndarray, current: np.ndarray) -> None:
        """Store losses in the tree that its nodes' values do not determine."""


class MonotoneLeafStep(ConstantLeafStep):
    """Leaf step under constraints between the leaves. All leaves are optimised at once, at the start of a pass."""

    def __init__(self, data: TrainingData, tree: WorkingTree, frozen: np.ndarray, monotone: Monotone) -> None:
        super().__init__(data, tree, frozen)
        self.frozen, self.monotone = frozen, monotone

    def arrange(self, leaf: np.ndarray, lam: float, run: Callable) -> None:
        """Prepare a pass. leaf : leaf of each row, in the order of the tree."""
        self.monotone.fit(self.tree, self.data, leaf, self.frozen)
        self._best = self.tree.labels


# Leaf step of each of the `LEAF_KINDS`.
LEAF_STEPS: Mapping[str, Callable] = {"constant": ConstantLeafStep, "linear": LinearLeafStep}
