"""What every estimator whose result is one `Tree` does with it."""

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from treecore.training.impurity_importance import impurity_importance
from treecore.training.log_probabilities import LogProbabilities
from treecore.training.node_ways import node_ways


class SingleTree(LogProbabilities):
    """Mixin of estimators that `fit` leaves with `tree_` and `encoder_` (a FeatureEncoder)."""

    n_jobs = None  # of those that have no such parameter: every core
    _widths = None  # float64[d], spread of the features where nodes have several: a fit sets it

    def predict(self, X: ArrayLike) -> np.ndarray:
        """What the leaf of each row of `X` ([n, d]) predicts: a class label, or a number (float64)."""
        X = self._check(X)
        predicted = self.tree_.predict(X, self.n_jobs)
        return predicted.astype(self.classes_.dtype, copy=False) if hasattr(self, "classes_") else predicted

    def apply(self, X: ArrayLike) -> np.ndarray:
        """int32[n]: leaf of each row of `X`."""
        X = self._check(X)
        return self.tree_.apply(X, self.n_jobs)

    def decision_path(self, X: ArrayLike) -> scipy.sparse.csr_matrix:
        """CSR bool[n, m]: the nodes that each row of `X` goes through, from the root to its leaf."""
        return node_ways(self._fitted().tree_)[self.apply(X)]

    def get_depth(self) -> int:
        """Decisions on the longest way from the root to a leaf."""
        return self._fitted().tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        return self._fitted().tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """float64[n_features_in_], sum 1: see `impurity_importance`; weights count as the penalty sees them."""
        e = self._fitted()
        return impurity_importance(e.tree_, e.encoder_.groups, e._widths)

    def _fitted(self):
        check_is_fitted(self)
        return self

    def _check(self, X):
        check_is_fitted(self)
        return self.encoder_.transform(self, X)
