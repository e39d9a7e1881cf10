"""The scikit-learn face of the engine."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from treecore.node_solvers import SPLITS
from treecore.training.single_tree import SingleTree
from treecore.training.training_run import TrainingRun
from treecore.tree.tree import Tree


class _TAOEstimator(SingleTree, BaseEstimator):
    """What both estimators share; `fit` leaves `tree_`, `trace_`, `initial_` and `n_iter_`."""

    def fit(self, X, y, sample_weight=None):
        """Train on `X` ([n, d], array, DataFrame or CSR; uint8, float32 and float64 are used as they are) and `y` [n].

        sample_weight : float[n] >= 0. Raises DataError or ParameterError (both ValueErrors).
        """
        TrainingRun(self, X, y, sample_weight).fit()
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.split in [name for name, kind in SPLITS.items() if kind.takes_sparse]
        tags.input_tags.allow_nan = self.missing == "learn"
        return tags


class TAOClassifier(ClassifierMixin, _TAOEstimator):
    """Classification tree trained by Tree Alternating Optimization (Carreira-Perpiñán and Tavallali 2018).

    Text and categories in a DataFrame (pandas or polars) become one 0/1 feature for each value, ordered
    categories one feature (`FeatureEncoder`).

    Parameters
    ----------
    split : "oblique" | "bivariate" | "univariate", form of the decision nodes
    lam : float >= 0, lambda of the objective ``0/1 loss + lam * penalty``; for oblique nodes 1/C of LIBLINEAR
    bivariate_cost : float >= 1, C of the paper: cost of a bivariate node, where a univariate one costs 1
    init : "random" | "cart" | "bivariate_cart" | "oblique_cart" (with split="oblique", dense data) | Tree (warm start),
        the initial tree
    max_depth : int >= 1 or None, of the initial tree; None = 8 for "random", fully grown for the CARTs
    max_iter : int >= 0, passes over the tree
    tol : float >= 0, stop when a pass lowers the best objective by less than this share
    node_solver : "auto" | "cd" (ours) | "liblinear" | "liblinear-official" | "liblinear-scikit-learn", of oblique
        nodes; "liblinear": the package liblinear-official where it is installed, else scikit-learn's copy, which also
        solves all nodes whose rows weigh differently (`trace_` says which did)
    surrogate : "logistic" | "squared_hinge", of the 0/1 loss in oblique nodes
    n_orientations : int >= 1, H of the paper: directions of a line that the bivariate searches look at
    exactness : "auto" | "screened" | "exact", of the line of a bivariate node: the exact optimum of the best pairs of
        features in small nodes, nowhere, or of all pairs in all nodes (slow: time grows with the square of the rows).
        With more than 1,000 features, pairs are made of the 96 that have the best thresholds in the node
    scale : "standard" | "minmax" | None, feature scaling that the penalty sees; `tree_` is in raw units
    frozen : origin ids of nodes that are kept as they are (with ``init=Tree``)
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : threads; None = all cores
    random_state : int, RandomState or None, of the initial tree
    missing : "error" | "learn"; "learn" lets NaN in, and univariate and bivariate nodes send it where it loses less
    refine : int >= 0, sweeps of `treecore.training.regrow` after TAO (with split="bivariate" or "univariate"): subtrees
        are grown anew, and kept where the objective falls; smaller trees for several times the time. A path does none
    node_tol : float in [1e-12, 1] or None, a solver of oblique nodes stops when a step lowers the node's own objective
        (surrogate loss plus penalty) by less than this share; None = 1e-6 for up to 200,000 numbers (rows times
        features) and 3e-4 for more (LIBLINEAR: its own, 0.01)
    max_inner : int >= 1 or None, Newton steps that the own solver may take for an oblique node; None = 1000 for up to
        200,000 numbers and 60 for more. `trace_` counts the nodes that did not converge (`n_unconverged`)
    leaf : "constant" | "linear"; linear leaves are sparse linear models (classes: l1-regularised softmax regression,
        numbers: l1-regularised least squares), trained in the same loop on ``log loss (or squared errors) + lam * (the
        decisions' penalty + l1 norms, on scaled features, of what the weights of a leaf differ by from those that it
        shares with others, see `LinearLeafStep`)``; few levels suffice then (max_depth)
    callback : function of a `treecore.training.tao.TrainingStep`, called after each depth level; a true value stops
    the fit

    Attributes
    ----------
    tree_ : Tree; trace_ : list of `IterationRecord`, one per pass; initial_ : IterationRecord of the initial tree;
    n_iter_ : int; encoder_ : FeatureEncoder; classes_ ; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    def __init__(
        self,
        split: str = "oblique",
        lam: float = 1.0,
        bivariate_cost: float = 1.25,
        init: str | Tree = "random",
        max_depth: int | None = None,
        max_iter: int = 20,
        tol: float = 0.0,
        node_solver: str = "auto",
        surrogate: str = "logistic",
        n_orientations: int = 60,
        scale: str | None = "standard",
        frozen: Sequence[int] = (),
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        callback: Callable | None = None,
        missing: str = "error",
        exactness: str = "auto",
        refine: int = 0,
        leaf: str = "constant",
        node_tol: float | None = None,
        max_inner: int | None = None,
    ) -> None:
        self.split = split
        self.lam = lam
        self.bivariate_cost = bivariate_cost
        self.init = init
        self.max_depth = max_depth
        self.max_iter = max_iter
        self.tol = tol
        self.node_solver = node_solver
        self.surrogate = surrogate
        self.n_orientations = n_orientations
        self.scale = scale
        self.frozen = frozen
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback
        self.missing = missing
        self.exactness = exactness
        self.refine = refine
        self.leaf = leaf
        self.node_tol = node_tol
        self.max_inner = max_inner

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """float64[n, k]: class shares of the training points in the leaf of each row, or what its model says."""
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)


class TAORegressor(RegressorMixin, _TAOEstimator):
    """Regression tree trained by Tree Alternating Optimization (Kairgeldin and Carreira-Perpiñán 2024, A.3.1).

    Text and categories in a DataFrame (pandas or polars) become one 0/1 feature for each value, ordered
    categories one feature (`FeatureEncoder`).

    Parameters
    ----------
    split : "oblique" | "bivariate" | "univariate", form of the decision nodes
    lam : float >= 0, lambda of the objective ``sum of squared errors + lam * penalty``
    bivariate_cost : float >= 1, C of the paper: cost of a bivariate node, where a univariate one costs 1
    init : "random" | "cart" | "bivariate_cart" | "oblique_cart" (with split="oblique", dense data) | Tree (warm start),
        the initial tree
    max_depth : int >= 1 or None, of the initial tree; None = 8 for "random", fully grown for the CARTs
    max_iter : int >= 0, passes over the tree
    tol : float >= 0, stop when a pass lowers the best objective by less than this share
    node_solver : "auto" | "cd" (ours) | "liblinear" | "liblinear-official" | "liblinear-scikit-learn", of oblique
        nodes; "liblinear": the package liblinear-official where it is installed, else scikit-learn's copy, which also
        solves all nodes whose rows weigh differently (`trace_` says which did)
    surrogate : "logistic" | "squared_hinge", of the weighted 0/1 loss in oblique nodes
    n_orientations : int >= 1, H of the paper: directions of a line that the bivariate search looks at
    exactness : "auto" | "screened" | "exact", of the line of a bivariate node: the exact optimum of the best pairs of
        features in small nodes, nowhere, or of all pairs in all nodes (slow: time grows with the square of the rows).
        With more than 1,000 features, pairs are made of the 96 that have the best thresholds in the node
    scale : "standard" | "minmax" | None, feature scaling that the penalty sees; `tree_` is in raw units
    frozen : origin ids of nodes that are kept as they are (with ``init=Tree``)
    n_jobs : threads; None = all cores
    random_state : int, RandomState or None, of the initial tree
    missing : "error" | "learn"; "learn" lets NaN in, and univariate and bivariate nodes send it where it loses less
    refine : int >= 0, sweeps of `treecore.training.regrow` after TAO (with split="bivariate" or "univariate"): subtrees
        are grown anew, and kept where the objective falls; smaller trees for several times the time. A path does none
    shrinkage : float >= 0, by how much leaves of few rows predict what is known above them (`shrunk`: hierarchical
        shrinkage after training; 1 to 30 lowers the error of large trees), 0: their means
    node_tol : float in [1e-12, 1] or None, a solver of oblique nodes stops when a step lowers the node's own objective
        (surrogate loss plus penalty) by less than this share; None = 1e-6 for up to 200,000 numbers (rows times
        features) and 3e-4 for more (LIBLINEAR: its own, 0.01)
    max_inner : int >= 1 or None, Newton steps that the own solver may take for an oblique node; None = 1000 for up to
        200,000 numbers and 60 for more. `trace_` counts the nodes that did not converge (`n_unconverged`)
    leaf : "constant" | "linear"; linear leaves are sparse linear models (classes: l1-regularised softmax regression,
        numbers: l1-regularised least squares), trained in the same loop on ``log loss (or squared errors) + lam * (the
        decisions' penalty + l1 norms, on scaled features, of what the weights of a leaf differ by from those that it
        shares with others, see `LinearLeafStep`)``; few levels suffice then (max_depth)
    callback : function of a `treecore.training.tao.TrainingStep`, called after each depth level; a true value stops
    the fit

    Attributes
    ----------
    tree_ : Tree; trace_ : list of `IterationRecord`, one per pass; initial_ : IterationRecord of the initial tree;
    n_iter_ : int; encoder_ : FeatureEncoder; n_features_in_ ;
    feature_names_in_ (for DataFrames with string column names)
    """

    def __init__(
        self,
        split: str = "oblique",
        lam: float = 1.0,
        bivariate_cost: float = 1.25,
        init: str | Tree = "random",
        max_depth: int | None = None,
        max_iter: int = 20,
        tol: float = 0.0,
        node_solver: str = "auto",
        surrogate: str = "logistic",
        n_orientations: int = 60,
        scale: str | None = "standard",
        frozen: Sequence[int] = (),
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        callback: Callable | None = None,
        missing: str = "error",
        exactness: str = "auto",
        refine: int = 0,
        shrinkage: float = 0.0,
        leaf: str = "constant",
        node_tol: float | None = None,
        max_inner: int | None = None,
    ) -> None:
        self.split = split
        self.lam = lam
        self.bivariate_cost = bivariate_cost
        self.init = init
        self.max_depth = max_depth
        self.max_iter = max_iter
        self.tol = tol
        self.node_solver = node_solver
        self.surrogate = surrogate
        self.n_orientations = n_orientations
        self.scale = scale
        self.frozen = frozen
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback
        self.missing = missing
        self.exactness = exactness
        self.refine = refine
        self.shrinkage = shrinkage
        self.leaf = leaf
        self.node_tol = node_tol
        self.max_inner = max_inner


ESTIMATORS = {"unequal": TAOClassifier, "squared": TAORegressor}  # by the loss of the target
