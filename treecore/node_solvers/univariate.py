"""Univariate node: the threshold with the lowest weighted loss, found exactly.

See Carreira-Perpiñán and Tavallali 2018, section 3, and Kairgeldin and Carreira-Perpiñán 2024, section 2.1.
"""

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.errors import DataError
from treecore.fixed_order import exactly_added
from treecore.node_solvers.feature_costs import FeatureCosts
from treecore.node_solvers.permitted import Permitted
from treecore.node_solvers.thresholds import is_better, threshold_split, tie_width
from treecore.tree.split import Split, constant_split


class UnivariateSolver:
    """Minimise ``weighted loss + lam * penalty`` over all thresholds, groups, both constants and the current split.

    Groups are those of the categories of a column. The solution is exact, so the objective never increases. In a
    tie, the split with fewer parameters is selected, then the current split. Missing values go to the side with the
    smaller loss. costs : float64[d], penalty of each feature, None for 1.
    """

    monotone = True

    def __init__(self, data: TrainingData, costs: np.ndarray | None = None) -> None:
        if data.columns.is_sparse:
            raise DataError("split='univariate' does not support sparse X. Use X.toarray() or split='oblique'.")
        self.data = data
        self.usable = (data.inverse_scale > 0) & data.groups.is_single
        self.costs = FeatureCosts(data, costs)
        self.least_penalty = self.costs.least

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split: the sum of the costs of its features.

        The categories of a column are one feature.
        """
        return float(self.costs.values[self.data.groups.distinct(features)].sum())

    def solve(
        self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split, permitted: Permitted | None = None
    ) -> Split:
        """Return the best split of a reduced problem, see `treecore.node_solvers`."""
        care = np.flatnonzero(signed)
        signed = exactly_added(signed[care])
        total, most, size = float(signed.sum()), float(signed[signed > 0].sum()), float(np.abs(signed).sum())
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current)[care])
        split, gain = current, float(signed[goes_right].sum()) - lam * current.penalty
        tie = float(tie_width(size, most - gain))
        constant = constant_split(total > 0)
        if is_better(max(total, 0.0), 0.0, gain, current.penalty, tie):
            split, gain = constant, max(total, 0.0)
        # The sum of the positive weights is an upper bound on the score of a threshold.
        least = lam * self.least_penalty
        if most - least <= gain + tie:
            return split
        points = care + start
        score, feature, *cut = self.costs.best_threshold(
            points, signed, lam, self.usable, permitted, tie, gain + least - tie
        )
        if feature >= 0:
            penalty, net = float(self.costs.values[feature]), score - least
            if is_better(net, penalty, gain, split.penalty, tie):
                split, gain = threshold_split(feature, *cut)._replace(penalty=penalty), net
        group = self.costs.best_group(points, signed, lam, permitted)
        return group.split if group is not None and group.score - least > gain + tie else split

    def next_lambda(
        self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split, permitted: Permitted | None = None
    ) -> float:
        """Return the lambda at which a constant or a cheaper feature becomes as good as `current`."""
        goes_right = current.goes_right(self.data.columns.margins(start, stop, current))
        score = float(signed[goes_right].sum())
        critical = (score - max(float(signed.sum()), 0.0)) / current.penalty
        care = np.flatnonzero(signed)
        gains = exactly_added(signed[care])
        return min(
            critical, self.costs.next_lambda(care + start, gains, score, current.penalty, self.usable, permitted)
        )
