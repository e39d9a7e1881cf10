"""C5.0-style classification tree: gain ratio, fractional cases, pessimistic and global pruning.

After Quinlan (C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes, 1996). The changes of
C5.0 are thresholds encoded by intervals, the least gain in large sets, raised branches, global pruning and rules. They
follow the published source (release 2.07), but use none of its code. Trees and rules on numeric features were compared
with that program on samples that were not used for fitting (benchmarks/README.md). Groups of categories follow the
book.
"""

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from treecore.baselines.c50.growth import Cases, attributes, grow
from treecore.baselines.c50.pruning import prune_globally, prune_locally
from treecore.baselines.c50.rules import rules_of, vote_shares
from treecore.baselines.dense_rows import checked_rows, class_codes, tree_of
from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.training_data import TrainingData, dense_rows
from treecore.docstrings import filled
from treecore.errors import DataWarning, ParameterError
from treecore.messages import literal
from treecore.parallel import thread_map
from treecore.parameter_checks import check_choice, check_number, check_whole
from treecore.training.parameters import MISSING
from treecore.training.single_tree import SingleTree, TreeClassifierMixin
from treecore.training.training_run import training_weights
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

SMALLEST_CONFIDENCE = 1e-3
CONFIDENCE = 0.25
MOST_CATEGORIES = 1000  # maximum number of values of a text column


@filled()
class C50Classifier(TreeClassifierMixin, SingleTree, BaseEstimator):
    """Classification tree grown by gain ratio and pruned by pessimistic errors, like C5.0.

    The algorithm is C4.5 [1]_ with the changes of C5.0, as compared in [2]_. A text column of a DataFrame (up to 1000
    values) is split into two groups of its values; C5.0 itself supports one branch per value and more than two groups.
    In `tree_`, this split uses the 0/1 features of the group with less weight. Values that do not occur in the training
    rows of the node go to the other side. In training, a row with a missing value counts in part on each side. In
    prediction, `tree_` sends it to the side with more training weight, whereas C5.0 combines both sides.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence factor CF in [0.001, 1]. A smaller value prunes more.
    min_cases : float, default=2
        Smallest weight of the rows on each side of a split, at least 1.
    global_pruning : bool, default=True
        Whether a final pass prunes as long as the training error increases by less than one standard error.
    pruning : bool, default=True
        Whether the tree is pruned.
    {max_depth, class_weight, missing, n_jobs}
    random_state : int, RandomState, Generator or None, default=None
        Not used: training is deterministic.
    rules : bool, default=False
        Whether `predict` and `predict_proba` use rules made from the tree instead of its leaves.

    Attributes
    ----------
    tree_ : Tree
        The trained tree. Its thresholds are values of the training data.
    rules_ : tuple of Rule or None
        Rules from `treecore.baselines.c50.rules`, sorted by class and decreasing confidence; None if `rules` is False.
    default_class_ : object
        Class label of rows that no rule covers; None if `rules` is False.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    CARTClassifier : Uses the Gini index and binary splits on categories.

    References
    ----------
    {c50_1993, comparison_2021}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import C50Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = C50Classifier().fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (4, 0.97)
    """

    def __init__(
        self,
        confidence: float = CONFIDENCE,
        min_cases: int = 2,
        global_pruning: bool = True,
        pruning: bool = True,
        max_depth: int | None = None,
        class_weight: dict | str | None = None,
        missing: str = "error",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        rules: bool = False,
    ) -> None:
        self.confidence = confidence
        self.min_cases = min_cases
        self.global_pruning = global_pruning
        self.pruning = pruning
        self.max_depth = max_depth
        self.class_weight = class_weight
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.rules = rules

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "learn"
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the tree, and the rules if `rules` is True.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels.
        sample_weight : array-like of shape (n,) or None, default=None
            Non-negative weight of each row. A weight of 2 has the effect of a duplicated row.

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
        _check_parameters(self)
        encoder = FeatureEncoder(self.missing == "learn", MOST_CATEGORIES)
        X, y, _ = checked_rows(self, X, y, encoder)
        codes = class_codes(self, y)
        data = TrainingData(X, codes, self.classes_.size, training_weights(self, X, y, sample_weight), None)
        columns, n_values = attributes(data.columns.values, self.encoder_)
        cases = Cases(columns, data.y.astype(np.int64), data.weights, self.classes_.size, n_values)
        with thread_map(self.n_jobs) as run:
            grown = grow(cases, float(self.min_cases), self.max_depth, run)
            if self.pruning:
                prune_locally(grown, cases, self.confidence, float(self.min_cases) if self.max_depth is None else None)
                if self.global_pruning:
                    prune_globally(grown)
            self.tree_ = _tree(grown, data, cases, self)
            total = float(data.weights.sum())
            if self.tree_.n_leaves == 1 and self.classes_.size > 1 and total < data.n_rows:
                note = (
                    f"The sample weights of {data.n_rows} rows sum to {total:.4g}, and each side of a split "
                    f"needs min_cases={self.min_cases} of them, so the tree is a single leaf. Multiply the "
                    f"weights by {data.n_rows / total:.4g}."
                )
                warnings.warn(note, DataWarning, stacklevel=2)
            self.rules_ = self.default_class_ = None
            if self.rules:
                self.rules_, self.default_class_ = rules_of(
                    self.tree_, cases, self.encoder_, float(self.min_cases), run
                )
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class label of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        array of shape (n,)
            Class label of the leaf, or the label with the most votes if `rules` is True.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        if getattr(self, "rules_", None) is None:
            return super().predict(X)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Class shares of the training rows in the leaf of each row. If `rules` is True, class shares of the votes:
            each rule that covers the row votes with its confidence as weight. If no rule covers the row,
            `default_class_` has share 1.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        X = self._check(X)
        if self.rules_ is None:
            return self.tree_.predict_proba(X, self.n_jobs)
        X = dense_rows(X, "rules=True")
        return vote_shares(self.rules_, self.default_class_, X, self.tree_.classes, self.encoder_)


def _tree(grown, data, cases, estimator):
    """Return the `Tree` of the remaining nodes. The statistics of the tree count whole rows, not fractions."""
    nodes = grown.below(0)
    position = {node: place for place, node in enumerate(nodes)}
    left = [position[grown.left[node]] if grown.left[node] >= 0 else -1 for node in nodes]
    right = [position[grown.right[node]] if grown.left[node] >= 0 else -1 for node in nodes]
    groups = estimator.encoder_.groups
    splits = [_split(grown, node, cases, groups) if grown.left[node] >= 0 else None for node in nodes]
    labels = np.array([grown.counts[node].argmax() for node in nodes], np.int32)
    working = WorkingTree(left, right, splits, labels, nodes)
    return tree_of(estimator, working, data, estimator.n_jobs, estimator.missing == "learn")


def _split(grown, node, cases, groups):
    """Return the split of a node. The threshold is the largest training value on the left, as in the output of C5.0.

    A group of categories goes right: the sum of its 0/1 features is 1.
    """
    attribute, missing_right = grown.feature[node], grown.missing_right[node]
    first = groups[attribute].start
    if grown.group[node] is not None:
        features = (first + np.flatnonzero(grown.group[node])).astype(np.int32)
        return Split(features, np.ones(features.size), -0.5, 1.0, missing_right)
    column = cases.columns[attribute]
    threshold = column[column <= grown.threshold[node]].max()
    bias = -float(np.nextafter(threshold, np.inf))
    return Split(np.array([first], np.int32), np.ones(1), bias, 1.0, missing_right)


def _check_parameters(e):
    check_number(e.confidence, "confidence", SMALLEST_CONFIDENCE, 1.0)
    check_number(e.min_cases, "min_cases", 1.0)
    if e.max_depth is not None:
        check_whole(e.max_depth, "max_depth", 1)
    for name in ("global_pruning", "pruning", "rules"):
        value = getattr(e, name)
        if not isinstance(value, bool | np.bool_):
            raise ParameterError(f"{name}={literal(value)}: expected True or False.")
    check_choice(e.missing, "missing", MISSING)
    if not e.pruning and e.confidence != CONFIDENCE:
        raise ParameterError(
            f"confidence={literal(e.confidence)} has no effect with pruning=False. Set pruning=True, or leave "
            "out confidence."
        )
