"""Test `min_samples_leaf` by counting the rows of every leaf again."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone

from tests.refusals import refused
from treecore import TAOClassifier, TAOClassifierCV, TAORegressor, phase_diagram, regularization_path, size_path
from treecore.errors import ParameterError
from treecore.training.improve import improve
from treecore.training.reoptimise import reoptimise

SPLITS = {
    "univariate": ("random", "cart"),
    "bivariate": ("random", "cart", "bivariate_cart"),
    "oblique": ("random", "cart", "oblique_cart"),
}
STARTS = [(split, init) for split, inits in SPLITS.items() for init in inits]


def fewest(tree, X):
    """Return the smallest number of rows that reach a leaf, counted row by row."""
    counts = dict.fromkeys(np.flatnonzero(tree.left < 0).tolist(), 0)
    for leaf in tree.apply(X).tolist():
        counts[leaf] += 1
    return min(counts.values())


@pytest.fixture(scope="module")
def data():
    """Return (X, classes, numbers) with noise, so that unlimited trees have small leaves."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 4))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * rng.normal(size=240)
    return X, np.digitize(score, [-0.7, 0.7]), score


def small(kind, split, init, least, **others):
    lam = {TAOClassifier: 0.3, TAORegressor: 0.2}[kind]
    settings = {"max_depth": 4, "max_iter": 5, "random_state": 0, "lam": lam} | others
    return kind(split=split, init=init, min_samples_leaf=least, **settings)


@pytest.mark.parametrize(("split", "init"), STARTS)
@pytest.mark.parametrize("kind", [TAOClassifier, TAORegressor])
def test_every_leaf_has_enough_rows_and_the_objective_does_not_rise(data, kind, split, init):
    X, y = data[0], data[1] if kind is TAOClassifier else data[2]
    assert fewest(small(kind, split, init, 1).fit(X, y).tree_, X) < 12
    for least in (2, 12, 60):
        model = small(kind, split, init, least).fit(X, y)
        assert fewest(model.tree_, X) >= least
        if split != "oblique":  # oblique nodes minimise a surrogate loss
            objectives = [record.objective for record in (model.initial_, *model.trace_)]
            assert (np.diff(objectives) <= 1e-9 * np.abs(objectives[0])).all()
    assert small(kind, split, init, 121).fit(X, y).tree_.n_nodes == 1
    assert small(kind, split, init, 500).fit(X, y).tree_.n_nodes == 1


@pytest.mark.parametrize(("split", "init"), STARTS)
def test_a_share_of_the_rows_is_their_number(data, split, init):
    X, y, _ = data
    weights = (np.arange(len(y)) < 200).astype(float)  # rows of weight 0 do not count
    for share, number in ((0.05, 12), (0.051, 13), (0.001, 1)):
        assert small(TAOClassifier, split, init, share).fit(X, y).tree_ == (
            small(TAOClassifier, split, init, number).fit(X, y).tree_
        )
        assert small(TAOClassifier, split, init, 0.05).fit(X, y, weights).tree_ == (
            small(TAOClassifier, split, init, 10).fit(X, y, weights).tree_
        )


@pytest.mark.parametrize("others", [{}, {"refine": 1}, {"block": 2}])
def test_a_share_holds_in_every_step(data, others):
    X, y, _ = data
    share, number = (small(TAOClassifier, "univariate", "cart", least, **others).fit(X, y) for least in (0.05, 12))
    assert share.tree_ == number.tree_
    if not others:
        paths = [size_path(model, X, y, [2, 4, 6]).trees for model in (share, number)]
        assert paths[0] == paths[1]
    with refused(ParameterError, "lams='critical' with min_samples_leaf=0.05"):
        regularization_path(small(TAOClassifier, "univariate", "cart", 0.05), X, y, lams="critical")


def test_one_row_is_the_default_and_changes_nothing(data):
    X, y, _ = data
    plain = TAOClassifier(split="bivariate", init="cart", lam=0.3, random_state=0).fit(X, y)
    assert plain.min_samples_leaf == 1
    assert clone(plain).set_params(min_samples_leaf=1).fit(X, y).tree_ == plain.tree_


def test_an_estimator_that_was_pickled_before_has_one_row(data):
    X, y, _ = data
    model = TAOClassifier(split="univariate", random_state=0).fit(X, y)
    del model.__dict__["min_samples_leaf"]
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params()["min_samples_leaf"] == 1
    assert clone(again).fit(X, y).tree_ == model.tree_


def test_rows_count_whatever_their_weights(data):
    X, y, _ = data
    weights = np.where(np.arange(len(y)) % 3, 5.0, 0.1)
    model = small(TAOClassifier, "univariate", "cart", 9, class_weight="balanced").fit(X, y, sample_weight=weights)
    assert fewest(model.tree_, X) >= 9


def test_missing_values_sparse_rows_and_linear_leaves(data):
    X, y, _ = data
    holes = X.copy()
    holes[::7, 0] = np.nan
    assert fewest(small(TAOClassifier, "bivariate", "cart", 15, missing="learn").fit(holes, y).tree_, holes) >= 15
    rows = scipy.sparse.csr_matrix(np.where(np.abs(X) > 0.5, X, 0.0))
    assert fewest(small(TAOClassifier, "oblique", "random", 15).fit(rows, y).tree_, rows) >= 15
    assert fewest(small(TAOClassifier, "univariate", "cart", 15, leaf="linear").fit(X, y).tree_, X) >= 15


def test_regrown_subtrees_respect_it(data):
    X, y, _ = data
    model = small(TAOClassifier, "bivariate", "cart", 10, refine=3, max_depth=None).fit(X, y)
    assert fewest(model.tree_, X) >= 10


def test_paths_maps_and_cross_validation_keep_to_it(data):
    X, y, _ = data
    model = small(TAOClassifier, "bivariate", "cart", 10, max_iter=3)
    assert min(fewest(tree, X) for tree in regularization_path(model, X, y, 5).trees) >= 10
    points = phase_diagram(model, X, y, lams=3, costs=(1.0, 2.0)).points
    assert min(fewest(point.tree, X) for point in points) >= 10
    chosen = TAOClassifierCV(small(TAOClassifier, "univariate", "cart", 10, max_iter=3), lams=3, cv=2).fit(X, y)
    assert fewest(chosen.tree_, X) >= 10


def test_a_tree_to_start_from_is_cut(data):
    X, y, _ = data
    start = TAOClassifier(split="univariate", init="cart", lam=0.0, random_state=0).fit(X, y).tree_
    assert fewest(start, X) < 10
    for passes in (0, 3):
        model = small(TAOClassifier, "univariate", start, 10, max_iter=passes).fit(X, y)
        assert fewest(model.tree_, X) >= 10
    better = improve(start, X[:160], y[:160], X[160:], y[160:], small(TAOClassifier, "univariate", "cart", 10))
    assert min(fewest(tree, X[:160]) for tree in better.path.trees) >= 10


def test_either_side_of_locked_nodes_may_be_small(data):
    X, y, _ = data
    start = TAOClassifier(split="univariate", init="cart", lam=0.0, random_state=0).fit(X, y).tree_
    root = int(start.origin[0])
    least = int(np.bincount(X @ np.eye(4)[start.features[0]] + start.bias[0] >= 0).max()) + 1
    found = reoptimise(start, [root], X, y, small(TAOClassifier, "univariate", "cart", least)).tree
    assert root in found.origin.tolist()
    assert found.n_nodes == 3
    assert reoptimise(start, [], X, y, small(TAOClassifier, "univariate", "cart", least)).tree.n_nodes == 1


def test_critical_values_and_bad_numbers_are_refused(data):
    X, y, _ = data
    with refused(ParameterError, "lams='critical' with min_samples_leaf=10"):
        regularization_path(small(TAOClassifier, "univariate", "cart", 10), X, y, "critical")
    for value in (0, 2.5, True, None):
        with pytest.raises(ParameterError, match=f"min_samples_leaf={value}"):
            TAOClassifier(min_samples_leaf=value).fit(X, y)
