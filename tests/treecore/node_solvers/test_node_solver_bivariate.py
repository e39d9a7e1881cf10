"""Test bivariate nodes: the optimum over constants, thresholds and lines, against brute force over all lines."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_data
from benchmarks.line_search import PROBLEMS, compare
from tests import naive
from tests.budget import budget
from tests.refusals import refused
from tests.strategies import reduced_problems
from treecore import DataError, TAOClassifier, regularization_path
from treecore.data.training_data import TrainingData
from treecore.node_solvers.bivariate import BivariateSolver
from treecore.node_solvers.pair_kernels import best_cut, best_direction, standardise
from treecore.tree.split import Split, constant_split, same_split

LAMBDAS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 100.0])
COSTS = st.sampled_from([1.0, 1.25, 3.0])


def solver_of(X, weights, cost=1.25, exactness="auto"):
    return BivariateSolver(TrainingData(X, np.zeros(len(X), int), 1, weights), cost, 60, exactness)


def value(split, X, targets, weights, lam):
    return naive.split_loss(split, X, targets, weights) + lam * split.penalty


@settings(max_examples=budget(30, 1500), deadline=None)
@given(reduced_problems(), LAMBDAS, COSTS)
def test_the_exact_optimum_equals_brute_force_over_all_lines(problem, lam, cost):
    X, targets, weights = problem
    split = solver_of(X, weights, cost, "exact").solve(0, len(X), targets * weights, lam, constant_split(True))
    assert len(split.features) <= 2
    assert split.penalty == [0.0, 1.0, cost][len(split.features)]
    assert (np.diff(split.features) > 0).all()
    usable = X.min(axis=0) < X.max(axis=0)
    wanted = naive.best_bivariate(X[:, usable], targets, weights, lam, cost)
    assert value(split, X, targets, weights, lam) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=budget(30, 1500), deadline=None)
@given(reduced_problems(), LAMBDAS, st.sampled_from(["auto", "screened"]))
def test_no_solution_is_worse_than_the_current_split_or_the_best_threshold(problem, lam, exactness):
    X, targets, weights = problem
    solver = solver_of(X, weights, exactness=exactness)
    current = Split(np.array([0], np.int32), np.array([-2.0]), 1.0, 1.0)
    split = solver.solve(0, len(X), targets * weights, lam, current)
    found = value(split, X, targets, weights, lam)
    assert found <= value(current, X, targets, weights, lam) + 1e-9
    usable = X.min(axis=0) < X.max(axis=0)
    assert found <= naive.best_univariate(X[:, usable], targets, weights, lam) + 1e-9
    again = solver.solve(0, len(X), targets * weights, lam, split)
    assert value(again, X, targets, weights, lam) <= found + 1e-9


@pytest.mark.parametrize("shape", ["random", "grid", "collinear", "repeated", "two"])
def test_the_rotating_line_is_exact_on_awkward_points(rng, shape):
    m = 2 if shape == "two" else 11
    for _ in range(20):
        x, y = rng.standard_normal((2, m))
        if shape == "grid":
            x, y = rng.integers(0, 4, (2, m)).astype(float)
        elif shape == "collinear":
            x, y = np.outer([1.0, 2.0], rng.integers(0, 6, m))
        elif shape == "repeated":
            x, y = np.repeat(rng.standard_normal((2, 4)), 3, axis=1)[:, :m]
        targets = rng.choice([-1, 1], m)
        weights = rng.integers(1, 4, m).astype(float)
        signed = targets * weights
        score, angle = best_direction(x, y, signed)
        loss = signed[signed > 0].sum() - max(score, signed.sum(), 0.0)
        assert loss == pytest.approx(naive.best_line(x, y, targets, weights), abs=1e-9)
        # The direction must really have such a threshold.
        cut = best_cut(y * np.cos(angle) - x * np.sin(angle), signed, 1e-12)[0]
        assert max(cut, signed.sum(), 0.0) == pytest.approx(max(score, signed.sum(), 0.0), abs=1e-9)


def test_a_line_is_found_where_no_threshold_helps(rng):
    X = rng.uniform(-1, 1, (400, 5))
    targets = np.where(X[:, 1] - 0.7 * X[:, 3] > 0.1, 1, -1).astype(np.int8)
    for exactness in ("auto", "exact"):
        split = solver_of(X, np.ones(400), exactness=exactness).solve(0, 400, targets, 1.0, constant_split(True))
        assert split.features.tolist() == [1, 3]
        assert naive.split_loss(split, X, targets, np.ones(400)) == 0
    screened = solver_of(X, np.ones(400), exactness="screened").solve(0, 400, targets, 1.0, constant_split(True))
    assert naive.split_loss(screened, X, targets, np.ones(400)) <= 8


def test_screening_finds_the_right_pair_among_many(rng):
    X = rng.standard_normal((600, 40))
    targets = np.where(X[:, 11] + 1.3 * X[:, 29] > 0.2, 1, -1).astype(np.int8)
    split = solver_of(X, np.ones(600)).solve(0, 600, targets, 1.0, constant_split(True))
    assert split.features.tolist() == [11, 29]
    assert naive.split_loss(split, X, targets, np.ones(600)) <= 3


@pytest.mark.parametrize("kind", ["normal", "lognormal", "heavy tails"])
def test_no_more_errors_than_the_enumeration_of_the_paper_whatever_the_tails(kind):
    theirs, ours, *_ = compare(PROBLEMS[kind], 6)
    assert ours.sum() <= theirs.sum()


def test_standardising_looks_at_the_bulk_of_a_feature(rng):
    bulk = rng.normal(5.0, 2.0, 999)
    raw = np.array(
        [np.r_[bulk, 1e9], np.r_[np.zeros(900), np.arange(100.0)], np.full(1000, 3.0), np.full(1000, np.nan)]
    )
    raw[0, 7] = np.nan
    scaled, widths = np.empty(raw.shape), np.empty(4)
    standardise(raw, scaled, widths)
    assert 2.0 < widths[0] < 3.5  # the middle half of a normal distribution is 1.35 standard deviations wide
    assert widths[1] == pytest.approx(raw[1].mean())
    assert widths[2:].tolist() == [0.0, 0.0]
    assert abs(np.nanmedian(scaled[0])) < 0.3
    assert np.isnan(scaled[0, 7])
    assert not scaled[2].any()


def test_a_line_that_was_found_at_another_cost_does_not_replace_one_as_good(rng):
    X = rng.standard_normal((80, 4))
    targets = np.where(X[:, 1] + X[:, 2] > 0, 1, -1).astype(np.int8)
    solver = solver_of(X, np.ones(80), cost=1.0)
    line = solver.solve(0, 80, targets, 0.5, constant_split(True))
    as_good = line._replace(weights=line.weights * 2, bias=line.bias * 2, penalty=1.25)
    solver.set_cost(1.25)
    assert solver.solve(0, 80, targets, 0.5, as_good) is as_good


def test_the_price_of_the_second_feature_decides(rng):
    X = rng.uniform(-1, 1, (60, 2))
    targets = np.where(X[:, 0] + 0.2 * X[:, 1] > 0, 1, -1).astype(np.int8)
    sizes = [
        solver_of(X, np.ones(60), cost).solve(0, 60, targets, 1.0, constant_split(True)).features.size
        for cost in (1.0, 1.25, 50.0)
    ]
    assert sizes == [2, 2, 1]


def test_the_solver_cache_does_not_depend_on_lambda_or_the_order_of_rows(rng):
    X = rng.standard_normal((80, 4))
    targets = rng.choice([-1, 0, 1], 80).astype(np.int8)
    solver = solver_of(X, np.ones(80))
    for lam in (3.0, 0.5, 1.0, 0.0):
        warm = solver.solve(0, 80, targets, lam, constant_split(True))
        cold = solver_of(X, np.ones(80)).solve(0, 80, targets, lam, constant_split(True))
        assert same_split(warm, cold)
    order = rng.permutation(80)
    solver.data.reorder(order, lambda task, items: [task(item) for item in items])
    moved = solver.solve(0, 80, targets[order], 0.5, constant_split(True))
    assert same_split(moved, solver_of(X, np.ones(80)).solve(0, 80, targets, 0.5, constant_split(True)))
    assert len(solver._memory) == 1


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer", "checkerboard", "moons"])
@pytest.mark.parametrize("lam", [0.3, 2.0])
def test_the_objective_falls_monotonically(name, lam):
    data = sample_data.load(name)
    model = TAOClassifier(split="bivariate", init="cart", lam=lam, random_state=0).fit(data.X, data.y)
    objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
    assert all(after <= before + 1e-9 for before, after in zip(objectives, objectives[1:], strict=False))
    assert np.diff(model.tree_.indptr).max() <= 2
    assert np.array_equal(model.tree_.predict(data.X), model.predict(data.X))


def test_a_path_ends_in_a_single_leaf():
    data = sample_data.load("iris")
    model = TAOClassifier(split="bivariate", init="cart", random_state=0)
    path = regularization_path(model, data.X, data.y, 8)
    assert path.trees[-1].n_leaves == 1
    assert path.trees[0].n_leaves >= 3


@pytest.mark.parametrize(
    "X",
    [
        np.arange(6.0)[:, None],  # one feature, so there is no pair
        np.column_stack([np.arange(6.0), np.ones(6)]),  # the second feature is constant
        np.ones((6, 3)),
        np.repeat(np.arange(3.0)[:, None], 2, axis=0) @ np.ones((1, 2)),  # duplicates with different labels
        np.array([[0.0, 1.0], [1.0, 0.0]]),
    ],
)
def test_degenerate_data_train(X):
    y = np.arange(len(X)) % 2
    for init in ("cart", "random"):
        model = TAOClassifier(split="bivariate", init=init, lam=0.1, max_depth=3, random_state=0).fit(X, y)
        assert model.score(X, y) >= 0.5


def test_bad_arguments_say_what_is_allowed():
    with refused(DataError, "split='bivariate' does not support sparse X"):
        BivariateSolver(TrainingData(scipy.sparse.csr_matrix(np.eye(3)), np.arange(3), 3))


@pytest.mark.parametrize("init", ["cart", "bivariate_cart", "random"])
def test_rows_of_weight_zero_do_not_count(rng, init):
    X, y = rng.standard_normal((300, 4)), rng.integers(0, 2, 300)
    y[X[:, 0] + X[:, 1] > 0] = 1
    weights = (rng.random(300) < 0.6).astype(float)
    kept = weights > 0
    settings = {"split": "bivariate", "init": init, "lam": 1.5, "max_depth": 5, "random_state": 0}
    one = TAOClassifier(**settings).fit(X, y, weights).tree_
    two = TAOClassifier(**settings).fit(X[kept], y[kept]).tree_
    assert np.array_equal(one.apply(X), two.apply(X))
    assert one.n_samples[0] == kept.sum()
