"""`Quantity`: a tree predicts a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError
from treecore.parameter_checks import typed
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import number
from treecore.tree.target import Target

if TYPE_CHECKING:
    from treecore.tree.tree import Tree


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
    leaf_words, verdict_words = "predicts {value}", "± {error} for the {set} rows in {leaf}"
    wrong_words, share_words = "± {error}", "root mean squared error {error}"
    certainty, certainty_format = "deviation", ".4g"
    refusals = {
        "probabilities": "A regression tree predicts numbers, not classes: use predict.",
        "counterfactuals": "A regression tree has no classes, so no counterfactual; give the tree of a classifier.",
        "editing": "The tree predicts numbers; only classification trees can be edited.",
        "recordings": "The tree predicts numbers; recordings are made of classification trees.",
        "rows": "Rows of a file are used for trees of classes only; leave --data out.",
        "oblique_cart": "init='oblique_cart' grows by the Gini index: for numbers use init='cart' or 'random'.",
    }

    @classmethod
    def of(cls, values: np.ndarray, unit: str = "") -> Self:
        """The quantity with these values, float64[n], n >= 1."""
        return cls(float(np.min(values)), float(np.max(values)), float(np.std(values)), unit)

    @classmethod
    def of_tree(cls, tree: Tree) -> Self:
        return cls.of(tree.values[:, 1])

    @staticmethod
    def width(n_classes: int) -> int:
        return 3

    @staticmethod
    def amounts(values: np.ndarray) -> np.ndarray:
        return values[..., [0, 2]]

    @staticmethod
    def weights(values: np.ndarray) -> np.ndarray:
        return values[..., 0]

    @staticmethod
    def is_pure(values: np.ndarray) -> np.ndarray:
        return values[:, 2] == 0

    @staticmethod
    def best_labels(values: np.ndarray) -> np.ndarray:
        return np.zeros(len(values), np.int32)

    @staticmethod
    def impurities(values: np.ndarray) -> np.ndarray:
        return values[:, 0] * values[:, 2]

    @staticmethod
    def predictions(tree: Tree, labels: np.ndarray | None = None) -> np.ndarray:
        return tree.values[:, 1]

    @staticmethod
    def values_of(tree: Tree, labels: ArrayLike) -> np.ndarray:
        return np.asarray(labels, np.float64)

    @staticmethod
    def shares(tree: Tree) -> None:
        return None

    @staticmethod
    def leaf_figures(tree: Tree, reached: np.ndarray | None = None, y: np.ndarray | None = None) -> dict[int, dict]:
        squares = tree.values[:, 2]
        if y is not None:
            with typed(DataError):
                squares = (y.astype(np.float64) - tree.values[reached, 1]) ** 2
            n_rows = np.bincount(reached, minlength=tree.n_nodes)
            squares = np.bincount(reached, squares, tree.n_nodes) / np.where(n_rows > 0, n_rows, np.nan)
        return {
            leaf: {
                "label": float(tree.values[leaf, 1]),
                "deviation": None if np.isnan(squares[leaf]) else float(np.sqrt(squares[leaf])),
            }
            for leaf in np.flatnonzero(tree.left < 0).tolist()
        }

    @staticmethod
    def label_text(label: object, precision: int | str | None = None) -> str:
        return number(label, precision if isinstance(precision, int) else 6, "-")

    @staticmethod
    def goes_with(class_names: tuple) -> bool:
        return not class_names

    @staticmethod
    def holds(y: np.ndarray, class_names: tuple) -> bool:
        return True

    def wanted(self, tree: Tree, before: object, label: object = None) -> np.ndarray:
        return tree.predictions != before if label is None else tree.predictions == label

    @property
    def edges(self) -> np.ndarray:
        """float64[RANGES + 1], rising: the ends of the groups."""
        return np.linspace(self.low, self.high if self.high > self.low else self.low + 1.0, RANGES + 1)

    @property
    def groups(self) -> tuple[str, ...]:
        """tuple of str: the ranges in words."""
        texts = [number(edge, 3) for edge in self.edges]
        return tuple(f"{low} to {high}" for low, high in zip(texts[:-1], texts[1:], strict=True))

    @property
    def tolerance(self) -> float:
        """A number counts as wrong that is off by more than the standard deviation of all."""
        return self.deviation**2

    def group_of(self, values: np.ndarray) -> np.ndarray:
        return np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, RANGES - 1)

    def outputs(self, tree: Tree) -> np.ndarray:
        return self.predictions(tree)

    def fits(self, tree: Tree) -> bool:
        return tree.classes.size == 0

    def of_data(self, data: DataSetLike) -> Target:
        return Quantity.of(data.y, self.unit) if len(data.y) else self

    def text(self, value: float) -> str:
        return f"{number(value, 4)} {self.unit}".rstrip()

    def node_losses(self, tree: Tree) -> np.ndarray:
        return self.impurities(tree.values)

    def summary(self, values: np.ndarray) -> tuple[float, ...]:
        return (float(values[1]),)

    def change(self, before: tuple, after: tuple) -> str:
        return f"mean {number(before[0], 6)} → {number(after[0], 6)}"

    def stored(self, tree: Tree) -> tuple:
        leaves = np.flatnonzero(tree.left < 0)
        sizes = tree.n_samples[leaves]
        counts = np.zeros((leaves.size, RANGES), np.int64)
        counts[np.arange(leaves.size), self.group_of(tree.values[leaves, 1])] = sizes
        return counts, tree.values[leaves, 2] * sizes
