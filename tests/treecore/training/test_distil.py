"""Test trees that imitate a fitted model: their fidelity, errors, weights, and unsuitable models."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from tests.refusals import refused
from treecore import DataError, ParameterError, TAOClassifier, TAORegressor, Tree, distil


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, RandomForestClassifier(30, random_state=0).fit(X[:900], y[:900])


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X, y, GradientBoostingClassifier(n_estimators=30, random_state=0).fit(X, y)


def test_a_forest_on_digits(digits):
    X, y, forest = digits
    own = TAOClassifier(split="oblique", init="random", max_depth=5, lam=1.0, random_state=0)
    found = distil(forest, X[900:], y[900:], own)
    assert isinstance(found.tree, Tree)
    assert found.fidelity > 0.8
    assert found.n_test == round(0.25 * 897)
    assert 0 < found.model_error < 0.15
    assert 0 < found.error < 0.25
    test = np.random.default_rng(0).permutation(897)[: found.n_test]
    rows = X[900:][test]
    assert found.fidelity == (found.estimator.predict(rows) == forest.predict(rows)).mean()
    assert found.error == (found.estimator.predict(rows) != y[900:][test]).mean()


@pytest.mark.parametrize("weighting", ["equal", "margin"])
def test_gradient_boosting_on_breast_cancer(cancer, weighting):
    X, y, boosting = cancer
    found = distil(boosting, X, y, weighting=weighting, lams=4)
    assert found.fidelity > 0.9
    assert found.tree.n_leaves < 20
    assert found.error is not None
    assert found.model_error < 0.05
    again = distil(boosting, X, y, weighting=weighting, lams=4)
    assert again.tree == found.tree
    without = distil(boosting, X, weighting=weighting, lams=4)
    assert (without.error, without.model_error, without.tree) == (None, None, found.tree)


def test_margins_ignore_undecided_rows():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 2))

    class Model:
        classes_ = np.array([0, 1])

        def predict(self, rows):
            noise = (np.abs(rows[:, 1]) < 0.5) & (np.round(100 * rows[:, 0]) % 2 == 0)
            return ((rows[:, 0] > 0) ^ noise).astype(int)

        def predict_proba(self, rows):
            share = np.where(np.abs(rows[:, 1]) < 0.5, 0.5, 0.99)
            right = self.predict(rows)
            return np.column_stack([np.where(right == 0, share, 1 - share), np.where(right == 1, share, 1 - share)])

    tree = TAOClassifier(split="univariate", init="cart", max_depth=2, lam=1.0, random_state=0)
    found = distil(Model(), X, estimator=tree, weighting="margin")
    assert found.tree.n_leaves == 2
    assert found.tree.split(0)[0].tolist() == [0]


def test_numbers_frames_and_pipelines():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    forest = RandomForestRegressor(20, random_state=0).fit(X, y)
    found = distil(forest, X, y, lams=4)
    assert 0.4 < found.fidelity <= 1.0
    assert found.error > found.model_error > 0
    assert found.estimator.feature_names_in_.tolist() == list(X.columns)
    names = np.where(y > 150, "high", "low")
    linear = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, names)
    assert distil(linear, X, names, lams=3).fidelity > 0.8
    assert distil(found.tree, X.to_numpy(), lams=3).fidelity > 0.7
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.02)
    forest = RandomForestClassifier(20, random_state=0).fit(holes, names)
    assert distil(forest, pandas.DataFrame(holes), lams=3).fidelity > 0.7


def test_unsuitable_models_and_rows_are_refused(cancer):
    X, y, boosting = cancer
    with refused(ParameterError, "model: … has no method predict"):
        distil(object(), X)
    with pytest.raises(ParameterError):
        distil(RandomForestClassifier(), X)
    with pytest.raises(ParameterError):
        distil(boosting, X[:, :3])
    with refused(
        ParameterError,
        "weighting='margin' needs class probabilities, but LinearSVC does not have the method predict_proba",
    ):
        distil(LinearSVC(dual=False, max_iter=50, tol=1.0).fit(X, y), X, weighting="margin")
    with refused(ParameterError, "estimator: … does not suit a model that predicts"):
        distil(boosting, X, estimator=TAORegressor())
    with refused(ParameterError, "estimator: expected a TAOClassifier, a TAORegressor or None, not"):
        distil(boosting, X, estimator=RandomForestClassifier())
    with refused(DataError, "X has shape …: expected a table with at least … rows"):
        distil(boosting, X[:5])
    with refused(DataError, "y has shape …: expected one label for each of the … rows"):
        distil(boosting, X, y[:-1])
    for changes in ({"weighting": "odd"}, {"lams": 0}, {"test_size": 0}, {"random_state": -1}):
        with pytest.raises(ParameterError):
            distil(boosting, X, **changes)

    class Odd:
        def __init__(self, values):
            self.values = values

        def predict(self, rows):
            return self.values

    with refused(DataError, "The model returns predictions of shape … for … rows"):
        distil(Odd(np.zeros((len(X), 2))), X)
    with pytest.raises(DataError):
        distil(boosting, [[1.0, 2.0], [3.0]])
    with pytest.raises(DataError):
        distil(Odd(np.arange(len(X), dtype=float)), X, np.where(y, "a", "b"))
    model = Odd(np.zeros(len(X), int))
    model.predict_proba = lambda rows: np.full((len(rows), 2), np.nan)
    with refused(DataError, "The model returns probabilities of shape … for … rows"):
        distil(model, X, weighting="margin")
    with refused(DataError, "The model predicts NaN or infinity"):
        distil(Odd(np.full(len(X), np.nan)), X)
