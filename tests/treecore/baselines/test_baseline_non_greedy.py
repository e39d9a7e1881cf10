"""Test non-greedy trees: inference against brute force over sign vectors, the bound, the descent."""

import itertools

import numpy as np
import pytest

from tests.fitted import check_predictions
from tests.refusals import refused
from tests.strategies import random_shape
from treecore import NonGreedyClassifier, NonGreedyRegressor, ParameterError, TAOClassifier
from treecore.baselines import non_greedy_kernels as kernels
from treecore.baselines.non_greedy import SurrogateTraining, flat_shape, parameters_of
from treecore.data.training_data import TrainingData
from treecore.initial.cart import cart_tree
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

both_losses = pytest.mark.parametrize("squared", [False, True])


def loss_in(parameters, leaf, target):
    theta = parameters.theta[leaf]
    return (theta[0] - target) ** 2 if parameters.squared else np.log(np.exp(theta).sum()) - theta[int(target)]


def targets_of(rng, squared, n=20):
    return rng.standard_normal(n) if squared else rng.integers(0, 3, n).astype(float)


def random_problem(rng, n_decisions, n_classes=3, p=3, scale=1.0, squared=False):
    """Return (working tree, Shape, Parameters, x float64[p], target) with a random structure."""
    left, right = random_shape(rng, n_decisions)
    splits = [None if child < 0 else Split(np.zeros(1, np.int32), np.ones(1), 0.0, 0.0) for child in left]
    working = WorkingTree(left, right, splits, np.zeros(len(left)), np.arange(len(left)))
    weights = scale * rng.standard_normal((n_decisions, p))
    theta = 2 * rng.standard_normal((n_decisions + 1, 1 if squared else n_classes))
    target = float(targets_of(rng, squared, 1)[0])
    return working, flat_shape(working), parameters_of(weights, theta, squared), rng.standard_normal(p), target


def leaf_of_signs(working, signs):
    """Return the number of the leaf to which a vector of signs (one per decision node) leads."""
    number = {int(node): i for i, node in enumerate(working.decisions)}
    leaves = np.flatnonzero(working.left < 0).tolist()
    node = 0
    while node in number:
        node = int(working.right[node] if signs[number[node]] > 0 else working.left[node])
    return leaves.index(node)


def brute_force(working, parameters, x, label, most_flips, wanted_leaf=None):
    """Return the largest ``g .

    W x + loss`` over sign vectors with at most `most_flips` changed signs, minus that of sgn(W x).
    """
    margins = parameters.weights @ x
    own = np.where(margins >= 0, 1, -1)
    best = -np.inf
    for signs in itertools.product((-1, 1), repeat=margins.size):
        if np.sum(own != signs) > most_flips:
            continue
        leaf = leaf_of_signs(working, signs)
        if wanted_leaf is None:
            best = max(best, np.dot(signs, margins) + loss_in(parameters, leaf, label))
        elif leaf == wanted_leaf:
            best = max(best, np.dot(signs, margins))
    return best - own @ margins


@both_losses
@pytest.mark.parametrize("scale", [0.1, 1.0, 5.0])
def test_inference_equals_brute_force(rng, scale, squared):
    for _ in range(25):
        n_decisions = int(rng.integers(1, 9))
        working, shape, parameters, x, label = random_problem(rng, n_decisions, scale=scale, squared=squared)
        buffers = np.empty(shape.depth + 1, np.int64), np.empty(shape.depth + 1)
        own = leaf_of_signs(working, np.where(parameters.weights @ x >= 0, 1, -1))
        for infer, flips in ((kernels.exact_inference, n_decisions), (kernels.fast_inference, 1)):
            value, leaf, reached = infer(shape, parameters, x, label, *buffers)
            assert value == pytest.approx(brute_force(working, parameters, x, label, flips))
            assert reached == own
            loss = loss_in(parameters, leaf, label)
            assert value == pytest.approx(kernels.path_score(shape, parameters.weights, leaf, x) + loss)
        for leaf in range(n_decisions + 1):
            score = kernels.path_score(shape, parameters.weights, leaf, x)
            assert score == pytest.approx(brute_force(working, parameters, x, label, n_decisions, leaf))


def test_ties_and_zero_margins_keep_the_leaf_of_the_point(rng):
    _, shape, parameters, x, label = random_problem(rng, 6)
    parameters.weights[:] = 0.0
    parameters.theta[:] = 1.0
    for leaf in range(7):
        kernels.normalise(parameters.theta, parameters.normaliser, leaf)
    for infer in (kernels.exact_inference, kernels.fast_inference):
        value, leaf, own = infer(shape, parameters, x, label, np.empty(8, np.int64), np.empty(8))
        assert value == pytest.approx(np.log(3))
        assert leaf == own


@both_losses
@pytest.mark.parametrize("stable", [False, True])
def test_the_surrogate_is_an_upper_bound_of_the_loss(rng, stable, squared):
    for _ in range(30):
        working, shape, parameters, _, _ = random_problem(
            rng, int(rng.integers(1, 12)), scale=rng.exponential(), squared=squared
        )
        rows, labels = rng.standard_normal((20, 3)), targets_of(rng, squared)
        assigned = rng.integers(0, working.n_leaves, 20).astype(np.int32)
        row_weights = rng.exponential(size=20)
        given = shape, parameters, rows, labels, row_weights, assigned
        exact, loss = kernels.surrogate(*given, True, stable)
        fast, same_loss = kernels.surrogate(*given, False, stable)
        assert exact + 1e-9 >= fast >= loss - 1e-9  # fewer sign vectors give a smaller, still valid bound
        assert same_loss == loss
        total = 0.0
        for x, label, weight in zip(rows, labels, row_weights, strict=True):
            leaf = leaf_of_signs(working, np.where(parameters.weights @ x >= 0, 1, -1))
            total += weight * loss_in(parameters, leaf, label)
        assert loss == pytest.approx(total)


def test_longer_weights_make_the_bound_tighter(rng):
    for _ in range(20):
        _, shape, parameters, _, _ = random_problem(rng, 6)
        rows, labels = rng.standard_normal((20, 3)), targets_of(rng, False)
        bounds = []
        for factor in (1.0, 2.0, 8.0):
            longer = parameters_of(factor * parameters.weights, parameters.theta)
            bounds.append(
                kernels.surrogate(shape, longer, rows, labels, np.ones(20), np.zeros(20, np.int32), True, False)[0]
            )
        assert bounds[0] >= bounds[1] - 1e-9 >= bounds[2] - 2e-9


@both_losses
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("stable", [False, True])
def test_one_step_follows_the_gradient_of_the_bound(rng, exact, stable, squared):
    for _ in range(5):
        working, shape, parameters, _, _ = random_problem(rng, 5, squared=squared)
        rows, labels = rng.standard_normal((12, 3)), targets_of(rng, squared, 12)
        assigned = rng.integers(0, working.n_leaves, 12).astype(np.int32)
        row_weights = rng.exponential(size=12)

        def bound(weights, theta, given=(shape, rows, labels, row_weights, assigned)):
            shape, *rest = given
            return kernels.surrogate(shape, parameters_of(weights, theta, squared), *rest, exact, stable)[0] / 12

        before = parameters.weights.copy(), parameters.theta.copy()
        active = np.empty(6, np.bool_)
        kernels.epoch(
            shape, parameters, rows, labels, row_weights, np.arange(12), assigned, exact, stable, 12, 1.0, 0.9, 1e12,
            active,
        )  # fmt: skip
        after = parameters.weights, parameters.theta
        for k in range(2):
            for place in np.ndindex(before[k].shape):
                moved = [[a.copy() for a in before] for _ in range(2)]
                moved[0][k][place] += 1e-6
                moved[1][k][place] -= 1e-6
                slope = (bound(*moved[0]) - bound(*moved[1])) / 2e-6
                assert before[k][place] - after[k][place] == pytest.approx(slope, abs=1e-5)


@pytest.mark.parametrize("inference", ["fast", "exact"])
@pytest.mark.parametrize("stable", [False, True])
def test_descent_lowers_the_bound_and_respects_nu(bundled, inference, stable):
    X, y = bundled("breast_cancer")
    data = TrainingData(X, y, 2)
    training = SurrogateTraining(data, cart_tree(data, 4, np.random.RandomState(0)), 2.0)
    settings = NonGreedyClassifier(nu=2.0, n_epochs=30, inference=inference, stable=stable)
    before, loss = training.bound(inference == "exact", stable)
    assert before >= loss
    trace = training.descend(settings, np.random.RandomState(0))
    after, loss = training.bound(inference == "exact", stable)
    assert loss <= after < 0.5 * before
    assert (np.square(training.parameters.weights).sum(axis=1) <= 2.0 + 1e-9).all()
    assert len(trace) == 30
    assert all(record.bound >= record.loss - 1e-9 for record in trace)
    assert all(1 <= record.n_active <= training.working.n_leaves for record in trace)


def test_slanted_classes_are_separated(rng):
    X = rng.uniform(-1, 1, (800, 2))
    margin = X[:, 0] + 0.8 * X[:, 1]
    X, y = X[np.abs(margin) > 0.1], (margin > 0)[np.abs(margin) > 0.1]
    cart = NonGreedyClassifier(max_depth=2, n_epochs=0, init="cart").fit(X, y)
    model = NonGreedyClassifier(max_depth=2, nu=100.0, n_epochs=200, init="cart", random_state=0).fit(X, y)
    assert cart.score(X, y) < 0.95
    assert model.score(X, y) == 1.0
    assert model.trace_[-1].bound < 0.1 * model.trace_[0].bound


def test_numbers_are_learned_whatever_their_unit(rng):
    X = rng.uniform(-1, 1, (800, 2))
    margin = X[:, 0] + 0.8 * X[:, 1]
    X, y = X[np.abs(margin) > 0.1], np.where(margin > 0, 3.0, -1.0)[np.abs(margin) > 0.1]
    for unit, offset in ((1.0, 0.0), (1e9, -1e12)):
        numbers = unit * y + offset
        start = NonGreedyRegressor(max_depth=2, n_epochs=0, init="cart").fit(X, numbers)
        model = NonGreedyRegressor(max_depth=2, nu=100.0, n_epochs=200, init="cart", random_state=0).fit(X, numbers)
        assert start.score(X, numbers) < 0.9 < model.score(X, numbers)
        assert all(record.bound >= record.loss - 1e-9 for record in model.trace_)
        check_predictions(model, X)


def test_it_starts_from_a_tree_of_co2_stumps(bundled):
    X, y = bundled("breast_cancer")
    start = NonGreedyClassifier(max_depth=3, n_epochs=0, random_state=0).fit(X, y)
    assert start.tree_.features_per_node > 1
    assert start.tree_.depth <= 3
    assert start.score(X, y) > 0.95


def test_without_epochs_the_initial_tree_is_kept(bundled):
    X, y = bundled("wine")
    start = TAOClassifier(split="univariate", init="cart", max_depth=3, max_iter=0, random_state=0).fit(X, y).tree_
    model = NonGreedyClassifier(init=start, n_epochs=0).fit(X, y)
    assert np.array_equal(model.predict(X), start.predict(X))
    assert np.array_equal(model.tree_.origin, start.origin)


def test_an_oblique_tree_can_be_trained_on(bundled):
    X, y = bundled("wine")
    start = TAOClassifier(lam=1.0, max_depth=2, random_state=0).fit(X, y).tree_
    model = NonGreedyClassifier(init=start, n_epochs=50, random_state=0).fit(X, y)
    assert model.score(X, y) >= start.predict(X).__eq__(y).mean() - 0.01
    assert set(model.tree_.origin.tolist()) <= set(start.origin.tolist())


def test_the_tree_is_in_raw_units(bundled):
    X, y = bundled("breast_cancer")
    for scale in ("standard", "minmax", None):
        model = NonGreedyClassifier(n_epochs=20, scale=scale, random_state=0).fit(X, y)
        assert model.score(X, y) > 0.85
        check_predictions(model, X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nu": 0.0}, "nu=…: expected a finite number >= … and <="),
        ({"nu": float("nan")}, "nu=…: expected a finite number >= … and <="),
        ({"learning_rate": -1}, "learning_rate=-1: expected a finite number >= … and <="),
        ({"momentum": 1.0}, "momentum=…: expected a finite number >= … and <="),
        ({"n_epochs": -1}, "n_epochs=…: expected a whole number >="),
        ({"batch_size": 0}, "batch_size=0: expected a whole number >="),
        ({"inference": "slow"}, "inference=…: expected 'fast' or 'exact'"),
        ({"stable": "yes"}, "stable=…: expected True (stable SGD) or False (plain SGD)"),
        ({"init": "random"}, "init=…: expected 'co2', 'cart' or a Tree"),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        NonGreedyClassifier(**options).fit(*bundled("iris"))


def test_initial_trees_of_other_data_are_refused(bundled):
    X, y = bundled("iris")
    tree = NonGreedyClassifier(n_epochs=1).fit(X, y).tree_
    with refused(ParameterError, "init is a tree with 4 features, but X has"):
        NonGreedyClassifier(init=tree).fit(X[:, :3], y)
    with refused(ParameterError, "init is a tree for the classes …, but y has"):
        NonGreedyClassifier(init=tree).fit(X, y + 1)
    with refused(ParameterError, "init is a tree that predicts classes, but y contains numbers"):
        NonGreedyRegressor(init=tree).fit(X, y + 0.5)
