"""Optimal classification trees as an estimator, with a certificate."""

import time
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from treecore.baselines.dense_rows import tree_of
from treecore.baselines.greedy_estimator import TreeClassifier
from treecore.data.training_data import TrainingData
from treecore.docstrings import filled
from treecore.errors import DataError, ParameterError
from treecore.initial.binary_features import binary_features, column_thresholds
from treecore.initial.optimal_search import best_tree, least_loss
from treecore.messages import counted, literal
from treecore.parallel import resolve_jobs
from treecore.parameter_checks import LARGEST, check_number, check_whole
from treecore.training.prune import prune
from treecore.tree.tree import Tree

MOST_DEPTH = 5
MOST_THRESHOLDS = 1000  # thresholds of all features; the search stores counts for each pair of them


@dataclass(frozen=True)
class Certificate:
    """Proof of a search about its tree.

    Parameters
    ----------
    objective : float
        Objective of the tree: weight of the misclassified training rows + lam × decision nodes.
    lower_bound : float
        No tree of this depth on these thresholds has a smaller objective. Equal to `objective` if it is `proven`.
    proven : bool
        Whether the tree is optimal. False if the time limit ended the search.
    n_thresholds : int
        Number of thresholds of all features.
    seconds : float
        Duration of the search.

    See Also
    --------
    OptimalTreeClassifier : Estimator with a certificate.

    Examples
    --------
    >>> from treecore import Certificate
    >>> Certificate(7.0, 5.0, False, 30, 1.0).gap
    2.0
    """

    objective: float
    lower_bound: float
    proven: bool
    n_thresholds: int
    seconds: float

    @property
    def gap(self) -> float:
        """Largest possible difference to the optimum, 0 if it is proven."""
        return self.objective - self.lower_bound


@filled()
class OptimalTreeClassifier(TreeClassifier):
    """Classification tree with the smallest objective of all trees of a depth on given thresholds.

    The objective is that of TAO, ``misclassified rows + lam * decision nodes``. The search is exact: it is the dynamic
    programming of STreeD [1]_ in the package pystreed (``pip install pystreed``). Splits are univariate.
    A numeric column gets at most `n_thresholds` thresholds, midway between adjacent training values at its quantiles. A
    column with fewer values gets all its thresholds. A category is a 0/1 feature with one threshold. The optimum refers
    to these thresholds: with others, a tree can be better.

    Parameters
    ----------
    max_depth : int, default=3
        Maximum depth of the tree, from 1 to 5. Time grows steeply with it.
    lam : float, default=1.0
        Regularisation strength λ: each decision node counts as much as this number of misclassified rows.
    n_thresholds : int, default=10
        Maximum number of thresholds of a column. All columns together may have up to 1,000.
    time_limit : float, default=60.0
        Duration of the search in seconds, > 0. After that, the best tree found so far is returned, which depends on the
        speed of the machine, and `certificate_` is not proven. Many thresholds can delay the end by several seconds.
    thresholds_of : Tree or None, default=None
        Univariate tree on the same features whose thresholds are added, so that the optimum is at least as good as it.
    {class_weight, n_jobs}
    random_state : int, RandomState, Generator or None, default=None
        Not used: training is deterministic.

    Attributes
    ----------
    {tree_}
    certificate_ : Certificate
        Objective of the tree, with a lower bound for all trees of this depth on these thresholds.
    thresholds_ : list of float64 array
        Thresholds of each feature.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAOClassifier : Optimises large trees and all split types, without a guarantee.
    CARTClassifier : Greedy univariate tree.

    Notes
    -----
    Different weights of rows take about 2^max_depth times as long if `lam` > 0.

    References
    ----------
    {streed_2023}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import OptimalTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OptimalTreeClassifier(max_depth=2, lam=1.0).fit(X, y)
    >>> model.certificate_.proven, model.certificate_.objective, model.get_n_leaves()
    (True, 10.0, 4)
    """

    def __init__(
        self,
        max_depth: int = 3,
        lam: float = 1.0,
        n_thresholds: int = 10,
        time_limit: float = 60.0,
        thresholds_of: Tree | None = None,
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.lam = lam
        self.n_thresholds = n_thresholds
        self.time_limit = time_limit
        self.thresholds_of = thresholds_of
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Search for the tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Non-negative weight of each row. A weight of 2 has the effect of a duplicated row.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        DataError
            If `X`, `y` or `sample_weight` cannot be used, or if there are too many thresholds.
        ParameterError
            If a parameter is outside its range, if pystreed is not installed, or if the time limit ended the search
            without a tree.
        """
        _check_parameters(self)
        X, targets, task, weights, _ = self._begin(X, y, sample_weight)
        data = TrainingData(X, targets, task.n_classes, weights, None)
        rows = np.ascontiguousarray(data.columns.row_major(), np.float64)
        self.thresholds_ = self._thresholds(rows, data.weights)
        binary = binary_features(rows, self.thresholds_)
        began = time.perf_counter()
        found = best_tree(binary.values, data.y, data.weights, self.max_depth, self.lam, self.time_limit)
        seconds = time.perf_counter() - began
        self.tree_, self._widths = prune(tree_of(self, binary.tree(found), data, self.n_jobs, rows=rows)), data.widths
        objective = float(found.loss) + self.lam * (self.tree_.n_leaves - 1)
        self.certificate_ = Certificate(
            objective, _lower_bound(found, binary, data.y, data.weights, self.lam, objective), found.proven,
            binary.n_features, seconds,
        )  # fmt: skip
        return self

    def _thresholds(self, rows, weights):
        splits = [[] for _ in range(rows.shape[1])]
        if self.thresholds_of is not None:
            for feature, weight, bias in univariate_splits(self.thresholds_of, rows.shape[1]):
                splits[feature].append((weight, bias))
        found = [
            column_thresholds(column, weights, self.n_thresholds, own)
            for column, own in zip(rows.T, splits, strict=True)
        ]
        n_thresholds = sum(map(len, found))
        if n_thresholds > MOST_THRESHOLDS:
            raise DataError(
                f"The features have {n_thresholds} thresholds: expected at most {MOST_THRESHOLDS}. Use a smaller "
                "n_thresholds, or fewer columns."
            )
        return found


def univariate_splits(tree: Tree, n_features: int) -> list[tuple]:
    """Return (feature, weight, bias) of each split of a tree. Raise ParameterError for other splits and features."""
    found = [tree.split(node) for node in np.flatnonzero(tree.left >= 0)]
    widest = max((len(features) for features, _, _ in found), default=0)
    if (
        not tree.leaf_model.is_constant
        or widest > 1
        or tree.n_features != n_features
        or not tree.target.values_are_groups
    ):
        raise ParameterError(
            "The tree has other splits or features: expected a univariate classification tree with constant "
            f"leaves on the {counted(n_features, 'feature')} of X."
        )
    return [(features[0], weights[0], bias) for features, weights, bias in found if features.size]


def _lower_bound(found, binary, y, weights, lam, objective):
    """Return a lower bound of the objective of all trees.

    Without a proof, it is that of one leaf, or of one split and the rows that no tree separates.
    """
    if found.proven:
        return objective
    one_leaf = weights.sum() - np.bincount(y, weights).max()
    return float(min(objective, one_leaf, least_loss(binary.values, y, weights) + lam))


def _check_parameters(e):
    check_whole(e.max_depth, "max_depth", 1)
    if e.max_depth > MOST_DEPTH:
        raise ParameterError(
            f"max_depth={e.max_depth}: expected at most {MOST_DEPTH}. Use TAOClassifier for deeper trees."
        )
    check_number(e.lam, "lam", 0.0, LARGEST)
    check_number(e.time_limit, "time_limit", 1e-6)
    check_whole(e.n_thresholds, "n_thresholds", 1)
    if not isinstance(e.thresholds_of, Tree | None):
        raise ParameterError(f"thresholds_of={literal(e.thresholds_of)}: expected a Tree, or None for quantiles only.")
    resolve_jobs(e.n_jobs)
