"""The objective of a tree and the record of a run.

    E(T) = sum_n c_n loss(T(x_n), y_n) + lam * sum over decision nodes of penalty(split)

(Carreira-Perpiñán and Tavallali 2018, eq. 1 and 2)

loss: 0/1 for classes, squared error for numbers. penalty: l1 norm of the weights on scaled features (oblique); 1 for a
univariate, C for a bivariate, 0 for a constant split.
"""

from typing import NamedTuple


class IterationRecord(NamedTuple):
    """State after one pass over the tree (iteration 0: the initial tree)."""

    iteration: int
    objective: float
    loss: float  # weighted number of misclassified training points, or sum of squared errors
    error: float  # loss / total weight: a share in [0, 1], or the mean squared error
    n_decision: int  # decision nodes that training points reach with both children in use
    n_features_used: int  # non-zero weights over those nodes
    node_programs: str  # of node_solver="liblinear": which program solved how many nodes; else ""
    seconds: float
    n_unconverged: int = 0  # oblique nodes of the pass that a limit of the solver stopped before its tolerance
