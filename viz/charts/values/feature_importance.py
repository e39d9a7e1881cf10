"""Increase in loss if a feature is permuted, and number of decision nodes that use it."""

from typing import NamedTuple

import numpy as np


class FeatureImportance(NamedTuple):
    """names : unique, in display order; rises, deviations : float64[k], percentage points, mean and standard deviation
    over the
    permutations; n_nodes : int64[k]; title : label of the increases.
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
