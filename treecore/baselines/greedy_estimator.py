"""Base classes of the greedy estimators: checks, prediction, growth, and pruning on held-out rows."""

from collections.abc import Callable
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from treecore.baselines.bivariate_cart import held_out_rows, pruned
from treecore.baselines.dense_rows import NO_CLASSES, checked_rows, class_codes
from treecore.data.classification import Classification
from treecore.data.regression import Regression
from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.initial import greedy
from treecore.messages import literal
from treecore.parallel import thread_map
from treecore.parameter_checks import check_number, check_whole
from treecore.training.single_tree import SingleTree, TreeClassifierMixin
from treecore.training.training_run import training_weights
from treecore.tree.tree import Tree


class DenseRows(BaseEstimator):
    """Validation of rows and targets for all estimators on dense data."""

    def _begin(self, X, y, sample_weight):
        """Run all checks and return (X, targets [n], task, weights float64[n], RandomState)."""
        X, y, rng = checked_rows(self, X, y)
        task, targets = self._task(y)
        weights = training_weights(self, X, y, sample_weight)
        return X, targets, task, np.ones(len(X)) if weights is None else weights, rng

    def _check(self, X):
        check_is_fitted(self)
        return self.encoder_.transform(self, X)


class DenseClassifier(TreeClassifierMixin, DenseRows):
    """`DenseRows` for classification."""

    def _task(self, y):
        codes = class_codes(self, y)
        return Classification(self.classes_.size), codes


class DenseRegressor(RegressorMixin, DenseRows):
    """`DenseRows` for regression."""

    def _task(self, y):
        task = Regression()
        return task, task.checked(y, "y")


class TreeClassifier(SingleTree, DenseClassifier):
    """Base of estimators of one classification tree."""

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Class shares of the training rows in the leaf of each row.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)


class TreeRegressor(SingleTree, DenseRegressor):
    """Base of estimators of one regression tree."""


class GreedyTree(DenseRows):
    """Tree grown by the `_search` of the subclass and pruned on a share of the rows (`validation_fraction`)."""

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels or numbers.
        sample_weight : array-like of shape (n,) or None, default=None
            Non-negative weight of each row.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        DataError
            If `X`, `y` or `sample_weight` cannot be used.
        ParameterError
            If a parameter is outside its range.
        """
        check_growth(self)
        check_share(self.validation_fraction)
        search = self._search()
        X, targets, task, weights, rng = self._begin(X, y, sample_weight)
        seeds = np.random.SeedSequence(rng.randint(2**31 - 1))  # independent of the number of rows
        groups = task.groups(targets)
        held_out = held_out_rows(groups, np.flatnonzero(weights > 0), self.validation_fraction or 0.0, rng)
        grows = weights.copy()
        grows[held_out] = 0.0
        data = TrainingData(X, targets, task.n_classes, grows, self.scale)
        with thread_map(self.n_jobs) as run:
            tree = grown_tree(self, data, np.arange(data.n_rows), data.weights, search, seeds, run)
        if held_out.size:
            tree = pruned(tree, tree.apply(X[held_out], self.n_jobs), targets[held_out], weights[held_out])
        self.tree_, self._widths = tree, data.widths
        return self


def grown_tree(
    estimator: BaseEstimator,
    data: TrainingData,
    points: np.ndarray,
    weights: np.ndarray,
    search: Callable,
    seeds: np.random.SeedSequence,
    run: Callable | None = None,
) -> Tree:
    """Grow a `Tree` on some rows within the `max_depth` and `min_samples_split` of an estimator, see `greedy.grow`."""
    e = estimator
    working, leaves = greedy.grow(data, points, weights, search, e.max_depth, e.min_samples_split, seeds, run)
    values = data.loss.node_values(working.left, working.right, leaves, data.y[points], weights[points])
    samples = np.bincount(leaves, minlength=working.n_nodes)
    classes = getattr(e, "classes_", NO_CLASSES)
    return working.to_tree(data.loss, values, samples, classes, data.n_features, e.encoder_.feature_names)


def candidates(count: int | None) -> int | None:
    """Return `n_candidate_features` as a number, or None for all. Raise ParameterError if it is invalid."""
    if count is not None:
        check_whole(count, "n_candidate_features", 1)
    return count


def check_growth(e: BaseEstimator) -> None:
    """Raise ParameterError unless `max_depth` and `min_samples_split` are in range."""
    if e.max_depth is not None:
        check_whole(e.max_depth, "max_depth", 1)
    check_whole(e.min_samples_split, "min_samples_split", 2)


def check_share(share: float) -> None:
    """Raise ParameterError unless `validation_fraction` is None or a number in [0, 1)."""
    if share is None:
        return
    check_number(share, "validation_fraction", 0.0)
    if share >= 1.0:
        raise ParameterError(
            f"validation_fraction={literal(share)}: expected a number below 1, or None for no pruning."
        )
