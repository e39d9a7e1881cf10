"""Conversion of summed leaf values of boosted models to predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treecore.errors import TreeFormatError
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.messages import MESSAGES
from treecore.tree.tree import Tree


def sigmoid(margins: np.ndarray) -> np.ndarray:
    """Return the probabilities of margins, both [m] with the same dtype."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-margins))


def two_classes(nodes: ForeignNodes, shares: np.ndarray, classes: Sequence) -> Tree:
    """Return the classification tree of a model with one tree and two classes.

    shares : [m], probability of the second class in each leaf, which predicts this class above one half.
    """
    if len(classes) < 2:
        raise TreeFormatError(MESSAGES("one_class", label=classes[0]))
    second, _ = nodes.of_leaves(shares)
    values = np.column_stack([1 - second, second]) * nodes.weights[:, None]
    return nodes.classification(values, classes, (second > 0.5).astype(int))
