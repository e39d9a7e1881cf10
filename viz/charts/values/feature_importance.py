"""Increase in loss when a feature is permuted, and the number of decision nodes that use the feature."""

from typing import NamedTuple

import numpy as np


class FeatureImportance(NamedTuple):
    """Permutation importance of the features.

    names : unique names, in display order
    rises, deviations : float64[k], mean and standard deviation over the permutations, in percentage points
    n_nodes : int64[k]
    title : label of the increases
    """

    names: tuple[str, ...]
    rises: np.ndarray
    deviations: np.ndarray
    n_nodes: np.ndarray
    title: str = "increase in error (percentage points)"

    @property
    def description(self) -> str:
        """Describe the three largest increases."""
        largest = "; ".join(f"{name} {rise:.2f}" for name, rise in zip(self.names[:3], self.rises, strict=False))
        return f"Permutation importance: {self.title}, largest first: {largest}"
