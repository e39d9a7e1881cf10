"""TAO estimators that select lambda or the size, C and the initial tree by cross-validation (like `LassoCV`)."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.parallel import Parallel, delayed

from treecore.constraints.constraints import refuse_together
from treecore.data.category_groups import category_columns
from treecore.data.costs import cost_table
from treecore.data.dependence import dependence_of
from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.losses import Loss
from treecore.data.training_data import LARGEST
from treecore.declarations import Choice, Special
from treecore.errors import DataError, ParameterError
from treecore.initial import INITIAL_TREES
from treecore.messages import counted, literal
from treecore.node_solvers import SPLITS
from treecore.parameter_checks import check_choice, check_number, check_whole, random_numbers, typed
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.parameter_kinds import AUTO
from treecore.training.parameters import described, parameter
from treecore.training.path import PathRun, regularization_path
from treecore.training.single_tree import SingleTree, TreeClassifierMixin
from treecore.training.size_path import SizePathRun, size_path
from treecore.training.training_run import class_weights, row_weights, shrunk, unfitted
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.metrics import mean_and_spread
from treecore.tree.tree import Tree

RULES = ("min", "one_se")
NO_NODES = np.empty(0, np.int64)
EQUAL = 9  # number of decimals when errors are compared
FOLDS = 5
LAMBDAS = 30  # default number of values of lambda


@dataclass(eq=False, repr=False)
class ChoiceParameters:
    """Parameters of both estimators."""

    estimator: BaseEstimator | None = parameter(
        None,
        Special("TAOClassifier, TAORegressor"),
        doc="Estimator with all other parameters, which stays unfitted. None uses the defaults.",
    )
    lams: int | Sequence[float] = parameter(
        LAMBDAS,
        Special("int, or array-like of float"),
        doc="Number of values of lambda (a geometric grid that ends at a single leaf), or the values for training on "
        "all rows. For a fold, the values are multiplied by its share of the total weight, because the loss is a sum.",
    )
    sizes: Sequence[int] | None = parameter(
        None,
        Special("iterable of int"),
        doc="Numbers of leaves, as in `size_path`, to select the size instead of lambda. None selects lambda.",
    )
    costs: Sequence[float] | None = parameter(
        None,
        Special("array-like of float >= 1"),
        doc='Values of C (for split="bivariate"). None uses the value of the estimator.',
    )
    _: KW_ONLY
    inits: Sequence[str | Tree] | None = parameter(
        None,
        Special("list of str or Tree"),
        doc="Initial trees, as in `init` of the estimator. None uses the initial tree of the estimator. If a `Tree` "
        "was grown on all rows, the errors on held-out rows are too low.",
    )
    cv: Any = parameter(
        None,
        Special("int, splitter, iterable"),
        doc="None uses 5 folds, or as many as the rarest class has rows (at least 2). A number >= 2 uses shuffled "
        "folds, stratified by class. If `fit` receives groups, each group is in one fold. Also supported: a splitter "
        "of scikit-learn such as GroupKFold or TimeSeriesSplit, or pairs of row numbers.",
    )
    rule: str = parameter(
        "min",
        Choice(words={name: name for name in RULES}),
        doc='"min" selects the smallest mean error and, in a tie, the fewest leaves. "one_se" selects the fewest '
        "leaves with a mean error within one standard error of that.",
    )
    n_jobs: int | None = parameter(
        None,
        Special("int"),
        doc="Number of processes, as in joblib. None uses one process with the threads of the estimator.",
    )
    random_state: int | np.random.RandomState | np.random.Generator | None = parameter(
        None,
        Special("int, RandomState, Generator"),
        doc="Seed of the folds and of the initial trees. None uses the seed of the estimator.",
    )


class _TAOEstimatorCV(SingleTree, MetaEstimatorMixin, BaseEstimator, ChoiceParameters):
    """Base class of both estimators."""

    def fit(self, X, y, groups=None, sample_weight=None):
        """Select the parameters and train the tree on all rows.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows, as in `TAOClassifier.fit`.
        y : array-like of shape (n,)
            Class labels or numbers.
        groups : array-like of shape (n,) or None, default=None
            Group of each row, such as a patient. If `cv` is a number, the folds never separate the rows of a group. A
            splitter receives the groups.
        sample_weight : array-like of shape (n,) or None, default=None
            Non-negative weight of each row, for training and for the error of each fold. Rows of weight 0 are not used.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        DataError
            If `X`, `y`, `groups` or `sample_weight` cannot be used.
        ParameterError
            If a parameter is outside its range.
        """
        base = self._base()
        check_choice(self.rule, "rule", RULES)
        candidates = self._candidates(base)
        self.encoder_ = FeatureEncoder(base.missing == "learn")
        rows, labels = self.encoder_.fit(self, X, y)
        tried = self._shrinkages(base)
        settings = [candidate | amount for candidate in candidates for amount in tried]
        sample_weight = row_weights(rows, sample_weight)
        first = unfitted(base).set_params(**settings[0])
        if self.sizes is None:
            run = PathRun(first, X, y, self.lams, sample_weight=sample_weight)
            swept, values = "lam", run.lams
        else:
            if not isinstance(self.lams, int) or self.lams != LAMBDAS:
                raise ParameterError(
                    f"lams={literal(self.lams)} has no effect with sizes. Use lams={LAMBDAS}, or sizes=None to "
                    "select lambda."
                )
            run = SizePathRun(first, X, y, self.sizes, sample_weight=sample_weight)
            swept, values = "size", np.array(run.sizes)
        if values is None:
            raise ParameterError(
                "lams='critical' is not supported, because critical values differ between folds. Use a number of "
                "values, or a list."
            )
        if is_classifier(self):
            self.classes_ = np.unique(labels)
        rng = random_numbers(base.random_state)
        parts = self._parts(rows, labels, groups, sample_weight, rng)
        seeds = rng.randint(np.iinfo(np.int32).max, size=len(parts))
        weights = sample_weight * self._class_weights(base, labels)
        measure = _Measure(run.loss, self.classes_ if is_classifier(self) else NO_NODES, labels)
        shared = {"n_jobs": base.n_jobs if self.n_jobs in (None, 1) else 1, "callback": None}
        shared |= {"shrinkage": 0.0} if tried[0] else {}
        # Folds receive arrays of features.
        if is_classifier(self):  # a fold may lack a class
            shared |= {"cost_matrix": cost_table(base.cost_matrix, self.classes_)}
        shared |= {"categories": category_columns(base.categories, self.encoder_, rows)} | run.constraints.parameters()
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_fold)(
                unfitted(base).set_params(**candidate, **shared, random_state=int(seed)), rows, labels, part, swept,
                values, sample_weight, weights, measure, [amount["shrinkage"] for amount in tried if amount],
            )
            for candidate in candidates
            for seed, part in zip(seeds, parts, strict=True)
        )  # fmt: skip
        figures = np.array(found).reshape(len(candidates), len(parts), len(tried), 2, len(values))
        figures = figures.transpose(0, 2, 1, 3, 4).reshape(len(settings), len(parts), 2, len(values))
        self._keep(settings, swept, values, figures)
        best = dict(self.best_params_)
        value = best.pop(swept)
        final = first if best == settings[0] else unfitted(base).set_params(**best)
        self.path_ = _path(final, X, y, swept, values, sample_weight)
        if not self.path_.points:
            raise ParameterError("The callback stopped training before the first tree was finished. Train again.")
        self.best_index_ = min(int(np.searchsorted(values, value)), len(self.path_) - 1)
        self.tree_, self._widths = self.path_[self.best_index_].tree, run.estimator._widths
        return self

    def _base(self):
        kind = self._kind
        if self.estimator is not None and not isinstance(self.estimator, kind):
            raise ParameterError(
                f"estimator is a {type(self.estimator).__name__}: expected a {kind.__name__}, or None for the default."
            )
        base = kind() if self.estimator is None else self.estimator
        return base if self.random_state is None else unfitted(base).set_params(random_state=self.random_state)

    def _candidates(self, base):
        """Return the dicts of parameters, one for each path."""
        inits = _listed(self.inits, "inits", base.init)
        costs = _listed(self.costs, "costs", base.bivariate_cost)
        if self.costs is not None and "bivariate_cost" not in SPLITS[base.split].parameters:
            raise ParameterError(
                f"costs={literal(self.costs)}: split={base.split!r} has no bivariate cost. Remove costs, or use "
                "split='bivariate'."
            )
        for init in inits:  # invalid values raise an error before any training
            if isinstance(init, str):
                check_choice(init, "inits", (AUTO, *INITIAL_TREES))
        return [{"init": init, "bivariate_cost": cost} for init, cost in itertools.product(inits, costs)]

    def _shrinkages(self, base):
        """Return dicts with the values of "shrinkage", or one empty dict if it is not selected."""
        return [{}]

    def _parts(self, rows, labels, groups, weights, rng):
        """Return (training rows, held-out rows) of each fold, without rows of weight 0."""
        used = np.flatnonzero(weights > 0)
        cv = self._usual_cv(labels[used]) if self.cv is None else self.cv
        if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
            check_whole(cv, "cv", 2)
            self._check_size(labels[used], cv)
            dependence = dependence_of(len(labels), groups, None).of(used)
            found = self._random_parts(labels[used], dependence, cv, rng)
            return [(used[fit], used[held]) for fit, held in found]
        numbers = np.arange(len(labels))
        with typed(ParameterError):
            given = check_cv(cv, labels, classifier=is_classifier(self)).split(rows, labels, groups)
            found = [[(one := numbers[part])[weights[one] > 0] for part in fold] for fold in given]
        found = [(fit, held) for fit, held in found if fit.size and held.size]
        if not found:
            raise ParameterError(
                "cv: no fold has training rows and held-out rows with a weight above 0. Pass folds with both."
            )
        return found

    def _random_parts(self, labels, dependence, cv, rng):
        """Return (training rows, held-out rows) of `cv` random folds."""
        seed = rng.randint(np.iinfo(np.int32).max)
        if dependence.is_known:
            strata = labels if is_classifier(self) else np.zeros(len(labels), np.int8)
            with typed(DataError):
                return list(dependence.splitter(cv, seed).split(labels, strata, dependence.groups))
        kind = StratifiedKFold if is_classifier(self) else KFold
        return list(kind(cv, shuffle=True, random_state=seed).split(labels, labels))

    def _usual_cv(self, labels):
        """Return FOLDS or the number of rows in the rarest class, whichever is smaller, but at least 2."""
        rarest = np.unique(labels, return_counts=True)[1].min() if is_classifier(self) else FOLDS
        return int(np.clip(rarest, 2, FOLDS))

    def _check_size(self, labels, cv):
        if len(labels) < cv:
            raise DataError(f"n_samples={len(labels)} is too small for cv={cv} folds. Use fewer folds, or more rows.")
        if is_classifier(self):
            classes, counts = np.unique(labels, return_counts=True)
            few = int(counts.argmin())
            if counts[few] < cv:
                raise DataError(
                    f"Class {classes[few]} has {counted(counts[few], 'row')}, but cv={cv} folds need {cv} rows "
                    "of each class. Use fewer folds, or remove the class."
                )

    def _class_weights(self, base, labels):
        """Return the class weight of each row, float64[n] or 1."""
        if not is_classifier(self):
            return 1.0
        classes, codes = np.unique(labels, return_inverse=True)
        of_classes = class_weights(base, labels, codes, classes.size)
        return 1.0 if of_classes is None else of_classes[codes]

    def _keep(self, candidates, swept, values, figures):
        errors, leaves = figures[:, :, 0], figures[:, :, 1].mean(axis=1)
        mean, spread = mean_and_spread(errors)
        n_values = len(values)
        self.cv_results_ = {
            swept: np.tile(values, len(candidates)),
            "bivariate_cost": np.repeat([one["bivariate_cost"] for one in candidates], n_values),
            "init": [one["init"] for one in candidates for _ in values],
            **(
                {"shrinkage": np.repeat([one["shrinkage"] for one in candidates], n_values)}
                if "shrinkage" in candidates[0]
                else {}
            ),
            "mean_error": mean.ravel(),
            "standard_error": spread.ravel(),
            "mean_n_leaves": leaves.ravel(),
        } | {f"split{k}_error": errors[:, k].ravel() for k in range(errors.shape[1])}
        at = chosen(mean.ravel(), spread.ravel(), leaves.ravel(), self.rule)
        self.best_params_ = candidates[at // n_values] | {swept: values[at % n_values].item()}
        self.best_error_ = float(mean.ravel()[at])

    def get_metadata_routing(self):
        """Return the metadata that `fit` and `score` request.

        If `cv` is a splitter that requests groups, such as GroupKFold, then `fit` also requests them by default.

        Returns
        -------
        MetadataRequest
            Requests as set by `set_fit_request` and `set_score_request`.
        """
        routing = super().get_metadata_routing()
        is_open = routing.fit.requests.get("groups") is None
        if is_open and get_routing_for_object(self.cv).consumes("split", {"groups"}):
            routing.fit.add_request(param="groups", alias=True)
        return routing

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = self._base().__sklearn_tags__().input_tags
        return tags


@described()
@dataclass(eq=False, repr=False)
class TAOClassifierCV(TreeClassifierMixin, _TAOEstimatorCV):
    """Classification tree with lambda or size, C and initial tree selected by cross-validation.

    For each combination of `costs` and `inits`, a regularisation path is trained on the training rows of each fold. The
    tree is then trained on all rows with the selected combination and lambda.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_}
    path_ : RegularizationPath
        Path on all rows with the selected C and initial tree.
    best_index_ : int
        Index of `tree_` on the path.
    best_params_ : dict
        Selected values of "lam" or "size", "bivariate_cost" and "init".
    best_error_ : float
        Mean error of the selected candidate. It is optimistic, because it was used for the selection. Test on other
        rows. With `cost_matrix` in the estimator, this and all other errors are mean costs.
    cv_results_ : dict of arrays
        One entry per candidate and lambda (or size): "lam" (or "size"), "bivariate_cost", "init", "mean_error",
        "standard_error" (of the mean over the folds), "mean_n_leaves", "split0_error" and so on. Errors are in [0, 1]
        and use the sample weights and the class weights of the estimator.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAOClassifier : Trains one tree with fixed parameters.
    TAORegressorCV : Estimator for regression.

    References
    ----------
    {tao_2018, bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, TAOClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> base = TAOClassifier(split="univariate", init="cart")
    >>> model = TAOClassifierCV(base, lams=[1.0, 4.0, 16.0], cv=3, rule="one_se", random_state=0).fit(X, y)
    >>> model.best_params_["lam"], model.tree_.n_leaves
    (1.0, 4)
    """

    _kind = TAOClassifier

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


@described(TAOClassifierCV)
@dataclass(eq=False, repr=False)
class TAORegressorCV(RegressorMixin, _TAOEstimatorCV):
    """Regression tree with lambda or size, C and initial tree selected by cross-validation.

    Folds are not stratified, and errors are root mean squared errors. With ``loss="absolute_error"`` in the estimator,
    they are mean absolute errors.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_, path_, best_index_, best_params_, best_error_, cv_results_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAORegressor : Trains one tree with fixed parameters.
    TAOClassifierCV : Estimator for classification.

    References
    ----------
    {tao_2018, bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import TAORegressor, TAORegressorCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> base = TAORegressor(split="univariate", init="cart", max_depth=3)
    >>> model = TAORegressorCV(base, lams=[20_000, 80_000], cv=3, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves <= 8
    True
    """

    _: KW_ONLY
    shrinkages: Sequence[float] | None = parameter(
        None,
        Special("array-like of float >= 0"),
        doc="Values of `shrinkage` to compare, see `best_params_` and `cv_results_`. None uses the value of the "
        "estimator. These values need no additional training. The selected trees are larger and have lower errors.",
    )

    _kind = TAORegressor

    def _shrinkages(self, base):
        if self.shrinkages is None:
            return [{}]
        amounts = _listed(self.shrinkages, "shrinkages", 0.0)
        for amount in amounts:
            check_number(amount, "shrinkages", 0.0, LARGEST)
        if any(amounts):
            LEAF_KINDS[base.leaf].require("shrinkage", ParameterError)
        if base.loss != "squared_error" and any(amounts):
            raise ParameterError(
                f"shrinkages={literal(amounts)} has no effect with loss={base.loss!r}. Use loss='squared_error', or "
                "shrinkages=None."
            )
        if base.monotonic_cst is not None and any(amounts):
            refuse_together("monotonic_cst", "shrinkages", amounts, None)
        return [{"shrinkage": amount} for amount in amounts]


def chosen(errors: np.ndarray, spreads: np.ndarray, leaves: np.ndarray, rule: str) -> int:
    """Return the index of the selected candidate.

    errors, spreads, leaves : float64[c], mean error, its standard error and mean number of leaves; rule : "min" or
    "one_se".
    """
    errors = errors.round(EQUAL)
    best = np.lexsort((leaves, errors))[0]
    if rule == "min":
        return int(best)
    good = errors <= errors[best] + spreads[best] + 10.0**-EQUAL
    return int(np.lexsort((errors, np.where(good, leaves, np.inf)))[0])


def _path(estimator, X, y, swept, values, sample_weight):
    """Return the path over the values of "lam" or "size"."""
    of = size_path if swept == "size" else regularization_path
    return of(estimator, X, y, values, sample_weight=sample_weight)


class _Measure(NamedTuple):
    """Error of predictions: the error of the target, or the mean of another loss.

    classes : labels of the loss; y : [n], labels of all rows.
    """

    loss: Loss
    classes: np.ndarray
    y: np.ndarray

    def error(self, predicted: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> float:
        target = self.loss.target
        codes = (target.codes(labels, self.classes) for labels in (predicted, self.y[rows]))
        mean = self.loss.row_losses(*codes, weights).sum() / weights.sum()
        return float(np.sqrt(mean) if self.loss.is_usual and target.is_root else mean)


def _fold(estimator, X, y, part, swept, values, sample_weight, weights, measure, shrinkages):
    """Return the held-out error and number of leaves of each tree in a fold, float64[shrinkages or 1, 2, values].

    swept, values : as in `_path`; sample_weight : float64[n], for training; weights : float64[n], for errors, also with
    the class weights; measure : `_Measure`.
    """
    fit, held = part
    given = sample_weight[fit]
    values = values if swept == "size" else values * (given.sum() / sample_weight.sum())
    path = _path(estimator, X[fit], y[fit], swept, values, given)
    found = []
    for tree in path.trees:
        errors = []
        for amount in shrinkages or [0.0]:
            predicted = shrunk(tree, amount, NO_NODES).predict(X[held], estimator.n_jobs)
            errors.append((measure.error(predicted, held, weights[held]), tree.n_leaves))
        found.append(errors)
    return np.array(found).transpose(1, 2, 0)


def _listed(values, name, default):
    if values is None:
        return [default]
    if isinstance(values, str | Tree) or not isinstance(values, Iterable) or not list(values):
        raise ParameterError(f"{name}={literal(values)}: expected a list with at least one value, or None.")
    return list(values)
