"""Test regression trees: every pass against a slow reference, the descent, statistics, and the estimator's contract."""

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets as bundled_sets
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests import naive
from tests.budget import budget
from tests.refusals import refused
from tests.strategies import datasets
from treecore import DataError, ParameterError, TAOClassifier, TAORegressor, Tree, regularization_path
from treecore.data.training_data import TrainingData
from treecore.initial import initial_tree
from treecore.node_solvers import make_solver
from treecore.training.tao import AlternatingOptimization
from treecore.tree.metrics import root_mean_squared_error, training_error

SPLITS = ["univariate", "bivariate", "oblique"]
MOST = {"univariate": 1, "bivariate": 2, "oblique": 30}


@pytest.fixture(scope="module")
def diabetes():
    return bundled_sets.load_diabetes(return_X_y=True)


@pytest.mark.parametrize("init", ["cart", "random"])
@pytest.mark.parametrize("split", SPLITS)
@settings(max_examples=20)
@given(dataset=datasets(), lam=st.sampled_from([0.0, 0.3, 5.0]), offset=st.sampled_from([0.0, 1e4]))
def test_every_step_equals_a_slow_reference(split, init, dataset, lam, offset):
    X, codes, weights = dataset
    y = codes * 1.5 + np.arange(len(X)) % 3 + offset
    data = TrainingData(X, y, None, weights)
    tree = initial_tree(init, data, 3, np.random.RandomState(0), max_features=MOST[split])
    solver = make_solver(data, split)
    run = AlternatingOptimization(data, tree, solver, lam, max_iter=3, keep_initial=solver.monotone, n_jobs=1)
    for step in run.steps():
        routing, values = run.tree.routing(), run.tree.labels
        visits = naive.visits(routing, X)
        leaves = naive.leaves(routing, X)
        loss = float(weights @ (values[leaves] - y) ** 2)
        wanted = loss + lam * run.tree.penalty()
        assert step.objective_after == pytest.approx(wanted, rel=1e-6, abs=1e-6)
        if solver.monotone:
            assert step.objective_after <= step.objective_before + 1e-7 * (1 + abs(step.objective_before))
        for node in step.nodes:
            rows = visits[node]
            if routing.left[node] < 0:
                mean = np.average(y[rows], weights=weights[rows])
                assert values[node] == pytest.approx(mean)
                continue
            if np.unique(y[rows]).size == 1:
                continue
            left, right = (
                np.array([(values[naive.path(routing, X[i], child)[-1]] - y[i]) ** 2 for i in rows])
                for child in (routing.left[node], routing.right[node])
            )
            gains = dict(zip(rows, weights[rows] * (left - right), strict=True))
            found = dict(zip(step.care_points(node), step.pseudolabels(node) * step.care_weights(node), strict=True))
            for row in rows:
                assert found.get(row, 0.0) == pytest.approx(gains[row], rel=1e-6, abs=1e-6 * max(1.0, offset))


@pytest.mark.parametrize("init", ["cart", "random"])
@pytest.mark.parametrize("split", SPLITS[:2])
@pytest.mark.parametrize("lam", [0.0, 500.0, 2e4])
def test_the_objective_falls_monotonically(diabetes, split, init, lam):
    model = TAORegressor(split=split, init=init, lam=lam, max_depth=6, random_state=0).fit(*diabetes)
    objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
    assert all(after <= before * (1 + 1e-12) for before, after in zip(objectives, objectives[1:], strict=False))
    assert objectives[-1] < objectives[0]


@pytest.mark.parametrize("split", SPLITS)
def test_leaves_hold_weight_mean_and_variance_of_their_rows(diabetes, split, rng):
    X, y = diabetes
    weights = rng.integers(0, 4, len(y)).astype(float)
    lam = 1.0 if split == "oblique" else 3e4
    tree = TAORegressor(split=split, lam=lam, max_depth=4, random_state=0).fit(X, y, weights).tree_
    assert tree.is_regression
    assert tree.n_decision >= 2
    for node, rows in enumerate(naive.visits(tree, X)):
        rows = [row for row in rows if weights[row] > 0]
        mean = np.average(y[rows], weights=weights[rows])
        variance = np.average((y[rows] - mean) ** 2, weights=weights[rows])
        np.testing.assert_allclose(tree.values[node], [weights[rows].sum(), mean, variance], rtol=1e-9)
        assert tree.n_samples[node] == len(rows)
    residuals = tree.predict(X) - y
    assert training_error(tree) == pytest.approx(np.sqrt(np.average(residuals**2, weights=weights)))
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert np.array_equal(again.predict(X), tree.predict(X))
    with refused(DataError, "A regression tree has no class probabilities"):
        tree.predict_proba(X)


def test_it_learns_what_a_line_parts(rng):
    X = rng.uniform(-1, 1, (800, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0.2, 5.0, -5.0) + 0.1 * rng.standard_normal(800)
    path = regularization_path(TAORegressor(split="bivariate", init="cart", random_state=0), X, y, [20.0, 200.0, 2e3])
    bivariate = TAORegressor(split="bivariate", init=path[-1].tree, lam=2e3).fit(X, y)
    assert bivariate.tree_.n_leaves == 2
    assert root_mean_squared_error(bivariate.tree_, X, y) < 1.0
    univariate = TAORegressor(split="univariate", init="cart", lam=20.0, random_state=0).fit(X, y)
    assert univariate.tree_.n_leaves > 8


@pytest.mark.parametrize("split", SPLITS)
def test_better_than_the_cart_that_it_starts_from(diabetes, split):
    X, y = diabetes
    cart = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, y)
    lam = 10.0 if split == "oblique" else 0.0
    model = TAORegressor(split=split, init="cart", max_depth=3, lam=lam, random_state=0).fit(X, y)
    assert root_mean_squared_error(model.tree_, X, y) <= np.sqrt(np.mean((cart.predict(X) - y) ** 2)) + 1e-9
    assert cross_val_score(clone(model).set_params(lam=2e4 if split != "oblique" else 50.0), X, y, cv=3).mean() > 0.2


@pytest.mark.parametrize("factor", [1e-9, 1e9])
@pytest.mark.parametrize("split", SPLITS)
def test_the_unit_of_the_target_does_not_matter(diabetes, split, factor):
    X, y = diabetes
    lam = 5.0 if split == "oblique" else 2e4
    one = TAORegressor(split=split, lam=lam, max_depth=3, random_state=0).fit(X, y)
    two = TAORegressor(split=split, lam=lam * factor**2, max_depth=3, random_state=0).fit(X, y * factor)
    assert two.tree_.n_leaves == one.tree_.n_leaves
    np.testing.assert_allclose(two.predict(X), one.predict(X) * factor, rtol=1e-3)


def test_frozen_nodes_and_warm_starts(diabetes):
    X, y = diabetes
    first = TAORegressor(split="bivariate", init="cart", max_depth=4, lam=1e4, random_state=0).fit(X, y)
    kept = first.tree_.origin.tolist()
    warm = TAORegressor(split="bivariate", init=first.tree_, frozen=kept, lam=1e4).fit(X, y + 100.0)
    np.testing.assert_allclose(warm.predict(X), first.predict(X))
    with refused(ParameterError, "init is a tree that predicts classes, but y contains"):
        TAORegressor(init=TAOClassifier(max_depth=2).fit(X, y > 100).tree_).fit(X, y)


@pytest.mark.parametrize("split", SPLITS)
def test_path_of_a_regressor(diabetes, split):
    X, y = diabetes
    model = TAORegressor(split=split, max_depth=4, random_state=0)
    path = regularization_path(model, X[::2], y[::2], 8, X[1::2], y[1::2])
    assert path[-1].n_decision <= 1
    point = path.best("one_se")
    assert path.best("min").validation_error <= point.validation_error
    losses = (point.tree.predict(X[1::2]) - y[1::2]) ** 2
    assert point.validation_error == pytest.approx(np.sqrt(losses.mean()))
    assert point.validation_spread == pytest.approx(losses.std() / np.sqrt(losses.size) / 2 / np.sqrt(losses.mean()))


def test_bad_targets_are_refused(diabetes):
    X, y = diabetes
    for bad, words in ((np.where(y > 200, np.nan, y), "NaN"), (y * 1e300, "1e\\+30"), (np.column_stack([y, y]), "1d")):
        with pytest.raises(DataError, match=words):
            TAORegressor(split="univariate").fit(X, bad)
    frame = pandas.DataFrame(X, columns=[f"a{i}" for i in range(X.shape[1])])
    assert TAORegressor(max_depth=2).fit(frame, y).tree_.feature_names[0] == "a0"


def test_a_constant_target_is_one_leaf(diabetes):
    X, _ = diabetes
    for split in SPLITS:
        tree = TAORegressor(split=split, lam=0.0, max_depth=3).fit(X, np.full(len(X), 7.25)).tree_
        assert tree.n_nodes == 1
        assert (tree.predict(X) == 7.25).all()


KINDS = [
    TAORegressor("univariate", 1.0, init="cart", max_depth=2, leaf="linear"), TAORegressor(lam=0.1, max_depth=5),
    TAORegressor(split="bivariate", init="cart", max_depth=4), TAORegressor(split="univariate", init="cart"),
]  # fmt: skip


@pytest.mark.nightly
@parametrize_with_checks(budget(KINDS[:1], KINDS))
def test_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("split", SPLITS[:2])
def test_heavy_weights_do_not_make_the_objective_rise(split):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((150, 3))
        X[rng.random(X.shape) < 0.2] = np.nan
        y, weights = 1e3 * rng.standard_normal(150), 10.0 ** rng.integers(-3, 8, 150)
        model = TAORegressor(split=split, init="cart", lam=1.0, missing="learn", random_state=0).fit(X, y, weights)
        objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
        assert min(objectives) == pytest.approx(objectives[-1], rel=1e-6)
        assert objectives[-1] <= objectives[0] * (1 + 1e-9)


def test_bad_validation_targets_are_refused(diabetes):
    X, y = diabetes
    for bad in (np.where(y > 200, np.nan, y), y.astype(str).tolist()[:-1] + ["many"], [None] * len(y)):
        with pytest.raises(DataError, match="y_val"):
            regularization_path(TAORegressor(split="univariate", max_depth=2), X, y, 3, X, bad)
    with refused(DataError, "y must contain numbers for a regression tree"):
        TAORegressor(split="univariate").fit(X, np.where(y > 200, "high", "low"))


@pytest.mark.parametrize("seed", range(6))
def test_no_split_is_kept_within_equal_targets(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 4))
    y = (X[:, seed % 4] > rng.normal()).astype(float)
    assert TAORegressor("univariate", 10.0, init="cart").fit(X, y).tree_.n_leaves == 2
    assert TAORegressor(random_state=0).fit(X, y).tree_.n_leaves <= 4
    counts = rng.poisson(1.0 + (X[:, 0] > 0)).astype(float)
    tree = TAORegressor("univariate", 0.0, init="cart", max_depth=9, min_samples_leaf=2).fit(X, counts).tree_
    below = [np.unique(counts[(tree.decision_path(X)[:, node].toarray() > 0).ravel()]) for node in range(tree.n_nodes)]
    assert all(below[node].size > 1 for node in range(tree.n_nodes) if not tree.is_leaf(node))
