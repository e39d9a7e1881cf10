"""`AbsoluteLoss`: the sum of absolute errors, which outliers change less than the squared error."""

import numpy as np

from treecore.data.losses import LOSSES, SquaredLoss
from treecore.errors import ParameterError

# columns of the values of a node
WEIGHT, MEDIAN, SQUARES, DEVIATION, MEAN = range(5)


class AbsoluteLoss(SquaredLoss):
    """Weighted sum of absolute errors. A leaf predicts the median of its points.

    Initial trees are grown by the squared error. The values of a node are the weight of its points, their median, the
    mean squared and the mean absolute difference from it, and their mean, float64[5]. A `Tree` stores the first three.
    """

    form, is_usual = LOSSES, False
    unit_name, grid_range = "mean absolute deviation", 1e-4

    def leaf_labels(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> np.ndarray:
        medians = _medians(leaf, y, weights, labels.size)
        return np.where(np.isnan(medians), labels, medians)

    def leaf_values(self, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray, n_nodes: int) -> np.ndarray:
        median = np.nan_to_num(_medians(leaf, y, weights, n_nodes))
        weight, off = np.bincount(leaf, weights, n_nodes), y - median[leaf]
        safe = np.where(weight > 0, weight, 1.0)
        means = (np.bincount(leaf, weights * one, n_nodes) / safe for one in (off**2, np.abs(off), off))
        squares, deviation, shift = means
        return np.stack([weight, median, squares, deviation, median + shift], axis=1)

    def node_values(
        self, left: np.ndarray, right: np.ndarray, leaf: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the values of all nodes from the rows, because medians cannot be merged."""
        found, parents = np.zeros((left.size, 5)), np.full(left.size, -1)
        inner = np.flatnonzero(left >= 0)
        parents[left[inner]] = parents[right[inner]] = inner
        depths = np.zeros(left.size, np.int64)
        for node in inner:
            depths[left[node]] = depths[right[node]] = depths[node] + 1
        at = leaf
        for depth in range(int(depths.max()), -1, -1):
            here = depths[at] == depth
            found += self.leaf_values(at[here], y[here], weights[here], left.size)
            at = np.where(here, parents[at], at)
        return found

    def merge_up(self, left: np.ndarray, right: np.ndarray, values: np.ndarray) -> None:
        raise NotImplementedError("Medians cannot be merged. Use node_values.")

    def losses_of(self, values: np.ndarray) -> np.ndarray:
        return values[..., WEIGHT] * values[..., DEVIATION]

    def stored(self, values: np.ndarray, labels: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = values[:, : SQUARES + 1].copy()
        shift = labels[kept] - values[kept, MEDIAN]
        found[kept, SQUARES] += shift * (shift + 2 * (values[kept, MEDIAN] - values[kept, MEAN]))
        found[kept, MEDIAN] = labels[kept]
        return found, np.zeros(len(values), np.int32)

    def row_losses(self, predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | float) -> np.ndarray:
        return weights * np.abs(predicted - y)

    def unit(self, y: np.ndarray, weights: np.ndarray) -> float:
        """Return the mean absolute deviation from the median."""
        return self.one_leaf(y, weights) / float(weights.sum())

    def one_leaf(self, y: np.ndarray, weights: np.ndarray) -> float:
        return float(self.losses_of(self.leaf_values(np.zeros(y.size, np.int64), y, weights, 1))[0])

    def leaf_sums(self, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, int]:
        raise ParameterError("block=2 does not support loss='absolute_error'. Use block=1.")


def _medians(group: np.ndarray, y: np.ndarray, weights: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the weighted median of each group of rows, float64[n_groups], NaN without rows.

    If half of the weight is below a gap between two values, the median is the middle of the gap. The sums of the
    weights are exact (`exactly_added`).
    """
    order = np.lexsort((y, group))
    values, below = y[order], np.append(0.0, np.cumsum(weights[order]))
    edges = np.append(0, np.cumsum(np.bincount(group, minlength=n_groups)))
    used = np.flatnonzero(np.diff(edges))
    half = below[edges[used]] + 0.5 * (below[edges[used + 1]] - below[edges[used]])
    low = np.searchsorted(below[1:], half)
    high = np.minimum(low + (below[low + 1] == half), edges[used + 1] - 1)
    medians = np.full(n_groups, np.nan)
    medians[used] = values[low] + 0.5 * (values[high] - values[low])
    return medians
