"""CO2 stumps: one oblique split and its two leaves, optimised together (file 004, section 4)."""

from typing import NamedTuple

import numpy as np

from treecore.baselines import co2_kernels as kernels
from treecore.initial import greedy
from treecore.initial.oblique_cart import scaled_hyperplane

SMOOTHING = 0.1  # weight added to each class of a leaf, in points, where its log-probabilities are estimated


class Stump(NamedTuple):
    """w : float64[k + 1] over scaled features and 1; theta : float64[2, classes], unnormalised log-probabilities of the
    left and right leaf; trace : float64[epochs + 1], surrogate (weighted mean) from the initial stump on."""

    w: np.ndarray
    theta: np.ndarray
    trace: np.ndarray


class CO2Search:
    """The split of a CO2 stump at a node, from its best threshold or oblique split.

    nu : float > 0, bound of the squared norm of the weights; learning_rate : float > 0; momentum : float in [0, 1);
    batch_size, n_epochs, patience : int >= 1; cuts : int >= 0, see `optimise_stump`; start : search of a `greedy.Node`,
    see `threshold_search` and `ObliqueSearch`.
    """

    def __init__(self, nu, learning_rate, momentum, batch_size, n_epochs, start, patience=5, cuts=4):
        self.nu, self.learning_rate, self.momentum, self.batch_size = nu, learning_rate, momentum, batch_size
        self.n_epochs, self.start, self.patience, self.cuts = n_epochs, start, patience, cuts

    def __call__(self, node):
        """Split of a `greedy.Node`, or None when no feature varies there; the start if the stump has an empty side."""
        first = self.start(node)
        if first is None:
            return None
        stump = self.stump(node, first)
        split = greedy.raw_split(node, node.usable, stump.w[:-1], stump.w[-1])
        if split is None:
            return first
        goes_right = node.goes_right(split)
        return first if goes_right.all() or not goes_right.any() else split

    def stump(self, node, first):
        """Optimised `Stump` of a node, from the split `first`."""
        rng, m = node.rng, node.points.size
        order = rng.permutation(m)
        data = node.data
        rows = np.empty((m, node.usable.size + 1), np.float32)
        kernels.gather_rows(data.columns.values, node.usable, node.points[order], data.center, data.inverse_scale, rows)
        classes, weights = node.channels[order], node.weights[order]
        epochs = max(self.n_epochs, -(-kernels.FEWEST_STEPS // -(-m // self.batch_size)))
        w = scaled_hyperplane(node, first)
        w *= np.sqrt(self.nu) / np.linalg.norm(w)
        theta = _log_shares(classes, weights, node.goes_right(first)[order], node.n_channels)
        trace = kernels.optimise_stump(
            rows, classes, weights, rng.integers(m, size=epochs), float(self.nu), float(self.learning_rate),
            float(self.momentum), self.batch_size, self.patience, self.cuts, w, theta,
        )  # fmt: skip
        return Stump(w, theta, trace)


def threshold_search(n_candidates):
    """Search for the best threshold on `n_candidates` random features (None: all), as a function of a node."""

    def search(node):
        found = greedy.best_threshold(node, n_candidates)
        return found and found[1]

    return search


def _log_shares(classes, weights, goes_right, n_classes):
    unit = weights.sum() / weights.size
    counts = [np.bincount(classes[side], weights[side], n_classes) for side in (~goes_right, goes_right)]
    return np.log(np.array(counts) + SMOOTHING * unit)
