"""`LeafModel`: the predictions of the leaves of a tree, and `ConstantLeaves`, the usual ones.

All code that depends on the kind of leaves is in these classes. `treecore.tree.leaf_kinds` lists them, and
`treecore.training.leaf_steps` contains their leaf steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from treecore.errors import DataError, TreecoreError


class LeafModel(ABC):
    """Predictions of the leaves of a tree with m nodes.

    A new kind of leaves derives from `ConstantLeaves` if all rows in a leaf have the same prediction. The methods
    receive the tree, whose arrays contain the statistics of the training rows.

    kind : name of the kind, which is the value of the parameter `leaf`
    words : the kind in a list of choices
    help : description of the kind for the app
    is_constant : whether all rows in a leaf have the same prediction. Other leaves have a linear model (`model`).
    refusals : {unsupported operation: reason}, see `require`
    """

    kind: ClassVar[str]
    words: ClassVar[str]
    help: ClassVar[str]
    is_constant: ClassVar[bool]
    refusals: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def require(cls, operation: str, error: type[TreecoreError] = DataError) -> None:
        """Raise `error`, with the reason in ``refusals``, if these leaves do not support an operation."""
        if operation in cls.refusals:
            raise error(cls.refusals[operation])

    @abstractmethod
    def check_tree(self, tree: Any, n_scores: int) -> None:
        """Raise TreeFormatError if the arrays do not match a tree with this number of scores (classes, or 1)."""

    def codes(self, tree: Any) -> np.ndarray:
        """Return the code of the class that each node predicts, int32[m], if the leaves support "outputs"."""
        return tree.labels

    def numbers(self, tree: Any) -> np.ndarray:
        """Return the number that each node predicts, float64[m], if the leaves support "outputs"."""
        return tree.values[:, 1]

    @abstractmethod
    def predict(self, tree: Any, target: Any, labels: Any, X: Any, leaf: np.ndarray) -> np.ndarray:
        """Return the predictions of rows, [n].

        target : `Target` or its class; labels : [k], the label of each class, None for regression; X : [n, d], array
        or CSR; leaf : int[n], leaf of each row.
        """

    @abstractmethod
    def probabilities(self, tree: Any, X: Any, leaf: np.ndarray) -> np.ndarray:
        """Return the class probabilities of rows, float64[n, k]. X, leaf : as in `predict`."""

    @abstractmethod
    def usual_outputs(self, tree: Any, target: Any) -> np.ndarray:
        """Return the value of the target that each node predicts, [m], or the best constant for its rows."""

    @abstractmethod
    def values(self, tree: Any, target: Any, nodes: range) -> list:
        """Return the label or number that each of the nodes predicts, None if it depends on the row."""

    @abstractmethod
    def text(self, tree: Any, target: Any, leaf: int) -> str:
        """Return the text of the prediction of a leaf."""

    def worded(self, answer: str) -> str:
        """Return the text of a constant prediction, such as "4.2", with a word for its kind, if it needs one.

        `worded` in viz/stage/model/leaf_models.js does the same.
        """
        return answer

    @abstractmethod
    def node_losses(self, tree: Any, target: Any) -> np.ndarray:
        """Return the weighted training loss of each node as a leaf, float64[m]."""

    @abstractmethod
    def leaf_counts(self, tree: Any, target: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the training rows of each leaf by group and their total loss, as `Target.leaf_counts`."""

    @abstractmethod
    def keys(self, tree: Any) -> np.ndarray:
        """Return keys that are equal for nodes with equal predictions, [m] or [m, ...]."""

    @abstractmethod
    def sizes(self, tree: Any) -> np.ndarray:
        """Return the number of features that each node uses as a leaf, int64[m]."""

    @abstractmethod
    def n_weights(self, tree: Any) -> np.ndarray:
        """Return the number of multiplications for a row in each node as a leaf, int64[m]."""

    @abstractmethod
    def used_features(self) -> np.ndarray:
        """Return the features that leaves use, node after node, int32[f]."""

    @abstractmethod
    def features_of(self, node: int) -> np.ndarray:
        """Return the features that a leaf uses, int32[f]."""

    @abstractmethod
    def model(self, node: int) -> Any:
        """Return the `LinearModel` of a leaf that is not constant."""

    @abstractmethod
    def taken(self, nodes: np.ndarray) -> Self:
        """Return the predictions of some nodes, in this order."""

    @abstractmethod
    def on_features(self, used: np.ndarray) -> Self:
        """Return the same predictions for rows that have only the features `used` (sorted)."""

    @abstractmethod
    def start(self, tree: Any) -> tuple[np.ndarray, list | None]:
        """Return the labels [m] and the models (None: none) with which a `WorkingTree` starts."""

    @classmethod
    @abstractmethod
    def of_nodes(cls, tree: Any, loss: Any, values: np.ndarray, samples: np.ndarray) -> LeafModel:
        """Return the predictions of a `WorkingTree`.

        loss : `Loss`; values : float64[m, width], values of the loss in each node; samples : int64[m], training rows.
        """

    @abstractmethod
    def to_record(self) -> dict | None:
        """Return JSON values. Kinds other than constant and linear leaves add their ``"kind"``."""

    @classmethod
    @abstractmethod
    def from_record(cls, record: dict, numbers: Callable, matrix: Callable) -> LeafModel:
        """Return the predictions from `to_record`. Raise TreeFormatError if a value is invalid.

        numbers, matrix : functions that convert lists and lists of lists to arrays, with checks (`tree_json`).
        """


_NO_FEATURES = np.empty(0, np.int32)
_NO_FEATURES.setflags(write=False)


class ConstantLeaves(LeafModel):
    """Leaves that predict a class or number, the best one for the training rows.

    The arrays of the tree contain these predictions.
    """

    kind = "constant"
    words = "constant"
    help = "one prediction per leaf."
    is_constant = True

    def check_tree(self, tree: Any, n_scores: int) -> None:
        pass

    def predict(self, tree: Any, target: Any, labels: Any, X: Any, leaf: np.ndarray) -> np.ndarray:
        return target.predictions(tree, labels)[leaf]

    def probabilities(self, tree: Any, X: Any, leaf: np.ndarray) -> np.ndarray:
        counts = tree.values[leaf]
        return counts / counts.sum(axis=1, keepdims=True)

    def usual_outputs(self, tree: Any, target: Any) -> np.ndarray:
        return target.outputs(tree)

    def values(self, tree: Any, target: Any, nodes: range) -> list:
        return target.predictions(tree, tree.classes)[nodes.start : nodes.stop].tolist()

    def text(self, tree: Any, target: Any, leaf: int) -> str:
        return self.worded(target.label_text(*self.values(tree, target, range(leaf, leaf + 1))))

    def node_losses(self, tree: Any, target: Any) -> np.ndarray:
        return target.node_losses(tree)

    def leaf_counts(self, tree: Any, target: Any) -> tuple[np.ndarray, np.ndarray]:
        return target.leaf_counts(tree)

    def keys(self, tree: Any) -> np.ndarray:
        return tree.outputs

    def sizes(self, tree: Any) -> np.ndarray:
        return np.zeros(tree.n_nodes, np.int64)

    def n_weights(self, tree: Any) -> np.ndarray:
        return np.zeros(tree.n_nodes, np.int64)

    def used_features(self) -> np.ndarray:
        return _NO_FEATURES

    def features_of(self, node: int) -> np.ndarray:
        return _NO_FEATURES

    def model(self, node: int) -> Any:
        raise TypeError("Constant leaves have no models.")

    def taken(self, nodes: np.ndarray) -> Self:
        return self

    def on_features(self, used: np.ndarray) -> Self:
        return self

    def start(self, tree: Any) -> tuple[np.ndarray, list | None]:
        return tree.outputs, None

    @classmethod
    def of_nodes(cls, tree: Any, loss: Any, values: np.ndarray, samples: np.ndarray) -> LeafModel:
        return CONSTANT

    def to_record(self) -> dict | None:
        return None

    @classmethod
    def from_record(cls, record: dict, numbers: Callable, matrix: Callable) -> LeafModel:
        return CONSTANT

    def __eq__(self, other):
        return type(self) is type(other)

    def __hash__(self):
        return hash(type(self))


CONSTANT = ConstantLeaves()
