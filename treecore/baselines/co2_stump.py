"""CO2 stumps: one oblique split and its two leaves, optimised together (Norouzi et al. 2015b, section 4).

The points of a node are centred and scaled by one factor for all features. The bound on the weights then has the same
meaning at the root and at deep nodes, where points are close together and far from the centre of the data.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.baselines import co2_kernels as kernels
from treecore.initial import greedy
from treecore.initial.greedy import Node
from treecore.initial.oblique_cart import scaled_hyperplane
from treecore.tree.split import Split

# Norm of the initial weights. With a larger norm, hardly any point has a nonzero gradient.
START_NORM = 2.0
SMOOTHING = 0.1  # weight, in points, added to each class of a leaf before the log-probabilities are estimated


class Stump(NamedTuple):
    """Optimised stump and the course of the optimisation.

    w : float64[k + 1], weights of the columns of `rows`, the constant last; theta : float64[2, parameters] of the left
    and right leaf, see `leaf_loss_kernels`; coefficients : float64[k + 1], w for the scaled features of the data; rows
    : float32[m, k + 1], standardised points of the node in the order `order` int64[m], and 1; trace : float64[epochs +
    1], weighted mean surrogate, initially and after each epoch.
    """

    w: np.ndarray
    theta: np.ndarray
    coefficients: np.ndarray
    rows: np.ndarray
    order: np.ndarray
    trace: np.ndarray


class CO2Search:
    """Search for the CO2 split of a node, from its best threshold or oblique split.

    nu : float > 0, bound on the squared norm of the weights; learning_rate : float > 0; momentum : float in [0, 1);
    batch_size, n_epochs, patience : int >= 1; cuts : int >= 0, see `optimise_stump`; start : search of a `greedy.Node`,
    see `threshold_search` and `ObliqueSearch`.
    """

    def __init__(
        self,
        nu: float,
        learning_rate: float,
        momentum: float,
        batch_size: int,
        n_epochs: int,
        start: Callable,
        patience: int = 5,
        cuts: int = 4,
    ) -> None:
        self.nu, self.learning_rate, self.momentum, self.batch_size = nu, learning_rate, momentum, batch_size
        self.n_epochs, self.start, self.patience, self.cuts = n_epochs, start, patience, cuts

    def __call__(self, node):
        """Return the split of a `greedy.Node`, or None if no feature varies.

        If the stump has an empty side, the initial split is returned.
        """
        first = self.start(node)
        if first is None:
            return None
        coefficients = self.stump(node, first).coefficients
        split = greedy.raw_split(node, node.usable, coefficients[:-1], coefficients[-1])
        if split is None:
            return first
        goes_right = node.goes_right(split)
        return first if goes_right.all() or not goes_right.any() else split

    def stump(self, node: Node, first: Split) -> Stump:
        """Optimise the stump of a node, starting from the split `first`."""
        rng, data, features, m = node.rng, node.data, node.usable, node.points.size
        order = rng.permutation(m)
        targets, n_parameters, squared = data.task.leaf_targets(data.y[node.points], node.weights)
        targets, weights = targets[order], node.weights[order]
        rows, middle = np.empty((m, features.size + 1), np.float32), np.empty(features.size)
        width = kernels.gather_rows(
            data.columns.values, features, node.points[order], data.inverse_scale, weights, middle, rows
        )
        shift = (middle - data.center[features]) * data.inverse_scale[features]
        w = scaled_hyperplane(node, first)
        w[-1] += w[:-1] @ shift
        w[:-1] *= width
        w *= min(START_NORM, np.sqrt(self.nu)) / np.linalg.norm(w)
        sides = node.goes_right(first)[order].astype(np.int64)
        theta = data.task.first_parameters(sides, targets, weights, (2, n_parameters), SMOOTHING * weights.mean())
        n_steps = max(kernels.FEWEST_STEPS, -(-m // self.batch_size))
        trace = kernels.optimise_stump(
            rows, targets, squared, weights, rng.integers(m, size=self.n_epochs), n_steps, float(self.nu),
            float(self.learning_rate), float(self.momentum), self.batch_size, self.patience, self.cuts, w, theta,
        )  # fmt: skip
        coefficients = np.append(w[:-1] / width, w[-1] - w[:-1] @ shift / width)
        return Stump(w, theta, coefficients, rows, order, trace)


def threshold_search(n_candidates: int | None) -> Callable:
    """Return a function that finds the best threshold of a node among `n_candidates` random features (None: all)."""

    def search(node):
        found = greedy.best_threshold(node, n_candidates)
        return found and found[1]

    return search
