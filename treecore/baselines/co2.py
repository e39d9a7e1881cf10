"""CO2 trees: grown greedily from stumps that stochastic gradient descent optimises (Norouzi et al. 2015b)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treecore.baselines.co2_stump import CO2Search, threshold_search
from treecore.baselines.greedy_estimator import GreedyTree, TreeClassifier, TreeRegressor, candidates
from treecore.data.training_data import LARGEST
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial.oblique_cart import ObliqueSearch
from treecore.messages import literal
from treecore.parameter_checks import check_choice, check_number, check_whole

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

STARTS = ("univariate", "oc1")
SMALLEST = 1e-30


@dataclass(eq=False, repr=False)
class _CO2(GreedyTree):
    """Base of the classifier and the regressor. The fields are their parameters."""

    nu: float = 10.0
    learning_rate: float = 0.3
    momentum: float = 0.9
    batch_size: int = 100
    n_epochs: int = 50
    max_depth: int | None = None
    min_samples_split: int = 2
    n_candidate_features: int | None = None
    init: str = "univariate"
    validation_fraction: float | None = None
    scale: str | None = "standard"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def _search(self):
        check_choice(self.init, "init", STARTS)
        count = candidates(self.n_candidate_features)
        start = threshold_search(count) if self.init == "univariate" else ObliqueSearch("oc1", 0, 0, count)
        return co2_search(self, start)


@filled()
@dataclass(eq=False, repr=False)
class CO2Classifier(_CO2, TreeClassifier):
    """Classification tree of CO2 stumps: oblique splits that minimise a convex-concave bound of their log loss.

    A split has weights for the scaled features and a constant. They start at the best threshold or OC1 split, and
    stochastic gradient descent with momentum minimises the bound (equation 10 of [1]_). Their squared norm is at most
    `nu`. The learning rate is halved when the bound stops decreasing. Leaves predict the class shares of their training
    rows.

    Parameters
    ----------
    nu : float, default=10.0
        Upper bound > 0 on the squared norm of the weights, for node rows scaled to unit variance. With a larger value,
        the surrogate is closer to the true loss.
    learning_rate : float, default=0.3
        Initial learning rate of each split, > 0.
    momentum : float, default=0.9
        Momentum of the gradient steps, in [0, 1).
    batch_size : int, default=100
        Number of rows per gradient step.
    n_epochs : int, default=50
        Maximum number of passes over the rows of a node. A pass has at least 20 steps. After each pass, the concave
        part of the bound is linearised again.
    {max_depth, min_samples_split, n_candidate_features}
    init : {'univariate', 'oc1'}, default='univariate'
        Initial split: the best threshold, or the OC1 split found from it.
    {validation_fraction}
    scale : {'standard', 'minmax'} or None, default='standard'
        Scaling of the features. Each node then scales all of them by one further factor.
    {n_jobs}
    random_state : int, RandomState, Generator or None, default=None
        Seed of the candidate features, the row order and the held-out rows.
    {class_weight}

    Attributes
    ----------
    {tree_, encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    CO2Regressor : Estimator for regression.
    CO2ForestClassifier : Forest of CO2 trees.
    NonGreedyClassifier : Trains all splits of a tree at once.

    References
    ----------
    {co2_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CO2Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CO2Classifier(max_depth=2, random_state=0).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (3, 0.97)
    """

    class_weight: dict | str | None = None


@filled(CO2Classifier)
class CO2Regressor(_CO2, TreeRegressor):
    """Regression tree of CO2 stumps that minimise a bound on the squared loss.

    The target of each node is scaled to unit variance, so that `nu` has the same meaning in every node. Leaves predict
    the mean of their training rows.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    CO2Classifier : Estimator for classification.

    References
    ----------
    {co2_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import CO2Regressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = CO2Regressor(max_depth=2, random_state=0).fit(X, y)
    >>> model.get_n_leaves()
    4
    """


def co2_search(estimator: BaseEstimator, start: Callable) -> CO2Search:
    """Return the `CO2Search` of an estimator. Raise ParameterError for invalid parameters. start : initial search."""
    e = estimator
    check_number(e.nu, "nu", SMALLEST, LARGEST)
    check_number(e.learning_rate, "learning_rate", SMALLEST, LARGEST)
    check_number(e.momentum, "momentum", 0.0)
    if e.momentum >= 1.0:
        raise ParameterError(f"momentum={literal(e.momentum)}: expected a number below 1, such as 0.9.")
    check_whole(e.batch_size, "batch_size", 1)
    check_whole(e.n_epochs, "n_epochs", 1)
    return CO2Search(e.nu, e.learning_rate, e.momentum, int(e.batch_size), int(e.n_epochs), start)
