"""Base class of all estimators that train a single `Tree`."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from treecore.training.partitions.sources.sources import in_parts
from treecore.tree.nodes import node_paths
from treecore.tree.tree import Tree


class TreeClassifierMixin(ClassifierMixin):
    """Mixin that adds `n_classes_` and `predict_log_proba` to the classifiers."""

    @property
    def n_classes_(self) -> int:
        """Number of classes in the training rows."""
        return len(self.classes_)

    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the logarithms of the class probabilities.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Logarithm of `predict_proba`, -inf for a probability of 0.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


def impurity_importance(
    tree: Tree, columns: Sequence[Sequence[int]] | None = None, widths: np.ndarray | None = None
) -> np.ndarray:
    """Return each column's share of the decrease in impurity, float64[columns], all 0 for a single leaf.

    As in ``feature_importances_`` of scikit-learn, the impurity is the weight times the Gini impurity, or the sum of
    squared errors. The decrease by a split on several features is divided in proportion to their absolute weights.
    columns : ranges of features that form a column, None if each feature is a column; widths : float64[d], standard
    deviation of each feature, by which its weights are multiplied (None: 1).
    """
    tree.leaf_model.require("importances")
    gains = np.zeros(tree.n_nodes)
    inner = np.flatnonzero(tree.left >= 0)
    impurities = tree.target.impurities(tree.values)
    gains[inner] = np.maximum(impurities[inner] - impurities[tree.left[inner]] - impurities[tree.right[inner]], 0.0)
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr))
    sizes = np.abs(tree.weights) * (1.0 if widths is None else widths[tree.features])
    totals = np.bincount(node_of, sizes, tree.n_nodes)[node_of]
    shares = gains[node_of] * np.divide(sizes, totals, out=np.zeros(sizes.size), where=totals > 0)
    found = np.bincount(tree.features, shares, tree.n_features)
    if columns is not None:
        found = np.array([found[list(column)].sum() for column in columns])
    return found / found.sum() if found.sum() > 0 else found


class SingleTree:
    """Mixin of estimators whose `fit` sets `tree_` and `encoder_` (a FeatureEncoder)."""

    n_jobs = None  # for estimators without this parameter
    _widths = None  # float64[d], spread of each feature, set by `fit` if splits use several features

    @in_parts
    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class label or number of each row.

        Parameters
        ----------
        X : array-like of shape (n, d), or rows that are read in parts
            Rows with the same columns as the training table.

        Returns
        -------
        array of shape (n,)
            Class labels, or float64 numbers.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        predicted = self.tree_.predict(X, self.n_jobs)
        return predicted.astype(self.classes_.dtype, copy=False) if hasattr(self, "classes_") else predicted

    @in_parts
    def apply(self, X: ArrayLike) -> np.ndarray:
        """Return the leaf of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        int32 array of shape (n,)
            Node numbers of the leaves.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self.tree_.apply(X, self.n_jobs)

    def decision_path(self, X: ArrayLike) -> scipy.sparse.csr_matrix:
        """Return the nodes on the decision path of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        CSR bool matrix of shape (n, m)
            True for each node on the decision path of the row.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        return node_paths(self._fitted().tree_)[self.apply(X)]

    def get_depth(self) -> int:
        """Return the depth of the tree.

        Returns
        -------
        int
            Number of decision nodes on the longest path from the root to a leaf.
        """
        return self._fitted().tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        int
            Number of leaves.
        """
        return self._fitted().tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """Impurity importances with sum 1, float64[n_features_in_] (see `impurity_importance`)."""
        e = self._fitted()
        return impurity_importance(e.tree_, e.encoder_.groups, e._widths)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _fitted(self):
        check_is_fitted(self)
        return self

    def _check(self, X):
        check_is_fitted(self)
        return self.encoder_.transform(self, X)
