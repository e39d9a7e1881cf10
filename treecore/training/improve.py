"""`improve`: TAO from a tree that is there already, for one with fewer leaves and no greater error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import ParameterError
from treecore.foreign.fitted_tree import fitted_tree
from treecore.node_solvers import simplest_split
from treecore.training.estimators import ESTIMATORS
from treecore.training.messages import MESSAGES
from treecore.training.path import PathPoint, RegularizationPath, regularization_path
from treecore.training.reoptimise import repairing
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

LAMBDAS = 30


@dataclass(frozen=True, eq=False)
class Improved:
    """What `improve` has found.

    given : Tree, where TAO started; given_error : float, its error on the validation rows, as of a `PathPoint`;
    path : RegularizationPath that starts there; errors : float64[len], the same of its trees; index : int, where on it
    the best smaller tree is, or None.
    """

    given: Tree
    given_error: float
    path: RegularizationPath
    errors: np.ndarray
    index: int | None

    @property
    def point(self) -> PathPoint | None:
        """`PathPoint` of the best smaller tree, None where no tree is smaller."""
        return None if self.index is None else self.path[self.index]

    @property
    def is_better(self) -> bool:
        """Whether that tree errs no more on the validation rows than the given one."""
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
    """Train a path by TAO from a tree, from its own size downwards, and choose on it: of the trees with fewer leaves
    than the given one, the one with the smallest error on the validation rows (of equals, the fewest leaves).

    model : Tree, or a fitted model as `rules` takes it; X, y : training rows, and X_val, y_val : validation rows, as
    the model takes them, which it has best not seen: of rows that it was grown on its error says little; estimator :
    TAOClassifier or TAORegressor with the other parameters, None: decisions of as many features as the tree's; lams,
    on_point : as of `regularization_path`.

    Returns `Improved`. Raises ParameterError or DataError.
    """
    tree, features = fitted_tree(model)
    if estimator is None:
        widest = int(np.diff(tree.indptr).max(initial=0))
        estimator = ESTIMATORS[tree.target.loss](split=simplest_split(widest), random_state=0)
    X_val, labels, labels_val = features(X_val), np.asarray(y), np.asarray(y_val)
    if not len(labels_val):
        raise ParameterError(MESSAGES("improve.no_validation"))
    start, X, _ = repairing(tree, (), features(X), labels, estimator)
    path = regularization_path(start, X, labels, lams, X_val, labels_val, on_point)
    given_error = error_of(tree, X_val, labels_val)
    errors = np.array([error_of(point.tree, X_val, labels_val) for point in path])
    leaves = np.array([point.n_leaves for point in path])
    order = np.lexsort((leaves, errors))
    smaller = order[leaves[order] < tree.n_leaves]
    return Improved(tree, given_error, path, errors, int(smaller[0]) if smaller.size else None)
