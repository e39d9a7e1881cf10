"""The scikit-learn face of the engine."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from treecore.node_solvers import SPLITS
from treecore.training.parameters import ClassifierParameters, RegressorParameters, described
from treecore.training.single_tree import SingleTree
from treecore.training.training_run import TrainingRun


class _TAOEstimator(SingleTree, BaseEstimator):
    """What both estimators share; `fit` leaves `tree_`, `trace_`, `initial_` and `n_iter_`."""

    def fit(self, X, y, sample_weight=None):
        """Train on `X` ([n, d], array, DataFrame or CSR; uint8, float32 and float64 are used as they are) and `y` [n].

        sample_weight : float[n] >= 0. Raises DataError or ParameterError (both ValueErrors).
        """
        TrainingRun(self, X, y, sample_weight).fit()
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.split in [name for name, kind in SPLITS.items() if kind.takes_sparse]
        tags.input_tags.allow_nan = self.missing == "learn"
        return tags


@described
@dataclass(eq=False, repr=False)
class TAOClassifier(ClassifierMixin, _TAOEstimator, ClassifierParameters):
    """Classification tree trained by Tree Alternating Optimization (Carreira-Perpiñán and Tavallali 2018).

    Text and categories in a DataFrame (pandas or polars) become one 0/1 feature for each value, ordered
    categories one feature (`FeatureEncoder`).

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    tree_ : Tree; trace_ : list of `IterationRecord`, one per pass; initial_ : IterationRecord of the initial tree;
    n_iter_ : int; encoder_ : FeatureEncoder; classes_ ; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """float64[n, k]: class shares of the training points in the leaf of each row, or what its model says."""
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)


@described
@dataclass(eq=False, repr=False)
class TAORegressor(RegressorMixin, _TAOEstimator, RegressorParameters):
    """Regression tree trained by Tree Alternating Optimization (Kairgeldin and Carreira-Perpiñán 2024, A.3.1).

    Text and categories in a DataFrame (pandas or polars) become one 0/1 feature for each value, ordered
    categories one feature (`FeatureEncoder`).

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    tree_ : Tree; trace_ : list of `IterationRecord`, one per pass; initial_ : IterationRecord of the initial tree;
    n_iter_ : int; encoder_ : FeatureEncoder; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """


ESTIMATORS = {"unequal": TAOClassifier, "squared": TAORegressor}  # by the loss of the target
