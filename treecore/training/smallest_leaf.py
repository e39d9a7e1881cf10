"""`min_samples_leaf`: leaves have enough training rows, or none. `prune` removes leaves without rows."""

import math
import numbers

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.tree.split import Split, constant_split
from treecore.tree.working_tree import WorkingTree


def least_rows(min_samples_leaf: float, n_rows: int) -> int:
    """Return the smallest number of rows in a leaf. min_samples_leaf : this number, or a share of `n_rows` (float)."""
    if isinstance(min_samples_leaf, numbers.Integral):
        return int(min_samples_leaf)
    return max(1, math.ceil(min_samples_leaf * n_rows))


class SmallestLeaf:
    """Constraint on the number of training rows in the leaves of a working tree.

    data : TrainingData; tree : WorkingTree; least : int >= 1, smallest number of rows; frozen : bool[m], unchanged
    nodes, whose children may have fewer rows.
    """

    def __init__(self, data: TrainingData, tree: WorkingTree, least: int, frozen: np.ndarray) -> None:
        self.data, self.tree, self.least = data, tree, least
        self._free = tree.decisions[~frozen[tree.decisions]]
        self._leaf = np.empty(data.n_rows, np.int64)

    def establish(self) -> None:
        """If a side of a decision node has too few rows, send all rows of the node to the other side, bottom-up."""
        tree, free = self.tree, self._free
        while True:
            left, right = self._sides(0, 0, self.data.n_rows)
            is_small = self._are_small(left, right)
            if not is_small.any():
                return
            lowest = is_small & (tree.depth[free] == tree.depth[free[is_small]].max())
            for node, goes_right in zip(free[lowest], (right > left)[lowest], strict=True):
                tree.set_split(node, constant_split(bool(goes_right)))

    def chosen(self, node: int, split: Split, start: int, stop: int, signed: np.ndarray, lam: float) -> Split:
        """Return the new split of a node if every leaf below the node then has enough rows, or none.

        Otherwise, return a constant split with this property that does not increase the objective, else the current
        split.
        start, stop : row range of the node; signed : float64[stop - start], gain of each row on the right.
        """
        own = self.tree.splits[node]
        present = lam * own.penalty - self._gain(own, start, stop, signed)
        constants = [(0.0, constant_split(False)), (-float(signed.sum()), constant_split(True))]
        others = sorted((one for one in constants if one[0] <= present), key=lambda one: one[0])
        candidates = [split, *(one for _, one in others)]
        found = next((one for one in candidates if self._is_permitted(node, one, start, stop)), own)
        self.tree.set_split(node, own)
        return found

    def _gain(self, split, start, stop, signed):
        return float(signed[split.goes_right(self.data.columns.margins(start, stop, split))].sum())

    def _is_permitted(self, node, split, start, stop):
        self.tree.set_split(node, split)
        return not self._are_small(*self._sides(node, start, stop)).any()

    def _are_small(self, left, right):
        fewer = np.minimum(left, right)
        return (fewer > 0) & (fewer < self.least)

    def _sides(self, node, start, stop):
        """Count the rows [start, stop) of `node` on each side of the nodes that may change, int64[2, k]."""
        tree = self.tree
        self.data.columns.leaves(tree.routing(), node, start, stop, self._leaf)
        ranks = tree.rank[self._leaf[start:stop]]
        below = np.concatenate([[0], np.cumsum(np.bincount(ranks, minlength=tree.n_leaves))])
        counts = below[tree.last] - below[tree.first]
        return counts[np.stack([tree.left[self._free], tree.right[self._free]])]
