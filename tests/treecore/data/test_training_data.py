"""Test training data: the smallest exact dtype, weighted scaling, and rows of weight zero."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given

from tests.refusals import refused
from tests.strategies import datasets
from treecore import DataError, ParameterError
from treecore.data.training_data import SCALES, TrainingData, compact_dtype
from treecore.fixed_order import exactly_added


@pytest.mark.parametrize(("values", "dtype"), [
    ([0, 255], np.uint8), ([0.0, 255.0], np.uint8), ([True, False], np.uint8), ([-1, 3], np.float32),
    ([0, 256], np.float32), ([0.5, 1], np.float32), ([2.0**24, 1], np.float32), ([2.0**24 + 1, 1], np.float64),
    ([0.1, 1], np.float64), ([1e300, 1], np.float64), ([2**24 + 1, 0], np.float64),
])  # fmt: skip
def test_compact_dtype_is_the_smallest_exact_one(values, dtype):
    X = np.array(values).reshape(-1, 1)
    assert compact_dtype(X) == dtype
    assert np.array_equal(X.astype(compact_dtype(X)), X)
    if X.dtype == np.float64 and X.max() < 1e38:
        assert compact_dtype(X.astype(np.float32)) in (np.uint8, np.float32)


def test_compact_dtype_looks_at_every_row():
    X = np.zeros((10_000, 2))
    X[-1, 1] = 0.1
    assert compact_dtype(X) == np.float64
    X[-1, 1] = 0.5
    assert compact_dtype(X) == np.float32


@given(datasets())
def test_scaling_is_the_weighted_one(dataset):
    X, y, weights = dataset
    repeated = np.repeat(X.astype(float), weights.astype(int), axis=0)
    varies = repeated.min(axis=0) < repeated.max(axis=0)
    spreads = {"standard": repeated.std(axis=0), "minmax": np.ptp(repeated, axis=0), None: varies.astype(float)}
    for scale in SCALES:
        for data in (
            TrainingData(X, y, 3, weights, scale),
            TrainingData(scipy.sparse.csr_matrix(X.astype(float)), y, 3, weights, scale),
        ):
            assert (data.inverse_scale[~varies] == 0).all()
            np.testing.assert_allclose(1 / data.inverse_scale[varies], spreads[scale][varies], rtol=1e-9)
            wanted = 0 if data.columns.is_sparse else repeated.mean(axis=0)
            np.testing.assert_allclose(data.center, wanted, rtol=1e-9, atol=1e-12)


@given(datasets())
def test_rows_of_weight_zero_leave_no_trace(dataset):
    X, y, weights = dataset
    weights = weights.copy()
    weights[1::2] = 0
    kept = np.flatnonzero(weights)
    data, twin = TrainingData(X, y, 3, weights), TrainingData(X[kept], y[kept], 3, weights[kept])
    assert np.array_equal(data.columns.values, twin.columns.values)
    assert data.columns.values.dtype == twin.columns.values.dtype
    assert np.array_equal(data.inverse_scale, twin.inverse_scale)
    assert np.array_equal(data.center, twin.center)
    assert data.rows.tolist() == kept.tolist()


def test_reorder_keeps_rows_together(rng):
    X, y, weights = rng.standard_normal((20, 3)), rng.integers(0, 2, 20), rng.random(20) + 0.1
    data = TrainingData(X, y, 2, weights)
    data.reorder(rng.permutation(20), lambda function, items: [function(item) for item in items])
    assert not np.array_equal(data.rows, np.arange(20))
    assert np.array_equal(data.columns.row_major(), X[data.rows])
    assert np.array_equal(data.y, y[data.rows])
    assert np.array_equal(data.weights, exactly_added(weights)[data.rows])


def test_the_callers_arrays_are_not_shared(rng):
    X, y, weights = rng.standard_normal((20, 3)), rng.integers(0, 2, 20), np.ones(20)
    data = TrainingData(X, y, 2, weights)
    assert not np.shares_memory(data.columns.values, X)
    assert not np.shares_memory(data.weights, weights)


def test_unknown_scale_and_zero_weights_are_refused():
    with refused(ParameterError, "scale='robust': expected 'standard', 'minmax' or None"):
        TrainingData(np.eye(2), np.arange(2), 2, scale="robust")
    with refused(DataError, "Every sample weight is zero"):
        TrainingData(np.eye(2), np.arange(2), 2, np.zeros(2))
