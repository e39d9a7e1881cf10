"""Logarithms of predicted shares."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if


def _has_classes(estimator):
    return hasattr(estimator, "predict_proba")


class LogProbabilities:
    """Mixin of estimators, of which those with `predict_proba` have its logarithm too."""

    @available_if(_has_classes)
    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """float64[n, k]: logarithm of `predict_proba`, -inf where no point of a class has come to where a row comes."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
