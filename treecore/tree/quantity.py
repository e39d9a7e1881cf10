"""`Quantity`: a tree predicts a number."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from treecore.tree.number_text import number
from treecore.tree.target import Target

RANGES = 7  # of the numbers, each with a colour


@dataclass(frozen=True)
class Quantity(Target):
    """low, high : range of the numbers, float; deviation : their standard deviation; unit : of the numbers, such as
    "km", or ""; the groups are equal ranges."""

    low: float = 0.0
    high: float = 1.0
    deviation: float = 0.0
    unit: str = ""
    noun, nouns = "range", "ranges"
    value_noun, values_noun = "number", "numbers"
    values_are_groups = False
    loss = "squared"
    is_root = True
    error_name = "root mean squared error"
    error_scale, error_digits = 1.0, None
    is_on_stage = False
    least_error = 1e-9
    error_help = "Root of the mean squared error of the {n} {set} rows."
    error_sentence = "The {rows} are predicted with a root mean squared error of {error}."
    loss_noun = "squared errors"
    leaf_words, verdict_words = "predicts {value}", "± {error} for the {set} rows in leaf {leaf}"
    wrong_words, share_words = "± {error}", "root mean squared error {error}"

    @classmethod
    def of(cls, values: np.ndarray, unit: str = "") -> Self:
        """The quantity with these values, float64[n], n >= 1."""
        return cls(float(np.min(values)), float(np.max(values)), float(np.std(values)), unit)

    @property
    def edges(self) -> np.ndarray:
        """float64[RANGES + 1], rising: the ends of the groups."""
        return np.linspace(self.low, self.high if self.high > self.low else self.low + 1.0, RANGES + 1)

    @property
    def groups(self) -> Any:
        """tuple of str: the ranges in words."""
        texts = [number(edge, 3) for edge in self.edges]
        return tuple(f"{low} to {high}" for low, high in zip(texts[:-1], texts[1:], strict=True))

    @property
    def tolerance(self) -> Any:
        """A number counts as wrong that is off by more than the standard deviation of all."""
        return self.deviation**2

    def group_of(self, values: np.ndarray) -> Any:
        return np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, RANGES - 1)

    def outputs(self, tree: Any) -> Any:
        return tree.values[:, 1]

    def fits(self, tree: Any) -> Any:
        return tree.classes.size == 0

    def of_data(self, data: Any) -> Any:
        return Quantity.of(data.y, self.unit) if len(data.y) else self

    def text(self, value: Any) -> Any:
        return f"{number(value, 4)} {self.unit}".rstrip()

    def leaf_losses(self, tree: Any) -> Any:
        weight, _, variance = tree.values[tree.left < 0].T
        return weight, weight * variance

    def summary(self, values: Any) -> Any:
        return (float(values[1]),)

    def change(self, before: Any, after: Any) -> Any:
        return f"mean {number(before[0], 6)} → {number(after[0], 6)}"

    def stored(self, tree: Any) -> Any:
        leaves = np.flatnonzero(tree.left < 0)
        sizes = tree.n_samples[leaves]
        counts = np.zeros((leaves.size, RANGES), np.int64)
        counts[np.arange(leaves.size), self.group_of(tree.values[leaves, 1])] = sizes
        return counts, tree.values[leaves, 2] * sizes
