"""Convex surrogates of the 0/1 loss, and the solution without care points."""

from treecore.data.training_data import TrainingData
from treecore.node_solvers.l1_kernels import LOGISTIC, SQUARED_HINGE
from treecore.tree.split import Split, constant_split

SURROGATES = {"logistic": LOGISTIC, "squared_hinge": SQUARED_HINGE}
SLOPES = {"logistic": 0.5, "squared_hinge": 2.0}  # absolute slope of each loss at 0


def without_care_points(data: TrainingData, start: int, stop: int, lam: float, current: Split) -> Split:
    """Return the split of a node without care points, which is constant and sends all points to the majority side."""
    if lam == 0 or current.penalty == 0:
        return current
    goes_right = data.columns.margins(start, stop, current) >= 0
    weights = data.importances[start:stop]
    return constant_split(bool(2 * weights[goes_right].sum() >= weights.sum()))
