"""Test nodes with feature costs, directions and permitted pairs against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.budget import budget
from tests.strategies import datasets, reduced_problems
from treecore.data.training_data import TrainingData
from treecore.node_solvers import make_solver
from treecore.node_solvers.permitted import Permitted
from treecore.tree.split import constant_split

LAMBDAS = st.sampled_from([0.0, 0.5, 1.0, 2.0])


def loss(right, targets, weights):
    return weights[(right & (targets < 0)) | (~right & (targets > 0))].sum()


def best_threshold(X, targets, weights, lam, costs, rises, falls):
    """Return the smallest loss plus penalty over constants and the permitted thresholds."""
    care = targets != 0
    X, targets, weights = X[care].astype(float), targets[care], weights[care]
    best = min(loss(np.full(len(X), side), targets, weights) for side in (False, True))
    for j, column in enumerate(X.T):
        for threshold in np.unique(column)[1:]:
            sides = [(column >= threshold, rises[j]), (column < threshold, falls[j])]
            best = min([best, *(loss(right, targets, weights) + lam * costs[j] for right, fine in sides if fine)])
    return best


def best_line(X, pair, targets, weights, rises, falls):
    """Return the smallest loss over lines whose weights have permitted signs.

    Directions lie between those at which the order of two points, or the sign of a weight, changes.
    """
    care = targets != 0
    x, y = X[care][:, pair].T.astype(float)
    targets, weights = targets[care], weights[care]
    edges = {0.0, np.pi / 2, np.pi, 1.5 * np.pi}
    for i in range(x.size):
        for k in range(i):
            if (x[i], y[i]) != (x[k], y[k]):
                angle = np.arctan2(y[i] - y[k], x[i] - x[k]) + np.pi / 2
                edges |= {float(angle % (2 * np.pi)), float((angle + np.pi) % (2 * np.pi))}
    best, edges = np.inf, sorted(edges)
    for low, high in zip(edges, [*edges[1:], 2 * np.pi], strict=True):
        if high - low < 1e-9:
            continue
        normal = np.array([np.cos((low + high) / 2), np.sin((low + high) / 2)])
        permitted = np.where(normal > 0, rises[pair], falls[pair])
        if permitted.all():
            projected = normal[0] * x + normal[1] * y
            best = min([best, *(loss(projected >= least - 1e-12, targets, weights) for least in projected)])
    return best


@st.composite
def limits(draw, n_features):
    """Draw costs, and directions of which every feature has at least one."""
    costs = np.array(draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n_features, max_size=n_features)))
    kinds = np.array(draw(st.lists(st.integers(0, 3), min_size=n_features, max_size=n_features)))
    return costs, kinds != 1, kinds != 2


@settings(max_examples=budget(40, 1500))
@given(st.data(), reduced_problems(), LAMBDAS)
def test_a_threshold_is_the_best_permitted_one(data, problem, lam):
    X, targets, weights = problem
    costs, rises, falls = data.draw(limits(X.shape[1]))
    solver = make_solver(TrainingData(X, np.zeros(len(X), int), 1, weights), "univariate", feature_costs=costs)
    permitted = Permitted(rises, falls)
    split = solver.solve(0, len(X), targets * weights, lam, constant_split(True), permitted)
    for feature, weight in zip(split.features, split.weights, strict=True):
        assert (rises if weight > 0 else falls)[feature]
        assert split.penalty == costs[feature]
    wanted = best_threshold(X, targets, weights, lam, costs, rises, falls)
    assert naive.split_loss(split, X, targets, weights) + lam * split.penalty == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=budget(10, 600), deadline=None)
@given(st.data(), datasets(max_rows=9, max_features=3), LAMBDAS, st.sampled_from([1.0, 1.5]))
def test_a_line_is_the_best_permitted_one(data, dataset, lam, cost):
    X, y, weights = dataset
    targets = (y - 1).astype(np.int8)
    costs, rises, falls = data.draw(limits(X.shape[1]))
    hidden = data.draw(st.integers(0, X.shape[1]))  # a feature that occurs in no line
    solver = make_solver(
        TrainingData(X, np.zeros(len(X), int), 1, weights), "bivariate", bivariate_cost=cost, exactness="exact",
        feature_costs=costs, is_constrained=True,
    )  # fmt: skip
    permitted = Permitted(rises, falls, lambda first, second: (first != hidden) & (second != hidden))
    split = solver.solve(0, len(X), targets * weights, lam, constant_split(True), permitted)
    assert np.where(split.weights > 0, rises[split.features], falls[split.features]).all()
    assert split.penalty == pytest.approx(solver.penalty(split.features, split.weights))
    wanted = best_threshold(X, targets, weights, lam, costs, rises, falls)
    for j in range(X.shape[1]):
        for k in range(j):
            if hidden not in (j, k):
                low, high = sorted(costs[[k, j]])
                penalty = lam * (high + (cost - 1) * low)
                wanted = min(wanted, best_line(X, [k, j], targets, weights, rises, falls) + penalty)
    assert naive.split_loss(split, X, targets, weights) + lam * split.penalty == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("exactness", ["screened", "auto"])
def test_a_screened_line_is_nearly_as_good_as_without_constraints(rng, exactness):
    X = rng.standard_normal((500, 12))
    targets = np.where(X[:, 3] - 0.7 * X[:, 8] > 0.1, 1, -1)
    data = TrainingData(X, np.zeros(500, int), 1)
    solver = make_solver(data, "bivariate", exactness=exactness, is_constrained=True)
    free = solver.solve(0, 500, targets.astype(float), 1.0, constant_split(True))
    assert free.features.tolist() == [3, 8]
    assert naive.split_loss(free, X, targets, np.ones(500)) <= 3
    signs = np.ones(12, bool)
    signs[8] = False
    rising = solver.solve(0, 500, targets.astype(float), 1.0, constant_split(True), Permitted(signs, ~signs))
    assert naive.split_loss(rising, X, targets, np.ones(500)) <= 3
    other = solver.solve(0, 500, targets.astype(float), 1.0, constant_split(True), Permitted(~signs, signs))
    assert naive.split_loss(other, X, targets, np.ones(500)) > 50


def test_equal_costs_give_the_plain_penalty_of_a_line():
    data = TrainingData(np.random.default_rng(0).standard_normal((20, 3)), np.zeros(20, int), 1)
    solver = make_solver(data, "bivariate", bivariate_cost=1.25, feature_costs=np.array([1.0, 1.0, 4.0]))
    features = [np.array(one, np.int32) for one in ([], [0], [0, 1], [1, 2])]
    assert [solver.penalty(one, one) for one in features] == [0.0, 1.0, 1.25, 4.25]


@pytest.mark.parametrize("node_solver", ["cd", "liblinear-scikit-learn"])
def test_the_penalty_of_an_oblique_split_is_weighted_by_the_costs(rng, node_solver):
    X = rng.standard_normal((200, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    signed = np.where(y > 0, 1.0, -1.0)
    costs = np.array([1.0, 8.0, 1.0])
    data = TrainingData(X, y, 2)
    split = make_solver(data, "oblique", node_solver=node_solver, feature_costs=costs).solve(
        0, 200, signed, 1.0, constant_split(True)
    )
    plain = make_solver(data, "oblique", node_solver=node_solver).solve(0, 200, signed, 1.0, constant_split(True))
    widths = data.widths[split.features]
    assert split.penalty == pytest.approx((np.abs(split.weights) * widths * costs[split.features]).sum(), rel=1e-5)
    assert abs(split.weights[1] / split.weights[0]) < 0.9 * abs(plain.weights[1] / plain.weights[0])
