"""Test CO2 stumps and trees: the bound, its descent, separable data, and extreme settings."""

import numpy as np
import pytest
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from tests.fitted import check_predictions
from tests.refusals import refused
from treecore import CO2Classifier, CO2Regressor, ParameterError
from treecore.baselines import co2_kernels
from treecore.baselines.co2_stump import CO2Search, threshold_search
from treecore.data.training_data import TrainingData
from treecore.initial import greedy

both_losses = pytest.mark.parametrize("squared", [False, True])


def leaf_loss(theta, target, squared=False):
    return (theta[0] - target) ** 2 if squared else np.log(np.exp(theta).sum()) - theta[int(target)]


def naive_losses(rows, targets, squared, weights, w, theta):
    """Return (surrogate, loss), weighted means by Eqs. 2, 3, 4 and 10 of Norouzi et al. 2015b."""
    surrogate = loss = 0.0
    for x, target, v in zip(rows.astype(float), targets, weights, strict=True):
        value, left, right = w @ x, *(leaf_loss(leaf, target, squared) for leaf in theta)
        surrogate += v * (max(left - value, right + value) - abs(value))
        loss += v * (right if value >= 0 else left)
    return surrogate / weights.sum(), loss / weights.sum()


def random_stump(rng, squared, m=30, d=3, k=4):
    rows = np.hstack([rng.standard_normal((m, d)), np.ones((m, 1))]).astype(np.float32)
    weights = rng.integers(1, 4, m).astype(float)
    size = 10 ** rng.uniform(-2, 2)
    targets, theta = rng.integers(0, k, m).astype(float), 3 * rng.standard_normal((2, k))
    if squared:
        targets, theta = rng.standard_normal(m), theta[:, :1].copy()
    return rows, targets, squared, weights, size * rng.standard_normal(d + 1), theta


def stump_losses(rows, targets, squared, weights, w, theta):
    return co2_kernels.stump_losses(rows, targets, squared, weights, w, theta, np.empty(len(rows), bool))


@both_losses
def test_the_surrogate_bounds_the_loss_and_tightens_with_the_norm(rng, squared):
    for _ in range(100):
        rows, targets, squared, weights, w, theta = random_stump(rng, squared)
        sides = np.empty(len(rows), bool)
        surrogate, loss = co2_kernels.stump_losses(rows, targets, squared, weights, w, theta, sides)
        assert (surrogate, loss) == pytest.approx(naive_losses(rows, targets, squared, weights, w, theta), rel=1e-9)
        assert surrogate >= loss - 1e-12
        assert np.array_equal(sides, rows.astype(float) @ w >= 0)
        assert stump_losses(rows, targets, squared, weights, 2 * w, theta)[0] <= surrogate + 1e-12
        assert stump_losses(rows, targets, squared, weights, 1e9 * w, theta)[0] == pytest.approx(loss, rel=1e-3)


@both_losses
def test_one_step_follows_the_gradient_of_the_surrogate(rng, squared):
    for _ in range(20):
        rows, targets, squared, weights, w, theta = random_stump(rng, squared)
        before, rate = stump_losses(rows, targets, squared, weights, w, theta)[0], 1e-5
        slope = np.zeros(w.size + theta.size)
        for i in range(slope.size):
            step = np.zeros(slope.size)
            step[i] = 1e-6
            up, down = (
                naive_losses(
                    rows,
                    targets,
                    squared,
                    weights,
                    w + s * step[: w.size],
                    theta + s * step[w.size :].reshape(theta.shape),
                )[0]
                for s in (1, -1)
            )
            slope[i] = (up - down) / 2e-6
        new_w, new_theta = w.copy(), theta.copy()
        trace = co2_kernels.optimise_stump(
            rows, targets, squared, weights, np.zeros(1, np.int64), 1, 1e9, rate, 0.0, 100, 5, 0, new_w, new_theta
        )
        moved = np.concatenate([new_w - w, (new_theta - theta).ravel()])
        np.testing.assert_allclose(moved, -rate * slope, atol=1e-9)
        assert trace[1] < trace[0] == before


@both_losses
@pytest.mark.parametrize("batch_size", [7, 100])
def test_an_epoch_keeps_the_signs_of_its_beginning(rng, batch_size, squared):
    for _ in range(20):
        rows, targets, squared, weights, w, theta = random_stump(rng, squared)
        m, signs, rate = len(rows), np.where(rows.astype(float) @ w >= 0, 1.0, -1.0), 0.1 / weights.max()
        new_w, new_theta, at = w.copy(), theta.copy(), 25
        for _ in range(6):
            batch = (at + np.arange(min(batch_size, m))) % m
            at += batch.size
            slope_w, slope_theta = np.zeros_like(w), np.zeros_like(theta)
            for i in batch:
                value = new_w @ rows[i]
                left, right = (leaf_loss(leaf, targets[i], squared) for leaf in new_theta)
                side = 0 if left - value >= right + value else 1
                slope_w += weights[i] * ((-1, 1)[side] - signs[i]) * rows[i]
                shares = np.exp(new_theta[side]) / np.exp(new_theta[side]).sum()
                slope = shares - (np.arange(shares.size) == targets[i])
                slope_theta[side] += weights[i] * (2 * (new_theta[side] - targets[i]) if squared else slope)
            new_w -= rate * slope_w / weights[batch].sum()
            new_theta -= rate * slope_theta / weights[batch].sum()
        before, after = (
            stump_losses(rows, targets, squared, weights, *pair)[0] for pair in ((w, theta), (new_w, new_theta))
        )
        trace = co2_kernels.optimise_stump(
            rows, targets, squared, weights, np.array([25]), 6, 1e9, rate, 0.0, batch_size, 5, 0, w, theta
        )
        np.testing.assert_allclose(trace, [before, after], rtol=1e-6)
        if after < before:
            np.testing.assert_allclose(np.append(w, theta), np.append(new_w, new_theta), atol=1e-6)


@pytest.mark.parametrize("nu", [0.1, 1.0, 43.0])
def test_the_surrogate_falls_and_the_norm_stays_bounded(rng, nu):
    X = rng.standard_normal((300, 4))
    y = (X @ [1.0, -1.0, 0.5, 0.0] > 0.3) + 2 * (X[:, 3] > 1)
    node = node_of(X, y)
    search = CO2Search(nu, 0.03, 0.9, 100, 50, threshold_search(None))
    stump = search.stump(node, search.start(node))
    assert stump.trace.min() < 0.9 * stump.trace[0]
    assert stump.w @ stump.w <= nu * (1 + 1e-9)
    order = stump.order
    targets = node.channels[order]
    surrogate, loss = naive_losses(stump.rows, targets, False, node.weights[order], stump.w, stump.theta)
    assert surrogate == pytest.approx(stump.trace.min(), rel=1e-5)
    assert loss <= surrogate
    scaled = (X - node.data.center) * node.data.inverse_scale
    values = scaled @ stump.coefficients[:-1] + stump.coefficients[-1]
    np.testing.assert_allclose(values[order], stump.rows @ stump.w, atol=1e-5 * abs(values).max())
    np.testing.assert_allclose(stump.rows[:, :-1].mean(axis=0), 0, atol=1e-6)


def node_of(X, y, weights=None, scale="standard"):
    data = TrainingData(X, y, int(max(y)) + 1, weights, scale)
    return greedy.Node(data, np.flatnonzero(data.inverse_scale), np.arange(data.n_rows), data.weights, 0)


@pytest.mark.parametrize("scale", ["standard", "minmax"])
@pytest.mark.parametrize("init", ["univariate", "oc1"])
def test_separable_classes_are_separated_by_one_split(rng, scale, init):
    for _ in range(5):
        direction = rng.standard_normal(5)
        X = rng.standard_normal((400, 5))
        margin = X @ direction / np.linalg.norm(direction)
        X, y = X[abs(margin) > 0.3] * [1, 10, 100, 1, 1] + 1000, margin[abs(margin) > 0.3] > 0
        model = CO2Classifier(nu=100.0, init=init, scale=scale, max_depth=1, n_epochs=200, random_state=0).fit(X, y)
        assert model.score(X, y) == 1.0
        assert model.tree_.n_decision == 1


def test_a_stump_beats_the_threshold_that_it_begins_with(bundled):
    X, y = bundled("digits")
    node = node_of(X, y)
    threshold = threshold_search(None)(node)
    split = CO2Search(10.0, 0.03, 0.9, 100, 50, threshold_search(None))(node)
    assert node.score(node.goes_right(split)) > node.score(node.goes_right(threshold))
    assert split.features.size > 2


@pytest.mark.parametrize("name", ["wine", "breast_cancer", "digits"])
def test_trees_are_valid_and_generalise(bundled, name):
    X, y = bundled(name)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)
    model = CO2Classifier(nu=4.0, random_state=0).fit(X, y)
    cart = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.score(X_test, y_test) >= cart.score(X_test, y_test) - 0.03
    assert model.tree_.n_leaves <= cart.get_n_leaves()
    check_predictions(model, X_test)
    assert model.tree_.n_samples[0] == len(y)


def test_numbers_are_learned_whatever_their_unit(rng):
    X = rng.uniform(-1, 1, (500, 3))
    y = 4.0 * (X @ [1.0, -0.7, 0.2] > 0.1) + 0.1 * rng.standard_normal(500)
    for unit, offset in ((1.0, 0.0), (1e-6, 1.0), (1e9, -1e12)):
        model = CO2Regressor(max_depth=1, nu=100.0, random_state=0).fit(X, unit * y + offset)
        assert model.score(X, unit * y + offset) > 0.9
        check_predictions(model, X)
    node = greedy.Node(TrainingData(X, y, None), np.arange(3), np.arange(500), np.ones(500), 0)
    search = CO2Search(10.0, 0.3, 0.9, 100, 50, threshold_search(None))
    stump = search.stump(node, search.start(node))
    targets = ((y - y.mean()) / y.std())[stump.order]
    surrogate, loss = naive_losses(stump.rows, targets, True, np.ones(500), stump.w, stump.theta)
    assert surrogate == pytest.approx(stump.trace.min(), rel=1e-5)
    assert loss <= surrogate < 0.9 * stump.trace[0]


def test_large_offsets_and_small_widths_do_no_harm(rng):
    X = rng.standard_normal((200, 2))
    y = X[:, 0] > X[:, 1]
    for factor, offset in ((1e-30, 0.0), (1e25, 0.0), (1.0, 1e9)):
        assert CO2Classifier(random_state=0).fit(factor * X + offset, y).score(factor * X + offset, y) == 1.0


@pytest.mark.parametrize("options", [{}, {"nu": 1e30}, {"learning_rate": 1e30}, {"scale": None}, {"batch_size": 1}])
def test_extreme_settings_still_give_a_tree(bundled, options):
    X, y = bundled("iris")
    tree = CO2Classifier(max_depth=2, n_epochs=3, random_state=0, **options).fit(X, y).tree_
    assert np.mean(tree.predict(X) == y) > 0.6


def test_threads_and_random_state(bundled):
    X, y = bundled("wine")
    options = {"validation_fraction": 0.2, "n_candidate_features": 3}
    one, two, again = (CO2Classifier(n_jobs=n, random_state=3, **options).fit(X, y).tree_ for n in (1, 2, 3))
    assert one == two == again
    assert one != CO2Classifier(random_state=4, **options).fit(X, y).tree_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nu": 0}, "nu=0: expected a finite number >= … and <="),
        ({"nu": "ten"}, "nu='ten': expected a finite number >= … and <="),
        ({"learning_rate": -1.0}, "learning_rate=…: expected a finite number >= … and <="),
        ({"momentum": 1.0}, "momentum=…: expected a number below 1, such as 0.9"),
        ({"momentum": -0.5}, "momentum=-0.5: expected a finite number >="),
        ({"batch_size": 0}, "batch_size=0: expected a whole number >="),
        ({"n_epochs": 0}, "n_epochs=0: expected a whole number >="),
        ({"init": "cart"}, "init='cart': expected one of"),
        ({"validation_fraction": "few"}, "='few': expected a finite number >="),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        CO2Classifier(**options).fit(*bundled("iris"))
