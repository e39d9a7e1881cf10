"""Records of the passes of a run, and the objective of a tree.

    E(T) = sum_n c_n loss(T(x_n), y_n) + lam * sum over decision nodes of penalty(split)

(Carreira-Perpiñán and Tavallali 2018, Eqs. 1 and 2)

The loss is the 0/1 loss for classification and the squared error for regression. The penalty of an oblique split is the
l1 norm of its weights on scaled features. Otherwise, it is 1 for a univariate, C for a bivariate and 0 for a constant
split.
"""

from typing import NamedTuple


class IterationRecord(NamedTuple):
    """State after one pass over the tree. Iteration 0 is the initial tree."""

    iteration: int
    objective: float
    loss: float  # weighted number of misclassified training points, or weighted sum of squared errors
    error: float  # loss / total weight: share in [0, 1], or mean squared error
    n_decision: int  # decision nodes for which training points reach both children
    n_features_used: int  # nonzero weights in the decision nodes counted above
    node_programs: str  # for node_solver="liblinear", the number of nodes that each program solved; else ""
    seconds: float
    n_unconverged: int = 0  # oblique nodes in this pass for which the solver reached a limit before its tolerance
