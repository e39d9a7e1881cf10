"""Exact univariate node: best single threshold for the weighted 0/1 loss (file 000, section 3; 003, section 2.1)."""

import numpy as np

from treecore.errors import DataError
from treecore.node_solvers.thresholds import TIE, best_threshold, threshold_split
from treecore.split import constant_split


class UnivariateSolver:
    """Minimises ``weighted 0/1 loss + lam * penalty`` over all thresholds, both constants and the current split.

    Exact, so the objective never rises; ties go to fewer parameters, then to the current split.
    """

    monotone = True

    def __init__(self, data):
        if data.columns.is_sparse:
            raise DataError("Univariate nodes need dense data: use X.toarray(), or split='oblique' for sparse data.")
        self.data = data
        self.usable = data.inverse_scale > 0

    @staticmethod
    def penalty(features, weights):
        """Cost of a split: 1 for each feature that it uses."""
        return float(len(features))

    def solve(self, start, stop, targets, lam, current):
        """Best split of a reduced problem; see `treecore.node_solvers`."""
        data = self.data
        care = np.flatnonzero(targets)
        signed = data.weights[start:stop][care] * targets[care]
        total = float(signed.sum())
        tie = TIE * float(np.abs(signed).sum())
        goes_right = data.columns.margins(start, stop, current)[care] >= 0
        split, gain = current, float(signed[goes_right].sum()) - lam * current.penalty
        constant = constant_split(total > 0)
        if max(total, 0.0) > gain + tie or (max(total, 0.0) >= gain - tie and current.penalty > 0):
            split, gain = constant, max(total, 0.0)
        # no threshold can send more signed weight right than all the positive weight
        if float(signed[signed > 0].sum()) - lam <= gain + tie:
            return split
        score, feature, low, high, above = best_threshold(data.columns.values, care + start, signed, self.usable, tie)
        if feature >= 0 and score - lam > gain + tie:
            split = threshold_split(feature, low, high, above)
        return split
