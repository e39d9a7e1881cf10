"""Test column-major features: dense and sparse margins, reordered rows and leaves equal those of plain numpy."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.budget import budget
from tests.strategies import trees
from treecore.data.columns import DenseColumns, SparseColumns, partition
from treecore.tree.split import Split, constant_split, same_split

KINDS = ["uint8", "float32", "float64", "csr"]


def loop(function, items):
    return [function(item) for item in items]


def columns_of(X, kind):
    if kind == "csr":
        return SparseColumns(scipy.sparse.csr_matrix(X, dtype=float))
    return DenseColumns(np.ascontiguousarray(X.T, kind))


def dense(columns):
    rows = columns.row_major()
    return rows.toarray() if columns.is_sparse else rows


@pytest.mark.parametrize("kind", KINDS)
def test_margins_add_the_weights_in_order(rng, kind):
    X = rng.integers(0, 9, (2500, 6)) * (rng.random((2500, 6)) < 0.5)
    split = Split(np.array([1, 2, 5], np.int32), rng.standard_normal(3), 0.3, 0.0)
    columns = columns_of(X, kind)
    for start, stop in [(0, 2500), (0, 0), (7, 8), (100, 2400)]:
        wanted = ((0.3 + split.weights[0] * X[:, 1]) + split.weights[1] * X[:, 2]) + split.weights[2] * X[:, 5]
        assert np.array_equal(columns.margins(start, stop, split), wanted[start:stop])
    points = rng.permutation(2500)[:40]
    assert np.array_equal(columns.margins_at(points, split), wanted[points])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("right", [True, False])
def test_a_constant_split_sends_all_points_one_way(kind, right):
    columns = columns_of(np.eye(4), kind)
    assert ((columns.margins(0, 4, constant_split(right)) >= 0) == right).all()


@pytest.mark.parametrize("kind", KINDS)
def test_reorder_moves_whole_rows(rng, kind):
    X = rng.integers(0, 3, (30, 5))
    columns, order = columns_of(X, kind), rng.permutation(30)
    columns.reorder(order, loop)
    assert np.array_equal(dense(columns), X[order])
    split = Split(np.array([3], np.int32), np.ones(1), -1.0, 1.0)
    assert np.array_equal(columns.margins(0, 30, split), X[order][:, 3] - 1.0)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=budget(12, 1500))
@given(tree=trees(st.integers(-3, 3).map(float)), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_leaves_below_a_node_equal_the_slow_reference(kind, tree, seed, data):
    X = np.random.default_rng(seed).integers(0, 3, (15, tree.n_features))
    start = data.draw(st.integers(0, 15))
    stop = data.draw(st.integers(start, 15))
    root = data.draw(st.integers(0, tree.n_nodes - 1))
    out = np.full(15, -7)
    columns_of(X, kind).leaves(tree.routing, root, start, stop, out)
    assert out[start:stop].tolist() == naive.leaves(tree, X[start:stop], root).tolist()
    assert (out[:start] == -7).all()
    assert (out[stop:] == -7).all()


@given(st.lists(st.sampled_from([-1.0, -0.0, 0.0, 2.0, np.nan])), st.booleans())
def test_partition_is_stable_and_zero_goes_right(margins, missing_right):
    margins = np.array(margins)
    points = np.arange(margins.size)
    left = partition(points, margins, missing_right, np.empty_like(points))
    right = (margins >= 0) | (np.isnan(margins) & missing_right)
    assert points[:left].tolist() == np.flatnonzero(~right).tolist()
    assert points[left:].tolist() == np.flatnonzero(right).tolist()


def test_same_split_compares_to_the_last_bit():
    split = Split(np.array([1], np.int32), np.array([0.1]), 1.0, 2.0)
    assert same_split(split, Split(np.array([1], np.int32), np.array([0.1]), 1.0, 9.0))
    assert not same_split(split, split._replace(weights=np.nextafter(split.weights, 1)))
    assert not same_split(split, split._replace(features=np.array([2], np.int32)))
    assert not same_split(split, split._replace(bias=np.nextafter(1.0, 2)))
    assert not same_split(split, constant_split(True))
