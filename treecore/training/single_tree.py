"""Base class of all estimators that train a single `Tree`."""

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from treecore.training.impurity_importance import impurity_importance
from treecore.training.log_probabilities import LogProbabilities
from treecore.training.node_paths import node_paths
from treecore.training.partitions.sources.sources import in_parts


class SingleTree(LogProbabilities):
    """Mixin of estimators whose `fit` sets `tree_` and `encoder_` (a FeatureEncoder)."""

    n_jobs = None  # all cores, for estimators without this parameter
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

    def _fitted(self):
        check_is_fitted(self)
        return self

    def _check(self, X):
        check_is_fitted(self)
        return self.encoder_.transform(self, X)
