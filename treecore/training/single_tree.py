"""What every estimator whose result is one `Tree` does with it."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from treecore.errors import DataError
from treecore.parameter_checks import typed


class SingleTree:
    """Mixin of estimators that `fit` leaves with `tree_` and `encoder_` (a FeatureEncoder)."""

    n_jobs = None  # of those that have no such parameter: every core

    def predict(self, X: ArrayLike) -> np.ndarray:
        """What the leaf of each row of `X` ([n, d]) predicts: a class label, or a number (float64)."""
        X = self._check(X)
        return self.tree_.predict(X, self.n_jobs)

    def apply(self, X: ArrayLike) -> np.ndarray:
        """int32[n]: leaf of each row of `X`."""
        X = self._check(X)
        return self.tree_.apply(X, self.n_jobs)

    def _check(self, X):
        check_is_fitted(self)
        with typed(DataError):
            return self.encoder_.transform(self, X)
