"""`optimality_gap`: how far a univariate tree is above the best tree of its depth."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.baselines.optimal.classifier import Certificate, OptimalTreeClassifier, univariate_splits
from treecore.errors import ParameterError
from treecore.foreign.fitted_tree import fitted_tree, loss_parameters
from treecore.training.training_run import training_weights
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class OptimalityGap:
    """Result of `optimality_gap`.

    Parameters
    ----------
    objective : float
        Objective of the given tree: weight of the misclassified rows + lam × decision nodes.
    best : Tree
        Best tree that the search found. If it is not proven, it can be worse than the given tree.
    certificate : Certificate
        Objective of `best`, with a lower bound for all trees.

    See Also
    --------
    optimality_gap : Returns this result.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, optimality_gap
    >>> X, y = load_iris(return_X_y=True)
    >>> found = optimality_gap(CARTClassifier(random_state=0).fit(X, y), X, y)
    >>> found.objective, found.certificate.lower_bound, found.certificate.proven
    (6.0, 6.0, True)
    """

    objective: float
    best: Tree
    certificate: Certificate

    @property
    def gap(self) -> float:
        """Largest possible difference between the objectives of the given tree and of the best tree."""
        return max(0.0, self.objective - self.certificate.lower_bound)


def optimality_gap(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    lam: float = 0.0,
    max_depth: int | None = None,
    n_thresholds: int = 10,
    time_limit: float = 10.0,
    sample_weight: ArrayLike | None = None,
) -> OptimalityGap:
    """Return how far a univariate tree is above the best tree of its depth on these rows.

    The best tree may use the thresholds of the given tree and the quantiles of each feature, as in
    `OptimalTreeClassifier`. If the time limit ends the search, the gap is still an upper bound, but can be far too
    large.

    Parameters
    ----------
    model : Tree or fitted model
        Univariate classification tree, or a fitted estimator or pipeline (`fitted_tree`).
    X : array-like of shape (n, d)
        Rows, in the form that the model accepts.
    y : array-like of shape (n,)
        Class labels.
    lam : float, default=0.0
        Penalty of a decision node, in misclassified rows. 0 compares errors.
    max_depth : int or None, default=None
        Maximum depth of the best tree, from 1 to 5. None uses the depth of the given tree.
    n_thresholds : int, default=10
        Maximum number of quantiles of a feature.
    time_limit : float, default=10.0
        Duration of the search in seconds, > 0.
    sample_weight : array-like of shape (n,) or None, default=None
        Non-negative weight of each row.

    Returns
    -------
    OptimalityGap
        Objective of the given tree, the best tree and its certificate.

    Raises
    ------
    DataError
        If the rows do not match the model, or if there are too many thresholds.
    ParameterError
        If a parameter is outside its range, if the tree is not a univariate classification tree, or if pystreed is not
        installed.

    See Also
    --------
    OptimalTreeClassifier : Estimator for the best tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, optimality_gap
    >>> X, y = load_iris(return_X_y=True)
    >>> cart = CARTClassifier(cv=None, max_depth=3, random_state=0).fit(X, y)
    >>> optimality_gap(cart, X, y).gap
    3.0
    """
    tree, features = fitted_tree(model)
    if "cost_matrix" in loss_parameters(model):
        raise ParameterError(
            "The optimal tree minimises the number of misclassified rows, but the model has a cost_matrix. Pass its "
            "tree_ to compare numbers of rows."
        )
    X, y = features(X), np.asarray(y)
    univariate_splits(tree, np.shape(X)[1])
    search = OptimalTreeClassifier(
        max(1, tree.depth) if max_depth is None else max_depth, lam, n_thresholds, time_limit, thresholds_of=tree
    )
    search.fit(X, y, sample_weight)
    weights = training_weights(search, X, y, sample_weight)
    wrong = tree.predict(X) != y
    errors = wrong.sum() if weights is None else weights[wrong].sum()
    best = replace(search.tree_, feature_names=tree.feature_names)
    return OptimalityGap(float(errors) + lam * (tree.n_leaves - 1), best, search.certificate_)
