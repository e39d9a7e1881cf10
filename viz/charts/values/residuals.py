"""Predicted and true numbers."""

from typing import NamedTuple

import numpy as np

from treecore.tree.target import Target


class Residuals(NamedTuple):
    """Predicted and true numbers.

    predicted, true : float64[n], n >= 1
    target : their `Target`
    """

    predicted: np.ndarray
    true: np.ndarray
    target: Target

    @property
    def rest(self) -> np.ndarray:
        """Return float64[n], predicted minus true numbers."""
        return self.predicted - self.true

    @property
    def axis(self) -> str:
        """Return the label of the numbers, with their unit."""
        name, unit = self.target.name or self.target.value_noun, self.target.unit
        return f"{name} ({unit})" if unit and unit != name else name

    @property
    def description(self) -> str:
        """Describe the residuals."""
        low, high = np.quantile(self.rest, (0.05, 0.95))
        return (
            f"Predicted against true {self.axis} of {self.rest.size:,} rows: 90 % of the predictions are between "
            f"{self.target.short_error(abs(low))} too {'low' if low < 0 else 'high'} and "
            f"{self.target.short_error(abs(high))} too {'low' if high < 0 else 'high'}"
        )
