"""Test attributes that scikit-learn's tools read from a tree: importances, decision paths, depth."""

import os

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, SelectFromModel

from tests.refusals import refused
from treecore.baselines.bivariate_cart import BivariateCARTClassifier
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.errors import ParameterError
from treecore.parallel import resolve_jobs
from treecore.training.cross_validated import TAOClassifierCV
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.single_tree import impurity_importance

X, Y = load_iris(return_X_y=True)
TREES = {
    "univariate": TAOClassifier("univariate", 0.5, init="cart"),
    "bivariate": TAOClassifier("bivariate", 0.5, init="bivariate_cart"),
    "oblique": TAOClassifier("oblique", 0.5, random_state=0, max_depth=3),
    "numbers": TAORegressor("oblique", 0.5, init="cart", max_depth=3),
    "greedy": BivariateCARTClassifier(random_state=0),
    "chosen": TAOClassifierCV(TAOClassifier("bivariate", init="cart"), lams=3, cv=2),
}


@pytest.fixture(scope="module")
def fitted():
    return {name: model.fit(X, Y) for name, model in TREES.items()}


@pytest.mark.parametrize("ours", [CARTClassifier(cv=None), CARTRegressor(cv=None)])
@pytest.mark.parametrize("weights", [None, 1.0 + np.arange(len(Y)) % 3])
def test_importances_are_those_of_scikit_learn(ours, weights):
    ours.set_params(random_state=0, max_depth=4).fit(X, Y, weights)
    theirs = ours.tree_.to_sklearn()
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    assert ours.get_depth() == theirs.get_depth()
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_array_equal(
        ours.decision_path(X).sum(axis=1).ravel(), theirs.decision_path(X.astype(np.float32)).sum(axis=1).ravel()
    )


@pytest.mark.parametrize("name", TREES)
def test_importances_divide_the_gain_of_every_decision(fitted, name):
    model = fitted[name]
    tree, widths = model.tree_, X.std(axis=0)
    gains = np.zeros(tree.n_features)
    leaf_of = tree.apply(X)

    def below(node):
        return [node] if tree.left[node] < 0 else below(tree.left[node]) + below(tree.right[node])

    def impurity(node):
        values = Y[np.isin(leaf_of, below(node))]
        if tree.is_regression:
            return values.size * values.var()
        return values.size * (1 - sum((np.mean(values == label)) ** 2 for label in np.unique(values)))

    for node in np.flatnonzero(tree.left >= 0):
        gain = impurity(node) - impurity(tree.left[node]) - impurity(tree.right[node])
        features, weights, _ = tree.split(node)
        sizes = np.abs(weights) * widths[features]
        gains[features] += gain * sizes / sizes.sum()
    if name != "greedy":  # the greedy tree has grown on some of the rows
        np.testing.assert_allclose(model.feature_importances_, gains / gains.sum(), atol=1e-9)
    assert model.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", TREES)
def test_decision_paths_end_in_the_leaves(fitted, name):
    model = fitted[name]
    ways, tree = model.decision_path(X), model.tree_
    assert ways.shape == (len(X), tree.n_nodes)
    for row in (0, 70, 149):
        np.testing.assert_array_equal(ways[row].indices, tree.path_of(X[row]))


def test_features_are_selected_by_them():
    model = TAOClassifier("univariate", 1.0, init="cart")
    chosen = SelectFromModel(model).fit(X, Y).get_support()
    assert not chosen[:2].any()
    assert chosen[2:].any()  # the petal features
    np.testing.assert_array_equal(RFE(model, n_features_to_select=2).fit(X, Y).support_, [False, False, True, True])


def test_a_column_of_texts_is_one():
    frame = pandas.DataFrame({"size": X[:, 2], "kind": np.array(["a", "b", "c"])[Y]})
    model = TAOClassifier("univariate", 0.5, init="cart").fit(frame, Y)
    assert model.n_features_in_ == model.feature_importances_.size == 2
    np.testing.assert_allclose(impurity_importance(model.tree_, model.encoder_.groups).sum(), 1.0)


def test_a_lone_leaf_has_none():
    model = TAOClassifier("univariate", 1e6, init="cart").fit(X, Y)
    assert (model.get_depth(), model.get_n_leaves()) == (0, 1)
    assert not model.feature_importances_.any()
    np.testing.assert_array_equal(model.decision_path(X).toarray(), np.ones((len(X), 1), bool))


def test_logarithms_of_the_shares(fitted):
    model = fitted["univariate"]
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), atol=1e-15)
    assert not hasattr(fitted["numbers"], "predict_log_proba")


def test_numbers_of_threads_are_scikit_learns(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4))
    asked = {None: 1, -1: 4, -2: 3, -9: 1, 1: 1, 7: 7}
    assert {n_jobs: resolve_jobs(n_jobs) for n_jobs in asked} == asked
    for wrong in (0, True, 1.5, "2"):
        with refused(
            ParameterError, "n_jobs=…: expected a number of threads >= 1, None (1), -1 (every core) or -2 (all but one)"
        ):
            resolve_jobs(wrong)


def test_unfitted_estimators_have_no_depth_or_importances():
    with pytest.raises(NotFittedError):
        TAOClassifier().get_depth()
    assert not hasattr(TAOClassifier(), "feature_importances_")
