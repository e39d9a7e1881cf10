"""scikit-learn estimators of TAO."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from treecore.training.parameters import ClassifierParameters, RegressorParameters, described
from treecore.training.partitions.run_of import run_of
from treecore.training.partitions.sources.sources import in_parts, score_in_parts
from treecore.training.single_tree import SingleTree, TreeClassifierMixin


class _TAOEstimator(SingleTree, BaseEstimator):
    """Base class of the TAO estimators. `fit` sets `tree_`, `trace_`, `initial_`, `n_iter_` and `starts_`."""

    def fit(self, X, y=None, sample_weight=None):
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d), or rows that are read in parts
            Training rows: an array, a DataFrame or a CSR matrix. Values of dtype uint8, float32 and float64 are not
            converted. Rows that do not fit in memory: the path of a Parquet file, a folder or a pattern, a
            pyarrow.dataset, a polars LazyFrame, a DuckDB relation, or a `FileSource`.
        y : array-like of shape (n,), str or None, default=None
            Class labels or numbers, or the name of the target column if the rows are read in parts.
        sample_weight : array-like of shape (n,), str or None, default=None
            Non-negative weight of each row, or the name of the column of weights.

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
        run = run_of(self, X, y, sample_weight)
        try:
            run.fit()
        finally:
            run.close()
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "learn"
        return tags


@described()
@dataclass(eq=False, repr=False)
class TAOClassifier(TreeClassifierMixin, _TAOEstimator, ClassifierParameters):
    """Classification tree trained by Tree Alternating Optimization (TAO).

    TAO starts from an initial tree and repeatedly re-optimises its nodes, level by level, on the rows that reach them
    [1]_. The tree can shrink but never grows. Univariate and bivariate nodes minimise the true 0/1 loss [2]_. A text or
    categorical column of a DataFrame (pandas or polars) becomes one 0/1 feature for each value, and an ordered
    categorical column becomes a single feature (`FeatureEncoder`).

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_}
    trace_ : list of IterationRecord
        One record for each pass.
    initial_ : IterationRecord
        Record of the initial tree.
    n_iter_ : int
        Number of passes.
    starts_ : float64 array
        Objective of each start.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAOClassifierCV : Selects lambda, C and the initial tree by cross-validation.
    TAORegressor : Estimator for regression.
    regularization_path : Trains a tree for each lambda of a grid.

    References
    ----------
    {tao_2018, bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TAOClassifier(split="bivariate", init="cart", random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, round(model.score(X, y), 2)
    (5, 0.99)
    >>> print(model.tree_)
    petal width (cm) < 0.8: 0 (50 rows)
    petal width (cm) >= 0.8
    |   petal width (cm) < 1.30518 + 0.143492 * sepal width (cm)
    |   |   petal length (cm) < 4.95: 1 (47 rows)
    |   |   petal length (cm) >= 4.95
    |   |   |   petal width (cm) < 0.725367 + 0.137439 * sepal length (cm): 2 (4 rows)
    |   |   |   petal width (cm) >= 0.725367 + 0.137439 * sepal length (cm): 1 (2 rows)
    |   petal width (cm) >= 1.30518 + 0.143492 * sepal width (cm): 2 (47 rows)
    """

    score = score_in_parts(TreeClassifierMixin.score)

    @in_parts
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Class shares of the training rows in the leaf of each row, or the probabilities of its linear model.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)


@described()
@dataclass(eq=False, repr=False)
class TAORegressor(RegressorMixin, _TAOEstimator, RegressorParameters):
    """Regression tree trained by Tree Alternating Optimization (TAO).

    TAO starts from an initial tree and repeatedly re-optimises its nodes, level by level, on the rows that reach them
    [1]_. The tree can shrink but never grows. For the squared error, see appendix A.3.1 of [2]_. A text or
    categorical column of a DataFrame (pandas or polars) becomes one 0/1 feature for each value, and an ordered
    categorical column becomes a single feature (`FeatureEncoder`).

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_}
    trace_ : list of IterationRecord
        One record for each pass.
    initial_ : IterationRecord
        Record of the initial tree.
    n_iter_ : int
        Number of passes.
    starts_ : float64 array
        Objective of each start.
    {encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAORegressorCV : Selects lambda, C, the initial tree and the shrinkage by cross-validation.
    TAOClassifier : Estimator for classification.
    regularization_path : Trains a tree for each lambda of a grid.

    References
    ----------
    {tao_2018, bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import TAORegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = TAORegressor(split="univariate", init="cart", max_depth=3, lam=50_000, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, round(model.score(X, y), 2)
    (7, 0.49)
    """

    score = score_in_parts(RegressorMixin.score)


ESTIMATORS = {"unequal": TAOClassifier, "squared": TAORegressor}  # for each loss of a target
