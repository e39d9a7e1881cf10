"""Two-probe splits: the difference of two features against a threshold (Norouzi et al. 2015b, section 6.2)."""

import numpy as np

from treecore.initial import greedy, impurity_kernels
from treecore.tree.split import Split


class TwoProbeSearch:
    """Search for the best threshold on the difference of two scaled features, over random pairs of them.

    n_pairs : int >= 1, pairs that are drawn at each node; all pairs are tried if there are no more.
    """

    def __init__(self, n_pairs: int) -> None:
        self.n_pairs = n_pairs

    def __call__(self, node):
        """Return the split of a `greedy.Node`: univariate if no difference varies, None if no feature varies."""
        if node.usable.size > 1:
            first, second = self._pairs(node)
            data = node.data
            raw = np.empty((2, node.points.size))
            differences = np.empty((first.size, node.points.size))
            for pair, (j, k) in enumerate(zip(first, second, strict=True)):
                impurity_kernels.gather(data.columns.values, np.array([j, k]), node.points, raw)
                weights = data.inverse_scale[[j, k]]
                differences[pair] = weights[0] * raw[0] - weights[1] * raw[1]
            score, pair, below, above = greedy.best_row(node, differences)
            if pair >= 0:
                j, k = first[pair], second[pair]
                weights = np.array([data.inverse_scale[j], -data.inverse_scale[k]])
                split = Split(np.array([j, k], np.int32), weights, -(below + (above - below) / 2), 1.0)
                goes_right = node.goes_right(split)
                if goes_right.any() and not goes_right.all():
                    return split
        found = greedy.best_threshold(node)
        return found and found[1]

    def _pairs(self, node):
        """Return two arrays of features, the first of each pair below the second."""
        first, second = np.triu_indices(node.usable.size, 1)
        if self.n_pairs < first.size:
            chosen = np.sort(node.rng.choice(first.size, self.n_pairs, replace=False))
            first, second = first[chosen], second[chosen]
        return node.usable[first], node.usable[second]
