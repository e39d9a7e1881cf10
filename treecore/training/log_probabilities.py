"""Mixin class for logarithms of class probabilities."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if


def _has_classes(estimator):
    return hasattr(estimator, "predict_proba")


class LogProbabilities:
    """Mixin that adds `predict_log_proba` to estimators with `predict_proba`."""

    @available_if(_has_classes)
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
