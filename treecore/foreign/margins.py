"""Conversion of summed leaf values of boosted models to predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import TreeFormatError
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.tree.tree import Tree


def sigmoid(margins: np.ndarray) -> np.ndarray:
    """Return the probabilities of margins, both [m] with the same dtype."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-margins))


class BoosterOutput(NamedTuple):
    """Values that a model predicts.

    classes : labels of a classifier, else None; is_estimator : whether the model is an estimator, which returns numbers
    even for probabilities unless it is a classifier.
    """

    classes: Sequence | None
    is_estimator: bool

    @classmethod
    def of(cls, model: Any, booster: str) -> BoosterOutput:
        """Return the output of a model. booster : attribute with the booster of an estimator."""
        is_estimator = hasattr(model, booster)
        classes = getattr(model, "classes_", None) if is_estimator else None
        return cls(classes, is_estimator)

    def two_classes(self, nodes: ForeignNodes, shares: np.ndarray) -> Tree:
        """Return the tree of a model with one tree and two classes, 0 and 1 for a booster.

        shares : [m], probability of the second class in each leaf, which predicts this class above one half.
        """
        if self.is_estimator and self.classes is None:
            return nodes.regression(shares.astype(np.float64))
        classes = [0, 1] if self.classes is None else self.classes
        if len(classes) < 2:
            raise TreeFormatError(single_class(classes[0]))
        second, _ = nodes.of_leaves(shares)
        values = np.column_stack([1 - second, second]) * nodes.weights[:, None]
        return nodes.classification(values, classes, (second > 0.5).astype(int))


def single_class(label: Any) -> str:
    """Return the message about a model of a single class."""
    return f"The model was trained on a single class ({label!s:.40}). Train it on at least two classes."
