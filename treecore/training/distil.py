"""`distil`: train a TAO tree that imitates a fitted model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.data.regression import Regression
from treecore.errors import DataError, ParameterError
from treecore.parameter_checks import check_choice, check_number, check_whole, typed
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

WEIGHTINGS = ("equal", "margin")
FEWEST = 10  # smallest number of rows
LEAST_SHARE = 0.01  # smallest share of held-out rows, and of the others
VALIDATION = 0.2  # share of the training rows that selects lambda
LARGEST_SHARE = 0.05  # largest lambda of the grid, as a share of the training rows


@dataclass(frozen=True, eq=False)
class Distilled:
    """Result of `distil`.

    Parameters
    ----------
    estimator : estimator
        Fitted estimator of the tree.
    fidelity : float
        Share of the held-out rows with the same prediction as the model, or for numbers the coefficient of
        determination R² for the predictions of the model.
    n_test : int
        Number of held-out rows.
    error : float or None
        Error of the tree on the held-out rows, None without `y`.
    model_error : float or None
        Error of the model on these rows, None without `y`. It is too low if the model was trained on them.

    See Also
    --------
    distil : Returns this result.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from treecore import distil
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    >>> found = distil(forest, X, y)
    >>> found.fidelity > 0.8, found.n_test, found.tree.n_leaves < 10
    (True, 38, True)
    """

    estimator: BaseEstimator
    fidelity: float
    n_test: int
    error: float | None
    model_error: float | None

    @property
    def tree(self) -> Tree:
        """Return the `Tree`."""
        return self.estimator.tree_


def distil(
    model: Any,
    X: ArrayLike,
    y: ArrayLike | None = None,
    estimator: BaseEstimator | None = None,
    weighting: str = "equal",
    lams: int = 10,
    test_size: float = 0.25,
    random_state: int = 0,
) -> Distilled:
    """Train a tree on the predictions of a fitted model and measure how well the tree imitates the model.

    Parameters
    ----------
    model : fitted model
        Any object with a method `predict`, such as a forest or a pipeline of scikit-learn.
    X : array-like of shape (n, d)
        Rows, in a form that the model and the tree accept. Labels are not necessary, so more rows than those of the
        training of the model can be used.
    y : array-like of shape (n,) or None, default=None
        True class labels or numbers, only for the errors in the result.
    estimator : TAOClassifier, TAORegressor or None, default=None
        Estimator with the training parameters, trained on all rows that are not held out. None trains bivariate trees
        for several values of lambda. A fifth of these rows selects the smallest tree whose disagreement with the model
        is within one standard error of the smallest.
    weighting : {'equal', 'margin'}, default='equal'
        Weights of the rows. 'margin' uses the difference between the two largest class probabilities of the model, so
        that rows on which the model is undecided count less.
    lams : int, default=10
        Number of values of lambda, unless an estimator is given.
    test_size : float, default=0.25
        Share of the held-out rows, from 0.01 to 0.99.
    random_state : int, default=0
        Seed of the random division of the rows and of the initial tree.

    Returns
    -------
    Distilled
        The tree and its fidelity on the held-out rows.

    Raises
    ------
    DataError
        If the rows cannot be used, or the model returns unsuitable predictions.
    ParameterError
        If a parameter is outside its range, or the model cannot predict these rows.

    See Also
    --------
    improve : Optimises the tree of a model.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import GradientBoostingClassifier
    >>> from treecore import TAOClassifier, distil
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boosting = GradientBoostingClassifier(n_estimators=20, random_state=0).fit(X, y)
    >>> tree = TAOClassifier(split="univariate", init="cart", lam=2.0, random_state=0)
    >>> distil(boosting, X, y, tree).fidelity > 0.9
    True
    """
    check_choice(weighting, "weighting", WEIGHTINGS)
    check_number(test_size, "test_size", LEAST_SHARE, 1.0 - LEAST_SHARE)
    check_whole(lams, "lams", 1)
    check_whole(random_state, "random_state", 0)
    if estimator is not None and not isinstance(estimator, TAOClassifier | TAORegressor):
        raise ParameterError(
            f"estimator: expected a TAOClassifier, a TAORegressor or None, not {type(estimator).__name__}."
        )
    X = _table(X)
    if X.ndim != 2 or X.shape[0] < FEWEST:
        raise DataError(f"X has shape {tuple(X.shape)}: expected a table with at least {FEWEST} rows.")
    predicted, weights = _predictions(model, X), None
    are_classes = _predicts_classes(model, predicted)
    if estimator is not None and isinstance(estimator, TAOClassifier) != are_classes:
        raise ParameterError(
            f"estimator: {type(estimator).__name__} does not suit a model that predicts {_noun(are_classes)}. "
            "Use the other estimator."
        )
    if weighting == "margin":
        weights = _margins(model, X, are_classes)
    truth = None if y is None else np.asarray(y)
    if truth is not None and truth.shape != predicted.shape:
        raise DataError(f"y has shape {truth.shape}: expected one label for each of the {X.shape[0]} rows.")
    if truth is not None and not are_classes:
        truth = Regression().checked(truth, "y")
    order = np.random.default_rng(random_state).permutation(X.shape[0])
    n_test = min(max(1, round(test_size * order.size)), order.size - FEWEST // 2)
    test, train = order[:n_test], order[n_test:]
    if estimator is None:
        found = _selected(X, predicted, weights, train, are_classes, lams, random_state)
    else:
        found = _fitted(estimator, X, predicted, weights, train)
    own = found.predict(_take(X, test))
    errors = None if truth is None else [_error(part, truth[test], are_classes) for part in (own, predicted[test])]
    return Distilled(found, _fidelity(own, predicted[test], are_classes), n_test, *(errors or (None, None)))


def _table(X):
    if hasattr(X, "tocsr"):
        return X.tocsr()  # other sparse formats have no rows
    if hasattr(X, "iloc"):
        return X
    with typed(DataError):
        return np.asarray(X)


def _predictions(model, X):
    if not callable(getattr(model, "predict", None)):
        raise ParameterError(
            f"model: {type(model).__name__} has no method predict. Pass a fitted model such as a forest."
        )
    with typed(ParameterError):  # the model is not fitted, or does not accept the rows
        predicted = np.asarray(model.predict(X))
    if predicted.shape != (X.shape[0],):
        raise DataError(
            f"The model returns predictions of shape {predicted.shape} for {X.shape[0]} rows: expected one class "
            "or number per row."
        )
    if predicted.dtype.kind == "f" and not np.isfinite(predicted).all():
        raise DataError("The model predicts NaN or infinity. Remove the rows with such predictions.")
    return predicted


def _predicts_classes(model, predicted):
    if isinstance(model, Tree):
        return model.target.values_are_groups
    return hasattr(model, "classes_") or predicted.dtype.kind not in "f"


def _margins(model, X, are_classes):
    """Return the differences between the two largest probabilities, with mean 1, float64[n]."""
    if not are_classes or not hasattr(model, "predict_proba"):
        raise ParameterError(
            f"weighting='margin' needs class probabilities, but {type(model).__name__} does not have the method "
            "predict_proba. Use weighting='equal'."
        )
    with typed(ParameterError):
        shares = np.sort(np.atleast_2d(np.asarray(model.predict_proba(X), np.float64)), axis=1)
    if shares.shape[:1] != (X.shape[0],) or not np.isfinite(shares).all():
        raise DataError(
            f"The model returns probabilities of shape {shares.shape} for {X.shape[0]} rows: expected finite "
            "numbers, one row each."
        )
    margins = shares[:, -1] - (shares[:, -2] if shares.shape[1] > 1 else 0.0)
    mean = margins.mean()
    return margins / mean if mean > 0 else np.ones(len(margins))


def _selected(X, predicted, weights, train, are_classes, count, seed):
    """Return the smallest fitted estimator whose error on validation rows is within one standard error of the best."""
    n_val = max(1, round(VALIDATION * train.size))
    held, rest = train[:n_val], train[n_val:]
    kind = TAOClassifier if are_classes else TAORegressor
    missing = "learn" if _has_missing(X) else "error"
    base = kind(split="bivariate", init="cart", random_state=seed, missing=missing, n_jobs=-1)
    unit = 1.0 if are_classes else float(np.var(predicted[rest])) or 1.0
    fits, errors, spreads = [], [], []
    for lam in unit * np.geomspace(0.5, max(1.0, LARGEST_SHARE * rest.size), count):
        fits.append(_fitted(base.set_params(lam=float(lam)), X, predicted, weights, rest))
        own = fits[-1].predict(_take(X, held))
        losses = own != predicted[held] if are_classes else (own - predicted[held]) ** 2
        errors.append(losses.mean())
        spreads.append(losses.std() / np.sqrt(n_val))
    best = int(np.argmin(errors))
    good = np.flatnonzero(np.array(errors) <= errors[best] + spreads[best])
    return min((fits[place] for place in good), key=lambda one: one.get_n_leaves())


def _fitted(estimator, X, predicted, weights, rows):
    from sklearn.base import clone  # slow import

    return clone(estimator).fit(_take(X, rows), predicted[rows], None if weights is None else weights[rows])


def _fidelity(own, predicted, are_classes):
    if are_classes:
        return float((own == predicted).mean())
    total = float(((predicted - predicted.mean()) ** 2).sum())
    rest = float(((own - predicted) ** 2).sum())
    return 1.0 - rest / total if total else float(rest == 0)


def _error(predicted, truth, are_classes):
    return float((predicted != truth).mean() if are_classes else np.sqrt(((predicted - truth) ** 2).mean()))


def _has_missing(X):
    if hasattr(X, "iloc"):
        return bool(X.isna().to_numpy().any())
    return not hasattr(X, "tocsr") and X.dtype.kind == "f" and bool(np.isnan(X).any())


def _take(X, rows):
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _noun(are_classes):
    return "classes" if are_classes else "numbers"
