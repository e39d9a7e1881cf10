"""Two-probe splits: thresholds on the difference of two features (Norouzi et al. 2015b, section 6.2)."""

import numpy as np

from treecore.initial import greedy, impurity_kernels
from treecore.tree.split import Split


class TwoProbeSearch:
    """Search for the best threshold on the difference of two scaled features, over random pairs of features.

    n_pairs : int >= 1, number of pairs drawn at each node. If there are no more pairs than this, all are tried.
    """

    def __init__(self, n_pairs: int) -> None:
        self.n_pairs = n_pairs

    def __call__(self, node):
        """Return the split of a `greedy.Node`: a univariate one if no difference varies, None if no feature varies."""
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
        """Return two arrays of features. The first feature of each pair has the smaller index."""
        first, second = np.triu_indices(node.usable.size, 1)
        if self.n_pairs < first.size:
            chosen = np.sort(node.rng.choice(first.size, self.n_pairs, replace=False))
            first, second = first[chosen], second[chosen]
        return node.usable[first], node.usable[second]
