"""`Target`: the predicted quantity of a tree, with its metrics, groups and texts."""

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

LOSSES = {  # loss of a row, from its predicted and its true value
    "unequal": lambda predicted, y: (predicted != y).astype(np.float64),
    "absolute": lambda predicted, y: np.abs(np.subtract(predicted, y, dtype=np.float64)),
    "squared": lambda predicted, y: np.square(np.subtract(predicted, y, dtype=np.float64)),
}


class Target(ABC):
    """Predicted quantity: `Classes` or a `Quantity`; no other code distinguishes them.

    Values are what ``y`` of a data set holds and a leaf predicts: int64 codes of classes, or float64 numbers.
    A new kind sets the following attributes and defines how values are grouped and written, see `Classes`.

    name : of the target, such as "price", or ""
    groups : tuple of str, names of the colour groups of rows: the classes, or ranges of the numbers
    has_tails : whether the first and the last group hold values beyond their ends
    is_ordered : whether the groups run from low to high
    noun, nouns : of a group, such as "class", "classes"
    value_noun, values_noun : of a value
    values_are_groups : whether a value is the code of its group
    loss : of a row, a name in `LOSSES`
    is_root : whether the error is the root of the mean loss
    error_name, error_label : long and short name of the error
    error_scale, error_digits, unit : the error is multiplied by the scale and written with that many decimals (None:
        significant digits), before the unit
    least_error, most_error : that an axis of errors reaches at least, and at most (None: has no limit)
    error_help : explanation of the error, of ``{n}`` rows of the ``{set}``
    error_sentence : the error of ``{rows}``, such as "1,234 test rows", as a sentence
    loss_noun : name of the sum of losses
    leaf_words : of a leaf that predicts ``{value}``
    verdict_words : of the accuracy of a leaf: ``{right}`` is the share of its rows that are correct
    part_words : of an entry of a `summary`, a ``{part}``
    wrong_noun, right_noun : of a row that counts as wrong, or correct
    wrong_words, share_words : of rows: with ``{loss}`` for the sum of their losses and ``{error}`` for their error
    tolerance : loss up to which a row counts as correct
    certainty : field of a `Rule` that measures its accuracy, see also `NodeStatistic`
    other_names : short names of the `other_figures`
    refusals : {unsupported feature: reason}, see `require`

    A `Tree` holds the statistics of the training points of a node in a row of ``values`` [m, width].
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
        """Raise `error` if such trees do not support a feature: one of ``refusals``, with its reason."""
        if feature in cls.refusals:
            raise error(cls.refusals[feature])

    @classmethod
    @abstractmethod
    def of_tree(cls, tree: TreeArrays) -> Target:
        """Return the target of a `Tree` alone."""

    @staticmethod
    @abstractmethod
    def width(n_classes: int) -> int:
        """Return the number of entries of a row of ``values``."""

    @staticmethod
    @abstractmethod
    def amounts(values: np.ndarray) -> np.ndarray:
        """Return float64[m, some]: the entries of ``values`` that are never negative."""

    @staticmethod
    @abstractmethod
    def weights(values: np.ndarray) -> np.ndarray:
        """Return float64[m]: weight of the training points in rows of ``values``."""

    @staticmethod
    @abstractmethod
    def is_pure(values: np.ndarray) -> np.ndarray:
        """Return bool[m]: whether all training points of a node have one value."""

    @staticmethod
    @abstractmethod
    def best_labels(values: np.ndarray) -> np.ndarray:
        """Return int[m]: `Tree.labels` of nodes with the best prediction for their training points."""

    @staticmethod
    @abstractmethod
    def impurities(values: np.ndarray) -> np.ndarray:
        """Return float64[m]: the criterion of greedy growth: weight times Gini impurity, or squared errors."""

    @staticmethod
    @abstractmethod
    def predictions(tree: TreeArrays, labels: np.ndarray | None = None) -> np.ndarray:
        """Return [m]: prediction of each node: `labels` [k] (None.

        The codes) of the classes of the tree, or a number.
        """

    @staticmethod
    @abstractmethod
    def values_of(tree: TreeArrays, labels: ArrayLike) -> np.ndarray:
        """Return [n]: labels of rows in the form of `Tree.outputs`.

        Codes of the classes of the tree (k for others), or numbers.
        """

    @staticmethod
    @abstractmethod
    def strata(labels: np.ndarray) -> np.ndarray:
        """Return [n]: strata of which parts of rows have equal shares, from labels [n].

        Raise ValueError for invalid labels.
        """

    @staticmethod
    @abstractmethod
    def codes(labels: np.ndarray, known: np.ndarray) -> np.ndarray:
        """Return [n]: labels as int32 indices of the sorted `known` ones, or as float64 numbers."""

    @abstractmethod
    def with_labels(self, known: np.ndarray) -> Target:
        """Return the target whose values are the `codes` of labels among the `known` ones."""

    @staticmethod
    @abstractmethod
    def label_codes(tree: TreeArrays, positions: ArrayLike | None = None) -> dict | None:
        """Return {label in a document: code} of the classes of a tree, by `positions` [k] (None: 0, 1, ...).

        None if a label is any number (or None, for the mean of the rows).
        """

    @staticmethod
    @abstractmethod
    def row_values(node: np.ndarray, y: np.ndarray, weights: np.ndarray, tree: TreeArrays) -> np.ndarray:
        """Return float64[m, width]: ``values`` of the nodes of a tree that rows reach.

        node : int[n], of each row; y : its true value, as of `values_of`; weights : its weight.
        """

    @staticmethod
    @abstractmethod
    def scores(values: np.ndarray) -> np.ndarray:
        """Return float64[q]: scores of a linear model without weights (`LinearLeaves`) for a row of ``values``."""

    @staticmethod
    @abstractmethod
    def answers(scores: np.ndarray, classes: Any) -> np.ndarray:
        """Return [n]: labels that scores float64[n, q] of linear leaves predict, of the `classes` [k] of the tree."""

    @staticmethod
    @abstractmethod
    def labelled(values: np.ndarray, labels: np.ndarray, is_leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (values [m, width], `Tree.labels` int32[m]) of a tree whose leaves have these labels [m].

        NaN, and all other nodes, get the best label for their points.
        """

    @staticmethod
    @abstractmethod
    def shares(tree: TreeArrays) -> np.ndarray | None:
        """Return float64[m, k]: shares of the classes in each node, 0 where it has no weight; None for numbers."""

    @staticmethod
    @abstractmethod
    def leaf_figures(
        tree: TreeArrays, reached: np.ndarray | None = None, y: np.ndarray | None = None
    ) -> dict[int, dict]:
        """Return {leaf: fields of its `Rule`}: its label and its accuracy, on the training points or on rows.

        reached : int[n], the leaves of rows; y : [n], their labels. Raises DataError.
        """

    @staticmethod
    @abstractmethod
    def counted_labels(tree: TreeArrays, y: np.ndarray | None = None) -> tuple:
        """Return the labels whose rows `leaf_figures` counts.

        Those of the tree, then others of `y`, None for a missing one.

        () for regression.
        """

    @staticmethod
    @abstractmethod
    def label_text(label: object, precision: int | str | None = None) -> str:
        """Return a label (class or number) in the syntax of typed rules."""

    @staticmethod
    @abstractmethod
    def goes_with(class_names: tuple) -> bool:
        """Return whether data with these class names can be those of such a tree."""

    @staticmethod
    @abstractmethod
    def holds(y: np.ndarray, class_names: tuple) -> bool:
        """Return whether values y [n] of data with these class names are values of such a target."""

    @abstractmethod
    def matching_nodes(
        self,
        tree: TreeArrays,
        before: object,
        label: object = None,
        above: float | None = None,
        below: float | None = None,
    ) -> np.ndarray:
        """Return bool[m]: nodes that predict a label, or numbers above or below others.

        Without these, anything but `before`.

        Raises DataError, ParameterError.
        """

    @abstractmethod
    def group_of(self, values: np.ndarray) -> np.ndarray:
        """Return int64[n]: group of each value."""

    @abstractmethod
    def outputs(self, tree: TreeArrays) -> np.ndarray:
        """Return [m]: value that each node of a `Tree` predicts, of a tree of this target."""

    def usual_outputs(self, tree: TreeArrays) -> np.ndarray:
        """Return [m]: values that nodes predict, for linear leaves the best constant for their training points."""
        if tree.linear is None:
            return self.outputs(tree)
        is_told = (tree.left < 0) & (np.diff(tree.linear.indptr) == 0)
        told = self.answers(tree.linear.bias, self.positions(tree))
        return np.where(is_told, told, self.outputs(replace(tree, linear=None)))

    def row_outputs(self, tree: TreeArrays, X: Any, leaf: np.ndarray) -> np.ndarray:
        """Return [n]: values predicted for rows `X` ([n, d], array or CSR), which reach the leaves int[n]."""
        if tree.linear is None:
            return self.outputs(tree)[leaf]
        return self.answers(tree.linear.scores(X, leaf), self.positions(tree))

    def positions(self, tree: TreeArrays) -> np.ndarray | None:
        """Return int64[k]: code of each class of a tree; None for numbers."""
        return None

    @abstractmethod
    def text(self, value: float) -> str:
        """Format a value, such as "setosa" or "4.2"."""

    def places(self, values: np.ndarray) -> np.ndarray | None:
        """Return float64[n]: position of numbers between the ends of all ranges, 0 to 1; None for classes."""
        return None

    def answer(self, value: float) -> str:
        """Format a prediction with a sensible precision."""
        return self.text(value)

    @abstractmethod
    def node_losses(self, tree: TreeArrays) -> np.ndarray:
        """Return float64[m]: weighted sum of the losses of the training points of each node as a leaf."""

    @abstractmethod
    def summary(self, values: np.ndarray) -> tuple[float, ...]:
        """Return a tuple of float from a row of `Tree.values`: the class shares, or the mean."""

    @abstractmethod
    def parts(self, tree: TreeArrays) -> tuple[str, ...]:
        """Return the names of the entries of a `summary`: the classes of a `Tree`, or the target."""

    @abstractmethod
    def difference(self, predicted: float, truth: float) -> str:
        """Return the text of the difference between a prediction and the true value."""

    @abstractmethod
    def change(self, before: tuple, after: tuple) -> str:
        """Return the text of the difference between two summaries."""

    @abstractmethod
    def leaf_counts(self, tree: TreeArrays) -> tuple[np.ndarray, np.ndarray]:
        """Return (int64[l, groups], float64[l]): training rows of each leaf by group, and the sum of their losses.

        The values are those that the tree stores; fractions of rows, from weights, are rounded.
        """

    @abstractmethod
    def fits(self, tree: TreeArrays) -> bool:
        """Return whether a `Tree` predicts such values."""

    @abstractmethod
    def of_data(self, data: DataSetLike) -> Target:
        """Return the target of a tree with the names and the range of a DataSet."""

    def unknown_classes(self, tree: TreeArrays) -> list[str]:
        """Return the classes of a `Tree` that this target does not have, as a list."""
        return []

    def other_figures(self, predicted: np.ndarray, y: np.ndarray) -> dict[str, float]:
        """Return other metrics of predicted values: dict of the `other_names`."""
        return {}

    @classmethod
    def losses(cls, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return float64[n]: loss of each row, from values (or from labels, which are only tested for equality)."""
        return LOSSES[cls.loss](np.asarray(predicted), np.asarray(y))

    def is_wrong(self, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return bool[n]: whether a row counts as wrong."""
        return self.losses(predicted, y) > self.tolerance

    def error(self, mean_loss: float) -> float:
        """Return the error of rows with this mean loss."""
        return float(np.sqrt(mean_loss)) if self.is_root else float(mean_loss)

    def error_rises(self, loss: float, increases: np.ndarray) -> np.ndarray:
        """Return the increase of the error, times `error_scale`, for these increases of the mean loss."""
        if not self.is_root:
            return self.error_scale * increases
        return np.sqrt(np.maximum(loss + increases, 0.0)) - np.sqrt(loss)

    def error_and_deviation(self, losses: np.ndarray, weights: np.ndarray | None = None) -> tuple:
        """Return (error, its standard error) of rows with these losses and weights; of a root by the delta method."""
        share = np.full(losses.size, 1 / losses.size) if weights is None else weights / weights.sum()
        mean = float(share @ losses)
        deviation = float(np.sqrt(np.square(share * (losses - mean)).sum()))
        if self.is_root:
            return float(np.sqrt(mean)), deviation / (2 * np.sqrt(mean)) if mean > 0 else 0.0
        return mean, deviation

    @property
    def short_axis_title(self) -> str:
        """Short title of an axis of errors."""
        return f"{self.error_label} {self.unit}".rstrip()

    @property
    def loss_unit(self) -> float:
        """Unit of losses: 1, or the variance of all numbers."""
        return 1.0

    @property
    def axis_title(self) -> str:
        """Title of an axis of errors times `error_scale`."""
        return f"{self.error_name} ({self.unit})" if self.unit else self.error_name

    def error_text(self, error: float | None, digits: int | None = None) -> str:
        """Format an error, such as "8.2 %" or "3.1"; a dash without one."""
        if error is None or not np.isfinite(error):
            return "–"
        return f"{self.bare_error_text(error, digits)} {self.unit}".rstrip()

    def bare_error_text(self, error: float, digits: int | None = None) -> str:
        """Format a finite error without the unit."""
        value = self.error_scale * error
        if self.error_digits is None:
            return number(value, 4)
        return decimals(value, self.error_digits if digits is None else digits)

    def top_of_axis(self, wanted: float) -> float:
        """Return the end of an axis of errors times `error_scale`, at most the largest possible error."""
        return wanted if self.most_error is None else min(wanted, self.error_scale * self.most_error)

    def format_losses(self, template: str, loss: float, n: int) -> str:
        """Return the `wrong_words` or `share_words` of n rows whose losses sum up to `loss`."""
        return template.format(
            loss=f"{count(round(loss))}", error=self.short_error(self.error(loss / n) if n else None)
        )

    def short_error(self, error: float | None) -> str:
        """Format an error with the precision of a prediction."""
        return self.error_text(error)

    def to_dict(self) -> dict:
        """Return a dict for JSON with the values that the browser needs (viz/stage/model/target.js)."""
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
