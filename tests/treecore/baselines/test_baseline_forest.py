"""Test forests against scikit-learn's forests and single trees, the search for two-probe splits, and weights."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import train_test_split

from tests.refusals import refused
from treecore import (
    CO2ForestClassifier,
    CO2ForestRegressor,
    ParameterError,
    TAOForestClassifier,
    TAOForestRegressor,
    TwoProbeForestClassifier,
    TwoProbeForestRegressor,
)
from treecore.baselines.forest import TwoProbeSearch
from treecore.data.training_data import TrainingData
from treecore.initial import greedy


def test_univariate_trees_are_as_good_as_those_of_scikit_learn(bundled):
    X, y = bundled("digits")
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    ours = CO2ForestClassifier(30, base="univariate", random_state=0).fit(X, y)
    theirs = RandomForestClassifier(30, random_state=0, n_jobs=1).fit(X, y)
    assert ours.score(X_test, y_test) >= theirs.score(X_test, y_test) - 0.02
    assert max(tree.features_per_node for tree in ours.estimators_) == 1
    leaves = [np.mean([tree.n_leaves for tree in ours.estimators_]), np.mean([t.get_n_leaves() for t in theirs])]
    assert leaves[0] == pytest.approx(leaves[1], rel=0.1)


def test_oblique_forests_beat_single_trees_and_need_fewer_leaves(bundled):
    X, y = bundled("digits")
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    univariate = CO2ForestClassifier(5, base="univariate", random_state=0).fit(X, y)
    for base in ("co2", "oc1"):
        forest = CO2ForestClassifier(5, base=base, n_perturbations=1, random_state=0).fit(X, y)
        assert forest.score(X_test, y_test) > np.mean(forest.estimators_[0].predict(X_test) == y_test)
        assert forest.estimators_[0].n_leaves < univariate.estimators_[0].n_leaves
        assert max(tree.features_per_node for tree in forest.estimators_) > 2


def test_two_probes_are_the_best_of_all_pairs(rng):
    for _ in range(20):
        X, y = rng.integers(0, 5, (25, 4)).astype(float), rng.integers(0, 3, 25)
        weights = rng.integers(1, 4, 25).astype(float)
        data = TrainingData(X, y, 3, weights, None)
        node = greedy.Node(data, np.flatnonzero(data.inverse_scale), np.arange(25), weights, 0)
        split = TwoProbeSearch(100)(node)
        assert split.weights.tolist() == [1, -1]
        best = -np.inf
        for j in range(4):
            for k in range(j):
                difference = X[:, k] - X[:, j]
                best = max([best, *(node.score(difference >= t) for t in np.unique(difference))])
        assert node.score(node.goes_right(split)) == pytest.approx(best)


def test_few_candidates_still_find_the_feature_that_varies(rng):
    X = np.zeros((20, 30))
    X[:, 17] = rng.permutation(20)
    X[0] += 1e-3  # the feature is constant in most nodes, but not at the root
    forest = CO2ForestClassifier(3, "univariate", n_candidate_features=1, random_state=0).fit(X, X[:, 17] > 9)
    for tree in forest.estimators_:
        assert (tree.values[tree.left < 0] > 0).sum() == tree.n_leaves


def test_weights_enter_the_shares(rng):
    X, y = np.zeros((200, 2)), np.repeat([0, 1], 100)
    X[:, 0] = rng.integers(0, 2, 200)
    forest = CO2ForestClassifier(5, "univariate", random_state=0).fit(X, y, np.where(y == 0, 9.0, 1.0))
    np.testing.assert_allclose(forest.predict_proba(X)[:, 0], 0.9, atol=0.05)
    balanced = CO2ForestClassifier(5, "univariate", class_weight={0: 1.0, 1: 9.0}, random_state=0).fit(X, y)
    np.testing.assert_allclose(balanced.predict_proba(X)[:, 0], 0.1, atol=0.05)


def test_forests_of_numbers_average_trees_whatever_their_unit():
    X, y = load_diabetes(return_X_y=True)
    train, test = np.arange(300), np.arange(300, 442)
    for kind in (TAOForestRegressor, CO2ForestRegressor, TwoProbeForestRegressor):
        one, other = (kind(5, max_depth=4, random_state=0).fit(X[train], unit * y[train]) for unit in (1.0, 1024.0))
        assert one.score(X[test], y[test]) > 0.25
        np.testing.assert_allclose(1024 * one.predict(X), other.predict(X), rtol=1e-6)
        leaves = [tree.predict(X) for tree in one.estimators_]
        np.testing.assert_allclose(one.predict(X), np.mean(leaves, axis=0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base": "oak"}, "base='oak': expected one of"),
        ({"base": 3}, "base=3: expected one of"),
        ({"n_candidate_features": "log"}, "n_candidate_features="),
        ({"nu": 0.0}, "nu=0.0: expected a finite number >= … and <="),
        ({"momentum": 1.0}, "momentum=…: expected a number below 1, such as 0.9"),
        ({"batch_size": 0.5}, "batch_size=0.5: expected a whole number >="),
        ({"base": "oc1", "n_restarts": -1}, "n_restarts=-1: expected a whole number >="),
        ({"base": "two_probe", "n_pairs": 0}, "n_pairs=0: expected a whole number >="),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        CO2ForestClassifier(**options).fit(*bundled("iris"))


def test_bad_parameters_of_other_forests_are_refused(bundled):
    X, y = bundled("iris")
    with refused(ParameterError, "n_pairs=0: expected a whole number >="):
        TwoProbeForestClassifier(n_pairs=0).fit(X, y)
    with refused(
        ParameterError,
        "init=…: expected a name such as 'random', because each tree of the forest needs its own initial tree",
    ):
        TAOForestClassifier(init=CO2ForestClassifier()).fit(X, y)
    with refused(ParameterError, "lam=-1: expected a finite number >="):
        TAOForestClassifier(lam=-1).fit(X, y)


@pytest.mark.parametrize("kind", [CO2ForestClassifier, CO2ForestRegressor])
def test_importances_and_decision_paths_equal_scikit_learns(bundled, kind):
    X, y = bundled("iris")
    model = kind(4, "univariate", max_depth=3, random_state=0, n_jobs=1).fit(X, y)
    theirs = [tree.to_sklearn() for tree in model.estimators_]
    shares = np.mean([tree.feature_importances_ for tree in theirs], axis=0)
    np.testing.assert_allclose(model.feature_importances_, shares / shares.sum(), atol=1e-12)
    ways, begins = model.decision_path(X)
    assert begins.tolist() == np.cumsum([0, *(tree.tree_.node_count for tree in theirs)]).tolist()
    assert ways.shape == (len(X), begins[-1])
    for i, tree in enumerate(model.estimators_):
        found = ways[70, begins[i] : begins[i + 1]].indices
        np.testing.assert_array_equal(found, tree.path_of(X[70]))


@pytest.mark.parametrize("kind", [
    CO2ForestClassifier, CO2ForestRegressor, TAOForestClassifier, TAOForestRegressor, TwoProbeForestClassifier,
    TwoProbeForestRegressor,
])  # fmt: skip
def test_scikit_learn_selects_features_by_them(bundled, kind):
    X, y = bundled("iris")
    X = np.column_stack([X, np.ones(len(X)), np.tile([0.0, 1.0, 2.0], 50)])
    model = kind(n_estimators=5, max_depth=3, random_state=0, n_jobs=1).fit(X, y)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.feature_importances_[4] == 0
    chosen = SelectFromModel(model, prefit=True).get_support()
    assert chosen[:4].any()
    assert not chosen[4:].any()
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), atol=1e-15)
    else:
        assert not hasattr(model, "predict_log_proba")
