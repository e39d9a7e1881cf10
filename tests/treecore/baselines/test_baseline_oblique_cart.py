"""Test oblique CART: coordinate descent against brute force, and its use as the initial tree of TAO."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.fitted import check_predictions
from tests.refusals import refused
from tests.strategies import datasets
from treecore import ObliqueCARTClassifier, ObliqueCARTRegressor, ParameterError, TAOClassifier, TAORegressor
from treecore.data.training_data import TrainingData
from treecore.initial import greedy, oblique_kernels
from treecore.initial.oblique_cart import ObliqueSearch, scaled_hyperplane


def gini_score(goes_right, channels, weights):
    """Return the sum over both sides of squared class weights / weight, or -inf if a side is empty."""
    return score_of(goes_right, channels, weights, weights)


def score_of(goes_right, channels, amounts, weights):
    total = 0.0
    for side in (goes_right, ~goes_right):
        if not side.any():
            return -np.inf
        sums = np.array([amounts[side & (channels == c)].sum() for c in np.unique(channels)])
        total += (sums**2).sum() / weights[side].sum()
    return total


def node_of(X, y, weights=None, scale="standard"):
    data = TrainingData(X, y, int(max(y)) + 1, weights, scale)
    return greedy.Node(data, np.flatnonzero(data.inverse_scale), np.arange(data.n_rows), data.weights, 0)


def kernel_step(values, direction, channels, weights, n_channels, amounts=None):
    m, amounts = values.size, weights if amounts is None else amounts
    work = np.empty(m), np.empty(m, np.int32), *np.empty((2, n_channels))
    return oblique_kernels.best_step(values, direction, channels, amounts, weights, *work, 0.0)


def test_the_best_step_is_that_of_brute_force(rng):
    for _ in range(200):
        m, k = int(rng.integers(2, 20)), int(rng.integers(2, 4))
        values, direction = rng.standard_normal(m), rng.standard_normal(m)
        direction[rng.random(m) < 0.2] = 0.0
        channels, weights = rng.integers(0, k, m).astype(np.int32), rng.integers(1, 4, m).astype(float)
        moves = direction != 0
        steps = np.sort(-values[moves] / direction[moves])
        numbers = rng.standard_normal(m)
        squares = np.zeros(m, np.int32), weights * (numbers - np.average(numbers, weights=weights))
        for channel, amounts in ((channels, weights), squares):
            best = -np.inf
            for step in (steps[:-1] + steps[1:]) / 2:
                best = max(best, score_of(values + step * direction >= 0, channel, amounts, weights))
            score, step = kernel_step(values, direction, channel, weights, k, amounts)
            assert score == pytest.approx(best)
            if np.isfinite(best):
                assert score_of(values + step * direction >= 0, channel, amounts, weights) == pytest.approx(best)


def test_the_score_is_that_of_the_definition(rng):
    for _ in range(50):
        values, channels = rng.standard_normal(12), rng.integers(0, 3, 12).astype(np.int32)
        weights = rng.random(12) + 0.1
        found = oblique_kernels.split_score(values, channels, weights, weights, *np.empty((2, 3)))
        assert found == pytest.approx(gini_score(values >= 0, channels, weights))
    assert (
        oblique_kernels.split_score(*np.ones((1, 3)), np.zeros(3, np.int32), *np.ones((2, 3)), *np.empty((2, 1)))
        == -np.inf
    )


def test_no_step_of_one_coefficient_improves_the_result(rng):
    X = rng.standard_normal((60, 3))
    y = (X @ [1.0, 0.7, -0.4] > 0).astype(int) ^ (rng.random(60) < 0.1)
    node = node_of(X, y)
    features = np.arange(3)
    rows = np.ascontiguousarray(((X - node.data.center) * node.data.inverse_scale).T)
    starts = np.zeros((1, 4))
    starts[0] = scaled_hyperplane(node, greedy.best_threshold(node)[1])
    score, coefficients = oblique_kernels.best_hyperplane(
        rows, node.channels, node.weights, node.weights, 2, np.zeros(1), starts, np.empty((1, 0, 4)), 1e-9
    )
    values = coefficients[:3] @ rows + coefficients[3]
    assert gini_score(values >= 0, node.channels, node.weights) == pytest.approx(score)
    for direction in [*rows, np.ones(60)]:
        assert kernel_step(values, direction, node.channels, node.weights, 2)[0] <= score + 1e-8
    split = greedy.raw_split(node, features, coefficients[:3], coefficients[3])
    assert node.score(node.goes_right(split)) == pytest.approx(score)
    assert np.abs(split.weights / node.data.inverse_scale[split.features]).sum() == pytest.approx(1)


@pytest.mark.parametrize("method", ["cart_lc", "oc1"])
@given(dataset=datasets())
def test_a_split_is_no_worse_than_the_best_threshold(method, dataset):
    X, y, weights = dataset
    node = node_of(X, y, weights)
    threshold = greedy.best_threshold(node) if node.usable.size else None
    if node.is_pure or threshold is None:
        return
    split = ObliqueSearch(method, 1, 2)(node)
    goes_right = np.array([split.bias + sum(split.weights * x[split.features]) >= 0 for x in X.astype(float)])
    score = gini_score(goes_right, node.channels, node.weights)
    assert score >= threshold[0] - 1e-9 * node.total
    best = max(
        gini_score(column >= t, node.channels, weights) for column in X.astype(float).T for t in np.unique(column)
    )
    assert threshold[0] == pytest.approx(best)


@pytest.mark.parametrize("method", ["cart_lc", "oc1"])
def test_the_squared_error_of_a_split_is_that_of_its_means(rng, method):
    X, weights = rng.standard_normal((80, 3)), rng.integers(1, 4, 80).astype(float)
    y = 1e6 + 3.0 * (X @ [1.0, -0.8, 0.5] > 0.2) + 0.3 * rng.standard_normal(80)
    data = TrainingData(X, y, None, weights)
    node = greedy.Node(data, np.arange(3), np.arange(80), weights, 0)
    split = ObliqueSearch(method, 2, 2)(node)
    goes_right = node.goes_right(split)
    sides = [(y[side], weights[side]) for side in (goes_right, ~goes_right)]
    error = sum(w @ (v - np.average(v, weights=w)) ** 2 for v, w in sides)
    assert node.total - node.score(goes_right) == pytest.approx(error, rel=1e-6)
    threshold = greedy.best_threshold(node)
    assert node.score(goes_right) > threshold[0]
    stump = DecisionTreeRegressor(max_depth=1).fit(X, y, weights)
    assert node.total - threshold[0] == pytest.approx(weights @ (y - stump.predict(X)) ** 2, rel=1e-6)


@pytest.mark.parametrize("method", ["cart_lc", "oc1"])
def test_a_slanted_border_is_found(rng, method):
    X = rng.standard_normal((300, 3)) * [1, 100, 1] + [0, 1000, 0]
    y = X[:, 0] + (X[:, 1] - 1000) / 100 > 0.3
    model = ObliqueCARTClassifier(method, max_depth=1, validation_fraction=None, random_state=0).fit(X, y)
    assert model.score(X, y) >= 0.99
    model = ObliqueCARTRegressor(method, max_depth=1, validation_fraction=None, random_state=0).fit(X, 1e5 + 3.0 * y)
    assert model.score(X, 1e5 + 3.0 * y) >= 0.95
    assert DecisionTreeClassifier(max_depth=1).fit(X, y).score(X, y) < 0.85


@pytest.mark.parametrize("name", ["breast_cancer", "wine", "digits"])
def test_trees_are_valid_and_generalise(bundled, name):
    X, y = bundled(name)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)
    options = {"n_restarts": 0, "random_state": 0}
    whole = ObliqueCARTClassifier(validation_fraction=None, **options).fit(X, y)
    pruned = ObliqueCARTClassifier(validation_fraction=0.2, **options).fit(X, y)
    cart = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert whole.score(X, y) == 1.0
    assert whole.tree_.n_leaves <= cart.get_n_leaves()
    assert whole.score(X_test, y_test) >= cart.score(X_test, y_test) - 0.05
    assert pruned.tree_.n_leaves <= 1.2 * whole.tree_.n_leaves  # the two trees grow on different rows
    check_predictions(whole, X_test)
    assert whole.tree_.n_samples[0] == len(y)


def test_restarts_do_not_make_a_split_worse(bundled):
    X, y = bundled("wine")
    node = node_of(X, y)
    scores = [node.score(node.goes_right(ObliqueSearch("oc1", n, 5)(node))) for n in (0, 5, 20)]
    assert scores == sorted(scores)


@pytest.mark.parametrize("method", ["cart_lc", "oc1"])
def test_classes_that_no_first_threshold_parts(method):
    X, y = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]), [0, 0, 1, 1]
    tree = ObliqueCARTClassifier(method, validation_fraction=None, random_state=0).fit(X, y).tree_
    assert 2 <= tree.n_leaves <= 4
    assert tree.predict(X).tolist() == y


def test_small_nodes_are_not_split(bundled):
    X, y = bundled("digits")
    tree = ObliqueCARTClassifier(min_samples_split=40, n_restarts=0, validation_fraction=None).fit(X, y).tree_
    assert tree.n_samples[tree.left >= 0].min() >= 40
    assert tree.n_leaves < 60


def test_weights_are_repeated_rows(bundled):
    X, y = bundled("wine")
    for method in ("oc1", "cart_lc"):
        plain = ObliqueCARTClassifier(method, validation_fraction=None, max_depth=2, random_state=0)
        weights = np.random.default_rng(0).integers(0, 4, len(y))
        weighted = clone(plain).fit(X, y, weights)
        repeated = clone(plain).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        seen = weights > 0
        assert np.array_equal(weighted.predict(X[seen]), repeated.predict(X[seen]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "oc2"}, "method='oc2': expected one of"),
        ({"n_restarts": -1}, "n_restarts=-1: expected a whole number >="),
        ({"n_perturbations": 0.5}, "n_perturbations=0.5"),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        ObliqueCARTClassifier(**options).fit(*bundled("iris"))


class TestInitialTree:
    def test_tao_improves_it(self, bundled):
        X, y = bundled("digits")
        model = TAOClassifier(init="oblique_cart", max_depth=5, lam=0.3, max_iter=5, random_state=0).fit(X, y)
        assert model.score(X, y) > 0.9
        assert model.trace_[-1].loss < model.initial_.loss
        assert model.initial_.n_features_used > 2 * model.initial_.n_decision

    def test_it_starts_trees_of_numbers(self, bundled):
        X, y = bundled("iris")
        model = TAORegressor(init="oblique_cart", max_depth=3, max_iter=2, lam=0.01, random_state=0).fit(X, y + 0.5)
        assert model.initial_.n_features_used > model.initial_.n_decision
        assert model.score(X, y + 0.5) > 0.9

    def test_other_splits_and_data_are_refused(self, bundled):
        X, y = bundled("iris")
        for split in ("univariate", "bivariate"):
            with pytest.raises(ParameterError, match="split='oblique'"):
                TAOClassifier(split=split, init="oblique_cart").fit(X, y)
        model = TAOClassifier(lam=1.0, init="oblique_cart", random_state=0)
        sparse, dense = (model.fit(rows, y).tree_.to_json() for rows in (scipy.sparse.csr_matrix(X), X))
        assert sparse == dense
