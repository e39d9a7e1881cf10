"""The objective of a tree and the record of a run.

    E(T) = sum_n c_n [T(x_n) != y_n] + lam * sum over decision nodes of penalty(split)        (000, eq. 1 and 2)

penalty: l1 norm of the weights on scaled features (oblique), 1 for a univariate split, 0 for a constant one.
"""

from typing import NamedTuple


class IterationRecord(NamedTuple):
    """State after one pass over the tree (iteration 0: the initial tree)."""

    iteration: int
    objective: float
    loss: float  # weighted number of misclassified training points
    error: float  # loss / total weight, in [0, 1]
    n_decision: int  # decision nodes that training points reach with both children in use
    n_features_used: int  # non-zero weights over those nodes
    seconds: float


def weighted_loss(predicted, y, weights):
    """Sum of the weights of the misclassified points."""
    return float(weights[predicted != y].sum())
