"""`Quantity`: target of a regression tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError
from treecore.parameter_checks import check_number, typed
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import LARGE, decimals, number
from treecore.tree.target import Target
from treecore.tree.tree_arrays import TreeArrays

RANGES = 16  # maximum number of ranges, each with a colour
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # possible widths of a range, times a power of ten
SHORT = (1e4, 1e7)  # values from which the ends of ranges are shown in thousands, and in millions
MOST_DECIMALS = 4  # maximum number of decimals of a mean
SPREADS = 4  # total width of the ranges, in standard deviations
STEPS_OF_SPREAD = 25  # a standard deviation has at least this number of units of the last digit of a mean
TAIL, LONG = 0.02, 1.5  # share of each tail; relative length from which a tail becomes a single range


@dataclass(frozen=True)
class Quantity(Target):
    """Target of a regression tree.

    The groups are ranges of equal width. low, high : float, range that is divided into groups; deviation : standard
    deviation of the numbers; unit : unit such as "km", or ""; name : name of the target, or ""; has_tails : whether
    there are numbers outside low and high, which belong to the first or last group.
    """

    low: float = 0.0
    high: float = 1.0
    deviation: float = 0.0
    unit: str = ""
    name: str = ""
    has_tails: bool = False
    noun, nouns = "range", "ranges"
    value_noun, values_noun = "number", "numbers"
    values_are_groups = False
    loss = "squared"
    is_root = True
    error_name, error_label = "root mean squared error", "RMSE"
    error_scale, error_digits = 1.0, None
    least_error, most_error = 1e-30, None
    error_help = "Root mean squared error on the {n} {set} rows."
    error_sentence = "The root mean squared error on the {rows} is {error}."
    loss_noun = "squared errors"
    part_words = "mean {part}"
    leaf_words, verdict_words = "predicts {value}", "± {error} for {set} in {leaf}"
    wrong_words, share_words = "± {error}", "root mean squared error {error}"
    other_names = ("R²", "MAE")
    certainty = "deviation"
    refusals = {
        "probabilities": "A regression tree has no class probabilities. Use predict.",
        "class_weights": "Class weights do not apply to regression.",
    }

    @classmethod
    def of(cls, values: np.ndarray, unit: str = "", name: str = "") -> Self:
        """Return the quantity with these values (float64[n], n >= 1). Outliers do not widen the ranges."""
        least, low, high, most = np.quantile(values, (0, TAIL, 1 - TAIL, 1)).tolist()
        has_tails = most - least > LONG * (high - low) > 0
        ends = (low, high) if has_tails else (least, most)
        return cls(*ends, float(np.std(values)), unit, name, has_tails)

    @classmethod
    def of_tree(cls, tree: TreeArrays) -> Self:
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
    def predictions(tree: TreeArrays, labels: np.ndarray | None = None) -> np.ndarray:
        tree.leaf_model.require("outputs")
        return tree.leaf_model.numbers(tree)

    @staticmethod
    def values_of(tree: TreeArrays, labels: ArrayLike) -> np.ndarray:
        return np.asarray(labels, np.float64)

    @staticmethod
    def strata(labels: np.ndarray) -> np.ndarray:
        return np.zeros(np.asarray(labels, np.float64).shape, np.int8)

    @staticmethod
    def codes(labels: np.ndarray, known: np.ndarray) -> np.ndarray:
        return np.asarray(labels, np.float64)

    def with_labels(self, known: np.ndarray) -> Target:
        return self

    @staticmethod
    def label_codes(tree: TreeArrays, positions: ArrayLike | None = None) -> None:
        return None

    @staticmethod
    def row_values(node: np.ndarray, y: np.ndarray, weights: np.ndarray, tree: TreeArrays) -> np.ndarray:
        weight = np.bincount(node, weights, tree.n_nodes)
        safe, middle = np.where(weight > 0, weight, 1.0), np.average(y, weights=weights)
        mean = middle + np.bincount(node, weights * (y - middle), tree.n_nodes) / safe
        variance = np.bincount(node, weights * (y - mean[node]) ** 2, tree.n_nodes) / safe
        return np.stack([weight, mean, variance], axis=1)

    @staticmethod
    def scores(values: np.ndarray) -> np.ndarray:
        return values[1:2].copy()

    @staticmethod
    def answers(scores: np.ndarray, classes: Any) -> np.ndarray:
        return scores[:, 0]

    @staticmethod
    def labelled(values: np.ndarray, labels: np.ndarray, is_leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        given = is_leaf & np.isfinite(labels)
        values[given, 2] += (labels[given] - values[given, 1]) ** 2
        values[given, 1] = labels[given]
        return values, np.zeros(len(values), np.int32)

    @staticmethod
    def shares(tree: TreeArrays) -> None:
        return None

    @staticmethod
    def leaf_figures(
        tree: TreeArrays, reached: np.ndarray | None = None, y: np.ndarray | None = None
    ) -> dict[int, dict]:
        means, squares = Quantity.predictions(tree), tree.values[:, 2]
        if y is not None:
            with typed(DataError):
                squares = (y.astype(np.float64) - means[reached]) ** 2
            n_rows = np.bincount(reached, minlength=tree.n_nodes)
            squares = np.bincount(reached, squares, tree.n_nodes) / np.where(n_rows > 0, n_rows, np.nan)
        return {
            leaf: {
                "label": float(means[leaf]),
                "deviation": None if np.isnan(squares[leaf]) else float(np.sqrt(squares[leaf])),
            }
            for leaf in np.flatnonzero(tree.left < 0).tolist()
        }

    @staticmethod
    def counted_labels(tree: TreeArrays, y: np.ndarray | None = None) -> tuple:
        return ()

    @staticmethod
    def label_text(label: object, precision: int | str | None = None) -> str:
        return number(label, precision if isinstance(precision, int) else 6, "-")

    @staticmethod
    def goes_with(class_names: tuple) -> bool:
        return not class_names

    @staticmethod
    def holds(y: np.ndarray, class_names: tuple) -> bool:
        return True

    def matching_nodes(
        self,
        tree: TreeArrays,
        before: object,
        label: object = None,
        above: float | None = None,
        below: float | None = None,
    ) -> np.ndarray:
        limits = {"target": label, "above": above, "below": below}
        for name, limit in limits.items():
            if limit is not None:
                check_number(limit, name, -np.inf)
        means = self.predictions(tree)
        found = means != before if set(limits.values()) == {None} else np.ones(tree.n_nodes, np.bool_)
        for limit, meets in zip(limits.values(), (np.equal, np.greater, np.less), strict=True):
            if limit is not None:
                found &= meets(means, limit)
        return found

    @cached_property
    def edges(self) -> np.ndarray:
        """Ends of the groups: sorted round numbers, at most RANGES + 2, float64."""
        size = max(abs(self.low), abs(self.high))
        width = self.high - self.low
        if not width > 1e-12 * size:  # all values are equal
            width = size or 1.0
        power = 10.0 ** np.floor(np.log10(width / RANGES))
        step = power * next(step for step in STEPS if step * power * RANGES >= width * (1 - 1e-9))
        first = np.floor(self.low / step + 1e-9)
        count = max(1, int(np.ceil((self.high - first * step) / step - 1e-9)))
        edges = (first + np.arange(count + 1)) * step
        edges.setflags(write=False)
        return edges

    @property
    def ticks(self) -> list[str]:
        """Texts of the `edges`. Large numbers are in thousands (k) or millions (M)."""
        edges = self.edges
        size = np.abs(edges).max()
        scale, sign = (1e6, "M") if SHORT[1] <= size < 1e3 * SHORT[1] else (1e3, "k")
        if not SHORT[0] <= size < 1e3 * SHORT[1]:
            return [number(edge, 6) for edge in edges]
        return [f"{number(edge / scale, 6)}{sign if edge else ''}" for edge in edges]

    @property
    def groups(self) -> tuple[str, ...]:
        """Texts of the ranges."""
        texts = self.ticks
        names = [f"{low} to {high}" for low, high in zip(texts[:-1], texts[1:], strict=True)]
        if self.has_tails and len(names) > 1:
            names[0], names[-1] = f"below {texts[1]}", f"{texts[-2]} or more"
        return tuple(names)

    @property
    def wrong_noun(self) -> str:
        return f"off by more than {self._short(self.deviation)}"

    @property
    def right_noun(self) -> str:
        return f"within ± {self._short(self.deviation)}"

    @property
    def tolerance(self) -> float:
        """Squared error above which a prediction counts as wrong: the variance of all numbers."""
        return self.deviation**2

    @property
    def loss_unit(self) -> float:
        return self.deviation**2 or 1.0

    def other_figures(self, predicted: np.ndarray, y: np.ndarray) -> dict[str, float]:
        """Return R² (explained share of the variance of y, NaN if y is constant) and the mean absolute error (MAE)."""
        total = float(((y - y.mean()) ** 2).sum())
        explained = 1 - float(((predicted - y) ** 2).sum()) / total if total else float("nan")
        return {"R²": explained, "MAE": float(np.abs(predicted - y).mean())}

    def group_of(self, values: np.ndarray) -> np.ndarray:
        edges = self.edges
        return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, edges.size - 2)

    def outputs(self, tree: TreeArrays) -> np.ndarray:
        return self.predictions(tree)

    def fits(self, tree: TreeArrays) -> bool:
        return tree.classes.size == 0

    def of_data(self, data: DataSetLike) -> Target:
        name = self.name or getattr(data, "target_name", "")
        return Quantity.of(data.y, self.unit, name) if len(data.y) else replace(self, name=name)

    def text(self, value: float) -> str:
        return f"{number(value, 4)} {self.unit}".rstrip()

    def places(self, values: np.ndarray) -> np.ndarray:
        low, high = self.edges[[0, -1]]
        return np.clip((np.asarray(values, np.float64) - low) / (high - low), 0.0, 1.0)

    def answer(self, value: float) -> str:
        return f"{self._short(value)} {self.unit}".rstrip()

    def short_error(self, error: float | None) -> str:
        return "–" if error is None or not np.isfinite(error) else self._short(error)

    @cached_property
    def place(self) -> int:
        """Power of ten of the last digit of a mean, if the standard deviation is known and not 0."""
        edges = self.edges
        spread = min(
            self.deviation, float(edges[-1] - edges[0]) / SPREADS
        )  # limited, because outliers increase the standard deviation
        return int(np.floor(np.log10(spread / STEPS_OF_SPREAD)))

    def _short(self, value):
        """Format a mean with enough digits that the standard deviation of a leaf has two."""
        if not 0 < self.deviation < np.inf:
            return number(value, 4)
        place = self.place
        rounded = float(np.floor(abs(value) / 10.0**place + 0.5) * 10.0**place)
        if 0 < -place <= MOST_DECIMALS and rounded < LARGE:
            return f"{'−' if value < 0 and rounded else ''}{decimals(rounded, -place)}"
        return number(np.copysign(rounded, value) if rounded else 0.0, 6)

    @property
    def leaf_name(self) -> str:
        return "" if self.unit else self.name

    def node_losses(self, tree: TreeArrays) -> np.ndarray:
        return self.impurities(tree.values)

    def summary(self, values: np.ndarray) -> tuple[float, ...]:
        return (float(values[1]),)

    def parts(self, tree: TreeArrays) -> tuple[str, ...]:
        return (self.name or "value",)

    def difference(self, predicted: float, truth: float) -> str:
        off = abs(predicted - truth)
        off = f"{self._short(off) if self._short(off) != '0' else number(off, 1)} {self.unit}".rstrip()
        side = "exactly right" if predicted == truth else f"{off} too {'high' if predicted > truth else 'low'}"
        return f"it is {self.text(truth)}: {side}"

    def change(self, before: tuple, after: tuple) -> str:
        return f"mean {self._short(before[0])} → {self._short(after[0])}"

    def leaf_counts(self, tree: TreeArrays) -> tuple:
        leaves = np.flatnonzero(tree.left < 0)
        sizes = tree.n_samples[leaves]
        counts = np.zeros((leaves.size, len(self.groups)), np.int64)
        counts[np.arange(leaves.size), self.group_of(self.predictions(tree)[leaves])] = sizes
        return counts, tree.values[leaves, 2] * sizes
