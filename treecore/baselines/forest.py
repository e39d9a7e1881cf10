"""Bagged forests: random forests, OC1, CO2 and two-probe forests (Norouzi et al. 2015b, 6.2), and TAO forests."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from treecore.baselines.co2 import CO2Classifier, co2_search
from treecore.baselines.co2_stump import threshold_search
from treecore.baselines.greedy_estimator import (
    DenseClassifier,
    DenseRegressor,
    DenseRows,
    candidates,
    check_growth,
    grown_tree,
)
from treecore.baselines.oblique_cart import ObliqueCARTClassifier, oblique_search
from treecore.data.training_data import TrainingData
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial import greedy, impurity_kernels
from treecore.messages import literal
from treecore.parallel import resolve_jobs
from treecore.parameter_checks import check_choice, check_whole
from treecore.training.single_tree import impurity_importance
from treecore.tree.nodes import node_paths
from treecore.tree.split import Split

BASES = ("univariate", "oc1", "co2", "two_probe")


class Forest(DenseRows):
    """Forest by bagging: each tree is grown on rows drawn with replacement, and the predictions are averaged."""

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the forest.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels or numbers.
        sample_weight : array-like of shape (n,) or None, default=None
            Non-negative weight of each row.

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
        check_whole(self.n_estimators, "n_estimators", 1)
        self._check_parameters()
        X, targets, task, weights, rng = self._begin(X, y, sample_weight)
        seeds = np.random.SeedSequence(rng.randint(2**31 - 1)).spawn(self.n_estimators)
        resolve_jobs(self.n_jobs)
        rows = self._rows(X, targets, task, weights)
        run = Parallel(self.n_jobs, prefer="threads")
        self._keep(run(delayed(_bagged)(self, rows, weights, seed) for seed in seeds))
        return self

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Return the leaf of each row in each tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        int32 array of shape (n, n_estimators)
            Node numbers of the leaves.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return np.stack([tree.apply(X, self.n_jobs) for tree in self.estimators_], axis=1)

    def decision_path(self, X: ArrayLike) -> tuple:
        """Return the nodes on the decision paths of each row in all trees.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        indicator : CSR bool matrix
            True for each node on a decision path of the row; the columns are the nodes of all trees.
        starts : int64 array of shape (n_estimators + 1,)
            First column of each tree, then the number of columns.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        leaves = self.apply(X)
        paths = [node_paths(tree)[leaves[:, i]] for i, tree in enumerate(self.estimators_)]
        return scipy.sparse.hstack(paths, format="csr"), np.cumsum([0, *(tree.n_nodes for tree in self.estimators_)])

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean impurity importances of the trees with a split, float64[n_features_in_] with sum 1."""
        check_is_fitted(self)
        shares = [
            impurity_importance(tree, self.encoder_.groups, widths)
            for tree, widths in zip(self.estimators_, self._widths, strict=True)
        ]
        total = np.sum(shares, axis=0)
        return total / total.sum() if total.any() else total

    def _keep(self, grown):
        """Store the trees. grown : (Tree, float64[d] standard deviations of its training features) for each tree."""
        self.estimators_, self._widths = map(list, zip(*grown, strict=True))

    def _mean(self, predicted):
        """Return the mean of ``predicted(tree)`` over the trees."""
        return sum(map(predicted, self.estimators_)) / len(self.estimators_)


class ClassifierForest(DenseClassifier):
    """Base of forests that average the predictions of classification trees."""

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Class shares in the leaf of each row, averaged over the trees.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self._mean(lambda tree: tree.predict_proba(X, self.n_jobs))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class label of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        array of shape (n,)
            Class label with the largest averaged share, the first one in a tie.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]


class RegressorForest(DenseRegressor):
    """Base of forests that average the predictions of regression trees."""

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the target of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n,)
            Mean of the predictions of the trees.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self._mean(lambda tree: tree.predict(X, self.n_jobs))


def _bagged(forest, rows, weights, seed):
    """Grow one tree on rows drawn with replacement.

    The arguments are plain data, because the function can run in another process.
    """
    for_rows, for_tree = seed.spawn(2)
    drawn = np.flatnonzero(weights > 0)
    places = np.random.default_rng(for_rows).integers(drawn.size, size=drawn.size)
    return forest._grown(rows, weights * np.bincount(drawn[places], minlength=weights.size), for_tree)


class _GreedyForest(Forest):
    """Forest whose trees share the training data and the search for splits (`_search`)."""

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
    """Base of the classifier and the regressor. The fields are their parameters."""

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
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def _search(self, n_usable):
        check_choice(self.base, "base", BASES)
        count = self.n_candidate_features
        if isinstance(count, str):
            if count != "sqrt":
                raise ParameterError(
                    f"n_candidate_features={literal(count)}: expected 'sqrt', a whole number >= 1, or None for all."
                )
            count = max(1, round(n_usable**0.5))
        count = candidates(count)
        if self.base == "two_probe":
            check_whole(self.n_pairs, "n_pairs", 1)
            return TwoProbeSearch(self.n_pairs)
        if self.base == "oc1":
            return oblique_search(self, "oc1", count)
        return co2_search(self, threshold_search(count)) if self.base == "co2" else threshold_search(count)


@filled(ObliqueCARTClassifier, CO2Classifier)
@dataclass(eq=False, repr=False)
class CO2ForestClassifier(_CO2Forest, ClassifierForest):
    """Forest of bagged trees. Each split starts at the best threshold among a few random features.

    Parameters
    ----------
    {n_estimators}
    base : {'co2', 'oc1', 'univariate', 'two_probe'}, default='co2'
        Type of the splits. 'co2' and 'oc1' optimise the threshold to an oblique split on all features. 'univariate'
        keeps the threshold (random forest). 'two_probe' uses the difference of two features instead.
    n_candidate_features : 'sqrt', int or None, default='sqrt'
        Number of random features that are searched for the best threshold (q of the paper). None searches all.
    {nu, learning_rate, momentum, batch_size, n_epochs, n_restarts, n_perturbations, n_pairs, max_depth}
    {min_samples_split, scale}
    n_jobs : int or None, default=None
        Number of trees that are grown in parallel, in threads or as set by joblib's `parallel_config`. None means
        1, and -1 uses all cores. The result does not depend on `n_jobs`.
    {random_state, class_weight}

    Attributes
    ----------
    {estimators_, encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    CO2ForestRegressor : Estimator for regression.
    CO2Classifier : Single CO2 tree. Explains `nu` and the parameters of the descent.

    References
    ----------
    {co2_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CO2ForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CO2ForestClassifier(n_estimators=3, n_epochs=10, max_depth=3, random_state=0).fit(X, y)
    >>> len(model.estimators_), round(model.score(X, y), 2)
    (3, 0.97)
    """

    class_weight: dict | str | None = None


@filled(CO2ForestClassifier)
class CO2ForestRegressor(_CO2Forest, RegressorForest):
    """Forest of bagged regression trees. Each split starts at the best threshold among a few random features.

    Splits minimise the squared error, or a bound on it if ``base="co2"``.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {estimators_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    CO2ForestClassifier : Estimator for classification.

    References
    ----------
    {co2_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import CO2ForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = CO2ForestRegressor(n_estimators=3, base="univariate", max_depth=3, random_state=0).fit(X, y)
    >>> model.predict(X).shape
    (442,)
    """


@dataclass(eq=False, repr=False)
class _TwoProbeForest(_GreedyForest):
    """Base of the classifier and the regressor. The fields are their parameters."""

    n_estimators: int = 10
    n_pairs: int = 100
    max_depth: int | None = None
    min_samples_split: int = 2
    scale: str | None = None
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def _search(self, n_usable):
        check_whole(self.n_pairs, "n_pairs", 1)
        return TwoProbeSearch(self.n_pairs)


@filled()
@dataclass(eq=False, repr=False)
class TwoProbeForestClassifier(_TwoProbeForest, ClassifierForest):
    """Forest of bagged trees that compare two features: ``z_j - z_k >= threshold``.

    The method is described in section 6.2 of [1]_.

    Parameters
    ----------
    {n_estimators, n_pairs, max_depth, min_samples_split}
    scale : {'standard', 'minmax'} or None, default=None
        Scaling of the features before they are compared. None compares raw values, which suits pixels of images.
    {n_jobs, random_state, class_weight}

    Attributes
    ----------
    {estimators_, encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    TwoProbeForestRegressor : Estimator for regression.

    References
    ----------
    {co2_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TwoProbeForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TwoProbeForestClassifier(n_estimators=3, max_depth=3, random_state=0).fit(X, y)
    >>> len(model.estimators_), round(model.score(X, y), 2)
    (3, 0.97)
    """

    class_weight: dict | str | None = None


@filled(TwoProbeForestClassifier)
class TwoProbeForestRegressor(_TwoProbeForest, RegressorForest):
    """Forest of bagged regression trees that compare two features and minimise the squared error.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {estimators_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    TwoProbeForestClassifier : Estimator for classification.

    References
    ----------
    {co2_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import TwoProbeForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = TwoProbeForestRegressor(n_estimators=3, max_depth=3, random_state=0).fit(X, y)
    >>> model.predict(X).shape
    (442,)
    """


class TwoProbeSearch:
    """Search for the best threshold on the difference of two scaled features, over random pairs of features.

    n_pairs : int >= 1, number of pairs drawn at each node. If there are no more pairs than this, all are tried.
    """

    def __init__(self, n_pairs: int) -> None:
        self.n_pairs = n_pairs

    def __call__(self, node):
        """Return the split of a `greedy.Node`: a univariate one if no difference varies, None if no feature varies."""
        if node.usable.size > 1:
            first, second = self._pairs(node)
            data = node.data
            raw = np.empty((2, node.points.size))
            differences = np.empty((first.size, node.points.size))
            for pair, (j, k) in enumerate(zip(first, second, strict=True)):
                impurity_kernels.gather(data.columns.values, np.array([j, k]), node.points, raw)
                weights = data.inverse_scale[[j, k]]
                differences[pair] = weights[0] * raw[0] - weights[1] * raw[1]
            score, pair, below, above = greedy.best_row(node, differences)
            if pair >= 0:
                j, k = first[pair], second[pair]
                weights = np.array([data.inverse_scale[j], -data.inverse_scale[k]])
                split = Split(np.array([j, k], np.int32), weights, -(below + (above - below) / 2), 1.0)
                goes_right = node.goes_right(split)
                if goes_right.any() and not goes_right.all():
                    return split
        found = greedy.best_threshold(node)
        return found and found[1]

    def _pairs(self, node):
        """Return two arrays of features. The first feature of each pair has the smaller index."""
        first, second = np.triu_indices(node.usable.size, 1)
        if self.n_pairs < first.size:
            chosen = np.sort(node.rng.choice(first.size, self.n_pairs, replace=False))
            first, second = first[chosen], second[chosen]
        return node.usable[first], node.usable[second]
