"""Test splits on groups of categories: the optimum against brute force over all groups."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.budget import budget
from treecore.data.training_data import TrainingData
from treecore.node_solvers import make_solver
from treecore.tree.split import Split, constant_split, same_split

LAMBDAS = st.sampled_from([0.0, 0.5, 1.0, 3.0])


@st.composite
def problems(draw):
    """Return (X, columns, signed): two columns of categories, one number, and the gains of the rows.

    A code equal to the number of categories is an unknown category, the next one is a missing value.
    """
    n = draw(st.integers(4, 14))
    sizes = draw(st.tuples(st.integers(2, 4), st.integers(2, 3)))
    codes = [draw(st.lists(st.integers(0, size + 1), min_size=n, max_size=n)) for size in sizes]
    parts = []
    for own, size in zip(codes, sizes, strict=True):
        flags = (np.array(own)[:, None] == np.arange(size)).astype(float)
        flags[np.array(own) == size + 1] = np.nan
        parts.append(flags)
    number = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    signed = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    ends = np.cumsum(sizes)
    return (
        np.column_stack([*parts, number]),
        [list(range(ends[0])), list(range(ends[0], ends[1]))],
        np.array(signed, float),
    )


def value(split, X, signed, lam):
    """Return the loss of a split plus its penalty."""
    goes_right = split.goes_right(split.bias + X[:, split.features] @ split.weights)
    return float(signed[signed > 0].sum() - signed[goes_right].sum()) + lam * split.penalty


def groups_by_force(X, columns):
    """Yield a split for every set of usable categories, both sides of other rows and both of missing values."""
    usable = np.flatnonzero(np.nanmin(X, axis=0, initial=1) < np.nanmax(X, axis=0, initial=0))
    for column in columns:
        for listed in product([False, True], repeat=len(column)):
            features = np.array([j for j, is_in in zip(column, listed, strict=True) if is_in], np.int32)
            if not features.size:
                yield from (
                    Split(np.array(column[:1], np.int32), np.ones(1), bias, 1.0, bias < 0) for bias in (1.0, -2.0)
                )
            elif np.isin(features, usable).all():
                for sign, missing in product((1.0, -1.0), (False, True)):
                    yield Split(features, np.full(features.size, sign), -0.5 * sign, 1.0, missing)


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
@settings(max_examples=budget(40, 1500), deadline=None)
@given(problem=problems(), lam=LAMBDAS, right=st.booleans())
def test_no_group_of_categories_is_better(split, problem, lam, right):
    X, columns, signed = problem
    data = TrainingData(X, np.zeros(len(X), int), 1, categories=columns)
    solver = make_solver(data, split, exactness="exact")
    found = solver.solve(0, len(X), signed, lam, constant_split(right))
    assert found.penalty == solver.penalty(found.features, found.weights)
    wanted = min((value(one, X, signed, lam) for one in groups_by_force(X, columns)), default=np.inf)
    assert value(found, X, signed, lam) <= wanted + 1e-9
    number = X[:, -1:]
    assert value(found, X, signed, lam) <= naive_threshold(number, signed, lam) + 1e-9
    again = solver.solve(0, len(X), signed, lam, found)
    assert same_split(again, found)


def naive_threshold(X, signed, lam):
    care = np.flatnonzero(signed)
    return naive.best_univariate(X[care], np.sign(signed[care]).astype(np.int8), np.abs(signed[care]), lam)


def solver_of(codes, size, split="univariate"):
    X = (np.array(codes)[:, None] == np.arange(size)).astype(float)
    return make_solver(TrainingData(X, np.zeros(len(X), int), 1, categories=[range(size)]), split), X


def test_unknown_categories_go_with_the_majority():
    solver, X = solver_of([0, 0, 0, 1, 2, 3, 3], 4)
    signed = np.array([1.0, 1.0, 1.0, 1.0, -1.0, 0.0, 0.0])
    split = solver.solve(0, 7, signed, 0.1, constant_split(False))
    unknown, undecided = np.zeros(4), X[5]
    assert split.features.tolist() == [2]
    for row in (unknown, undecided):
        assert split.goes_right(np.array([split.bias + row[split.features] @ split.weights]))[0]
    split = solver.solve(0, 7, -signed, 0.1, constant_split(False))
    assert not split.goes_right(np.array([split.bias]))[0]


def test_a_column_counts_as_one_feature():
    solver, _ = solver_of([0, 1, 2, 3] * 2, 4, "bivariate")
    assert solver.penalty(np.array([0, 2]), np.ones(2)) == 1.0
    data = TrainingData(np.eye(6), np.zeros(6, int), 1, categories=[range(4)])
    solver = make_solver(data, "bivariate", bivariate_cost=2.0)
    assert [solver.penalty(np.array(part), np.ones(2)) for part in ([0, 1], [0, 4], [4, 5])] == [1.0, 2.0, 2.0]
    assert solver.penalty(np.array([], int), np.empty(0)) == 0.0
