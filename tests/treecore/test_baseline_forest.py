"""Forests: scikit-learn's checks, the averaged prediction, bags that do not depend on the number of threads."""

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests import naive
from treecore import (
    CO2ForestClassifier,
    DataError,
    ParameterError,
    TAOForestClassifier,
    Tree,
    TwoProbeForestClassifier,
)
from treecore.baselines.forest import BASES
from treecore.baselines.two_probe import TwoProbeSearch
from treecore.data import TrainingData
from treecore.initial import greedy

BY_CHANCE = "which rows a tree sees is left to chance, so a weight is not the same as repeated rows"
PURE = "leaves of a tree that is not pruned are pure, whatever the weights"
FORESTS = [CO2ForestClassifier(3, base=base, random_state=0) for base in BASES]
FORESTS += [TwoProbeForestClassifier(3, random_state=0), TAOForestClassifier(3, max_depth=3, random_state=0)]


def named(forest):
    return getattr(forest, "base", type(forest).__name__)


@parametrize_with_checks(
    FORESTS,
    expected_failed_checks=lambda estimator: (
        {"check_sample_weight_equivalence_on_dense_data": BY_CHANCE}
        | ({} if isinstance(estimator, TAOForestClassifier) else {"check_class_weight_classifiers": PURE})
    ),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("forest", FORESTS, ids=named)
def test_prediction_is_the_average_of_the_trees(bundled, forest):
    X, y = bundled("iris")
    forest = clone(forest).fit(X, y)
    assert len(forest.estimators_) == 3
    shares = np.zeros((len(X), 3))
    for number, tree in enumerate(forest.estimators_):
        assert isinstance(tree, Tree)
        assert Tree.from_json(tree.to_json()) == tree
        leaves = naive.leaves(tree.routing, X)
        assert np.array_equal(forest.apply(X)[:, number], leaves)
        shares += tree.values[leaves] / tree.values[leaves].sum(axis=1, keepdims=True) / 3
    np.testing.assert_allclose(forest.predict_proba(X), shares)
    assert np.array_equal(forest.predict(X), forest.predict_proba(X).argmax(axis=1))
    assert forest.score(X, y) > 0.93


@pytest.mark.parametrize("forest", FORESTS, ids=named)
def test_the_number_of_threads_changes_nothing(bundled, forest):
    X, y = bundled("wine")
    one, two, again = (clone(forest).set_params(n_jobs=jobs).fit(X, y) for jobs in (1, 2, 3))
    other = clone(forest).set_params(random_state=1).fit(X, y)
    assert one.estimators_ == two.estimators_
    assert one.estimators_ == again.estimators_
    assert one.estimators_ != other.estimators_
    assert one.estimators_[0] != one.estimators_[1]


@pytest.mark.parametrize("forest", FORESTS, ids=named)
@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.arange(8.0).reshape(4, 2), ["only"] * 4),
        (np.array([[0.0, 1.0], [1.0, 0.0]]), ["a", "b"]),
        (np.ones((6, 2)), ["a", "b"] * 3),
        (np.array([[1.0, 0.0]] * 3 + [[1.0, 1.0]] * 3), ["a"] * 3 + ["b"] * 3),
        (np.arange(6.0)[:, None], ["a"] * 3 + ["b"] * 3),
    ],
    ids=["one class", "two rows", "constant", "one constant feature", "one feature"],
)
def test_degenerate_data(forest, X, y):
    forest = clone(forest).fit(X, y)
    assert set(forest.predict(X)) <= set(y)
    np.testing.assert_allclose(forest.predict_proba(X).sum(axis=1), 1)


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
    X[0] += 1e-3  # usable in the whole set, constant in most nodes
    forest = CO2ForestClassifier(3, "univariate", n_candidate_features=1, random_state=0).fit(X, X[:, 17] > 9)
    for tree in forest.estimators_:
        assert (tree.values[tree.left < 0] > 0).sum() == tree.n_leaves


def test_frames_labels_and_weights(bundled):
    X, y = bundled("iris")
    names = np.array(["setosa", "versicolor", "virginica"], object)[y]
    frame = pandas.DataFrame(X, columns=list("abcd"))
    for forest in FORESTS:
        model = clone(forest).fit(frame, names)
        assert model.estimators_[0].feature_names == ("a", "b", "c", "d")
        assert model.estimators_[0].classes.tolist() == ["setosa", "versicolor", "virginica"]
        assert model.score(frame, names) > 0.9
        only_two = clone(forest).fit(X, names, np.where(y == 0, 0.0, 1.0))
        assert only_two.classes_.size == 3
        assert "setosa" not in only_two.predict(X)
    assert cross_val_score(CO2ForestClassifier(5, random_state=0), X, names, cv=3).mean() > 0.88


def test_weights_enter_the_shares(rng):
    X, y = np.zeros((200, 2)), np.repeat([0, 1], 100)
    X[:, 0] = rng.integers(0, 2, 200)
    forest = CO2ForestClassifier(5, "univariate", random_state=0).fit(X, y, np.where(y == 0, 9.0, 1.0))
    np.testing.assert_allclose(forest.predict_proba(X)[:, 0], 0.9, atol=0.05)
    balanced = CO2ForestClassifier(5, "univariate", class_weight={0: 1.0, 1: 9.0}, random_state=0).fit(X, y)
    np.testing.assert_allclose(balanced.predict_proba(X)[:, 0], 0.1, atol=0.05)


@pytest.mark.parametrize(("options", "message"), [
    ({"n_estimators": 0}, "n_estimators=0"), ({"base": "oak"}, "base='oak'.*'co2'"), ({"base": 3}, "base=3"),
    ({"n_candidate_features": 0}, "n_candidate_features=0"), ({"n_candidate_features": "log"}, "'sqrt'"),
    ({"nu": 0.0}, "nu=0"), ({"momentum": 1.0}, "momentum=1.0"), ({"batch_size": 0.5}, "batch_size=0.5"),
    ({"base": "oc1", "n_restarts": -1}, "n_restarts=-1"), ({"base": "two_probe", "n_pairs": 0}, "n_pairs=0"),
    ({"max_depth": 0}, "max_depth=0"), ({"min_samples_split": 1}, "min_samples_split=1"), ({"n_jobs": 0}, "n_jobs=0"),
    ({"scale": "log"}, "scale='log'"), ({"random_state": "dice"}, "dice"), ({"class_weight": "odd"}, "class_weight"),
])  # fmt: skip
def test_bad_parameters_are_refused(bundled, options, message):
    with pytest.raises(ParameterError, match=message):
        CO2ForestClassifier(**options).fit(*bundled("iris"))


def test_bad_parameters_of_other_forests_are_refused(bundled):
    X, y = bundled("iris")
    with pytest.raises(ParameterError, match="n_pairs=0"):
        TwoProbeForestClassifier(n_pairs=0).fit(X, y)
    with pytest.raises(ParameterError, match="name an initial tree"):
        TAOForestClassifier(init=FORESTS[0]).fit(X, y)
    with pytest.raises(ParameterError, match="lam=-1"):
        TAOForestClassifier(lam=-1).fit(X, y)
    with pytest.raises(ParameterError, match="n_jobs=0"):
        TAOForestClassifier(n_jobs=0).fit(X, y)


def test_bad_data_are_refused(bundled):
    X, y = bundled("iris")
    model = CO2ForestClassifier(2)
    with pytest.raises(DataError, match="NaN"):
        model.fit(np.where(X > 7, np.nan, X), y)
    with pytest.raises(DataError, match="toarray"):
        model.fit(scipy.sparse.csr_matrix(X), y)
    with pytest.raises(DataError, match="continuous"):
        model.fit(X, y + 0.5)
    with pytest.raises(DataError, match="4 features"):
        model.fit(X, y).predict(X[:, :2])
