"""`Target`: what a tree predicts, as its figures, its pictures and the words about it must know it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError, TreecoreError
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import count, decimals, number
from treecore.tree.tree_arrays import TreeArrays

LOSSES = {  # of a row, by its predicted and its true value
    "unequal": lambda predicted, y: (predicted != y).astype(np.float64),
    "absolute": lambda predicted, y: np.abs(np.subtract(predicted, y, dtype=np.float64)),
    "squared": lambda predicted, y: np.square(np.subtract(predicted, y, dtype=np.float64)),
}


class Target(ABC):
    """What is predicted: `Classes` or a `Quantity`; nobody but these asks which of them it is.

    Values are what ``y`` of a data set holds and what a leaf predicts: int64 codes of classes, or float64 numbers.
    A new kind sets what follows and says how values are grouped and told, see `Classes`.

    name : what is predicted, such as "price", or ""
    groups : tuple of str, names of what rows are coloured by: the classes, or ranges of the numbers
    has_tails : whether the first and the last group hold values beyond their ends
    is_ordered : whether the groups run from low to high
    noun, nouns : what a group is called, such as "class", "classes"
    value_noun, values_noun : what a value is called
    values_are_groups : whether a value is the code of its group
    loss : of a row, a name in `LOSSES`
    is_root : whether the error is the root of the mean loss
    error_name, error_label : of the error, in words and in short
    error_scale, error_digits, unit : the error is told times the scale, with so many decimals (None: significant
        digits), before the unit
    least_error, most_error : that an axis of errors reaches at least, and at most (None: has no limit)
    error_help : what it is, of ``{n}`` rows of the ``{set}``
    error_sentence : what it is of ``{rows}``, such as "1,234 test rows"
    loss_noun : what the sum of losses is called
    leaf_words : of a leaf that predicts ``{value}``
    verdict_words : how far to trust it: ``{right}`` is the share of its rows that it gets right
    part_words : of an entry of a `summary`, a ``{part}``
    wrong_noun, right_noun : what a row is that counts as predicted wrong, or right
    wrong_words, share_words : of rows: with ``{loss}`` for the sum of their losses and ``{error}`` for their error
    tolerance : loss up to which a row counts as predicted right
    certainty : field of a `Rule` that says how far to trust it, see also `NodeStatistic`
    other_names : short names of the `other_figures`
    refusals : dict of what is not there for such trees to why, in words: see `require`

    A `Tree` holds what such a target makes of the training points of a node in a row of ``values`` [m, width].
    """

    groups: tuple
    name = ""
    has_tails = False
    is_ordered = True
    noun, nouns = "class", "classes"
    value_noun, values_noun = "class", "classes"
    values_are_groups = True
    loss = "unequal"
    is_root = False
    error_name, error_label = "error", "error"
    error_scale, error_digits, unit = 100.0, 1, "%"
    least_error, most_error = 0.01, 1.0
    error_help = "Share of the {n} {set} rows that the tree misclassifies."
    error_sentence = "The tree misclassifies {error} of the {rows}."
    loss_noun = "wrong"
    part_words = "share of {part}"
    wrong_noun, right_noun = "wrong", "correct"
    wrong_words, share_words = "{loss} wrong", "{loss} wrong ({error})"
    leaf_words, verdict_words = "class {value}", "{right} of {set} in {leaf}"
    tolerance = 0.0
    certainty = "confidence"
    other_names: tuple[str, ...] = ()
    refusals: Mapping[str, str] = {}

    @classmethod
    def require(cls, feature: str, error: type[TreecoreError] = DataError) -> None:
        """Raise `error` where such trees lack a feature: one of ``refusals``, in its words."""
        if feature in cls.refusals:
            raise error(cls.refusals[feature])

    @classmethod
    @abstractmethod
    def of_tree(cls, tree: TreeArrays) -> Target:
        """The target of a `Tree` alone."""

    @staticmethod
    @abstractmethod
    def width(n_classes: int) -> int:
        """Entries of a row of ``values``."""

    @staticmethod
    @abstractmethod
    def amounts(values: np.ndarray) -> np.ndarray:
        """float64[m, some]: those of ``values`` that are never negative."""

    @staticmethod
    @abstractmethod
    def weights(values: np.ndarray) -> np.ndarray:
        """float64[m]: weight of the training points in rows of ``values``."""

    @staticmethod
    @abstractmethod
    def is_pure(values: np.ndarray) -> np.ndarray:
        """bool[m]: whether all training points of a node have one value."""

    @staticmethod
    @abstractmethod
    def best_labels(values: np.ndarray) -> np.ndarray:
        """int[m]: `Tree.labels` of nodes that predict what is best for their training points."""

    @staticmethod
    @abstractmethod
    def impurities(values: np.ndarray) -> np.ndarray:
        """float64[m]: what greedy growth lowers: weight times Gini impurity, or squared errors."""

    @staticmethod
    @abstractmethod
    def predictions(tree: TreeArrays, labels: np.ndarray | None = None) -> np.ndarray:
        """[m]: what each node predicts: `labels` [k] (None: the codes) of the tree's classes, or a number."""

    @staticmethod
    @abstractmethod
    def values_of(tree: TreeArrays, labels: ArrayLike) -> np.ndarray:
        """[n]: labels of rows as `Tree.outputs` has them: codes of the tree's classes (k of others), or numbers."""

    @staticmethod
    @abstractmethod
    def strata(labels: np.ndarray) -> np.ndarray:
        """[n]: what parts of rows have equal shares of, from labels [n]. Raises ValueError where they are no labels."""

    @staticmethod
    @abstractmethod
    def codes(labels: np.ndarray, known: np.ndarray) -> np.ndarray:
        """[n]: labels as numbers: int32, their places among the sorted `known` ones; or float64, themselves."""

    @abstractmethod
    def with_labels(self, known: np.ndarray) -> Target:
        """The target whose values are the `codes` of labels among the `known` ones."""

    @staticmethod
    @abstractmethod
    def label_codes(tree: TreeArrays, positions: ArrayLike | None = None) -> dict | None:
        """{place: code} of the tree's classes, by `positions` [k] (None: 0, 1, ...); None where a label is any number
        (or None, for what suits the rows)."""

    @staticmethod
    @abstractmethod
    def row_values(node: np.ndarray, y: np.ndarray, weights: np.ndarray, tree: TreeArrays) -> np.ndarray:
        """float64[m, width]: ``values`` of a tree's nodes that rows reach: node int[n] of each, with what is true of
        it, as of `values_of`, and its weight."""

    @staticmethod
    @abstractmethod
    def scores(values: np.ndarray) -> np.ndarray:
        """float64[q]: scores of a linear model without weights (`LinearLeaves`) for a row of ``values``."""

    @staticmethod
    @abstractmethod
    def answers(scores: np.ndarray, classes: Any) -> np.ndarray:
        """[n]: labels that scores float64[n, q] of linear leaves predict, of the tree's `classes` [k]."""

    @staticmethod
    @abstractmethod
    def labelled(values: np.ndarray, labels: np.ndarray, is_leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(values [m, width], `Tree.labels` int32[m]) of a tree whose leaves have these labels [m] (NaN: what suits its
        points) and whose other nodes have what suits their points."""

    @staticmethod
    @abstractmethod
    def shares(tree: TreeArrays) -> np.ndarray | None:
        """float64[m, k]: shares of the classes in each node, 0 where it has no weight; None for numbers."""

    @staticmethod
    @abstractmethod
    def leaf_figures(
        tree: TreeArrays, reached: np.ndarray | None = None, y: np.ndarray | None = None
    ) -> dict[int, dict]:
        """{leaf: fields of its `Rule`}: its label and how far to trust it, by the training points or by the rows of
        labels y [n] that have reached the leaves int[n]. Raises DataError."""

    @staticmethod
    @abstractmethod
    def counted_labels(tree: TreeArrays, y: np.ndarray | None = None) -> tuple:
        """Labels whose rows `leaf_figures` counts: those of the tree, then others of `y`, None for a missing one; ()
        for numbers."""

    @staticmethod
    @abstractmethod
    def label_text(label: object, precision: int | str | None = None) -> str:
        """A label (class or number) as it is typed in a rule."""

    @staticmethod
    @abstractmethod
    def goes_with(class_names: tuple) -> bool:
        """Whether data with these names of classes can be those of such a tree."""

    @staticmethod
    @abstractmethod
    def holds(y: np.ndarray, class_names: tuple) -> bool:
        """Whether values y [n] of data with these names of classes are values of such a target."""

    @abstractmethod
    def wanted(
        self,
        tree: TreeArrays,
        before: object,
        label: object = None,
        above: float | None = None,
        below: float | None = None,
    ) -> np.ndarray:
        """bool[m]: nodes that predict a label, or numbers above or below others; without any of these anything else
        than `before`. Raises DataError, ParameterError."""

    @abstractmethod
    def group_of(self, values: np.ndarray) -> np.ndarray:
        """int64[n]: group of each value."""

    @abstractmethod
    def outputs(self, tree: TreeArrays) -> np.ndarray:
        """[m]: value that each node of a `Tree` predicts, of a tree of this target."""

    def usual_outputs(self, tree: TreeArrays) -> np.ndarray:
        """[m]: the same, of linear leaves what suits most of their training points, as if they had no weights."""
        if tree.linear is None:
            return self.outputs(tree)
        is_told = (tree.left < 0) & (np.diff(tree.linear.indptr) == 0)
        told = self.answers(tree.linear.bias, self.positions(tree))
        return np.where(is_told, told, self.outputs(replace(tree, linear=None)))

    def row_outputs(self, tree: TreeArrays, X: Any, leaf: np.ndarray) -> np.ndarray:
        """[n]: value that rows `X` ([n, d], array or CSR), which reach the leaves int[n], are told."""
        if tree.linear is None:
            return self.outputs(tree)[leaf]
        return self.answers(tree.linear.scores(X, leaf), self.positions(tree))

    def positions(self, tree: TreeArrays) -> np.ndarray | None:
        """int64[k]: code of each class of a tree; None for numbers."""
        return None

    @abstractmethod
    def text(self, value: float) -> str:
        """A value in words, such as "setosa" or "4.2"."""

    def places(self, values: np.ndarray) -> np.ndarray | None:
        """float64[n]: where numbers are between the ends of all ranges, 0 to 1; None for classes."""
        return None

    def answer(self, value: float) -> str:
        """What is predicted, in words that are as exact as makes sense."""
        return self.text(value)

    @abstractmethod
    def node_losses(self, tree: TreeArrays) -> np.ndarray:
        """float64[m]: weighted sum of the losses of the training points of each node, were it a leaf."""

    @abstractmethod
    def summary(self, values: np.ndarray) -> tuple[float, ...]:
        """tuple of float from a row of `Tree.values`: the shares of the classes, or the mean."""

    @abstractmethod
    def parts(self, tree: TreeArrays) -> tuple[str, ...]:
        """What the entries of a `summary` are of: the classes of a `Tree`, or what is predicted."""

    @abstractmethod
    def difference(self, predicted: float, truth: float) -> str:
        """How a prediction compares with what is true, in words."""

    @abstractmethod
    def change(self, before: tuple, after: tuple) -> str:
        """What is different between two summaries, in words."""

    @abstractmethod
    def stored(self, tree: TreeArrays) -> tuple[np.ndarray, np.ndarray]:
        """(int64[l, groups], float64[l]): training rows of each leaf by group, and the sum of their losses, as the tree
        stores them; parts of rows, which weights make, are rounded."""

    @abstractmethod
    def fits(self, tree: TreeArrays) -> bool:
        """Whether a `Tree` predicts such values."""

    @abstractmethod
    def of_data(self, data: DataSetLike) -> Target:
        """The target of a tree with the names and the range that a DataSet has."""

    def strangers(self, tree: TreeArrays) -> list[str]:
        """list of classes of a `Tree` that this target does not have."""
        return []

    def other_figures(self, predicted: np.ndarray, y: np.ndarray) -> dict[str, float]:
        """Figures beside the error of values that are predicted: dict of the `other_names`."""
        return {}

    @classmethod
    def losses(cls, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """float64[n]: loss of each row, from values (or from labels, where they are only told apart)."""
        return LOSSES[cls.loss](np.asarray(predicted), np.asarray(y))

    def is_wrong(self, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """bool[n]: whether a row counts as predicted wrong."""
        return self.losses(predicted, y) > self.tolerance

    def error(self, mean_loss: float) -> float:
        """Error of rows with this mean loss."""
        return float(np.sqrt(mean_loss)) if self.is_root else float(mean_loss)

    def error_rises(self, loss: float, increases: np.ndarray) -> np.ndarray:
        """By how much the error, times `error_scale`, rises where the mean loss does by `increases`, an array."""
        if not self.is_root:
            return self.error_scale * increases
        return np.sqrt(np.maximum(loss + increases, 0.0)) - np.sqrt(loss)

    def error_and_deviation(self, losses: np.ndarray, weights: np.ndarray | None = None) -> tuple:
        """(error, its standard error) of rows with these losses and weights; of a root by the delta method."""
        share = np.full(losses.size, 1 / losses.size) if weights is None else weights / weights.sum()
        mean = float(share @ losses)
        deviation = float(np.sqrt(np.square(share * (losses - mean)).sum()))
        if self.is_root:
            return float(np.sqrt(mean)), deviation / (2 * np.sqrt(mean)) if mean > 0 else 0.0
        return mean, deviation

    @property
    def short_axis_title(self) -> str:
        """The same, short."""
        return f"{self.error_label} {self.unit}".rstrip()

    @property
    def loss_unit(self) -> float:
        """What losses are measured by: 1, or the variance of all numbers."""
        return 1.0

    @property
    def axis_title(self) -> str:
        """What an axis of errors is called, whose figures are errors times `error_scale`."""
        return f"{self.error_name} ({self.unit})" if self.unit else self.error_name

    def error_text(self, error: float | None, digits: int | None = None) -> str:
        """An error in words, such as "8.2 %" or "3.1"; a dash where there is none."""
        if error is None or not np.isfinite(error):
            return "–"
        return f"{self.bare_error_text(error, digits)} {self.unit}".rstrip()

    def bare_error_text(self, error: float, digits: int | None = None) -> str:
        """The same of a finite error, without the unit."""
        value = self.error_scale * error
        if self.error_digits is None:
            return number(value, 4)
        return decimals(value, self.error_digits if digits is None else digits)

    def top_of_axis(self, wanted: float) -> float:
        """End of an axis of errors times `error_scale` that is `wanted` to be so high: no axis of shares exceeds 1."""
        return wanted if self.most_error is None else min(wanted, self.error_scale * self.most_error)

    def told(self, template: str, loss: float, n: int) -> str:
        """`wrong_words` or `share_words` of n rows whose losses sum up to `loss`."""
        return template.format(
            loss=f"{count(round(loss))}", error=self.short_error(self.error(loss / n) if n else None)
        )

    def short_error(self, error: float | None) -> str:
        """An error in words, as exact as makes sense beside a prediction."""
        return self.error_text(error)

    def to_dict(self) -> dict:
        """dict for JSON: what the browser must know (viz/stage/model/target.js)."""
        return {
            "name": self.name,
            "groups": list(self.groups),
            "edges": None if self.values_are_groups else self.edges.tolist(),
            "ticks": None if self.values_are_groups else self.ticks,
            "tails": self.has_tails,
            "nouns": {
                "group": self.noun,
                "groups": self.nouns,
                "value": self.value_noun,
                "loss": self.loss_noun,
                "wrong": self.wrong_noun,
                "right": self.right_noun,
            },
            "words": {
                "wrong": self.wrong_words,
                "share": self.share_words,
                "leaf": self.leaf_words,
                "verdict": self.verdict_words,
                "help": self.error_help,
            },
            "loss": self.loss,
            "root": self.is_root,
            "tolerance": self.tolerance,
            "error": {
                "name": self.error_name,
                "label": self.error_label,
                "scale": self.error_scale,
                "digits": self.error_digits,
                "unit": self.unit,
                "least": self.least_error,
                "most": self.most_error,
            },
        }
