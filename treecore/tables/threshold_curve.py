"""Metrics of one class as functions of its probability threshold, such as the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """Metrics of one class against the rest at every distinct threshold.

    thresholds : float64[k], decreasing, the first is infinite (no row is flagged); n_flagged, n_found : int64[k],
    number of rows whose share is at least the threshold, and of those among them that have the class; n_positive, n :
    number of rows of the class, and of all rows.
    """

    thresholds: np.ndarray
    n_flagged: np.ndarray
    n_found: np.ndarray
    n_positive: int
    n: int

    @property
    def precision(self) -> np.ndarray:
        """Share of the flagged rows that have the class, float64[k], NaN if none is flagged."""
        return _share(self.n_found, self.n_flagged)

    @property
    def recall(self) -> np.ndarray:
        """Share of the rows of the class that are flagged, float64[k], NaN without such rows."""
        return _share(self.n_found, self.n_positive)

    @property
    def false_alarms(self) -> np.ndarray:
        """Share of the other rows that are flagged, float64[k], NaN without such rows."""
        return _share(self.n_flagged - self.n_found, self.n - self.n_positive)

    @property
    def auc(self) -> float:
        """Area under the ROC curve, in [0, 1]. NaN unless there are rows of the class and other rows."""
        from sklearn.metrics import roc_auc_score  # slow import

        return self._score(roc_auc_score) if self.n_positive < self.n else np.nan

    @property
    def average_precision(self) -> float:
        """Mean precision, weighted by the recall that each threshold adds. NaN without rows of the class."""
        from sklearn.metrics import average_precision_score  # slow import

        return self._score(average_precision_score)

    def _score(self, score):
        """Compute a score from the few distinct shares, weighted by their numbers of rows."""
        if not self.n_positive:
            return np.nan
        found = np.diff(self.n_found)
        weights = np.concatenate([found, np.diff(self.n_flagged) - found])
        is_positive = np.repeat([1, 0], found.size)
        return float(score(is_positive, np.tile(self.thresholds[1:], 2), sample_weight=weights))

    def place(self, share: float) -> int:
        """Return the index of the threshold that flags the same rows as `share`."""
        return int(np.searchsorted(-self.thresholds, -share, side="right")) - 1

    def costs(self, false_alarm: float, miss: float) -> np.ndarray:
        """Return the total cost of the rows at each threshold, float64[k].

        false_alarm, miss : cost of a row that is incorrectly flagged, or incorrectly not flagged.
        """
        return false_alarm * (self.n_flagged - self.n_found) + miss * (self.n_positive - self.n_found)


def threshold_curve(shares: np.ndarray, is_positive: np.ndarray, stops: np.ndarray) -> ThresholdCurve:
    """Return the `ThresholdCurve` of some rows.

    shares : float64[n], class share in the leaf of each row; is_positive : bool[n], whether the row has the class;
    stops : float64[k - 1], sorted shares of the leaves (`leaf_shares`).
    """
    stops = np.concatenate([[np.inf], stops[::-1]])
    reached = [np.searchsorted(np.sort(some), stops) for some in (shares, shares[is_positive])]
    n, n_positive = len(shares), int(np.count_nonzero(is_positive))
    return ThresholdCurve(stops, n - reached[0], n_positive - reached[1], n_positive, n)


def _share(part, whole):
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.divide(part, whole, dtype=np.float64)
