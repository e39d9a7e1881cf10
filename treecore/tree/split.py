"""`Split`: a sparse hyperplane in raw units, which represents every type of split."""

from typing import NamedTuple

import numpy as np


class Split(NamedTuple):
    """Split of a node. A point goes right if ``weights . x[features] + bias >= 0``.

    features : int32[k], increasing; weights : float64[k], raw units; bias : float;
    penalty : penalty of the split in the objective, not multiplied by lambda;
    missing_right : whether a point with a missing feature (NaN) goes right;
    converged : False if the solver stopped before its tolerance.
    """

    features: np.ndarray
    weights: np.ndarray
    bias: float
    penalty: float
    missing_right: bool = False
    converged: bool = True

    def goes_right(self, margins: np.ndarray) -> np.ndarray:
        """Return whether points with these margins (float64[n]) go right, bool[n]."""
        right = margins >= 0
        return right | np.isnan(margins) if self.missing_right else right


def constant_split(goes_right: bool) -> Split:
    """Return the split that sends every point to one child, with penalty 0."""
    return Split(np.empty(0, np.int32), np.empty(0, np.float64), 1.0 if goes_right else -1.0, 0.0)


def same_split(a: Split, b: Split) -> bool:
    """Return whether two splits are identical to the last bit."""
    return a is b or (
        a.bias == b.bias
        and a.missing_right == b.missing_right
        and np.array_equal(a.features, b.features)
        and np.array_equal(a.weights, b.weights)
    )
