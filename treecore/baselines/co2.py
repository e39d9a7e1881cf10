"""CO2 trees: grown greedily from stumps that are optimised by stochastic gradient descent (Norouzi et al. 2015b)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treecore.baselines.co2_stump import CO2Search, threshold_search
from treecore.baselines.greedy_estimator import GreedyTree, TreeClassifier, TreeRegressor, candidates
from treecore.baselines.messages import MESSAGES
from treecore.data.training_data import LARGEST
from treecore.errors import ParameterError
from treecore.initial.oblique_cart import ObliqueSearch
from treecore.parameter_checks import check_choice, check_number, check_whole

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

STARTS = ("univariate", "oc1")
SMALLEST = 1e-30


@dataclass(eq=False, repr=False)
class _CO2(GreedyTree):
    """What trees for classes and trees for numbers share; the fields are their parameters."""

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
    random_state: int | np.random.RandomState | None = None

    def _search(self):
        check_choice(self.init, "init", STARTS)
        count = candidates(self.n_candidate_features)
        start = threshold_search(count) if self.init == "univariate" else ObliqueSearch("oc1", 0, 0, count)
        return co2_search(self, start)


@dataclass(eq=False, repr=False)
class CO2Classifier(_CO2, TreeClassifier):
    """Classification tree of CO2 stumps: oblique splits that minimise a convex-concave bound of their log loss.

    The weights of a split, on scaled features and a constant, begin at the best threshold or OC1 split and follow
    stochastic gradients of their bound (Norouzi et al. 2015b, eq. 10), with momentum; their squared norm stays within
    `nu`. The learning rate is halved where the bound no longer falls. Leaves predict the class shares of their points.

    Parameters
    ----------
    nu : float > 0, bound of the squared norm of the weights, over the points of a node stretched to unit variance: the
        larger, the closer the surrogate to the true loss
    learning_rate : float > 0, the first one of each split
    momentum : float in [0, 1)
    batch_size : int >= 1, points whose gradients are averaged for one step
    n_epochs : int >= 1, most passes over the points of a node, of at least 20 steps each, after which the concave part
        of the bound is linearised anew
    max_depth : int >= 1 or None, None = until every leaf is pure
    min_samples_split : int >= 2, points that a node needs to be split
    n_candidate_features : int >= 1 or None, q of the paper: random features that the best threshold is taken from;
        None = all
    init : "univariate" | "oc1", the split that is optimised: the best threshold, or the OC1 split that begins there
    validation_fraction : float in (0, 1), share of the rows, of each class alike, on which the tree is not grown and
        which choose the pruned subtree; None or 0 = no pruning, as in Norouzi et al. 2015b
    scale : "standard" | "minmax" | None, scaling of the features before each node stretches them by one factor
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : threads; None = all cores; the tree does not depend on it
    random_state : int, RandomState or None, of the candidates, the order of the points and the held-out rows

    Attributes
    ----------
    tree_ : Tree; encoder_ : FeatureEncoder; classes_ ; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    class_weight: dict | str | None = None


class CO2Regressor(_CO2, TreeRegressor):
    """Regression tree of CO2 stumps, as `CO2Classifier`, by a bound of squared loss (Norouzi et al. 2015b, Eq. 4).

    The target of a node counts in standard deviations of its own points, so that `nu` means the same everywhere.
    Leaves predict the mean of their points.

    Parameters
    ----------
    nu, learning_rate, momentum, batch_size, n_epochs, max_depth, min_samples_split, n_candidate_features, init,
    validation_fraction, scale, n_jobs, random_state : as in `CO2Classifier`

    Attributes
    ----------
    tree_ : Tree; encoder_ : FeatureEncoder; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """


def co2_search(estimator: BaseEstimator, start: Callable) -> CO2Search:
    """`CO2Search` from the parameters of an estimator and the search it begins with. Raises ParameterError."""
    e = estimator
    check_number(e.nu, "nu", SMALLEST, LARGEST)
    check_number(e.learning_rate, "learning_rate", SMALLEST, LARGEST)
    check_number(e.momentum, "momentum", 0.0)
    if e.momentum >= 1.0:
        raise ParameterError(MESSAGES("momentum", momentum=e.momentum))
    check_whole(e.batch_size, "batch_size", 1)
    check_whole(e.n_epochs, "n_epochs", 1)
    return CO2Search(e.nu, e.learning_rate, e.momentum, int(e.batch_size), int(e.n_epochs), start)
