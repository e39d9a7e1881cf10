"""Bagged forests: random forest, OC1, CO2 and two-probe forests (Norouzi et al. 2015b), and forests of TAO trees."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from treecore.baselines.co2 import co2_search
from treecore.baselines.co2_stump import threshold_search
from treecore.baselines.dense_rows import NO_CLASSES
from treecore.baselines.greedy_estimator import (
    DenseClassifier,
    DenseRegressor,
    DenseRows,
    candidates,
    check_growth,
    grown_tree,
)
from treecore.baselines.messages import MESSAGES
from treecore.baselines.oblique_cart import oblique_search
from treecore.baselines.two_probe import TwoProbeSearch
from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.parallel import resolve_jobs
from treecore.parameter_checks import check_choice, check_number, check_whole
from treecore.training.estimators import ESTIMATORS
from treecore.training.impurity_importance import impurity_importance
from treecore.training.node_ways import node_ways

BASES = ("univariate", "oc1", "co2", "two_probe")


class _Forest(DenseRows):
    """Bagging: each tree is grown on rows drawn with replacement, and what the trees predict is averaged."""

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on `X` ([n, d], dense array) and labels or numbers `y` [n]; sample_weight : float[n] >= 0.

        Raises DataError or ParameterError (both ValueErrors).
        """
        check_whole(self.n_estimators, "n_estimators", 1)
        self._check_parameters()
        X, targets, task, weights, rng = self._begin(X, y, sample_weight)
        seeds = np.random.SeedSequence(rng.randint(2**31 - 1)).spawn(self.n_estimators)
        resolve_jobs(self.n_jobs)
        rows = self._rows(X, targets, task, weights)
        run = Parallel(-1 if self.n_jobs is None else self.n_jobs, prefer="threads")
        self._keep(run(delayed(_bagged)(self, rows, weights, seed) for seed in seeds))
        return self

    def apply(self, X: ArrayLike) -> np.ndarray:
        """int32[n, n_estimators]: leaf of each row of `X` in each tree."""
        X = self._check(X)
        return np.stack([tree.apply(X, self.n_jobs) for tree in self.estimators_], axis=1)

    def decision_path(self, X: ArrayLike) -> tuple:
        """(CSR bool[n, nodes of all trees], the nodes that each row of `X` goes through; int64[n_estimators + 1], where
        the nodes of each tree begin, and their number)."""
        leaves = self.apply(X)
        ways = [node_ways(tree)[leaves[:, i]] for i, tree in enumerate(self.estimators_)]
        return scipy.sparse.hstack(ways, format="csr"), np.cumsum([0, *(tree.n_nodes for tree in self.estimators_)])

    @property
    def feature_importances_(self) -> np.ndarray:
        """float64[n_features_in_], sum 1: mean over the trees that decide anything, each as `impurity_importance`."""
        check_is_fitted(self)
        shares = [
            impurity_importance(tree, self.encoder_.groups, widths)
            for tree, widths in zip(self.estimators_, self._widths, strict=True)
        ]
        total = np.sum(shares, axis=0)
        return total / total.sum() if total.any() else total

    def _keep(self, grown):
        """grown : for each tree (Tree, float64[d], the spread of the features in training)."""
        self.estimators_, self._widths = map(list, zip(*grown, strict=True))

    def _mean(self, predicted):
        """Mean over the trees of what the function `predicted` makes of each."""
        return sum(map(predicted, self.estimators_)) / len(self.estimators_)


class _ClassifierForest(DenseClassifier):
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """float64[n, k]: class shares in the leaf of each row of `X` ([n, d]), averaged over the trees."""
        X = self._check(X)
        return self._mean(lambda tree: tree.predict_proba(X, self.n_jobs))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class label of each row of `X` ([n, d]): of the largest averaged share, of equals the first."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]


class _RegressorForest(DenseRegressor):
    def predict(self, X: ArrayLike) -> np.ndarray:
        """float64[n]: number for each row of `X` ([n, d]), the mean of what the trees predict."""
        X = self._check(X)
        return self._mean(lambda tree: tree.predict(X, self.n_jobs))


def _bagged(forest, rows, weights, seed):
    """What a forest grows on rows that are drawn with replacement. A function of plain data: it may run elsewhere."""
    for_rows, for_tree = seed.spawn(2)
    drawn = np.flatnonzero(weights > 0)
    places = np.random.default_rng(for_rows).integers(drawn.size, size=drawn.size)
    return forest._grown(rows, weights * np.bincount(drawn[places], minlength=weights.size), for_tree)


class _GreedyForest(_Forest):
    """A forest whose trees share the training data and grow by one search (`_search`)."""

    def _check_parameters(self):
        check_growth(self)
        self._search(1)

    def _rows(self, X, targets, task, weights):
        return TrainingData(X, targets, task.n_classes, weights, self.scale)

    def _grown(self, data, weights, seed):
        search = self._search(max(1, np.count_nonzero(data.inverse_scale)))
        weights = weights[data.rows]
        return grown_tree(self, data, np.flatnonzero(weights), weights, search, seed), data.widths


@dataclass(eq=False, repr=False)
class _CO2Forest(_GreedyForest):
    """What forests for classes and forests for numbers share; the fields are their parameters."""

    n_estimators: int = 10
    base: str = "co2"
    n_candidate_features: str | int | None = "sqrt"
    nu: float = 10.0
    learning_rate: float = 0.3
    momentum: float = 0.9
    batch_size: int = 100
    n_epochs: int = 50
    n_restarts: int = 0
    n_perturbations: int = 5
    n_pairs: int = 100
    max_depth: int | None = None
    min_samples_split: int = 2
    scale: str | None = "standard"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None

    def _search(self, n_usable):
        check_choice(self.base, "base", BASES)
        count = self.n_candidate_features
        if isinstance(count, str):
            if count != "sqrt":
                raise ParameterError(MESSAGES("n_candidate_features", value=count))
            count = max(1, round(n_usable**0.5))
        count = candidates(count)
        if self.base == "two_probe":
            check_whole(self.n_pairs, "n_pairs", 1)
            return TwoProbeSearch(self.n_pairs)
        if self.base == "oc1":
            return oblique_search(self, "oc1", count)
        return co2_search(self, threshold_search(count)) if self.base == "co2" else threshold_search(count)


@dataclass(eq=False, repr=False)
class CO2ForestClassifier(_CO2Forest, _ClassifierForest):
    """Forest of bagged trees whose splits begin at the best threshold on a few random features (Norouzi et al. 2015b).

    Parameters
    ----------
    n_estimators : int >= 1, number of trees
    base : "co2" | "oc1" | "univariate" | "two_probe", what becomes of that threshold: CO2 or OC1 optimise it, over all
        features; "univariate" keeps it (a random forest); "two_probe" takes a difference of two features instead
    n_candidate_features : "sqrt" | int >= 1 | None (all), q of Norouzi et al. 2015b
    nu, learning_rate, momentum, batch_size, n_epochs : of CO2, see `CO2Classifier`
    n_restarts, n_perturbations : of OC1, see `ObliqueCARTClassifier`
    n_pairs : int >= 1, random pairs of features that a two-probe split is taken from
    max_depth : int >= 1 or None, None = until every leaf is pure
    min_samples_split : int >= 2, different points that a node needs to be split
    scale : "standard" | "minmax" | None, scaling of the features during the search; trees are in raw units
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : trees grown at the same time, in threads, or where joblib's `parallel_config` says; None = all cores; the
        forest does not depend on it
    random_state : int, RandomState or None

    Attributes
    ----------
    estimators_ : list of Tree; encoder_ : FeatureEncoder; classes_ ; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    class_weight: dict | str | None = None


class CO2ForestRegressor(_CO2Forest, _RegressorForest):
    """Forest for numbers, as `CO2ForestClassifier`: by the squared error, and for "co2" by a bound of the squared loss.

    Parameters
    ----------
    n_estimators, base, n_candidate_features, nu, learning_rate, momentum, batch_size, n_epochs, n_restarts,
    n_perturbations, n_pairs, max_depth, min_samples_split, scale, n_jobs, random_state : as in
    `CO2ForestClassifier`

    Attributes
    ----------
    estimators_ : list of Tree; encoder_ : FeatureEncoder; n_features_in_ ; feature_names_in_ (for DataFrames with
    string column names)
    """


@dataclass(eq=False, repr=False)
class _TwoProbeForest(_GreedyForest):
    """What forests for classes and forests for numbers share; the fields are their parameters."""

    n_estimators: int = 10
    n_pairs: int = 100
    max_depth: int | None = None
    min_samples_split: int = 2
    scale: str | None = None
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None

    def _search(self, n_usable):
        check_whole(self.n_pairs, "n_pairs", 1)
        return TwoProbeSearch(self.n_pairs)


@dataclass(eq=False, repr=False)
class TwoProbeForestClassifier(_TwoProbeForest, _ClassifierForest):
    """Forest of bagged trees that compare two features: ``z_j - z_k >= threshold`` (Norouzi et al. 2015b, section 6.2).

    Parameters
    ----------
    n_estimators : int >= 1, number of trees
    n_pairs : int >= 1, random pairs of features at each node, of which the best is taken
    max_depth : int >= 1 or None, None = until every leaf is pure
    min_samples_split : int >= 2, different points that a node needs to be split
    scale : "standard" | "minmax" | None, units in which features are compared; None = raw, as for the pixels of images
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : trees grown at the same time, in threads, or where joblib's `parallel_config` says; None = all cores; the
        forest does not depend on it
    random_state : int, RandomState or None

    Attributes
    ----------
    estimators_ : list of Tree; encoder_ : FeatureEncoder; classes_ ; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    class_weight: dict | str | None = None


class TwoProbeForestRegressor(_TwoProbeForest, _RegressorForest):
    """Forest for numbers, as `TwoProbeForestClassifier`, by the squared error.

    Parameters
    ----------
    n_estimators, n_pairs, max_depth, min_samples_split, scale, n_jobs, random_state : as in
    `TwoProbeForestClassifier`

    Attributes
    ----------
    estimators_ : list of Tree; encoder_ : FeatureEncoder; n_features_in_ ; feature_names_in_ (for DataFrames with
    string column names)
    """


@dataclass(eq=False, repr=False)
class _TAOForest(_Forest):
    """What forests for classes and forests for numbers share; the fields are their parameters."""

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
    random_state: int | np.random.RandomState | None = None

    def _keep(self, grown):
        *grown, passes = zip(*grown, strict=True)
        super()._keep(zip(*grown, strict=True))
        self.n_iter_ = max(passes)

    def _check_parameters(self):
        check_number(self.lam, "lam", 0.0)
        if not isinstance(self.init, str):
            raise ParameterError(MESSAGES("init_of_forest", init=self.init))

    def _rows(self, X, targets, task, weights):
        return X, targets, task, task.unit(targets, weights)

    def _grown(self, rows, weights, seed):
        """(Tree, spread of the features, passes)."""
        e, (X, targets, task, unit) = self, rows
        model = ESTIMATORS[task.target.loss](
            split=e.split, lam=e.lam * unit, bivariate_cost=e.bivariate_cost, init=e.init, max_depth=e.max_depth,
            max_iter=e.max_iter, surrogate=e.surrogate, n_orientations=e.n_orientations, scale=e.scale, n_jobs=1,
            random_state=int(seed.generate_state(1)[0]),
        )  # fmt: skip
        model.fit(X, targets, weights)
        tree = replace(model.tree_, classes=getattr(e, "classes_", NO_CLASSES), feature_names=e.encoder_.feature_names)
        return tree, model._widths, model.n_iter_


@dataclass(eq=False, repr=False)
class TAOForestClassifier(_TAOForest, _ClassifierForest):
    """Forest of bagged TAO trees, each from its own initial tree.

    Parameters
    ----------
    n_estimators : int >= 1, number of trees
    split, lam, bivariate_cost, init, max_depth, max_iter, surrogate, n_orientations, scale : of every tree, see
        `TAOClassifier`; `init` is the name of an initial tree
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : trees trained at the same time, in threads, or where joblib's `parallel_config` says; None = all cores;
        the forest does not depend on it
    random_state : int, RandomState or None

    Attributes
    ----------
    estimators_ : list of Tree; n_iter_ : int, most passes that TAO took for a tree; encoder_ : FeatureEncoder;
    classes_ ; n_features_in_ ; feature_names_in_ (for DataFrames with string column names)
    """

    class_weight: dict | str | None = None


class TAOForestRegressor(_TAOForest, _RegressorForest):
    """Forest of bagged TAO trees for numbers, as `TAOForestClassifier`; `lam` counts in variances of the target.

    Parameters
    ----------
    n_estimators, split, lam, bivariate_cost, init, max_depth, max_iter, surrogate, n_orientations, scale, n_jobs,
    random_state : as in `TAOForestClassifier`

    Attributes
    ----------
    estimators_ : list of Tree; n_iter_ : int, most passes that TAO took for a tree; encoder_ : FeatureEncoder;
    n_features_in_ ; feature_names_in_ (for DataFrames with string column names)
    """
