"""Univariate node: the threshold with the lowest weighted loss, found exactly.

See Carreira-Perpiñán and Tavallali 2018, section 3, and Kairgeldin and Carreira-Perpiñán 2024, section 2.1.
"""

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.errors import DataError
from treecore.node_solvers.category_groups import best_group
from treecore.node_solvers.messages import MESSAGES
from treecore.node_solvers.thresholds import ROUNDING, best_threshold, threshold_split, tie_width
from treecore.tree.split import Split, constant_split


class UnivariateSolver:
    """Minimise ``weighted loss + lam * penalty`` over all thresholds, groups, both constants and the current split.

    Groups are those of the categories of a column. The solution is exact, so the objective never increases. In a
    tie, the split with fewer parameters is selected, then the current split. Missing values go to the side with the
    smaller loss.
    """

    monotone = True

    def __init__(self, data: TrainingData) -> None:
        if data.columns.is_sparse:
            raise DataError(MESSAGES("univariate_sparse"))
        self.data = data
        self.usable = (data.inverse_scale > 0) & data.groups.is_single

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split: 1 for each of its features. The categories of a column are one feature."""
        return float(self.data.groups.count(features))

    def solve(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> Split:
        """Return the best split of a reduced problem, see `treecore.node_solvers`."""
        care = np.flatnonzero(signed)
        signed = signed[care].astype(np.float64)
        total, most, size = float(signed.sum()), float(signed[signed > 0].sum()), float(np.abs(signed).sum())
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current)[care])
        split, gain = current, float(signed[goes_right].sum()) - lam * current.penalty
        tie = tie_width(size, most - gain)
        constant = constant_split(total > 0)
        if max(total, 0.0) > gain + tie or (max(total, 0.0) >= gain - tie and current.penalty > 0):
            split, gain = constant, max(total, 0.0)
        # The sum of the positive weights is an upper bound on the score of a threshold.
        if most - lam <= gain + tie:
            return split
        points = care + start
        score, feature, *cut = best_threshold(self.data.columns.values, points, signed, self.usable, ROUNDING * size)
        if feature >= 0 and score - lam > gain + tie:
            split, gain = threshold_split(feature, *cut), score - lam
        group = best_group(self.data.groups, points, signed, ROUNDING * size)
        return group.split if group is not None and group.score - lam > gain + tie else split

    def next_lambda(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> float:
        """Return the lambda above `lam` at which a constant becomes as good as `current`, the best split at `lam`."""
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current))
        return float(signed[goes_right].sum()) - max(float(signed.sum()), 0.0)
