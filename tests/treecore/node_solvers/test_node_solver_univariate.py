"""Test univariate nodes: the optimum of the weighted 0/1 loss, against brute force over all thresholds."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.budget import budget
from tests.refusals import refused
from tests.strategies import datasets, reduced_problems
from treecore import DataError
from treecore.data.training_data import TrainingData
from treecore.node_solvers.univariate import UnivariateSolver
from treecore.tree.split import Split, constant_split, same_split

LAMBDAS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 100.0])


def solver_of(X, weights):
    return UnivariateSolver(TrainingData(X, np.zeros(len(X), int), 1, weights))


@settings(max_examples=budget(30, 1500))
@given(reduced_problems(), LAMBDAS, st.booleans())
def test_the_optimum_equals_brute_force(problem, lam, right):
    X, targets, weights = problem
    split = solver_of(X, weights).solve(0, len(X), targets * weights, lam, constant_split(right))
    assert len(split.features) <= 1
    assert split.penalty == len(split.features)
    wanted = naive.best_univariate(X, targets, weights, lam)
    assert naive.univariate_value(split, X, targets, weights, lam) == pytest.approx(wanted, abs=1e-9)


@given(reduced_problems(), LAMBDAS)
def test_the_current_split_is_never_made_worse_and_a_second_solve_changes_nothing(problem, lam):
    X, targets, weights = problem
    solver = solver_of(X, weights)
    current = Split(np.array([0], np.int32), np.array([-2.0]), 1.0, 1.0)
    split = solver.solve(0, len(X), targets * weights, lam, current)
    before = naive.univariate_value(current, X, targets, weights, lam)
    assert naive.univariate_value(split, X, targets, weights, lam) <= before + 1e-9
    assert same_split(solver.solve(0, len(X), targets * weights, lam, split), split)


@given(datasets(), LAMBDAS)
def test_only_the_rows_of_the_range_count(dataset, lam):
    X, y, weights = dataset
    targets = np.where(y == 0, -1, 1).astype(np.int8)
    low, high = len(X) // 3, len(X)
    split = solver_of(X, weights).solve(low, high, (targets * weights)[low:high], lam, constant_split(True))
    part = X[low:high], targets[low:high], weights[low:high]
    usable = X.min(axis=0) < X.max(axis=0)
    wanted = naive.best_univariate(part[0][:, usable], *part[1:], lam)
    assert naive.univariate_value(split, *part, lam) == pytest.approx(wanted, abs=1e-9)


def test_ties_go_to_fewer_parameters_then_to_the_current_split():
    X = np.array([[0.0], [1.0], [2.0]])
    solver = solver_of(X, np.ones(3))
    current = Split(np.array([0], np.int32), np.array([1.0]), -0.25, 1.0)
    assert same_split(solver.solve(0, 3, np.array([-1, 1, 1], np.int8), 0.5, current), current)
    assert solver.solve(0, 3, np.array([-1, 1, 1], np.int8), 1.0, current).features.size == 0
    assert solver.solve(0, 3, np.array([1, -1, 1], np.int8), 1.0, current).features.size == 0


def test_neighbouring_floats_are_distinguished():
    low = np.float64(1.0)
    X = np.array([[low], [np.nextafter(low, 2)]])
    for targets in ([-1, 1], [1, -1]):
        targets = np.array(targets, np.int8)
        split = solver_of(X, np.ones(2)).solve(0, 2, targets, 0.1, constant_split(True))
        assert naive.univariate_value(split, X, targets, np.ones(2), 0.1) == pytest.approx(0.1)


def test_bytes_and_floats_give_the_same_optimum(rng):
    X = rng.integers(0, 256, (200, 3)).astype(np.uint8)
    targets = rng.choice([-1, 0, 1], 200).astype(np.int8)
    splits = [
        solver_of(form, np.ones(200)).solve(0, 200, targets, 1.0, constant_split(True))
        for form in (X, X + np.float64(0), X.astype(np.float32) - 256)
    ]
    assert same_split(splits[0], splits[1])
    values = [
        naive.univariate_value(splits[0], X, targets, np.ones(200), 1.0),
        naive.univariate_value(splits[2], X.astype(float) - 256, targets, np.ones(200), 1.0),
    ]
    assert values[0] == values[1] == naive.best_univariate(X, targets, np.ones(200), 1.0)


def test_sparse_data_are_refused_with_the_remedy():
    with refused(DataError, "split='univariate' does not support sparse X"):
        UnivariateSolver(TrainingData(scipy.sparse.csr_matrix(np.eye(3)), np.arange(3), 3))
