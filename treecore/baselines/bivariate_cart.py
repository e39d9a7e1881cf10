"""Bivariate CART as an estimator: grown greedily, pruned on held-out rows.

See Kairgeldin and Carreira-Perpiñán 2024, section C.4.
"""

import numbers
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from treecore.baselines.cross_validation import by_appearance
from treecore.baselines.dense_rows import checked_rows, class_codes, tree_of
from treecore.data.category_groups import category_columns
from treecore.data.training_data import TrainingData
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial.bivariate_cart import bivariate_cart_tree
from treecore.messages import literal
from treecore.parameter_checks import check_whole
from treecore.training.cost_complexity import node_losses, smallest_validation_risk
from treecore.training.parameters import PARAMETERS
from treecore.training.prune import cut
from treecore.training.single_tree import SingleTree, TreeClassifierMixin
from treecore.training.training_run import training_weights
from treecore.tree.tree import Tree


class _BivariateCART(SingleTree, BaseEstimator):
    """Base of the classifier and the regressor."""

    categories: str | Sequence[Sequence[int]] = "features"  # for estimators without this parameter

    def _grow(self, data):
        """Return the unpruned WorkingTree for TrainingData."""
        return bivariate_cart_tree(data, self.max_depth, None, 2, self.n_orientations, self.n_jobs)

    def _check_parameters(self):
        check_whole(self.n_orientations, "n_orientations", 1)
        PARAMETERS["categories"].check(self.categories)
        check_growth(self)

    def _begin(self, X, y):
        """Run the checks common to both tasks and return (X, y, RandomState)."""
        self._check_parameters()
        return checked_rows(self, X, y)

    def _fit(self, X, targets, groups, n_classes, weights, rng):
        """Grow on most rows and prune on the held-out rows. groups : int[n], strata of the held-out rows."""
        weights = np.ones(len(X)) if weights is None else weights
        held_out = held_out_rows(groups, np.flatnonzero(weights > 0), self.validation_fraction or 0.0, rng)
        grows = weights.copy()
        grows[held_out] = 0.0
        columns = category_columns(self.categories, self.encoder_, X)
        data = TrainingData(X, targets, n_classes, grows, self.scale, columns)
        tree = tree_of(self, self._grow(data), data, self.n_jobs)
        if held_out.size:
            tree = pruned(tree, tree.apply(X[held_out], self.n_jobs), targets[held_out], weights[held_out])
        self.tree_, self._widths = tree, data.widths
        return self


@filled()
class BivariateCARTClassifier(TreeClassifierMixin, _BivariateCART):
    """Classification tree of univariate and bivariate splits, grown by the Gini index and pruned by cost-complexity.

    Parameters
    ----------
    {max_depth, n_orientations, validation_fraction}
    scale : {'standard', 'minmax'} or None, default='standard'
        Scaling of the features. It does not change the tree.
    {class_weight, n_jobs, random_state, categories}

    Attributes
    ----------
    {tree_, encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    BivariateCARTRegressor : Estimator for regression.
    BiDTClassifier : Finds optimal lines.

    References
    ----------
    {bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import BivariateCARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BivariateCARTClassifier(random_state=0).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (3, 0.98)
    """

    def __init__(
        self,
        max_depth: int | None = None,
        n_orientations: int = 60,
        validation_fraction: float | None = 0.1,
        scale: str | None = "standard",
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        categories: str | Sequence[Sequence[int]] = "features",
    ) -> None:
        self.max_depth = max_depth
        self.n_orientations = n_orientations
        self.validation_fraction = validation_fraction
        self.scale = scale
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categories = categories

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels.
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
        X, y, rng = self._begin(X, y)
        codes = class_codes(self, y)
        weights = training_weights(self, X, y, sample_weight)
        return self._fit(X, codes, codes, self.classes_.size, weights, rng)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Class shares of the training rows (without the held-out ones) in the leaf of each row.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)


@filled(BivariateCARTClassifier)
class BivariateCARTRegressor(RegressorMixin, _BivariateCART):
    """Regression tree of univariate and bivariate splits, grown by the squared error and pruned by cost-complexity.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    BivariateCARTClassifier : Estimator for classification.

    References
    ----------
    {bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import BivariateCARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BivariateCARTRegressor(max_depth=3, random_state=0).fit(X, y)
    >>> model.get_n_leaves() <= 8
    True
    """

    def __init__(
        self,
        max_depth: int | None = None,
        n_orientations: int = 60,
        validation_fraction: float | None = 0.1,
        scale: str | None = "standard",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        categories: str | Sequence[Sequence[int]] = "features",
    ) -> None:
        self.max_depth = max_depth
        self.n_orientations = n_orientations
        self.validation_fraction = validation_fraction
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categories = categories

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Target numbers.
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
        X, y, rng = self._begin(X, y)
        weights = training_weights(self, X, y, sample_weight)
        return self._fit(X, y.astype(np.float64), np.zeros(len(y), np.int64), None, weights, rng)


def prune_by_validation(
    tree: Tree,
    X_val: np.ndarray | None,
    y_val: np.ndarray | None,
    sample_weight: np.ndarray | None = None,
    n_jobs: int | None = None,
) -> Tree:
    """Return the subtree of the cost-complexity sequence with the smallest validation error.

    X_val : [n, d]; y_val : [n] labels or numbers; sample_weight : float[n]. In a tie, the smallest subtree is returned.
    """
    weights = np.ones(len(y_val)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    return pruned(tree, tree.apply(X_val, n_jobs), tree.target.values_of(tree, y_val), weights)


def pruned(tree, leaves, targets, weights):
    """Prune by validation loss, given the leaf of each validation row.

    Unknown class codes count as errors in every leaf.
    """
    target, shape = tree.target, (tree.left, tree.right)
    validation_risk = node_losses(*shape, tree.outputs, leaves, targets, weights, target.losses)
    return cut(tree, smallest_validation_risk(*shape, target.node_losses(tree), validation_risk))


def held_out_rows(codes: np.ndarray, rows: np.ndarray, fraction: float, rng: np.random.Generator) -> np.ndarray:
    """Select about `fraction` of `rows` at random, with the same share of each class.

    At least one row of each class stays in the training set.
    """
    codes, order = by_appearance(codes), rows[rng.permutation(rows.size)]
    order = order[np.argsort(codes[order], kind="stable")]
    spare = order[1:][codes[order[1:]] == codes[order[:-1]]]
    count = min(round(fraction * rows.size), spare.size)
    return np.sort(spare[((np.arange(count) + 0.5) * spare.size / max(count, 1)).astype(np.int64)])


def check_growth(e: BaseEstimator) -> None:
    """Raise ParameterError unless `max_depth` and `validation_fraction` are in range."""
    if e.max_depth is not None:
        check_whole(e.max_depth, "max_depth", 1)
    share = e.validation_fraction
    if share is None:
        return
    if not isinstance(share, numbers.Real) or isinstance(share, bool) or not 0.0 <= share < 1.0:
        raise ParameterError(
            f"validation_fraction={literal(share)}: expected a number from 0 to below 1, or None for no pruning."
        )
