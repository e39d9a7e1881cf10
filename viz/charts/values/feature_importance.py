"""How much the loss rises when a feature is permuted, and how many decision nodes use it."""

from typing import NamedTuple

import numpy as np


class FeatureImportance(NamedTuple):
    """names : in the order to draw, different; rises, deviations : float64[k], percentage points, mean and standard
    deviation over the permutations; n_nodes : int64[k]; title : what the rises are."""

    names: tuple[str, ...]
    rises: np.ndarray
    deviations: np.ndarray
    n_nodes: np.ndarray
    title: str = "increase in error (percentage points)"

    @property
    def description(self) -> str:
        """The three largest in words."""
        largest = "; ".join(f"{name} {rise:.2f}" for name, rise in zip(self.names[:3], self.rises, strict=False))
        return f"Permutation importance: {self.title}, largest first: {largest}"
