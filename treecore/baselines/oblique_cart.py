"""Oblique CART as an estimator: CART-LC and OC1 trees, pruned on held-out rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator

from treecore.baselines.greedy_estimator import GreedyTree, TreeClassifier, TreeRegressor, candidates
from treecore.docstrings import filled
from treecore.initial.oblique_cart import METHODS, PERTURBATIONS, RESTARTS, ObliqueSearch
from treecore.parameter_checks import check_choice, check_whole


@dataclass(eq=False, repr=False)
class _ObliqueCART(GreedyTree):
    """Base of the classifier and the regressor. The fields are their parameters."""

    method: str = "oc1"
    n_restarts: int = RESTARTS
    n_perturbations: int = PERTURBATIONS
    max_depth: int | None = None
    min_samples_split: int = 2
    n_candidate_features: int | None = None
    validation_fraction: float | None = 0.1
    scale: str | None = "standard"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def _search(self):
        check_choice(self.method, "method", METHODS)
        return oblique_search(self, self.method, candidates(self.n_candidate_features))


@filled()
@dataclass(eq=False, repr=False)
class ObliqueCARTClassifier(_ObliqueCART, TreeClassifier):
    """Classification tree with oblique splits, grown by coordinate descent on the Gini index.

    Every descent starts at the best threshold and moves one coefficient at a time to its best value. 'cart_lc' is the
    deterministic search of [1]_ (section 5.2), without its deletion of features. 'oc1' [2]_ also starts at random
    directions and tries random jumps at each local optimum. The tree is pruned by cost-complexity.

    Parameters
    ----------
    method : {'oc1', 'cart_lc'}, default='oc1'
        Search for a split.
    n_restarts : int, default=5
        Number of descents from random directions, in addition to the one from the best threshold (OC1).
    n_perturbations : int, default=5
        Number of random jumps after each descent (OC1).
    {max_depth, min_samples_split, n_candidate_features, validation_fraction, scale, n_jobs}
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random directions and the held-out rows.
    {class_weight}

    Attributes
    ----------
    {tree_, encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    ObliqueCARTRegressor : Estimator for regression.
    TAOClassifier : Optimises the splits of a whole tree.

    References
    ----------
    {cart_1984, oc1_1994}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import ObliqueCARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ObliqueCARTClassifier(max_depth=3, random_state=0).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (3, 0.99)
    """

    class_weight: dict | str | None = None


@filled(ObliqueCARTClassifier)
class ObliqueCARTRegressor(_ObliqueCART, TreeRegressor):
    """Regression tree with oblique splits, grown by coordinate descent on the squared error.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    ObliqueCARTClassifier : Estimator for classification.

    References
    ----------
    {cart_1984, oc1_1994}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import ObliqueCARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ObliqueCARTRegressor(method="cart_lc", max_depth=2, random_state=0).fit(X, y)
    >>> model.get_n_leaves() <= 4
    True
    """


def oblique_search(estimator: BaseEstimator, method: str, n_candidates: int | None) -> ObliqueSearch:
    """Return the `ObliqueSearch` for the parameters of an estimator. Raise ParameterError if they are invalid."""
    check_whole(estimator.n_restarts, "n_restarts", 0)
    check_whole(estimator.n_perturbations, "n_perturbations", 0)
    return ObliqueSearch(method, estimator.n_restarts, estimator.n_perturbations, n_candidates)
