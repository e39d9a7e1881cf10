"""Prediction of one class by a probability threshold instead of the majority class."""

from dataclasses import replace

import numpy as np

from treecore.errors import DataError, ParameterError
from treecore.messages import literal
from treecore.tree.tree import Tree


def with_threshold(tree: Tree, label: object, share: float) -> Tree:
    """Return the tree with the prediction `label` in each leaf in which the share of this class is at least `share`.

    Other leaves predict the most frequent of the other classes. Shares are weighted as in training. Rules, code and
    figures of the returned tree use the new predictions. label : one of the classes; share : number in [0, 1]. Raise
    DataError for an unknown label or a regression tree, and ParameterError for a share outside [0, 1].
    """
    tree.target.require("probabilities")
    if not isinstance(share, int | float | np.number) or not 0.0 <= share <= 1.0:
        raise ParameterError(f"share={literal(share)}: expected a class share from 0 to 1.")
    classes = tree.classes.tolist()
    if label not in classes:
        raise DataError(f"label={literal(label)}: expected a class of the tree: {classes[:20]}.")
    code, shares = classes.index(label), _shares(tree)
    others = np.where(np.arange(len(classes)) == code, -1.0, shares).argmax(axis=1)
    return replace(tree, labels=np.where(shares[:, code] >= share, code, others))


def leaf_shares(tree: Tree, label: object) -> np.ndarray:
    """Return the sorted distinct shares of a class in the leaves, float64[k].

    All thresholds between two adjacent shares are equivalent.
    """
    leaves = tree.left < 0
    return np.unique(_shares(tree)[leaves, tree.classes.tolist().index(label)])


def _shares(tree) -> np.ndarray:
    return np.asarray(tree.target.shares(tree))
