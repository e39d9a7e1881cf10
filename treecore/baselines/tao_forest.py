"""Bagged forests of TAO trees."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.baselines.dense_rows import NO_CLASSES
from treecore.baselines.forest import ClassifierForest, Forest, RegressorForest
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.parameter_checks import check_number
from treecore.training.estimators import ESTIMATORS, TAOClassifier


@dataclass(eq=False, repr=False)
class _TAOForest(Forest):
    """Base of the classifier and the regressor. The fields are their parameters."""

    n_estimators: int = 10
    split: str = "oblique"
    lam: float = 1.0
    bivariate_cost: float = 1.25
    init: str = "random"
    max_depth: int | None = None
    max_iter: int = 20
    surrogate: str = "logistic"
    n_orientations: int = 60
    scale: str | None = "standard"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def _keep(self, grown):
        *grown, passes = zip(*grown, strict=True)
        super()._keep(zip(*grown, strict=True))
        self.n_iter_ = max(passes)

    def _check_parameters(self):
        check_number(self.lam, "lam", 0.0)
        if not isinstance(self.init, str):
            raise ParameterError(
                f"init={literal(self.init)}: expected a name such as 'random', because each tree of the forest "
                "needs its own initial tree."
            )

    def _rows(self, X, targets, task, weights):
        return X, targets, task, task.unit(targets, weights)

    def _grown(self, rows, weights, seed):
        """Train one tree. Return (Tree, standard deviations of the features, number of passes)."""
        e, (X, targets, task, unit) = self, rows
        model = ESTIMATORS[task.target.loss](
            split=e.split, lam=e.lam * unit, bivariate_cost=e.bivariate_cost, init=e.init, max_depth=e.max_depth,
            max_iter=e.max_iter, surrogate=e.surrogate, n_orientations=e.n_orientations, scale=e.scale, n_jobs=1,
            random_state=int(seed.generate_state(1)[0]),
        )  # fmt: skip
        model.fit(X, targets, weights)
        tree = replace(model.tree_, classes=getattr(e, "classes_", NO_CLASSES), feature_names=e.encoder_.feature_names)
        return tree, model._widths, model.n_iter_


@filled(TAOClassifier)
@dataclass(eq=False, repr=False)
class TAOForestClassifier(_TAOForest, ClassifierForest):
    """Forest of bagged TAO trees, each with its own initial tree.

    Parameters
    ----------
    {n_estimators, split, lam, bivariate_cost}
    init : {'random', 'cart', 'bivariate_cart', 'oblique_cart'}, default='random'
        Initial tree, as in `TAOClassifier`.
    {max_depth, max_iter, surrogate, n_orientations, scale}
    n_jobs : int or None, default=None
        Number of trees that are trained in parallel, in threads or as set by joblib's `parallel_config`. None means
        1, and -1 uses all cores. The result does not depend on `n_jobs`.
    {random_state, class_weight}

    Attributes
    ----------
    {estimators_}
    n_iter_ : int
        Largest number of TAO passes for a tree.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAOForestRegressor : Estimator for regression.
    TAOClassifier : Single tree. Explains the parameters.

    References
    ----------
    {tao_2018}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TAOForestClassifier(n_estimators=3, split="univariate", init="cart", random_state=0).fit(X, y)
    >>> len(model.estimators_), round(model.score(X, y), 2)
    (3, 0.98)
    """

    class_weight: dict | str | None = None


@filled(TAOForestClassifier)
class TAOForestRegressor(_TAOForest, RegressorForest):
    """Forest of bagged TAO regression trees.

    `lam` is in units of the variance of the target.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {estimators_, n_iter_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAOForestClassifier : Estimator for classification.

    References
    ----------
    {tao_2018}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import TAOForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = TAOForestRegressor(
    ...     n_estimators=3, split="univariate", init="cart", max_depth=3, lam=0.1, random_state=0
    ... ).fit(X, y)
    >>> model.predict(X).shape
    (442,)
    """
