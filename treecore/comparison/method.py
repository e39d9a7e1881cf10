"""Methods of a comparison, each with its grid of settings."""

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import ParameterGrid

from treecore.comparison.folds import has_missing, inner_folds
from treecore.data.dependence import Dependence
from treecore.data.feature_encoder import FeatureEncoder
from treecore.initial import INITIAL_TREES
from treecore.node_solvers import SPLITS
from treecore.training.path import regularization_path
from treecore.tree.target import Target

ALPHAS = np.geomspace(1e-5, 0.5, 30)  # penalties of the compared subtrees of CART, as shares of the rows
POWERS = "n_candidate_features"
UNUSED = {"model__n_jobs"}  # scikit-learn 1.8 warns if LogisticRegression gets n_jobs
FEW = 8  # fewest rows left after two halvings, with a safety factor of 2


class Fitted(NamedTuple):
    """Trained model (an estimator or a Tree) with the text of its setting and its penalty, if any.

    Models of one `group` differ only in their penalty. seconds : training time, including that of the initial tree;
    is_start : whether the model is the initial tree of its group.
    """

    model: object
    setting: str = ""
    lam: float | None = None
    group: int = 0
    seconds: float = 0.0
    is_start: bool = False


@dataclass(frozen=True)
class Method:
    """Estimator that is trained once for every setting of a grid.

    Parameters
    ----------
    name : str
        Key of the method.
    title : str
        Displayed name.
    estimator : estimator
        Unfitted estimator.
    grid : dict, default={}
        Values of each parameter.
    share : float, default=1.0
        Share of the training rows that the method uses.

    See Also
    --------
    PathMethod : Trains a regularisation path for every setting.
    compare : Compares methods.

    Examples
    --------
    >>> from treecore import C50Classifier
    >>> from treecore.comparison import Method
    >>> method = Method("c50", "C5.0", C50Classifier(), {"confidence": [0.1, 0.25]})
    >>> method.settings()
    [{'confidence': 0.1}, {'confidence': 0.25}]
    """

    name: str
    title: str
    estimator: BaseEstimator
    grid: dict = field(default_factory=dict)
    share: float = field(default=1.0, kw_only=True)

    @property
    def needs_validation(self) -> bool:
        """Whether a setting must be selected."""
        return len(ParameterGrid(self.grid)) > 1

    @property
    def takes_missing(self) -> bool:
        """Whether the split type of the method supports missing values."""
        return getattr(self.estimator, "split", None) not in SPLITS or SPLITS[self.estimator.split].takes_missing

    def settings(self) -> list:
        """Return the grid as a list of dicts, in the order in which `fitted` trains it."""
        return list(ParameterGrid(self.grid))

    def for_rows(self, X: np.ndarray) -> Self:
        """Return the method with parameters that suit the rows `X`.

        If `X` has missing values, an estimator that supports them learns from them and uses only initial trees that
        support them. The number of nearest neighbours is limited to the rows of an inner fold. The grid for numbers of
        candidate features contains powers of the number of features.
        """
        method = self
        most = max(1, len(X) // FEW)
        grid = {
            name: [value for value in values if value <= most] if name.endswith("n_neighbors") else values
            for name, values in self.grid.items()
        }
        if POWERS in grid:
            grid[POWERS] = sorted({max(1, round(np.shape(X)[1] ** power)) for power in grid[POWERS]})
        if has_missing(X) and "missing" in self.estimator.get_params(deep=False):
            method = replace(self, estimator=clone(self.estimator).set_params(missing="learn"))
            if "init" in grid:
                grid["init"] = [name for name in grid["init"] if INITIAL_TREES[name].takes_missing]
        return replace(method, grid=grid)

    def with_categories(self, categories: str | Sequence[Sequence[int]]) -> Self:
        """Return the method with a treatment of categories, as in `TAOClassifier`, if its splits support it."""
        split = getattr(self.estimator, "split", None)
        if "categories" not in self.estimator.get_params(deep=False) or (
            split in SPLITS and not SPLITS[split].is_exact
        ):
            return self
        return replace(self, estimator=clone(self.estimator).set_params(categories=categories))

    def rows_of(self, train: np.ndarray, strata: np.ndarray, seed: int) -> np.ndarray:
        """Return the method's share of the row numbers `train`, stratified by `strata` (int[len(train)])."""
        if self.share >= 1.0:
            return train
        order = np.random.default_rng(seed).permutation(train.size)
        order = order[np.argsort(strata[order], kind="stable")]
        count = max(1, round(self.share * train.size))
        return np.sort(train[order[((np.arange(count) + 0.5) * train.size / count).astype(np.int64)]])

    def for_pixels(self) -> Self:
        """Return the method without feature scaling, for images, whose pixels all have the same scale."""
        known = self.estimator.get_params()
        changes = {"scale": "minmax"} if "scale" in known else {}
        changes |= {"scaling": "passthrough"} if "scaling" in known else {}
        return replace(self, estimator=clone(self.estimator).set_params(**changes))

    def fitted(self, X: np.ndarray, y: np.ndarray, seed: int) -> list:
        """Return the `Fitted` models, one per setting, in an order that does not depend on the data."""
        trained = []
        for setting in self.settings():
            began = time.perf_counter()
            model = self._unfitted(seed, setting).fit(X, y)
            trained.append(Fitted(model, _words(setting), seconds=time.perf_counter() - began))
        return trained

    def respecting(self, dependence: Dependence, y: np.ndarray, seed: int, target: Target) -> Self:
        """Return the method adapted to dependent training rows. y, seed, target : as in `along`."""
        return self

    def along(self, fitted: Sequence[Fitted], X: np.ndarray, y: np.ndarray, seed: int, target: Target) -> list:
        """Return further `Fitted` models for the curve of the method, which are never selected.

        X, y, seed : as in `fitted`; y contains labels of the `Target`.
        """
        return []

    def _unfitted(self, seed, setting):
        model = clone(self.estimator).set_params(**setting)
        fixed = {"random_state": seed, "n_jobs": 1}
        known = model.get_params().keys() - UNUSED  # includes parameters of pipeline steps
        return model.set_params(**{name: fixed[last] for name in known if (last := name.split("__")[-1]) in fixed})


@dataclass(frozen=True)
class PathMethod(Method):
    """TAO estimator that is trained along a regularisation path for every setting of a grid.

    Parameters
    ----------
    name : str
        Key of the method.
    title : str
        Displayed name.
    estimator : estimator
        Unfitted TAO estimator.
    grid : dict, default={}
        Values of each parameter.
    n_lambdas : int, default=20
        Number of trees on a path.
    share : float, default=1.0
        Share of the training rows that the method uses.

    See Also
    --------
    Method : Trains one model for every setting.

    Examples
    --------
    >>> from treecore import TAOClassifier
    >>> from treecore.comparison import PathMethod
    >>> method = PathMethod("tao", "TAO", TAOClassifier(split="univariate", init="cart"), n_lambdas=5)
    >>> method.needs_validation
    True
    """

    n_lambdas: int = 20

    @property
    def needs_validation(self) -> bool:
        """Always True, because lambda has to be selected."""
        return True

    def fitted(self, X: np.ndarray, y: np.ndarray, seed: int) -> list:
        """Return the `Fitted` models, one per setting and lambda of the path, smallest lambda first."""
        trained = []
        for group, setting in enumerate(self.settings()):
            began = time.perf_counter()
            estimator = self._unfitted(seed, setting)
            path = regularization_path(estimator, X, y, self.n_lambdas)
            seconds = time.perf_counter() - began
            for point, model in zip(path.points, _models(estimator, path.trees, X, y), strict=True):
                words = _words({**setting, "lam": point.lam})
                trained.append(Fitted(model, words, point.lam, group, seconds))
        return trained

    def along(self, fitted: Sequence[Fitted], X: np.ndarray, y: np.ndarray, seed: int, target: Target) -> list:
        """Return the initial trees, except random ones."""
        starts = []
        for group, setting in enumerate(self.settings()):
            estimator = self._unfitted(seed, setting).set_params(max_iter=0)
            if estimator.init in INITIAL_TREES and estimator.init != "random":
                others = {name: value for name, value in setting.items() if name != "init"}
                words = ", ".join(filter(None, [f"start: {INITIAL_TREES[estimator.init].words}", _words(others)]))
                starts.append(Fitted(estimator.fit(X, y), words, None, group, is_start=True))
        return starts


@dataclass(frozen=True)
class PrunedMethod(Method):
    """CART, which selects its own subtree. Its curve consists of the subtrees of the cost-complexity sequence."""

    def respecting(self, dependence: Dependence, y: np.ndarray, seed: int, target: Target) -> Self:
        """Return the method with pruning folds that keep groups together or follow time."""
        if not dependence.is_known or not isinstance(self.estimator.cv, int):
            return self
        folds = [tuple(fold) for fold in inner_folds(y, self.estimator.cv, seed, target, dependence)]
        return replace(self, estimator=clone(self.estimator).set_params(cv=folds))

    def along(self, fitted: Sequence[Fitted], X: np.ndarray, y: np.ndarray, seed: int, target: Target) -> list:
        """Return subtrees of the fully grown tree, for alphas that are the same for all data sets."""
        alphas = ALPHAS * target.loss_unit
        lams = alphas * len(y)
        models = [_with_tree(fitted[0].model, tree) for tree in fitted[0].model.subtrees(alphas)]
        return [Fitted(model, _words({"lam": lam}), float(lam)) for model, lam in zip(models, lams, strict=True)]


def _models(estimator, trees, X, y):
    """Return models that predict rows such as X: trees for arrays, estimators with an encoder for a DataFrame."""
    if not hasattr(X, "iloc"):
        return trees
    shell = clone(estimator)
    shell.encoder_ = FeatureEncoder(shell.missing == "learn")
    shell.encoder_.fit(shell, X, y)
    if hasattr(shell, "predict_proba"):
        shell.classes_ = np.unique(y)
    return [_with_tree(shell, tree) for tree in trees]


def _with_tree(model, tree):
    other = copy.copy(model)
    other.tree_ = tree
    return other


def _words(setting):
    return ", ".join(
        f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in setting.items()
    )
