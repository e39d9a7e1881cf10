"""The scikit-learn face of the engine."""

import numbers
from contextlib import contextmanager

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,  # documented for third-party estimators, in spite of its name
    check_is_fitted,
    validate_data,
)

from treecore.data import LARGEST, TrainingData
from treecore.errors import DataError, ParameterError, TreecoreError
from treecore.initial import initial_tree
from treecore.initial.random import MAX_FEATURES
from treecore.node_solvers import make_solver
from treecore.prune import prune
from treecore.tao import AlternatingOptimization
from treecore.tree import Tree
from treecore.working_tree import WorkingTree

MOST_FEATURES = {"univariate": 1, "bivariate": 2}  # of a decision; no limit for other splits


class TAOClassifier(ClassifierMixin, BaseEstimator):
    """Classification tree trained by Tree Alternating Optimization (file 000).

    Parameters
    ----------
    split : "oblique" | "bivariate" | "univariate", form of the decision nodes (file 003 for bivariate ones)
    lam : float >= 0, lambda of the objective ``0/1 loss + lam * penalty``; for oblique nodes 1/C of LIBLINEAR
    bivariate_cost : float >= 1, C of file 003: cost of a bivariate node, where a univariate one costs 1
    init : "random" | "cart" | "bivariate_cart" | Tree (warm start), the initial tree
    max_depth : int >= 1 or None, of the initial tree; None = 8 for "random", fully grown for the CARTs
    max_iter : int >= 0, passes over the tree
    tol : float >= 0, stop when a pass lowers the best objective by less than this share
    node_solver : "auto" | "cd" (ours) | "liblinear", of oblique nodes
    surrogate : "logistic" | "squared_hinge", of the 0/1 loss in oblique nodes
    n_orientations : int >= 1, H of file 003: directions of a line that the bivariate searches look at
    scale : "standard" | "minmax" | None, feature scaling that the penalty sees; `tree_` is in raw units
    frozen : origin ids of nodes that are kept as they are (with ``init=Tree``)
    class_weight : None | "balanced" | dict of class label to weight
    n_jobs : threads; None = all cores
    random_state : int, RandomState or None, of the initial tree
    callback : function of a `treecore.tao.Step`, called after each depth level; a true return value stops the fit

    Attributes
    ----------
    tree_ : Tree; trace_ : list of `IterationRecord`, one per pass; initial_ : IterationRecord of the initial tree;
    n_iter_ : int; classes_ ; n_features_in_ ; feature_names_in_ (for DataFrames with string column names)
    """

    def __init__(
        self,
        split="oblique",
        lam=1.0,
        bivariate_cost=1.25,
        init="random",
        max_depth=None,
        max_iter=20,
        tol=0.0,
        node_solver="auto",
        surrogate="logistic",
        n_orientations=60,
        scale="standard",
        frozen=(),
        class_weight=None,
        n_jobs=None,
        random_state=None,
        callback=None,
    ):
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

    def fit(self, X, y, sample_weight=None):
        """Train on `X` ([n, d], array or CSR; uint8, float32 and float64 are used as they are) and labels `y` [n].

        sample_weight : float[n] >= 0. Raises DataError or ParameterError (both ValueErrors).
        """
        run = TrainingRun(self, X, y, sample_weight)
        run.optimise(self.lam, self.callback)
        self.tree_ = run.tree()
        self.initial_, *self.trace_ = run.trace
        self.n_iter_ = len(self.trace_)
        return self

    def predict(self, X):
        """Class label of each row of `X` ([n, d])."""
        X = self._check(X)
        return self.tree_.predict(X, self.n_jobs)

    def predict_proba(self, X):
        """float64[n, k]: class shares of the training points in the leaf of each row."""
        X = self._check(X)
        return self.tree_.predict_proba(X, self.n_jobs)

    def apply(self, X):
        """int32[n]: leaf of each row of `X`."""
        X = self._check(X)
        return self.tree_.apply(X, self.n_jobs)

    def _check(self, X):
        check_is_fitted(self)
        return _validated(self, X, reset=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.split == "oblique"
        return tags


class TrainingRun:
    """Validated data and a working tree of one estimator, to be optimised for one value of lambda after another."""

    def __init__(self, estimator, X, y, sample_weight=None):
        _check_parameters(estimator)
        self.estimator = estimator
        X, y = _validated(estimator, X, y=y, reset=True)
        if X.dtype.kind not in "buif":
            raise DataError(f"X has dtype {X.dtype}; give numbers (encode text, categories and dates first).")
        with _typed(DataError):
            check_classification_targets(y)
            estimator.classes_, codes = np.unique(y, return_inverse=True)
        weights = _weights(estimator, X, y, sample_weight)
        self.data = TrainingData(X, codes, estimator.classes_.size, weights, estimator.scale)
        self.solver = make_solver(
            self.data, estimator.split, estimator.node_solver, estimator.surrogate, estimator.bivariate_cost,
            estimator.n_orientations,
        )  # fmt: skip
        self.working = self._initial_tree()
        self._comparable = isinstance(estimator.init, Tree)  # its weights come from a solver, not from chance
        self.trace = []

    def optimise(self, lam, callback=None, max_iter=None, tol=None):
        """Run TAO from the present tree. Returns whether `callback` asked to stop."""
        e = self.estimator
        run = AlternatingOptimization(
            self.data, self.working, self.solver, lam, e.max_iter if max_iter is None else max_iter,
            e.tol if tol is None else tol, e.frozen, self.solver.monotone or self._comparable, e.n_jobs,
        )  # fmt: skip
        self.trace = run.trace
        stopped = False
        for step in run.steps():
            if callback is not None and callback(step):
                stopped = True
                break
        run.finish()
        self._statistics = run.leaf_statistics()
        return stopped

    def tree(self):
        """The present tree, pruned."""
        e = self.estimator
        names = getattr(e, "feature_names_in_", None)
        tree = self.working.to_tree(*self._statistics, e.classes_, self.data.n_features, names, frozen=e.frozen)
        return prune(tree, keep=e.frozen)

    def continue_from(self, tree):
        """Make `tree` (a Tree of this run) the present one."""
        self.working = WorkingTree.from_tree(tree, self.solver.penalty)
        self._comparable = True

    def _initial_tree(self):
        e = self.estimator
        if not isinstance(e.init, Tree):
            if len(e.frozen):
                raise ParameterError(f"frozen={e.frozen!r} needs init=Tree: only nodes of a given tree can be kept.")
            with _typed(ParameterError):
                rng = check_random_state(e.random_state)
            most = MOST_FEATURES.get(e.split, MAX_FEATURES)
            return initial_tree(e.init, self.data, e.max_depth, rng, most, e.n_orientations, e.n_jobs)
        tree = e.init
        if tree.n_features != self.data.n_features:
            raise ParameterError(
                f"init is a tree over {tree.n_features} features, but X has {self.data.n_features}; "
                "start from a tree of the same data."
            )
        if not np.array_equal(tree.classes, e.classes_):
            raise ParameterError(f"init is a tree over the classes {tree.classes}, but y has {e.classes_}.")
        unknown = sorted(set(map(int, e.frozen)) - set(tree.origin.tolist()))
        if unknown:
            raise ParameterError(f"frozen names the nodes {unknown}, which the initial tree does not have.")
        most = MOST_FEATURES.get(e.split, tree.n_features)
        many = np.diff(tree.indptr)[~np.isin(tree.origin, list(e.frozen))] > most
        if many.any():
            raise ParameterError(
                f"init has decisions on more than {most} feature(s), which split={e.split!r} cannot improve: "
                "use split='oblique', or freeze those nodes."
            )
        constant = tree.features[self.data.inverse_scale[tree.features] == 0]
        if constant.size and not len(e.frozen) == tree.n_nodes:
            raise DataError(
                f"The initial tree uses the feature(s) {sorted(set(constant.tolist()))}, which are constant in X; "
                "start from another tree or use the data that it was trained on."
            )
        return WorkingTree.from_tree(tree, self.solver.penalty)


def _validated(estimator, X, y=None, reset=True):
    """scikit-learn's validation, with the message in a DataError; dtypes are kept."""
    settings = {"accept_sparse": "csr", "dtype": "numeric", "reset": reset}
    with _typed(DataError):
        if y is None and not reset:
            return validate_data(estimator, X, **settings)
        return validate_data(estimator, X, y, multi_output=False, **settings)


@contextmanager
def _typed(kind):
    """scikit-learn's ValueErrors as our own kind, with their message."""
    try:
        yield
    except TreecoreError:
        raise
    except ValueError as error:
        raise kind(str(error)) from None


def _weights(estimator, X, y, sample_weight):
    """float64[n], sample weights times class weights, or None when neither is given."""
    weights = None
    if sample_weight is not None:
        with _typed(DataError):
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    balance = estimator.class_weight
    if balance is None:
        return _bounded(weights)
    if isinstance(balance, dict):
        for label, value in balance.items():
            _number(value, f"class_weight[{label!r}]", 0.0)
    elif balance != "balanced":
        raise ParameterError(f"class_weight={balance!r}: use None, 'balanced' or a dict of class label to weight.")
    with _typed(ParameterError):
        balance = compute_sample_weight(balance, y)
    return _bounded(balance if weights is None else weights * balance)


def _bounded(weights):
    if weights is not None and weights.size and weights.max() > LARGEST:
        raise DataError(f"A sample or class weight is {weights.max():g}; use weights up to {LARGEST:g}.")
    return weights


def _check_parameters(e):
    _number(e.lam, "lam", 0.0, LARGEST)
    _number(e.tol, "tol", 0.0)
    _number(e.bivariate_cost, "bivariate_cost", 1.0)
    _whole(e.max_iter, "max_iter", 0)
    _whole(e.n_orientations, "n_orientations", 1)
    if e.max_depth is not None:
        _whole(e.max_depth, "max_depth", 1)
    listed = isinstance(e.frozen, list | tuple | set | frozenset | range | np.ndarray)
    if not listed or not all(isinstance(node, numbers.Integral) for node in e.frozen):
        raise ParameterError(f"frozen={e.frozen!r}: give a list of origin ids (whole numbers).")


def _number(value, name, least, most=np.inf):
    fine = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(value)
    if not fine or not least <= value <= most:
        limit = f" and <= {most:g}" if most < np.inf else ""
        raise ParameterError(f"{name}={value!r}: use a finite number >= {least:g}{limit}.")


def _whole(value, name, least):
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name}={value!r}: use a whole number >= {least}.")
