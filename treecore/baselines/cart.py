"""CART as in rpart: grown trees, pruned by cross-validated cost-complexity.

The setup is that of Zharmagambetov et al. 2021. scikit-learn grows the trees, or treecore for groups of categories.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import BaseCrossValidator, check_cv
from sklearn.utils.validation import check_is_fitted

from treecore.baselines.cross_validation import GrownTree, chosen_subtree, cross_validated, folds_of
from treecore.baselines.dense_rows import NO_CLASSES, checked_rows, class_codes, tree_of
from treecore.data.category_groups import category_columns
from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.training_data import TrainingData
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial.cart import RankedRows, grown_cart, is_for_sklearn, ranked_cart
from treecore.parallel import thread_map
from treecore.parameter_checks import check_choice, check_whole, typed
from treecore.training.cost_complexity import best_first, node_losses, risks_along, risks_of_growth, weakest_links
from treecore.training.parameter_kinds import WholeOrShare
from treecore.training.parameters import MISSING, PARAMETERS
from treecore.training.partitions.sources.sources import in_parts, score_in_parts, training_source
from treecore.training.prune import cut
from treecore.training.single_tree import SingleTree, TreeClassifierMixin
from treecore.training.smallest_leaf import least_rows
from treecore.training.training_run import loss_of, training_weights
from treecore.tree.routing import leaf_ids

RULES = ("one_se", "min")
PARTS = ("pruned", "grown")


class _CART(SingleTree, BaseEstimator):
    """Base of the classifier and the regressor."""

    def __init__(
        self,
        cv=10,
        rule="one_se",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        missing="error",
        n_jobs=None,
        random_state=None,
        categories="features",
    ):
        self.cv = cv
        self.rule = rule
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categories = categories

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "learn"
        return tags

    def _begin(self, X, y):
        _check_parameters(self)
        encoder = FeatureEncoder(self.missing == "learn")
        return checked_rows(self, X, y, encoder)

    def _fit_parts(self, source):
        from treecore.baselines.partitioned_cart import fit_partitioned_cart  # slow import

        _check_parameters(self)
        self._loss = None
        return fit_partitioned_cart(self, source)

    def _fit(self, X, targets, n_classes, weights, rng):
        columns = category_columns(self.categories, self.encoder_, X)
        self._loss = loss_of(self, getattr(self, "classes_", NO_CLASSES))
        data = TrainingData(X, targets, n_classes, weights, None, columns, self._loss)
        rows = np.ascontiguousarray(data.columns.row_major())
        grow = self._grower(data, rng.randint(2**31 - 1), rows)
        tree = tree_of(self, grow(np.arange(data.n_rows)).working, data, self.n_jobs, self.missing == "learn", rows)
        self.grown_ = tree
        sequence = weakest_links(tree.left, tree.right, self._losses_of(tree) / data.weights.sum())
        if self.cv is not None and len(sequence) > 1 and data.n_rows > 1:
            folds = self._folds(X, data, rng)
            with thread_map(self.n_jobs) as run:
                errors = cross_validated(
                    grow, rows, data.y, data.weights, folds, [s.alpha for s in sequence], _losses(data), run
                )
            last = chosen_subtree(*errors, self.rule)
            self.cv_errors_, self.cv_standard_errors_ = errors
            is_end = tree.left < 0
            for subtree in sequence[1 : last + 1]:
                is_end[subtree.collapsed] = True
            tree = cut(tree, is_end)
        self.tree_ = tree
        return self

    def _folds(self, X, data, rng):
        strata = data.task.groups(data.y)
        if isinstance(self.cv, int | np.integer):
            return folds_of(strata, self.cv, rng)
        labels, place = np.zeros(len(X), np.int64), np.full(len(X), -1)  # initial values for rows of weight 0
        labels[data.rows], place[data.rows] = strata, np.arange(data.n_rows)
        with typed(ParameterError):
            given = list(check_cv(self.cv).split(X, labels))
        try:
            folds = [[(there := place[rows])[there >= 0] for rows in fold] for fold in given]
        except IndexError as error:
            raise ParameterError(
                f"cv: a fold contains rows that X does not have ({error}). X has {len(X)} rows."
            ) from None
        folds = [(train, held) for train, held in folds if train.size and held.size]
        if not folds:
            raise ParameterError("cv: no fold has both training rows and held-out rows. Pass folds with both.")
        return folds

    def subtrees(self, alphas):
        """Return the optimal subtrees of `grown_` for several pruning strengths.

        Parameters
        ----------
        alphas : array-like of shape (k,)
            Penalties per leaf.

        Returns
        -------
        list of Tree
            For each penalty, the subtree with the smallest training loss + alpha × leaves. The loss is the
            misclassification error, the mean cost or the mean squared error.
        """
        tree, sequence = self.grown_, self._sequence()
        found = []
        for alpha in alphas:
            is_end = tree.left < 0
            for subtree in sequence[1:]:
                if subtree.alpha <= alpha:
                    is_end[subtree.collapsed] = True
            found.append(cut(tree, is_end))
        return found

    def error_curve(self, X, y, sample_weight=None, part="pruned"):
        """Return the errors of subtrees of `grown_`.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows, at least one.
        y : array-like of shape (n,)
            Class labels or numbers.
        sample_weight : array-like of shape (n,) or None, default=None
            Weights of the rows.
        part : {'pruned', 'grown'}, default='pruned'
            'pruned' uses the optimal subtrees, which need not exist for each number of leaves. 'grown' uses the trees
            of best-first growth, which splits the leaf with the largest decrease of the impurity, up to `grown_`.

        Returns
        -------
        n_leaves : int64 array of shape (k,)
            Leaves of the subtrees, in increasing order.
        errors : float64 array of shape (k,)
            Their error rates, or root mean squared errors. They are error rates also if the tree has costs of mistakes.
        """
        check_choice(part, "part", PARTS)
        sequence, tree = self._sequence(), self.grown_
        leaves = tree.apply(self._check(X), self.n_jobs)
        weights = np.ones(leaves.size) if sample_weight is None else np.asarray(sample_weight, float)
        targets, losses_of = tree.target.values_of(tree, y), tree.target.losses
        losses = node_losses(tree.left, tree.right, tree.outputs, leaves, targets, weights, losses_of)
        if part == "grown":
            order = best_first(tree.left, tree.right, tree.target.impurities(tree.values))
            n_leaves = np.arange(order.size + 1) + 1
            totals = risks_of_growth(tree.left, tree.right, order, losses).tolist()
        else:
            n_leaves = np.array([subtree.n_leaves for subtree in sequence[::-1]])
            totals = risks_along(tree.left, tree.right, sequence, losses)[::-1]
        return n_leaves, np.array([tree.target.error(max(total, 0.0) / weights.sum()) for total in totals])

    def _sequence(self):
        """Return the optimal subtrees of the grown tree, a list of `Subtree`."""
        check_is_fitted(self)
        tree = self.grown_
        risk = self._losses_of(tree) / tree.target.weights(tree.values[0])
        return weakest_links(tree.left, tree.right, risk)

    def _losses_of(self, tree):
        """Return the training loss of each node as a leaf, float64[m]."""
        is_usual = self._loss is None or self._loss.is_usual
        return tree.target.node_losses(tree) if is_usual else self._loss.losses_of(tree.values)

    def _grower(self, data, seed, rows):
        """Return the function that grows the `GrownTree` of some rows. rows : [n, d], the rows of `data`."""
        growing = data.growing()
        ranked = RankedRows.of(data) if is_for_sklearn(growing) else None

        def grow(part):
            least_leaf = least_rows(self.min_samples_leaf, part.size)
            least_split = max(2, least_rows(self.min_samples_split, part.size))
            if ranked is None:
                working = grown_cart(
                    growing, part, growing.weights, self.max_depth, least_leaf, min_samples_split=least_split
                )
            else:
                working = ranked_cart(
                    growing, ranked, part, max_depth=self.max_depth, min_samples_split=least_split,
                    min_samples_leaf=least_leaf, random_state=seed,
                )  # fmt: skip
            routing = working.routing()

            def apply(rows):
                return leaf_ids(routing, rows, 1).astype(np.int64)

            leaf, y, weights = apply(rows[part]), data.y[part], data.weights[part]
            if not data.loss.is_usual:
                values = data.loss.node_values(working.left, working.right, leaf, y, weights)
                working.labels = data.loss.labels_of(values).astype(working.labels.dtype)
            risk = node_losses(working.left, working.right, working.labels, leaf, y, weights, _losses(data))
            return GrownTree(working, risk, apply)

        return grow


@filled()
class CARTClassifier(TreeClassifierMixin, _CART):
    """Classification tree grown by the Gini index and pruned by cross-validated cost-complexity.

    Parameters
    ----------
    cv : int, splitter, list or None, default=10
        Number of folds, at least 2; a splitter of scikit-learn; or a list of pairs (training rows, held-out rows) such
        as ``list(GroupKFold().split(X, y, groups))``. None disables pruning.
    rule : {'one_se', 'min'}, default='one_se'
        'min' selects the subtree with the smallest cross-validated error. 'one_se' selects the smallest subtree within
        one standard error of that.
    {max_depth}
    min_samples_split : int or float, default=2
        Smallest number of training rows of a node that may be split, at least 2, or their share of all training rows in
        (0, 1).
    min_samples_leaf : int or float, default=1
        Smallest number of training rows in a leaf, at least 1, or their share of all training rows in (0, 1).
    {missing, n_jobs}
    random_state : int, RandomState, Generator or None, default=None
        Seed of the folds and of the choice among equally good splits.
    {class_weight}
    {categories}
    {cost_matrix}

    Attributes
    ----------
    {tree_}
    grown_ : Tree
        The tree before pruning.
    cv_errors_ : float64 array
        Cross-validated error of each subtree of the cost-complexity sequence, largest subtree first. With
        `cost_matrix`, mean cost of a row.
    cv_standard_errors_ : float64 array
        Standard errors of `cv_errors_`.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    CARTRegressor : Estimator for regression.
    TAOClassifier : Optimises the splits of a whole tree.

    Notes
    -----
    `min_samples_split` and `min_samples_leaf` correspond to minsplit and minbucket of rpart, where the defaults are 20
    and 7.

    References
    ----------
    {cart_1984}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CARTClassifier(random_state=0).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (3, 0.96)
    """

    score = score_in_parts(TreeClassifierMixin.score)

    def __init__(
        self,
        cv: int | BaseCrossValidator | list | None = 10,
        rule: str = "one_se",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        missing: str = "error",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        class_weight: dict | str | None = None,
        categories: str | Sequence[Sequence[int]] = "features",
        cost_matrix: Any = None,
    ) -> None:
        super().__init__(
            cv, rule, max_depth, min_samples_split, min_samples_leaf, missing, n_jobs, random_state, categories
        )
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix

    def fit(self, X: ArrayLike, y: ArrayLike | str | None = None, sample_weight: ArrayLike | str | None = None) -> Self:
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d), or rows that are read in parts
            Training rows: a dense array, a DataFrame, or files and queries as for `TAOClassifier`.
        y : array-like of shape (n,), str or None, default=None
            Class labels, or the name of the target column if the rows are read in parts.
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
        source = training_source(X, y, sample_weight)
        if source is not None:
            return self._fit_parts(source)
        X, y, rng = self._begin(X, y)
        codes = class_codes(self, y)
        weights = training_weights(self, X, y, sample_weight)
        return self._fit(X, codes, self.classes_.size, weights, rng)

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
            Class shares of the training rows in the leaf of each row.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)


@filled(CARTClassifier)
class CARTRegressor(RegressorMixin, _CART):
    """Regression tree grown by the squared error and pruned by cross-validated cost-complexity.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_, grown_, cv_errors_, cv_standard_errors_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    CARTClassifier : Estimator for classification.

    References
    ----------
    {cart_1984}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import CARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = CARTRegressor(max_depth=4, cv=3, random_state=0).fit(X, y)
    >>> model.get_depth() <= 4
    True
    """

    score = score_in_parts(RegressorMixin.score)

    def fit(self, X: ArrayLike, y: ArrayLike | str | None = None, sample_weight: ArrayLike | str | None = None) -> Self:
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d), or rows that are read in parts
            Training rows: a dense array, a DataFrame, or files and queries as for `TAOClassifier`.
        y : array-like of shape (n,), str or None, default=None
            Target numbers, or the name of the target column if the rows are read in parts.
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
        source = training_source(X, y, sample_weight)
        if source is not None:
            return self._fit_parts(source)
        X, y, rng = self._begin(X, y)
        weights = training_weights(self, X, y, sample_weight)
        return self._fit(X, y.astype(np.float64), None, weights, rng)


def _losses(data):
    """Return the loss of each row, as a function of the predicted and the true value."""
    return partial(data.loss.row_losses, weights=1.0)


def _check_parameters(e):
    if e.cv is not None and not isinstance(e.cv, list | tuple) and not hasattr(e.cv, "get_n_splits"):
        check_whole(e.cv, "cv", 2)
    if e.max_depth is not None:
        check_whole(e.max_depth, "max_depth", 1)
    WholeOrShare(2).check(e.min_samples_split, "min_samples_split")
    WholeOrShare(1).check(e.min_samples_leaf, "min_samples_leaf")
    PARAMETERS["categories"].check(e.categories)
    for name, choices in (("rule", RULES), ("missing", MISSING)):
        check_choice(getattr(e, name), name, choices)
    if e.cv is None and e.rule != "one_se":
        raise ParameterError(
            f"rule={e.rule!r} selects a tree by cross-validation, but cv=None. Set cv, or leave out rule."
        )
