"""Oblique CART as an estimator: CART-LC and OC1 trees, pruned by held-out rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator

from treecore.baselines.greedy_estimator import GreedyTree, TreeClassifier, TreeRegressor, candidates
from treecore.initial.oblique_cart import METHODS, PERTURBATIONS, RESTARTS, ObliqueSearch
from treecore.parameter_checks import check_choice, check_whole


@dataclass(eq=False, repr=False)
class _ObliqueCART(GreedyTree):
    """What trees for classes and trees for numbers share; the fields are their parameters."""

    method: str = "oc1"
    n_restarts: int = RESTARTS
    n_perturbations: int = PERTURBATIONS
    max_depth: int | None = None
    min_samples_split: int = 2
    n_candidate_features: int | None = None
    validation_fraction: float | None = 0.1
    scale: str | None = "standard"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None

    def _search(self):
        check_choice(self.method, "method", METHODS)
        return oblique_search(self, self.method, candidates(self.n_candidate_features))


@dataclass(eq=False, repr=False)
class ObliqueCARTClassifier(_ObliqueCART, TreeClassifier):
    """Classification tree of oblique splits, grown by coordinate descent on the Gini index, pruned by cost-complexity.

    Every descent begins at the best threshold. "cart_lc" is the deterministic search of Breiman et al. (1984, section
    5.2), without its deletion of features; "oc1" (Murthy, Kasif and Salzberg 1994) also begins at random directions and
    jumps in random directions where it has come to rest. Both move one coefficient at a time, to its best value.

    Parameters
    ----------
    method : "oc1" | "cart_lc"
    n_restarts : int >= 0, descents from a random direction, beside the one from the best threshold (OC1)
    n_perturbations : int >= 0, random jumps that are tried where a descent ends (OC1)
    max_depth : int >= 1 or None, None = until every leaf is pure
    min_samples_split : int >= 2, points that a node needs to be split
    n_candidate_features : int >= 1 or None, random features that the best threshold is taken from; None = all
    validation_fraction : float in (0, 1), share of the rows, of each class alike, on which the tree is not grown and
        which choose the pruned subtree; None or 0 = no pruning
    scale : "standard" | "minmax" | None, how the features are scaled during the search; `tree_` is in raw units
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : threads; None = all cores; the tree does not depend on it
    random_state : int, RandomState or None, of the random directions and the choice of the held-out rows

    Attributes
    ----------
    tree_ : Tree; encoder_ : FeatureEncoder; classes_ ; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    class_weight: dict | str | None = None


class ObliqueCARTRegressor(_ObliqueCART, TreeRegressor):
    """Regression tree of oblique splits, as `ObliqueCARTClassifier`, by the squared error in place of the Gini index.

    Parameters
    ----------
    method, n_restarts, n_perturbations, max_depth, min_samples_split, n_candidate_features, validation_fraction, scale,
    n_jobs, random_state : as in `ObliqueCARTClassifier`

    Attributes
    ----------
    tree_ : Tree; encoder_ : FeatureEncoder; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """


def oblique_search(estimator: BaseEstimator, method: str, n_candidates: int | None) -> ObliqueSearch:
    """`ObliqueSearch` from the parameters of an estimator. Raises ParameterError."""
    check_whole(estimator.n_restarts, "n_restarts", 0)
    check_whole(estimator.n_perturbations, "n_perturbations", 0)
    return ObliqueSearch(method, estimator.n_restarts, estimator.n_perturbations, n_candidates)
