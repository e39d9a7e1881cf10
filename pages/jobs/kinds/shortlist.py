"""Choose, from the results of a search, the trees that are about as good as a tree and differ from it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from pages.jobs.class_weights import class_weight
from pages.jobs.point import Point
from pages.jobs.settings import Settings
from sample_data import DataSet
from treecore.tree.metrics import row_losses
from treecore.tree.tree import Tree

MOST = 6  # maximum number of trees
MOST_NAMED = 2  # largest number of features of a split of which each one counts
ALIKE = 0.98  # share of equal predictions from which two trees with the same first split count as alike


@dataclass(frozen=True)
class Alternative:
    """A tree about as good as another one. agreement : see `agreement`, on the test rows, or None without them."""

    point: Point
    agreement: float | None


def shortlist(
    present: Tree, points: Sequence[Point], path: Settings, data: DataSet, rows: tuple[np.ndarray, ...]
) -> list[Alternative]:
    """Return at most `MOST` alternatives to a tree, by validation error.

    Their validation error is at most one standard error above that of the tree. Test rows are not used to select trees.
    Without validation rows, training rows take their place. path : settings of the present tree; rows : (training,
    validation, test) row numbers.
    """
    train, validation, test = rows
    part = validation if validation.size else train
    X, y = data.X[part], data.labels()[part]
    kind = class_weight(path.class_weight, data.class_names)
    weights = None if kind is None else compute_sample_weight(kind, y)
    trees = [present, *(point.tree for point in points)]
    judged = [data.target.error_and_deviation(row_losses(tree, X, y), weights) for tree in trees]
    error, spread = judged[0]
    if present.target.values_are_groups:
        spread = max(spread, _least_spread(error, len(y)))
    deviation = None if data.image_shape else np.nanstd(data.X[train], axis=0)
    order = sorted(range(len(points)), key=lambda i: (judged[i + 1][0], points[i].tree.n_leaves))
    kept = [(first_split(present, deviation), present.predict(X))]
    found: list[Alternative] = []
    for i in order:
        tree = points[i].tree
        own = first_split(tree, deviation), tree.predict(X)
        if judged[i + 1][0] > error + spread or any(_are_alike(own, other) for other in kept):
            continue
        kept.append(own)
        found.append(Alternative(points[i], agreement(present, tree, data.X[test]) if test.size else None))
    return found[:MOST]


def first_split(tree: Tree, deviation: np.ndarray | None) -> tuple[int, ...]:
    """Return the features by which the root of a tree counts as different from another root.

    They are all features of a split with one or two, else the one with the largest weight in standard deviations. For
    images (no deviations), no pixel counts.
    """
    features, weights, _ = tree.split(0)
    if deviation is None:
        return ()
    if features.size <= MOST_NAMED:
        return tuple(sorted(features.tolist()))
    return (int(features[np.argmax(np.abs(weights) * deviation[features])]),)


def agreement(one: Tree, other: Tree, X: np.ndarray) -> float:
    """Return the share of rows with the same class, or the mean difference of numbers."""
    first, second = one.predict(X), other.predict(X)
    return float(np.mean(first == second) if one.target.values_are_groups else np.mean(np.abs(first - second)))


def _least_spread(error: float, n: int) -> float:
    """Return the standard error of an error rate on n rows, which is not 0 if no row is wrong (Agresti and Coull)."""
    share = (error * n + 2) / (n + 4)
    return float(np.sqrt(share * (1 - share) / (n + 4)))


def _are_alike(one: tuple[tuple[int, ...], np.ndarray], other: tuple[tuple[int, ...], np.ndarray]) -> bool:
    """Test whether two trees have the same first split and nearly the same predictions."""
    (first, own), (second, predicted) = one, other
    if first != second:
        return False
    if own.dtype.kind != "f":
        return float(np.mean(own == predicted)) >= ALIKE
    spread = float(np.std(predicted))
    return float(np.mean(np.abs(own - predicted))) <= (1 - ALIKE) * spread
