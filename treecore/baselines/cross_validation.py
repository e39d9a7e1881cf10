"""Cross-validated errors of the subtrees in a cost-complexity sequence, and the selection rule of rpart.

As in Breiman et al. (1984) and rpart, each fold grows its own tree. A subtree that is best for all alpha in [a, b) is
evaluated by the fold's best subtree for the geometric mean of a and b.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from treecore.training.cost_complexity import weakest_links
from treecore.tree.working_tree import WorkingTree

TIE = 1e-12  # share of the largest error; smaller differences are ties


class GrownTree(NamedTuple):
    """Tree before pruning.

    working : WorkingTree; risk : float64[m], training loss of each node as a leaf; apply : function that returns the
    leaf of each row of an array [n, d].
    """

    working: WorkingTree
    risk: np.ndarray
    apply: Callable


def by_appearance(codes: np.ndarray) -> np.ndarray:
    """Return codes (int[n]) in the order of their first rows, for choices that the names of classes do not change."""
    _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]


def folds_of(groups: np.ndarray, cv: int, rng: np.random.Generator) -> list:
    """Return random folds [(training rows, held-out rows)] with equal shares of the `groups` (int[n])."""
    groups, order = by_appearance(groups), rng.permutation(groups.size)
    order = order[np.argsort(groups[order], kind="stable")]
    folds = np.empty(groups.size, np.int64)
    folds[order] = np.arange(groups.size) % min(cv, groups.size)
    return [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in range(int(folds.max()) + 1)]


def cross_validated(
    grow: Callable,
    rows: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    folds: Sequence,
    alphas: Sequence[float],
    losses: Callable,
    run: Callable,
) -> tuple:
    """Return the errors and standard errors of the subtrees that are best from each alpha on, float64[subtrees] each.

    grow : function that returns a `GrownTree` for the given row numbers; rows : [n, d]; y : [n], class codes or
    numbers; weights : float64[n]; folds : [(training rows, held-out rows)]; alphas : increasing, in units of risk per
    weight; losses : function of predictions and targets that returns the loss of each row; run : maps a function over a
    list (threads).
    """
    middles = middles_of(alphas)

    def fold_sums(fold):
        part, held = fold
        grown = grow(part)
        subtrees = Subtrees(grown.working, grown.risk / weights[part].sum(), grown.working.labels, middles)
        return subtrees.loss_sums(grown.apply(rows[held]), y[held], weights[held], losses)

    sums = np.sum(run(fold_sums, list(folds)), axis=0)
    judged = weights[np.concatenate([held for _, held in folds])]
    return errors_of(sums, float(judged.sum()), float((judged**2).sum()))


def middles_of(alphas: Sequence[float]) -> np.ndarray:
    """Return the geometric mean of each alpha and the next one, which represents this interval in the folds."""
    bounds = np.maximum(np.array(alphas), 0.0)
    with np.errstate(invalid="ignore"):  # if the last alpha is 0, the product is 0 × infinity
        middles = np.sqrt(bounds * np.append(bounds[1:], np.inf))
    middles[np.isnan(middles)] = np.inf
    return middles


def errors_of(sums: np.ndarray, weight: float, squared_weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Return errors and standard errors from the results of `Subtrees.loss_sums`, summed over all folds.

    weight, squared_weight : sum of the weights of all held-out rows, and of their squares.
    """
    errors = sums[0] / weight
    variance = sums[2] - 2 * errors * sums[1] + errors**2 * squared_weight
    return errors, np.sqrt(np.maximum(variance, 0.0)) / weight


def chosen_subtree(errors: np.ndarray, standard_errors: np.ndarray, rule: str) -> int:
    """Return the index of the smallest subtree with the least error, or within one standard error of it ("one_se")."""
    best = int(errors.argmin())
    limit = errors[best] + (standard_errors[best] if rule == "one_se" else TIE * errors.max())
    return int(np.flatnonzero(errors <= limit).max())


class Subtrees:
    """Subtrees of a tree that are best for each of several alphas.

    shape : WorkingTree, of which only the structure is used; risk : float64[m], loss of each node as a leaf, per
    weight; predictions : [m]; alphas : float64[subtrees], increasing.
    """

    def __init__(self, shape: WorkingTree, risk: np.ndarray, predictions: np.ndarray, alphas: np.ndarray) -> None:
        self._sequence = weakest_links(shape.left, shape.right, risk)
        self._shape, self._predictions, self._alphas = shape, predictions, alphas

    def loss_sums(self, leaves: np.ndarray, y: np.ndarray, weights: np.ndarray, losses_of: Callable) -> np.ndarray:
        """Return the sums of weight × loss, weight² × loss and weight² × loss², float64[3, subtrees].

        leaves : int[n], leaf of each row; y : [n]; weights : float64[n]; losses_of : as `losses` of `cross_validated`.
        """
        shape = self._shape
        place = shape.rank[leaves]
        ends = np.empty(shape.n_leaves, np.int64)  # node of each leaf
        inside = np.flatnonzero(shape.left < 0)
        ends[shape.rank[inside]] = inside
        sums, step = np.empty((3, self._alphas.size)), 1
        for k, alpha in enumerate(self._alphas):
            while step < len(self._sequence) and self._sequence[step].alpha <= alpha:
                for node in self._sequence[step].collapsed:
                    ends[shape.first[node] : shape.last[node]] = node
                step += 1
            losses = losses_of(self._predictions[ends[place]], y)
            sums[:, k] = weights @ losses, weights**2 @ losses, weights**2 @ losses**2
        return sums
