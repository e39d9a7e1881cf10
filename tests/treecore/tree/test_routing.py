"""Test routing kernels: every kind of input reaches the same leaf, and invalid rows are refused."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import naive
from tests.refusals import refused
from tests.strategies import small_tree, trees
from treecore import DataError
from treecore.tree import routing
from treecore.tree.routing import check_rows, leaf_ids


@pytest.fixture(params=[0, 10**9], ids=["kernel", "numpy"])
def _ways(request, monkeypatch):
    """Run without the kernel, as in a process that has not compiled it yet, and with it."""
    monkeypatch.setattr(routing, "_steps_left", request.param)
    if request.param:
        monkeypatch.setattr(routing, "_dense_leaves", SimpleNamespace(overloads={}))


@pytest.mark.usefixtures("_ways")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees(st.integers(-5, 5).map(float)), st.integers(0, 2**32 - 1))
def test_every_dtype_and_layout_reaches_the_same_leaf(tree, seed):
    X = np.random.default_rng(seed).integers(0, 4, (20, tree.n_features))
    wanted = naive.leaves(tree, X).tolist()
    for dtype in (bool, np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64, object):
        if dtype is not bool or X.max() <= 1:
            assert tree.apply(X.astype(dtype)).tolist() == wanted, dtype
    for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_array, np.asfortranarray):
        assert tree.apply(form(X)).tolist() == wanted, form
    assert tree.apply(np.repeat(X, 2, axis=0)[::2]).tolist() == wanted
    assert tree.apply(X[::-1]).tolist() == wanted[::-1]
    assert tree.apply(X.tolist()).tolist() == wanted


def test_float32_rows_are_compared_in_float64():
    tree = small_tree(bias=[-np.nextafter(np.float64(np.float32(0.1)), 1), 0, 0, 0, 0])
    assert tree.apply(np.array([[0.1, 0, 0]], np.float32)).tolist() == [1]


def test_duplicate_entries_of_a_sparse_matrix_add_up():
    X = scipy.sparse.csr_matrix((np.array([1.0, 1.0]), np.array([0, 0]), np.array([0, 2])), shape=(1, 3))
    assert X.nnz == 2
    assert small_tree().apply(X).tolist() == [4]


@pytest.mark.parametrize("n_jobs", [1, 2, 3, None])
def test_threads_do_not_change_the_leaves(rng, n_jobs):
    X = rng.integers(0, 4, (9001, 3))
    wanted = np.where(X[:, 0] < 1.5, 1, np.where(X[:, 0] - X[:, 2] >= 0, 4, 3))
    assert np.array_equal(small_tree().apply(X, n_jobs), wanted)


def test_no_rows_give_no_leaves():
    X = np.empty((0, 3))
    assert small_tree().apply(X).shape == small_tree().predict(X).shape == (0,)
    assert small_tree().predict_proba(X).shape == (0, 3)


def test_leaf_ids_takes_a_routing_record():
    tree = small_tree()
    assert leaf_ids(tree.routing, np.zeros((2, 3)), 1).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1.0, 2, 3], "X has 1 dimension: expected 2 (rows and features)"),
        (np.zeros((2, 3, 1)), "X has 3 dimensions: expected 2 (rows and features)"),
        (np.zeros((2, 4)), "X has 4 features, but the tree was trained on 3"),
        (np.zeros((2, 2), np.uint8), "X has 2 features, but the tree was trained on 3"),
        (scipy.sparse.csr_matrix((2, 4)), "X has 4 features, but the tree was trained on 3"),
        ([[0, np.nan, 0]], "X contains NaN or infinite values"),
        ([[0, np.inf, 0], [0, -np.inf, 0]], "X contains NaN or infinite values"),
        (scipy.sparse.csr_matrix([[0, np.nan, 0]]), "X contains NaN or infinite values"),
        ([["a", "b", "c"]], "X has dtype …: expected numbers"),
        (np.array([["a", 1, 2]], object), "X contains a value that is not a number (…)"),
        (np.array([[None, 1, 2]], object), "X contains NaN or infinite values"),
        ([[1j, 0, 0]], "X has dtype …: expected numbers"),
        ([[1, 2, 3], [1, 2]], "X contains a value that is not a number (…)"),
    ],
)
def test_bad_rows_are_refused(X, message):
    with refused(DataError, message):
        check_rows(X, 3)


def test_very_large_finite_values_are_fine():
    X = np.full((3, 3), 1e308)
    assert small_tree().apply(X).tolist() == [4, 4, 4]


def test_rows_of_a_good_dtype_are_not_copied():
    for dtype in (np.uint8, np.float32, np.float64):
        X = np.zeros((4, 3), dtype)
        assert check_rows(X, 3) is X


def test_numpy_goes_the_way_of_the_kernel_to_the_last_bit(rng):
    n, m = 500, 15
    X = rng.integers(0, 3, (n, 6)).astype(np.float32)
    X[rng.random(X.shape) < 0.1] = np.nan
    left = np.where(np.arange(m) < m // 2, 2 * np.arange(m) + 1, -1).astype(np.int32)
    last = np.arange(4, 4 * m + 4, 4)
    weights = rng.choice([0.1, 0.2, -0.3], 4 * m)
    bias = -weights.reshape(m, 4).sum(axis=1)  # many rows lie on a split, except for rounding
    features = rng.integers(0, 6, 4 * m).astype(np.int32)
    right = np.where(left < 0, -1, left + 1).astype(np.int32)
    tree = routing.Routing(left, right, last - 4, last, features, weights, bias, rng.random(m) < 0.5)
    wanted, found = np.empty((2, n), np.int32)
    routing._dense_leaves(X, tree, wanted)
    routing._numpy_leaves(tree, X, found)
    assert len(set(wanted.tolist())) > 4
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("n_terms", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_rows_that_are_routed_one_by_one_reach_the_same_leaf(seed, n_terms):
    rng, n, depth = np.random.default_rng(seed), 300, 7
    m = 2 ** (depth + 1) - 1
    X = rng.normal(size=(n, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    left = np.where(np.arange(m) < m // 2, 2 * np.arange(m) + 1, -1).astype(np.int32)
    right = np.where(left < 0, -1, left + 1).astype(np.int32)
    last = n_terms * np.arange(1, m + 1)
    features = np.tile(np.arange(n_terms, dtype=np.int32), m)
    missing_right = rng.random(m) < 0.5
    tree = routing.Routing(
        left, right, last - n_terms, last, features, rng.normal(size=n_terms * m), rng.normal(size=m), missing_right
    )
    alone = [leaf_ids(tree, X[[row]])[0] for row in range(n)]
    naive_leaves = np.empty(n, np.int32)
    routing._numpy_leaves(tree, X, naive_leaves)
    found = leaf_ids(tree, X)
    assert found.tolist() == alone == naive_leaves.tolist()


@pytest.mark.usefixtures("_ways")
def test_margins_beyond_all_numbers_are_no_warning():
    tree = small_tree()
    tree = replace(tree, weights=np.full_like(tree.weights, 1e308))
    X = np.full((2, tree.n_features), 2.0) * [[1.0], [-1.0]]
    with np.errstate(all="raise"):
        assert len(set(tree.apply(X))) == 2
