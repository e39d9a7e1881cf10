"""`Target`: the quantity that a tree predicts, with metrics, groups and texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError, TreecoreError
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import count, decimals, number
from treecore.tree.tree_arrays import TreeArrays

LOSSES = {  # loss of a row, as a function of the predicted and the true value
    "unequal": lambda predicted, y: (predicted != y).astype(np.float64),
    "absolute": lambda predicted, y: np.abs(np.subtract(predicted, y, dtype=np.float64)),
    "squared": lambda predicted, y: np.square(np.subtract(predicted, y, dtype=np.float64)),
}


class Target(ABC):
    """Target of a tree: `Classes` or a `Quantity`. All code that depends on the task is in these classes.

    Values are the entries of ``y`` in a data set and the predictions of leaves: int64 class codes, or float64 numbers.
    A new kind of target sets the following attributes and defines how values are grouped and formatted, see `Classes`.

    name : name of the target, such as "price", or ""
    groups : tuple of str, names of the groups that colours show: classes, or ranges of numbers
    has_tails : whether the first and last group include values beyond their ends
    is_ordered : whether the groups are ordered from low to high
    noun, nouns : nouns for groups, such as "class", "classes"
    value_noun, values_noun : nouns for values
    values_are_groups : whether a value is the code of its group
    loss : name of the loss in `LOSSES`
    is_root : whether the error is the square root of the mean loss
    error_name, error_label : long and short name of the error
    error_scale, error_digits, unit : factor, number of decimals (None: significant digits) and unit for displaying the
    error
    least_error, most_error : smallest and largest end of an error axis (None: no limit)
    error_help : explanation of the error, with ``{n}`` rows and ``{set}``
    error_sentence : sentence with the ``{error}`` of ``{rows}``, such as "1,234 test rows"
    loss_noun : name of the sum of losses
    leaf_words : text for a leaf that predicts ``{value}``
    verdict_words : text for the accuracy of a leaf, where ``{right}`` is the share of correct rows
    part_words : text for an entry ``{part}`` of a `summary`
    wrong_noun, right_noun : words for rows that count as wrong, or correct
    wrong_words, share_words : texts for rows with the total loss ``{loss}`` and the error ``{error}``
    tolerance : largest loss of a row that counts as correct
    certainty : field of a `Rule` that measures its accuracy, see also `NodeStatistic`
    other_names : short names of the metrics in `other_figures`
    refusals : {unsupported feature: reason}, see `require`

    In a `Tree`, a row of ``values`` [m, width] contains the training statistics of a node.
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
        """Raise `error`, with the reason in ``refusals``, if trees with this target do not support a feature."""
        if feature in cls.refusals:
            raise error(cls.refusals[feature])

    @classmethod
    @abstractmethod
    def of_tree(cls, tree: TreeArrays) -> Target:
        """Return the target of a `Tree` without its data set."""

    @staticmethod
    @abstractmethod
    def width(n_classes: int) -> int:
        """Return the number of entries in a row of ``values``."""

    @staticmethod
    @abstractmethod
    def amounts(values: np.ndarray) -> np.ndarray:
        """Return the entries of ``values`` that must not be negative, float64[m, ...]."""

    @staticmethod
    @abstractmethod
    def weights(values: np.ndarray) -> np.ndarray:
        """Return the weight of the training points in each row of ``values``, float64[m]."""

    @staticmethod
    @abstractmethod
    def is_pure(values: np.ndarray) -> np.ndarray:
        """Return whether all training points of each node have the same value, bool[m]."""

    @staticmethod
    @abstractmethod
    def best_labels(values: np.ndarray) -> np.ndarray:
        """Return the `Tree.labels` with the best predictions for the training points, int[m]."""

    @staticmethod
    @abstractmethod
    def impurities(values: np.ndarray) -> np.ndarray:
        """Return the criterion for greedy growth, float64[m]: weight × Gini impurity, or sum of squared errors."""

    @staticmethod
    @abstractmethod
    def predictions(tree: TreeArrays, labels: np.ndarray | None = None) -> np.ndarray:
        """Return the prediction of each node, [m]: a number, or the class label."""

    @staticmethod
    @abstractmethod
    def values_of(tree: TreeArrays, labels: ArrayLike) -> np.ndarray:
        """Return the labels of rows in the form of `Tree.outputs`, [n].

        The result contains class codes of the tree (k for unknown classes), or numbers.
        """

    @staticmethod
    @abstractmethod
    def strata(labels: np.ndarray) -> np.ndarray:
        """Return the strata of labels [n]. Parts of the rows have the same share of each stratum.

        Raise ValueError for invalid labels.
        """

    @staticmethod
    @abstractmethod
    def codes(labels: np.ndarray, known: np.ndarray) -> np.ndarray:
        """Return labels [n] as int32 indices into the sorted `known` labels, or as float64 numbers."""

    @abstractmethod
    def with_labels(self, known: np.ndarray) -> Target:
        """Return the target whose values are the `codes` for the `known` labels."""

    @staticmethod
    @abstractmethod
    def label_codes(tree: TreeArrays, positions: ArrayLike | None = None) -> dict | None:
        """Return the class code of each label in a document. positions : [k] (None: 0, 1, ...).

        Return None for regression, because such a label is a number, or None for the mean target of the rows.
        """

    @staticmethod
    @abstractmethod
    def row_values(node: np.ndarray, y: np.ndarray, weights: np.ndarray, tree: TreeArrays) -> np.ndarray:
        """Compute the ``values`` of nodes from rows, float64[m, width].

        node : int[n], node of each row; y : [n], true values from `values_of`; weights : [n], row weights.
        """

    @staticmethod
    @abstractmethod
    def scores(values: np.ndarray) -> np.ndarray:
        """Return the scores of a linear model without weights (`LinearLeaves`) for a row of ``values``, float64[q]."""

    @staticmethod
    @abstractmethod
    def answers(scores: np.ndarray, classes: Any) -> np.ndarray:
        """Return the labels [n], from `classes` [k], that scores of linear leaves (float64[n, q]) predict."""

    @staticmethod
    @abstractmethod
    def labelled(values: np.ndarray, labels: np.ndarray, is_leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the values [m, width] and `Tree.labels` int32[m] of a tree whose leaves have these labels [m].

        Leaves with label NaN, and all other nodes, get the best label for their points.
        """

    @staticmethod
    @abstractmethod
    def shares(tree: TreeArrays) -> np.ndarray | None:
        """Return the class shares in each node, float64[m, k] (0 in a node without weight), or None for regression."""

    @staticmethod
    @abstractmethod
    def leaf_figures(
        tree: TreeArrays, reached: np.ndarray | None = None, y: np.ndarray | None = None
    ) -> dict[int, dict]:
        """Return the label and accuracy of each leaf, {leaf: fields of its `Rule`}, on training points or rows.

        reached : int[n], leaf of each row; y : [n], labels. Raise DataError for invalid labels.
        """

    @staticmethod
    @abstractmethod
    def counted_labels(tree: TreeArrays, y: np.ndarray | None = None) -> tuple:
        """Return the labels whose rows `leaf_figures` counts.

        The labels of the tree precede other labels in `y`, with None for a missing label. The result is () for
        regression.
        """

    @staticmethod
    @abstractmethod
    def label_text(label: object, precision: int | str | None = None) -> str:
        """Format a label (class or number) in the syntax of typed rules."""

    @staticmethod
    @abstractmethod
    def goes_with(class_names: tuple) -> bool:
        """Return whether a tree with this target can belong to data with these class names."""

    @staticmethod
    @abstractmethod
    def holds(y: np.ndarray, class_names: tuple) -> bool:
        """Return whether y [n] of data with these class names contains values of this target."""

    @abstractmethod
    def matching_nodes(
        self,
        tree: TreeArrays,
        before: object,
        label: object = None,
        above: float | None = None,
        below: float | None = None,
    ) -> np.ndarray:
        """Return which nodes predict `label`, or a number above or below a limit, bool[m].

        Without these arguments, nodes with any prediction other than `before` match.

        Raise DataError or ParameterError for invalid arguments.
        """

    @abstractmethod
    def group_of(self, values: np.ndarray) -> np.ndarray:
        """Return the group of each value, int64[n]."""

    @abstractmethod
    def outputs(self, tree: TreeArrays) -> np.ndarray:
        """Return the value that each node of a `Tree` with this target predicts, [m]."""

    def usual_outputs(self, tree: TreeArrays) -> np.ndarray:
        """Return the value that each node predicts, [m], or for linear leaves the best constant."""
        return tree.leaf_model.usual_outputs(tree, self)

    def row_outputs(self, tree: TreeArrays, X: Any, leaf: np.ndarray) -> np.ndarray:
        """Return the predicted values [n] of rows `X` ([n, d], array or CSR). leaf : int[n], leaf of each row."""
        return tree.leaf_model.predict(tree, self, self.positions(tree), X, leaf)

    def positions(self, tree: TreeArrays) -> np.ndarray | None:
        """Return the code of each class of a tree, int64[k], or None for regression."""
        return None

    @abstractmethod
    def text(self, value: float) -> str:
        """Format a value, such as "setosa" or "4.2"."""

    def places(self, values: np.ndarray) -> np.ndarray | None:
        """Return the positions of numbers within all ranges, float64[n], from 0 to 1, or None for classification."""
        return None

    def answer(self, value: float) -> str:
        """Format a prediction with a sensible precision."""
        return self.text(value)

    @property
    def leaf_name(self) -> str:
        """Name of the target, if a prediction alone is unclear, such as "1" or "yes". Otherwise ""."""
        return self.name

    @property
    def title(self) -> str:
        """Name of the target for a heading or an axis: its own, or its `noun`."""
        return self.name or self.noun

    def leaf_answer(self, value: float) -> str:
        """Format the prediction of a leaf, such as "setosa" or "survived = 1"."""
        return f"{self.leaf_name} = {self.answer(value)}" if self.leaf_name else self.answer(value)

    @abstractmethod
    def node_losses(self, tree: TreeArrays) -> np.ndarray:
        """Return the weighted training loss of each node as a leaf, float64[m]."""

    @abstractmethod
    def summary(self, values: np.ndarray) -> tuple[float, ...]:
        """Return the class shares or the mean of a row of `Tree.values`, as a tuple of float."""

    @abstractmethod
    def parts(self, tree: TreeArrays) -> tuple[str, ...]:
        """Return the names of the entries in a `summary`: the classes, or the target."""

    @abstractmethod
    def difference(self, predicted: float, truth: float) -> str:
        """Return the text of the difference between a prediction and the true value."""

    @abstractmethod
    def change(self, before: tuple, after: tuple) -> str:
        """Return the text of the difference between two summaries."""

    @abstractmethod
    def leaf_counts(self, tree: TreeArrays) -> tuple[np.ndarray, np.ndarray]:
        """Return the training rows of each leaf by group, int64[l, groups], and their total loss, float64[l].

        The numbers are computed from the stored values. Fractions of rows, from weights, are rounded.
        """

    @abstractmethod
    def fits(self, tree: TreeArrays) -> bool:
        """Return whether a `Tree` predicts values of this target."""

    @abstractmethod
    def of_data(self, data: DataSetLike) -> Target:
        """Return the target with the names and the range of a DataSet."""

    def unknown_classes(self, tree: TreeArrays) -> list[str]:
        """Return the list of classes of a `Tree` that this target does not contain."""
        return []

    def other_figures(self, predicted: np.ndarray, y: np.ndarray) -> dict[str, float]:
        """Return other metrics of predicted values, a dict with the keys `other_names`."""
        return {}

    @classmethod
    def losses(cls, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the loss of each row, float64[n], from values or from labels, which are only compared for equality."""
        return LOSSES[cls.loss](np.asarray(predicted), np.asarray(y))

    def is_wrong(self, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which rows count as wrong, bool[n]."""
        return self.losses(predicted, y) > self.tolerance

    def error(self, mean_loss: float) -> float:
        """Return the error of rows with this mean loss."""
        return float(np.sqrt(mean_loss)) if self.is_root else float(mean_loss)

    def error_rises(self, loss: float, increases: np.ndarray) -> np.ndarray:
        """Return the increase in error, times `error_scale`, for increases in the mean loss."""
        if not self.is_root:
            return self.error_scale * increases
        return np.sqrt(np.maximum(loss + increases, 0.0)) - np.sqrt(loss)

    def error_and_deviation(self, losses: np.ndarray, weights: np.ndarray | None = None) -> tuple:
        """Return the error of rows and its standard error, which uses the delta method if the error is a root."""
        share = np.full(losses.size, 1 / losses.size) if weights is None else weights / weights.sum()
        mean = float(share @ losses)
        deviation = float(np.sqrt(np.square(share * (losses - mean)).sum()))
        if self.is_root:
            return float(np.sqrt(mean)), deviation / (2 * np.sqrt(mean)) if mean > 0 else 0.0
        return mean, deviation

    @property
    def short_axis_title(self) -> str:
        """Short title of an error axis."""
        return f"{self.error_label} {self.unit}".rstrip()

    @property
    def loss_unit(self) -> float:
        """Unit of losses, which is 1 or the variance of all numbers."""
        return 1.0

    @property
    def axis_title(self) -> str:
        """Title of an error axis in units of `error_scale`."""
        return f"{self.error_name} ({self.unit})" if self.unit else self.error_name

    def error_text(self, error: float | None) -> str:
        """Format an error, such as "8.2 %" or "3.1", or None as a dash."""
        if error is None or not np.isfinite(error):
            return "–"
        return f"{self.bare_error_text(error)} {self.unit}".rstrip()

    def bare_error_text(self, error: float) -> str:
        """Format a finite error without the unit."""
        value = self.error_scale * error
        return number(value, 4) if self.error_digits is None else decimals(value, self.error_digits)

    def top_of_axis(self, wanted: float) -> float:
        """Return the upper end of an error axis: `wanted`, but at most the largest possible error.

        Both are in units of `error_scale`.
        """
        return wanted if self.most_error is None else min(wanted, self.error_scale * self.most_error)

    def format_losses(self, template: str, loss: float, n: int) -> str:
        """Return the `wrong_words` or `share_words` for n rows with the total loss `loss`."""
        return template.format(
            loss=f"{count(round(loss))}", error=self.short_error(self.error(loss / n) if n else None)
        )

    def short_error(self, error: float | None) -> str:
        """Format an error with the precision of a prediction."""
        return self.error_text(error)

    def to_dict(self) -> dict:
        """Return JSON values for the browser (viz/stage/model/target.js)."""
        return {
            "name": self.name,
            "leafName": self.leaf_name,
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
