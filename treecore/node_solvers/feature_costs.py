"""Penalty of each feature in the node solvers."""

from typing import Any

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.node_solvers.category_groups import BestGroup, best_group
from treecore.node_solvers.permitted import Permitted, directions, narrowed
from treecore.node_solvers.thresholds import ROUNDING, best_promising_threshold


class FeatureCosts:
    """Penalty of a threshold on each feature, or of a group of categories of a column.

    values : float64[d], > 0; least : smallest value of a feature that varies; excess : float64[d], difference to
    `least`, 0 for a feature that cannot be used; are_equal : whether all features have the same penalty.
    """

    def __init__(self, data: TrainingData, values: np.ndarray | None = None) -> None:
        self._columns, self._groups = data.columns, data.groups
        usable = data.inverse_scale > 0
        self.values = np.ones(data.n_features) if values is None else values
        self.least = float(self.values[usable].min()) if usable.any() else 1.0
        self.excess = np.where(usable, self.values - self.least, 0.0)
        self.are_equal = not self.excess.any()

    def best_threshold(
        self,
        points: np.ndarray,
        gains: np.ndarray,
        lam: float,
        usable: np.ndarray,
        permitted: Permitted | None,
        tie: float,
        floor: float = -np.inf,
    ) -> tuple:
        """Return the result of `best_threshold` with ``lam * excess`` as penalties. In a tie, the cheaper feature wins.

        points : int64[m], care points; gains : float64[m], signed weights; tie : width of a tie; floor : the feature
        may be -1 if no threshold has this score.
        """
        rises, falls = directions(usable, permitted)
        rounding, penalties = ROUNDING * float(np.abs(gains).sum()), lam * self.excess
        values = self._columns.values
        found = best_promising_threshold(values, points, gains, rises, falls, penalties, rounding, floor)
        while not self.are_equal and found[1] >= 0:
            cheaper = self.values < self.values[found[1]]
            if not (cheaper & (rises | falls)).any():
                break
            other = best_promising_threshold(
                values, points, gains, rises & cheaper, falls & cheaper, penalties, rounding, found[0] - tie
            )
            if other[1] < 0 or other[0] < found[0] - tie:
                break
            found = other
        return found

    def best_group(
        self, points: np.ndarray, gains: np.ndarray, lam: float, permitted: Permitted | None
    ) -> BestGroup | None:
        """Return the best split on a group of categories with its penalty, or None, as in `best_threshold`."""
        tie = ROUNDING * float(np.abs(gains).sum())
        found = best_group(self._groups, points, gains, lam * self.excess, permitted, tie)
        if found is None:
            return None
        penalty = float(self.values[self._groups.distinct(found.split.features)][0])
        return found._replace(split=found.split._replace(penalty=penalty))

    def next_lambda(
        self,
        points: np.ndarray,
        gains: np.ndarray,
        score: float,
        penalty: float,
        usable: np.ndarray,
        permitted: Permitted | None,
    ) -> float:
        """Return the lambda at which a threshold or group with a smaller penalty becomes as good as a split, or inf.

        points : int64[m], care points; gains : float64[m], as in `best_threshold`; score, penalty : of the split.
        """
        rises, falls = directions(usable, permitted)
        critical, nothing = np.inf, np.zeros(self.values.size)
        rounding = ROUNDING * float(np.abs(gains).sum())
        for value in np.unique(self.values[(rises | falls) & (self.values < penalty)]):
            own = self.values == value
            found = best_promising_threshold(
                self._columns.values, points, gains, rises & own, falls & own, nothing, rounding, -np.inf
            )
            if found[1] >= 0:
                critical = min(critical, (score - found[0]) / (penalty - value))
        for value in np.unique(self.values[self.values < penalty]) if self._groups else ():
            own = narrowed(self.values == value, permitted)
            group = best_group(self._groups, points, gains, nothing, own, rounding)
            if group is not None:
                critical = min(critical, (score - group.score) / (penalty - value))
        return critical


class CostScaledData:
    """Training data with features whose scale is multiplied by their cost.

    The l1 norm of the weights on the scaled features then contains the costs. Everything else is that of `data`.
    """

    def __init__(self, data: TrainingData, costs: np.ndarray) -> None:
        self._data, self.inverse_scale = data, data.inverse_scale / costs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._data, name)
