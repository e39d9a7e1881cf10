"""`improve`: search for a smaller tree without a larger error, by TAO from a given tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import ParameterError
from treecore.foreign.fitted_tree import fitted_tree, loss_parameters
from treecore.node_solvers import simplest_split
from treecore.training.estimators import ESTIMATORS
from treecore.training.path import PathPoint, RegularizationPath, regularization_path
from treecore.training.reoptimise import repairing
from treecore.training.training_run import loss_of, mean_loss
from treecore.tree.category_columns import one_hot_groups
from treecore.tree.conditions import Columns
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

LAMBDAS = 30


@dataclass(frozen=True, eq=False)
class Improved:
    """Result of `improve`.

    Parameters
    ----------
    given : Tree
        Initial tree.
    given_error : float
        Validation error of the initial tree, as in `PathPoint`, or its `validation_loss` for a `LossPoint`.
    path : RegularizationPath
        Path that starts from the given tree.
    errors : float64 array
        Validation errors of the trees of the path.
    index : int or None
        Index of the best smaller tree on the path, None if no tree is smaller.

    See Also
    --------
    improve : Returns this result.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treecore import improve
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> found = improve(model, X[::2], y[::2], X[1::2], y[1::2], lams=5)
    >>> found.is_better, found.given.n_leaves, found.point.n_leaves
    (np.False_, 6, 3)
    """

    given: Tree
    given_error: float
    path: RegularizationPath
    errors: np.ndarray
    index: int | None

    @property
    def point(self) -> PathPoint | None:
        """`PathPoint` of the best smaller tree, or None if no tree is smaller."""
        return None if self.index is None else self.path[self.index]

    @property
    def is_better(self) -> bool:
        """Whether the validation error of the best smaller tree is at most that of the given tree."""
        return self.index is not None and self.errors[self.index] <= self.given_error


def improve(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    X_val: ArrayLike,
    y_val: ArrayLike,
    estimator: BaseEstimator | None = None,
    lams: Any = LAMBDAS,
    on_point: Callable | None = None,
) -> Improved:
    """Optimise a tree by TAO along a path and select a smaller tree.

    The path starts from the given tree and continues to smaller trees. Among the trees with fewer leaves than the given
    one, the tree with the smallest validation error is selected. In a tie, it is the one with the fewest leaves.

    Parameters
    ----------
    model : Tree or fitted model
        Tree, or a fitted estimator or pipeline (`fitted_tree`).
    X : array-like of shape (n, d)
        Training rows, in the form that the model accepts.
    y : array-like of shape (n,)
        Class labels or numbers.
    X_val : array-like
        Validation rows. The model should not have been trained on them, because its error would then be too low.
    y_val : array-like
        Class labels or numbers of the validation rows.
    estimator : TAOClassifier, TAORegressor or None, default=None
        Estimator with the training parameters. None uses the simplest split type that supports the splits of the tree.
        If a split is on several categories of a column, the estimator splits on groups of categories.
    lams : int, array-like of float or 'critical', default=30
        Values of lambda, as in `regularization_path`.
    on_point : callable or None, default=None
        Function of a `PathPoint`, as in `regularization_path`.

    Returns
    -------
    Improved
        The path and the selected tree.

    Raises
    ------
    DataError
        If the rows do not match the model.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    regularization_path : Trains a path from any initial tree.
    from_sklearn : Converts a scikit-learn tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treecore import improve
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> found = improve(model, X[::2], y[::2], X[1::2], y[1::2], lams=5)
    >>> found.point.tree.n_leaves < found.given.n_leaves
    True
    """
    tree, features = fitted_tree(model)
    X, X_val, labels, labels_val = features(X), features(X_val), np.asarray(y), np.asarray(y_val)
    estimator = _simplest(tree, X, model) if estimator is None else estimator
    if not len(labels_val):
        raise ParameterError("Validation rows are needed to select the better tree. Pass X_val and y_val.")
    start, X, _ = repairing(tree, (), X, labels, estimator)
    path = regularization_path(start, X, labels, lams, X_val, labels_val, on_point)
    named = tuple(replace(point, tree=point.tree.with_names(tree.feature_names)) for point in path.points)
    path = replace(path, points=named)
    classes = np.unique(labels) if tree.classes.size else tree.classes
    loss = loss_of(start, classes)
    given_error, *errors = (
        error_of(one, X_val, labels_val)
        if loss is None or loss.is_usual
        else mean_loss(loss, classes, one.predict(X_val), labels_val)[0]
        for one in (tree, *path.trees)
    )
    errors = np.array(errors)
    leaves = np.array([point.n_leaves for point in path])
    order = np.lexsort((leaves, errors))
    smaller = order[leaves[order] < tree.n_leaves]
    return Improved(tree, given_error, path, errors, int(smaller[0]) if smaller.size else None)


def _simplest(tree, X, model):
    """Return the unfitted estimator of the simplest type that supports the splits of a tree, with its loss.

    X : features of rows
    """
    columns = one_hot_groups(tree.feature_names, Columns(X)) if isinstance(X, np.ndarray) else []
    wide = np.diff(tree.indptr)
    n_columns = tree.columns_per_split(columns)
    categories = [list(column) for column in columns] if (wide > n_columns).any() else "features"
    widest = int((wide if categories == "features" else n_columns).max(initial=0))
    found = ESTIMATORS[tree.target.loss](split=simplest_split(widest), categories=categories, random_state=0)
    return found.set_params(**loss_parameters(model))
