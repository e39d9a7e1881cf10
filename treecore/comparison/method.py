"""A method of the comparison: what it trains, for which settings."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import ParameterGrid

from treecore.path import regularization_path

ALPHAS = np.geomspace(1e-4, 0.5, 24)  # of the subtrees of CART that a comparison shows, as shares of the rows


class Fitted(NamedTuple):
    """A trained model (an estimator, or a Tree), in words what its setting was, and its penalty where it has one.

    Models of one `group` differ in their penalty alone.
    """

    model: object
    setting: str = ""
    lam: float | None = None
    group: int = 0


@dataclass(frozen=True)
class Method:
    """An estimator, trained once for every setting of a grid.

    name : key; title : words for a person; estimator : unfitted; grid : dict of parameter to values
    """

    name: str
    title: str
    estimator: BaseEstimator
    grid: dict = field(default_factory=dict)

    @property
    def needs_validation(self):
        """Whether there is a setting to choose."""
        return len(ParameterGrid(self.grid)) > 1

    def settings(self):
        """List of dicts: the grid, in the order in which `fitted` trains it."""
        return list(ParameterGrid(self.grid))

    def fitted(self, X, y, seed):
        """List of `Fitted`, one per setting, in an order that does not depend on the data."""
        return [Fitted(self._unfitted(X, seed, setting).fit(X, y), _words(setting)) for setting in self.settings()]

    def along(self, fitted, X, y):
        """More `Fitted` that belong to the curve of the method, though it would never choose them."""
        return []

    def _unfitted(self, X, seed, setting):
        model = clone(self.estimator).set_params(**setting)
        known = model.get_params(deep=False)
        fixed = {"random_state": seed, "n_jobs": 1}
        if "missing" in known and np.isnan(np.asarray(X, np.float64)).any():
            fixed["missing"] = "learn"
        return model.set_params(**{name: value for name, value in fixed.items() if name in known})


@dataclass(frozen=True)
class PathMethod(Method):
    """A TAO estimator: for every setting of the grid a regularisation path of `n_lambdas` trees."""

    n_lambdas: int = 20

    @property
    def needs_validation(self):
        """Always: lambda."""
        return True

    def fitted(self, X, y, seed):
        """List of `Fitted`, one per setting and lambda (of the path's own grid), smallest lambda first."""
        trained = []
        for group, setting in enumerate(self.settings()):
            path = regularization_path(self._unfitted(X, seed, setting), X, y, self.n_lambdas)
            trained += [Fitted(point.tree, _words({**setting, "lam": point.lam}), point.lam, group) for point in path]
        return trained


@dataclass(frozen=True)
class PrunedMethod(Method):
    """CART, which chooses its subtree by itself; the others of the cost-complexity sequence are its curve."""

    def along(self, fitted, X, y):
        """Subtrees of the fully grown tree at the same alphas for any data."""
        lams = ALPHAS * len(y)
        trees = fitted[0].model.subtrees(ALPHAS)
        return [Fitted(tree, _words({"lam": lam}), float(lam)) for tree, lam in zip(trees, lams, strict=True)]


def _words(setting):
    return ", ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
                     for name, value in setting.items())  # fmt: skip
